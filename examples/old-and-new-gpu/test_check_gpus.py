"""Which code a GPU is given, without a GPU."""

import unittest

from check_gpus import Capability, code_for

TORCH_2_10_CUDA_12_8 = ["sm_70", "sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"]
TORCH_2_3_CUDA_12_1 = ["sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"]
TORCH_2_7_CUDA_12_8 = ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120", "compute_120"]


class CodeFor(unittest.TestCase):
    def expect(self, capability: Capability, architectures: list[str], code: str | None) -> None:
        with self.subTest(capability=capability, architectures=architectures):
            self.assertEqual(code_for(capability, architectures), code)

    def test_its_own_machine_code(self) -> None:
        self.expect((7, 0), TORCH_2_10_CUDA_12_8, "sm_70")
        self.expect((10, 0), TORCH_2_10_CUDA_12_8, "sm_100")

    def test_machine_code_of_an_earlier_minor(self) -> None:
        self.expect((8, 9), TORCH_2_10_CUDA_12_8, "sm_86")
        self.expect((10, 3), TORCH_2_10_CUDA_12_8, "sm_100")

    def test_no_code(self) -> None:
        self.expect((12, 0), TORCH_2_3_CUDA_12_1, None)  # too new
        self.expect((7, 0), TORCH_2_7_CUDA_12_8, None)  # too old: 2.7 left Volta out
        self.expect((7, 0), ["sm_72"], None)
        self.expect((8, 0), [], None)

    def test_ptx_serves_what_came_later(self) -> None:
        self.expect((13, 0), TORCH_2_7_CUDA_12_8, "compute_120")
        self.expect((12, 1), TORCH_2_7_CUDA_12_8, "sm_120")
        self.expect((9, 0), ["compute_70", "compute_80"], "compute_80")

    def test_suffixes(self) -> None:
        self.expect((9, 0), ["sm_80", "sm_90a"], "sm_90a")
        self.expect((10, 3), ["sm_100a"], None)
        self.expect((10, 3), ["sm_100f"], "sm_100f")
        self.expect((12, 0), ["compute_90a"], None)
        self.expect((12, 0), ["compute_100f"], None)

    def test_names_of_other_makers(self) -> None:
        self.expect((9, 0), ["gfx90a", "gfx942"], None)


if __name__ == "__main__":
    unittest.main()
