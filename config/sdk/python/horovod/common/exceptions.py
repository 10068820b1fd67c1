"""Horovod's exceptions."""


class HorovodInternalError(RuntimeError):
    """A collective failed: an instance is gone, or brought something else
    than the others."""
