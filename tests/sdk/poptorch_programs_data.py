"""Programs with loaders, samplers and several instances."""
import copy
import os
import subprocess
import sys

import poptorch
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from poptorch_plain import Plain, opts_of, program, sgd, weights
from poptorch_programs_images import WithLoss


def network():
    """Six numbers, three classes."""
    return WithLoss(nn.Sequential(nn.Linear(6, 16), nn.Tanh(),
                                  nn.Linear(16, 3)))


class Samples(Dataset):
    """Items that are made when they are asked for."""

    def __init__(self, count):
        torch.manual_seed(2)
        self.x, self.y = torch.randn(count, 6), torch.randint(3, (count,))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


def epochs(loader, plain_loader, opts, count=2):
    """Train on a loader, and in PyTorch on another one."""
    model = network()
    plain = copy.deepcopy(model)
    trainer = poptorch.trainingModel(model, opts, sgd()[0](
        model.parameters()))
    reference = Plain(plain, sgd()[1](plain.parameters()), opts)
    torch.manual_seed(8)
    got = torch.cat([trainer(*batch)[1].reshape(-1) for _ in range(count)
                     for batch in loader])
    if isinstance(loader, poptorch.DataLoader):
        loader.terminate()
    torch.manual_seed(8)
    wanted = torch.cat([reference(*batch) for _ in range(count)
                        for batch in plain_loader])
    return [(got, wanted), (weights(model), weights(plain))]


@program("loader, Async", "persistent workers, shuffled, 2 replicas")
def asynchronous():
    opts, data = opts_of(2, 2, 2), Samples(96)
    loader = poptorch.DataLoader(
        opts, data, batch_size=4, shuffle=True, num_workers=2,
        persistent_workers=True, mode=poptorch.DataLoaderMode.Async,
        async_options={"early_preload": False},
        generator=torch.Generator().manual_seed(1))
    plain = DataLoader(data, batch_size=32, shuffle=True, drop_last=True,
                       num_workers=2, persistent_workers=True,
                       generator=torch.Generator().manual_seed(1))
    return epochs(loader, plain, opts)


@program("loader, rebatched", "small batches of workers made one")
def rebatched():
    opts, data = opts_of(4), Samples(70)
    loader = poptorch.DataLoader(
        opts, data, batch_size=4, num_workers=2, rebatched_worker_size=3,
        mode=poptorch.DataLoaderMode.AsyncRebatched)
    return epochs(loader, DataLoader(data, batch_size=16, drop_last=True),
                  opts)


@program("loader, sampler", "WeightedRandomSampler, own collate_fn")
def weighted():
    opts, data = opts_of(2), Samples(40)

    def collate(items):
        return (torch.stack([x for x, _ in items]) / 2,
                torch.stack([y for _, y in items]))
    loaders = [made(sampler=torch.utils.data.WeightedRandomSampler(
        torch.arange(1., 41), 40, generator=torch.Generator().manual_seed(3)),
                    collate_fn=collate) for made in (
        lambda **more: poptorch.DataLoader(opts, data, batch_size=5, **more),
        lambda **more: DataLoader(data, batch_size=10, **more))]
    return epochs(*loaders, opts)


@program("loader, batch_sampler", "batches by length, accumulation 3")
def bucketed():
    opts, data = opts_of(1, 3), Samples(48)
    order = torch.randperm(12, generator=torch.Generator().manual_seed(4))
    batches = [list(range(4 * b, 4 * b + 4)) for b in order.tolist()]
    loader = poptorch.DataLoader(opts, data, batch_sampler=batches)
    return epochs(loader, DataLoader(data, batch_sampler=[
        sum(batches[b:b + 3], []) for b in range(0, 12, 3)]), opts)


@program("stream of data", "IterableDataset, AsynchronousDataAccessor")
def stream():
    class Stream(torch.utils.data.IterableDataset):
        def __iter__(self):
            made = torch.Generator().manual_seed(5)
            for number in range(30):
                yield torch.randn(6, generator=made), number % 3
    opts = opts_of(5)
    loader = poptorch.AsynchronousDataAccessor(poptorch.DataLoader(
        opts, Stream(), batch_size=2))
    pairs = epochs(loader, DataLoader(Stream(), batch_size=10), opts)
    loader.terminate()
    return pairs


def instance(path):
    """One of several instances of a job, with its part of the data."""
    import popdist.poptorch
    torch.manual_seed(0)
    model, opts = network(), popdist.poptorch.Options(ipus_per_replica=1)
    opts.showCompilationProgressBar(False).randomSeed(42)
    opts.deviceIterations(2).outputMode(poptorch.OutputMode.All)
    loader = poptorch.DataLoader(opts, Samples(64), batch_size=4,
                                 shuffle=True)
    trainer = poptorch.trainingModel(model, opts, sgd()[0](
        model.parameters()))
    losses, given = [], []
    for _ in range(2):
        for x, y in loader:
            losses.append(trainer(x, y)[1].reshape(2, -1))
            given.append((x, y))
    torch.save((losses, given, weights(model)),
               f"{path}.{popdist.getInstanceIndex()}")


@program("PopDist", "poprun with 2 instances of 2 replicas each")
def distributed():
    torch.manual_seed(0)
    plain = network()
    subprocess.run(
        ["poprun", "--launcher", "local", "--num-instances", "2",
         "--num-replicas", "4", "--vipu-partition", "pt", sys.executable,
         os.path.join(os.path.dirname(__file__), "poptorch_programs.py"),
         "--instance", os.path.abspath("instances")], check=True)
    (first, one, ours), (second, other, theirs) = (
        torch.load(f"instances.{number}") for number in range(2))
    seen = torch.cat([x for x, _ in one[:2] + other[:2]])
    # A device iteration has the batches of all replicas of all instances.
    opts = opts_of(2, 1, 4)
    reference = Plain(plain, sgd()[1](plain.parameters()), opts)
    wanted = torch.stack([reference(*(
        torch.cat([part.reshape(2, 8, *part.shape[1:]) for part in parts],
                  1).flatten(0, 1) for parts in zip(a, b)))
                          for a, b in zip(one, other)])
    got = torch.stack([torch.cat(each, 1).reshape(-1)
                       for each in zip(first, second)])
    return [(got, wanted), (ours, weights(plain)), (ours, theirs),
            (seen.sum(1).sort()[0], Samples(64).x.sum(1).sort()[0])]
