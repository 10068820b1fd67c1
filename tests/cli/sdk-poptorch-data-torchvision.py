"""torchvision's MNIST, by the item and by the batch: bit for bit the same.

It takes whichever torchvision there is, and says whether it is ours.
"""

import gzip
import os
import random
import struct

import torch
import torchvision
from torchvision import datasets
from torchvision.transforms import Compose, Lambda, Normalize, ToTensor

import poptorch
from poptorch import _data_batches

OURS = "ipubox_sdk" in os.listdir(os.path.join(
    os.path.dirname(torchvision.__file__), os.pardir))
TRANSFORM = Compose([ToTensor(), Normalize((0.1307,), (0.3081,))])
NORMS = Compose([ToTensor(), Normalize([0.5], [0.25]), Normalize([1], [3])])


def write(directory, kind, count, compress=False):
    """The two files of a dataset of random images."""
    os.makedirs(directory, exist_ok=True)
    rng = random.Random(count)
    for name, header, size in (
            ("images-idx3", struct.pack(">4i", 2051, count, 28, 28), 784),
            ("labels-idx1", struct.pack(">2i", 2049, count), 1)):
        data = bytes(rng.randrange(256 if size > 1 else 10)
                     for _ in range(count * size))
        path = os.path.join(directory, f"{kind}-{name}-ubyte")
        if compress:
            with gzip.open(path + ".gz", "wb") as file:
                file.write(header + data)
        else:
            with open(path, "wb") as file:
                file.write(header + data)


class Itemwise(datasets.MNIST):
    """The same, but not known to be."""

    @property
    def raw_folder(self):
        return os.path.join(self.root, "MNIST", "raw")


def refused(*arguments, **named):
    try:
        return f"no exception, but {datasets.MNIST(*arguments, **named)}"
    except RuntimeError as error:
        return str(error)


def same(what, got, wanted):
    """Whether two batches agree in all there is."""
    def facts(batch):
        return type(batch), [(one.dtype, one.shape, one.stride())
                             for one in batch]
    if facts(got) != facts(wanted) or \
            not all(map(torch.equal, got, wanted)):
        print(f"{what}: {facts(got)} instead of {facts(wanted)}")


def compare(transform):
    """All modes against what PyTorch itself makes of the items."""
    made = datasets.MNIST("root", transform=transform)
    items = Itemwise("root", transform=transform)
    opts = poptorch.Options().deviceIterations(3)
    read = _data_batches.reader(made)
    indices = [5, 0, 63, 5]
    same("items", read(indices), torch.utils.data.dataloader.default_collate(
        [made[index] for index in indices]))
    if _data_batches.reader(items) is not None:
        print("a class of one's own is read by the batch")
    for mode in poptorch.DataLoaderMode:
        batches = []
        for dataset in (made, items):
            torch.manual_seed(4)
            loader = poptorch.DataLoader(opts, dataset, batch_size=5,
                                         shuffle=True, mode=mode)
            batches.append(list(loader) + list(loader))
            loader.terminate()
        for one, wanted in zip(*batches):
            same(f"{mode!r}", one, wanted)
        print(f"{mode!r}", [len(part) for part in batches])


def unknown():
    """Transforms of which nothing is known are called for each item."""
    calls = []
    made = datasets.MNIST("root", transform=Compose(
        [ToTensor(), Lambda(lambda image: calls.append(1) or -image)]))
    if _data_batches.reader(made) is not None:
        print("a transform of one's own is passed over")
    batch = next(iter(poptorch.DataLoader(poptorch.Options(), made,
                                          batch_size=7)))
    print("calls:", len(calls), "negative:", bool((batch[0] <= 0).all()))
    made = datasets.MNIST("root", transform=ToTensor(),
                          target_transform=str)
    if _data_batches.reader(made) is not None:
        print("a transform of targets is passed over")


def ours():
    """What only our package says, and where it finds files."""
    write("packed", "t10k", 3, compress=True)
    packed = datasets.MNIST("packed", train=False, download=True)
    image, target = packed[2]
    print(len(packed), image.size, image.mode, type(target).__name__)
    print(packed.raw_folder, packed.class_to_idx["4 - four"])
    write("flat/FashionMNIST", "train", 2)
    print(len(datasets.FashionMNIST("flat")), refused("flat"))
    with open("root/MNIST/raw/t10k-images-idx3-ubyte", "wb") as file:
        file.write(struct.pack(">4i", 2051, 2, 28, 28) + b"short")
    with open("root/MNIST/raw/t10k-labels-idx1-ubyte", "wb") as file:
        file.write(struct.pack(">2i", 2049, 2) + b"ab")
    print(refused("root", train=False))
    for module, name in ((datasets, "CIFAR10"), (torchvision, "models"),
                         (torchvision.transforms, "Resize")):
        try:
            print(getattr(module, name))
        except AttributeError as error:
            print(error)


write("root/MNIST/raw", "train", 64)
write("root/MNIST/raw", "t10k", 2)
print(repr(datasets.MNIST("root", transform=TRANSFORM)))
for transforms in (TRANSFORM, ToTensor(), NORMS):
    compare(transforms)
unknown()
if OURS:
    ours()
print("done")
