"""Trains a small residual network on synthetic images with automatic mixed precision.

Matrix products and convolutions run in fp16 or bf16 while the weights stay in fp32. fp16 has five exponent
bits, so small gradients vanish in it: its loss is scaled up before the backward pass. bf16 has the range of
fp32 and needs no scaling, but only GPUs of compute capability 8.0 or later compute in it.
"""

import argparse
import math
import sys
import time
from contextlib import AbstractContextManager

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

DTYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}


class ResidualBlock(nn.Module):
    def __init__(self, channels_in: int, channels_out: int, stride: int) -> None:
        super().__init__()
        self.convolution1 = nn.Conv2d(channels_in, channels_out, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels_out)
        self.convolution2 = nn.Conv2d(channels_out, channels_out, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels_out)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or channels_in != channels_out:
            self.shortcut = nn.Sequential(
                nn.Conv2d(channels_in, channels_out, 1, stride, bias=False), nn.BatchNorm2d(channels_out)
            )

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norm1(self.convolution1(x)))
        return F.relu(self.norm2(self.convolution2(y)) + self.shortcut(x))


class SmallResNet(nn.Sequential):
    """Three stages of two blocks; each stage halves the image and doubles the channels."""

    def __init__(self, classes: int, width: int) -> None:
        super().__init__(
            nn.Conv2d(3, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            ResidualBlock(width, width, 1),
            ResidualBlock(width, width, 1),
            ResidualBlock(width, 2 * width, 2),
            ResidualBlock(2 * width, 2 * width, 1),
            ResidualBlock(2 * width, 4 * width, 2),
            ResidualBlock(4 * width, 4 * width, 1),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Linear(4 * width, classes),
        )


def make_gratings(samples: int, size: int, classes: int, seed: int) -> TensorDataset:
    """Noisy colour images of stripes; the class of an image is the direction of its stripes."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(classes, (samples,), generator=generator)
    angle = (labels * math.pi / classes).view(-1, 1, 1)
    phase = 2 * math.pi * torch.rand(samples, 3, 1, 1, generator=generator)
    frequency = 4 * math.pi * (1 + torch.rand(samples, 1, 1, generator=generator))
    y, x = torch.meshgrid(torch.linspace(0, 1, size), torch.linspace(0, 1, size), indexing="ij")
    distance = frequency * (x * torch.cos(angle) + y * torch.sin(angle))
    images = torch.sin(distance.unsqueeze(1) + phase)
    images += 0.5 * torch.randn(images.shape, generator=generator)
    return TensorDataset(images, labels)


def choose_dtype(name: str, device: torch.device) -> torch.dtype:
    """The dtype of that name, or for "auto" the best of the device; ValueError where it cannot be used."""
    computes_bf16 = device.type == "cpu" or torch.cuda.get_device_capability(device) >= (8, 0)
    if name == "auto":
        if device.type == "cpu":
            return torch.float32
        return torch.bfloat16 if computes_bf16 else torch.float16
    if name == "bf16" and not computes_bf16:
        raise ValueError(f"{torch.cuda.get_device_name(device)} does not compute in bf16: take fp16")
    if name == "fp16" and device.type == "cpu":
        raise ValueError("fp16 training needs a GPU: take bf16 or fp32")
    return DTYPES[name]


class Trainer:
    def __init__(
        self, model: nn.Module, device: torch.device, dtype: torch.dtype, learning_rate: float
    ) -> None:
        self.model = model.to(device, memory_format=torch.channels_last)
        self.device = device
        self.dtype = dtype
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=learning_rate)
        self.scaler = torch.amp.GradScaler(device.type, enabled=dtype == torch.float16)

    def autocast(self) -> AbstractContextManager[None]:
        return torch.amp.autocast(self.device.type, self.dtype, enabled=self.dtype != torch.float32)

    def to_device(self, images: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        images = images.to(self.device, memory_format=torch.channels_last, non_blocking=True)
        return images, labels.to(self.device, non_blocking=True)

    def train_epoch(self, loader: DataLoader[tuple[Tensor, ...]]) -> float:
        """One pass over the data; the mean loss."""
        self.model.train()
        total = torch.zeros((), device=self.device)
        for batch in loader:
            images, labels = self.to_device(*batch)
            with self.autocast():
                loss = F.cross_entropy(self.model(images), labels)
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)  # clipping has to see the gradients as they are
            nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=1.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            total += loss.detach()  # stays on the device: reading it here would wait for every step
        return total.item() / len(loader)

    @torch.no_grad()
    def accuracy(self, loader: DataLoader[tuple[Tensor, ...]]) -> float:
        self.model.eval()
        correct = torch.zeros((), device=self.device)
        count = 0
        for batch in loader:
            images, labels = self.to_device(*batch)
            with self.autocast():
                predicted = self.model(images).argmax(dim=1)
            correct += (predicted == labels).sum()
            count += len(labels)
        return correct.item() / count


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Mixed-precision training of a small residual network.")
    parser.add_argument(
        "--dtype", choices=["auto", *DTYPES], default="auto", help="what autocast computes in"
    )
    parser.add_argument(
        "--device", choices=["cuda", "cpu"], default="cuda" if torch.cuda.is_available() else "cpu"
    )
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--samples", type=int, default=20_000, help="training images in an epoch")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--size", type=int, default=32, help="height and width of an image")
    parser.add_argument("--width", type=int, default=32, help="channels of the first stage")
    parser.add_argument("--classes", type=int, default=12)
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.samples < arguments.batch:
        parser.error("--samples has to be at least --batch")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    device = torch.device(arguments.device)
    try:
        dtype = choose_dtype(arguments.dtype, device)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    torch.manual_seed(arguments.seed)

    pinned = device.type == "cuda"
    training = make_gratings(arguments.samples, arguments.size, arguments.classes, arguments.seed)
    unseen = make_gratings(
        max(arguments.samples // 10, 1), arguments.size, arguments.classes, arguments.seed + 1
    )
    loader = DataLoader(training, arguments.batch, shuffle=True, drop_last=True, pin_memory=pinned)
    unseen_loader = DataLoader(unseen, arguments.batch, pin_memory=pinned)
    trainer = Trainer(SmallResNet(arguments.classes, arguments.width), device, dtype, arguments.learning_rate)

    name = torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"
    scaling = "with" if trainer.scaler.is_enabled() else "without"
    print(f"torch {torch.__version__} on {name}, {str(dtype).removeprefix('torch.')}, {scaling} loss scaling")
    for epoch in range(1, arguments.epochs + 1):
        start = time.perf_counter()
        loss = trainer.train_epoch(loader)
        rate = len(loader) * arguments.batch / (time.perf_counter() - start)
        accuracy = trainer.accuracy(unseen_loader)
        progress = f"epoch {epoch}/{arguments.epochs}"
        print(f"{progress}  loss {loss:.4f}  accuracy {accuracy:.1%}  {rate:,.0f} samples/s")
        if not math.isfinite(loss):
            print("error: the loss is no longer finite", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
