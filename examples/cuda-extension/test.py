"""Compares fused_bias_gelu with torch on every device that it was built for."""

import unittest
from itertools import product

import torch
from torch.nn import functional as F

from fused_bias_gelu import bias_gelu

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
SHAPES = [(1,), (7, 3), (128, 1024), (2, 33, 257), (0, 16), (4, 0)]


def built_devices() -> list[str]:
    if torch.cuda.is_available():
        try:
            bias_gelu(torch.zeros(1, device="cuda"), torch.zeros(1, device="cuda"))
        except NotImplementedError:  # built without nvcc
            return ["cpu"]
        return ["cpu", "cuda"]
    return ["cpu"]


DEVICES = built_devices()


class BiasGelu(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(0)

    def test_equals_torch(self) -> None:
        for device, dtype, shape in product(DEVICES, DTYPES, SHAPES):
            with self.subTest(device=device, dtype=dtype, shape=shape):
                input = 3 * torch.randn(shape, device=device, dtype=dtype)
                bias = torch.randn(shape[-1], device=device, dtype=dtype)
                # The kernel rounds once, at its end, so the reference may round no earlier.
                exact = torch.float64 if dtype == torch.float64 else torch.float32
                expected = F.gelu(input.to(exact) + bias.to(exact)).to(dtype)
                torch.testing.assert_close(bias_gelu(input, bias), expected)

    def test_takes_strided_tensors(self) -> None:
        for device in DEVICES:
            with self.subTest(device=device):
                input = torch.randn(64, 32, device=device).t()
                bias = torch.randn(128, device=device)[::2]
                torch.testing.assert_close(bias_gelu(input, bias), F.gelu(input + bias))

    def test_gradients(self) -> None:
        for device, shape in product(DEVICES, [(5,), (3, 4, 5)]):
            with self.subTest(device=device, shape=shape):
                input = torch.randn(shape, device=device, dtype=torch.float64, requires_grad=True)
                bias = torch.randn(5, device=device, dtype=torch.float64, requires_grad=True)
                self.assertTrue(torch.autograd.gradcheck(bias_gelu, (input, bias)))

    def test_is_a_well_behaved_operator(self) -> None:
        for device in DEVICES:
            with self.subTest(device=device):
                input = torch.randn(6, 8, device=device, requires_grad=True)
                bias = torch.randn(8, device=device, requires_grad=True)
                torch.library.opcheck(torch.ops.fused_bias_gelu.bias_gelu.default, (input, bias))

    def test_refuses_what_does_not_fit(self) -> None:
        cases = {
            "last dimension": (torch.randn(4, 3), torch.randn(4)),
            "one dimension": (torch.randn(4, 3), torch.randn(1, 3)),
            "bias is": (torch.randn(4, 3), torch.randn(3, dtype=torch.float64)),
        }
        for message, arguments in cases.items():
            with self.subTest(message), self.assertRaisesRegex(RuntimeError, message):
                bias_gelu(*arguments)


if __name__ == "__main__":
    print(f"torch {torch.__version__}, fused_bias_gelu on {' and '.join(DEVICES)}")
    unittest.main(verbosity=2)
