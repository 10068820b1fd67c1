"""What datasets of images have in common."""

import os

import torch


class StandardTransform:
    """Two transforms, one of images and one of what they show."""

    def __init__(self, transform=None, target_transform=None):
        self.transform = transform
        self.target_transform = target_transform

    def __call__(self, image, target):
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target

    def __repr__(self):
        lines = [type(self).__name__]
        for head, transform in (("Transform: ", self.transform),
                                ("Target transform: ",
                                 self.target_transform)):
            if transform is not None:
                shown = repr(transform).splitlines()
                lines.append(head + shown[0])
                lines += [" " * len(head) + line for line in shown[1:]]
        return "\n".join(lines)


class VisionDataset(torch.utils.data.Dataset):
    """A dataset below a directory, with transforms of its items."""

    def __init__(self, root, transforms=None, transform=None,
                 target_transform=None):
        separate = transform is not None or target_transform is not None
        if transforms is not None and separate:
            raise ValueError("Only transforms or transform/target_transform "
                             "can be passed as argument")
        self.root = os.path.expanduser(root) if isinstance(root, str) \
            else root
        self.transform = transform
        self.target_transform = target_transform
        self.transforms = StandardTransform(transform, target_transform) \
            if separate else transforms

    def extra_repr(self):
        """A line more for repr()."""
        return ""

    def __repr__(self):
        lines = [f"Number of datapoints: {len(self)}",
                 f"Root location: {self.root}"]
        lines += self.extra_repr().splitlines()
        if self.transforms is not None:
            lines.append(repr(self.transforms))
        return "\n    ".join([f"Dataset {type(self).__name__}"] + lines)
