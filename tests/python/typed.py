"""A program that uses the Python package, for `mypy --strict`: what it finds wrong is marked, and a mark with nothing wrong is an error too."""

from typing import List

import envgen


def install_lines(gpus: List[str]) -> List[str]:
    try:
        found = envgen.resolve(torch="2.3", gpus=gpus, installer="uv", prefer="newest")
    except envgen.NoEnvironment as refusal:
        found = envgen.resolve(**refusal.nearest[0].request)
        return [*refusal.proof, *given_up(refusal.nearest[0]), found.python]
    except envgen.UnknownFact as unknown:
        return list(unknown.missing)
    except envgen.RequestError as error:
        return [error.origin, *error.hints]
    return [" ".join(command) for command in found.install]


def given_up(nearest: envgen.Nearest) -> List[str]:
    nearest.changes[0]["to"].upper()  # type: ignore[union-attr]
    return [str(change["from"]) for change in nearest.changes if change["to"] is None]


def versions() -> List[str]:
    results = envgen.resolve_many([{"torch": "2.3"}, {"torch": "26"}])
    return [envgen.__version__, *(str(one) if isinstance(one, envgen.EnvgenError) else one.python for one in results)]


envgen.resolve(gpus="4090", hosts={"gpus": ["T4"]})
envgen.resolve(gpus={"4090"}, hosts=[{"gpus": ["T4"]}, "gpu=T4,driver=535"]).torch.upper()  # type: ignore[union-attr]
envgen.resolve(gpus=4090)  # type: ignore[arg-type]
envgen.resolve(variant="development")  # type: ignore[arg-type]
envgen.resolve(toch="2.3")  # type: ignore[call-arg]
envgen.resolve_mny([])  # type: ignore[attr-defined]
