"""Horovod for PyTorch, over torch.distributed's gloo.

The names, the arguments and the defaults are Horovod's.  Each instance of the
job calls the same operations in the same order.
"""
import importlib

try:
    importlib.import_module("torch")
except ImportError as error:
    if error.name != "torch":
        raise
    raise ImportError(
        "horovod.torch needs PyTorch, which this Python does not have: "
        "install Debian's package python3-torch and use /usr/bin/python3, or "
        "`pip install torch`", name="torch") from None

from horovod.common.exceptions import HorovodInternalError
from horovod.torch.compression import Compression
from horovod.torch.functions import (
    allgather_object, broadcast_object, broadcast_object_fn,
    broadcast_optimizer_state, broadcast_parameters)
from horovod.torch.group import (
    ccl_built, cross_rank, cross_size, cuda_built, ddl_built, gloo_built,
    gloo_enabled, init, is_homogeneous, is_initialized, local_rank,
    local_size, mpi_built, mpi_enabled, mpi_threads_supported, nccl_built,
    rank, rocm_built, shutdown, size)
from horovod.torch.mpi_ops import (
    Adasum, Average, Max, Min, Product, Sum, allgather, allgather_async,
    allreduce, allreduce_, allreduce_async, allreduce_async_, barrier,
    broadcast, broadcast_, broadcast_async, broadcast_async_,
    grouped_allreduce, grouped_allreduce_, grouped_allreduce_async,
    grouped_allreduce_async_, join, poll, synchronize)
from horovod.torch.optimizer import DistributedOptimizer

__all__ = [
    "Adasum", "Average", "Compression", "DistributedOptimizer",
    "HorovodInternalError", "Max", "Min", "Product", "Sum", "allgather",
    "allgather_async", "allgather_object", "allreduce", "allreduce_",
    "allreduce_async", "allreduce_async_", "barrier", "broadcast",
    "broadcast_", "broadcast_async", "broadcast_async_", "broadcast_object",
    "broadcast_object_fn", "broadcast_optimizer_state",
    "broadcast_parameters", "ccl_built", "cross_rank", "cross_size",
    "cuda_built", "ddl_built", "gloo_built", "gloo_enabled",
    "grouped_allreduce", "grouped_allreduce_", "grouped_allreduce_async",
    "grouped_allreduce_async_", "init", "is_homogeneous", "is_initialized",
    "join", "local_rank", "local_size", "mpi_built", "mpi_enabled",
    "mpi_threads_supported", "nccl_built", "poll", "rank", "rocm_built",
    "shutdown", "size", "synchronize"]
