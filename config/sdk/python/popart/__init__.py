"""The enums of PopART that programs give to poptorch.Options._Popart, with
PopART's numbers.

PopART itself is not here: any other of its names is an AttributeError, which
says so.  Where a real popart is installed, it takes this package's place.
"""
from ipubox_sdk.handover import hand_over

if not hand_over(__name__):
    from popart._enums import (
        AccumulateOuterFragmentSchedule,
        AutodiffStitchStrategy,
        BatchSerializationBatchSchedule,
        BatchSerializationMethod,
        BatchSerializationTransformContext,
        CommGroupType,
        DotCheck,
        ExecutionPhaseIOSchedule,
        ExecutionPhaseSchedule,
        GradientTensorTrackingMethod,
        Instrumentation,
        MeanReductionStrategy,
        MergeVarUpdateType,
        PatternsLevel,
        RecomputationType,
        RecomputeType,
        ReductionType,
        ReplicatedTensorSharding,
        SubgraphCopyingStrategy,
        SyncPattern,
        SyntheticDataMode,
        TensorStorage,
        TileSet,
        VariableRetrievalMode,
        VirtualGraphMode,
    )

    __all__ = [
        "AccumulateOuterFragmentSchedule", "AutodiffStitchStrategy",
        "BatchSerializationBatchSchedule", "BatchSerializationMethod",
        "BatchSerializationTransformContext", "CommGroupType", "DotCheck",
        "ExecutionPhaseIOSchedule", "ExecutionPhaseSchedule",
        "GradientTensorTrackingMethod", "Instrumentation",
        "MeanReductionStrategy", "MergeVarUpdateType", "PatternsLevel",
        "RecomputationType", "RecomputeType", "ReductionType",
        "ReplicatedTensorSharding", "SubgraphCopyingStrategy",
        "SyncPattern", "SyntheticDataMode", "TensorStorage", "TileSet",
        "VariableRetrievalMode", "VirtualGraphMode",
    ]

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError("module 'popart' has no attribute "
                                 f"'{name}'")
        raise AttributeError(
            f"popart.{name} belongs to Graphcore's PopART; the popart of "
            "ipubox has only the enums that poptorch.Options._Popart takes; "
            "install Graphcore's PopART for the rest")
