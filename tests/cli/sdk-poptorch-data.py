"""poptorch.DataLoader and AsynchronousDataAccessor, against what plain
PyTorch gives.  Each check prints what was wrong; "done" comes last."""

import logging
import os
import sys

import torch
from torch.utils.data import (
    BatchSampler, Dataset, IterableDataset, SequentialSampler, Subset,
    TensorDataset, get_worker_info)

import poptorch

ASYNC = poptorch.DataLoaderMode.Async
REBATCHED = poptorch.DataLoaderMode.AsyncRebatched


class Numbers(Dataset):
    """Item i is a vector of i and i itself."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return torch.full((3,), float(index)), index


class Stream(IterableDataset):
    """The same, from worker `first` on in steps of all workers."""

    def __init__(self, count):
        self.count = count
        self.first, self.step = 0, 1

    def __iter__(self):
        return iter(range(self.first, self.count, self.step))


def split(_):
    """A worker_init_fn."""
    info = get_worker_info()
    info.dataset.first, info.dataset.step = info.id, info.num_workers


def equal(what, got, wanted):
    if got != wanted:
        print(f"{what}: {got!r} instead of {wanted!r}")


def refused(function, *arguments, **named):
    """The text of the exception, with its type."""
    try:
        return f"no exception, but {function(*arguments, **named)!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def options(iterations=1, replicas=1, accumulation=1):
    made = poptorch.Options().deviceIterations(iterations)
    made.replicationFactor(replicas)
    made.Training.gradientAccumulation(accumulation)
    return made


def numbers_of(loader):
    """The second tensor of each batch, as lists; the first one agrees."""
    out = []
    for vectors, numbers in loader:
        equal("vectors", vectors[:, 2].tolist(), numbers.tolist())
        equal("shape", vectors.shape, (len(numbers), 3))
        out.append(numbers.tolist())
    return out


def rows(count, size, drop_last=True):
    whole = [list(range(i, min(i + size, count)))
             for i in range(0, count, size)]
    return [row for row in whole if len(row) == size or not drop_last]


def modes():
    """All modes, with and without processes of PyTorch's."""
    opts = options(2, 2, 3)
    for mode in poptorch.DataLoaderMode:
        for workers in (0, 2):
            for drop_last in (True, False):
                if mode == ASYNC and not drop_last:
                    continue
                loader = poptorch.DataLoader(
                    opts, Numbers(50), batch_size=2, mode=mode,
                    num_workers=workers, drop_last=drop_last)
                what = f"{mode!r} {workers} {drop_last}"
                equal(what, loader.combinedBatchSize, 24)
                equal(what, loader.options is opts, True)
                equal(what, loader.persistent_workers, workers > 0)
                wanted = rows(50, 24, drop_last)
                equal(what, len(loader), len(wanted))
                for _ in range(3):
                    equal(what, numbers_of(loader), wanted)
                # An epoch that was left begins anew.
                equal(what, next(iter(loader))[1].tolist(), wanted[0])
                equal(what, numbers_of(loader), wanted)
                loader.terminate()
                loader.terminate()
    equal("frozen", refused(opts.deviceIterations, 3),
          "AttributeError: Can't modify frozen Options")


def shuffled():
    """Async gives the same order as Sync, and another one each epoch."""
    orders = []
    for mode in poptorch.DataLoaderMode:
        torch.manual_seed(3)
        loader = poptorch.DataLoader(options(4), Numbers(64), batch_size=2,
                                     shuffle=True, mode=mode)
        orders.append([numbers_of(loader), numbers_of(loader)])
        equal("all", sorted(sum(orders[-1][1], [])), list(range(64)))
    equal("epochs differ", orders[0][0] != orders[0][1], True)
    equal("Async", orders[1][0], orders[0][0])
    equal("AsyncRebatched", orders[2][0], orders[0][0])


def rebatched():
    """The batches of the workers have another size, and the rest counts."""
    for size in (1, 4, 5, 12):
        for workers in (0, 2):
            loader = poptorch.DataLoader(
                options(6), Numbers(50), batch_size=2, mode=REBATCHED,
                num_workers=workers, rebatched_worker_size=size)
            equal(f"size {size}", numbers_of(loader), rows(50, 12))
            equal("length", len(loader), 4)
            loader.terminate()
    stream = poptorch.DataLoader(
        options(3), Stream(22), batch_size=2, num_workers=3, mode=REBATCHED,
        rebatched_worker_size=2, worker_init_fn=split, drop_last=False)
    got = [batch.tolist() for batch in stream]
    equal("sizes", [len(batch) for batch in got], [6, 6, 6, 4])
    equal("all", sorted(sum(got, [])), list(range(22)))
    stream.terminate()
    print(refused(poptorch.DataLoader, options(), Numbers(4), mode=REBATCHED,
                  rebatched_worker_size=2))
    print(refused(poptorch.DataLoader, options(4), Numbers(4),
                  mode=REBATCHED, async_options={"rebatched_size": 2}))
    print(refused(poptorch.DataLoader, options(4), Numbers(6), mode=ASYNC,
                  drop_last=False))


def iterables():
    loader = poptorch.DataLoader(options(3), Stream(10), batch_size=2,
                                 mode=ASYNC)
    equal("stream", [batch.tolist() for batch in loader], [[0, 1, 2, 3, 4, 5]])
    print(refused(len, loader))
    poptorch.DataLoader(options(), Stream(4), num_workers=2)
    loader = poptorch.DataLoader(options(), [torch.ones(2), torch.ones(3)],
                                 batch_size=None, mode=ASYNC)
    equal("batches", [len(batch) for batch in loader], [2, 3])
    equal("combined", loader.combinedBatchSize, None)
    equal("options", hasattr(loader, "options"), False)
    equal("sampler", numbers_of(poptorch.DataLoader(
        options(), Numbers(9), batch_sampler=[[3, 1], [8]])), [[3, 1], [8]])


def distributed():
    """All processes together read everything once, in as many steps."""
    def blocks(count, shuffle, drop_last, epochs=1):
        out = []
        for process in range(3):
            opts = options(2)
            opts.Distributed.configureProcessId(process, 3)
            opts.randomSeed(11)
            loader = poptorch.DataLoader(opts, Numbers(count), batch_size=2,
                                         shuffle=shuffle, num_workers=1,
                                         drop_last=drop_last)
            for _ in range(epochs):
                batches = numbers_of(loader)
                equal("length", len(loader), len(batches))
            out.append(batches)
        return out

    equal("blocks", blocks(26, False, True),
          [rows(8, 4), [[8, 9, 10, 11], [12, 13, 14, 15]],
           [[16, 17, 18, 19], [20, 21, 22, 23]]])
    rest = blocks(29, False, False)
    equal("rest", sorted(sum(sum(rest, []), [])), list(range(29)))
    equal("steps", [len(part) for part in rest], [3, 3, 3])
    first, second = (sum(sum(blocks(26, True, True, epochs), []), [])
                     for epochs in (1, 2))
    equal("twice", len(set(first)), 24)
    equal("twice", len(set(second)), 24)
    equal("order", first != second, True)
    opts = options()
    opts.Distributed.configureProcessId(1, 2)
    print(refused(poptorch.DataLoader, opts, Numbers(4), shuffle=True))
    print(refused(poptorch.DataLoader, opts, Numbers(4), batch_size=None))
    print(refused(poptorch.DataLoader, opts, Stream(4)))
    equal("by hand", numbers_of(poptorch.DataLoader(
        opts, Numbers(2), auto_distributed_partitioning=False)), [[0], [1]])


def elements():
    """What an element may be, and that it stays what it is."""
    data = [{"a": torch.arange(4) + i, "b": torch.rand(2, 2)}
            for i in range(9)]
    accessor = poptorch.AsynchronousDataAccessor(data, buffer_size=2)
    kept = list(accessor)
    equal("dicts", [list(one) for one in kept], [["a", "b"]] * 9)
    for _ in accessor:
        pass
    for one, wanted in zip(kept, data):
        equal("kept", one["a"].tolist(), wanted["a"].tolist())
        equal("kept", torch.equal(one["b"], wanted["b"]), True)
    kept[0]["a"].add_(1)
    equal("own", kept[0]["a"].tolist(), [1, 2, 3, 4])
    kinds = [torch.rand(3).half(), torch.rand(3).bfloat16(),
             torch.tensor([True, False]), torch.tensor(5),
             torch.empty(0, 2), torch.rand(3, 4).t(), torch.rand(2).double()]
    got = next(iter(poptorch.AsynchronousDataAccessor([tuple(kinds)])))
    equal("a list", type(got), list)
    for one, wanted in zip(got, kinds):
        equal("kind", (one.dtype, one.shape, torch.equal(one, wanted)),
              (wanted.dtype, wanted.shape, True))
    growing = [torch.ones(size) for size in (1, 5000, 3, 90000, 0)]
    for _ in range(2):
        accessor = poptorch.AsynchronousDataAccessor(growing, buffer_size=1)
        equal("sizes", [len(one) for one in accessor], [1, 5000, 3, 90000, 0])
    accessor = poptorch.AsynchronousDataAccessor(
        [torch.arange(3), torch.arange(3, 8), torch.arange(8, 9)],
        rebatched_size=4)
    equal("rebatched", [one.tolist() for one in accessor],
          [[0, 1, 2, 3], [4, 5, 6, 7]])


class Counted:
    """How often it was begun and how far it was read, in shared memory."""

    def __init__(self, count):
        self.counts = torch.zeros(2, dtype=torch.int64).share_memory_()
        self.count = count

    def __len__(self):
        return self.count

    def __iter__(self):
        self.counts[0] += 1
        for number in range(self.count):
            self.counts[1] += 1
            yield torch.tensor([number])


def ahead():
    """What is read ahead, and what only when it is wanted."""
    data = Counted(5)
    accessor = poptorch.AsynchronousDataAccessor(data,
                                                 load_indefinitely=False)
    worker = accessor._worker
    for epoch in range(1, 4):
        equal("epoch", [one.item() for one in accessor], [0, 1, 2, 3, 4])
        equal("end", worker.endOfFile(), True)
        equal("counts", data.counts.tolist(), [epoch, 5 * epoch])
    equal("len", len(accessor), 5)
    equal("indices", worker._data_buffers.indices_mem.tolist(), [15, 15])
    equal("process", (worker._process.isAlive(), worker._process.is_alive()),
          (True, True))
    accessor.terminate()
    equal("ended", worker._process.isAlive(), False)
    print(refused(iter, accessor).replace(str(os.getpid()), "PID"))
    accessor = poptorch.AsynchronousDataAccessor(
        Counted(5), early_preload=True,
        sharing_strategy=poptorch.SharingStrategy.SharedMemory)
    worker = accessor._worker
    worker.resetIterator()
    worker.wait()
    equal("first", worker.acquireElementIfAvailable().item(), 0)
    print(refused(worker.acquireElementIfAvailable))
    worker.releaseElement()
    worker.wait()
    equal("second", worker.acquireElementIfAvailable().item(), 1)


class Broken(Numbers):
    """Item 3 cannot be read, nor can any where there are none."""

    def __getitem__(self, index):
        if index == 3 or self.count == 1:
            raise KeyError("item that is not there")
        return super().__getitem__(index)


def errors():
    accessor = poptorch.AsynchronousDataAccessor
    print(refused(accessor, []))
    print(refused(accessor, [[torch.ones(1), "text"]]))
    print(refused(poptorch.DataLoader, options(), Broken(1), mode=ASYNC))
    loader = poptorch.DataLoader(options(2), Broken(8), mode=ASYNC)
    for _ in range(2):
        batches = iter(loader)
        equal("before", next(batches)[1].tolist(), [0, 1])
        print(refused(next, batches))
    print(refused(accessor, loader))
    print(refused(accessor, [torch.ones(1)], rebatched_size=1))
    print(refused(accessor, [torch.ones(1)], buffer_size=0))
    print(refused(poptorch.DataLoader, 5, Numbers(2)))
    print(refused(poptorch.DataLoader, options(3), Numbers(4), mode=REBATCHED,
                  rebatched_worker_size=5))


def whole_batches():
    """Datasets in memory give the same by the batch as by the item."""
    from poptorch import _data_batches
    data = TensorDataset(torch.rand(40, 2, 3), torch.arange(40))
    subset = Subset(data, [7, 3, 3, 30, 12])
    for one in (data, subset):
        read = _data_batches.reader(one)
        wanted = torch.utils.data.dataloader.default_collate(
            [one[i] for i in (4, 1, 2)])
        got = read([4, 1, 2])
        equal("list", (type(got), len(got)), (type(wanted), len(wanted)))
        equal("equal", list(map(torch.equal, got, wanted)), [True, True])

    class Other(TensorDataset):
        def __getitem__(self, index):
            return tuple(-tensor[index] for tensor in self.tensors)

    equal("other", _data_batches.reader(Other(torch.ones(3))), None)
    equal("other", next(iter(poptorch.DataLoader(
        options(), Other(torch.ones(3)))))[0].tolist(), [-1])
    equal("transposed", _data_batches.reader(
        TensorDataset(torch.ones(3, 2).t())), None)
    collated = poptorch.DataLoader(options(2), data, collate_fn=len)
    equal("collate_fn", list(collated)[0], 2)
    orders = []
    for workers, made in ((0, data), (2, data), (0, Numbers(40))):
        torch.manual_seed(9)
        loader = poptorch.DataLoader(options(4), made, shuffle=True,
                                     num_workers=workers)
        orders.append([batch[1].tolist() for batch in loader])
        orders[-1].append(torch.rand(1).item())
    equal("order", orders[0] == orders[1] == orders[2], True)


def batch_samplers():
    """Batches of a sampler are put together: six are a run."""
    opts = options(2, 3)
    sampler = BatchSampler(SequentialSampler(range(28)), 2, False)
    every = [list(range(start, min(start + 12, 28)))
             for start in range(0, 28, 12)]
    for drop_last, wanted in ((True, every[:2]), (False, every)):
        for data in (Numbers(28), TensorDataset(
                torch.zeros(28), torch.arange(28))):
            for mode in (poptorch.DataLoaderMode.Sync, ASYNC, REBATCHED):
                loader = poptorch.DataLoader(
                    opts, data, batch_sampler=sampler, drop_last=drop_last,
                    mode=mode)
                equal(mode, [each[1].tolist() for each in loader], wanted)
                equal("length", (len(loader), loader.combinedBatchSize),
                      (len(wanted), 12))
                loader.terminate()
    loader = poptorch.DataLoader(
        opts, Numbers(28), num_workers=2, collate_fn=tuple, drop_last=False,
        batch_sampler=([n, n + 1, n + 2] for n in range(7)))
    equal("collated", [[item[1] for item in each] for each in loader],
          [[n + m for n in range(6) for m in range(3)], [6, 7, 8]])
    print(refused(len, loader))
    for wrong in ({"batch_size": 2}, {"shuffle": True},
                  {"sampler": range(3)}):
        print(refused(poptorch.DataLoader, opts, Numbers(9),
                      batch_sampler=sampler, **wrong))
    print(refused(poptorch.DataLoader, opts, Stream(3),
                  batch_sampler=sampler).partition(", but")[0])


def passed_on():
    """PyTorch's other arguments do what they do there."""
    seeds = [torch.Generator().manual_seed(4) for _ in range(2)]
    loader = poptorch.DataLoader(options(3), Numbers(9), shuffle=True,
                                 generator=seeds[0])
    equal("generator", [n for _, batch in loader for n in batch.tolist()],
          torch.utils.data.DataLoader(range(9), 9, shuffle=True,
                                      generator=seeds[1]).__iter__()
          .__next__().tolist())
    loader = poptorch.DataLoader(options(3), Numbers(9), num_workers=2,
                                 prefetch_factor=3, timeout=60,
                                 sampler=[5, 4, 3, 2, 1],
                                 multiprocessing_context="fork")
    equal("sampler", [each[1].tolist() for each in loader], [[5, 4, 3]])
    equal("workers", (loader.prefetch_factor, loader.timeout,
                      loader.persistent_workers), (3, 60, True))


def main():
    logging.basicConfig(stream=sys.stdout, format="%(message)s")
    for check in (modes, shuffled, rebatched, iterables, distributed,
                  elements, ahead, errors, whole_batches,
                  batch_samplers, passed_on):
        print(f"{check.__name__}:", flush=True)
        check()
    print("done")


main()
