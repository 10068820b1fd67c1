"""Structures of tensors: tuples, lists and dictionaries of them, and types
of one's own, for which a program registers an ICustomArgParser."""

import abc
import copy

import torch

from . import _impl


class ICustomArgParser(abc.ABC):
    """Knows how to take the tensors out of objects of one type, and how to
    make an object of other tensors."""

    @abc.abstractmethod
    def yieldTensors(self, struct):
        """The tensors of an object, one after the other."""

    @abc.abstractmethod
    def reconstruct(self, original_structure, tensor_iterator):
        """An object like the original one, of the next tensors."""


custom_arg_parsers = {}


def registerCustomArgParser(arg_type, arg_parser):
    """Let that parser read all arguments of that type; None forgets it."""
    if arg_parser is None:
        custom_arg_parsers.pop(arg_type, None)
        return
    if not isinstance(arg_parser, ICustomArgParser):
        raise _impl.createPoptorchError(
            "arg_parser must inherit from ICustomArgParser")
    custom_arg_parsers[arg_type] = arg_parser


def get_custom_arg_parser(thing):
    """The parser for an object's type or a type it derives from, or None."""
    for kind in type(thing).__mro__:
        if kind in custom_arg_parsers:
            return custom_arg_parsers[kind]
    return None


def _rebuild_sequence(original, items):
    """A sequence of the original's type: a named tuple takes its fields one
    by one."""
    if hasattr(original, "_fields"):
        return type(original)(*items)
    return type(original)(items)


def dict_like(original, items):
    """A dictionary of the original's class: OrderedDict, a model's output
    class.  One that is not made of a dictionary, as defaultdict is not, is a
    copy."""
    try:
        return type(original)(items)
    except TypeError:
        made = copy.copy(original)
        made.update(items)
        return made


def flattenTensorStructure(tensors, canonical_structure=None):
    """The tensors of a structure in their order; all else is left out.

    Dictionaries are read in the order of their keys in the canonical
    structure, which has the same form: those of a later call may have been
    filled in another order.
    """
    found = []

    def visit(node, canonical):
        if isinstance(node, torch.Tensor):
            found.append(node)
            return
        parser = get_custom_arg_parser(node)
        if parser is not None:
            found.extend(parser.yieldTensors(node))
        elif isinstance(node, (tuple, list)):
            for index, item in enumerate(node):
                visit(item, canonical[index]
                      if canonical is not None else None)
        elif isinstance(node, dict):
            for key in node if canonical is None else canonical:
                visit(node[key],
                      None if canonical is None else canonical[key])
    visit(tensors, canonical_structure)
    return found


def reconstructTensorStructure(structure, values,
                               filter_fn=lambda node: isinstance(
                                   node, torch.Tensor)):
    """A structure of the same form with the next of the values in each place
    of a tensor, or of what the filter accepts; all else is as it was."""
    values = iter(values)

    def visit(node):
        if filter_fn(node):
            return next(values)
        parser = get_custom_arg_parser(node)
        if parser is not None:
            return parser.reconstruct(node, values)
        if isinstance(node, (tuple, list)):
            return _rebuild_sequence(node, [visit(item) for item in node])
        if isinstance(node, dict):
            items = {key: visit(item) for key, item in node.items()}
            return items if type(node) is dict else dict_like(node, items)
        return node
    return visit(structure)


# The dictionaries of attributes of custom operations, which operations name
# by their index; poptorch.attributes_lists is the same list.
attributes_lists = []


def accessAttributes(attribute_id_str):
    """The attributes of a custom operation: the text is the index of their
    dictionary, and a negative one or none at all says that there are none."""
    if not isinstance(attribute_id_str, str):
        raise ValueError("Wrong type for attribute_id_str")
    try:
        index = int(attribute_id_str)
    except ValueError:
        raise ValueError(f"Invalid attribute id {attribute_id_str}") from None
    if index < 0:
        return {}
    if index >= len(attributes_lists):
        raise ValueError(f"There are no attributes {attribute_id_str}")
    return attributes_lists[index]
