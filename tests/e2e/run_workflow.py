"""Runs one job of a workflow, or writes its scripts: what GitHub or GitLab would do of it, as far as envgen's workflows use it.

usage: run_workflow.py [--scripts FOLDER] FILE JOB     in the folder of the project; exit status of the job

A step that uses an action is left out: the project is there, nothing is in the cache, and the report stays. The variables of a
project (vars) and its secrets are those of the environment. With --scripts nothing runs; each script is written into the folder.
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


def expressed(text):
    """A value of GitHub's, with its expressions."""
    def value(match):
        return os.environ.get(match[2], "")

    done = re.sub(r"\$\{\{ (vars|secrets)\.(\w+) \}\}", value, str(text))
    assert "${{" not in done, f"not known here: {text}"
    return done


def entries(file):
    return [line.split("=", 1) for line in file.read_text().splitlines()]


def github_scripts(document, job):
    for step in document["jobs"][job]["steps"]:
        if "run" in step:
            assert "if" not in step, step
            yield step["name"], step["run"], {name: expressed(value) for name, value in step.get("env", {}).items()}


def run_github(document, job):
    environment = {**os.environ, **{name: expressed(value) for name, value in document["env"].items()}}
    with tempfile.TemporaryDirectory() as folder:
        files = {name: pathlib.Path(folder, name) for name in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        for name, text, variables in github_scripts(document, job):
            print(f"+ {name}", flush=True)
            script = pathlib.Path(folder, "script")
            script.write_text(text)
            of_step = {**environment, **variables, **{file: str(path) for file, path in files.items()}}
            status = subprocess.run([*GITHUB_SHELL, script], env=of_step).returncode
            if status:
                return status
            environment.update(entries(files["GITHUB_ENV"]))
            for added in files["GITHUB_PATH"].read_text().splitlines():
                environment["PATH"] = f"{added}:{environment['PATH']}"
            for file in ("GITHUB_ENV", "GITHUB_PATH"):
                files[file].write_text("")
    return 0


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
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("job")
    given = parser.parse_args()
    document = yaml.safe_load(given.file.read_text(encoding="utf-8"))
    github = "jobs" in document
    if not given.scripts:
        return (run_github if github else run_gitlab)(document, given.job)
    if github:
        scripts = [text for _, text, _ in github_scripts(document, given.job)]
    else:
        job = gitlab_job(document, given.job)
        scripts = ["\n".join([*job["before_script"], *job["script"]])]
    for number, text in enumerate(scripts):
        (given.scripts / f"{given.job}-{number}.sh").write_text(f"#!/bin/bash\nset -eo pipefail\n{text}")
    return 0


sys.exit(main())
