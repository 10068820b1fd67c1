"""What PopTorch has in C++: its errors, and names of the compiler's.

The errors and the settings are as in PopTorch.  What would compile or run a
graph by itself raises a sentence: models are run by poptorch.inferenceModel
and poptorch.trainingModel.
"""

import enum

from . import _logging
from ._session_options import InvalidOption, validate


class Error(RuntimeError):
    """An error of PopTorch: type names the part that failed, message the
    reason, and location the place; str() has all three."""

    def __init__(self, text="", type="", message=None, location=""):
        super().__init__(text)
        self.type = type
        self.message = text if message is None else message
        self.location = location

    def __reduce__(self):
        return (self.__class__, self.args, self.__dict__)


class RecoverableError(Error):
    """A hardware failure that recovery_action can clear: FULL_RESET, IPU_RESET
    or PARTITION_RESET."""

    def __init__(self, text="", type="", message=None, location="",
                 recovery_action=""):
        super().__init__(text, type, message, location)
        self.recovery_action = recovery_action


class UnrecoverableError(Error):
    """A hardware failure that no reset clears."""


class TracingMode(enum.IntEnum):
    """What compiles a model."""
    PopART = 0
    MLIR = 1
    Sentinel = 2


class TestErrorType(enum.IntEnum):
    """Which error _throwTestError raises."""
    Poptorch = 0
    Popart = 1
    PopartInternal = 2
    Poplibs = 3
    PoplarUnrecoverable = 4
    PoplarUnknown = 5
    PoplarRecoverableFullReset = 6
    PoplarLinkError = 7

    # pytest takes a class that is called Test... for one of its own.
    __test__ = False


def make_error(kind, text, context=(), error_class=Error, **fields):
    """An error as it comes from C++: kind is its type, such as
    "poptorch_cpp_error", and context names the functions that it came
    through, the innermost first."""
    location = "\n".join(f"  [{number}] {name}"
                         for number, name in enumerate(context))
    whole = f"In unknown:0: '{kind}': {text}"
    if location:
        whole += f"\nError raised in:\n{location}"
    return error_class(whole, kind, text, location, **fields)


_TEST_ERRORS = {
    TestErrorType.Poptorch: (
        "poptorch_cpp_error", "This is a PopTorch error", Error),
    TestErrorType.Popart: (
        "popart_exception", "This is a Popart error", Error),
    TestErrorType.PopartInternal: (
        "popart_internal_exception", "This is a Popart error", Error),
    TestErrorType.Poplibs: (
        "poplibs_exception", "This is a Poplibs error", Error),
    TestErrorType.PoplarUnrecoverable: (
        "poplar_unrecoverable_runtime_error", "This is not recoverable",
        UnrecoverableError),
    TestErrorType.PoplarUnknown: (
        "poplar_unknown_runtime_error", "Don't know what happened", Error),
    TestErrorType.PoplarRecoverableFullReset: (
        "poplar_recoverable_runtime_error", "Reboot needed",
        RecoverableError),
    TestErrorType.PoplarLinkError: (
        "poplar_link_error", "Link error. Output: Library -lfoo not found\n"
        "check path", Error),
}


def _throwTestError(test_error):
    """Raise an error of that type, so that a program can try what it does
    about it."""
    test_error = TestErrorType(test_error)
    kind, text, error_class = _TEST_ERRORS[test_error]
    fields = {}
    if error_class is RecoverableError:
        fields["recovery_action"] = "FULL_RESET"
    raise make_error(kind, text,
                     ("throwTestError::bottomLevel",
                      "throwTestError::topLevel"), error_class, **fields)


class CompilerOptions:
    """What the dispatcher is told before it traces a model."""

    def __init__(self):
        self.use_eager_mode = False
        self.use_lazy_tensor = False
        self.source_location_excludes = []


def setLogLevel(level):
    """Set the lowest level of the compiler's messages that are written: 0
    (trace) to 4 (errors), or 6 (none)."""
    _logging.set_compiler_level(level)


def setPopartLogLevel(level):
    """Set the same for PopART's messages."""
    _logging.setPopartLogLevel(level)


def mlirIsSupportedOnPlatform():
    """Return False: ipubox cannot compile models with MLIR."""
    return False


def enableEagerMode(headless=False):
    """Run operations one at a time: that takes MLIR."""
    raise _refusal("enableEagerMode")


def eagerModeEnabled():
    """Return False: operations never run one at a time."""
    return False


def _validateOptions(options):
    """Raise what a compilation would raise for these options, which are
    those of poptorch.Options.toDict()."""
    _logging.set_max_repeats(options.get("max_repeat_logs", 0))
    try:
        validate(options, _logging.compiler_log)
    except InvalidOption as error:
        raise make_error("poptorch_cpp_error", str(error)) from None


# What finds the version of the hardware: a function of the number of IPUs.
# The executor, which knows the devices, registers it.
_hardware_version_source = None


def set_hardware_version_source(source):
    """Let ipuHardwareVersion() ask that function."""
    global _hardware_version_source
    _hardware_version_source = source


def ipuHardwareVersion(numIpus=1):
    """Return 2 for Mk2 IPUs or 21 for Bow IPUs; 0 if there are too few IPUs,
    or if the IPU model is used."""
    if _hardware_version_source is None:
        return 0
    return _hardware_version_source(numIpus)


# PopTorch's other names.  Programs do not call them, PopTorch's own files do.
_COMPILER_NAMES = frozenset((
    "InternalPoplarExecutable", "MLIRExecutor", "_getPopartIR",
    "_getTensorNames", "appendPoptorchMetadataToFile", "attachToDevice",
    "compileMLIR", "compileWithManualTracing", "compileWithTrace",
    "copyWeightsToDevice_impl", "copyWeightsToHost_impl", "createGraph",
    "cycleCount", "destroyDispatcher", "detachFromDevice", "endDispatch",
    "endOutputsMove", "endParametersMove", "execute", "finalizeGraph",
    "getIpuTensorId", "getRandomSeed", "getRngState", "getTimestamps",
    "importPoptorchMetadataFromFile", "isAlreadyRegistered",
    "isAttachedToDevice", "isCompilingWithDispatcher",
    "isGraphNondeterministic", "loadEngineAndConnectStreams",
    "mapParamsToNames", "markStep", "processDispatchAndImportExecutable",
    "processPrecisionOptions", "processTraceAndImportExecutable",
    "promoteArgsAsInputs", "promoteOutputs", "readOptimizerState",
    "registerBuffersWithCallback", "registerCPUCallBack",
    "saveExecutableToFile", "setCustomCodeletsPath", "setPerReplica",
    "setRngState", "startDispatch", "startOutputsMove",
    "startParametersMove", "updateOptimizers", "writeOptimizerState"))


def _refusal(name):
    return Error(f"poptorch_core.{name} belongs to the compiler of "
                 "Graphcore's PopTorch, which ipubox does not have; run "
                 "models with poptorch.inferenceModel and "
                 "poptorch.trainingModel",
                 "poptorch_py_error")


def __getattr__(name):
    if name not in _COMPILER_NAMES:
        raise AttributeError("module 'poptorch.poptorch_core' has no "
                             f"attribute '{name}'")

    def refuse(*args, **kwargs):
        raise _refusal(name)
    refuse.__name__ = name
    return refuse
