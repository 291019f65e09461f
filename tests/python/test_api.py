"""The Python package, as it was installed: every result and every exception of its API. Run by scripts/checks/wheel.sh."""

import copy
import doctest
import inspect
import json
import os
import pathlib
import pickle
import re
import signal
import stat
import subprocess
import sys
import tempfile
import types
import typing
import unittest
from unittest import mock

import envgen

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = REPOSITORY / "schema" / "envgen.schema.json"


class Resolve(unittest.TestCase):
    def test_an_environment(self):
        found = envgen.resolve(torch="2.3", cuda="12.1", gpus=["4090"])
        self.assertEqual((found.torch, found.cuda, found.cudnn, found.tensorflow), ("2.3.1", "12.1", "8.9.2.26", None))
        self.assertEqual((found.python, found.os, found.driver_minimum), ("3.10", "ubuntu22.04", "525.60.13"))
        self.assertEqual(found.install[-1][:3], ("pip", "install", "torch==2.3.1"))
        self.assertIn("python", [reason["field"] for reason in found.reasons])

    def test_a_cpu_build(self):
        found = envgen.resolve(torch="2.6", cuda="cpu")
        self.assertEqual((found.cuda, found.cudnn, found.driver_minimum), (None, None, None))

    def test_a_windows_driver_is_what_the_tool_says(self):
        for gpu, driver in (("5090", None), ("P100", None), ("5090", "572.16")):
            found = envgen.resolve(gpus=[gpu], wsl=True, driver=driver)
            options = ["--driver", driver] if driver else []
            said = subprocess.run([envgen.program(), "resolve", "--wsl", "--gpu", gpu, *options], capture_output=True, text=True).stdout
            self.assertIn(f", Windows driver {found.windows_driver}", " ".join(said.split("\n\n")[0].split()))
            self.assertEqual((found.driver_minimum, found.driver_last_branch), (None, None))
        self.assertIsNone(envgen.resolve(torch="2.3").windows_driver)

    def test_the_driver_of_one_machine_is_not_that_of_another(self):
        def windows(*hosts):
            return envgen.resolve(torch="2.3", wsl=True, hosts=hosts).windows_driver

        self.assertEqual(windows("gpu=4090,driver=576.10", "gpu=T4,driver=576.10"), "576.10")
        self.assertEqual(windows("gpu=4090,driver=576.10", "gpu=T4"), "525 or newer")
        self.assertEqual(windows("gpu=4090,driver=576.10", "gpu=T4,driver=552.22"), "525 or newer")
        self.assertEqual(windows("gpu=4090,driver=576.10", "gpu=P100,driver=552.22"), "525 to branch 580")
        self.assertEqual(windows("gpu=4090", "gpu=P100"), "525 to branch 580")

    def test_the_last_branch_of_a_driver(self):
        for gpus, last in ((["P100"], "580"), (["P100", "4090"], "580"), (["4090"], None)):
            found = envgen.resolve(torch="2.3", gpus=gpus)
            self.assertEqual((found.driver_minimum, found.driver_last_branch), ("525.60.13", last))
        apart = envgen.resolve(torch="1.10", gpus=["K80"])
        self.assertEqual(apart.driver_last_branch, "470")
        self.assertIsNone(envgen.resolve(torch="2.6", cuda="cpu").driver_last_branch)

    def test_environments_are_values(self):
        one, same = (envgen.resolve(torch="2.3", gpus=["4090"]) for _ in range(2))
        self.assertEqual({one, same}, {one})
        self.assertNotEqual(one, envgen.resolve(torch="2.6"))
        self.assertEqual(repr(one), "Environment(torch='2.3.1', cuda='12.1', python='3.10', os='ubuntu22.04')")
        for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one)):
            self.assertEqual((again, hash(again), again.install, again.reasons), (one, hash(one), one.install, one.reasons))

    def test_an_answer_cannot_be_changed(self):
        found = envgen.resolve(torch="2.3", gpus=["4090"])
        for part in (found.data, found.data["torch"], found.data["gpus"][0], found.reasons[0]):
            for change in (
                lambda: part.__setitem__("python", "9"),
                lambda: part.__delitem__(next(iter(part))),
                lambda: part.update(python="9"),
                lambda: part.setdefault("none", 1),
                part.clear,
                part.popitem,
                lambda: part.pop(next(iter(part))),
            ):
                with self.assertRaisesRegex(TypeError, "are read-only"):
                    change()
        for part in (found.install, found.install[0], found.warnings, found.data["gpus"]):
            self.assertIsInstance(part, tuple)
        self.assertEqual(json.loads(json.dumps(found.data))["python"], "3.10")
        self.assertEqual({**found.data, "python": "9"}["python"], "9")

    def test_a_proof(self):
        with self.assertRaises(envgen.NoEnvironment) as raised:
            envgen.resolve(torch="2.3", gpus=["5090"])
        refusal = raised.exception
        self.assertEqual(refusal.proof[-1], "So torch 2.3 and gpu 5090 are incompatible.")
        self.assertIn(refusal.proof[0], str(refusal))
        self.assertEqual(refusal.nearest[0].changes[0]["to"], "2.7.1")
        self.assertEqual(refusal.nearest[0].environment.torch, "2.7.1")
        self.assertEqual([change["to"] for change in refusal.nearest[1].changes], [None])

    def test_a_nearest_environment_can_be_asked_for(self):
        for request in (
            {"torch": "2.3", "gpus": ["5090"]},
            {"torch": "2.3", "hosts": [{"gpus": ["B200"], "driver": "535"}, {"gpus": ["T4"]}]},
            {"torch": "2.3", "gpus": ["5090", "T4"], "wsl": True, "python": "3.13", "ptx": True},
            {"torch": "99.0", "variant": "devel"},
        ):
            with self.assertRaises(envgen.EnvgenError) as raised:
                envgen.resolve(**request)
            for nearest in raised.exception.nearest:
                found = envgen.resolve(**nearest.request)
                self.assertEqual(found, nearest.environment)
                self.assertTrue(found.install)
                self.assertEqual(nearest.environment.install, ())
            self.assertEqual(len(set(raised.exception.nearest)), len(raised.exception.nearest))

    def test_no_project_file_is_spoken_of(self):
        self.assertNotIn("project file", str(envgen.resolve(torch="2.3", os="ubuntu22.04").reasons))
        with self.assertRaises(envgen.NoEnvironment) as raised:
            envgen.resolve(torch="2.3", gpus=["5090"])
        self.assertEqual({value["origin"] for value in raised.exception.data["values"]}, {"request"})

    def test_an_unknown_fact(self):
        with self.assertRaises(envgen.UnknownFact) as raised:
            envgen.resolve(torch="99.0")
        self.assertEqual(raised.exception.missing, ("torch 99.0",))
        self.assertTrue(raised.exception.nearest)

    def test_a_value_that_is_not_understood(self):
        with self.assertRaises(envgen.RequestError) as raised:
            envgen.resolve(torch="26")
        self.assertEqual(str(raised.exception), "torch: '26' is not a version of torch; did you mean 2.6?")
        self.assertEqual((raised.exception.origin, raised.exception.hints), ("/torch", ("did you mean 2.6?",)))

    def test_refusals_cross_processes(self):
        for request in ({"torch": "26"}, {"torch": "2.3", "gpus": ["5090"]}, {"torch": "99.0"}):
            with self.assertRaises(envgen.EnvgenError) as raised:
                envgen.resolve(**request)
            again = pickle.loads(pickle.dumps(raised.exception))
            self.assertEqual((type(again), str(again)), (type(raised.exception), str(raised.exception)))

    def test_what_is_no_json_is_refused(self):
        wrong = [("torch", value) for value in (float("nan"), b"2.3", "\ud800", "", False, 2.3, ())]
        for field, value in [*wrong, ("gpus", 4090), ("gpus", b"4090"), ("gpus", {"4090": 1}), ("hosts", 1), ("wsl", 1)]:
            with self.subTest(field=field, value=value), self.assertRaises(envgen.RequestError) as raised:
                envgen.resolve(**{field: value})
            self.assertEqual(raised.exception.origin, f"/{field}")

    def test_any_collection_is_a_list(self):
        for gpus in (["4090"], {"4090"}, ("4090",), {"4090": 1}.keys(), (gpu for gpu in ["4090"])):
            self.assertEqual(envgen.resolve(torch="2.3", gpus=gpus).data["gpus"][0]["name"], "GeForce RTX 4090")
        self.assertEqual(envgen.resolve(torch="2.3", gpus=None), envgen.resolve(torch="2.3", gpus=[]))

    def test_one_of_a_list_needs_no_list(self):
        for request in ({"gpus": "4090"}, {"hosts": "gpu=4090"}, {"hosts": {"gpus": ["4090"]}}, {"hosts": types.MappingProxyType({"gpus": ["4090"]})}):
            (many,) = envgen.resolve_many([request])
            for found in (envgen.resolve(**request), many):
                self.assertEqual([gpu["name"] for gpu in found.data["gpus"]], ["GeForce RTX 4090"])
        with self.assertRaises(envgen.RequestError) as raised:
            envgen.resolve(gpus="4099")
        self.assertEqual(raised.exception.origin, "/gpus/0")

    def test_a_program_that_is_missing_is_an_error_of_envgen(self):
        with mock.patch.object(envgen, "program", return_value="/nonexistent/envgen"):
            with self.assertRaisesRegex(envgen.EnvgenError, "^envgen cannot be started: "):
                envgen.resolve(torch="2.3")

    def test_a_program_that_answers_nonsense_or_dies_is_an_error_of_envgen(self):
        said = {
            "echo '{}'": "^the program's answer is not one of envgen's: {}$",
            "echo 3": "not one of envgen's: 3$",
            'echo \'{"environment": {}}\'': "not one of envgen's",
            'echo \'{"error": 1}\'': "not one of envgen's",
            "kill -9 $$": "^envgen was ended by SIGKILL$",
            f"kill -{signal.SIGRTMIN + 3} $$": f"^envgen was ended by signal {signal.SIGRTMIN + 3}$",
            "exit 7": "^envgen ended with exit status 7$",
            "echo no memory >&2; exit 1": "^no memory$",
        }
        with tempfile.TemporaryDirectory() as folder:
            for script, message in said.items():
                program = pathlib.Path(folder) / "program"
                program.write_text(f"#!/bin/sh\ncat >/dev/null\n{script}\n")
                program.chmod(stat.S_IRWXU)
                with self.subTest(script), mock.patch.object(envgen, "program", return_value=str(program)):
                    with self.assertRaisesRegex(envgen.EnvgenError, message):
                        envgen.resolve(torch="2.3")

    def test_the_variable_of_other_facts_is_named_where_it_is_wrong(self):
        with mock.patch.dict(os.environ, {"ENVGEN_MATRIX": "/nonexistent"}):
            os.environ.pop("ENVGEN_BUILT_IN", None)
            with self.assertRaisesRegex(envgen.EnvgenError, "/nonexistent: no such folder\n  the environment variable ENVGEN_MATRIX names this folder$"):
                envgen.resolve(torch="2.3")

    def test_many(self):
        results = envgen.resolve_many([{"torch": "2.3"}, {"torch": "26"}, {"torch": "2.3", "gpus": ["5090"]}])
        self.assertEqual([type(one).__name__ for one in results], ["Environment", "RequestError", "NoEnvironment"])
        self.assertEqual(envgen.resolve_many([]), [])

    def test_a_bad_one_of_many_stands_alone(self):
        bad = [{"torch": b"2.3"}, {"torch": float("nan")}, {"nosuchfield": 1}, {1: 2}, 1, None, [["torch", "2.3"]], object()]
        *refused, last = envgen.resolve_many([*bad, types.MappingProxyType({"torch": "2.3"})])
        self.assertEqual([type(one) for one in refused], [envgen.RequestError] * len(bad))
        self.assertEqual(refused[0].origin, "/torch")
        self.assertEqual(last.torch, "2.3.1")

    def test_what_a_bad_one_of_many_raises_stands_alone(self):
        deep = []
        for _ in range(100000):
            deep = [deep]

        def broken():
            yield "4090"
            raise KeyError("gpu")

        class Broken(dict):
            def items(self):
                raise OSError("gone")

        deepest, generator, mapping, last = envgen.resolve_many([{"gpus": deep}, {"gpus": broken()}, Broken(torch="2.3"), {"torch": "2.3"}])
        self.assertRegex(str(deepest), "^gpus: RecursionError: ")
        self.assertEqual(str(generator), "gpus: KeyError: 'gpu'")
        self.assertEqual(str(mapping), "OSError: gone")
        self.assertEqual({type(one) for one in (deepest, generator, mapping)}, {envgen.RequestError})
        self.assertEqual(last.torch, "2.3.1")

    def test_every_field_of_a_request_is_a_parameter(self):
        fields = json.loads(SCHEMA.read_text(encoding="utf-8"))["properties"]["request"]["properties"]
        self.assertEqual(set(inspect.signature(envgen.resolve).parameters), set(fields) - {"preset"})
        types_of = typing.get_type_hints(envgen.resolve)
        for name, field in fields.items():
            if "enum" in field:
                literal, _ = typing.get_args(types_of[name])
                self.assertEqual(list(typing.get_args(literal)), field["enum"])


class Package(unittest.TestCase):
    def test_has_its_version_and_its_types(self):
        self.assertRegex(envgen.__version__, r"^\d+\.\d+\.\d+")
        self.assertIn("return", typing.get_type_hints(envgen.resolve_many))


class Documentation(unittest.TestCase):
    def test_examples_print_what_they_say(self):
        page = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
        examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
        self.assertGreater(examples.count(">>>"), 10)
        test = doctest.DocTestParser().get_doctest(examples, {}, "docs/python.md", None, 0)
        said = []
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
        self.assertFalse(said, "".join(said))

    def test_every_parameter_and_member_is_on_the_page(self):
        page = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
        members = [name for name in vars(envgen.Environment) if not name.startswith("_")] + list(envgen.Environment.__dataclass_fields__)
        for name in [*inspect.signature(envgen.resolve).parameters, *members, *envgen.Nearest.__dataclass_fields__]:
            self.assertIn(name, re.findall(r"\w+", page))


class Program(unittest.TestCase):
    def test_is_that_of_this_environment(self):
        self.assertIn(pathlib.Path(sys.prefix), pathlib.Path(envgen.program()).parents)

    def test_is_a_module_too(self):
        run = subprocess.run([sys.executable, "-m", "envgen", "resolve", "--torch", "2.3", "--gpu", "5090"], capture_output=True)
        self.assertEqual(run.returncode, 3)


if __name__ == "__main__":
    unittest.main()
