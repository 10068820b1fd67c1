"""Weights of which groups of replicas have values of their own.

The parameter of the program has a leading dimension with one slice for each
group.  What is compiled sees one slice, and each replica computes with that
of its group.
"""
import contextlib
from collections import namedtuple

import torch

from . import _impl
from ._logging import logger
from .enums import CommGroupType, VariableRetrievalMode
from .settings import require_type

# What a program says of a weight; a plain tuple of these three will do.
Grouping = namedtuple("Grouping", "kind size mode")


def grouping(kind, size, mode):
    """A Grouping of checked types."""
    require_type(kind, CommGroupType, "comm_group_type")
    require_type(size, int, "shards")
    require_type(mode, VariableRetrievalMode, "variable_retrieval_mode")
    return Grouping(kind, size, mode)


class ReplicaGroups:
    """How replicas are grouped, by PopART's rules, and what the slices of a
    weight have to do with it.

    first is the number of this process's first replica, where those of all
    processes are counted.
    """

    def __init__(self, said, replicas, first=0):
        kind, size, mode = grouping(*said)
        self._first = first
        self._replicas = replicas
        if kind == CommGroupType.NoGrouping:
            size = 1
        if size < 1:
            raise _impl.create_compiler_error(
                "VariableSettings had 1 errors!",
                kind="popart_internal_exception")
        if self._replicas % size != 0:
            raise _impl.create_compiler_error(
                "The number of replicas in a `popart::ReplicaGrouping` must "
                "be divisible by the product of the stride and the group "
                "size.", kind="popart_exception")
        self.count = self._replicas // size
        self._size = size
        self._takes_turns = kind == CommGroupType.Orthogonal
        self._returns_all = mode == VariableRetrievalMode.AllReplicas

    def of(self, replica):
        """The group of a replica of this process."""
        return self._of(self._first + replica)

    def _of(self, replica):
        return replica % self.count if self._takes_turns \
            else replica // self._size

    def check(self, name, shape):
        """Raise an error where a parameter has not a slice for each."""
        if len(shape) == 0:
            raise _impl.createPoptorchError(
                "Scalars cannot be passed as per-replica weight tensor "
                "values")
        if shape[0] not in (self.count, self._returned):
            raise _impl.create_compiler_error(
                "Return mismatch with possibly appended outer dimension "
                f"({shape[0]}) of Tensor: \"{name}\". should match "
                f"numGroups: {self.count}", kind="popart_internal_exception")

    @property
    def _returned(self):
        return self._replicas if self._returns_all else self.count

    def to_host(self, slices):
        """What the host gets of the slices of all groups."""
        if self._returned == self.count:
            return slices
        return slices[[self._of(each) for each in range(self._returned)]]

    def to_device(self, tensor):
        """The slice of each group, of what the host has or has got."""
        if tensor.shape[0] == self.count:
            return tensor
        first = {}
        for replica in range(self._returned):
            first.setdefault(self._of(replica), replica)
        return tensor[[first[group] for group in range(self.count)]]


def groups_of(executor, parameters, shape):
    """Name -> ReplicaGroups of those that the program has grouped.  A group
    of all replicas is none."""
    found = {}
    replicas = shape.replicas * executor.options.Distributed.numProcesses
    for name, said in executor.per_replica_params.items():
        if name not in parameters:
            logger.warning("Parameter name %s was not found", name)
        elif said[0] != CommGroupType.All:
            found[name] = ReplicaGroups(said, replicas, shape.first_replica)
            found[name].check(name, parameters[name].shape)
    return found


@contextlib.contextmanager
def as_one_replica(model, groups):
    """Meanwhile the model has one slice of each parameter that is grouped,
    which is what a replica sees."""
    if not groups:
        yield
        return
    slices = {id(parameter): torch.nn.Parameter(parameter.data[0],
                                                parameter.requires_grad)
              for name, parameter in model.named_parameters()
              if name in groups}
    replaced = [(module._parameters, key, parameter)
                for module in model.modules()
                for key, parameter in module._parameters.items()
                if id(parameter) in slices]
    for table, key, parameter in replaced:
        table[key] = slices[id(parameter)]
    try:
        yield
    finally:
        for table, key, parameter in replaced:
            table[key] = parameter


class Groupable:
    """What a parameter has whose executor is known."""

    def _place(self):
        """The executor, and the parameter's name."""
        raise NotImplementedError

    def replicaGrouping(self, comm_group_type, shards,
                        variable_retrieval_mode):
        """Give each group of replicas a slice of the parameter.

        shards is the number of replicas in a group.
        """
        executor, name = self._place()
        executor.group_parameter(name, grouping(
            comm_group_type, shards, variable_retrieval_mode))

    # Its name in older SDKs.
    perReplica = replicaGrouping


class GroupableParameter(Groupable, torch.nn.Parameter):
    """A parameter of a model as its executor gives it."""

    def _place(self):
        return self.__dict__["_poptorch_place"]


def groupable(executor, name, parameter):
    """The parameter, with replicaGrouping().  It is another object of the
    same memory: several executors may run one model, each with groups of its
    own."""
    made = torch.Tensor._make_subclass(GroupableParameter, parameter.data,
                                       parameter.requires_grad)
    made.__dict__["_poptorch_place"] = executor, name
    return made
