"""Distributed training with TensorFlow, over PopDist's collectives."""

from tensorflow.python.ipu.operations import (
    Adasum, Average, Sum, allgather, allreduce, broadcast, init,
    is_homogeneous, is_initialized, local_rank, local_size, rank, shutdown,
    size)

__all__ = [
    "Adasum", "Average", "Sum", "allgather", "allreduce", "broadcast",
    "init", "is_homogeneous", "is_initialized", "local_rank", "local_size",
    "rank", "shutdown", "size"]
