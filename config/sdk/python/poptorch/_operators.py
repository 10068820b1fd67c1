"""PopTorch's operators below torch.ops.poptorch, as programs call them
directly.

Their schemas are those of the registry in PopTorch's
RegisterAtenOverloads.cpp.  A loop and a call of the host, which are several
operators there, are functions of poptorch alone.
"""
import torch

from . import _impl, _lowering, enums, ops
from ._utils import accessAttributes

_TYPES = {"FLOAT": torch.float32, "FLOAT32": torch.float32,
          "FLOAT16": torch.float16, "INT32": torch.int32,
          "INT16": torch.int16, "INT8": torch.int8, "UINT8": torch.uint8,
          "BOOL": torch.bool}


def _no_effect(*args):
    """An operator that says something to the chip's compiler only."""


def _push_name_scope(name):
    if _impl.isRunningOnIpu():
        _impl.push_name_scope(name)


def _pop_name_scope():
    if _impl.isRunningOnIpu() and _impl.name_scopes:
        _impl.name_scopes.pop()


def _of_lowering(method):
    """A method of the lowering, where there is one."""
    def operator(*args):
        lowering = _lowering.current()
        if lowering is not None:
            method(lowering, *args)
    return operator


def _internal_cast(tensor, dtype):
    if dtype not in _TYPES:
        raise _impl.create_compiler_error(
            f"internal_cast: unknown type {dtype}")
    return tensor.to(_TYPES[dtype])


def _custom_operation(inputs, name, domain, version, count, outputs,
                      attributes):
    return ops.custom_op(inputs, name, domain, version, outputs,
                         accessAttributes(attributes) if attributes else {})


_OPERATORS = {
    "begin_ipu_block(int stage_id, int phase_id, int ipu_id) -> ()":
        _of_lowering(lambda lowering, stage, phase, ipu:
                     lowering.begin_block(None, ipu)),
    "end_ipu_block() -> ()":
        _of_lowering(_lowering.Lowering.end_block),
    "begin_multi_conv() -> ()":
        _of_lowering(_lowering.Lowering.begin_multi_conv),
    "end_multi_conv(float[]? available_memory_proportions, "
    "int[]? partials_types, int? plan_type, int? per_conv_reserved_tiles, "
    "float? cycle_back_off, int[]? enableConvDithering) -> ()":
        _of_lowering(lambda lowering, *settings: lowering.end_multi_conv()),
    "push_name_scope(str name) -> ()": _push_name_scope,
    "pop_name_scope() -> ()": _pop_name_scope,
    "set_attribute(str attribute, str key, str value) -> ()": _no_effect,
    "clear_attribute(str attribute, str key) -> ()": _no_effect,
    "optimizer_group(int group, Tensor[] inputs) -> ()": _no_effect,
    "begin_autocast() -> ()": _no_effect,
    "suppress_autocast() -> ()": _no_effect,
    "restore_autocast() -> ()": _no_effect,
    "ipu_print_tensor(Tensor self, str? title) -> Tensor":
        lambda tensor, title: ops.ipu_print_tensor(tensor, title or ""),
    "internal_cast(Tensor self, str dtype) -> Tensor": _internal_cast,
    "nop(Tensor self) -> Tensor": ops.nop,
    "identity_loss(Tensor x, int reduction) -> Tensor": ops.identity_loss,
    "dynamic_slice(Tensor self, int dim, Tensor start, int size, int step) "
    "-> Tensor": ops.dynamic_slice,
    "ctc_beam_search_decoder(Tensor probs, Tensor lengths, int blank, "
    "int beam_width, int top_paths) -> (Tensor, Tensor, Tensor)":
        ops.ctc_beam_search_decoder,
    "set_matmul_serialization(Tensor matmul, str mode, int factor, "
    "bool keep_precision) -> Tensor": lambda tensor, *settings: tensor,
    "set_overlap_for_input(Tensor t, str mode) -> Tensor":
        lambda tensor, mode: ops.set_overlap_for_input(
            tensor, enums.OverlapMode(mode)),
    "set_overlap_for_output(Tensor t, str mode) -> Tensor":
        lambda tensor, mode: ops.set_overlap_for_output(
            tensor, enums.OverlapMode(mode)),
    "recomputation_checkpoint(Tensor self) -> Tensor":
        ops.recomputationCheckpoint,
    "set_available_memory(Tensor t, float mem) -> Tensor":
        ops.set_available_memory,
    "custom_operation(Tensor[] inputs, str name, str domain, "
    "int domain_version, int num_outputs, Tensor[] outputs, str attributes) "
    "-> Tensor[]": _custom_operation,
}


_library = torch.library.Library("poptorch", "DEF")
for _schema, _function in _OPERATORS.items():
    _name = _library.define(_schema)
    _library.impl(_name, _function, "CompositeImplicitAutograd")
    _lowering.operators[f"poptorch::{_name}"] = _function
