"""Horovod's operations on TensorFlow's tensors, over PopDist's collectives."""

import os

import popdist
import popdist.collectives

Average, Sum, Adasum = range(3)

_numbers = {}


def init():
    """Meet the other instances.  Another call does nothing."""
    if not popdist.isBackendInitialized():
        popdist.init()


def is_initialized():
    """Whether init() was called."""
    return popdist.isBackendInitialized()


def shutdown():
    """Leave."""
    if popdist.isBackendInitialized():
        popdist.finalizeBackend()


def rank():
    """The number of this instance."""
    return popdist.getInstanceIndex()


def size():
    """How many instances there are."""
    return popdist.getNumInstances()


def local_rank():
    """The number of this instance among those of its host."""
    return popdist.getLocalInstanceIndex()


def local_size():
    """How many instances this host has."""
    return int(os.environ.get("OMPI_COMM_WORLD_LOCAL_SIZE", "1"))


def is_homogeneous():
    """All hosts have the same number of instances."""
    return True


def _id(kind, name):
    """The id of one operation: its name, or the number of those without."""
    if name is not None:
        return name
    _numbers[kind] = _numbers.get(kind, 0) + 1
    return f"{kind}.{_numbers[kind]}"


def _array(tensor):
    """A copy of the tensor's elements, one behind the other."""
    import numpy
    value = tensor.numpy() if hasattr(tensor, "numpy") else tensor
    return numpy.array(value, order="C")


def _like(tensor, array):
    """The result in the form that the argument had."""
    if not hasattr(tensor, "numpy"):
        return array
    import tensorflow
    return tensorflow.convert_to_tensor(array)


def allreduce(tensor, op=None, prescale_factor=1.0, postscale_factor=1.0,
              name=None):
    """The average of all instances' tensors, or their sum."""
    if op == Adasum:
        raise NotImplementedError(
            "The Adasum reduction is not implemented.")
    array = _array(tensor)
    if prescale_factor != 1.0:
        array = (array * prescale_factor).astype(array.dtype)
    popdist.collectives.allReduceSum(array.reshape(-1),
                                     id=_id("allreduce", name))
    factor = postscale_factor
    if op is None or op == Average:
        factor /= size()
    if factor != 1.0:
        array = (array * factor).astype(array.dtype)
    return _like(tensor, array)


def allgather(tensor, name=None):
    """All instances' tensors, one behind the other; their first dimensions
    may differ."""
    import numpy
    array = _array(tensor)
    where = _id("allgather", name)
    rows = numpy.zeros(size(), numpy.int64)
    popdist.collectives.allGather(
        numpy.array([len(array)], numpy.int64), rows, id=where + ".rows")
    # Each brings as much as the longest; what nobody has is cut off.
    sent = numpy.zeros((int(rows.max()),) + array.shape[1:], array.dtype)
    sent[:len(array)] = array
    received = numpy.zeros((size(),) + sent.shape, array.dtype)
    popdist.collectives.allGather(sent.reshape(-1), received.reshape(-1),
                                  id=where)
    return _like(tensor, numpy.concatenate(
        [part[:count] for part, count in zip(received, rows)]))


def broadcast(tensor, root_rank, name=None):
    """The root's tensor."""
    array = _array(tensor)
    popdist.collectives.broadcast(array.reshape(-1), root_rank,
                                  id=_id("broadcast", name))
    return _like(tensor, array)
