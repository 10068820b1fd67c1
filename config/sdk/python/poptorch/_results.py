"""What a model may take and return: PopTorch finds tensors in tuples, lists
and dictionaries, and in objects of classes for which the program has
registered a parser (flattenTensorStructure() in PopTorch's python/_utils.py).
"""
import collections.abc

import torch

from . import _impl
from ._graph import Custom, walk
from ._utils import get_custom_arg_parser, reconstructTensorStructure

# Classes whose objects hold no result of a call.
_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, type,
          torch.Tensor, torch.nn.Module, torch.Generator)


def readable(result, is_derived):
    """The result with a Custom for each object that has a parser.

    Raise an error where another object has a tensor for which is_derived()
    holds: all calls would return that of the first one.
    """
    found = []

    def has_parser(node):
        parser = get_custom_arg_parser(node)
        if parser is None:
            return False
        parts = list(parser.yieldTensors(node))
        # Without what autograd keeps for the tensors of this run.
        plain = parser.reconstruct(node, iter([t.detach() for t in parts]))
        found.append(Custom(plain, parser, parts))
        return True

    result = reconstructTensorStructure(result, iter(found.pop, None),
                                        has_parser)
    walk(result, lambda leaf: _refuse_holder(leaf, is_derived, "returns"))
    return result


def refuse_arguments(args):
    """Raise an error where an argument that has no parser holds tensors: all
    calls would take those of the first one."""
    walk([args.args, args.kwargs], lambda leaf: None
         if get_custom_arg_parser(leaf) is not None else
         _refuse_holder(leaf, lambda tensor: True, "is given"))


def _refuse_holder(leaf, is_derived, what):
    if isinstance(leaf, _PLAIN):
        return
    if isinstance(leaf, collections.abc.Iterator) or any(
            isinstance(each, torch.Tensor) and is_derived(each)
            for each in _held(leaf)):
        raise _impl.createPoptorchError(
            f"The model {what} a {type(leaf).__name__}, in which PopTorch "
            "finds no tensors; use a tuple, a list or a dictionary, or "
            "register a parser with poptorch.registerCustomArgParser.")


def _held(thing):
    """What is in a collection, and what an object has for attributes, in
    tuples, lists and dicts too."""
    found = []
    if isinstance(thing, (collections.abc.Set, collections.abc.ValuesView,
                          collections.abc.ItemsView,
                          collections.abc.MutableSequence)):
        walk(list(thing), found.append)
    walk(getattr(thing, "__dict__", {}), found.append)
    return found
