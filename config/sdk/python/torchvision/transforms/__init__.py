"""Transforms of images, those that are exact without PIL."""
from torchvision.transforms import functional
from torchvision.transforms.transforms import (
    Compose, Lambda, Normalize, PILToTensor, ToTensor)

__all__ = ["Compose", "Lambda", "Normalize", "PILToTensor", "ToTensor",
           "functional"]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        "torchvision.transforms.%s is not in the torchvision of ipubox, which "
        "has only Compose, Lambda, Normalize, PILToTensor and ToTensor; "
        "install torchvision for the rest" % name)
