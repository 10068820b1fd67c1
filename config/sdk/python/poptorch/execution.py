"""Execution strategies: which blocks of a model run where, and when."""

from .enums import AutoStage, Liveness
from .settings import require, require_type


class Stage:
    """Blocks that run one after the other on one IPU."""

    def __init__(self, *block_ids):
        require(all(isinstance(block, str) for block in block_ids),
                f"Block IDs are supposed to be strings but got {block_ids}")
        self._blocks = block_ids
        self._stage_id = -1
        self._phase_id = -1
        self._ipu = None

    @property
    def blocks(self):
        """The names of the blocks."""
        return self._blocks

    def ipu(self, ipu):
        """Run on that IPU of the replica."""
        require_type(ipu, int, "ipu")
        self._ipu = ipu
        return self


def _stage_of(argument):
    """A stage from a stage, a block's name or several of them."""
    if isinstance(argument, Stage):
        return argument
    if isinstance(argument, str):
        return Stage(argument)
    return Stage(*argument)


class ExecutionStrategy:
    """What all strategies have: a stage for each block that is named."""

    def __init__(self):
        self._block_map = {}

    def _add(self, stage):
        for block in stage.blocks:
            require(block not in self._block_map,
                    f"{block} associated with more than one stage")
            self._block_map[block] = stage

    def stage(self, block_id):
        """The stage of the block with that name."""
        require(block_id in self._block_map,
                f"Unknown Block '{block_id}' list of expected Blocks: "
                f"{list(self._block_map)}")
        return self._block_map[block_id]

    def backendOptions(self):
        """What a compiled model is told."""
        return {}


class PipelinedExecution(ExecutionStrategy):
    """All stages work at the same time, each on another batch.

    The arguments are stages, names of blocks or lists of them, in their
    order; or one AutoStage, which says how blocks get their stages.
    """

    _MODE = 0

    def __init__(self, *stages):
        super().__init__()
        self._auto_stage = AutoStage.SameAsIpu
        if len(stages) == 1 and isinstance(stages[0], AutoStage):
            self._auto_stage = stages[0]
            stages = ()
        for number, argument in enumerate(stages):
            stage = _stage_of(argument)
            stage._stage_id = number
            self._add(stage)

    def backendOptions(self):
        return {"execution_mode": self._MODE}


class ShardedExecution(PipelinedExecution):
    """One stage after the other; only one IPU works at a time."""

    _MODE = 1


class Phase:
    """Stages that run at the same time."""

    def __init__(self, *stages):
        if all(isinstance(stage, Stage) for stage in stages):
            self.stages = list(stages)
        else:
            self.stages = [Stage(*stages)]

    def stage(self, index):
        """The stage with that number."""
        return self.stages[index]

    def ipus(self, *ipus):
        """One IPU for each of the stages."""
        require(len(ipus) == len(self.stages),
                f"Phase contains {len(self.stages)} stages but you provided "
                f"{len(ipus)} ipus")
        for stage, ipu in zip(self.stages, ipus):
            stage.ipu(ipu)


class _PhasedExecution(ExecutionStrategy):
    """Phase after phase; each argument is a Phase, or a list of stages or of
    names of blocks."""

    def __init__(self, *phases):
        super().__init__()
        require(phases, "There is currently no AutoStage for PhasedExecution, "
                "please explicitly specify the phases")
        self._liveness = Liveness.AlwaysLive
        self._separate_backward_phase = False
        self._phases = [self._phase_of(phase) for phase in phases]
        for number, phase in enumerate(self._phases):
            for stage in phase.stages:
                stage._phase_id = number
                self._add(stage)

    @staticmethod
    def _phase_of(argument):
        if isinstance(argument, Phase):
            return argument
        if isinstance(argument, list):
            return Phase(*argument)
        return Phase(argument)

    def phase(self, phase):
        """The phase with that number."""
        require(isinstance(phase, int) and phase >= 0,
                "Phases are identified by positive integers")
        return self._phases[phase]

    def useSeparateBackwardPhase(self, use=True):
        """Whether the last phase forward and the first one back are two."""
        require_type(use, bool, "use")
        self._separate_backward_phase = use
        return self

    def backendOptions(self):
        return {"execution_mode": 2,
                "separate_backward_phase": self._separate_backward_phase,
                "tensors_liveness": self._liveness.value}


class ParallelPhasedExecution(_PhasedExecution):
    """Phases take turns on two groups of IPUs."""

    def sendTensorsOffChipAfterFwd(self, off_chip=True):
        """Whether tensors wait for the way back outside of the IPU."""
        require_type(off_chip, bool, "off_chip")
        self._liveness = Liveness.OffChipAfterFwd if off_chip \
            else Liveness.AlwaysLive
        return self

    def backendOptions(self):
        return {**super().backendOptions(), "serial_phases_execution": False}


class SerialPhasedExecution(_PhasedExecution):
    """All phases run on the same group of IPUs."""

    def setTensorsLiveness(self, liveness):
        """Where tensors stay between the phases."""
        require_type(liveness, Liveness, "liveness")
        self._liveness = liveness
        return self

    def backendOptions(self):
        return {**super().backendOptions(), "serial_phases_execution": True}
