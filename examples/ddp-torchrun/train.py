"""Distils a random teacher network into a smaller student on several processes, by DistributedDataParallel.

torchrun starts the processes and tells each its rank. Every process takes its share of the samples and its
GPU (or the CPU, where there is none), DDP averages the gradients, and so all of them must end with the same
weights, bit for bit: that is checked.
"""

import argparse
import os
import sys
import time

import torch
import torch.distributed as dist

# Before the group is made: defaults in this module keep the group that exists when it is imported (by DDP, at the
# latest), and then gloo's threads outlive destroy_process_group and can abort the process as Python exits
# (pytorch/pytorch#190489).
import torch.distributed.nn.functional
from torch import Tensor, nn
from torch.distributed.elastic.multiprocessing.errors import record
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

INPUTS = 64
OUTPUTS = 8


def make_mlp(hidden: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(INPUTS, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, OUTPUTS)
    )


@torch.no_grad()
def make_dataset(samples: int, seed: int) -> TensorDataset:
    """Random inputs and what the teacher answers to them, standardised; the same on every rank."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        teacher = make_mlp(hidden=512)
        inputs = torch.randn(samples, INPUTS)
        outputs = teacher(inputs)
    return TensorDataset(inputs, (outputs - outputs.mean(0)) / outputs.std(0))


def join_group() -> torch.device:
    """Joins the processes that torchrun started; the device of this one."""
    if not dist.is_torchelastic_launched():
        sys.exit("error: start this by torchrun: torchrun --standalone --nproc-per-node=2 train.py")
    if not torch.cuda.is_available():
        dist.init_process_group("gloo")
        return torch.device("cpu")
    local_rank = int(os.environ["LOCAL_RANK"])
    processes, gpus = int(os.environ["LOCAL_WORLD_SIZE"]), torch.cuda.device_count()
    if processes > gpus:
        sys.exit(
            f"error: {processes} processes for {gpus} GPU(s): NCCL wants one each: --nproc-per-node={gpus}"
        )
    device = torch.device("cuda", local_rank)
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    return device


def mean_over_ranks(value: Tensor) -> float:
    total = value.clone()
    dist.all_reduce(total)
    return total.item() / dist.get_world_size()


def equal_on_all_ranks(model: nn.Module, device: torch.device) -> bool:
    """Whether every rank has the weights of rank 0, bit for bit."""
    own = nn.utils.parameters_to_vector(model.parameters()).detach()
    expected = own.clone()
    dist.broadcast(expected, src=0)
    equal = torch.tensor(int(torch.equal(own, expected)), device=device)
    dist.all_reduce(equal, dist.ReduceOp.MIN)
    return bool(equal.item())


def train(arguments: argparse.Namespace, device: torch.device) -> bool:
    """Trains and reports on rank 0; whether the ranks ended with equal weights."""
    rank, ranks = dist.get_rank(), dist.get_world_size()

    def report(line: str) -> None:
        if rank == 0:
            print(line, flush=True)

    dataset = make_dataset(arguments.samples, arguments.seed)
    sampler: DistributedSampler[tuple[Tensor, ...]] = DistributedSampler(
        dataset, seed=arguments.seed, drop_last=True
    )
    loader = DataLoader(
        dataset, arguments.batch, sampler=sampler, drop_last=True, pin_memory=device.type == "cuda"
    )
    torch.manual_seed(arguments.seed + rank)  # apart at first: DDP gives every rank the weights of rank 0
    student = make_mlp(arguments.hidden).to(device)
    model = DistributedDataParallel(student, device_ids=[device.index] if device.type == "cuda" else None)
    optimizer = torch.optim.AdamW(model.parameters(), lr=arguments.learning_rate)

    report(f"torch {torch.__version__}, {ranks} ranks over {dist.get_backend()}, rank 0 on {device}")
    for epoch in range(1, arguments.epochs + 1):
        sampler.set_epoch(epoch)  # another shuffle, the same on every rank
        total = torch.zeros((), device=device)
        start = time.perf_counter()
        for inputs, targets in loader:
            inputs, targets = inputs.to(device, non_blocking=True), targets.to(device, non_blocking=True)
            loss = F.mse_loss(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        mean = mean_over_ranks(total / len(loader))
        rate = ranks * len(loader) * arguments.batch / (time.perf_counter() - start)
        report(f"epoch {epoch}/{arguments.epochs}  loss {mean:.4f}  {rate:,.0f} samples/s")

    equal = equal_on_all_ranks(student, device)
    count = sum(parameter.numel() for parameter in student.parameters())
    report(f"{count:,} weights {'equal' if equal else 'NOT equal'} on all {ranks} ranks")
    return equal


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="DistributedDataParallel under torchrun.")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--samples", type=int, default=100_000, help="samples of an epoch, over all ranks")
    parser.add_argument("--batch", type=int, default=256, help="samples of a step, on each rank")
    parser.add_argument("--hidden", type=int, default=256, help="width of the student")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


@record
def main() -> None:
    arguments = parse_arguments()
    device = join_group()
    try:
        ranks = dist.get_world_size()
        if arguments.samples < ranks * arguments.batch:
            sys.exit(f"error: {ranks} ranks need at least {ranks * arguments.batch} samples")
        equal = train(arguments, device)
    finally:
        dist.destroy_process_group()
    if not equal:
        sys.exit(1)


if __name__ == "__main__":
    main()
