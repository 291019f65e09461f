"""The Python package, as it was installed: every result and every exception of its API. Run by scripts/checks/wheel.sh."""

import inspect
import json
import pathlib
import pickle
import subprocess
import sys
import types
import typing
import unittest
from unittest import mock

import envgen

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "schema" / "envgen.schema.json"


class Resolve(unittest.TestCase):
    def test_an_environment(self):
        found = envgen.resolve(torch="2.3", cuda="12.1", gpus=["4090"])
        self.assertEqual((found.torch, found.cuda, found.cudnn, found.tensorflow), ("2.3.1", "12.1", "8.9.2.26", None))
        self.assertEqual((found.python, found.os, found.driver_minimum), ("3.10", "ubuntu22.04", "525.60.13"))
        self.assertEqual(found.install[-1][:3], ["pip", "install", "torch==2.3.1"])
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
            self.assertIsNone(found.driver_minimum)
        self.assertIsNone(envgen.resolve(torch="2.3").windows_driver)

    def test_environments_are_values(self):
        one, same = (envgen.resolve(torch="2.3", gpus=["4090"]) for _ in range(2))
        self.assertEqual({one, same}, {one})
        self.assertNotEqual(one, envgen.resolve(torch="2.6"))
        self.assertEqual(repr(one), "Environment(torch='2.3.1', cuda='12.1', python='3.10', os='ubuntu22.04')")

    def test_a_proof(self):
        with self.assertRaises(envgen.NoEnvironment) as raised:
            envgen.resolve(torch="2.3", gpus=["5090"])
        refusal = raised.exception
        self.assertEqual(refusal.proof[-1], "So torch 2.3 and gpu 5090 are incompatible.")
        self.assertIn(refusal.proof[0], str(refusal))
        self.assertEqual(refusal.nearest[0].changes[0]["to"], "2.7.1")
        self.assertEqual(refusal.nearest[0].environment.torch, "2.7.1")

    def test_an_unknown_fact(self):
        with self.assertRaises(envgen.UnknownFact) as raised:
            envgen.resolve(torch="99.0")
        self.assertEqual(raised.exception.missing, ["torch 99.0"])
        self.assertTrue(raised.exception.nearest)

    def test_a_value_that_is_not_understood(self):
        with self.assertRaises(envgen.RequestError) as raised:
            envgen.resolve(torch="26")
        self.assertEqual(str(raised.exception), "torch: '26' is not a version of torch; did you mean 2.6?")
        self.assertEqual((raised.exception.origin, raised.exception.hints), ("/torch", ["did you mean 2.6?"]))

    def test_refusals_cross_processes(self):
        for request in ({"torch": "26"}, {"torch": "2.3", "gpus": ["5090"]}, {"torch": "99.0"}):
            with self.assertRaises(envgen.EnvgenError) as raised:
                envgen.resolve(**request)
            again = pickle.loads(pickle.dumps(raised.exception))
            self.assertEqual((type(again), str(again)), (type(raised.exception), str(raised.exception)))

    def test_what_is_no_json_is_refused(self):
        wrong = [("torch", value) for value in (float("nan"), b"2.3", "\ud800", "", False, 2.3, ())]
        for field, value in [*wrong, ("gpus", 4090), ("gpus", "4090"), ("gpus", b"4090"), ("gpus", {"4090": 1}), ("hosts", 1), ("wsl", 1)]:
            with self.subTest(field=field, value=value), self.assertRaises(envgen.RequestError) as raised:
                envgen.resolve(**{field: value})
            self.assertEqual(raised.exception.origin, f"/{field}")

    def test_any_collection_is_a_list(self):
        for gpus in (["4090"], {"4090"}, ("4090",), {"4090": 1}.keys(), (gpu for gpu in ["4090"])):
            self.assertEqual(envgen.resolve(torch="2.3", gpus=gpus).data["gpus"][0]["name"], "GeForce RTX 4090")
        self.assertEqual(envgen.resolve(torch="2.3", gpus=None), envgen.resolve(torch="2.3", gpus=[]))

    def test_a_program_that_is_missing_is_an_error_of_envgen(self):
        with mock.patch.object(envgen, "program", return_value="/nonexistent/envgen"):
            with self.assertRaisesRegex(envgen.EnvgenError, "^envgen cannot be started: "):
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


class Program(unittest.TestCase):
    def test_is_that_of_this_environment(self):
        self.assertTrue(pathlib.Path(envgen.program()).is_relative_to(sys.prefix))

    def test_is_a_module_too(self):
        run = subprocess.run([sys.executable, "-m", "envgen", "resolve", "--torch", "2.3", "--gpu", "5090"], capture_output=True)
        self.assertEqual(run.returncode, 3)


if __name__ == "__main__":
    unittest.main()
