"""Blocks: the parts of a model that stages and IPUs are given to."""

import torch

from . import _impl, _lowering


class Block(torch.nn.Module):
    """Calls within `with poptorch.Block(...)` belong to that block.

    Outside of a compilation this does nothing.
    """

    def __init__(self, user_id=None, ipu_id=None):
        super().__init__()
        self._user_id = user_id
        self._ipu_id = ipu_id

    @staticmethod
    def useAutoId():
        """Number the blocks without a name from "0" on.  A compilation does
        this in any case; a forward() that calls it later starts again at
        "0"."""
        lowering = _lowering.current()
        if lowering is not None:
            lowering.use_auto_ids()

    @staticmethod
    def start(user_id=None, ipu_id=None):
        """Begin the block: the following operations belong to it."""
        _start(user_id, ipu_id, None)

    def __enter__(self):
        Block.start(self._user_id, self._ipu_id)
        return self

    def __exit__(self, kind, value, traceback):
        lowering = _lowering.current()
        if lowering is not None:
            lowering.end_block()


def _start(user_id, ipu_id, owner):
    """Begin a block: owner is what has the same number each time, where it
    has no name."""
    lowering = _lowering.current()
    if lowering is not None:
        lowering.begin_block(user_id, ipu_id, owner)


class _BlockHook:
    """Begins a block before the forward of a module."""

    def __init__(self, module, user_id, ipu_id):
        self._module = module
        self._user_id = user_id
        self._ipu_id = ipu_id

    def __call__(self, module, inputs):
        _start(self._user_id, self._ipu_id, self)

    def __repr__(self):
        return f"BeginBlock(user_id={self._user_id}, ipu_id={self._ipu_id})"


class LegacyBeginBlockFn(torch.nn.Module):
    """A module that begins a block and then calls a function."""

    def __init__(self, layer_to_call, user_id=None, ipu_id=None):
        super().__init__()
        self._user_id = user_id
        self._ipu_id = ipu_id
        self._layer_to_call = layer_to_call

    def forward(self, *args, **kwargs):
        _start(self._user_id, self._ipu_id, self)
        return self._layer_to_call(*args, **kwargs)


def BeginBlock(layer_to_call, user_id=None, ipu_id=None):
    """Begin a block where this module or function is called.

    A module is returned as it was, a function as a module that calls it.
    """
    if isinstance(layer_to_call, torch.nn.Module):
        if any(isinstance(hook, _BlockHook) for hook in
               layer_to_call._forward_pre_hooks.values()):
            raise _impl.createPoptorchError(
                "module has already been assigned to a block.")
        layer_to_call.register_forward_pre_hook(
            _BlockHook(layer_to_call, user_id, ipu_id))
        return layer_to_call
    if not callable(layer_to_call):
        raise _impl.createPoptorchError(
            "module is not an instance of torch.nn.Module or function.")
    return LegacyBeginBlockFn(layer_to_call, user_id, ipu_id)


def BlockFunction(user_id=None, ipu_id=None):
    """A decorator: calls of the function belong to this block."""
    def decorate(function):
        def block(*args, **kwargs):
            with Block(user_id, ipu_id):
                return function(*args, **kwargs)
        return block
    return decorate


def removeBlocks(module):
    """Undo the changes of BeginBlock in a module and its submodules."""
    if not isinstance(module, torch.nn.Module):
        raise AssertionError(f"{type(module)} is not a torch.nn.Module")
    for each in module.modules():
        kept = type(each._forward_pre_hooks)(
            (key, hook) for key, hook in each._forward_pre_hooks.items()
            if not isinstance(hook, _BlockHook))
        each._forward_pre_hooks = kept
