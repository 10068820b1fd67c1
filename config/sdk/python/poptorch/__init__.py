"""PopTorch: PyTorch models on IPUs.

Without PyTorch there are the options and what else needs no tensors.  Where
Graphcore's PopTorch is installed, it takes this package's place.
"""
from ipubox_sdk.handover import hand_over

# Names of PopTorch that need a compiled model, or the device it runs on.
_COMPILED = frozenset((
    "AsynchronousDataAccessor", "BeginBlock", "Block", "BlockFunction",
    "DataLoader", "MultiConv", "PoplarExecutor", "addBlock",
    "custom_op", "for_loop", "fused_optim", "identity_loss",
    "inferenceModel", "ipuHardwareIsAvailable",
    "ipu_print_tensor", "load", "nop", "optim",
    "recomputationCheckpoint", "removeBlocks", "serializedMatMul",
    "set_available_memory", "set_overlap_for_input",
    "set_overlap_for_output", "trainingModel"))

# Names that need PyTorch, and no model.
_OF_TORCH = frozenset((
    "ICustomArgParser", "accessAttributes", "attributes_lists",
    "experimental", "registerCustomArgParser"))


def __getattr__(name):
    if name in _COMPILED:
        raise AttributeError(
            "poptorch.%s runs on compiled models, and this poptorch of ipubox "
            "has the options only (poptorch.Options); Graphcore's PopTorch "
            "takes its place where it is installed" % name)
    if name in _OF_TORCH:
        raise AttributeError(
            "poptorch.%s needs PyTorch, which this Python does not have: "
            "install it by `pip install torch`" % name)
    raise AttributeError("module 'poptorch' has no attribute '%s'" % name)


if not hand_over(__name__):
    # What needs neither PyTorch nor execution.
    import os

    from poptorch import _logging
    _logging.install()

    from poptorch import (
        _impl, autocasting, enums, execution, options, poptorch_core,
        profiling)
    from poptorch._impl import createPoptorchError, isRunningOnIpu
    from poptorch._logging import logger, setLogLevel
    from poptorch._options_config import ConfigFileError
    from poptorch.autocasting import autocast
    from poptorch.enums import (
        AnchorMode, AutoStage, CommGroupType, Compiler, ConnectionType,
        DataLoaderMode, HalfFloatCastingBehavior, Liveness,
        MatMulSerializationMode, MeanReductionStrategy, MultiConvPlanType,
        OutputMode, OverlapMode, ReductionType, SharingStrategy, SyncPattern,
        VariableRetrievalMode)
    from poptorch.execution import (
        ParallelPhasedExecution, Phase, PipelinedExecution,
        SerialPhasedExecution, ShardedExecution, Stage)
    from poptorch.options import Options, TensorLocationSettings
    from poptorch.poptorch_core import (
        CompilerOptions, Error, RecoverableError, UnrecoverableError,
        enableEagerMode)

    __version__ = "3.0.0+ipubox"

    # Graphcore's drivers ask for it before a process is forked.
    os.environ.setdefault("RDMAV_FORK_SAFE", "1")
    _logging.install_excepthook()

    def hasMLIRSupportOnPlatform():
        """Whether models can be compiled by MLIR: never here."""
        return poptorch_core.mlirIsSupportedOnPlatform()

    # Its name in other SDKs.
    hasMlirSupportOnPlatform = hasMLIRSupportOnPlatform

    def ipuHardwareVersion():
        """2 for Mk2 or 21 for Bow; AssertionError where there is none."""
        version = poptorch_core.ipuHardwareVersion()
        if not version:
            raise AssertionError("No IPU hardware available on this system")
        return version

    __all__ = [
        "AnchorMode", "AutoStage", "CommGroupType", "Compiler",
        "CompilerOptions", "ConfigFileError", "ConnectionType",
        "DataLoaderMode", "Error", "HalfFloatCastingBehavior", "Liveness",
        "MatMulSerializationMode", "MeanReductionStrategy",
        "MultiConvPlanType", "Options", "OutputMode", "OverlapMode",
        "ParallelPhasedExecution", "Phase", "PipelinedExecution",
        "RecoverableError", "ReductionType", "SerialPhasedExecution",
        "ShardedExecution", "SharingStrategy", "Stage", "SyncPattern",
        "TensorLocationSettings", "UnrecoverableError",
        "VariableRetrievalMode", "_impl", "autocast", "autocasting",
        "createPoptorchError", "enableEagerMode", "enums", "execution",
        "hasMLIRSupportOnPlatform", "hasMlirSupportOnPlatform",
        "ipuHardwareVersion", "isRunningOnIpu", "logger", "options",
        "poptorch_core", "profiling", "setLogLevel"]

    # What needs PyTorch, and no execution.
    if autocasting.torch is not None:
        from poptorch import _args_parser, _utils, experimental
        from poptorch._utils import (
            ICustomArgParser, accessAttributes, attributes_lists,
            registerCustomArgParser)

        __all__ += [
            "ICustomArgParser", "_args_parser", "_utils",
            "accessAttributes", "attributes_lists", "experimental",
            "registerCustomArgParser"]
