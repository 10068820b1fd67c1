"""The module where PopDist's functions were in its first versions."""
import popdist

__all__ = [name for name in popdist.__all__ if name != "collectives"]
globals().update((name, getattr(popdist, name)) for name in __all__)
