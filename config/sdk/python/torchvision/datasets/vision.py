"""What datasets of images have in common."""

import os

import torch


class VisionDataset(torch.utils.data.Dataset):
    """A dataset below a directory, with transforms of its images and of
    what they show."""

    def __init__(self, root, transforms=None, transform=None,
                 target_transform=None):
        if transforms is not None and \
                (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform "
                             "can be passed as argument")
        self.root = os.path.expanduser(root) if isinstance(root, str) \
            else root
        self.transform = transform
        self.target_transform = target_transform
        self.transforms = transforms

    def extra_repr(self):
        """A line more for repr()."""
        return ""

    def __repr__(self):
        lines = [f"Number of datapoints: {len(self)}",
                 f"Root location: {self.root}"]
        lines += self.extra_repr().splitlines()
        for name, transform in (("Transform", self.transform),
                                ("Target transform", self.target_transform)):
            if transform is not None:
                shown = repr(transform).replace("\n", "\n" + " " * 11)
                lines.append(f"{name}: {shown}")
        return "\n    ".join([f"Dataset {type(self).__name__}"] + lines)
