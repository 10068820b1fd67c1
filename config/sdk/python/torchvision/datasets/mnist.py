"""MNIST, and datasets that are in files of the same names and format.

The files are IDX: a number that says the type and how many dimensions there
are, their sizes, and then the bytes; they may be compressed with gzip.
"""

import gzip
import os
import struct
import warnings
import zlib

import torch

from torchvision._image import grey_image
from torchvision.datasets.vision import VisionDataset

_IMAGES = 2051
_LABELS = 2049


def _open(path):
    """The bytes of a file that may be compressed."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise RuntimeError(f"{path} cannot be decompressed: {error}") \
            from None


def _read(path, magic):
    """The tensor in an IDX file of that kind."""
    data = _open(path)
    dimensions = magic & 0xff
    begin = 4 * (1 + dimensions)
    if len(data) < begin or struct.unpack(">i", data[:4])[0] != magic:
        raise RuntimeError(f"{path} is not an IDX file of "
                           f"{'images' if magic == _IMAGES else 'labels'}")
    sizes = struct.unpack(f">{dimensions}i", data[4:begin])
    count = 1
    for size in sizes:
        count *= size
    if min(sizes) < 0 or len(data) - begin != count:
        raise RuntimeError(f"{path} has {len(data) - begin} bytes of data, "
                           f"but its header says {count}")
    if count == 0:
        return torch.empty(sizes, dtype=torch.uint8)
    return torch.frombuffer(bytearray(data), dtype=torch.uint8, count=count,
                            offset=begin).view(sizes)


class MNIST(VisionDataset):
    """Handwritten digits, from files that are below `root` already.

    They are looked for in root/MNIST/raw, where torchvision keeps them, in
    root/MNIST and in root.  An item is an image, which `transform` changes,
    and the number that it shows.
    """

    training_file = "training.pt"
    test_file = "test.pt"
    classes = ["0 - zero", "1 - one", "2 - two", "3 - three", "4 - four",
               "5 - five", "6 - six", "7 - seven", "8 - eight", "9 - nine"]

    def __init__(self, root, train=True, transform=None,
                 target_transform=None, download=False):
        super().__init__(root, transform=transform,
                         target_transform=target_transform)
        self.train = train
        if download:
            self.download()
        self.data, self.targets = self._load_data()

    def _names(self):
        """The names of the two files."""
        kind = "train" if self.train else "t10k"
        return f"{kind}-images-idx3-ubyte", f"{kind}-labels-idx1-ubyte"

    def _places(self):
        """The directories where they may be."""
        places = [self.raw_folder, os.path.dirname(self.raw_folder)]
        # Other datasets have files of the same names.
        if type(self).__name__ == "MNIST":
            places.append(os.fspath(self.root))
        return places

    def _find(self, name):
        """The path of a file, or None."""
        for place in self._places():
            for ending in ("", ".gz"):
                path = os.path.join(place, name + ending)
                if os.path.isfile(path):
                    return path
        return None

    def _load_data(self):
        images, labels = map(self._find, self._names())
        if images is None or labels is None:
            raise RuntimeError(
                "Dataset not found: put {} and {}, plain or as .gz, into "
                "{}; the torchvision of ipubox downloads nothing".format(
                    *self._names(), self.raw_folder))
        data, targets = _read(images, _IMAGES), _read(labels, _LABELS)
        if len(data) != len(targets):
            raise RuntimeError(f"{images} has {len(data)} images, but "
                               f"{labels} has {len(targets)} labels")
        return data, targets.long()

    def _check_exists(self):
        return None not in map(self._find, self._names())

    def download(self):
        """Nothing is downloaded: the files have to be there already."""

    def __getitem__(self, index):
        image = grey_image(self.data[index])
        target = int(self.targets[index])
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target

    def __len__(self):
        return len(self.data)

    @property
    def raw_folder(self):
        """Where torchvision keeps the files."""
        return os.path.join(self.root, type(self).__name__, "raw")

    @property
    def processed_folder(self):
        """Where old versions of torchvision kept tensors."""
        return os.path.join(self.root, type(self).__name__, "processed")

    @property
    def class_to_idx(self):
        """The number of each class."""
        return {name: number for number, name in enumerate(self.classes)}

    def _renamed(self, old, new):
        warnings.warn(f"{old} has been renamed {new}", stacklevel=3)
        return getattr(self, new)

    @property
    def train_data(self):
        """The old name of the images."""
        return self._renamed("train_data", "data")

    @property
    def test_data(self):
        """The old name of the images."""
        return self._renamed("test_data", "data")

    @property
    def train_labels(self):
        """The old name of the numbers."""
        return self._renamed("train_labels", "targets")

    @property
    def test_labels(self):
        """The old name of the numbers."""
        return self._renamed("test_labels", "targets")

    def extra_repr(self):
        """Which of the two parts it is."""
        return f"Split: {'Train' if self.train else 'Test'}"


class FashionMNIST(MNIST):
    """Pieces of clothing."""

    classes = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
               "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]


class KMNIST(MNIST):
    """Old Japanese characters."""

    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]
