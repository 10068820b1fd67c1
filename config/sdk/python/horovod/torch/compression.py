"""Smaller numbers on the way to the others."""

import torch


class _None:
    """All bits."""

    @staticmethod
    def compress(tensor):
        """The tensor, and what decompress() must know."""
        return tensor, None

    @staticmethod
    def decompress(tensor, context):
        """The tensor as it was."""
        return tensor


class _Half:
    """Halves instead of floats."""

    @staticmethod
    def compress(tensor):
        """The tensor, and the type that it had."""
        if tensor.dtype.is_floating_point:
            return tensor.to(torch.float16), tensor.dtype
        return tensor, tensor.dtype

    @staticmethod
    def decompress(tensor, context):
        """The tensor in its type."""
        return tensor.to(context)


class Compression:
    """What `compression` may be."""

    none = _None
    fp16 = _Half
