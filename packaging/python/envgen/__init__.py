"""The right PyTorch environment for your GPUs and drivers, or proof that there is none.

    >>> import envgen
    >>> found = envgen.resolve(torch="2.3", gpus=["4090"])
    >>> found.torch, found.cuda, found.install
    ('2.3.1', '12.1', (('pip', 'install', 'torch==2.3.1', ...),))

Lists of answers are tuples, and their mappings are read-only dicts: every answer is a value, which can be compared, hashed and pickled. Each call starts the program `envgen` of this package once: no network, no GPU, some milliseconds.
"""

from __future__ import annotations

import json
import signal
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Collection, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from ._program import program

__all__ = ["Environment", "EnvgenError", "Nearest", "NoEnvironment", "RequestError", "UnknownFact", "program", "resolve", "resolve_many"]


_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


class _Frozen(Dict[str, Any]):
    """An object of an answer. It stays a dict, which json.dumps takes."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> Tuple[Any, ...]:
        return _Frozen, (dict(self),)

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("answers of envgen are read-only; dict(answer) is a copy that can be changed")

    _refused: Any = _refuse
    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refused


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _frozen(members: Iterable[Tuple[str, Any]]) -> _Frozen:
    return _Frozen((name, _tuples(value)) for name, value in members)


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)


@dataclass(frozen=True)
class Environment:
    """One environment, every value exact. Two with the same `data` are equal."""

    data: Mapping[str, Any]
    """Its JSON, with all that the properties leave out."""
    install: Sequence[Sequence[str]] = field(default=(), compare=False)
    """The commands that install it, each a list of arguments."""
    pins: Sequence[Mapping[str, str]] = field(default=(), compare=False)
    env: Mapping[str, str] = field(default_factory=_Frozen, compare=False)
    warnings: Sequence[str] = field(default=(), compare=False)
    reasons: Sequence[Mapping[str, Any]] = field(default=(), compare=False)
    """Why each value was chosen: `field`, `value`, `why`, `sources`."""

    def __repr__(self) -> str:
        shown = {name: getattr(self, name) for name in ("torch", "tensorflow", "cuda", "python", "os")}
        return f"Environment({', '.join(f'{name}={value!r}' for name, value in shown.items() if value)})"

    def _build(self, member: str) -> Optional[str]:
        return _text((self.data["torch"] or self.data["tensorflow"])[member])

    def _version_of(self, part: str) -> Optional[str]:
        return _text(self.data[part] and self.data[part]["version"])

    def _driver(self, member: str) -> Optional[str]:
        return _text((self.data["driver"] or {}).get(member))

    @property
    def torch(self) -> Optional[str]:
        return self._version_of("torch")

    @property
    def tensorflow(self) -> Optional[str]:
        return self._version_of("tensorflow")

    @property
    def cuda(self) -> Optional[str]:
        """The minor version: `12.1`; None for a CPU build."""
        return self._build("cuda")

    @property
    def cudnn(self) -> Optional[str]:
        return self._version_of("cudnn")

    @property
    def python(self) -> str:
        return str(self.data["python"])

    @property
    def os(self) -> Optional[str]:
        return _text(self.data["os"])

    @property
    def driver_minimum(self) -> Optional[str]:
        """The oldest Linux driver that runs it on every GPU; None for a CPU build, for WSL, and where each machine needs another one."""
        return None if self._driver("windows_cuda") else self._driver("minimum")

    @property
    def driver_last_branch(self) -> Optional[str]:
        """The last branch of Linux drivers that runs it on every GPU (`580`: any 580, and no 590); None if newer branches work too, or if driver_minimum is None."""
        return None if self._driver("windows_cuda") else self._driver("last_branch")

    @property
    def windows_driver(self) -> Optional[str]:
        """For WSL, the branches of the Windows driver that run it on every GPU (`570 or newer`, `525 to branch 580`), or the driver that was
        requested for every machine. None where each machine needs another one.
        """
        driver = self.data["driver"] or {}
        if "windows_cuda" not in driver:
            return None
        requested = {machine.get("asked") for machine in driver["machines"]} or {driver.get("asked")}
        if len(requested) == 1 and None not in requested:
            return _text(requested.pop())
        first, last = (driver[end] and driver[end].partition(".")[0] for end in ("minimum", "last_branch"))
        return f"{first} to branch {last}" if last else f"{first} or newer"

    @property
    def index_url(self) -> Optional[str]:
        return self._build("index_url")


@dataclass(frozen=True)
class Nearest:
    """An environment that exists, and what the request would have to change for it."""

    changes: Sequence[Mapping[str, Optional[str]]]
    """For people: `field` (a flag's name), `from` (empty: a value is added) and `to` (None: the value is dropped)."""
    environment: Environment
    """Only its values: `install`, `pins`, `env`, `warnings` and `reasons` are empty. `resolve(**request)` fills them, and chooses again what the
    request leaves open.
    """
    request: Mapping[str, Any]
    """The whole request with the changes made, as `resolve` takes it: `envgen.resolve(**nearest.request)`."""


class EnvgenError(Exception):
    """The base class of all errors here. They can be pickled, so that one process can pass them to another."""


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
        proof: Sequence[str] = self.data["proof"]
        return proof


class UnknownFact(_Refusal):
    """Whether there is one depends on facts that envgen does not have: `missing` names them."""

    @property
    def missing(self) -> Sequence[str]:
        missing: Sequence[str] = self.data["missing"]
        return missing


def _nearest(rows: Iterable[Mapping[str, Any]]) -> Sequence[Nearest]:
    return tuple(Nearest(row["changes"], Environment(row["environment"]), row["request"]) for row in rows)


def _understood(data: Mapping[str, Any]) -> Environment:
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


def _answer(data: Any) -> Environment:
    try:
        return _understood(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise EnvgenError(f"the program's answer is not one of envgen's: {json.dumps(data)[:200]}") from error


def _plain(value: Any) -> Any:
    """What JSON knows instead of a set, a generator or a mapping of another kind."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return list(value)
    raise TypeError(f"{value!r} cannot be a value of a request")


def _json(value: Any, origin: str = "") -> bytes:
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False, default=_plain).encode("utf-8")
    except Exception as error:  # of a generator, too
        raise _not_a_value(error, origin) from error


def _not_a_value(error: Exception, origin: str = "") -> RequestError:
    return RequestError(str(error) if isinstance(error, (TypeError, ValueError)) else f"{type(error).__name__}: {error}", origin)


_ONE_OF_A_LIST: Mapping[str, Any] = {"gpus": str, "hosts": (str, Mapping)}


def _member(name: str, value: Any) -> bytes:
    listed = [value] if isinstance(value, _ONE_OF_A_LIST.get(name, ())) else value
    return _json(name) + b": " + _json(listed, f"/{name}")


def _line(request: Any) -> bytes:
    if not isinstance(request, Mapping):  # which the program refuses
        return _json(request) + b"\n"
    try:
        members = [(str(name), value) for name, value in request.items()]
    except Exception as error:
        raise _not_a_value(error) from error
    return b"{" + b", ".join(_member(name, value) for name, value in members) + b"}\n"


def _ended(status: int) -> str:
    if status >= 0:
        return f"envgen ended with exit status {status}"
    known = {known.value: known.name for known in signal.Signals}
    return f"envgen was ended by {known.get(-status, f'signal {-status}')}"


def _ask(lines: Sequence[bytes]) -> List[Any]:
    if not lines:
        return []
    try:
        run = subprocess.run([program(), "resolve", "--batch", "-"], input=b"".join(lines), capture_output=True, check=False)
    except OSError as error:
        raise EnvgenError(f"envgen cannot be started: {error}") from error
    try:
        answers = [json.loads(line, object_pairs_hook=_frozen) for line in run.stdout.decode("utf-8").split("\n") if line]
    except ValueError:
        answers = []  # cut off
    if len(answers) != len(lines):
        raise EnvgenError(run.stderr.decode("utf-8", "replace").strip() or _ended(run.returncode))
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
    gpus: Union[str, Collection[str], None] = None,
    hosts: Union[str, Mapping[str, Any], Collection[Union[str, Mapping[str, Any]]], None] = None,
    os: Optional[str] = None,
    platform: Optional[str] = None,
    variant: Optional[Literal["runtime", "devel", "auto"]] = None,
    installer: Optional[Literal["pip", "uv", "conda", "auto"]] = None,
    base: Optional[Literal["slim", "cuda", "pytorch", "tensorflow", "auto"]] = None,
    engine: Optional[Literal["docker", "docker-cdi", "podman", "none", "auto"]] = None,
    wsl: bool = False,
    prefer: Optional[Literal["stable", "newest", "smallest", "widest", "auto"]] = None,
    ptx: bool = False,
    allow_inferred: bool = False,
) -> Environment:
    """The best environment for a request, whose fields are those of `request` in envgen.json. One GPU or host needs no list; a host is
    `{"gpus": ["V100", "T4"], "driver": "535"}` or `"gpu=V100,gpu=T4,driver=535"`.

    Raises NoEnvironment with the proof, UnknownFact, or RequestError.
    """
    given, defaults = locals(), resolve.__kwdefaults__ or {}
    return _answer(_ask([_line({name: value for name, value in given.items() if value is not defaults.get(name)})])[0])


def resolve_many(requests: Iterable[Mapping[str, Any]]) -> List[Union[Environment, EnvgenError]]:
    """The same for many requests, in a single run of the program. Where `resolve` would raise an error for a request, the list contains that error;
    only a program that cannot be started, or that ends early, raises EnvgenError for all.
    """
    lines = [_or_error(_line, request) for request in requests]
    answers = iter(_ask([line for line in lines if isinstance(line, bytes)]))
    return [_or_error(_answer, next(answers)) if isinstance(line, bytes) else line for line in lines]
