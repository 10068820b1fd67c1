"""An optimizer that averages the gradients of all instances before it steps.
"""

import contextlib
import warnings

import torch

from horovod.torch import mpi_ops
from horovod.torch.compression import Compression
from horovod.torch.group import size


def _names(optimizer, named_parameters):
    """The names of the optimizer's parameters, checked as Horovod does."""
    parameters = [p for group in optimizer.param_groups
                  for p in group["params"]]
    if named_parameters is None:
        return {p: f"allreduce.noname.{number}"
                for number, p in enumerate(parameters)}
    named = list(named_parameters)
    if any(not isinstance(item, tuple) for item in named):
        raise ValueError("named_parameters should be a sequence of tuples "
                         "(name, parameter), usually produced by "
                         "model.named_parameters().")
    names = [name for name, _ in named]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError("Parameter names in named_parameters must be unique. "
                         f"Found duplicates: {', '.join(twice)}")
    found = {p: name for name, p in named}
    missing = [str(id(p)) for p in parameters if p not in found]
    if missing:
        raise ValueError("named_parameters was specified, but one or more "
                         "model parameters were not named. Python object ids: "
                         f"{', '.join(missing)}")
    return found


class _Distributed:
    """What DistributedOptimizer() adds to the class of an optimizer."""

    def set_backward_passes_per_step(self, passes):
        """How many backward passes come before a step; their gradients add
        up in this instance."""
        self.backward_passes_per_step = passes

    def _parameters(self):
        return [p for group in self.param_groups for p in group["params"]
                if p.requires_grad]

    def _reduce_sparse(self, parameter):
        """The sum of sparse gradients has the entries of all."""
        gradient = parameter.grad.coalesce()
        indices = mpi_ops.allgather(gradient.indices().t()).t()
        values = mpi_ops.allgather(gradient.values())
        if self._op == mpi_ops.Average:
            values = values / size()
        parameter.grad = torch.sparse_coo_tensor(
            indices, values, gradient.shape).coalesce()

    def _reduce_dense(self, parameters):
        """All gradients of a type travel as one vector.

        One that this instance has not computed is zero: another one may
        have it.
        """
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad
                     for p in parameters]
        vector = torch.cat([g.detach().reshape(-1) for g in gradients])
        prescale = postscale = 1.0
        if self._op == mpi_ops.Average:
            prescale = 1.0 / self._predivide
            postscale = self._predivide
        vector = mpi_ops.allreduce(vector, op=self._op,
                                   compression=self._compression,
                                   prescale_factor=prescale,
                                   postscale_factor=postscale)
        parts = vector.split([g.numel() for g in gradients])
        for parameter, gradient, part in zip(parameters, gradients, parts):
            gradient.detach().copy_(part.view_as(gradient))
            parameter.grad = gradient

    def synchronize(self):
        """Average the gradients."""
        self._synchronized = True
        if size() == 1:
            return
        dense = {}
        for parameter in self._parameters():
            gradient = parameter.grad
            if gradient is not None and gradient.is_sparse:
                if not self._sparse_as_dense:
                    self._reduce_sparse(parameter)
                    continue
                parameter.grad = gradient.to_dense()
            dense.setdefault(parameter.dtype, []).append(parameter)
        for parameters in dense.values():
            self._reduce_dense(parameters)

    @contextlib.contextmanager
    def skip_synchronize(self):
        """Within, step() does not average: synchronize() has."""
        self._should_synchronize = False
        try:
            yield
        finally:
            self._should_synchronize = True

    def step(self, closure=None):
        """Average, and step."""
        if self._should_synchronize:
            if self._synchronized:
                warnings.warn(
                    "optimizer.step() called without "
                    "optimizer.skip_synchronize() context after "
                    "optimizer.synchronize(). This can cause training "
                    "slowdown. You may want to consider using "
                    "optimizer.skip_synchronize() context if you use "
                    "optimizer.synchronize() in your code.")
            self.synchronize()
        self._synchronized = False
        return super().step(closure)


def DistributedOptimizer(optimizer, named_parameters=None,
                         compression=Compression.none,
                         backward_passes_per_step=1, op=mpi_ops.Average,
                         gradient_predivide_factor=1.0, num_groups=0,
                         groups=None, sparse_as_dense=False,
                         process_set=None):
    """The same optimizer, with averaged gradients.

    It shares parameters and state with the one that it is made from.  The
    gradients travel in step(), all in one go, so num_groups and groups make
    no difference.
    """
    op = mpi_ops._operation(op, None)
    if process_set is not None:
        raise NotImplementedError("process_set is not supported, because all "
                                  "instances of the job take part")
    if gradient_predivide_factor != 1.0 and op != mpi_ops.Average:
        raise ValueError("gradient_predivide_factor not supported with op != "
                         "Average")
    cls = type(optimizer.__class__.__name__,
               (_Distributed, optimizer.__class__), {})
    new = cls.__new__(cls)
    # A scheduler's wrapper of the other one's step() stays there.
    new.__dict__.update((name, value) for name, value in
                        vars(optimizer).items() if name != "step")
    new._parameter_names = _names(optimizer, named_parameters)
    new._compression = compression
    new._op = op
    new._predivide = gradient_predivide_factor
    new._sparse_as_dense = sparse_as_dense
    new._synchronized = False
    new._should_synchronize = True
    new.set_backward_passes_per_step(backward_passes_per_step)
    return new
