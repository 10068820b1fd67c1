"""Parameters, the state of an optimizer, and any object, from one instance to
all."""

import pickle

import torch

from horovod.torch import mpi_ops
from horovod.torch.group import rank


def _to_bytes(obj):
    return torch.frombuffer(bytearray(pickle.dumps(obj)), dtype=torch.uint8)


def _from_bytes(tensor):
    return pickle.loads(tensor.numpy().tobytes())


def broadcast_object(obj=None, root_rank=0, name=None):
    """Return the root's object.  The other instances may pass anything."""
    mpi_ops.check_root(root_rank)
    is_root = rank() == root_rank
    data = _to_bytes(obj) if is_root else None
    length = torch.tensor([len(data) if is_root else 0])
    mpi_ops.broadcast_(length, root_rank, name)
    if not is_root:
        data = torch.empty(int(length), dtype=torch.uint8)
    mpi_ops.broadcast_(data, root_rank, name)
    return obj if is_root else _from_bytes(data)


def broadcast_object_fn(root_rank=0, name=None):
    """Return broadcast_object() with this root."""
    return lambda obj: broadcast_object(obj, root_rank, name)


def allgather_object(obj, name=None):
    """Return the list of all instances' objects."""
    return [_from_bytes(part)
            for part in mpi_ops.gather_parts(_to_bytes(obj), name)]


def broadcast_parameters(params, root_rank):
    """Give all instances the root's parameters: a model's state_dict(), its
    named_parameters() or parameters()."""
    if isinstance(params, dict):
        params = sorted(params.items())
    elif isinstance(params, (str, bytes)) or not hasattr(params, "__iter__"):
        raise ValueError(f"invalid params of type: {type(params)}")
    for item in params:
        name, tensor = item if isinstance(item, tuple) else (None, item)
        if torch.is_tensor(tensor):
            mpi_ops.broadcast_(tensor, root_rank, name)


def broadcast_optimizer_state(optimizer, root_rank):
    """Give all instances the root's state: learning rates, momenta and so
    on."""
    state = broadcast_object(optimizer.state_dict(), root_rank)
    if rank() != root_rank:
        optimizer.load_state_dict(state)
