"""Collectives: all instances of a job bring vectors, and meet.

Each waits until all instances have called it with the same id.  Those with
different ids are independent: several threads may call them at once, and each
instance in its own order.

The last argument is one word, as in PopDist: where it names a communicator
that popdist.registerCommunicator() has made, the operation is among that one's
instances; else it is the id of the operation among all instances.  With `id`
both can be given.

Vectors are objects with the buffer protocol (bytearray, array.array, numpy
arrays), torch tensors in the host's memory, numbers, or lists of numbers.
Their type is that of their elements (half, float, double, int8, int16, int32,
int64; bool cannot be added up), or the one that `type` names: "half" for 16
bits that are stored as integers.
"""
from ipubox_sdk.operations import (
    all_gather as allGather,
    all_reduce_sum as allReduceSum,
    barrier,
    broadcast,
)

__all__ = ["allGather", "allReduceSum", "barrier", "broadcast"]
