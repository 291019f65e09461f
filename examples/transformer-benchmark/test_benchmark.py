"""The formulas against what torch counts, the models against their published sizes; nothing is allocated."""

import unittest
from functools import cache

import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmark import MODELS, Transformer, forward_flop

# GPT-2's are exact. BERT's, with its masked-token head, lack the 2 x hidden weights of the segment embedding.
PARAMETERS = {
    "bert-base": 109_514_298 - 2 * 768,
    "bert-large": 335_174_458 - 2 * 1024,
    "gpt2": 124_439_808,
    "gpt2-medium": 354_823_168,
}


@cache
def on_meta(name: str) -> Transformer:
    with torch.device("meta"):
        return Transformer(MODELS[name]).eval()


class Benchmark(unittest.TestCase):
    def test_formulas_equal_what_torch_counts(self) -> None:
        for name, shape in MODELS.items():
            with self.subTest(name):
                tokens = torch.zeros(3, 96, dtype=torch.long, device="meta")
                with FlopCounterMode(display=False) as counter:
                    on_meta(name)(tokens)
                self.assertEqual(forward_flop(shape, 3, 96), counter.get_total_flops())

    def test_sizes(self) -> None:
        for name, expected in PARAMETERS.items():
            with self.subTest(name):
                self.assertEqual(sum(parameter.numel() for parameter in on_meta(name).parameters()), expected)


if __name__ == "__main__":
    unittest.main()
