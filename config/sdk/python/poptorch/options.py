"""poptorch.Options: how a model is compiled and run.

The names, the defaults and the words of errors are PopTorch's.  A method that
changes something returns its object, so that calls can be chained; each value
can be read back as an attribute.
"""

import copy
import logging
import os

from . import enums
from ._options_config import ConfigFileError, apply_environment, load_file
from .execution import (
    ExecutionStrategy, ParallelPhasedExecution, Phase, PipelinedExecution,
    SerialPhasedExecution, ShardedExecution, Stage)
from .option_groups import (
    TensorLocationSettings, _DistributedOptions, _JitOptions, _PopartOptions,
    _PrecisionOptions, _TensorLocationOptions, _TrainingOptions,
    older_name, require_positive)
from .settings import Settings, require, require_type

__all__ = [
    "ConfigFileError", "Options", "ParallelPhasedExecution", "Phase",
    "PipelinedExecution", "SerialPhasedExecution", "ShardedExecution",
    "Stage", "TensorLocationSettings"]

logger = logging.getLogger("poptorch::python")

# Files that are not named as the place of an operation: a reader looks for
# the line of the model.
_LOCATION_EXCLUDES = ("install/poptorch", "site-packages/torch",
                      "site-packages/poptorch")


def _torch():
    """PyTorch where there is one; the options also work without."""
    try:
        import torch
    except ImportError:
        return None
    return torch

_GROUPS = ("Distributed", "Jit", "Precision", "TensorLocations", "Training",
           "_Popart")


class Options(Settings):
    """How a model is compiled and run."""

    _LATER = {"input_replication_factor": 1, "input_group_size": 1,
              "input_group_type": enums.CommGroupType.All,
              "updatable_named_buffers": [], "max_repeat_logs": 4}

    def __init__(self):
        self._popart = _PopartOptions()
        self._jit = _JitOptions()
        self._precision = _PrecisionOptions(self._popart)
        self._training = _TrainingOptions(self._popart)
        self._distributed = _DistributedOptions()
        self._tensor_locations = _TensorLocationOptions()
        self._execution_strategy = PipelinedExecution()
        self._relax_optimizer_checks = False
        self._show_compilation_progress_bar = True
        self._module_namescope_enabled = True
        self._source_location_excludes = list(_LOCATION_EXCLUDES)
        super().__init__(
            replication_factor=1,
            broadcast_buffers=True,
            device_iterations=1,
            log_dir=".",
            auto_round_num_ipus=False,
            anchored_tensors={},
            output_mode=enums.OutputMode.Default.value,
            output_return_period=1,
            connection_type=enums.ConnectionType.Always.value,
            sync_pattern=enums.SyncPattern.Full.value,
            available_memory_proportion={})
        cache = os.environ.get("POPTORCH_CACHE_DIR", "")
        if cache:
            logger.info("POPTORCH_CACHE_DIR is set: setting cache path to %s",
                        cache)
            self.enableExecutableCaching(cache)
        apply_environment(self)

    @property
    def TensorLocations(self):
        """Where tensors are kept."""
        return self._tensor_locations

    @property
    def Distributed(self):
        """The number of processes, and the number of this one; under poprun,
        popdist.poptorch.Options sets both."""
        return self._distributed

    @property
    def Jit(self):
        """How PyTorch's graph is made."""
        return self._jit

    @property
    def Precision(self):
        """The types of numbers."""
        return self._precision

    @property
    def Training(self):
        """The options that only training has."""
        return self._training

    @property
    def _Popart(self):
        return self._popart

    # Their names in older SDKs.
    Popart = _Popart
    GraphProcessing = Precision

    def sourceLocationExcludes(self, excludes):
        """Set parts of file paths that are never named as the source of an
        operation."""
        self._source_location_excludes = list(excludes)
        return self

    def appendToLocationExcludes(self, *excludes):
        """Add such parts to the existing ones."""
        self._source_location_excludes = \
            self._source_location_excludes + list(excludes)
        return self

    def loadFromFile(self, filepath):
        """Call the methods that a file contains, one in each line, such as
        "Training.gradientAccumulation(4)"; lines with # are comments."""
        load_file(self, filepath)
        return self

    def autoRoundNumIPUs(self, auto_round_num_ipus=True):
        """Set whether the number of IPUs is rounded up to a power of two."""
        self.set(auto_round_num_ipus=auto_round_num_ipus)
        return self

    def deviceIterations(self, device_iterations):
        """Set how many iterations the device runs in one call."""
        require_positive(device_iterations, "deviceIterations")
        self.set(device_iterations=device_iterations)
        return self

    def replicationFactor(self, replication_factor,
                          input_replication_factor=None):
        """Set the number of replicas of the model in this process, and how
        many of them get different inputs (default: all)."""
        require_positive(replication_factor, "replicationFactor")
        if input_replication_factor is not None:
            require_positive(input_replication_factor,
                             "input_replication_factor")
            if replication_factor % input_replication_factor:
                raise ValueError(
                    f"the replication factor {replication_factor} is not a "
                    "multiple of input_replication_factor "
                    f"{input_replication_factor}")
        self.set(replication_factor=replication_factor)
        self.deleteIfExists("input_replication_factor")
        if input_replication_factor is not None:
            self.set(input_replication_factor=input_replication_factor)
        return self

    def inputReplicaGrouping(self, input_group_size, input_group_type):
        """Give this many replicas the same inputs: neighbours if the type is
        Consecutive, those in the same position if it is Orthogonal."""
        require_positive(input_group_size, "input_group_size")
        require_type(input_group_type, enums.CommGroupType,
                     "input_group_type")
        if input_group_type == enums.CommGroupType.All:
            raise ValueError("poptorch.CommGroupType.All is not valid as an "
                             "input group type")
        self.set(input_group_size=input_group_size,
                 input_group_type=input_group_type)
        return self

    def _input_grouping(self):
        """Which replicas get the same inputs: what replicaGrouping() of a
        weight is told as well."""
        kind, size = self.input_group_type, self.input_group_size
        if self.exists("input_replication_factor"):
            size = self.replication_factor // \
                self._values["input_replication_factor"]
        if kind == enums.CommGroupType.NoGrouping:
            size = 1
        elif kind == enums.CommGroupType.All:       # nothing was said
            kind = enums.CommGroupType.Consecutive
        return kind, size, enums.VariableRetrievalMode.OnePerGroup

    def _input_replicas(self):
        """How many different inputs all replicas together get."""
        return max(1, self.replication_factor // self._input_grouping()[1])

    def updatableNamedBuffers(self, buffers):
        """Set the names of buffers that copyNamedBuffersToDevice() updates
        between runs."""
        self.set(updatable_named_buffers=list(buffers))
        return self

    def maxRepeatLogs(self, max_repeat_logs):
        """Set how often the compiler may log the same line; None: always."""
        self.set(max_repeat_logs=(
            0 if max_repeat_logs is None else max_repeat_logs))
        return self

    def setExecutionStrategy(self, strategy):
        """Set how the model's blocks are spread over IPUs and time."""
        require(isinstance(strategy, ExecutionStrategy),
                "setExecutionStrategy takes poptorch.PipelinedExecution, "
                "ShardedExecution, ParallelPhasedExecution or "
                "SerialPhasedExecution")
        self._execution_strategy = strategy
        return self

    def setAvailableMemoryProportion(self, available_memory_proportion):
        """Set the share of each IPU's memory that an operation may use
        temporarily: {"IPU0": 0.5}."""
        memory = {}
        for key, share in available_memory_proportion.items():
            require(key.startswith("IPU") and key[3:].isdigit(),
                    "Available memory proportions are expected to be in a "
                    "dictionary of {\"IPU0\": 0.5} where the 0 in IPU is the "
                    f"index of the IPU. Invalid key: {key}")
            memory[int(key[3:])] = share
        self.set(available_memory_proportion=memory)
        return self

    def broadcastBuffers(self, broadcast_buffers=True):
        """Set whether all replicas begin with the same buffers."""
        self.set(broadcast_buffers=broadcast_buffers)
        return self

    def logDir(self, log_dir):
        """Set the directory of log files."""
        self.set(log_dir=log_dir)
        return self

    def modelName(self, name):
        """Set the model's name, which is also the name of its profile's
        directory."""
        self.createOrSet(model_name=name)
        return self

    def enableExecutableCaching(self, path):
        """Set the directory in which compiled models are kept; None: keep
        none."""
        if path is not None:
            self._Popart.set("cachePath", path)
        self._Popart.set("enableEngineCaching", path is not None)
        return self

    def useIpuModel(self, use_model):
        """Set whether to run on an IPU model, which needs no IPUs."""
        self.createOrSet(use_model=use_model)
        return self

    def connectionType(self, connection_type):
        """Set when to attach to the IPUs."""
        require_type(connection_type, enums.ConnectionType, "connection_type")
        self.set(connection_type=connection_type.value)
        return self

    def syncPattern(self, sync_pattern):
        """Set which IPUs wait for each other."""
        require_type(sync_pattern, enums.SyncPattern, "sync_pattern")
        self.set(sync_pattern=sync_pattern.value)
        return self

    def useIpuId(self, ipu_id):
        """Use the device with this id, which must have as many IPUs as all
        replicas need; gc-info -l lists the devices."""
        require_type(ipu_id, int, "ipu_id")
        self.createOrSet(ipu_id=ipu_id)
        return self

    def useOfflineIpuTarget(self, ipu_version=2):
        """Compile only, for an IPU of this version."""
        self.connectionType(enums.ConnectionType.Never)
        self.createOrSet(ipu_version=ipu_version)
        return self

    def anchorTensor(self, short_name, long_name, output_mode=None,
                     output_return_period=1):
        """Return this PopART tensor under a name of your own."""
        if output_mode != enums.OutputMode.EveryN:
            output_return_period = 1
        self.anchored_tensors[short_name] = [
            long_name, output_mode is None, output_mode, output_return_period]

    def outputMode(self, output_mode, output_return_period=None):
        """Set which results to return; a period is needed for EveryN."""
        require_type(output_mode, enums.OutputMode, "output_mode")
        if output_mode == enums.OutputMode.EveryN:
            require(output_return_period and output_return_period > 0,
                    "EveryN anchor must have output_return_period set to "
                    "valid positive integer")
        elif output_return_period:
            logger.info("Anchor return period argument ignored with "
                        "output_mode set to %s", output_mode)
        self.set(output_mode=output_mode.value,
                 output_return_period=output_return_period or 1)
        return self

    def defaultOutputMode(self):
        """Return whether outputMode() was not called."""
        return self.output_mode == enums.OutputMode.Default

    anchorMode = older_name("poptorch.Options", "anchorMode", "2.4",
                            outputMode)
    defaultAnchorMode = older_name("poptorch.Options", "defaultAnchorMode",
                                   "2.4", defaultOutputMode)

    def randomSeed(self, random_seed):
        """Set the seed of random numbers, also for PyTorch."""
        require_type(random_seed, int, "random_seed")
        self.createOrSet(random_seed=random_seed)
        torch = _torch()
        if torch is not None:
            torch.manual_seed(random_seed)
        return self

    def enableStableNorm(self, enabled):
        """Set whether norms are computed more exactly, but slower."""
        self._Popart.set("enableStableNorm", enabled)
        return self

    def enableSyntheticData(self, enabled):
        """Set whether the device makes up its data: PopART's mode 2, random
        normal; 0 is off."""
        self._Popart.set("syntheticDataMode", 2 if enabled else 0)
        return self

    def logCycleCount(self, log_cycle_count):
        """Set whether to count the cycles of a run."""
        self._Popart.set("instrumentWithHardwareCycleCounter",
                         log_cycle_count)
        return self

    def enableProfiling(self, profile_dir=None):
        """Write a profile below this directory."""
        said = os.environ.get("POPLAR_ENGINE_OPTIONS", "")
        if any(name in said for name in ("debug.allowOutOfMemory",
                                         "autoReport.directory",
                                         "autoReport.all")):
            logger.warning("Profiling setting overriden by environment "
                           "variable. Check content of "
                           "POPLAR_ENGINE_OPTIONS.")
        engine = dict(self._popart.options.get("engineOptions", {}))
        engine["debug.allowOutOfMemory"] = "true"
        engine["autoReport.directory"] = profile_dir or "."
        engine["autoReport.all"] = "true"
        self._popart.setEngineOptions(engine)
        return self

    def showCompilationProgressBar(self, show=True):
        """Set whether a compilation shows its progress."""
        self._show_compilation_progress_bar = show
        return self

    def relaxOptimizerAttributesChecks(self, relax=True):
        """Set whether unknown attributes of an optimizer are ignored."""
        self._relax_optimizer_checks = relax
        return self

    def disableModuleNamescope(self):
        """Name operations without the names of their modules."""
        self._module_namescope_enabled = False
        return self

    def clone(self):
        """Return a copy that can be changed."""
        return copy.deepcopy(self)

    def toDict(self):
        """Return all options as one dictionary, for a compiled model."""
        require(not self.defaultOutputMode(),
                "An output mode must be picked before serialisation")
        out = self._execution_strategy.backendOptions()
        out.update(self._popart.options)
        for part in (self, self._training, self._distributed,
                     self._tensor_locations):
            Settings.update(part, out)
        return out

    def __repr__(self):
        """As PopTorch 3.0 writes it, oddities included."""
        values = "Options(, ".join(f"{name}={value!r}"
                                   for name, value in self._values.items())
        groups = ", , ".join(f"{name}={getattr(self, name)}"
                             for name in _GROUPS)
        return f"{values}{groups})"
