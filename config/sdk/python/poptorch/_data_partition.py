"""Which part of a dataset each of several processes reads, and which batches
of a sampler each run of a model takes."""

import itertools

import torch

from .settings import require


class PartitionSampler(torch.utils.data.Sampler):
    """The indices of one process: a contiguous block of the dataset, or of
    a permutation of it that is the same in all processes.

    Each epoch has another permutation, so that what does not fill a step
    of all processes is not the same each time.
    """

    def __init__(self, length, step, options, shuffle, drop_last):
        self._total = length
        self._shuffle = shuffle
        self._processes = options.Distributed.numProcesses
        self._process = options.Distributed.processId
        self._begin, self._end = self._block(step, drop_last)
        self._generator = None
        if shuffle:
            require(options.exists("random_seed"),
                    "When using auto_distributed_partitioning you must set "
                    "poptorch.Options.randomSeed() to ensure that tensors "
                    "are in the same order in all processes.")
            self._generator = torch.Generator()
            self._generator.manual_seed(options.random_seed)

    def _block(self, step, drop_last):
        """Where this process begins and ends: all take the same number of
        steps, or they would wait for each other for ever."""
        whole = self._total // (step * self._processes) * step
        rest = 0 if drop_last else self._total - whole * self._processes
        share, more = divmod(rest, self._processes)
        begin = self._process * (whole + share) + min(self._process, more)
        return begin, begin + whole + share + (self._process < more)

    def __iter__(self):
        if not self._shuffle:
            return iter(range(self._begin, self._end))
        order = torch.randperm(self._total, generator=self._generator)
        return iter(order[self._begin:self._end].tolist())

    def __len__(self):
        return self._end - self._begin


class CombinedSampler(torch.utils.data.Sampler):
    """The batches of a sampler, `count` of them as one."""

    def __init__(self, batches, count, drop_last):
        self.batches = batches
        self._count = count
        self._drop_last = drop_last

    def __iter__(self):
        batches = iter(self.batches)
        while True:
            taken = list(itertools.islice(batches, self._count))
            if not taken or self._drop_last and len(taken) < self._count:
                return
            yield list(itertools.chain.from_iterable(taken))

    def __len__(self):
        rest = 0 if self._drop_last else self._count - 1
        return (len(self.batches) + rest) // self._count
