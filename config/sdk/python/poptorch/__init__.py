"""PopTorch's options, for programs that set them.

This package has what says how a model is compiled and run: Options, its
enums and execution strategies.  What runs models is Graphcore's PopTorch;
where that is installed, it takes this package's place.
"""
from ipubox_sdk.handover import hand_over

# Names of PopTorch that need a compiled model, or the device it runs on.
_COMPILED = frozenset((
    "AsynchronousDataAccessor", "BeginBlock", "Block", "BlockFunction",
    "DataLoader", "MultiConv", "PoplarExecutor", "addBlock",
    "custom_op", "for_loop", "fused_optim", "identity_loss",
    "inferenceModel", "ipuHardwareIsAvailable", "ipuHardwareVersion",
    "ipu_print_tensor", "isRunningOnIpu", "load", "nop", "optim",
    "recomputationCheckpoint", "removeBlocks", "serializedMatMul",
    "set_available_memory", "set_overlap_for_input",
    "set_overlap_for_output", "trainingModel"))


def __getattr__(name):
    if name in _COMPILED:
        raise AttributeError(
            "poptorch.%s runs on compiled models, and this poptorch of ipubox "
            "has the options only (poptorch.Options); Graphcore's PopTorch "
            "takes its place where it is installed" % name)
    raise AttributeError("module 'poptorch' has no attribute '%s'" % name)


if not hand_over(__name__):
    from poptorch import enums, options
    from poptorch.enums import (
        AnchorMode, AutoStage, ConnectionType, DataLoaderMode,
        HalfFloatCastingBehavior, Liveness, MeanReductionStrategy,
        OutputMode, ReductionType, SyncPattern)
    from poptorch.execution import (
        ParallelPhasedExecution, Phase, PipelinedExecution,
        SerialPhasedExecution, ShardedExecution, Stage)
    from poptorch.options import Options, TensorLocationSettings

    __all__ = [
        "AnchorMode", "AutoStage", "ConnectionType", "DataLoaderMode",
        "HalfFloatCastingBehavior", "Liveness", "MeanReductionStrategy",
        "Options", "OutputMode", "ParallelPhasedExecution", "Phase",
        "PipelinedExecution", "ReductionType", "SerialPhasedExecution",
        "ShardedExecution", "Stage", "SyncPattern", "TensorLocationSettings",
        "enums", "options"]
