"""The processes of a job that train one model together."""
import torch
from popdist import collectives, init, isPopdistEnvSet

from ._logging import logger


def joins(options):
    """Whether this process is one of several under poprun; it joins them."""
    count = options.Distributed.numProcesses
    if count < 2:
        return False
    if not isPopdistEnvSet():
        logger.warning("The options say that this is one of %d processes, but "
                       "poprun did not start it, so it trains alone", count)
        return False
    init()
    return True


def add_up(tensors):
    """Replace tensors by their sums over all processes, which all call it
    with tensors of the same sizes.  One exchange of all bytes costs less than
    one of each."""
    by_type = {}
    for each in tensors:
        by_type.setdefault(each.dtype, []).append(each)
    for dtype in sorted(by_type, key=str):
        group = by_type[dtype]
        flat = torch.cat([each.reshape(-1) for each in group])
        collectives.allReduceSum(flat)
        parts = flat.split([each.numel() for each in group])
        for tensor, part in zip(group, parts):
            tensor.copy_(part.view_as(tensor))
