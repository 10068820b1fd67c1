"""Whole batches at once from datasets that are in memory.

PyTorch reads a batch item by item and stacks the items, which takes many
times longer than to copy all of their rows.  For some datasets it is known
what that comes to, and here it is done in a few operations on the batch.
Each bit of the result is the same; who has changed how items are made, by a
class or a transform of one's own, gets them item by item.
"""

import sys

import torch
from torch.utils.data import Subset, TensorDataset


def reader(dataset):
    """A function of a list of indices that gives what the default collate
    function makes of these items, or None where it is not known."""
    kind = type(dataset)
    if kind is Subset:
        return _subset_reader(dataset)
    if kind is TensorDataset:
        return _tensor_reader(dataset.tensors)
    if kind.__module__ == "torchvision.datasets.mnist":
        return _mnist_reader(dataset)
    return None


def _subset_reader(dataset):
    read = reader(dataset.dataset)
    indices = dataset.indices
    if read is None:
        return None
    return lambda batch: read([indices[index] for index in batch])


def _is_plain(tensor):
    """Whether its rows can be copied as they are."""
    return type(tensor) is torch.Tensor and tensor.dim() > 0 and \
        tensor.layout is torch.strided and tensor.device.type == "cpu" and \
        tensor.is_contiguous() and not tensor.requires_grad and \
        not tensor.is_quantized and not tensor.is_conj() and \
        not tensor.is_neg()


def _tensor_reader(tensors):
    if not tensors or not all(map(_is_plain, tensors)):
        return None

    def read(indices):
        wanted = torch.as_tensor(indices)
        return [tensor.index_select(0, wanted) for tensor in tensors]
    return read


def _steps(transform, transforms):
    """The steps of a pipeline of ToTensor and then Normalize, or None where
    there is anything else in it."""
    steps = [transform]
    if type(transform) is transforms.Compose:
        steps = list(transform.transforms)
    known = [transforms.ToTensor] + \
        [transforms.Normalize] * (len(steps) - 1)
    if list(map(type, steps)) != known:
        return None
    return steps[1:]


def _mnist_reader(dataset):
    """MNIST and its relatives, with ToTensor and Normalize."""
    package = sys.modules["torchvision"]
    if type(dataset).__getitem__ is not package.datasets.MNIST.__getitem__ \
            or dataset.target_transform is not None:
        return None
    steps = _steps(dataset.transform, package.transforms)
    data, targets = dataset.data, dataset.targets
    if steps is None or not _is_plain(data) or not _is_plain(targets) or \
            data.dtype is not torch.uint8 or data.dim() != 3 or \
            targets.dtype is not torch.int64 or targets.dim() != 1:
        return None
    normalize = package.transforms.functional.normalize

    def read(indices):
        wanted = torch.as_tensor(indices)
        images = data.index_select(0, wanted).unsqueeze(1)
        images = images.to(torch.get_default_dtype()).div_(255)
        for step in steps:
            images = normalize(images, step.mean, step.std, inplace=True)
        return [images, targets.index_select(0, wanted)]
    return read
