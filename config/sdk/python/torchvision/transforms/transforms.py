"""Transforms of images, as objects."""

import torch

from torchvision.transforms import functional

__all__ = ["Compose", "Lambda", "Normalize", "PILToTensor", "ToTensor"]


class Compose:
    """One transform after the other."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for transform in self.transforms:
            img = transform(img)
        return img

    def __repr__(self):
        lines = [f"\n    {transform}" for transform in self.transforms]
        return f"{type(self).__name__}({''.join(lines)}\n)"


class ToTensor:
    """An image as a tensor of numbers from 0 to 1."""

    def __call__(self, pic):
        return functional.to_tensor(pic)

    def __repr__(self):
        return f"{type(self).__name__}()"


class PILToTensor:
    """An image as a tensor of what its pixels are."""

    def __call__(self, pic):
        return functional.pil_to_tensor(pic)

    def __repr__(self):
        return f"{type(self).__name__}()"


class Normalize(torch.nn.Module):
    """Take the mean of each channel away, and divide by its deviation."""

    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def forward(self, tensor):
        """The normalised tensor."""
        return functional.normalize(tensor, self.mean, self.std,
                                    self.inplace)

    def __repr__(self):
        return f"{type(self).__name__}(mean={self.mean}, std={self.std})"


class Lambda:
    """A function of one's own."""

    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError("Argument lambd should be callable, got "
                            f"{type(lambd).__name__!r}")
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)

    def __repr__(self):
        return f"{type(self).__name__}()"
