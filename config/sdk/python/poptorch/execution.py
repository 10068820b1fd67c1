"""Execution strategies: which blocks of a model run where, and when.

A strategy is made by the program and asked by the executor:

    placements = strategy.place(blocks)

where blocks are the begins of blocks in the order of the model's execution,
each (user_id, ipu_id) with None for what the program left open.  The answer
has one Placement for each.  place() changes nothing, so the same strategy
may serve several models.
"""

import logging
from typing import NamedTuple, Optional

from . import _impl
from .enums import AutoStage, Liveness
from .settings import require, require_type

logger = logging.getLogger("poptorch::python")


class Placement(NamedTuple):
    """Where the operations of a block run: the phase is -1 where there are
    no phases.  block is its name, which PopTorch makes up where there is
    none, and None for operations before the first block."""
    block: Optional[str]
    stage: int
    phase: int
    ipu: int


class Stage:
    """Blocks that run one after another on one IPU."""

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
        """Set the IPU of the replica that the stage runs on."""
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
            logger.debug("block %s added to stage %d on IPU %d", block,
                         stage._stage_id, stage._stage_id
                         if stage._ipu is None else stage._ipu)

    def stage(self, block_id):
        """Return the stage of the block with this name."""
        require(block_id in self._block_map, f"Unknown block {block_id}")
        return self._block_map[block_id]

    def backendOptions(self):
        """What a compiled model is told."""
        return {}

    def _stage_for(self, block, ipu_id, seen):
        """(stage, phase, IPU or None) of a block: seen has those of all
        blocks before, by their names."""
        require(block in self._block_map,
                f"Unknown Block '{block}' list of expected Blocks: "
                f"{list(self._block_map)}")
        stage = self._block_map[block]
        ipu = ipu_id if stage._ipu is None else stage._ipu
        return stage._stage_id, stage._phase_id, ipu

    def place(self, blocks):
        """A Placement for each begin of a block, in the order of the
        execution: blocks is an iterable of (user_id, ipu_id).

        A block without a name gets a number for a name, from 0 on.  One that
        begins again is where it was.  An IPU that nothing says is the one
        with the number of the stage.  AssertionError where the strategy has
        no stage for a block, or AutoStage.SameAsIpu no IPU.
        """
        seen = {}
        placements = []
        unnamed = 0
        for block, ipu_id in blocks:
            if block is None:
                block = str(unnamed)
                unnamed += 1
            stage, phase, ipu = self._stage_for(block, ipu_id, seen)
            if ipu is None:
                ipu = stage
                logger.debug("No IPU specified for block %s: default to "
                             "stage_id %d", block, stage)
            logger.debug("Starting block id=%s stage=%d phase=%d ipu=%d",
                         block, stage, phase, ipu)
            placement = Placement(block, stage, phase, ipu)
            seen.setdefault(block, placement)
            placements.append(placement)
        return placements

    def place_outside(self, last):
        """The Placement of operations that belong to no block: last is that
        of the block that ended before them, where PopTorch lets nothing
        compute, or None before the first one, where IPU 0 computes."""
        if last is not None:
            raise _impl.create_compiler_error(
                "No active Block, all the ops must belong to a Block")
        return Placement(None, 0, 0 if self._is_phased() else -1, 0)

    @staticmethod
    def _is_phased():
        return False


class PipelinedExecution(ExecutionStrategy):
    """All stages work at the same time, each on another batch.

    The arguments are stages, names of blocks or lists of them, in their
    order; or one AutoStage, which says how blocks get their stages.
    """

    _MODE = 0

    def __init__(self, *stages):
        super().__init__()
        self._auto_stage = None
        if not stages:
            self._auto_stage = AutoStage.SameAsIpu
        elif len(stages) == 1 and isinstance(stages[0], AutoStage):
            self._auto_stage = stages[0]
            stages = ()
        for number, argument in enumerate(stages):
            stage = _stage_of(argument)
            stage._stage_id = number
            self._add(stage)

    def backendOptions(self):
        return {"execution_mode": self._MODE}

    def _stage_for(self, block, ipu_id, seen):
        if self._auto_stage is None:
            return super()._stage_for(block, ipu_id, seen)
        if self._auto_stage == AutoStage.AutoIncrement:
            if block in seen:
                return seen[block].stage, -1, seen[block].ipu
            return len(seen), -1, ipu_id
        if ipu_id is None and block in seen:
            ipu_id = seen[block].ipu
        require(ipu_id is not None,
                "poptorch.AutoStage.SameAsIpu was selected but no IPU was "
                f"specified for block {block}")
        return ipu_id, -1, ipu_id


class ShardedExecution(PipelinedExecution):
    """One stage after the other; only one IPU works at a time."""

    _MODE = 1


class Phase:
    """Stages that run at the same time: stages, or the names of the blocks
    of one stage."""

    def __init__(self, *stages):
        kinds = [type(stage) for stage in stages]
        self.stages = list(stages)
        if stages and all(isinstance(stage, str) for stage in stages):
            self.stages = [Stage(*stages)]
        require(all(isinstance(stage, Stage) for stage in self.stages),
                "All arguments must either be block IDs (strings) or Stages: "
                f"{kinds}")

    def stage(self, index):
        """Return the stage with this number."""
        return self.stages[index]

    def ipus(self, *ipus):
        """Set one IPU for each of the stages."""
        require(len(ipus) == len(self.stages),
                f"Phase contains {len(self.stages)} stages but you provided "
                f"{len(ipus)} ipus")
        for stage, ipu in zip(self.stages, ipus):
            stage.ipu(ipu)


class _IPhasedExecution(ExecutionStrategy):
    """Phase after phase; each argument is a Phase, or a list of stages or of
    names of blocks.  One list of all phases is PopTorch's documents' form."""

    def __init__(self, *phases):
        super().__init__()
        if len(phases) == 1 and isinstance(phases[0], (list, tuple)) and \
                any(isinstance(phase, Phase) for phase in phases[0]):
            phases = phases[0]
        require(phases and not any(isinstance(phase, AutoStage)
                                   for phase in phases),
                "There is currently no AutoStage for PhasedExecution, "
                "please explicitly specify the phases")
        self._liveness = Liveness.AlwaysLive
        self._separate_backward_phase = False
        self._phases = [self._phase_of(phase) for phase in phases]
        for number, phase in enumerate(self._phases):
            for index, stage in enumerate(phase.stages):
                stage._phase_id = number
                stage._stage_id = index
                self._add(stage)

    @staticmethod
    def _phase_of(argument):
        if isinstance(argument, Phase):
            return argument
        if isinstance(argument, (list, tuple)):
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

    @staticmethod
    def _is_phased():
        return True


class ParallelPhasedExecution(_IPhasedExecution):
    """Phases take turns on two groups of IPUs."""

    def sendTensorsOffChipAfterFwd(self, off_chip=True):
        """Set whether tensors are kept outside the IPU until the backward
        pass."""
        require_type(off_chip, bool, "off_chip")
        self._liveness = Liveness.OffChipAfterFwd if off_chip \
            else Liveness.AlwaysLive
        return self

    def backendOptions(self):
        return {**super().backendOptions(), "serial_phases_execution": False}

    def _stage_for(self, block, ipu_id, seen):
        """Even phases are on even IPUs, and odd ones on odd ones."""
        stage, phase, ipu = super()._stage_for(block, ipu_id, seen)
        return stage, phase, 2 * stage + phase % 2 if ipu is None else ipu


class SerialPhasedExecution(_IPhasedExecution):
    """All phases run on the same group of IPUs."""

    def setTensorsLiveness(self, liveness):
        """Set where tensors are kept between the phases."""
        require_type(liveness, Liveness, "liveness")
        self._liveness = liveness
        return self

    def backendOptions(self):
        return {**super().backendOptions(), "serial_phases_execution": True}


def used_ipus(placements):
    """The numbers of the IPUs of a replica that compute, sorted: IPU 0 where
    there are no blocks."""
    return sorted({placement.ipu for placement in placements}) or [0]


def count_pipeline_stages(placements):
    """How many stages a pipeline has forward: one more each time that the
    operations move to another IPU.  Placements are those of the operations'
    blocks in their order; blocks without operations are left out of it."""
    ipus = [placement.ipu for placement in placements]
    return 1 + sum(one != other for one, other in zip(ipus, ipus[1:]))


def check_pipeline(options, placements, training):
    """Raise PopTorch's error where a pipeline gets fewer batches than it has
    stages.  options are a poptorch.Options, placements as above."""
    strategy = options._execution_strategy
    if strategy.backendOptions().get("execution_mode") != \
            PipelinedExecution._MODE:
        return
    forward = count_pipeline_stages(placements)
    stages = 2 * forward - 1 if training else forward
    if training and options.Training.gradient_accumulation < stages:
        raise _impl.create_compiler_error(
            "poptorch.Options().Training.gradientAccumulation must be "
            "greater than or equal to the number of pipeline stages "
            f"({stages}) when using poptorch.PipelinedExecution. Please note "
            f"that a model with {forward} pipeline stages in PopTorch will "
            f"have an additional {forward - 1} stages when training.")
    if not training and options.device_iterations < stages:
        raise _impl.create_compiler_error(
            "poptorch.Options().deviceIterations must be greater than or "
            f"equal to the number of pipeline stages ({stages}) when using "
            "PopTorch.PipelinedExecution.")
