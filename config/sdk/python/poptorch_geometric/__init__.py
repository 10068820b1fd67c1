"""PopTorch Geometric is not a part of ipubox: this says what to do instead.
Where the real package is installed, it takes this one's place.
"""
from ipubox_sdk.handover import hand_over

if not hand_over(__name__):
    raise ImportError(
        "poptorch_geometric is not a part of ipubox; pad graphs to one size, "
        "for example with torch_geometric.transforms.Pad, and load them with "
        "poptorch.DataLoader and a collate_fn that returns tensors")
