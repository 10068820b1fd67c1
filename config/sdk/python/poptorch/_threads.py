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


def choose():
    """Take half of the processors that are the instance's, unless the program
    or its user has said a number: by what the process may use, the quota of
    its control group, and the instances on this host."""
    global _is_chosen
    processors = len(os.sched_getaffinity(0))
    if _is_chosen or any(map(os.environ.get, _VARIABLES)) or \
            torch.get_num_threads() not in (processors, processors // 2):
        return
    _is_chosen = True
    threads = max(1, int(_processors()) // 2)
    if threads < torch.get_num_threads():
        torch.set_num_threads(threads)
        _tell_openblas(threads)
        logger.info("PyTorch computes with %d thread%s on %d processors; "
                    "OMP_NUM_THREADS sets another number", threads,
                    "s" if threads > 1 else "", processors)


def _processors():
    """The processors that are the instance's."""
    processors = len(os.sched_getaffinity(0))
    share = min(processors, _quota() or processors)
    # Where the launcher binds each instance, its processors are its own.
    instances = os.environ.get("OMPI_COMM_WORLD_LOCAL_SIZE", "")
    if processors == os.cpu_count() and instances.isdigit():
        share /= max(1, int(instances))
    return share


def of_engine():
    """How many threads ipubox's engine takes: PyTorch waits meanwhile."""
    said = os.environ.get(_VARIABLES[0], "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    return max(1, int(_processors()))


def _quota():
    """Processors that the control group may use, 0 if that is not limited."""
    try:
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as stream:
            quota, period = stream.read().split()
        return 0 if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError):
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
