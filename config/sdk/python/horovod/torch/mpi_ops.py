"""Horovod's operations on tensors, over gloo.

An operation begins when it is called, with what header.py does; the data
follow while the program goes on, until synchronize().
"""

import torch
import torch.distributed as dist

from horovod.torch import group
from horovod.torch.compression import Compression
from horovod.torch.group import rank, size
from horovod.torch.header import OPERATIONS, Header, exchange, wait

# Programs also take these from here.
init, shutdown, is_initialized = (group.init, group.shutdown,
                                  group.is_initialized)
local_rank, local_size = group.local_rank, group.local_size

Average, Sum, Adasum, Min, Max, Product = range(len(OPERATIONS))

_GLOO = {Average: dist.ReduceOp.SUM, Sum: dist.ReduceOp.SUM,
         Min: dist.ReduceOp.MIN, Max: dist.ReduceOp.MAX,
         Product: dist.ReduceOp.PRODUCT}
# Types that gloo does not have, and those that carry them.
_CARRIERS = {torch.bool: torch.uint8, torch.int16: torch.int32,
             torch.bfloat16: torch.float32}


class _Handle:
    """An operation that has begun."""

    def __init__(self, works, finish):
        self._works = works
        self._finish = finish
        self._result = None

    def is_done(self):
        """Whether result() would not wait."""
        return all(work.is_completed() for work in self._works)

    def result(self):
        """Wait, once, and give what came out."""
        works, self._works = self._works, []
        for work in works:
            wait(work)
        if self._finish is not None:
            self._result, self._finish = self._finish(), None
        return self._result


def poll(handle):
    """Return whether synchronize() would return at once."""
    return handle.is_done()


def synchronize(handle):
    """Wait for the end of an operation, and return its result."""
    return handle.result()


def _carrier(tensor, copied):
    """The tensor as gloo can send it; a copy where that must be."""
    data = tensor.detach()
    dtype = _CARRIERS.get(data.dtype, data.dtype)
    carrier = data.to("cpu", dtype).contiguous()
    if copied and carrier.data_ptr() == data.data_ptr():
        return carrier.clone()
    return carrier


def _scaled(tensor, factor):
    if factor == 1.0:
        return tensor
    return (tensor * factor).to(tensor.dtype)


def _averaged(tensor, count):
    """The mean; Horovod rounds that of whole numbers down."""
    if tensor.dtype.is_floating_point:
        return tensor.div_(count)
    return tensor.div_(count, rounding_mode="floor")


def _check_all(process_set):
    if process_set is not None:
        raise NotImplementedError("process_set is not supported, because all "
                                  "instances of the job take part; popdist "
                                  "has communicators for some of them")


def _operation(op, average):
    """Which one `op`, or its old form `average`, means."""
    if op is not None and average is not None:
        raise ValueError("The op parameter supersedes average. Please provide "
                         "only one of them.")
    if op is None:
        op = Sum if average is False else Average
    if op == Adasum:
        raise NotImplementedError("hvd.Adasum is not supported; use "
                                  "hvd.Average, Sum, Min, Max or Product")
    if op not in _GLOO:
        raise ValueError(f"{op} is not one of hvd.Average, Sum, Min, Max and "
                         "Product")
    return op


def _begin_allreduce(tensor, output, name, op, prescale, postscale):
    """Reduce; the result goes to `output`, None: to a new tensor."""
    here = group.get()
    header = Header.make("allreduce", name, tensor, op)
    if here.gloo is not None:
        exchange(header)
    data = _scaled(_carrier(tensor, output is None), prescale)
    works = []
    if here.gloo is not None and data.numel() > 0:
        options = dist.AllreduceOptions()
        options.reduceOp = _GLOO[op]
        works = [here.gloo.allreduce([data], options)]

    def finish():
        result = _averaged(data, here.size) if op == Average else data
        result = _scaled(result, postscale).to(tensor.device, tensor.dtype)
        if output is None:
            return result
        output.detach().copy_(result)
        return output
    return _Handle(works, finish)


def allreduce_async(tensor, average=None, name=None, op=None,
                    prescale_factor=1.0, postscale_factor=1.0,
                    process_set=None):
    """Begin allreduce()."""
    _check_all(process_set)
    return _begin_allreduce(tensor, None, name, _operation(op, average),
                            prescale_factor, postscale_factor)


def allreduce_async_(tensor, average=None, name=None, op=None,
                     prescale_factor=1.0, postscale_factor=1.0,
                     process_set=None):
    """Begin allreduce_()."""
    _check_all(process_set)
    return _begin_allreduce(tensor, tensor, name, _operation(op, average),
                            prescale_factor, postscale_factor)


class _Allreduce(torch.autograd.Function):
    """With a gradient, which is reduced in the same way."""

    @staticmethod
    def forward(context, tensor, name, op, prescale, postscale):
        context.arguments = (op, prescale, postscale)
        return _begin_allreduce(tensor, None, name, op, prescale,
                                postscale).result()

    @staticmethod
    def backward(context, gradient):
        op, prescale, postscale = context.arguments
        reduced = _begin_allreduce(gradient, None, None, op, prescale,
                                   postscale).result()
        return reduced, None, None, None, None


def allreduce(tensor, average=None, name=None, compression=Compression.none,
              op=None, prescale_factor=1.0, postscale_factor=1.0,
              process_set=None):
    """Return the average of all instances' tensors, or the result of `op`."""
    _check_all(process_set)
    small, context = compression.compress(tensor)
    reduced = _Allreduce.apply(small, name, _operation(op, average),
                               prescale_factor, postscale_factor)
    return compression.decompress(reduced, context)


def allreduce_(tensor, average=None, name=None, op=None, prescale_factor=1.0,
               postscale_factor=1.0, process_set=None):
    """Like allreduce(), but in place."""
    return allreduce_async_(tensor, average, name, op, prescale_factor,
                            postscale_factor, process_set).result()


def _begin_group(begin, tensors, *arguments):
    """Several tensors at once."""
    handles = [begin(tensor, *arguments) for tensor in tensors]

    def finish():
        return [handle.result() for handle in handles]
    works = [work for handle in handles for work in handle._works]
    return _Handle(works, finish)


def grouped_allreduce_async(tensors, average=None, name=None, op=None,
                            prescale_factor=1.0, postscale_factor=1.0,
                            process_set=None):
    """Begin grouped_allreduce()."""
    return _begin_group(allreduce_async, tensors, average, name, op,
                        prescale_factor, postscale_factor, process_set)


def grouped_allreduce_async_(tensors, average=None, name=None, op=None,
                             prescale_factor=1.0, postscale_factor=1.0,
                             process_set=None):
    """Begin grouped_allreduce_()."""
    return _begin_group(allreduce_async_, tensors, average, name, op,
                        prescale_factor, postscale_factor, process_set)


def grouped_allreduce(tensors, average=None, name=None,
                      compression=Compression.none, op=None,
                      prescale_factor=1.0, postscale_factor=1.0,
                      process_set=None):
    """Call allreduce() for several tensors, and return the list of results."""
    return [allreduce(tensor, average, name, compression, op,
                      prescale_factor, postscale_factor, process_set)
            for tensor in tensors]


def grouped_allreduce_(tensors, average=None, name=None, op=None,
                       prescale_factor=1.0, postscale_factor=1.0,
                       process_set=None):
    """Like grouped_allreduce(), but in place."""
    return grouped_allreduce_async_(tensors, average, name, op,
                                    prescale_factor, postscale_factor,
                                    process_set).result()


def _begin_allgather(tensor, name):
    """Gather; the result is a list, a tensor for each instance."""
    here = group.get()
    if tensor.dim() == 0:
        raise ValueError("allgather concatenates tensors, so they need at "
                         "least one dimension; use reshape(1)")
    header = Header.make("allgather", name, tensor)
    data = _carrier(tensor, True)
    if here.gloo is None:
        return _Handle([], lambda: [data.to(tensor.device, tensor.dtype)])
    headers = exchange(header)
    # Gloo sends equal sizes: the shorter ones get rows that nobody reads.
    rows = [other.shape[0] for other in headers]
    sent = data.new_zeros([max(rows)] + list(data.shape[1:]))
    sent[:len(data)] = data
    received = [torch.empty_like(sent) for _ in rows]
    works = []
    if sent.numel() > 0:
        works = [here.gloo.allgather([received], [sent])]
    return _Handle(works, lambda: [
        part[:count].to(tensor.device, tensor.dtype)
        for part, count in zip(received, rows)])


def gather_parts(tensor, name=None):
    """The tensors of all instances, as a list."""
    return _begin_allgather(tensor, name).result()


def allgather_async(tensor, name=None, process_set=None):
    """Begin allgather()."""
    _check_all(process_set)
    parts = _begin_allgather(tensor, name)
    return _Handle(parts._works, lambda: torch.cat(parts.result()))


class _Allgather(torch.autograd.Function):
    """With a gradient: each instance gets the sum of that of its rows."""

    @staticmethod
    def forward(context, tensor, name):
        parts = gather_parts(tensor, name)
        context.rows = [len(part) for part in parts]
        return torch.cat(parts)

    @staticmethod
    def backward(context, gradient):
        total = _begin_allreduce(gradient, None, None, Sum, 1.0, 1.0).result()
        return total.split(context.rows)[rank()], None


def allgather(tensor, name=None, process_set=None):
    """Return all instances' tensors, concatenated; their first dimensions may
    differ."""
    _check_all(process_set)
    return _Allgather.apply(tensor, name)


def check_root(root_rank):
    """Raise ValueError unless root_rank is the number of an instance."""
    if not 0 <= root_rank < size():
        raise ValueError(f"root_rank {root_rank}: must be a number from 0 to "
                         f"{size() - 1}")


def _begin_broadcast(tensor, output, root_rank, name):
    here = group.get()
    check_root(root_rank)
    header = Header.make("broadcast", name, tensor, root_rank)
    if here.gloo is not None:
        exchange(header)
    data = _carrier(tensor, output is None)
    works = []
    if here.gloo is not None and data.numel() > 0:
        options = dist.BroadcastOptions()
        options.rootRank = root_rank
        options.rootTensor = 0
        works = [here.gloo.broadcast([data], options)]

    def finish():
        result = data.to(tensor.device, tensor.dtype)
        if output is None:
            return result
        output.detach().copy_(result)
        return output
    return _Handle(works, finish)


def broadcast_async(tensor, root_rank, name=None, process_set=None):
    """Begin broadcast()."""
    _check_all(process_set)
    return _begin_broadcast(tensor, None, root_rank, name)


def broadcast_async_(tensor, root_rank, name=None, process_set=None):
    """Begin broadcast_()."""
    _check_all(process_set)
    return _begin_broadcast(tensor, tensor, root_rank, name)


class _Broadcast(torch.autograd.Function):
    """With a gradient: the root gets the sum of all."""

    @staticmethod
    def forward(context, tensor, root_rank, name):
        context.root_rank = root_rank
        return _begin_broadcast(tensor, None, root_rank, name).result()

    @staticmethod
    def backward(context, gradient):
        total = _begin_allreduce(gradient, None, None, Sum, 1.0, 1.0).result()
        if rank() != context.root_rank:
            total.zero_()
        return total, None, None


def broadcast(tensor, root_rank, name=None, process_set=None):
    """Return the root's tensor."""
    _check_all(process_set)
    return _Broadcast.apply(tensor, root_rank, name)


def broadcast_(tensor, root_rank, name=None, process_set=None):
    """Like broadcast(), but in place."""
    return broadcast_async_(tensor, root_rank, name, process_set).result()


def barrier(process_set=None):
    """Wait for all instances."""
    _check_all(process_set)
    if group.get().gloo is not None:
        exchange(Header.make("barrier"))


def join(device=-1):
    """Wait until all instances have joined, and return the number of the last
    one.

    Meanwhile this one brings zeros to the sums and averages of the others.
    """
    here = group.get()
    if here.gloo is None:
        return here.rank
    rounds = 0
    while True:
        headers = exchange(Header.make("join", detail=rounds))
        active = [header for header in headers if header.kind != "join"]
        if not active:
            return max(number for number, header in enumerate(headers)
                       if header.detail == 0)
        rounds += 1
        if active[0].kind != "allreduce":
            continue
        zeros = torch.zeros(active[0].shape, dtype=active[0].dtype)
        data = _carrier(zeros, False)
        if data.numel() > 0:
            options = dist.AllreduceOptions()
            options.reduceOp = _GLOO[active[0].detail]
            wait(here.gloo.allreduce([data], options))
