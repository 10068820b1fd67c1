"""PoplarExecutor: a model that runs on IPUs."""
import atexit
import copy
import os
import sys
import weakref

import torch

from . import (
    _device_optimizer, _ending, _executable, _impl, _replica_groups, _results,
    _saved, _threads, _weights, enums, optim, profiling)
from ._args_parser import ArgsParser
from ._attachment import Attachment
from ._logging import compiler_log, logger
from ._measured import Measured
from ._model_check import check_buffers
from ._optimizer_attributes import (
    OptimizerAttrTracker, convertOptimizerToDict)
from ._plan import is_pipelined
from ._printing import module_repr
from ._times import Times
from .options import Options

# Executors that are attached; their profiles are written in the end.
_running = weakref.WeakSet()


def _finish(why):
    with _ending.undisturbed():
        for executor in list(_running):
            executor._executable.finish(executor._times, why)
        _running.clear()


@atexit.register
def _finish_at_exit():
    _finish(_ending.reason())


_NOT_COMPILED = "Model has not been compiled or has been destroyed."


class PoplarExecutor(Measured):
    """What poptorch.trainingModel and inferenceModel return.

    Whatever it does not have itself is the user's model's.
    """

    def __init__(self, model, options, training, poptorch_version=None,
                 optimizer=None, user_model=None):
        _threads.choose()
        if not isinstance(options, Options):
            raise _impl.createPoptorchError(
                f"Invalid type: 'options' is of type {type(options)} "
                "(Expected poptorch.Options)")
        options._freeze()
        self._options = options.clone()
        self._training = training
        self._poptorch_version = poptorch_version
        self._args_parser = ArgsParser(model)
        self._model = model
        self._user_model = user_model if user_model is not None else model
        self._executable = None
        self._executable_inputs = None
        self._attachment = None
        self._is_attached = False
        self._trace = None
        self._dirty_host_weights = False
        self._host_weights = _weights.Version()
        self._seen_weights = None       # the trainer's, and its number then
        self._anchor_memory = {}
        self._outputs_structure = None
        self._attribute_tracker = OptimizerAttrTracker(self._options)
        self._optimizer = self._check_optimizer(optimizer)
        self._optimizer_changed = False
        self._dict_optimizer = {}
        self.per_replica_params = {}    # name -> what replicaGrouping() said
        self._times = Times()
        self._profiling = profiling.Channel(
            f"poptorch.{'training' if training else 'inference'}Model")
        self._choose_output_mode()
        if self._optimizer is not None:
            self.optimizer_attributes(self._optimizer)
        self._options._freeze()
        if training:
            check_buffers(self._user_model)
            _weights.wrap(self._user_model, self)

    def _check_optimizer(self, optimizer):
        if not self._training:
            if optimizer is not None:
                raise AssertionError("Optimizer should be None for inference")
            return None
        if optimizer is None:
            optimizer = optim.SGD(self._user_model.parameters(), lr=0.01) \
                if list(self._user_model.parameters()) else None
        return optimizer

    def _choose_output_mode(self):
        options = self._options
        if options.defaultOutputMode():
            options.outputMode(enums.OutputMode.Final if self._training
                               else enums.OutputMode.All)
        if not self._training and options.Training.gradient_accumulation != 1:
            text = ("You must set poptorch.Options().Training."
                    "gradientAccumulation to 1 or leave it as its default "
                    "value (1) when running a poptorch.inferenceModel().")
            if is_pipelined(options):
                text += (" Use poptorch.Options().deviceIterations to "
                         "process a sufficient number of batches each run "
                         "for pipelined execution instead.")
            raise _impl.createPoptorchError(text)

    # --- the user's model --------------------------------------------------

    @property
    def model(self):
        """The user's model."""
        return self._user_model

    @property
    def options(self):
        """The options that the model runs with; they are frozen."""
        return self._options

    @property
    def training(self):
        """Whether the model is in training mode, as its user says."""
        return getattr(self._user_model, "training", self._training)

    def __getattr__(self, name):
        if name.startswith("__") or "_user_model" not in self.__dict__:
            raise AttributeError(name)
        found = getattr(self._user_model, name)
        if isinstance(found, torch.nn.Parameter) and \
                _weights.owner_of(found) is not self:
            return _replica_groups.groupable(self, name, found)
        return found

    def group_parameter(self, name, said):
        """What replicaGrouping() of a parameter has said."""
        if self.isCompiled():
            raise _impl.createPoptorchError(
                f"replicaGrouping() of {name} was called too late: the model "
                "is already compiled; call destroy() first.")
        self.per_replica_params[name] = said

    def __repr__(self):
        model = self._user_model
        return module_repr(model) if isinstance(model, torch.nn.Module) \
            else repr(model)

    def state_dict(self, *args, **kwargs):
        """That of the user's model."""
        return self._user_model.state_dict(*args, **kwargs)

    def load_state_dict(self, state_dict, strict=True):
        """Load the user's model, and the device where it is attached."""
        result = self._user_model.load_state_dict(state_dict, strict)
        if self.isAttachedToDevice():
            logger.debug("load_state_dict: implicit copyWeightsToDevice()")
            self.copyWeightsToDevice()
        return result

    # --- compiling ---------------------------------------------------------

    def isCompiled(self):
        """Whether the model has been compiled."""
        return self._executable is not None

    @profiling.traced("compile")
    def compile(self, *args, **kwargs):
        """Compile the model for inputs like these."""
        parsed = self._args_parser(args, kwargs)
        self._compile(parsed)

    @profiling.traced("modelCompilation")
    @_executable.in_own_modes
    def _compile(self, parsed):
        if self.isCompiled():
            logger.warning("Call to compile() ignored: the executable is "
                           "already compiled")
            return
        parsed = parsed.clone()
        parsed.detach()
        _results.refuse_arguments(parsed)
        if self._options.Distributed.numProcesses > 1 and \
                not _saved.cache_directory(self._options):
            logger.warning("Use poptorch.Options.enableExecutableCaching() "
                           "to avoid compiling the model once per process")
        with self._times.measure("compile"):
            self._executable = _executable.build(self, parsed)
        self._executable_inputs = parsed.clone()
        self._ready()

    def _seed(self):
        options = self._options
        self._rng_seed = options.random_seed \
            if options.exists("random_seed") else torch.initial_seed()
        self._executable.device.seed(self._rng_seed)

    @profiling.traced("compileAndExport")
    def compileAndExport(self, filename, *args, export_model=True, **kwargs):
        """Compile, and write what was compiled to a file."""
        self._compile(self._args_parser(args, kwargs))
        self.save(filename, export_model)

    def save(self, filename, export_model=True, save_rng_state=True):
        """Write what was compiled to a file, which poptorch.load reads."""
        self._need_executable()
        directory = os.path.dirname(filename)
        if directory and os.path.exists(directory) and \
                not os.path.isdir(directory):
            raise AssertionError(f"Destination folder {directory} is not a "
                                 "directory")
        os.makedirs(directory or ".", exist_ok=True)
        if os.path.isdir(filename):
            name = os.path.join(filename, "model.poptorch")
            logger.warning("save(): %s is a directory, saving model to %s",
                           filename, name)
            filename = name
        with self._profiling.tracepoint("saveExecutableToFile"):
            _saved.save(self, filename, export_model, save_rng_state)

    @profiling.traced("loadExecutable")
    @_executable.in_own_modes
    def loadExecutable(self, filename):
        """Take what was compiled from a file, in place of what is there."""
        try:
            content = _saved.read(filename)
        except AssertionError as error:
            raise _impl.createPoptorchError(str(error)) from None
        if self.isCompiled():
            self._forget()
        self.per_replica_params.update(content["groups"])
        self._executable = _executable.load(self, content)
        self._executable_inputs = content["inputs"]
        self._ready()

    def _ready(self):
        """What was compiled is there; without its IPUs it is forgotten."""
        self._outputs_structure = self._executable.device.graph.result
        self._seed()
        self._new_optimizer()
        try:
            self._executable.choose_engine(self)
            if self._options.connection_type == enums.ConnectionType.Always:
                self.attachToDevice()
        except BaseException:
            self._executable = self._executable_inputs = None
            raise

    @profiling.traced("destroy")
    def destroy(self):
        """Forget what was compiled; the model is the user's again."""
        if self._training and not _impl.isWrapped(self._user_model) and \
                self._executable is None:
            raise _impl.createPoptorchError("model was never wrapped")
        self._forget()
        if self._training and _impl.isWrapped(self._user_model):
            _weights.unwrap(self._user_model)

    def _forget(self):
        """Give the device back, and forget what was compiled."""
        if self.isAttachedToDevice():
            self.detachFromDevice()
        elif self._dirty_host_weights:
            self.copyWeightsToHost()
        if self.isCompiled():
            _running.discard(self)
            _device_optimizer.read_back(self._optimizer)
            self._executable.stop_engine()
        self._executable = None
        self._executable_inputs = None

    def __del__(self, is_ending=sys.is_finalizing):
        # Nothing is lost with it; its IPUs go with their Attachment.
        if self.__dict__.get("_is_attached") and not is_ending():
            self.copyWeightsToHostIfNeeded()
            self._executable.finish(self._times)

    def _need_executable(self):
        if not self.isCompiled():
            raise _impl.createPoptorchError(_NOT_COMPILED)

    # --- the device --------------------------------------------------------

    def isAttachedToDevice(self):
        """Whether the IPUs are this model's."""
        return self.isCompiled() and self._is_attached

    def attachToDevice(self):
        """Take the IPUs."""
        self._need_executable()
        if self._options.connection_type == enums.ConnectionType.Never:
            raise AssertionError("Trying to attach to an offline device "
                                 "(ConnectionType.Never)")
        if self._is_attached:
            raise _impl.createPoptorchError("Device is already attached")
        if self._executable.outline.is_profiled:
            self._executable.outline.prepare_profile()
            _ending.before_signals(_finish)
        with self._times.measure("attach"):
            self._attachment = Attachment(self._options,
                                          self._executable.plan)
        self._is_attached = True
        self._executable.outline.attached(self._attachment)
        _running.add(self)
        self._copy_weights_to_device()
        if self._optimizer_changed:
            self._new_optimizer()

    def detachFromDevice(self):
        """Give the IPUs back; weights are copied to the host before."""
        self._need_executable()
        if not self._is_attached:
            raise _impl.createPoptorchError("Device is not attached")
        self.copyWeightsToHostIfNeeded()
        attachment, self._attachment = self._attachment, None
        self._is_attached = False
        _running.discard(self)
        self._executable.stop_engine()
        try:
            with self._times.measure("detach"):
                attachment.release()
        finally:
            self._executable.finish(self._times)

    # --- weights -----------------------------------------------------------

    def copyWeightsToHostIfNeeded(self):
        """Copy the weights where those of the device are newer."""
        if not self.__dict__.get("_dirty_host_weights"):
            return False
        logger.debug("Implicit copyWeightsToHost()")
        self.copyWeightsToHost()
        return True

    @profiling.traced("copyWeightsToHost")
    def copyWeightsToHost(self):
        """Give the user's model the weights of the device."""
        self._need_executable()
        self._dirty_host_weights = False
        compiler_log("info", "Writing weights from IPU to host.")
        with self._times.measure("weights_out"):
            self._executable.device.copy_to_host()
        self._host_weights.number += 1

    @property
    def _host_weights_version(self):
        """How often weights were copied to the host."""
        return self._host_weights.number

    @profiling.traced("copyWeightsToDevice")
    def copyWeightsToDevice(self):
        """Give the device the weights of the user's model."""
        self._need_executable()
        if self._is_attached:
            self._copy_weights_to_device()

    def _copy_weights_to_device(self):
        if self._training:
            # The host's overwrite what was trained since they were copied;
            # looking for the trainer would copy that now.
            self._dirty_host_weights = False
        owner = self._trainer()
        if owner is not None and owner is not self:
            owner.copyWeightsToHostIfNeeded()
            self._see_weights(owner._host_weights)
        self._dirty_host_weights = False
        compiler_log("info", "Writing weights from host to IPU memory.")
        with self._times.measure("weights_in"):
            self._executable.device.copy_to_device()

    def copyNamedBuffersToDevice(self):
        """Give the device those buffers that the options name."""
        self._need_executable()
        self._executable.device.copy_buffers_to_device(
            self._options.updatable_named_buffers)

    def _trainer(self):
        """The executor that trains this one's model."""
        return _executable.trainer_of(self._user_model)

    # --- the optimizer -----------------------------------------------------

    @profiling.traced("setOptimizer")
    def setOptimizer(self, optimizer):
        """Go on with these values, from the next call on."""
        if not self._training:
            raise AssertionError("Optimizer should be None for inference")
        if optimizer is not self._optimizer and self.isCompiled():
            _device_optimizer.read_back(self._optimizer)
        self._optimizer = optimizer
        self._optimizer_changed = True
        self.optimizer_attributes(optimizer)
        if self._is_attached:
            self._new_optimizer()

    def optimizer_attributes(self, optimizer):
        """What the device is told of an optimizer."""
        self._dict_optimizer = convertOptimizerToDict(
            optimizer, self._attribute_tracker, self._options,
            self.isCompiled())
        return self._dict_optimizer

    def optimizer_states(self):
        """Tensors that the optimizer keeps for each weight."""
        if self._optimizer is None:
            return 0
        return _device_optimizer.DeviceOptimizer(
            self._dict_optimizer,
            [[] for _ in self._dict_optimizer["groups"]]
        ).state_tensors_per_parameter()

    def trained_names(self):
        """Of the parameters that training changes."""
        if not self._training:
            return set()
        return {name for name, each in self._model.named_parameters()
                if each.requires_grad}

    def _new_optimizer(self):
        if self._training:
            self._executable.set_optimizer(self)
            self._optimizer_changed = False

    # --- running -----------------------------------------------------------

    @_executable.in_own_modes
    def __call__(self, *args, **kwargs):
        if self._options.connection_type == enums.ConnectionType.Never:
            raise AssertionError(
                "Trying to run a model on an offline device "
                "(ConnectionType.Never): use model.compile(inputs) instead "
                "of model(inputs)")
        parsed = self._args_parser(args, kwargs)
        if not self.isCompiled():
            self._compile(parsed)
        else:
            self._executable_inputs.validate(parsed)
        if not self._is_attached:
            self.attachToDevice()
        self._take_newer_weights()
        self._executable.write_optimizer_state(self)
        try:
            with self._profiling.tracepoint("modelExecution") as told:
                result = self._executable.run(self, parsed)
                told["computed by"] = self._executable.last_by
        except BaseException:
            self._attachment.work(False)
            raise
        self._attachment.check()
        if self._counts_cycles() and self._executable.answer is not None:
            compiler_log("debug", "Total number of IPU cycles: "
                                  f"{self.cycleCount()}")
        if self._training or self._executable.device.writes_buffers:
            self._dirty_host_weights = True
        if isinstance(self._optimizer, optim.Optimizer):
            self._optimizer.host_state_is_dirty = True
        return result

    def _see_weights(self, version):
        self._seen_weights = (version, version.number)

    def _take_newer_weights(self):
        """Those that were trained since the last call; the executor that did
        it may be gone."""
        if self._training:
            return
        owner = self._trainer()
        version, seen = self._seen_weights or (None, 0)
        if owner is not None:
            owner.copyWeightsToHostIfNeeded()
            if version is not owner._host_weights:
                version, seen = owner._host_weights, 0
        if version is not None and version.number != seen:
            logger.debug("Implicit copyWeightsToDevice()")
            self._see_weights(version)
            self.copyWeightsToDevice()

    # --- random numbers ----------------------------------------------------

    @property
    def rng_state(self):
        """The seed, then the state of each replica's random numbers, as
        integers."""
        self._need_executable()
        return [self._rng_seed] + self._executable.device.random_words()

    @rng_state.setter
    def rng_state(self, state):
        self._need_executable()
        self._executable.device.set_random_words(state[1:])
        self._rng_seed = state[0]

    # --- what is inside ----------------------------------------------------

    def getTensorNames(self):
        """Names that poptorch.Options.anchorTensor takes."""
        if not self.isCompiled():
            raise AssertionError("Model must be compiled before calling "
                                 "getTensorNames")
        return self._executable.tensor_names()

    def getAnchoredTensor(self, short_name):
        """A tensor that the options have anchored, of the last call."""
        if short_name not in self._anchor_memory:
            raise AssertionError(f"No tensor with name {short_name} found.")
        return self._anchor_memory[short_name]

    def _debugGetPopartIR(self):
        """The graph as JSON, with the names that PopART has for
        operations."""
        self._need_executable()
        return self._executable.popart_ir()

    # --- copies ------------------------------------------------------------

    def __reduce_ex__(self, protocol):
        """A model that was saved is wrapped, and compiled, when it is
        loaded."""
        return (_load_again, (_plain_model(self), self._options.clone(),
                              self._training, self._optimizer,
                              self.per_replica_params))


def _plain_model(executor):
    return copy.copy(executor._user_model) if executor._training \
        else executor._user_model


def _load_again(model, options, training, optimizer, groups):
    import poptorch

    executor = poptorch.trainingModel(model, options, optimizer) \
        if training else poptorch.inferenceModel(model, options)
    executor.per_replica_params.update(groups)
    return executor
