"""The groups of poptorch.Options: opts.Training, opts.Precision and so on.

A method that changes something returns its object, so that calls can be
chained; each value can be read back as an attribute.
"""

import functools
import glob
import json
import logging
import os

from . import autocasting, enums
from .settings import Freezable, Settings, require, require_type


logger = logging.getLogger("poptorch::python")


def require_positive(value, name):
    """Refuse a count of nothing; what is not a number is refused as any
    other value of a wrong type."""
    if isinstance(value, int) and value < 1:
        raise ValueError(f"{name} must be 1 or more, not {value}")


def older_name(domain, name, since, method):
    """A method by the name that it had, which has been deprecated since that
    version of PopTorch."""
    @functools.wraps(method)
    def wrapped(*args, **kwargs):
        logger.warning("%s.%s is deprecated since version %s and will be "
                       "removed in a future release.\nReason: Use %s instead.",
                       domain, name, since, method.__name__)
        return method(*args, **kwargs)

    wrapped.__name__ = name
    return wrapped


class _JitOptions(Settings):
    """opts.Jit: how PyTorch's graph is made."""

    def __init__(self):
        super().__init__(trace_model=False)

    def traceModel(self, trace_model):
        """Trace the model; otherwise its operations are dispatched, which
        is what happens here in any case."""
        if trace_model:
            logger.warning("trace_model=True is deprecated since version 3.0 "
                           "and will be removed in a future release")
        self.set(trace_model=trace_model)
        return self


class _PopartOptions(Freezable):
    """opts._Popart: options of PopART, by their names."""

    def __init__(self):
        self.options = {}
        self.set("instrumentWithHardwareCycleCounter", False)
        self.set("rearrangeAnchorsOnHost", False)

    def set(self, key, value):
        """Any value for any name."""
        self.checkIsFrozen()
        self.options[key] = value
        return self

    def setEngineOptions(self, engine_options):
        """Options of Poplar's engine, a dictionary of strings."""
        return self.set("engineOptions", engine_options)

    def setPatterns(self, patterns, level=2):
        """Which of PopART's patterns are on."""
        require_type(level, int, "level")
        require_type(patterns, dict, "patterns")
        self.set("patterns_level", level)
        return self.set("patterns", patterns)

    def __repr__(self):
        values = ", ".join(f"{name}={value!r}"
                           for name, value in self.options.items())
        return f"{type(self).__name__}({values})"


class _PrecisionOptions(Settings):
    """opts.Precision: the types of numbers."""

    def __init__(self, popart_options):
        self._popart_options = popart_options
        super().__init__(
            autocast_enabled=True,
            autocast_policy=autocasting.default,
            autocast_policy_dict=autocasting.default._dict(),
            half_float_casting=enums.HalfFloatCastingBehavior.Default)

    def autocastEnabled(self, autocast_enabled):
        """Whether operations choose their types by themselves."""
        if not isinstance(autocast_enabled, bool):
            raise ValueError(
                "autocastEnabled must be set to either True or False")
        self.set(autocast_enabled=autocast_enabled)
        return self

    def autocastPolicy(self, autocast_policy):
        """Which operations choose which type."""
        if not isinstance(autocast_policy, autocasting.Policy):
            raise ValueError("autocastPolicy must be set to an instance of"
                             "poptorch.autocasting.Policy")
        self.set(autocast_policy=autocast_policy,
                 autocast_policy_dict=autocast_policy._dict())
        return self

    def halfFloatCasting(self, half_float_casting):
        """What happens to a half and a float in one operation."""
        if not isinstance(half_float_casting, enums.HalfFloatCastingBehavior):
            raise ValueError(
                "halfFloatCasting must be set to "
                "poptorch.HalfFloatCastingBehavior.FloatDowncastToHalf or "
                "poptorch.HalfFloatCastingBehavior.HalfUpcastToFloat or "
                "poptorch.Default")
        self.set(half_float_casting=half_float_casting)
        return self

    def runningStatisticsAlwaysFloat(self, value):
        """Whether a batch normalisation keeps floats, also for halves."""
        if not isinstance(value, bool):
            raise ValueError(
                "runningStatisticsAlwaysFloat needs to be set to a bool")
        self.createOrSet(running_statistics_always_float=value)
        return self

    runningVarianceAlwaysFloat = older_name(
        "poptorch.Options.Precision", "runningVarianceAlwaysFloat", "2.1",
        runningStatisticsAlwaysFloat)

    def enableFloatingPointExceptions(self, enabled):
        """Whether a division by zero and the like is an error."""
        require(isinstance(enabled, bool),
                "enableFloatingPointExceptions needs to be set to a bool")
        self._popart_options.set("enableFloatingPointChecks", enabled)
        return self

    def enableStochasticRounding(self, enabled):
        """Whether halves are rounded at random."""
        self._popart_options.set("enableStochasticRounding", enabled)
        return self

    def setPartialsType(self, dtype):
        """The type of the partial sums of products: torch.float or
        torch.half."""
        names = {"torch.float32": "float", "torch.float16": "half"}
        if str(dtype) not in names:
            raise ValueError("parameter to setPartialsType should be either"
                             "torch.float or torch.half")
        name = names[str(dtype)]
        self._popart_options.set("partialsTypeMatMuls", name)
        self._popart_options.set("convolutionOptions",
                                 {"partialsType": name})
        return self


class _TrainingOptions(Settings):
    """opts.Training: what only training has."""

    def __init__(self, popart_options):
        self._popart_options = popart_options
        super().__init__(
            gradient_accumulation=1,
            accumulation_and_replication_reduction_type=(
                enums.ReductionType.Mean),
            meanAccumulationAndReplicationReductionStrategy=(
                enums.MeanReductionStrategy.Post))

    def gradientAccumulation(self, gradient_accumulation):
        """How many micro-batches make one update of the weights."""
        require_positive(gradient_accumulation, "gradientAccumulation")
        self.set(gradient_accumulation=gradient_accumulation)
        return self

    def accumulationAndReplicationReductionType(self, reduction_type):
        """Whether gradients are added up, or averaged."""
        if reduction_type not in (enums.ReductionType.Mean,
                                  enums.ReductionType.Sum) or \
                not isinstance(reduction_type, enums.ReductionType):
            raise ValueError("accumulationAndReplicationReductionType must be "
                             "set to poptorch.ReductionType.Mean or "
                             "poptorch.ReductionType.Sum")
        self.set(accumulation_and_replication_reduction_type=reduction_type)
        return self

    accumulationReductionType = older_name(
        "poptorch.Options.Training", "accumulationReductionType", "2.1",
        accumulationAndReplicationReductionType)

    def setMeanAccumulationAndReplicationReductionStrategy(
            self, mean_reduction_strategy):
        """When the mean divides."""
        self.set(meanAccumulationAndReplicationReductionStrategy=(
            mean_reduction_strategy))
        return self

    def setAutomaticLossScaling(self, enabled):
        """Whether the loss is scaled so that halves suffice."""
        self._popart_options.set("automaticLossScalingSettings.enabled",
                                 enabled)
        return self

    def setConvolutionDithering(self, enabled):
        """Whether convolutions begin at different tiles."""
        self._popart_options.set("convolutionOptions",
                                 {"enableConvDithering": enabled})
        return self


class _DistributedOptions(Settings):
    """opts.Distributed: which of how many processes this one is.  Open MPI's
    variables say it unless something else is set."""

    def __init__(self):
        self._gcd_mappings = {}
        super().__init__(num_distributed_processes=1,
                         distributed_process_id=0,
                         ipuof_configs={})
        _DistributedOptions.setEnvVarNames(self, "OMPI_COMM_WORLD_SIZE",
                                           "OMPI_COMM_WORLD_RANK")

    def disable(self):
        """This is the only process."""
        self.set(num_distributed_processes=1, distributed_process_id=0)
        return self

    def setEnvVarNames(self, var_num_processes, var_process_id):
        """Variables of the environment that say it."""
        return _DistributedOptions.configureProcessId(
            self, int(os.environ.get(var_process_id, "0")),
            int(os.environ.get(var_num_processes, "1")))

    def configureProcessId(self, process_id, num_processes):
        """Say it."""
        if not 0 <= process_id < num_processes:
            raise ValueError(f"process {process_id} is not one of "
                             f"{num_processes} processes")
        self.set(distributed_process_id=process_id,
                 num_distributed_processes=num_processes)
        return self

    def IPUoFConfigFiles(self, files):
        """The files of partitions: a pattern or a list of them.  Each file
        says of which GCD it is, and so of which process."""
        patterns = [files] if isinstance(files, str) else files
        found = sorted(name for pattern in patterns
                       for name in glob.glob(os.path.expanduser(pattern)))
        if not found:
            raise ValueError(f"IPUoF configuration file {files} does not "
                             "exist")
        mappings = {}
        for name in found:
            with open(name) as stream:
                attributes = json.load(stream).get("attributes", {})
            gcd = int(attributes.get("GCD Id", 0))
            if gcd in mappings:
                raise ValueError(f"{mappings[gcd]} and {name} both describe "
                                 f"GCD {gcd}")
            mappings[gcd] = name
        self._gcd_mappings = mappings
        self.set(ipuof_configs=dict(mappings))
        return self

    @property
    def processId(self):
        """The number of this process."""
        return self.distributed_process_id

    @property
    def numProcesses(self):
        """How many processes there are."""
        return self.num_distributed_processes


class TensorLocationSettings(Settings):
    """Where tensors of one kind are kept."""

    def minElementsForOffChip(self, min_elements):
        """Set the number of elements below which a tensor stays on the IPU."""
        require_type(min_elements, int, "min_elements")
        self.createOrSet(minElementsForOffChip=min_elements)
        return self

    def minElementsForReplicatedTensorSharding(self, min_elements):
        """Set the number of elements below which a tensor is not sharded over
        the replicas."""
        require_type(min_elements, int, "min_elements")
        self.createOrSet(minElementsForReplicatedTensorSharding=min_elements)
        return self

    def useOnChipStorage(self, use=True):
        """Set whether tensors are kept on the IPU; None leaves that open."""
        if use is None:
            self.deleteIfExists("onChip")
            return self
        require_type(use, bool, "use")
        self.createOrSet(onChip=int(use))
        return self

    def useReplicatedTensorSharding(self, use=True):
        """Set whether each replica keeps only a part of a tensor."""
        require_type(use, bool, "use")
        self.createOrSet(useReplicatedTensorSharding=int(use))
        return self

    def useIOTilesToLoad(self, use=True):
        """Set whether I/O tiles load the tensors."""
        require_type(use, bool, "use")
        self.createOrSet(useIOTilesToLoad=int(use))
        return self

    def useIOTilesToStore(self, use=True):
        """Set whether I/O tiles store the tensors."""
        require_type(use, bool, "use")
        self.createOrSet(useIOTilesToStore=int(use))
        return self


class _TensorLocationOptions(Settings):
    """opts.TensorLocations: where tensors are kept."""

    def numIOTiles(self, num_tiles):
        """How many tiles of an IPU only do input and output."""
        require_type(num_tiles, int, "num_tiles")
        require(32 <= num_tiles <= 192 and num_tiles % 2 == 0,
                "numIOTiles must be an even number between 32 and 192.")
        self.createOrSet(numIOTiles=num_tiles)
        return self

    def _set_location(self, name, location):
        require_type(location, TensorLocationSettings, "location")
        self.createOrSet(**{name: location.toDict()})
        return self

    def setActivationLocation(self, location):
        """Of activations."""
        return self._set_location("location_activation", location)

    def setWeightLocation(self, location):
        """Of weights."""
        return self._set_location("location_weight", location)

    def setOptimizerLocation(self, location):
        """Of the optimizer's state."""
        return self._set_location("location_optimizer", location)

    def setAccumulatorLocation(self, location):
        """Of accumulated gradients."""
        return self._set_location("location_accumulator", location)
