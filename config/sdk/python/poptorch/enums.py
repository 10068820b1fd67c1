"""The named values that PopTorch's options take, with PopTorch's numbers."""

import enum


class OutputMode(enum.IntEnum):
    """The batches whose results a run returns.  Default means All for
    inference and Final for training."""
    Final = 0
    EveryN = 1
    All = 2
    Sum = 3
    Default = 4


# Its name in older SDKs.
AnchorMode = OutputMode


class ConnectionType(enum.IntEnum):
    """When the program attaches to its IPUs."""
    Always = 0
    OnDemand = 1
    Never = 2


class SyncPattern(enum.IntEnum):
    """Which IPUs wait for each other."""
    Full = 0
    SinglePipeline = 1
    ReplicaAndLadder = 2


class ReductionType(enum.IntEnum):
    """How the gradients of several batches or replicas are combined."""
    Sum = 0
    Mean = 1
    NoReduction = 2


class MeanReductionStrategy(enum.IntEnum):
    """When a mean divides: with each batch, or once at the end."""
    Running = 0
    Post = 1
    PostAndLoss = 2


class HalfFloatCastingBehavior(enum.IntEnum):
    """How an operation casts inputs that are half and float."""
    FloatDowncastToHalf = 0
    HalfUpcastToFloat = 1
    Default = 2


class AutoStage(enum.IntEnum):
    """How blocks get their stages if no stages are given."""
    SameAsIpu = 0
    AutoIncrement = 1


class Liveness(enum.IntEnum):
    """Where tensors are kept between the phases of a phased execution."""
    AlwaysLive = 0
    OffChipAfterFwd = 1
    OffChipAfterFwdNoOverlap = 2
    OffChipAfterEachPhase = 3


class DataLoaderMode(enum.IntEnum):
    """Whether a data loader reads ahead."""
    Sync = 0
    Async = 1
    AsyncRebatched = 2


class SharingStrategy(enum.IntEnum):
    """How a loader's worker process passes data to the program."""
    SharedMemory = 0
    FileSystem = 1
    Fork = 2
    ForkServer = 3


class MatMulSerializationMode(enum.Enum):
    """The dimension along which a product of matrices is split."""
    InputChannels = "input_channels"
    ReducingDim = "reducing_dim"
    OutputChannels = "output_channels"
    Disabled = "none"


class OverlapMode(enum.Enum):
    """The loop with which the transfer of a tensor overlaps."""
    NoOverlap = "no_overlap"
    OverlapAccumulationLoop = "overlap_accumulation_loop"
    OverlapDeviceIterationLoop = "overlap_device_iteration_loop"


class MultiConvPlanType(enum.IntEnum):
    """Whether the convolutions of a multi-convolution run together."""
    Parallel = 0
    Serial = 1


class Compiler(enum.IntEnum):
    """What compiles a model; the numbers are those of
    poptorch_core.TracingMode."""
    PopART = 0
    MLIR = 1


class CommGroupType(enum.IntEnum):
    """Which replicas form a group."""
    All = 0
    Consecutive = 1
    Orthogonal = 2
    NoGrouping = 3


class VariableRetrievalMode(enum.IntEnum):
    """Which replicas of a group give their weights to the host; the numbers
    are PopTorch's, which has no 1."""
    OnePerGroup = 0
    AllReplicas = 2
