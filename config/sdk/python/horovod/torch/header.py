"""What each instance is about to do, told to the others first.

Gloo ends the process where sizes differ, and mixes up what is called in
another order.  So each operation begins with a few numbers from everybody;
where they do not fit, all instances raise the same error.
"""

import zlib

import torch

from horovod.common.exceptions import HorovodInternalError
from horovod.torch import group

KINDS = ("allreduce", "allgather", "broadcast", "barrier", "join")
OPERATIONS = ("Average", "Sum", "Adasum", "Min", "Max", "Product")
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16,
          torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
          torch.bool)
_DIMENSIONS_MAX = 16
# kind, name, type, operation or root, number of dimensions
_FIXED = 5
_LENGTH = _FIXED + _DIMENSIONS_MAX


class Header:
    """One operation of one instance."""

    def __init__(self, numbers):
        self.numbers = numbers

    @classmethod
    def make(cls, kind, name=None, tensor=None, detail=0):
        """`detail` is the operation of an allreduce, the root of a broadcast,
        and of a join how many rounds it has waited."""
        numbers = [KINDS.index(kind), zlib.crc32((name or "").encode())]
        if tensor is None:
            return cls(numbers + [0, detail, 0] + [0] * _DIMENSIONS_MAX)
        if tensor.dtype not in DTYPES:
            raise ValueError(f"Tensor type {tensor.dtype} is not supported.")
        if tensor.dim() > _DIMENSIONS_MAX:
            raise ValueError(f"a tensor must have at most {_DIMENSIONS_MAX} "
                             f"dimensions, not {tensor.dim()}")
        rest = [0] * (_DIMENSIONS_MAX - tensor.dim())
        return cls(numbers + [DTYPES.index(tensor.dtype), detail,
                              tensor.dim()] + list(tensor.shape) + rest)

    @property
    def kind(self):
        """The word of KINDS."""
        return KINDS[self.numbers[0]]

    @property
    def dtype(self):
        """The type of the elements."""
        return DTYPES[self.numbers[2]]

    @property
    def detail(self):
        """What make() was given."""
        return self.numbers[3]

    @property
    def shape(self):
        """The tensor's."""
        return self.numbers[_FIXED:_FIXED + self.numbers[4]]

    def takes_zeros(self):
        """Whether it goes on with those who have joined: a barrier, and an
        average or a sum, which are operations 0 and 1."""
        return self.kind == "barrier" or \
            self.kind == "allreduce" and self.detail in (0, 1)

    def difference(self, other):
        """In which way another instance's operation does not fit, as two
        descriptions, or None.  An allgather's first dimension is free."""
        if self.kind != other.kind:
            return self.kind, other.kind
        if self.numbers[1] != other.numbers[1]:
            return f"{self.kind} under one name", "under another one"
        if self.numbers[2] != other.numbers[2]:
            return f"{self.kind} of {self.dtype}", f"of {other.dtype}"
        if self.detail != other.detail:
            if self.kind == "broadcast":
                return (f"broadcast of root {self.detail}",
                        f"of root {other.detail}")
            return (f"{self.kind} with hvd.{OPERATIONS[self.detail]}",
                    f"with hvd.{OPERATIONS[other.detail]}")
        first = 1 if self.kind == "allgather" else 0
        if len(self.shape) != len(other.shape) or \
                self.shape[first:] != other.shape[first:]:
            return f"{self.kind} of shape {self.shape}", f"of {other.shape}"
        return None


def wait(work):
    """Wait for gloo; what went wrong there is an error of Horovod's."""
    try:
        work.wait()
    except RuntimeError as error:
        raise HorovodInternalError(
            f"the operation failed; perhaps an instance has ended: {error}"
        ) from error


def exchange(mine):
    """All instances' headers, in their order, where they fit each other.

    Who has joined fits what zeros can be brought to.
    """
    here = group.get()
    sent = torch.tensor(mine.numbers, dtype=torch.int64)
    received = [torch.empty(_LENGTH, dtype=torch.int64)
                for _ in range(here.size)]
    wait(here.gloo.allgather([received], [sent]))
    headers = [Header(numbers.tolist()) for numbers in received]
    active = [(number, header) for number, header in enumerate(headers)
              if header.kind != "join"]
    for number, header in active[1:]:
        different = active[0][1].difference(header)
        if different is not None:
            name = f"instance {active[0][0]}"
            raise HorovodInternalError(
                f"{name} calls {different[0]}, but instance {number} "
                f"{different[1]}; all must call the same operations in the "
                "same order")
    if active and len(active) < here.size and \
            not active[0][1].takes_zeros():
        raise HorovodInternalError(
            f"{active[0][1].kind} cannot go on without the instances that "
            "have joined")
    return headers
