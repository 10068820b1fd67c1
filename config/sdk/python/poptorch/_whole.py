"""The names of the package that need PyTorch."""

from . import (
    _args_parser, _dataloader, _utils, experimental, ops, optim)
from ._dataloader import AsynchronousDataAccessor, DataLoader
from ._models import (
    inferenceModel, ipuHardwareIsAvailable, trainingModel)
from ._poplar_executor import PoplarExecutor, module_repr
from ._saved import load
from ._utils import (
    ICustomArgParser, accessAttributes, attributes_lists,
    registerCustomArgParser)
from .ops import (
    CPU, Attribute, BeginBlock, Block, BlockFunction, LegacyBeginBlockFn,
    MultiConv, NameScope, cond, ctc_beam_search_decoder, custom_op,
    dynamic_slice, dynamic_update, for_loop, identity_loss, ipu_print_tensor,
    nop, recomputationCheckpoint, removeBlocks, serializedMatMul,
    set_available_memory, set_overlap_for_input, set_overlap_for_output)

__all__ = [
    "AsynchronousDataAccessor", "Attribute", "BeginBlock", "Block",
    "BlockFunction", "CPU", "DataLoader", "ICustomArgParser",
    "LegacyBeginBlockFn", "MultiConv", "NameScope", "PoplarExecutor",
    "_args_parser", "_dataloader", "_utils", "accessAttributes",
    "attributes_lists", "cond", "ctc_beam_search_decoder", "custom_op",
    "dynamic_slice", "dynamic_update", "experimental", "for_loop",
    "identity_loss", "inferenceModel", "ipuHardwareIsAvailable",
    "ipu_print_tensor", "load", "module_repr", "nop", "ops", "optim",
    "poptorchCleanUp", "recomputationCheckpoint", "registerCustomArgParser",
    "removeBlocks", "serializedMatMul", "set_available_memory",
    "set_overlap_for_input", "set_overlap_for_output", "trainingModel"]


def poptorchCleanUp():
    """IPUs are given back when the program ends, whatever ends it."""
