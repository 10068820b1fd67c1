"""The strategy by the name that programs import."""

from tensorflow.python.ipu.strategy import PopDistStrategy

__all__ = ["PopDistStrategy"]
