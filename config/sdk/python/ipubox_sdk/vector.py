"""Vectors that the members of a job exchange: their types, and their bytes.

A vector is any object with the buffer protocol: bytearray, array.array,
memoryview, a numpy array; a torch tensor in the host's memory has one behind
its method numpy().  Numbers and lists of numbers are taken too.
"""
import array
import struct
import sys

from ipubox_sdk.error import PopdistError

HALF, FLOAT, DOUBLE, INT8, INT16, INT32, INT64, BOOL = range(1, 9)

# By the names of ipubox-link(7).
_NAMES = {"half": HALF, "float": FLOAT, "double": DOUBLE, "int8": INT8,
          "int16": INT16, "int32": INT32, "int64": INT64, "bool": BOOL}
SIZES = (0, 2, 4, 8, 1, 2, 4, 8, 1)     # bytes of an element, by its type
_LETTERS = " efdbhiq?"          # of the module struct
_STRUCTS = [struct.Struct("<" + letter) for letter in _LETTERS]
_ONE = {float: DOUBLE, int: INT64}      # numbers that most programs exchange
_INT64_END = 1 << 63
_INTEGERS = {1: INT8, 2: INT16, 4: INT32, 8: INT64}


def _by_format():
    """The type of each of the buffer protocol's formats.

    Numbers without a sign go as those with one: sums wrap around to the
    same bits.
    """
    found = {"e": HALF, "f": FLOAT, "d": DOUBLE, "?": BOOL, "c": INT8}
    for letter in "bBhHiIlLqQnN":
        size = memoryview(bytes(8)).cast(letter).itemsize
        found[letter] = _INTEGERS[size]
    # As numpy writes them: this file is for machines with the small end
    # first, where "=" and "<" are the same; sizes are then fixed.
    for letter in "efd?bBhHiIqQ":
        found["<" + letter] = found["=" + letter] = found[letter]
    found["<l"] = found["=l"] = found["<L"] = found["=L"] = INT32
    found.update({"@" + letter: found[letter] for letter in list(found)
                  if len(letter) == 1})
    return found


_FORMATS = _by_format()


def _code_by_name(name, view):
    """The type that was asked for by name, for this buffer."""
    code = _NAMES.get(name)
    if code is None:
        raise PopdistError(f"type '{name}' is unknown; the types are "
                           + ", ".join(_NAMES))
    size = SIZES[code]
    if view.itemsize not in (1, size):
        raise PopdistError(f"the vector's elements have {view.itemsize} "
                           f"bytes, but those of {name} have {size}")
    if view.nbytes % size != 0:
        raise PopdistError(f"the vector has {view.nbytes} bytes, which is not "
                           f"a multiple of the {size} bytes of {name}")
    return code


def _memory_of(data):
    """The memoryview of an object that says itself where its numbers are."""
    try:
        if hasattr(data, "detach"):
            data = data.detach()
        return memoryview(data.numpy())
    except Exception as error:
        raise PopdistError(f"{type(data).__name__} is not a vector: use an "
                           "object with the buffer protocol, such as "
                           "array.array, or a number; a tensor must be in the "
                           f"host's memory ({error})") from None


def view_of(data, name=None):
    """(type, memoryview of bytes); `name` is the type, None: its own."""
    try:
        view = memoryview(data)
    except TypeError:
        view = _memory_of(data)
    code = _FORMATS.get(view.format) if name is None else \
        _code_by_name(name, view)
    if code is None:
        raise PopdistError(f"elements of format '{view.format}' cannot be "
                           "exchanged; the types are " + ", ".join(_NAMES))
    if view.nbytes == 0:
        return code, memoryview(b"" if view.readonly else bytearray())
    if not view.c_contiguous:
        raise PopdistError("the vector is not contiguous in memory; use a "
                           "contiguous copy")
    return code, view if view.format == "B" and view.ndim == 1 else \
        view.cast("B")


def pack(data, name=None):
    """(type, bytearray) of a number, or of a sequence of numbers.

    Whole numbers are int64 and others double, True and False are bool,
    unless `name` says otherwise.
    """
    one = _ONE.get(data.__class__) if name is None else None
    if one is not None and -_INT64_END <= data < _INT64_END:
        return one, bytearray(_STRUCTS[one].pack(data))
    numbers = [data] if isinstance(data, (int, float)) else list(data)
    if name is None:
        code = _code_of_numbers(numbers)
    else:
        code = _code_by_name(name, memoryview(b""))
    try:
        return code, bytearray(struct.pack(
            f"<{len(numbers)}{_LETTERS[code]}", *numbers))
    except (struct.error, TypeError, OverflowError) as error:
        raise PopdistError(f"these are not numbers of type "
                           f"{list(_NAMES)[code - 1]}: {error}") from None


def unpack_one(code, packed):
    """The number that pack() took."""
    return _STRUCTS[code].unpack(packed)[0]


def unpack(code, packed):
    """The list of numbers that pack() took."""
    return list(struct.unpack(
        f"<{len(packed) // SIZES[code]}{_LETTERS[code]}", packed))


def _code_of_numbers(numbers):
    """The type that holds them all."""
    if numbers and all(isinstance(number, bool) for number in numbers):
        return BOOL
    if all(isinstance(number, int) for number in numbers):
        return INT64
    return DOUBLE


def like(data, times):
    """Room for `times` vectors like this one.

    Of the vector's own kind where that is an array of Python's, or one of
    numpy's or of torch, which get a dimension in front; else a memoryview
    with the vector's format.
    """
    if isinstance(data, array.array):
        return array.array(data.typecode,
                           bytes(data.itemsize * len(data) * times))
    if isinstance(data, (bytes, bytearray)):
        return bytearray(len(data) * times)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(data, numpy.ndarray):
        return numpy.empty((times,) + data.shape, data.dtype)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(data, torch.Tensor):
        return torch.empty((times,) + tuple(data.shape), dtype=data.dtype)
    view = memoryview(data)
    made = memoryview(bytearray(view.nbytes * times))
    # Before Python 3.12 a memoryview cannot have halves as its elements.
    letter = view.format.lstrip("@=<")
    return made if view.nbytes == 0 or letter == "e" else made.cast(letter)
