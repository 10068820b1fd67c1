"""How many threads PyTorch computes with.

By itself it takes one for each processor.  Where others work too, such as the
instances of a job, its threads then wait for each other most of the time.
"""
import ctypes
import os

import torch

from ._logging import logger

_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_is_chosen = False


def share(processors, quota, instances):
    """The threads of an instance: half as many as it has processors, by what
    the process may use, by the quota of its control group (0: none), and by
    the instances on this host."""
    processors = max(1, processors // max(1, instances))
    if quota:
        processors = min(processors, max(1, int(quota / max(1, instances))))
    return max(1, processors // 2)


def choose():
    """Take that share, once, unless the program or its user has said a
    number."""
    global _is_chosen
    processors = _processors()
    is_default = torch.get_num_threads() in (processors, processors // 2)
    if _is_chosen or not is_default or any(map(os.environ.get, _VARIABLES)):
        return
    _is_chosen = True
    # Where the launcher binds each instance, its processors are its own.
    instances = 1 if processors < (os.cpu_count() or 1) else \
        _number(os.environ.get("OMPI_COMM_WORLD_LOCAL_SIZE"))
    threads = share(processors, _quota(), instances)
    if threads < torch.get_num_threads():
        torch.set_num_threads(threads)
        _tell_openblas(threads)
        logger.info("PyTorch computes with %d thread%s on %d processors; "
                    "OMP_NUM_THREADS sets another number", threads,
                    "s" if threads > 1 else "", processors)


def _processors():
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


def _number(text):
    return int(text) if text and text.isdigit() else 1


def _quota():
    """Processors that the control group may use, 0 if that is not limited."""
    try:
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as stream:
            quota, period = stream.read().split()
        return 0 if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return 0


def _tell_openblas(threads):
    """PyTorch does not, where that multiplies its matrices."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as stream:
            paths = {line.split()[-1] for line in stream
                     if "openblas" in line}
        for path in paths:
            ctypes.CDLL(path).openblas_set_num_threads(threads)
    except (OSError, AttributeError):
        pass
