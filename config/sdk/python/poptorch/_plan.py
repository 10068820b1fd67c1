"""Where a model's blocks run: stages, IPUs, and what an IPU says of it."""
import math

from . import _impl, enums
from ._attachment import check_target, is_on_model
from ._execution_log import check_phases, log_lowered, log_settings
from ._logging import compiler_log
from ._outline import only_views
from .execution import check_pipeline

_IPUS_MAX = 64


def is_pipelined(options):
    """Whether all stages work at the same time."""
    return options._execution_strategy.backendOptions().get(
        "execution_mode") == 0


class Plan:
    """The stages of a graph, in the order in which they run.

    stages: (IPU, names of the blocks, nodes) of each; placements: of each
    node; ipus: of all replicas of this process, as many as are taken.
    """

    def __init__(self, graph, options, training):
        self.training = training
        self.stages = []
        self.placements = []
        self._place(graph, options)
        self.ipus_used = 1 + max((stage.ipu for stage in self.stages),
                                 default=0)
        self.replicas = options.replication_factor
        check_phases(options._execution_strategy, self.placements)
        log_lowered(graph, options, self.placements)
        check_target(options)
        self.ipus = self._round(options)
        check_pipeline(options, self.placements, training)
        log_settings(options, self.placements, training)

    def _place(self, graph, options):
        strategy = options._execution_strategy
        places = strategy.place([(block.user_id, block.ipu_id)
                                 for block in graph.blocks])
        last = None
        for node in graph.nodes:
            if node.block is not None:
                last = place = places[node.block]
            elif last is not None and only_views(node):
                place = last            # as nothing is computed
            else:
                place = strategy.place_outside(last)
            self.placements.append(place)
            if not self.stages or self.stages[-1].ipu != place.ipu:
                self.stages.append(Stage(place.ipu))
            self.stages[-1].add(node, place.block)
        if not self.stages:
            compiler_log("info", "No IPUs are used by this model. This may "
                                 "happen if the model is trivial")
            self.stages.append(Stage(0))

    def strategy(self, options):
        """The word for how stages follow one another."""
        if len(self.stages) < 2:
            return "one-ipu"
        return "pipelined" if is_pipelined(options) else "sharded"

    def recomputes(self, options):
        """Whether a stage works its activations out again on the way
        back."""
        return self.training and self.strategy(options) == "pipelined" and \
            options._Popart.options.get("autoRecomputation", 3) != 0

    def first_stage(self, value):
        """The number of the first stage that takes a value; -1: none."""
        for number, stage in enumerate(self.stages):
            if any(value in node.inputs() for node in stage.nodes):
                return number
        return -1

    def traffic(self, number, graph):
        """Bytes that a stage has from the one before, and gives to the next
        one: what stages further on take goes through it."""
        made = [{each.number for node in stage.nodes
                 for each in node.outputs()} for stage in self.stages]
        taken = [{each.number: each for node in stage.nodes
                  for each in node.inputs() if each.kind == "node"}
                 for stage in self.stages]

        def crossing(boundary):
            before = set().union(*made[:boundary])
            return sum(value.nbytes for value in {
                key: value for stage in taken[boundary:]
                for key, value in stage.items() if key in before}.values())

        received = crossing(number) if number else 0
        last = number == len(self.stages) - 1
        return received, 0 if last else crossing(number + 1)

    def _round(self, options):
        """IPUs to take: a power of two, or what the options allow."""
        used = self.ipus_used * self.replicas
        if used > _IPUS_MAX:
            raise _impl.create_compiler_error(
                f"Too many IPUs requested ({used}). Experiments that need "
                f"more than {_IPUS_MAX} IPUs require distributed execution.")
        wanted = 1 << math.ceil(math.log2(used))
        if wanted == used or is_on_model(options) or \
                options.connection_type == enums.ConnectionType.Never:
            return used
        if not options.auto_round_num_ipus:
            raise _impl.create_compiler_error(
                f"The model specifies the use of {used} IPUs, however "
                f"PopTorch must reserve a minimum of {wanted} in order to "
                "allow the model to run, because PopTorch must reserve a "
                f"power of 2 or maximum of {_IPUS_MAX} IPUs per process. "
                "Please reconfigure your model to use a different number of "
                "IPUs or set poptorch.Options().autoRoundNumIPUs(True).")
        compiler_log("warning", (
            f"Reserving {wanted} IPUs when the model specifices the use of "
            f"only {used}, because PopTorch must reserve a power of 2 or "
            f"maximum of {_IPUS_MAX} IPUs per process. {wanted - used} will "
            "be reserved but not used."))
        return wanted


class Stage:
    """Nodes that follow one another on one IPU."""

    def __init__(self, ipu):
        self.ipu = ipu
        self.blocks = []
        self.nodes = []

    def add(self, node, block):
        """The next node, and the name of its block."""
        self.nodes.append(node)
        if block and block not in self.blocks:
            self.blocks.append(block)
