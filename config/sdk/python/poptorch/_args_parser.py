"""The arguments of a model's call: how they are read, and whether they are
like those that the model was compiled for.

    parser = ArgsParser(model)              # or any callable
    compiled = parser(args, kwargs)         # an Args
    compiled.tensors()                      # its tensors, in a fixed order
    args, kwargs = compiled.rebuild(other)  # a call with other tensors
    compiled.validate(parser(args, kwargs)) # an error where they differ

Arguments that are not tensors become a part of the compiled model.
"""

import copy
import inspect

import torch

from . import _impl
from ._logging import logger
from ._utils import (flattenTensorStructure, get_custom_arg_parser,
                     reconstructTensorStructure)
from .settings import require

_POSITIONAL = inspect.Parameter.VAR_POSITIONAL
_KEYWORDS = inspect.Parameter.VAR_KEYWORD
_NAMED = inspect.Parameter.KEYWORD_ONLY
_PLAIN = inspect.Parameter.POSITIONAL_OR_KEYWORD

_RECOMPILE = (
    "\nThis error occurred because the inputs passed at runtime don't match "
    "the inputs used to compile the model.\nTo recompile the model for the "
    "new inputs create a new inferenceModel / trainingModel wrapper or call "
    "destroy() on the curent one and try again.")


def _mismatch(text):
    return _impl.createPoptorchError(f"{text}.{_RECOMPILE}")


def _compare_keys(name, compiled, given):
    """Raise where two dictionaries have different keys."""
    extra = [str(key) for key in given if key not in compiled]
    missing = [str(key) for key in compiled if key not in given]
    details = []
    if extra:
        details.append("Unexpected arguments: " + ", ".join(sorted(extra)))
    if missing:
        details.append("Missing arguments: " + ", ".join(sorted(missing)))
    if details:
        raise _mismatch(f"Keys mismatch for {name}: {'. '.join(details)}")


def _compare_tensors(name, compiled, given):
    """Raise where two tensors differ in what a model is compiled for."""
    if compiled.dtype != given.dtype:
        raise _mismatch(f"Data type mismatch for {name}: expected "
                        f"{compiled.dtype} but got {given.dtype}")
    if compiled.shape != given.shape:
        raise _mismatch(f"Shape mismatch for {name}: expected "
                        f"{compiled.shape} but got {given.shape}")


def _are_equal(one, other):
    """Whether two values that are not tensors are the same; arrays and the
    like say so for each element."""
    if one is other:
        return True
    equal = one == other
    try:
        return bool(equal)
    except (ValueError, RuntimeError, TypeError):
        return bool(getattr(equal, "all", lambda: False)())


def _compare(name, compiled, given):
    """Raise where two arguments differ in what a model is compiled for."""
    if type(compiled) is not type(given):
        raise _mismatch(f"Type mismatch for {name}: expected "
                        f"{type(compiled)} but got {type(given)}")
    if isinstance(compiled, torch.Tensor):
        _compare_tensors(name, compiled, given)
    elif get_custom_arg_parser(compiled) is not None:
        _compare(name, flattenTensorStructure(compiled),
                 flattenTensorStructure(given))
    elif isinstance(compiled, (tuple, list)):
        if len(compiled) != len(given):
            raise _mismatch(f"Length mismatch for {name}: expected "
                            f"{len(compiled)} elements but got {len(given)}")
        for index, (one, other) in enumerate(zip(compiled, given)):
            _compare(f"{name}[{index}]", one, other)
    elif isinstance(compiled, dict):
        _compare_keys(name, compiled, given)
        for key, one in compiled.items():
            _compare(f"{name}[{key}]", one, given[key])
    elif not _are_equal(compiled, given):
        raise _mismatch(f"Value mismatch for {name}: expected {compiled} "
                        f"but got {given}")


class Args:
    """The arguments of one call, complete with the defaults."""

    def __init__(self):
        self._args = []
        self._arg_names = []
        self._kwargs = {}

    @property
    def args(self):
        """What is passed by position."""
        return self._args

    @property
    def arg_names(self):
        """The names of their parameters; that of one of many is like
        "*args[0]"."""
        return self._arg_names

    @property
    def kwargs(self):
        """What is passed by name."""
        return self._kwargs

    def appendArg(self, arg, name):
        """Add one that is passed by position."""
        self._args.append(arg)
        self._arg_names.append(name)

    def setNamedArg(self, name, arg):
        """Add one that is passed by name."""
        self._kwargs[name] = arg

    def clone(self):
        """Another one, of the same tensors."""
        new = copy.copy(self)
        new._args = list(self._args)
        new._arg_names = list(self._arg_names)
        new._kwargs = dict(self._kwargs)
        return new

    def tensors(self, canonical=None):
        """All tensors as a list: those that are passed by position first.
        canonical, the Args that the model was compiled for, says in which
        order dictionaries are read."""
        if canonical is None:
            return flattenTensorStructure([self._args, self._kwargs])
        return flattenTensorStructure(
            [self._args, self._kwargs],
            [canonical.args, canonical.kwargs])

    def asPackedFlatTuple(self, canonical_args=None):
        """The same as a tuple."""
        return tuple(self.tensors(canonical_args))

    def rebuild(self, tensors):
        """(args, kwargs) of a call like this one with other tensors, which
        are in the order of tensors()."""
        args, kwargs = reconstructTensorStructure(
            [self._args, self._kwargs], tensors)
        return tuple(args), kwargs

    def forEach(self, function):
        """Replace each argument, inside of structures too, by what the
        function makes of it."""
        self._args = _map(self._args, function)
        self._kwargs = _map(self._kwargs, function)

    def detach(self):
        """Take tensors out of autograd, and say so.  Those inside of an
        object with a parser are refused, as PopTorch's _preprocessGraph()
        (python/_poplar_executor.py) does not reach them."""
        def detached(value):
            logger.warning("Input tensor has requires_grad=True set. This "
                           "tensor will be detached because backward pass "
                           "via inputs is not supported.")
            return value.detach()
        self.forEachMatchedAtLeastOnce(
            lambda value: isinstance(value, torch.Tensor)
            and value.requires_grad, detached)
        refuse_gradients(self.tensors())

    def forEachMatchedAtLeastOnce(self, condition, doOnTrue=None):
        """Replace all for which the condition holds; whether there is one."""
        matched = []

        def replace(value):
            if not condition(value):
                return value
            matched.append(True)
            return value if doOnTrue is None else doOnTrue(value)
        self.forEach(replace)
        return bool(matched)

    def validate(self, other):
        """Raise poptorch.Error where the other arguments do not fit a model
        that was compiled for these."""
        if len(other.args) != len(self._args):
            raise _mismatch(
                "Number of positional arguments mismatch: expected "
                f"{len(self._args)} arguments but got {len(other.args)}")
        for name, one, two in zip(self._arg_names, self._args, other.args):
            _compare(name, one, two)
        _compare_keys("named arguments", self._kwargs, other.kwargs)
        for name, one in self._kwargs.items():
            _compare(name, one, other.kwargs[name])

    # PopTorch's name of it.
    validateInputs = validate


def _map(node, function):
    """A structure like this one of what the function makes of each value
    that is neither a sequence nor a dictionary."""
    if isinstance(node, (tuple, list)):
        items = [_map(item, function) for item in node]
        if hasattr(node, "_fields"):
            return type(node)(*items)
        return type(node)(items)
    if isinstance(node, dict):
        return {key: _map(item, function) for key, item in node.items()}
    return function(node)


def _signature(model):
    """The parameters of a model's forward, or of a callable; None where
    Python does not know them."""
    if isinstance(model, torch.nn.Module) or \
            hasattr(getattr(model, "model", None), "forward"):
        model = getattr(model, "forward", None) or model.model.forward
    if not callable(model):
        raise TypeError("Expected a torch.nn.Module or a callable")
    try:
        return inspect.signature(model)
    except ValueError:
        return None


def refuse_gradients(tensors):
    """Raise an error where autograd follows an input."""
    for index, tensor in enumerate(tensors):
        if tensor.requires_grad:
            raise _impl.createPoptorchError(
                "An input tensor to an IPU model can not have requires_grad "
                f"set to True, however input {index} does: {tensor}\nYou can "
                "set requires_grad=True from within the model as an "
                "alternative, and return gradients as outputs to your model, "
                "if required.")


class ArgsParser:
    """Reads the arguments of a model's calls.

    A subclass may set the attributes by itself and leave this constructor
    out; a parameter of which it does not say the kind is a plain one.
    """

    Args = Args
    _var_kinds = ()
    _warned_dict_input = False

    def __init__(self, model, tracing=False):
        signature = _signature(model)
        self._varnames = ["args", "kwargs"]
        self._var_kinds = [_POSITIONAL, _KEYWORDS]
        self._defaults = {}
        if signature is not None:
            parameters = signature.parameters
            self._varnames = list(parameters)
            self._var_kinds = [one.kind for one in parameters.values()]
            self._defaults = {
                name: one.default for name, one in parameters.items()
                if one.default is not inspect.Parameter.empty}
        self._has_variadic_arguments = any(
            kind in (_POSITIONAL, _KEYWORDS) for kind in self._var_kinds)
        self._warned_not_contiguous_input = False

    def _kinds(self):
        """(name, kind) of each parameter."""
        kinds = list(self._var_kinds)
        kinds += [_PLAIN] * (len(self._varnames) - len(kinds))
        return list(zip(self._varnames, kinds))

    def _check_names(self, args, kwargs):
        """Raise where there are too many arguments, or unknown names."""
        if self._has_variadic_arguments:
            return
        given = len(args) + len(kwargs)
        require(given <= len(self._varnames),
                "Too many arguments provided: expected "
                f"{self._varnames} ({len(self._varnames)}) but got {given}")
        for name in kwargs:
            require(name in self._varnames,
                    f"{name} is not a valid parameter."
                    f"Allowed values are {self._varnames}")

    def _read(self, args, kwargs):
        """The Args of a call."""
        out = self.Args()
        args, kwargs = list(args), dict(kwargs)
        by_name = False
        for name, kind in self._kinds():
            if kind == _POSITIONAL:
                for index, arg in enumerate(args):
                    out.appendArg(arg, f"*{name}[{index}]")
                args, by_name = [], True
                continue
            if kind == _KEYWORDS:
                continue
            if args and kind != _NAMED:
                require(name not in kwargs,
                        f"Parameter {name} was passed more than once")
                value = args.pop(0)
            elif name in kwargs:
                value = kwargs.pop(name)
            elif name in self._defaults:
                value = self._defaults[name]
            else:
                raise _impl.createPoptorchError(
                    f"Mandatory parameter {name} missing")
            if by_name or kind == _NAMED:
                out.setNamedArg(name, value)
            else:
                out.appendArg(value, name)
        # What a subclass with parameters of no kind lets through.
        for index, arg in enumerate(args):
            out.appendArg(arg, f"*args[{index}]")
        for name, value in kwargs.items():
            out.setNamedArg(name, value)
        return out

    def _warn_dict(self, out):
        """Say once that a model cannot do all with a dictionary."""
        if self._warned_dict_input:
            return
        if any(isinstance(value, dict)
               for value in out.args + list(out.kwargs.values())):
            self._warned_dict_input = True
            logger.warning(
                "Dicts as inputs only have partial support, they can be "
                "accessed using literal keys, but full Python functionality "
                "is not enabled. Consider changing dict inputs to tuple.")

    def __call__(self, args, kwargs, fast_path=False):
        """The Args of a call; with fast_path, which is for calls of what is
        compiled already, without warnings about its form."""
        self._check_names(args, kwargs)
        out = self._read(args, kwargs)
        if not fast_path:
            self._warn_dict(out)
        changed = out.forEachMatchedAtLeastOnce(
            lambda value: isinstance(value, torch.Tensor)
            and value.layout == torch.strided
            and not value.is_contiguous(),
            lambda value: value.contiguous())
        if changed and not self._warned_not_contiguous_input:
            self._warned_not_contiguous_input = True
            logger.warning("At least one input tensor is not contiguous: "
                           "non-contiguous tensors will be converted.")
        return out
