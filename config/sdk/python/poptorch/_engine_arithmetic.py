"""Arithmetic and indices in the words of ipubox's engine: rows of the table of
_engine_operations.py."""
from ._engine_model import Constant, Turned, Unknown, sizes


def _is_number(value):
    return isinstance(value, (int, float))


def _is_fixed(model, value):
    """Whether a value is that of no layer."""
    return _is_number(value) or value.kind == "parameter" or \
        model.is_constant(value)


def _is_spread(value, one):
    """Whether PyTorch adds a value to each sample of another one alike."""
    missing = len(one.shape) - len(value.shape)
    if missing < 0 or (missing == 0 and value.shape[0] != 1) or \
            (missing == 1 and isinstance(one, Turned)):
        return False
    return all(size in (1, most) for size, most in
               zip(value.shape, one.shape[missing:]))


def _add(model, node, args, factor=1):
    """The first one and a factor times the other one."""
    one, other = args.get("input"), args.get("other")
    args.require(alpha=1)
    one, other = map(model.rows_or_itself, (one, other))
    if _is_fixed(model, one):
        if node.name not in _SUMS or _is_fixed(model, other):
            raise Unknown(f"{node.name} of these values")
        if factor != 1:
            other = model.add_part(node, "scale factor=-1", [other],
                                   other.shape)
            factor = 1
        one, other = other, one
    if _is_number(other) or model.is_constant(other):
        if not _is_number(other) and not _is_spread(other, one):
            raise Unknown(f"{node.name} of these shapes")
        model.add(node, "add_constant", [one], buffers=[
            Constant(other, (1, *one.shape[1:]),
                     lambda tensor: tensor * factor)])
        return
    if other.kind == "parameter" and factor == 1 and \
            isinstance(one, Turned) == isinstance(other, Turned) and \
            other.shape[-len(one.shape) + 1:] == one.shape[1:] and \
            sizes(one.shape[1:]) == sizes(other.shape[1:] if len(
                other.shape) == len(one.shape) else other.shape):
        model.add(node, "add_parameter", [one], [other])
        return
    if factor != 1:
        other = model.add_part(node, "scale factor=-1", [other], other.shape)
    _two(model, node, "add", one, other)


def _two(model, node, line, one, other):
    """A layer of two values, of which one may be spread over the other."""
    for first, second in ((one, other), (other, one)):
        if len(first.shape) == len(second.shape) and all(
                size == most or (size == 1 and place > 0)
                for place, (size, most) in enumerate(
                    zip(second.shape, first.shape))):
            model.add(node, line, [first, second])
            return
    raise Unknown(f"{node.name} of these shapes")


def _subtract(model, node, args):
    _add(model, node, args, -1)


def _subtract_from(model, node, args):
    """A constant less the first one."""
    one, other = args.get("input"), args.get("other")
    if not _is_number(other) and not (model.is_constant(other) and
                                      _is_spread(other, one)):
        raise Unknown(f"{node.name} of these values")
    step = model.add_part(node, "scale factor=-1", [one], one.shape)
    model.add(node, "add_constant", [step], buffers=[
        Constant(other, (1, *one.shape[1:]))])


def _count(model, node, args):
    """Of batches, in a norm."""
    value = args.get("input")
    if getattr(value, "kind", "") != "buffer" or \
            not value.name.endswith("num_batches_tracked") or \
            args.get("other") != 1:
        _add(model, node, args)
        return
    model.counted.append(value)


def _multiply(model, node, args):
    value, factor = args.get("input"), args.get("other")
    is_quotient = node.name in ("div", "true_divide", "__truediv__")
    if _is_number(value) and not is_quotient:
        value, factor = factor, value
    if not _is_number(factor) and (is_quotient or _is_number(value)):
        raise Unknown(f"{node.name} of two tensors")
    if not _is_number(factor):
        _two(model, node, "multiply", value, factor)
        return
    if is_quotient and factor == 0:
        raise Unknown(f"{node.name} by 0")
    if is_quotient:
        factor = 1 / factor
    model.add(node, f"scale factor={factor!r}", [value])


def _negate(model, node, args):
    model.add(node, "scale factor=-1", [args.get("input")])


def _square(model, node, args):
    if args.get("exponent", 2) != 2:
        raise Unknown(f"{node.name} but for squares")
    value = args.get("input")
    model.add(node, "multiply", [value, value])


def _index(model, node, args):
    value, index = args.get("input"), args.get("index")
    if node.name == "slice.Tensor":
        index = slice(args.get("start"), args.get("end"), args.get("step"))
    index = list(index) if isinstance(index, tuple) else [index]
    if node.name != "__getitem__":
        index = [slice(None)] * (args.get("dim") % len(
            value.shape)) + index
    index = [each for each in index if each is not None]
    count = len(value.shape)
    if any(each is Ellipsis for each in index):
        place = index.index(Ellipsis)
        index[place:place + 1] = [slice(None)] * (count - len(index) + 1)
    index += [slice(None)] * (count - len(index))
    if isinstance(value, Turned) and node.name == "__getitem__":
        index[:2] = index[1::-1]
    if index[0] != slice(None) or len(index) != count or not all(
            type(each) is int or (isinstance(each, slice) and
                                  each.step in (None, 1)) for each in index):
        raise Unknown(f"{node.name} of these indices")
    shape = list(value.shape)
    for dim, each in enumerate(index):
        if each == slice(None):
            continue
        start = range(shape[dim])[each]
        start, length = (start, 1) if type(each) is int \
            else (start.start, len(start))
        axis = args.axis_of(dim, shape)
        shape[dim] = length
        value = model.add_part(
            node, f"slice axis={axis} start={start} length={length}",
            [value], tuple(shape))
    model.view(node, value)
    model.add(node, f"reshape shape={sizes(node.result.shape[1:])}", [value])


# Functions of which the result does not depend on the order.
_SUMS = ("add", "__add__", "__radd__", "sub", "__sub__")

ARITHMETIC = {
    "add": ("input other alpha", _add),
    "add_": ("input other alpha", _count),
    "__add__": ("input other", _add),
    "__radd__": ("input other", _add),
    "__iadd__": ("input other", _add),
    "sub": ("input other alpha", _subtract),
    "__sub__": ("input other", _subtract),
    "rsub": ("input other", _subtract_from),
    "__rsub__": ("input other", _subtract_from),
    "mul": ("input other", _multiply),
    "__mul__": ("input other", _multiply),
    "__rmul__": ("input other", _multiply),
    "div": ("input other", _multiply),
    "__truediv__": ("input other", _multiply),
    "neg": ("input", _negate),
    "__neg__": ("input", _negate),
    "square": ("input", _square),
    "pow": ("input exponent", _square),
    "__pow__": ("input exponent", _square),
    "__getitem__": ("input index", _index),
    "select": ("input dim index", _index),
    "select.int": ("input dim index", _index),
    "slice.Tensor": ("input dim start end step", _index),
}
