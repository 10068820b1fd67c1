"""PopDist's context: what the environment says of this instance's share.

The variables are poprun's.  They are read at each call, and must not
contradict each other; the rules and the words of the errors are those of
popdist-env(1) and of the C library.

Source: PopDist guide, chapters 4 to 6.
"""
import os
import re
from typing import NamedTuple

from ipubox_sdk.error import PopdistError

_INT_MAX = 2 ** 31 - 1
_NUMBER = re.compile("-?[0-9]+")
_REPORTS = re.compile(r"autoReport\.(directory)?")


class Context(NamedTuple):
    """A member per getter; the values are those without poprun."""

    is_set: bool = False
    uniform: bool = True            # replicas are spread evenly
    num_total_replicas: int = 1
    num_local_replicas: int = 1
    num_ipus_per_replica: int = 1
    replica_index_offset: int = 0
    local_instance_index: int = 0
    num_instances: int = 1          # 0: not uniform
    instance_index: int = 0         # 0: not uniform


def parse_number(what, text, low, high=_INT_MAX):
    """A decimal number with nothing before or behind it."""
    if _NUMBER.fullmatch(text) is None:
        raise PopdistError(f"{what} '{text}': not a whole number")
    # Digits that would not fit into a long are not worth converting.
    number = int(text) if len(text) < 20 else \
        (-1 if text[0] == "-" else 1) << 64
    if not low <= number <= high:
        size = "small" if number < low else "large"
        raise PopdistError(f"{what} '{text}': too {size}, must be {low} to "
                           f"{high}")
    return number


def _variable(name, low, fallback=None):
    """One variable.  Half an environment is worse than none."""
    text = os.environ.get(name)
    if text is not None:
        return parse_number(name, text, low)
    if fallback is None:
        raise PopdistError(f"{name} is not set, but "
                           "POPDIST_NUM_TOTAL_REPLICAS is; poprun "
                           "sets both")
    return fallback


def _check_replicas(total, local, offset):
    """The local replicas lie within all: offset + local <= total."""
    if local > total:
        raise PopdistError(f"POPDIST_NUM_LOCAL_REPLICAS is {local}, more "
                           f"than POPDIST_NUM_TOTAL_REPLICAS, {total}")
    if offset > total - local:
        raise PopdistError(f"POPDIST_REPLICA_INDEX_OFFSET is {offset}, but "
                           f"{local} replicas from there on exceed "
                           f"POPDIST_NUM_TOTAL_REPLICAS, {total}")


def _instances(total, local, offset, local_index):
    """Number and index of instances: they follow from equal shares only."""
    if total % local != 0:
        raise PopdistError(f"POPDIST_NUM_TOTAL_REPLICAS, {total}, is not a "
                           "multiple of POPDIST_NUM_LOCAL_REPLICAS, "
                           f"{local}, although "
                           "POPDIST_UNIFORM_REPLICAS_PER_INSTANCE is 1")
    if offset % local != 0:
        raise PopdistError(f"POPDIST_REPLICA_INDEX_OFFSET, {offset}, is not a "
                           "multiple of POPDIST_NUM_LOCAL_REPLICAS, "
                           f"{local}, although "
                           "POPDIST_UNIFORM_REPLICAS_PER_INSTANCE is 1")
    if local_index > offset // local:
        raise PopdistError(f"POPDIST_LOCAL_INSTANCE_INDEX is {local_index}, "
                           f"but this is instance {offset // local}")
    return total // local, offset // local


def is_env_set():
    """Whether poprun started this program."""
    return "POPDIST_NUM_TOTAL_REPLICAS" in os.environ


def read():
    """The context as the environment says it; PopdistError: it is not one."""
    if not is_env_set():
        return Context()
    total = _variable("POPDIST_NUM_TOTAL_REPLICAS", 1)
    local = _variable("POPDIST_NUM_LOCAL_REPLICAS", 1)
    offset = _variable("POPDIST_REPLICA_INDEX_OFFSET", 0)
    ipus = _variable("POPDIST_NUM_IPUS_PER_REPLICA", 1, 1)
    local_index = _variable("POPDIST_LOCAL_INSTANCE_INDEX", 0, 0)
    _variable("POPRUN_RESTART_COUNT", 0, 0)
    uniform = _variable("POPDIST_UNIFORM_REPLICAS_PER_INSTANCE", 0, 1) != 0
    _check_replicas(total, local, offset)
    instances, index = _instances(total, local, offset, local_index) \
        if uniform else (0, 0)
    return Context(True, uniform, total, local, ipus, offset, local_index,
                   instances, index)


def read_uniform():
    """The context of those who ask for an index or number of instances."""
    context = read()
    if not context.uniform:
        raise PopdistError("the replicas are not spread evenly over the "
                           "instances")
    return context


def read_members():
    """This instance's index, and how many there are, also where uneven."""
    context = read()
    if context.uniform:
        return context.instance_index, context.num_instances
    members = _open_mpi("OMPI_COMM_WORLD_SIZE", 1)
    rank = _open_mpi("OMPI_COMM_WORLD_RANK", 0)
    if rank >= members:
        raise PopdistError(f"OMPI_COMM_WORLD_RANK is {rank}, but "
                           f"OMPI_COMM_WORLD_SIZE is {members}")
    return rank, members


def _open_mpi(name, low):
    """One of the variables by which uneven instances are told apart."""
    text = os.environ.get(name)
    if text is None:
        raise PopdistError("the replicas are not spread evenly over the "
                           f"instances, but {name}, which identifies this "
                           "instance, is not set")
    return parse_number(name, text, low)


def engine_options():
    """The options of Poplar's engine that `poprun --autoreport-dir` asks for.

    A dict, which is empty without that.  A program whose environment speaks
    of profiles already is left alone.  The environment is searched, not
    parsed: as the guide writes it on a command line, the shell takes its
    quotes away.
    """
    parent = os.environ.get("POPDIST_AUTOREPORT_DIRECTORY", "")
    if parent == "":
        return {}
    context = read()
    if not context.is_set:
        return {}
    given = _REPORTS.findall(os.environ.get("POPLAR_ENGINE_OPTIONS", ""))
    index = context.instance_index if context.uniform else \
        context.replica_index_offset
    options = {}
    if "directory" not in given:
        options["autoReport.directory"] = f"{parent}/{index}"
    if "" not in given:
        options["autoReport.all"] = "true"
    return options
