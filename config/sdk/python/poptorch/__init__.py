"""PopTorch: PyTorch models on IPUs, which ipubox emulates.

A model runs as PopTorch would run it, on PyTorch's own operations.  Without
PyTorch there are the options and what else needs no tensors.  Where
Graphcore's PopTorch is installed, it takes this package's place.  See
ipubox-poptorch(7).
"""
import importlib

from ipubox_sdk.handover import hand_over

# Programs compare it with what they were written for.
__version__ = "3.3.0+ipubox"


# Names that need PyTorch, by the modules that they are in.
_OF_TORCH = {
    "_args_parser": (),
    "_compile_hooks": ("registerPostCompileHook", "registerPreCompileHook"),
    "_dataloader": ("AsynchronousDataAccessor", "DataLoader"),
    "_models": ("inferenceModel", "ipuHardwareIsAvailable",
                "poptorchCleanUp", "trainingModel"),
    "_poplar_executor": ("PoplarExecutor",),
    "_printing": ("module_repr", "print"),
    "_saved": ("load",),
    "_utils": ("ICustomArgParser", "accessAttributes", "attributes_lists",
               "registerCustomArgParser"),
    "experimental": (),
    "ops": ("Attribute", "BeginBlock", "Block", "BlockFunction", "CPU",
            "LegacyBeginBlockFn", "MultiConv", "NameScope", "cond",
            "ctc_beam_search_decoder", "custom_op", "dynamic_slice",
            "dynamic_update", "for_loop", "fps", "identity_loss",
            "ipu_print_tensor", "nearest", "nop", "recomputationCheckpoint",
            "registerCustomOpStandIn", "removeBlocks", "serializedMatMul",
            "set_available_memory", "set_overlap_for_input",
            "set_overlap_for_output"),
    "_operators": (),
    "optim": ()}


def __getattr__(name):
    if name in _OF_TORCH or any(name in names
                                for names in _OF_TORCH.values()):
        raise AttributeError(
            "poptorch.%s needs PyTorch, which this Python does not have: "
            "install it with `pip install torch`" % name)
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

    if autocasting.torch is not None:
        torch = autocasting.torch
        __all__ += ["torch", *_OF_TORCH]
        for _module, _names in _OF_TORCH.items():
            _home = importlib.import_module("poptorch." + _module)
            globals().update((name, getattr(_home, name)) for name in _names)
            __all__ += _names
        # Who imports all names wants Python's own.
        __all__.remove("print")
