"""Runs one job of a workflow, or a composite action, or writes their scripts: what GitHub or GitLab would do of them, as far as envgen uses it.

usage: run_workflow.py [--scripts FOLDER] [--outputs FILE] [--input NAME=VALUE]... FILE JOB    in the folder of the project; exit status of the job

The JOB of an action is `action`. A step that uses an action is left out: the project is there, nothing is in the cache, and the report stays.
The variables of a project (vars), its secrets and the contexts github, runner and matrix are those of the environment. A component of GitLab gets
its inputs by --input, as an action does, whose outputs are written into the file of --outputs. With --scripts nothing runs; each script is
written into the folder.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

GITHUB_SHELL = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]


class Expressions:
    """The values of GitHub's expressions: names of contexts, the first of several (`||`) that is not empty."""

    def __init__(self, inputs):
        self.inputs = inputs
        self.outputs = {}

    def named(self, name):
        context, _, rest = name.partition(".")
        if context == "inputs":
            return self.inputs[rest]
        if context == "steps":
            step, _, output = rest.partition(".outputs.")
            return self.outputs[step].get(output, "")
        if context in ("github", "runner", "matrix"):
            return os.environ.get(f"{context}_{rest}".upper(), "")
        assert context in ("vars", "secrets"), f"not known here: {name}"
        return os.environ.get(rest, "")

    def value(self, text):
        return next(filter(None, map(self.named, text.split(" || "))), "")

    def text(self, text):
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: self.value(match[1]), str(text))

    def holds(self, condition):
        compared = re.fullmatch(r"(\S+) ([!=])= '(\w*)'", condition)
        assert compared, f"not known here: {condition}"
        return (self.named(compared[1]) == compared[3]) == (compared[2] == "=")


def entries(file):
    return [line.split("=", 1) for line in file.read_text().splitlines()]


def github_steps(document, job):
    """The steps that are scripts."""
    steps = document["runs"]["steps"] if "runs" in document else document["jobs"][job]["steps"]
    return [step for step in steps if "run" in step]


def inputs_of(declared, given):
    """What is given, and the defaults of what is not."""
    unknown = set(given) - set(declared)
    assert not unknown, f"no such input: {unknown}"
    values = {name: given.get(name, str((row or {}).get("default", ""))) for name, row in declared.items()}
    for name, value in values.items():
        pattern = (declared[name] or {}).get("regex", "")
        assert re.search(pattern, value), f"input {name}: {value!r} does not match {pattern}"
    return values


def run_github(document, job, given, outputs):
    expressions = Expressions(inputs_of(document.get("inputs", {}), given))
    status = run_steps(document, job, expressions)
    if outputs:
        outputs.write_text("".join(f"{name}={expressions.text(row['value'])}\n" for name, row in document["outputs"].items()))
    return status


def run_steps(document, job, expressions):
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("RUNNER_TEMP", folder)
        environment = {**os.environ, **{name: expressions.text(value) for name, value in document.get("env", {}).items()}}
        files = {name: pathlib.Path(folder, name) for name in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT")}
        files["GITHUB_STEP_SUMMARY"] = pathlib.Path(os.environ.get("GITHUB_STEP_SUMMARY", pathlib.Path(folder, "summary")))
        for file in files.values():
            file.touch()
        steps = github_steps(document, job)
        expressions.outputs = {step.get("id"): {} for step in steps}
        for step in steps:
            if "if" in step and not expressions.holds(step["if"]):
                continue
            print(f"+ {step['name']}", flush=True)
            script = pathlib.Path(folder, "script")
            script.write_text(step["run"])
            variables = {name: expressions.text(value) for name, value in step.get("env", {}).items()}
            of_step = {**environment, **variables, **{file: str(path) for file, path in files.items()}}
            status = subprocess.run([*GITHUB_SHELL, script], env=of_step).returncode
            expressions.outputs[step.get("id")] = dict(entries(files["GITHUB_OUTPUT"]))
            if status:
                return status
            environment.update(entries(files["GITHUB_ENV"]))
            for added in files["GITHUB_PATH"].read_text().splitlines():
                environment["PATH"] = f"{added}:{environment['PATH']}"
            for file in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT"):
                files[file].write_text("")
    return 0


def read(file, given):
    """The document; that of a component is the second, with its inputs filled in."""
    text = file.read_text(encoding="utf-8")
    first = next(yaml.safe_load_all(text))
    if "spec" not in first:
        return first
    inputs = inputs_of(first["spec"]["inputs"], given)
    filled = re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda match: inputs[match[1]], text)
    return list(yaml.safe_load_all(filled))[1]


def gitlab_job(document, name):
    job = document[name]
    base = document[job["extends"]] if "extends" in job else {}
    return {**base, **job, "variables": {**base.get("variables", {}), **job.get("variables", {})}}


def run_gitlab(document, name):
    job = gitlab_job(document, name)
    # The daemon is the one that is here, not the service's.
    environment = {"CI_PROJECT_DIR": os.getcwd(), "CI_JOB_NAME": name, **os.environ}
    for variable, value in job["variables"].items():
        if not variable.startswith("DOCKER_"):
            # Those of the project come before those of the file.
            environment.setdefault(variable, re.sub(r"\$(\w+)", lambda match: environment.get(match[1], ""), value))
    script = "\n".join([*job["before_script"], *job["script"]])
    return subprocess.run(["bash", "-eo", "pipefail"], input=script, text=True, env=environment).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scripts", type=pathlib.Path)
    parser.add_argument("--outputs", type=pathlib.Path)
    parser.add_argument("--input", action="append", default=[], type=lambda text: text.split("=", 1))
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("job")
    options = parser.parse_args()
    given = dict(options.input)
    document = read(options.file, given)
    github = "jobs" in document or "runs" in document
    if not options.scripts:
        return run_github(document, options.job, given, options.outputs) if github else run_gitlab(document, options.job)
    if github:
        scripts = [step["run"] for step in github_steps(document, options.job)]
    else:
        job = gitlab_job(document, options.job)
        scripts = ["\n".join([*job["before_script"], *job["script"]])]
    for number, text in enumerate(scripts):
        (options.scripts / f"{options.job}-{number}.sh").write_text(f"#!/bin/bash\nset -eo pipefail\n{text}")
    return 0


sys.exit(main())
