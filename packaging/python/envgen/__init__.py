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
from typing import TYPE_CHECKING, Any, Callable, Collection, Iterable, List, Literal, Mapping, Optional, Sequence, TypeVar, Union

from ._program import program

__all__ = ["Environment", "EnvgenError", "Nearest", "NoEnvironment", "RequestError", "UnknownFact", "program", "resolve", "resolve_many"]


_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


@dataclass(frozen=True)
class Environment:
    """One environment, every value exact. `data` is its JSON, with all that the properties leave out; two with the same are equal."""

    data: Mapping[str, Any]
    install: Sequence[Sequence[str]] = field(default=(), compare=False)
    """The commands that install it, each a list of arguments."""
    pins: Sequence[Mapping[str, str]] = field(default=(), compare=False)
    env: Mapping[str, str] = field(default_factory=dict, compare=False)
    warnings: Sequence[str] = field(default=(), compare=False)
    reasons: Sequence[Mapping[str, Any]] = field(default=(), compare=False)
    """Why each value was chosen: `field`, `value`, `why`, `sources`."""

    def __hash__(self) -> int:
        return hash(json.dumps(self.data, sort_keys=True))

    def __repr__(self) -> str:
        shown = {name: getattr(self, name) for name in ("torch", "tensorflow", "cuda", "python", "os")}
        return f"Environment({', '.join(f'{name}={value!r}' for name, value in shown.items() if value)})"

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
        """The oldest Linux driver that runs it on every GPU; None for a CPU build and for WSL."""
        return None if self.windows_driver else self.data["driver"] and self.data["driver"]["minimum"]

    @property
    def windows_driver(self) -> Optional[str]:
        """For WSL, the branches of the Windows driver that run it (`570 or newer`, `525 to branch 580`), or the driver that was asked for."""
        driver = self.data["driver"] or {}
        if "windows_cuda" not in driver:
            return None
        first, last = (driver[end] and driver[end].partition(".")[0] for end in ("minimum", "last_branch"))
        return driver.get("asked") or (f"{first} to branch {last}" if last else f"{first} or newer")

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


def _plain(value: Any) -> Any:
    """What JSON knows instead of a set, a generator or a mapping of another kind."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return list(value)
    raise TypeError(f"{value!r} is not a value of a request")


def _json(value: Any, origin: str = "") -> bytes:
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False, default=_plain).encode("utf-8")
    except (TypeError, ValueError) as error:
        raise RequestError(str(error), origin) from error


def _line(request: Any) -> bytes:
    if not isinstance(request, Mapping):  # which the program refuses
        return _json(request) + b"\n"
    return b"{" + b", ".join(_json(str(name)) + b": " + _json(value, f"/{name}") for name, value in request.items()) + b"}\n"


def _ask(lines: Sequence[bytes]) -> List[Mapping[str, Any]]:
    if not lines:
        return []
    try:
        run = subprocess.run([program(), "resolve", "--batch", "-"], input=b"".join(lines), capture_output=True, check=False)
    except OSError as error:
        raise EnvgenError(f"envgen cannot be started: {error}") from error
    try:
        answers = [json.loads(line) for line in run.stdout.decode("utf-8").split("\n") if line]
    except ValueError:
        answers = []  # cut off
    if len(answers) != len(lines):
        raise EnvgenError(run.stderr.decode("utf-8", "replace").strip() or f"envgen ended with exit status {run.returncode}")
    return answers


def _or_error(make: Callable[[_Given], _Made], given: _Given) -> Union[_Made, EnvgenError]:
    try:
        return make(given)
    except EnvgenError as error:
        return error


if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name):
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
    gpus: Optional[Collection[str]] = None,
    hosts: Optional[Collection[Mapping[str, Any]]] = None,
    os: Optional[str] = None,
    platform: Optional[str] = None,
    variant: Optional[Literal["runtime", "devel", "auto"]] = None,
    installer: Optional[Literal["pip", "uv", "conda", "auto"]] = None,
    base: Optional[Literal["slim", "cuda", "pytorch", "tensorflow", "auto"]] = None,
    engine: Optional[Literal["docker", "docker-cdi", "podman", "auto"]] = None,
    wsl: bool = False,
    prefer: Optional[Literal["stable", "newest", "smallest", "widest", "auto"]] = None,
    ptx: bool = False,
    allow_inferred: bool = False,
) -> Environment:
    """The best environment for a request, whose fields are those of `request` in envgen.json.

    Raises NoEnvironment with the proof, UnknownFact, or RequestError.
    """
    return _answer(_ask([_line({name: value for name, value in locals().items() if value is not None})])[0])


def resolve_many(requests: Iterable[Mapping[str, Any]]) -> List[Union[Environment, EnvgenError]]:
    """The same for many requests with one start of the program. What `resolve` raises for one of them stands in the place of its environment;
    only a program that cannot be started, or that ends early, raises EnvgenError for all.
    """
    lines = [_or_error(_line, request) for request in requests]
    answers = iter(_ask([line for line in lines if isinstance(line, bytes)]))
    return [_or_error(_answer, next(answers)) if isinstance(line, bytes) else line for line in lines]
