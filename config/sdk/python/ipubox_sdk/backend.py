"""The backend: how a program joins and leaves the collectives of its job.

Collectives need it, also in a job of one instance, where nobody is asked.
The C library (popdist(3)) keeps the same rules.
"""
import atexit
import functools
import math
import operator
import os
import sys
import threading

from ipubox_sdk import context
from ipubox_sdk.error import PopdistError
from ipubox_sdk.group import DEFAULT, Group
from ipubox_sdk.lane import NAME_MAX

_TIMEOUT_MAX = 4000000          # seconds: what 32 bits of milliseconds hold


class _Inside(threading.local):
    """Each thread's own."""

    groups = ()


class _State:
    """What all threads of the program share."""

    def __init__(self):
        self.lock = threading.Lock()
        self.group = None       # the instances of the job; None: not joined
        self.left = False       # for good
        self.joined_by = None   # in a process that was forked: its parent
        self.hooked = False
        self.timeout_ms = None  # None: POPDIST_TIMEOUT is asked
        # The groups of the calls of execute_on_instances() that a thread is
        # in, the innermost one last.
        self.inside = _Inside()


_state = _State()


def _find_job():
    """Which instance of how many this is, and where they meet."""
    instance, instances = context.read_members()
    if instances == 1:
        return instance, instances, None
    directory = os.environ.get("IPUBOX_JOB_DIR", "")
    if directory == "":
        raise PopdistError(f"the job has {instances} instances, but "
                           "IPUBOX_JOB_DIR, the directory where they meet, is "
                           "not set; start the job with poprun", "unavailable")
    return instance, instances, directory


def _check_fork():
    if _state.joined_by is not None:
        raise PopdistError("this process was forked from the process that "
                           "joined the job's collectives, pid "
                           f"{_state.joined_by}; only that process may use "
                           "them")


def _milliseconds(seconds):
    """0 is no limit; less than a millisecond is one."""
    return math.ceil(seconds * 1000)


def _read_timeout():
    """POPDIST_TIMEOUT, in milliseconds."""
    text = os.environ.get("POPDIST_TIMEOUT")
    if text is None:
        return 0
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds):
        raise PopdistError(f"POPDIST_TIMEOUT '{text}': not a number")
    if not 0 <= seconds <= _TIMEOUT_MAX:
        size = "small" if seconds < 0 else "large"
        raise PopdistError(f"POPDIST_TIMEOUT '{text}': too {size}, must be "
                           f"0 to {_TIMEOUT_MAX}")
    return _milliseconds(seconds)


def register():
    """Whether a job can be joined from here; else PopdistError says why."""
    _find_job()


def initialize():
    """Join the job; does not wait for the others."""
    _check_fork()
    with _state.lock:
        if _state.group is not None:
            return
        if _state.left:
            raise PopdistError("this program has left the job's collectives "
                               "and cannot join them again", "left")
        instance, instances, directory = _find_job()
        if _state.timeout_ms is None:
            _state.timeout_ms = _read_timeout()
        group = Group("", tuple(range(instances)), instance, directory)
        group.open()
        if not _state.hooked:
            os.register_at_fork(after_in_child=_forked)
            atexit.register(_leave_at_exit)
            _state.hooked = True
        _state.group = group


def is_initialized():
    """Whether this process takes part."""
    return _state.group is not None


def finalize():
    """Leave for good: who waits for this instance gets an error."""
    _check_fork()
    with _state.lock:
        group, _state.group = _state.group, None
        if group is not None:
            _state.left = True
            group.leave(True)


def set_timeout(seconds):
    """How long each collective waits for the others; 0: without end."""
    if not isinstance(seconds, (int, float)) or \
            not 0 <= seconds <= _TIMEOUT_MAX:
        raise PopdistError(f"time limit {seconds} s: must be a number from 0 "
                           f"to {_TIMEOUT_MAX}")
    _check_fork()
    _state.timeout_ms = _milliseconds(seconds)


def timeout_ms():
    """The time limit of collectives, 0: none."""
    return _state.timeout_ms


def _leave_at_exit():
    """The program ends: another process of its instance may come.

    After an exception that nobody caught that is not said: the others learn
    that this one is gone, and how, when the process has ended.
    """
    group = _state.group
    failed = getattr(sys, "last_value", None) is not None or \
        getattr(sys, "last_exc", None) is not None
    if group is not None and failed:
        group.abandon()
    elif group is not None:
        group.leave(False)


def _forked():
    """In the child of a fork: only the parent takes part."""
    group = _state.group
    left = _state.left
    _state.__init__()
    _state.hooked = True
    _state.left = left
    if group is not None:
        _state.joined_by = os.getppid()
        group.forget()


def current_group():
    """The group in which this thread's collectives are."""
    inside = _state.inside.groups
    if inside:
        return inside[-1]
    group = _state.group
    if group is None:
        _check_fork()
        if _state.left:
            raise PopdistError("this program has left the job's "
                               "collectives", "left")
        raise PopdistError("the backend is not initialised; call "
                           "popdist.init() first")
    return group


@functools.lru_cache(maxsize=4096)
def encode_name(what, name):
    """A name as bytes, of which there are 1 to 255."""
    encoded = name.encode() if isinstance(name, str) else b""
    if not 1 <= len(encoded) <= NAME_MAX or b"\0" in encoded:
        raise PopdistError(f"{what} must have 1 to {NAME_MAX} bytes, not "
                           f"{name!r}")
    return encoded


def _sorted_instances(instances):
    """Numbers, ascending, each once."""
    try:
        numbers = sorted({operator.index(number) for number in instances})
    except TypeError:
        raise PopdistError("instances must be a set of indices, such as "
                           f"{{0, 1}}, not {instances!r}") from None
    return tuple(numbers)


def register_communicator(participants, name=DEFAULT):
    """Give a set of instances a name; waits for all instances."""
    encode_name("the name of a communicator", name)
    numbers = _sorted_instances(participants)
    if not numbers:
        raise PopdistError(f"communicator '{name}' has no instances")
    current_group().register(name, numbers)


def find_communicator(group, name):
    """(group, members) of a communicator, or None.

    One that was registered outside of execute_on_instances() may be used
    inside where it has no other members than those.
    """
    place = group
    while place is not None:
        members = place.communicators.get(name)
        if members is not None:
            if not set(members) <= set(group.members):
                raise PopdistError(f"communicator '{name}' has instances that "
                                   "do not run this function", "communicator")
            return place, members
        place = place.outer
    return None


def execute_on_instances(instances, function, *arguments, **keywords):
    """Run a function on some instances, and return what it returns there.

    See popdist.execute_on_instances().
    """
    numbers = _sorted_instances(instances)
    if not is_initialized():
        # Collectives inside will say so.
        _check_fork()
        instance, count = context.read_members()
        parent = Group("", tuple(range(count)), instance, None)
    else:
        parent = current_group()
    for number in numbers:
        if number not in parent.members:
            raise PopdistError(f"instance {number} is not among those that "
                               "call execute_on_instances()")
    parent.calls += 1
    if parent.instance not in numbers:
        return None
    if not is_initialized() or numbers == parent.members:
        return function(*arguments, **keywords)
    return _run_inside(parent.inner(numbers), function, arguments, keywords)


def _run_inside(group, function, arguments, keywords):
    """The function, whose collectives are those of the group."""
    inside = _state.inside
    if not inside.groups:
        inside.groups = []
    inside.groups.append(group)
    try:
        result = function(*arguments, **keywords)
    except BaseException:
        group.drop()            # so that its peers do not wait for ever
        raise
    finally:
        inside.groups.remove(group)
    group.leave(True)
    return result
