"""A program that uses the Python package, for `mypy --strict`: what it finds wrong is marked, and a mark with nothing wrong is an error too."""

from typing import List

import envgen


def install_lines(gpus: List[str]) -> List[str]:
    try:
        found = envgen.resolve(torch="2.3", gpus=gpus, installer="uv", prefer="newest")
    except envgen.NoEnvironment as refusal:
        return [*refusal.proof, *(repr(nearest.environment.torch) for nearest in refusal.nearest)]
    except envgen.UnknownFact as unknown:
        return list(unknown.missing)
    except envgen.RequestError as error:
        return [error.origin, *error.hints]
    return [" ".join(command) for command in found.install]


def versions() -> List[str]:
    results = envgen.resolve_many([{"torch": "2.3"}, {"torch": "26"}])
    return [envgen.__version__, *(str(one) if isinstance(one, envgen.EnvgenError) else one.python for one in results)]


envgen.resolve(gpus={"4090"}, hosts=[{"gpus": ["T4"]}]).torch.upper()  # type: ignore[union-attr]
envgen.resolve(gpus=4090)  # type: ignore[arg-type]
envgen.resolve(variant="development")  # type: ignore[arg-type]
envgen.resolve(toch="2.3")  # type: ignore[call-arg]
envgen.resolve_mny([])  # type: ignore[attr-defined]
