"""Times training steps of transformers of the sizes of BERT and GPT-2: samples/s, tokens/s and TFLOPS.

TFLOPS counts matrix products alone, by these formulas (b: batch, s: sequence, h: hidden size, V: vocabulary):

    product of (m, k) and (k, n)   2 m k n
    feed-forward block             16 b s h^2              (h to 4h and back)
    attention                      8 b s h^2 + 4 b s^2 h   (four projections; scores and their weighted sum)
    layer                          feed-forward block + attention
    head                           2 b s h V, for BERT also 2 b s h^2 of its transform
    backward                       2 x forward
    TFLOPS                         3 x forward / (10^12 x seconds)

A causal model is counted with the whole s x s attention, as most published figures are. The seconds are those
of a whole step: forward, loss, backward and optimizer. Weights and tokens are random, for products of zeros
run faster.
"""

import argparse
import json
import math
import sys
import time
from dataclasses import asdict, dataclass
from statistics import quantiles

import torch
from torch import Tensor, nn
from torch.nn import functional as F

DTYPES = {"fp32": torch.float32, "tf32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
DROPOUT = 0.1
MASK_TOKEN = 103
MASKED_SHARE = 0.15
NO_LABEL = -100  # cross_entropy leaves these positions out


@dataclass(frozen=True)
class Shape:
    layers: int
    hidden: int
    heads: int
    vocabulary: int
    positions: int
    causal: (
        bool  # GPT-2: norm before each block, predicts the next token. BERT: norm after, the masked tokens
    )


MODELS = {
    "bert-base": Shape(12, 768, 12, vocabulary=30522, positions=512, causal=False),
    "bert-large": Shape(24, 1024, 16, vocabulary=30522, positions=512, causal=False),
    "gpt2": Shape(12, 768, 12, vocabulary=50257, positions=1024, causal=True),
    "gpt2-medium": Shape(24, 1024, 16, vocabulary=50257, positions=1024, causal=True),
    "tiny": Shape(2, 128, 2, vocabulary=1024, positions=512, causal=True),
}


class Attention(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.causal = shape.causal
        self.query_key_value = nn.Linear(shape.hidden, 3 * shape.hidden)
        self.output = nn.Linear(shape.hidden, shape.hidden)

    def forward(self, x: Tensor) -> Tensor:
        batch, sequence, hidden = x.shape
        projected = self.query_key_value(x).view(batch, sequence, 3, self.heads, hidden // self.heads)
        query, key, value = projected.permute(2, 0, 3, 1, 4)
        dropout = DROPOUT if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, dropout_p=dropout, is_causal=self.causal)
        return self.output(mixed.transpose(1, 2).reshape(batch, sequence, hidden))


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.normalises_first = shape.causal
        self.attention = Attention(shape)
        self.attention_norm = nn.LayerNorm(shape.hidden)
        self.feed_forward = nn.Sequential(
            nn.Linear(shape.hidden, 4 * shape.hidden),
            nn.GELU(approximate="tanh" if shape.causal else "none"),
            nn.Linear(4 * shape.hidden, shape.hidden),
        )
        self.feed_forward_norm = nn.LayerNorm(shape.hidden)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x: Tensor) -> Tensor:
        if self.normalises_first:
            x = x + self.dropout(self.attention(self.attention_norm(x)))
            return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        x = self.attention_norm(x + self.dropout(self.attention(x)))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))


class Transformer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.token = nn.Embedding(shape.vocabulary, shape.hidden)
        self.position = nn.Embedding(shape.positions, shape.hidden)
        norm = nn.LayerNorm(shape.hidden)
        self.embedding_norm = nn.Identity() if shape.causal else norm
        self.dropout = nn.Dropout(DROPOUT)
        self.layers = nn.Sequential(*(Layer(shape) for _ in range(shape.layers)))
        self.transform = norm if shape.causal else self.masked_token_transform(shape.hidden)
        self.head = nn.Linear(shape.hidden, shape.vocabulary, bias=not shape.causal)
        self.apply(self.initialise)
        self.head.weight = self.token.weight

    @staticmethod
    def masked_token_transform(hidden: int) -> nn.Module:
        return nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.LayerNorm(hidden))

    @staticmethod
    def initialise(module: nn.Module) -> None:
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, tokens: Tensor) -> Tensor:
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.dropout(self.embedding_norm(self.token(tokens) + self.position(positions)))
        return self.head(self.transform(self.layers(x)))


def make_batch(shape: Shape, batch: int, sequence: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Random tokens and their labels: the next token, or what stood where a token is masked."""
    tokens = torch.randint(shape.vocabulary, (batch, sequence + shape.causal), device=device)
    if shape.causal:
        return tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()
    masked = torch.rand(tokens.shape, device=device) < MASKED_SHARE
    masked[:, 0] = True  # a short batch, too, has something to predict
    return tokens.masked_fill(masked, MASK_TOKEN), tokens.masked_fill(~masked, NO_LABEL)


def forward_flop(shape: Shape, batch: int, sequence: int) -> int:
    """By the formulas of this file's head."""
    tokens, hidden = batch * sequence, shape.hidden
    feed_forward = 16 * tokens * hidden**2
    attention = 8 * tokens * hidden**2 + 4 * tokens * sequence * hidden
    transform = 0 if shape.causal else 2 * tokens * hidden**2
    return shape.layers * (feed_forward + attention) + transform + 2 * tokens * hidden * shape.vocabulary


class Stopwatch:
    """Seconds between laps, on the device's own clock: reading it does not make the GPU wait for the CPU."""

    def __init__(self, device: torch.device) -> None:
        self.on_gpu = device.type == "cuda"
        self.events: list[torch.cuda.Event] = []
        self.times: list[float] = []

    def lap(self) -> None:
        if self.on_gpu:
            event = torch.cuda.Event(enable_timing=True)
            event.record()
            self.events.append(event)
        else:
            self.times.append(time.perf_counter())

    def seconds(self) -> list[float]:
        if self.on_gpu:
            torch.cuda.synchronize()
            return [a.elapsed_time(b) / 1000 for a, b in zip(self.events, self.events[1:])]
        return [b - a for a, b in zip(self.times, self.times[1:])]


@dataclass(frozen=True)
class Result:
    model: str
    parameters: int
    batch: int
    sequence: int
    dtype: str
    compiled: bool
    device: str
    torch: str
    cuda: str | None
    steps: int
    loss: float
    milliseconds_p5: float
    milliseconds_median: float
    milliseconds_p95: float
    samples_per_second: float
    tokens_per_second: float
    tflops: float
    peak_memory_gib: float | None  # None on the CPU


def run(arguments: argparse.Namespace) -> Result:
    shape, device = MODELS[arguments.model], torch.device(arguments.device)
    on_gpu, dtype = device.type == "cuda", DTYPES[arguments.dtype]
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high" if arguments.dtype == "tf32" else "highest")
    model = Transformer(shape).to(device).train()
    step_model = torch.compile(model) if arguments.compile else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=on_gpu)
    scaler = torch.amp.GradScaler(device.type, enabled=dtype == torch.float16)
    tokens, labels = make_batch(shape, arguments.batch, arguments.seq, device)

    def step() -> Tensor:
        with torch.amp.autocast(device.type, dtype, enabled=dtype != torch.float32):
            logits = step_model(tokens)
            loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=NO_LABEL)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return loss.detach()

    for _ in range(arguments.warmup):
        step()
    stopwatch = Stopwatch(device)
    stopwatch.lap()
    for _ in range(arguments.steps):
        loss = step()
        stopwatch.lap()
    seconds = stopwatch.seconds()

    percentiles = quantiles(seconds, n=20, method="inclusive")
    p5, median, p95 = percentiles[0], percentiles[9], percentiles[18]
    flop = 3 * forward_flop(shape, arguments.batch, arguments.seq)
    return Result(
        model=arguments.model,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        batch=arguments.batch,
        sequence=arguments.seq,
        dtype=arguments.dtype,
        compiled=arguments.compile,
        device=torch.cuda.get_device_name(device) if on_gpu else "CPU",
        torch=torch.__version__,
        cuda=torch.version.cuda,
        steps=arguments.steps,
        loss=loss.item(),
        milliseconds_p5=1000 * p5,
        milliseconds_median=1000 * median,
        milliseconds_p95=1000 * p95,
        samples_per_second=arguments.batch / median,
        tokens_per_second=arguments.batch * arguments.seq / median,
        tflops=flop / (1e12 * median),
        peak_memory_gib=torch.cuda.max_memory_allocated(device) / 2**30 if on_gpu else None,
    )


def describe(result: Result) -> str:
    how = f"{result.dtype}, compiled" if result.compiled else result.dtype
    lines = [
        f"{result.model}, {result.parameters / 1e6:.1f} M parameters; {result.device}, torch {result.torch}",
        f"  batch {result.batch} x {result.sequence} tokens, {how}, {result.steps} steps",
        f"  step        {result.milliseconds_median:.2f} ms"
        f"  (5%: {result.milliseconds_p5:.2f}, 95%: {result.milliseconds_p95:.2f})",
        f"  samples/s   {result.samples_per_second:,.1f}",
        f"  tokens/s    {result.tokens_per_second:,.0f}",
        f"  TFLOPS      {result.tflops:.3g}",
        f"  loss        {result.loss:.4f}",
    ]
    if result.peak_memory_gib is not None:
        lines.append(f"  peak memory {result.peak_memory_gib:.2f} GiB")
    return "\n".join(lines)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Training steps of transformers, timed.")
    parser.add_argument("--model", choices=MODELS, default="bert-base")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--seq", type=int, default=128, help="tokens of a sample")
    parser.add_argument(
        "--dtype", choices=DTYPES, default="fp32", help="tf32 is fp32 with TF32 matrix products"
    )
    parser.add_argument("--steps", type=int, default=20, help="steps that are timed")
    parser.add_argument("--warmup", type=int, default=5, help="steps before them")
    parser.add_argument("--compile", action="store_true", help="torch.compile: needs a C++ compiler")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--device", choices=["cuda", "cpu"], default="cuda" if torch.cuda.is_available() else "cpu"
    )
    arguments = parser.parse_args()
    positions = MODELS[arguments.model].positions
    if not 1 <= arguments.seq <= positions:
        parser.error(f"--seq: {arguments.model} has 1 to {positions} positions")
    if arguments.batch < 1 or arguments.steps < 2 or arguments.warmup < 0:
        parser.error("--batch has to be at least 1, --steps 2, --warmup 0")
    if arguments.dtype in ("fp16", "tf32") and arguments.device == "cpu":
        parser.error(f"--dtype {arguments.dtype} needs a GPU")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    try:
        result = run(arguments)
    except torch.cuda.OutOfMemoryError:
        print(f"error: out of GPU memory: take a --batch below {arguments.batch}", file=sys.stderr)
        return 1
    print(json.dumps(asdict(result), indent=2) if arguments.json else describe(result))
    if not math.isfinite(result.loss):
        print("error: the loss is not finite, so the figures count for nothing", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
