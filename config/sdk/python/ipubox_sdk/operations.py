"""The collectives of popdist.collectives."""
import operator

from ipubox_sdk import vector
from ipubox_sdk.backend import (current_group, encode_name,
                                find_communicator, timeout_ms)
from ipubox_sdk.error import PopdistError
from ipubox_sdk.group import DEFAULT
from ipubox_sdk.lane import (BARRIER, BROADCAST, GATHER, OPERATIONS, SUM,
                             Lane)
from ipubox_sdk.vector import SIZES

_IDS = [f"{operation}: an id" for operation in OPERATIONS]


def _place(operation, communicator_id, name):
    """(group, members, communicator, id): where to meet, and by which id."""
    group = current_group()
    found = None
    if communicator_id is None:
        communicator_id = DEFAULT
    # Nearly all jobs have no communicators, and then nobody looks.
    if group.communicators or group.outer is not None:
        found = find_communicator(group, communicator_id)
    if name is None:
        name = DEFAULT if found else communicator_id
    elif found is None and communicator_id != DEFAULT:
        raise PopdistError(f"communicator '{communicator_id}' has not been "
                           "registered", "communicator")
    encoded = encode_name(_IDS[operation], name)
    if found is None:
        return group, group.members, b"", encoded
    group, members = found
    if group.instance not in members:
        raise PopdistError(f"instance {group.instance} is not a member of "
                           f"communicator '{communicator_id}'",
                           "communicator")
    return group, members, communicator_id.encode(), encoded


def barrier(communicator_id=DEFAULT, id=None):
    """Wait until all instances have called it."""
    group, _, communicator, name = _place(BARRIER, communicator_id, id)
    if not group.is_alone:
        group.ask(Lane.call, BARRIER, 0, communicator, name, 0, timeout_ms(),
                  0, None, None)


def all_reduce_sum(data, communicator_id=DEFAULT, id=None, *, type=None):
    """Replace a vector by the sum of all instances' vectors, and return it.

    The sum is ((v0 + v1) + v2) and so on, in the order of the instances, so
    all get the same bits.  Halves are added as floats and rounded once, and
    whole numbers wrap around.  What cannot be changed (a number, a list, a
    bytes object) stays as it is, and the sum is a new one.
    """
    place = _place(SUM, communicator_id, id)
    made, code, view, result, back = _open(data, type)
    if code == vector.BOOL:
        raise PopdistError(f"all-reduce '{place[3].decode()}': bool cannot "
                           "be added up")
    group, _, communicator, name = place
    if not group.is_alone:
        group.ask(Lane.call, SUM, code, communicator, name, 0, timeout_ms(),
                  len(view) // SIZES[code], view, result)
    return made if back is None else back(code, made)


def broadcast(data, root=0, communicator_id=DEFAULT, id=None, *, type=None):
    """Replace a vector by that of the instance `root`, and return it.

    What cannot be changed stays as it is, and a new one is returned.
    """
    group, members, communicator, name = _place(BROADCAST, communicator_id,
                                                id)
    made, code, view, result, back = _open(data, type)
    root = operator.index(root)
    if root not in members:
        raise PopdistError(f"broadcast '{name.decode()}': instance {root} "
                           "does not exist")
    if not group.is_alone:
        group.ask(Lane.call, BROADCAST, code, communicator, name,
                  group.members.index(root), timeout_ms(),
                  len(view) // SIZES[code],
                  view if root == group.instance else None, result)
    return made if back is None else back(code, made)


def all_gather(data, out=None, communicator_id=DEFAULT, id=None, *,
               type=None):
    """The vectors of all instances, in the order of the instances.

    They are written to `out`, which is returned, or to a new object: for
    an array.array one that is as many times as long, for bytes a bytearray,
    for a numpy array or a tensor one with a dimension in front, for a
    number or a list a list, for other objects a memoryview.
    """
    group, members, communicator, name = _place(GATHER, communicator_id, id)
    plain = isinstance(data, (int, float, list, tuple))
    if plain:
        code, data = vector.pack(data, type)
        view = memoryview(data)
    else:
        code, view = vector.view_of(data, type)
    made = out if out is not None else vector.like(data, len(members))
    result = _result_of(made, len(view) * len(members), name)
    if group.is_alone:
        result[:] = view
    else:
        group.ask(Lane.call, GATHER, code, communicator, name, 0,
                  timeout_ms(), len(view) // SIZES[code], view,
                  result)
    return vector.unpack(code, made) if plain and out is None else made


def _result_of(made, size, name):
    """The bytes of an object that what is gathered goes to."""
    _, view = vector.view_of(made)
    if view.readonly and size > 0:
        raise PopdistError(f"all-gather '{name.decode()}': the result object "
                           "is read-only")
    if len(view) != size:
        raise PopdistError(f"all-gather '{name.decode()}': the result has "
                           f"{len(view)} bytes, but must have {size}")
    return view


def _open(data, type):
    """(object, type, bytes, bytes of the result, how to make the answer).

    The object gets the result; where that is the vector itself, there is
    nothing more to make.
    """
    if isinstance(data, (int, float, list, tuple)):
        code, made = vector.pack(data, type)
        view = memoryview(made)
        if isinstance(data, (int, float)):
            return made, code, view, view, vector.unpack_one
        return made, code, view, view, vector.unpack
    code, view = vector.view_of(data, type)
    if not view.readonly:
        return data, code, view, view, None
    made = bytearray(view)
    return made, code, view, memoryview(made), _bytes


def _bytes(_, made):
    return bytes(made)
