"""The options as the compiler takes them: which it knows, of what type each
is, and the lines it logs of them.

poptorch.Options._Popart takes any name.  Only when a model compiles is a name
refused that PopART's SessionOptions do not have, or a value of another type.
"""

import enum

from .settings import require_type


class InvalidOption(Exception):
    """An option that the compiler refuses; the text says why."""


# Options of PopTorch's own and of PopART, by the type of their values.
_BOOLS = frozenset("""
    aliasZeroCopy auto_round_num_ipus
    automaticLossScalingSettings.enabled
    batchSerializationSettings.concatOnExecutionPhaseChange
    batchSerializationSettings.concatOnPipelineStageChange
    batchSerializationSettings.concatOnVirtualGraphChange broadcast_buffers
    compileEngine constantWeights createImplicitPipeliningFwdOnlyProgram
    decomposeGradSum delayVarUpdates disableGradAccumulationTensorStreams
    disableOptimizerStateTensorStreams dotOpNames
    enableConstantFoldingOfMultipleConsumers
    enableDistributedReplicatedGraphs enableEngineCaching enableExplicitIR
    enableExplicitMainLoops enableFloatingPointChecks
    enableFullyConnectedPass enableGradientAccumulation enableGroupedMatmuls
    enableInplaceAmbiguityChecking enableLoadAndOffloadRNGState
    enableMergeExchange enableNonStableSoftmax enableOutlining
    enableOutliningCopyCostPruning enablePipelining enablePrefetchDatastreams
    enableReplicatedGraphs enableRngStateManagement enableSerializedMatmuls
    enableStableNorm enableStochasticRounding enableSupportedDataTypeCasting
    enableVariablesCaching ensureFp32LossScaleTensor explicitPipelining
    explicitRecomputation exportPoplarComputationGraph
    exportPoplarVertexGraph groupHostSync groupNormStridedChannelGrouping
    hostAllReduce hostAllReduceRemoteBuffer hostWeightUpdate
    instrumentWithHardwareCycleCounter opxAliasChecking opxModifyChecking
    rearrangeAnchorsOnHost rearrangeStreamsOnHost
    replicatedCollectivesSettings.mergeAllGatherCollectives
    replicatedCollectivesSettings.mergeAllReduceCollectives
    replicatedCollectivesSettings.mergeReduceScatterCollectives
    replicatedCollectivesSettings.prepareScheduleForMergingCollectives
    scheduleNonWeightUpdateGradientConsumersEarly separateCallOpPdfs
    separate_backward_phase serial_phases_execution
    stashAllTensorsInferencePipeline strictOpVersions
    throwIfLog2ScaleFactorNotPowerOfTwo throwIfLog2ScaleFactorNotRange
    use_model useHostCopyOps useLoopCandidateCreator
    """.split())

_NUMBERS = frozenset("""
    accumulationFactor automaticLossScalingSettings.updatePeriod
    batchSerializationSettings.factor connection_type
    defaultBufferingDepth defaultPrefetchBufferingDepth device_iterations
    distributed_process_id executionPhaseSettings.phases
    executionPhaseSettings.stages execution_mode finalDotOp firstDotOp
    globalReplicaOffset globalReplicationFactor gradient_accumulation
    input_group_size input_replication_factor ipu_id ipu_version
    looseThresholdAtPeak max_repeat_logs mergeVarUpdateMemThreshold
    numIOTiles num_distributed_processes output_mode output_return_period
    random_seed replication_factor swapLimitScheduler sync_pattern
    tensors_liveness transitiveClosureOptimizationThreshold
    accumulation_and_replication_reduction_type input_group_type
    """.split())

# Numbers that stand for a member of an enum: its name, and how many it has.
_ENUMS = {
    "accumulateOuterFragmentSettings.schedule":
        ("popart::AccumulateOuterFragmentSchedule", 4),
    "accumulationAndReplicationReductionType": ("ReductionType", 3),
    "autoRecomputation": ("RecomputationType", 5),
    "autodiffSettings.stitchStrategy": ("AutodiffStitchStrategy", 4),
    "automaticLossScalingSettings.gradientTensorTrackingMethod":
        ("GradientTensorTrackingMethod", 3),
    "batchSerializationSettings.batchSchedule":
        ("BatchSerializationBatchSchedule", 4),
    "batchSerializationSettings.method": ("BatchSerializationMethod", 3),
    "batchSerializationSettings.transformContext":
        ("BatchSerializationTransformContext", 2),
    "executionPhaseSettings.schedule": ("ExecutionPhaseSchedule", 3),
    "meanAccumulationAndReplicationReductionStrategy":
        ("MeanReductionStrategy", 3),
    "mergeVarUpdate": ("MergeVarUpdateType", 4),
    "subgraphCopyingStrategy": ("SubgraphCopyingStrategy", 2),
    "syntheticDataMode": ("SyntheticDataMode", 4),
    "virtualGraphMode": ("VirtualGraphMode", 4),
}

_FLOATS = frozenset("""
    automaticLossScalingSettings.binEdgeLocation
    automaticLossScalingSettings.thresholdUpperCountProportion
    outlineSequenceBreakCost outlineThreshold timeLimitScheduler
    """.split())

_STRINGS = frozenset("""
    cachePath customCodeletCompileFlags kahnTieBreaker logDir log_dir
    model_name partialsTypeMatMuls saveInitializersToFile
    serializedPoprithmsAnnealGraphsDir serializedPoprithmsShiftGraphsDir
    """.split())

# Sets and vectors, and maps: the compiler does not tell them apart.
_CONTAINERS = frozenset("""
    accumulateOuterFragmentSettings.excludedVirtualGraphs
    automaticLossScalingSettings.toTrackTensors bufferingDepthMap
    convolutionOptions customCodelets dotChecks engineOptions gclOptions
    hardwareInstrumentations lstmOptions matmulOptions
    prefetchBufferingDepthMap reportOptions updatable_named_buffers
    """.split())

# Numbers of which each must be below a limit.
_LIMITED = {"dotChecks": ("DotCheck", 5),
            "hardwareInstrumentations": ("Instrumentation", 2)}

_LOCATIONS = ("location_activation", "location_weight", "location_optimizer",
              "location_accumulator")
_LOCATION_KEYS = frozenset((
    "minElementsForOffChip", "minElementsForReplicatedTensorSharding",
    "onChip", "useReplicatedTensorSharding", "useIOTilesToLoad",
    "useIOTilesToStore"))

# What is read elsewhere, and not by these rules.
_SPECIAL = frozenset(("anchored_tensors", "available_memory_proportion",
                      "compilation_progress_bar_fn", "ipuof_configs",
                      "patterns_level"))


def _kind_of(key, value):
    """The compiler's word for the type of a value, and the names that take
    one; None for what no option takes."""
    if isinstance(value, bool):
        return "bool", _BOOLS
    if isinstance(value, (int, enum.IntEnum)):
        return "uint64", _NUMBERS | set(_ENUMS)
    if isinstance(value, float):
        return "floating point", _FLOATS
    if isinstance(value, str):
        return "string", _STRINGS
    if isinstance(value, dict):
        return "map", _CONTAINERS
    if isinstance(value, (list, tuple, set, frozenset)):
        return "set / vector", _CONTAINERS
    raise InvalidOption(f"Unknown value type {type(value)} for option {key}")


def _check_limit(kind, count, value):
    if not 0 <= value < count:
        raise InvalidOption(f"Value for {kind} out of range")


def _check_location(key, settings):
    require_type(settings, dict, key)
    for name in settings:
        if name not in _LOCATION_KEYS:
            raise InvalidOption(f"Unknown option '{name}' for tensor "
                                f"location {key}")


def check_popart_options(options):
    """Raise InvalidOption for the first name that the compiler does not
    know, or whose value is of another type.  options is what
    poptorch.Options.toDict() gives, or the dictionary of _Popart alone."""
    for key, value in options.items():
        if key in _SPECIAL:
            continue
        if key in _LOCATIONS:
            _check_location(key, value)
            continue
        if key == "patterns":
            if "patterns_level" not in options:
                raise InvalidOption(
                    "PopART option 'patterns' should not be set without "
                    "first setting 'patterns_level'.")
            for name, enabled in value.items():
                if not isinstance(enabled, bool):
                    raise InvalidOption(
                        f"Pattern {name} must be True or False, not "
                        f"{enabled!r}")
            continue
        word, names = _kind_of(key, value)
        if key not in names:
            raise InvalidOption(f"Unknown {word} option {key}")
        if key in _ENUMS and word == "uint64":
            _check_limit(*_ENUMS[key], int(value))
        if key in _LIMITED:
            for number in value:
                _check_limit(*_LIMITED[key], int(number))


def shown(value):
    """A value as the compiler writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, enum.IntEnum):
        return str(int(value))
    return str(value)


def _log_one(key, value, log):
    if key in _SPECIAL or key == "patterns":
        return
    if key in _LOCATIONS:
        for name, setting in value.items():
            log("debug", f"Setting {name} to {shown(setting)} for location "
                f"{key}")
    elif isinstance(value, dict):
        for name, setting in value.items():
            log("debug", f"poptorch.Options set {key}[{name}] to "
                f"{shown(setting)}")
    elif isinstance(value, (list, tuple, set, frozenset)):
        for name in value:
            log("debug", f"poptorch.Options added {shown(name)} to {key}")
    else:
        log("debug", f"poptorch.Options set {key} to value {shown(value)}")


def validate(options, log):
    """Check all options, and write a debug line for each by log(level,
    text): what a compilation begins with."""
    check_popart_options(options)
    if "logDir" in options:
        log("warning", "Ignoring call to poptorch.Options._Popart.set("
            "\"logDir\",...): use poptorch.Options.logDir() instead")
    for key, value in options.items():
        if key != "logDir":
            _log_one(key, value, log)
