"""poptorch.DataLoader and AsynchronousDataAccessor.

A model takes, in one run, the batches of all device iterations, replicas and
steps of gradient accumulation: the loader's combined batch.
"""

import logging

import torch

from . import _data_batches, _impl, enums
from ._data_partition import CombinedSampler, PartitionSampler
from ._data_worker import AsynchronousWorker
from .options import Options
from .settings import require

logger = logging.getLogger("poptorch::python")


class AsynchronousDataAccessor:
    """Reads elements of an iterable in a process of its own, some of them
    ahead of the program.

    An element is a tensor, or a flat list, tuple or dict of tensors; it
    comes through shared memory.  `buffer_size` elements are read ahead,
    from the start on with `early_preload`, and beyond the end of an epoch
    with `load_indefinitely`.  With `rebatched_size`, the rows of elements
    are put together anew.  `miss_sleep_time_in_ms` is PopTorch's: here a
    program that waits is woken.  The process is forked, whichever
    `sharing_strategy` is chosen.
    """

    def __init__(self, dataset, buffer_size=3, miss_sleep_time_in_ms=0.1,
                 load_indefinitely=True, early_preload=False,
                 sharing_strategy=enums.SharingStrategy.ForkServer,
                 rebatched_size=None):
        if isinstance(dataset, DataLoader) and dataset._accessor is not None:
            raise _impl.createPoptorchError(
                "The DataLoader already uses an AsynchronousDataAccessor "
                "internally. Either use the existing one or set "
                "mode='poptorch.DataLoaderMode.Sync' in the DataLoader.")
        require(rebatched_size is None or rebatched_size > 1,
                "rebatched_size must be None or greater than 1")
        loader = _loader_of(dataset)
        require(rebatched_size is not None or loader is None or
                not loader._ends_short(),
                "The 'drop_last=False' option from the DataLoader only works "
                "if 'rebatched_size' is specified too.")
        require(buffer_size > 0, "buffer_size must be greater than 0")
        enums.SharingStrategy(sharing_strategy)
        self._dataset = dataset
        self._rebatched_size = rebatched_size
        self._drop_last = getattr(dataset, "drop_last", True) \
            if loader is None else loader._drop_rest
        self._miss_sleep_time_in_ms = miss_sleep_time_in_ms
        self._worker = AsynchronousWorker(
            dataset, buffer_size, load_indefinitely, early_preload,
            rebatched_size, self._drop_last)

    _worker = None

    def terminate(self):
        """End the process."""
        if self._worker is not None:
            self._worker.terminate()

    def __del__(self):
        self.terminate()

    def __len__(self):
        rows = None
        if self._rebatched_size is not None:
            rows = _count_rows(self._dataset)
        if rows is None:
            return len(self._dataset)
        if self._drop_last:
            return rows // self._rebatched_size
        return -(-rows // self._rebatched_size)

    def __iter__(self):
        self._worker.resetIterator()
        return self

    def __next__(self):
        worker = self._worker
        worker.wait()
        worker.assertNoError()
        if worker.endOfFile():
            raise StopIteration
        element = worker.acquireElementIfAvailable()
        worker.releaseElement()
        return element


class _Batches:
    """What a DataLoader's own worker reads: the batches of PyTorch."""

    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        return self.loader._iterate()

    def __len__(self):
        return torch.utils.data.DataLoader.__len__(self.loader)


def _loader_of(dataset):
    """The poptorch.DataLoader that is read, if it is one."""
    if isinstance(dataset, _Batches):
        return dataset.loader
    return dataset if isinstance(dataset, DataLoader) else None


def _count_rows(dataset):
    """How many samples all batches of a loader hold together, or None."""
    if isinstance(dataset, _Batches):
        dataset = dataset.loader
    if not isinstance(dataset, torch.utils.data.DataLoader) or \
            dataset.batch_size is None:
        return None
    samples = dataset.sampler
    if isinstance(dataset.dataset, torch.utils.data.IterableDataset):
        samples = dataset.dataset
    if dataset.drop_last:
        return len(samples) // dataset.batch_size * dataset.batch_size
    return len(samples)


class _WholeBatches:
    """A dataset whose items are the batches of another one."""

    def __init__(self, read):
        self._read = read

    def __getitem__(self, indices):
        return self._read(indices)


def _unchanged(batch):
    return batch


class DataLoader(torch.utils.data.DataLoader):
    """PyTorch's DataLoader, whose batches are combined batches.

    With several processes, each of them gets its part of the dataset.  In
    the modes Async and AsyncRebatched, a process of its own reads ahead; in
    the latter its batches may have `rebatched_worker_size` samples, which
    are put together to combined batches.
    """

    _accessor = None

    def __init__(self, options, dataset, batch_size=1, shuffle=False,
                 num_workers=0, drop_last=True, persistent_workers=None,
                 auto_distributed_partitioning=True,
                 mode=enums.DataLoaderMode.Sync, async_options=None,
                 rebatched_worker_size=None, **kwargs):
        require(isinstance(options, Options),
                f"options is of type {type(options)} (Expected "
                "poptorch.Options)")
        options._freeze()
        self._combined_batch_size = None
        self._drop_rest = drop_last
        if batch_size is not None:
            self._options = options
            self._combined_batch_size = self._combine(
                batch_size, options, kwargs)
        # What a batch_sampler says is combined already.
        rebatched = mode == enums.DataLoaderMode.AsyncRebatched and \
            kwargs.get("batch_sampler") is None
        size, dropped = self._size_of_torch(
            batch_size, rebatched, rebatched_worker_size, kwargs)
        processes = options.Distributed.numProcesses
        if not auto_distributed_partitioning:
            processes = 1
        if isinstance(dataset, torch.utils.data.IterableDataset):
            self._check_iterable(processes, num_workers, kwargs)
        elif processes > 1:
            require(batch_size is not None, "batch_size=None not allowed "
                    "when using auto_distributed_partitioning.")
            require(kwargs.get("sampler") is None and
                    kwargs.get("batch_sampler") is None,
                    "a sampler cannot be used with "
                    "auto_distributed_partitioning, which has its own; set "
                    "auto_distributed_partitioning=False")
            kwargs["sampler"] = PartitionSampler(
                len(dataset), self._combined_batch_size, options, shuffle,
                drop_last)
            shuffle = False
        self._warn_of_rest(dataset, processes, kwargs)
        if persistent_workers is None:
            persistent_workers = num_workers > 0
        super().__init__(dataset, batch_size=size, shuffle=shuffle,
                         num_workers=num_workers, drop_last=dropped,
                         persistent_workers=persistent_workers, **kwargs)
        self._can_read_whole = batch_size is not None and \
            kwargs.get("collate_fn") is None and \
            kwargs.get("worker_init_fn") is None and \
            not kwargs.get("pin_memory")
        if mode != enums.DataLoaderMode.Sync:
            self._read_ahead(rebatched, dict(async_options or {}))

    def _combine(self, batch_size, options, kwargs):
        """The samples of a run; a batch_sampler is replaced by one that puts
        the batches of a run together, as PopTorch does."""
        count = options.device_iterations * options._input_replicas() * \
            options.Training.gradient_accumulation
        sampler = kwargs.get("batch_sampler")
        if sampler is None:
            return batch_size * count
        kwargs["batch_sampler"] = CombinedSampler(sampler, count,
                                                  self._drop_rest)
        # One of the program's own may not say how large its batches are.
        return (getattr(sampler, "batch_size", None) or 1) * count

    def _size_of_torch(self, batch_size, rebatched, worker_size, kwargs):
        """The batch size and drop_last for PyTorch's loader."""
        combined = self._combined_batch_size
        if kwargs.get("batch_sampler") is not None:
            return batch_size, False
        if batch_size is None:
            require(not rebatched, "batch_size=None not allowed when using "
                    "DataLoaderMode.AsyncRebatched")
            return None, False
        if not rebatched:
            return combined, self._drop_rest
        if worker_size is None:
            return combined, False
        require(worker_size <= combined,
                f"The rebatched_worker_size ({worker_size}) must be <= to "
                f"the combined batch size ({combined})")
        return worker_size, False

    @staticmethod
    def _check_iterable(processes, num_workers, kwargs):
        require(processes == 1, "auto_distributed_partitioning not supported "
                "for IterableDataset")
        if num_workers > 1 and kwargs.get("worker_init_fn") is None:
            logger.warning(
                "IterableDataset used with num_workers=%d but no "
                "worker_init_fn specified: as a result the DataLoader will "
                "return %d times each element in the dataset (See "
                "torch.utils.data.IterableDataset's documentation for more "
                "information)", num_workers, num_workers)

    def _warn_of_rest(self, dataset, processes, kwargs):
        """Say that the last batch will be smaller than the others."""
        combined = self._combined_batch_size
        if self._drop_rest or combined is None:
            return
        sampler = kwargs.get("batch_sampler")
        if sampler is not None:
            if not hasattr(sampler.batches, "__len__"):
                logger.warning(
                    "The `batch_sampler` __len__ method is not implemented "
                    "and drop_last=False. The last tensor may be incomplete "
                    "- batch size < %d. To avoid having to handle this "
                    "special case switch to drop_last=True.", combined)
            return
        if not hasattr(dataset, "__len__"):
            return
        rest = len(dataset) % (combined * processes)
        if rest:
            logger.warning(
                "The number of elements in the dataset (%d) is not divisible "
                "by the number of elements processed per step (%d) and "
                "drop_last=False. The last tensor will have a batch size of "
                "%d. To avoid having to handle this special case switch to "
                "drop_last=True", len(dataset), combined * processes, rest)

    def _read_ahead(self, rebatched, async_options):
        if rebatched:
            require("rebatched_size" not in async_options,
                    "You cannot use DataLoaderMode.AsyncRebatched and "
                    "manually specify the rebatched_size in async_options")
            if self._combined_batch_size > 1:
                async_options["rebatched_size"] = self._combined_batch_size
        self._accessor = AsynchronousDataAccessor(_Batches(self),
                                                  **async_options)

    def _ends_short(self):
        """Whether the last batch may be smaller than the others."""
        if self.drop_last or self.batch_size in (None, 1):
            return False
        try:
            return _count_rows(self) % self.batch_size != 0
        except TypeError:
            return True

    @property
    def combinedBatchSize(self):
        """How many samples one run of the model takes; None where the
        dataset makes the batches itself."""
        return self._combined_batch_size

    @property
    def options(self):
        """The options that the loader was made with."""
        return self._options

    def _iterate(self):
        """An iterator in this process.

        Where the dataset is in memory, it reads whole batches: then
        processes of PyTorch's would only take time.
        """
        read = None
        if self._can_read_whole:
            read = _data_batches.reader(self.dataset)
        if read is None:
            return super().__iter__()
        return iter(torch.utils.data.DataLoader(
            _WholeBatches(read), batch_size=None, sampler=self.batch_sampler,
            collate_fn=_unchanged, generator=self.generator))

    def __iter__(self):
        if self._accessor is not None:
            return iter(self._accessor)
        return self._iterate()

    def __len__(self):
        if self._accessor is not None:
            return len(self._accessor)
        return super().__len__()

    def terminate(self):
        """End the process that reads ahead, if there is one."""
        if self._accessor is not None:
            self._accessor.terminate()

    def __del__(self):
        self.terminate()
