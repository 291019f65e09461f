"""The right PyTorch environment for your GPUs and drivers, or the proof that there is none.

    >>> import envgen
    >>> found = envgen.resolve(torch="2.3", gpus=["4090"])
    >>> found.torch, found.cuda, found.install
    ('2.3.1', '12.1', [['pip', 'install', 'torch==2.3.1', ...]])

Each call starts the program `envgen` of this package once: no network, no GPU, some milliseconds.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Union

from ._program import program

__all__ = ["Environment", "EnvgenError", "Nearest", "NoEnvironment", "RequestError", "UnknownFact", "program", "resolve", "resolve_many"]


@dataclass(frozen=True)
class Environment:
    """One environment, every value exact. `data` is its JSON, with all that the properties leave out."""

    data: Mapping[str, Any]
    install: Sequence[Sequence[str]] = ()
    """The commands that install it, each a list of arguments."""
    pins: Sequence[Mapping[str, str]] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    reasons: Sequence[Mapping[str, Any]] = ()
    """Why each value was chosen: `field`, `value`, `why`, `sources`."""

    def _build(self) -> Mapping[str, Any]:
        return self.data["torch"] or self.data["tensorflow"]

    def _version_of(self, framework: str) -> Optional[str]:
        return self.data[framework] and self.data[framework]["version"]

    @property
    def torch(self) -> Optional[str]:
        return self._version_of("torch")

    @property
    def tensorflow(self) -> Optional[str]:
        return self._version_of("tensorflow")

    @property
    def cuda(self) -> Optional[str]:
        """The minor version: `12.1`; None for a CPU build."""
        return self._build()["cuda"]

    @property
    def cudnn(self) -> Optional[str]:
        return self.data["cudnn"] and self.data["cudnn"]["version"]

    @property
    def python(self) -> str:
        return self.data["python"]

    @property
    def os(self) -> Optional[str]:
        return self.data["os"]

    @property
    def driver_minimum(self) -> Optional[str]:
        """The oldest driver that runs it on every GPU; None for a CPU build."""
        return self.data["driver"] and self.data["driver"]["minimum"]

    @property
    def index_url(self) -> Optional[str]:
        return self._build()["index_url"]


@dataclass(frozen=True)
class Nearest:
    """An environment that exists, and what the request would have to change for it: `field`, `from`, `to`."""

    changes: Sequence[Mapping[str, str]]
    environment: Environment


class EnvgenError(Exception):
    """What every error here is. All of them can be pickled, so that one process can hand them to another."""


class RequestError(EnvgenError):
    """A value was not understood."""

    def __init__(self, message: str, origin: str = "", hints: Sequence[str] = ()) -> None:
        super().__init__(message, origin, hints)
        self.origin = origin
        self.hints = hints

    def __str__(self) -> str:
        message, origin, hints = self.args
        where = origin.strip("/")
        return "; ".join([f"{where}: {message}" if where else message, *hints])


class _Refusal(EnvgenError):
    def __init__(self, message: str, nearest: Sequence[Nearest], data: Mapping[str, Any]) -> None:
        super().__init__(message, nearest, data)
        self.nearest = nearest
        self.data = data

    def __str__(self) -> str:
        return str(self.args[0])


class NoEnvironment(_Refusal):
    """No environment satisfies the request: `proof` has the sentences, `nearest` what does exist."""

    @property
    def proof(self) -> Sequence[str]:
        return self.data["proof"]


class UnknownFact(_Refusal):
    """Whether there is one depends on facts that envgen does not have: `missing` names them."""

    @property
    def missing(self) -> Sequence[str]:
        return self.data["missing"]


def _nearest(rows: Iterable[Mapping[str, Any]]) -> List[Nearest]:
    return [Nearest(row["changes"], Environment(row["environment"])) for row in rows]


def _answer(data: Mapping[str, Any]) -> Environment:
    if "environment" in data:
        return Environment(data["environment"], data["install"], data["pins"], data["env"], data["warnings"], data["reasons"])
    if "conflict" in data:
        refusal = data["conflict"]
        raise NoEnvironment(" ".join(refusal["proof"]), _nearest(refusal["nearest"]), refusal)
    if "unknown" in data:
        refusal = data["unknown"]
        raise UnknownFact(refusal["message"], _nearest(refusal["nearest"]), refusal)
    error = data["error"]
    if error["code"] == "usage":
        raise RequestError(error["message"], error["origin"].partition("#")[2], error["hints"])
    raise EnvgenError(error["message"])


def _ask(requests: Sequence[Mapping[str, Any]]) -> List[Mapping[str, Any]]:
    try:
        lines = "".join(json.dumps(request, allow_nan=False) + "\n" for request in requests).encode("utf-8")
    except (TypeError, ValueError) as error:
        raise RequestError(str(error)) from error
    try:
        run = subprocess.run([program(), "resolve", "--batch", "-"], input=lines, capture_output=True, check=False)
    except OSError as error:
        raise EnvgenError(f"envgen cannot be started: {error}") from error
    try:
        answers = [json.loads(line) for line in run.stdout.decode("utf-8").split("\n") if line]
    except ValueError:
        answers = []  # cut off
    if len(answers) != len(requests):
        raise EnvgenError(run.stderr.decode("utf-8", "replace").strip() or f"envgen ended with exit status {run.returncode}")
    return answers


def _as_list(values: Any) -> Any:
    """A set or a generator as a list; a text stays one, for the program to refuse it."""
    return values if isinstance(values, (str, bytes, Mapping)) else list(values)


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib import metadata

        return metadata.version("envgen")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def resolve(
    *,
    torch: Optional[str] = None,
    torchvision: Optional[str] = None,
    torchaudio: Optional[str] = None,
    tensorflow: Optional[str] = None,
    cuda: Optional[str] = None,
    cudnn: Optional[str] = None,
    python: Optional[str] = None,
    driver: Optional[str] = None,
    gpus: Sequence[str] = (),
    hosts: Sequence[Mapping[str, Any]] = (),
    os: Optional[str] = None,
    platform: Optional[str] = None,
    variant: Optional[str] = None,
    installer: Optional[str] = None,
    base: Optional[str] = None,
    engine: Optional[str] = None,
    wsl: bool = False,
    prefer: Optional[str] = None,
    ptx: bool = False,
    allow_inferred: bool = False,
) -> Environment:
    """The best environment for a request, whose fields are those of `request` in envgen.json.

    Raises NoEnvironment with the proof, UnknownFact, or RequestError.
    """
    given = {**locals(), "gpus": _as_list(gpus), "hosts": _as_list(hosts)}
    asked = {name: value for name, value in given.items() if not (value is None or value is False or value == [])}
    return _answer(_ask([asked])[0])


def resolve_many(requests: Iterable[Mapping[str, Any]]) -> List[Union[Environment, EnvgenError]]:
    """The same for many requests with one start of the program; what `resolve` raises stands in the place of an environment."""
    asked = list(requests)
    results: List[Union[Environment, EnvgenError]] = []
    for data in _ask(asked) if asked else []:
        try:
            results.append(_answer(data))
        except EnvgenError as error:
            results.append(error)
    return results
