"""Memory that ipubox's engine maps too, as tensors."""
import ctypes
import math
import mmap
import os

import torch

_ALIGNMENT = 64


class Memory:
    """Memory that the child maps too, as tensors.

    It is made twice the same way: once to add up the sizes."""

    def __init__(self):
        self.size = _ALIGNMENT          # offset 0: an array is not there
        self._map = None
        self.file = None

    def place(self, count, size=4):
        """The offset of an array of so many elements."""
        offset = self.size
        bytes_ = -(-max(1, count) * size // _ALIGNMENT) * _ALIGNMENT
        self.size += bytes_
        return offset

    def make(self):
        """Now that all arrays have a place."""
        self.file = os.memfd_create("poptorch-engine")
        os.ftruncate(self.file, self.size)
        self._map = mmap.mmap(self.file, self.size)

    def tensor(self, offset, shape, dtype=torch.float32):
        """The array there."""
        return torch.frombuffer(self._map, dtype=dtype, count=math.prod(shape),
                                offset=offset).view(shape)

    def __del__(self, close=os.close):  # the module is gone in the end
        if self.file is not None:
            close(self.file)            # the map stays with its tensors


class Numbers:
    """The state of PyTorch's generator, where the child reads and writes
    it: the words of MT19937, and how many of them are used."""

    WORDS = 624
    # In what torch.Generator.get_state() returns, in bytes.
    _LEFT = slice(8, 12)
    _NEXT = slice(16, 24)
    _STATE = slice(24, 24 + 8 * WORDS)

    def __init__(self, there):
        self._there = there

    def give(self, state):
        """Let the child begin with a state."""
        self._there[:-1] = state[self._STATE].view(torch.int64).int()
        self._there[-1] = self.WORDS + 1 - int(
            state[self._LEFT].view(torch.int32))

    def take(self, state):
        """The state after it."""
        state = state.clone()
        used = int(self._there[-1])
        state[self._STATE].view(torch.int64).copy_(
            self._there[:-1].long() & 0xffffffff)
        state[self._LEFT].view(torch.int32).fill_(self.WORDS + 1 - used)
        state[self._NEXT].view(torch.int64).fill_(used)
        return state

    @staticmethod
    def are_drawn_alike():
        """Whether this PyTorch draws dropouts by the same rule: a double for
        each element."""
        one, other = torch.Generator(), torch.Generator()
        one.manual_seed(1), other.manual_seed(1)
        return torch.equal(
            torch.empty(64).bernoulli_(0.5, generator=one),
            (torch.empty(64, dtype=torch.float64).uniform_(
                generator=other) < 0.5).float())


def fill(there, tensor):
    """Copy a tensor, where possible by this thread alone: PyTorch's others
    would keep a processor busy for a while, waiting for more."""
    if tensor.is_contiguous() and there.is_contiguous() and \
            tensor.dtype == there.dtype:
        ctypes.memmove(there.data_ptr(), tensor.data_ptr(),
                       there.numel() * there.element_size())
    else:
        there.copy_(tensor)


def move(tensor, memory, offset):
    """The tensor has its values in the memory from now on."""
    there = memory.tensor(offset, tuple(tensor.shape))
    there.copy_(tensor.detach())
    tensor.data = there
