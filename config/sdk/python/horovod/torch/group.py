"""Who takes part: this instance's number, and the way to the others.

The environment says both, as poprun and torchrun set it.  The group is one of
our own beside torch.distributed's default group, which stays the program's.
An instance that is alone needs no group.
"""

import atexit
import datetime
import os

import torch.distributed as dist

# How long an operation waits for the others, as torch.distributed does.
_TIMEOUT = datetime.timedelta(minutes=30)


class _Group:
    """What init() has found."""

    def __init__(self, rank, size):
        self.rank = rank
        self.size = size
        self.local_rank = _number("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
                                  default=0)
        self.local_size = _number("LOCAL_WORLD_SIZE",
                                  "OMPI_COMM_WORLD_LOCAL_SIZE", default=1)
        self.gloo = None


_group = None
# The store outlives shutdown(): the others may still be looking into it.
_store = None
_groups_made = 0


def _number(*names, default):
    """The first of the variables that is set."""
    for name in names:
        if name in os.environ:
            try:
                return int(os.environ[name])
            except ValueError:
                raise ValueError(f"{name} '{os.environ[name]}': not a whole "
                                 "number") from None
    return default


def _connect(rank, size):
    """A gloo group of all instances, at the place that MASTER_ADDR and
    MASTER_PORT name."""
    global _store, _groups_made
    for name in ("MASTER_ADDR", "MASTER_PORT"):
        if name not in os.environ:
            raise RuntimeError(
                f"hvd.init(): the job has {size} instances, but {name} is not "
                "set; start the program with poprun, which sets it")
    if _store is None:
        _store, _, _ = next(dist.rendezvous("env://", rank, size))
    _groups_made += 1
    store = dist.PrefixStore(f"horovod/{_groups_made}", _store)
    group = dist.ProcessGroupGloo(store, rank, size, timeout=_TIMEOUT)
    # An instance that ended at once would close its connections while others
    # still set up theirs.
    group.barrier().wait()
    return group


def init(comm=None, process_sets=None):
    """Meet the other instances of the job.  Another call does nothing."""
    global _group
    if comm is not None or process_sets is not None:
        raise NotImplementedError(
            "hvd.init(): comm and process_sets are not supported, because all "
            "instances of the job take part; popdist has communicators for "
            "some of them")
    if _group is not None:
        return
    rank = _number("RANK", "OMPI_COMM_WORLD_RANK", default=0)
    size = _number("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", default=1)
    if not 0 <= rank < size:
        raise ValueError(f"hvd.init(): instance {rank} is not one of {size} "
                         "(RANK, WORLD_SIZE)")
    group = _Group(rank, size)
    if size > 1:
        group.gloo = _connect(rank, size)
    _group = group


def shutdown():
    """Leave the job's operations.  All instances may call init() again."""
    global _group
    _group = None


atexit.register(shutdown)


def get():
    """Return the group that init() made."""
    if _group is None:
        raise ValueError("Horovod has not been initialized; use hvd.init().")
    return _group


def is_initialized():
    """Return whether init() was called."""
    return _group is not None


def rank():
    """Return the number of this instance."""
    return get().rank


def size():
    """Return the number of instances."""
    return get().size


def local_rank():
    """Return the number of this instance among those of its host."""
    return get().local_rank


def local_size():
    """Return the number of instances on this host."""
    return get().local_size


def cross_rank():
    """Return the number of this instance's host."""
    return get().rank // get().local_size


def cross_size():
    """Return the number of hosts."""
    return get().size // get().local_size


def is_homogeneous():
    """Return whether all hosts have as many instances as this one."""
    return get().size % get().local_size == 0


def gloo_built():
    """Return True: gloo carries all data."""
    return True


def gloo_enabled():
    """Return True: gloo carries all data."""
    return True


def mpi_built(verbose=False):
    """Return False: MPI is not used."""
    return False


mpi_enabled = mpi_threads_supported = mpi_built


def nccl_built(verbose=False):
    """Return 0: GPUs are not used."""
    return 0


cuda_built = rocm_built = ddl_built = ccl_built = nccl_built
