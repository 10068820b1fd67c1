"""torchvision's MNIST and the transforms that its programs use.

It reads files that are there already.  Where the real torchvision is
installed, it takes this package's place.
"""
from ipubox_sdk.handover import hand_over


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        "torchvision.%s is not in the torchvision of ipubox, which has only "
        "datasets.MNIST and its transforms; install torchvision for the "
        "rest" % name)


if not hand_over(__name__):
    from torchvision import datasets, transforms

    __all__ = ["datasets", "transforms"]
