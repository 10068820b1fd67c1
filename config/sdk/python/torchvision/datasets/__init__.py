"""Datasets of images: MNIST, and others in the same files."""
from torchvision.datasets.mnist import KMNIST, MNIST, FashionMNIST
from torchvision.datasets.vision import VisionDataset

__all__ = ["FashionMNIST", "KMNIST", "MNIST", "VisionDataset"]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        "torchvision.datasets.%s is not in the torchvision of ipubox, which "
        "has only MNIST, FashionMNIST and KMNIST; install torchvision for the "
        "rest" % name)
