"""Transforms of images, as functions."""

import numpy
import torch

from torchvision._image import is_image, pixels_of


def _refuse_type(pic):
    if not is_image(pic) and not isinstance(pic, numpy.ndarray):
        raise TypeError("pic should be PIL Image or ndarray. Got "
                        f"{type(pic)}")


def _channels_first(pixels):
    return torch.from_numpy(pixels).permute(2, 0, 1).contiguous()


def to_tensor(pic):
    """A tensor of channels, rows and columns; bytes become numbers from 0
    to 1."""
    _refuse_type(pic)
    if isinstance(pic, numpy.ndarray):
        if pic.ndim not in (2, 3):
            raise ValueError("pic should be 2/3 dimensional. Got "
                             f"{pic.ndim} dimensions.")
        pixels = pic[:, :, None] if pic.ndim == 2 else pic
    else:
        pixels = pixels_of(pic)
    tensor = _channels_first(pixels)
    if tensor.dtype is not torch.uint8:
        return tensor
    return tensor.to(torch.get_default_dtype()).div(255)


def pil_to_tensor(pic):
    """The same without changing numbers."""
    if not is_image(pic):
        raise TypeError(f"pic should be PIL Image. Got {type(pic)}")
    return _channels_first(pixels_of(pic))


def normalize(tensor, mean, std, inplace=False):
    """Take the mean of each channel away, and divide by its deviation."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError("img should be Tensor Image. Got "
                        f"{type(tensor)}")
    if not tensor.is_floating_point():
        raise TypeError("Input tensor should be a float tensor. Got "
                        f"{tensor.dtype}.")
    if tensor.ndim < 3:
        raise ValueError("Expected tensor to be a tensor image of size (..., "
                         f"C, H, W). Got tensor.size() = {tensor.size()}")
    if not inplace:
        tensor = tensor.clone()
    mean = torch.as_tensor(mean, dtype=tensor.dtype, device=tensor.device)
    std = torch.as_tensor(std, dtype=tensor.dtype, device=tensor.device)
    if (std == 0).any():
        raise ValueError("std evaluated to zero after conversion to "
                         f"{tensor.dtype}, leading to division by zero.")
    if mean.ndim == 1:
        mean = mean.view(-1, 1, 1)
    if std.ndim == 1:
        std = std.view(-1, 1, 1)
    return tensor.sub_(mean).div_(std)
