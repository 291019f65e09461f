"""gelu(input + bias) in one pass over memory, with gradients and torch.compile."""

from importlib.util import find_spec
from typing import Any

import torch
from torch import Tensor

_library = find_spec(f"{__name__}._C")
if _library is None or _library.origin is None:
    raise ImportError("fused_bias_gelu is not built: pip install --no-build-isolation .")
torch.ops.load_library(_library.origin)


def bias_gelu(input: Tensor, bias: Tensor) -> Tensor:
    """The exact GELU of input + bias, where bias belongs to the last dimension of input."""
    return torch.ops.fused_bias_gelu.bias_gelu(input, bias)


@torch.library.register_fake("fused_bias_gelu::bias_gelu")
def _(input: Tensor, bias: Tensor) -> Tensor:
    return torch.empty_like(input, memory_format=torch.contiguous_format)


def _setup_context(ctx: Any, inputs: tuple[Tensor, Tensor], output: Tensor) -> None:
    ctx.save_for_backward(*inputs)


def _backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
    input, bias = ctx.saved_tensors
    # input + bias is computed again: to keep it would cost the memory that the fusion saves.
    gradient_input = torch.ops.aten.gelu_backward(gradient, input + bias)
    return gradient_input, gradient_input.sum_to_size(bias.shape)


torch.library.register_autograd("fused_bias_gelu::bias_gelu", _backward, setup_context=_setup_context)
