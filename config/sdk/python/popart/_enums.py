"""PopART's enums, as its Python module has them."""

import enum


def _enum(name, members, text):
    """An enum whose members count from 0."""
    made = enum.IntEnum(name, members, start=0, module="popart")
    made.__doc__ = text
    return made


AccumulateOuterFragmentSchedule = _enum(
    "AccumulateOuterFragmentSchedule",
    "Scheduler Serial OverlapCycleOptimized OverlapMemoryOptimized",
    "How the updates of the weights are scheduled.")
AutodiffStitchStrategy = _enum(
    "AutodiffStitchStrategy",
    "RecomputeMinimal RecomputeAllNonInputs AddFwdOutputs "
    "SafeAddFwdOutputs",
    "How a graph of gradients gets what it needs of the forward graph.")
BatchSerializationBatchSchedule = _enum(
    "BatchSerializationBatchSchedule",
    "Scheduler Isomorphic OverlapOnIo OverlapOnCompute",
    "How the parts of a batch are scheduled.")
BatchSerializationMethod = _enum(
    "BatchSerializationMethod", "UnrollDynamic UnrollStatic Loop",
    "How a batch is cut into parts.")
BatchSerializationTransformContext = _enum(
    "BatchSerializationTransformContext", "Fwd Bwd",
    "When a batch is cut into parts.")
CommGroupType = _enum(
    "CommGroupType", "All Consecutive Orthogonal",
    "Which replicas form a group.")
DotCheck = _enum("DotCheck", "Fwd0 Fwd1 Bwd0 PreAlias Final",
                 "After which step the graph is written.")
ExecutionPhaseIOSchedule = _enum(
    "ExecutionPhaseIOSchedule", "Preload OnDemand",
    "When a phase loads its tensors.")
ExecutionPhaseSchedule = _enum(
    "ExecutionPhaseSchedule", "Interleaving Batch BatchClusteredIO",
    "In which order a phase loads, computes and stores.")
GradientTensorTrackingMethod = _enum(
    "GradientTensorTrackingMethod",
    "AllNonViewChangingGradientTensors ConvAndMatmulGradients "
    "GradientsOfUserSpecifiedTensors",
    "Which gradients automatic loss scaling looks at.")
Instrumentation = _enum("Instrumentation", "Outer Inner",
                        "Where cycles are counted.")
MeanReductionStrategy = _enum("MeanReductionStrategy",
                              "Running Post PostAndLoss",
                              "When a mean divides.")
MergeVarUpdateType = _enum("MergeVarUpdateType",
                           "Off All AutoLoose AutoTight",
                           "Which updates of weights become one.")
PatternsLevel = _enum("PatternsLevel", "NoPatterns Minimal Default All",
                      "How many patterns are on.")
RecomputationType = _enum(
    "RecomputationType",
    "NoRecompute Standard NormOnly Pipeline RecomputeAll",
    "What is computed again on the way back.")
RecomputeType = _enum("RecomputeType",
                      "Undefined Checkpoint Recompute Recomputed",
                      "Whether one operation is computed again.")
ReductionType = _enum("ReductionType", "Sum Mean NoReduction",
                      "How several values become one.")
ReplicatedTensorSharding = _enum("ReplicatedTensorSharding", "Off On",
                                 "Whether each replica keeps a part only.")
SubgraphCopyingStrategy = _enum("SubgraphCopyingStrategy",
                                "OnEnterAndExit JustInTime",
                                "When the inputs of a subgraph are copied.")
SyncPattern = _enum("SyncPattern", "Full SinglePipeline ReplicaAndLadder",
                    "Which IPUs wait for each other.")
SyntheticDataMode = _enum("SyntheticDataMode",
                          "Off Zeros RandomNormal RandomUniform",
                          "Whether the device makes up its data.")
TensorStorage = _enum("TensorStorage", "OnChip OffChip",
                      "Where a tensor is kept.")
TileSet = _enum("TileSet", "Compute IO", "Which tiles keep a tensor.")
VariableRetrievalMode = _enum(
    "VariableRetrievalMode",
    "OnePerGroup AllReduceReplicas AllReplicas",
    "Which replicas give their weights to the host.")
VirtualGraphMode = _enum("VirtualGraphMode",
                         "Off Manual Auto ExecutionPhases",
                         "How operations get their IPUs.")
