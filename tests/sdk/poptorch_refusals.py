"""What runs on a host and not on a Pod: refused, in PopTorch's words.

usage: poptorch_refusals.py MANUAL
"""
import sys

import poptorch
import torch
import torch.nn as nn
import torch.nn.functional as F
from poptorch_checks import check, finish, options, raises, same

x = torch.randn(4, 6)
image = torch.randn(1, 2, 6, 6)
start = torch.tensor(1)
made = torch.ones(6)
overlap = poptorch.OverlapMode.OverlapAccumulationLoop


def into(tensor):
    return poptorch.set_overlap_for_input(tensor, overlap)


def out_of(tensor):
    return poptorch.set_overlap_for_output(tensor, overlap)


def array():
    return torch.from_numpy(made.numpy())


class Model(nn.Module):
    """A layer, then a function, whose results are the loss."""

    def __init__(self, function):
        super().__init__()
        self.layer = nn.Linear(6, 6)
        self.function = function

    def forward(self, a):
        return poptorch.identity_loss(self.function(self.layer(a)), "sum")


FOR_LOOP = "poptorch.for_loop() is only supported in inference."
HOST = ("Expected an IPU tensor but got tensor(device=cpu, shape=[6], "
        "dtype=Float).\nConstant tensors should be moved explicitly to the "
        "IPU, via cpu_tensor.to(\"ipu\").")
NORM = "2-norm and nuclear norm are unsupported for matrices."
ALONE = ("poptorch.set_overlap_for_input must be the only op applied to an "
         "input. This is not the case for input input 0 to the model.")
LEAVES = ("poptorch.set_overlap_for_output applied on a node which is not a "
          "tensor output to the model.")
NO_SLICE = ("Taking a slice of a tensor with the end less than the start is "
            "not supported.")

# In training only: the words, and what is computed.
for text, function in {
        FOR_LOOP: lambda a: poptorch.for_loop(2, lambda b: b * 2, [a])[0],
        "poptorch.cond() is only supported in inference.":
        lambda a: poptorch.cond(a.sum() > 0, lambda: a, [], lambda: -a,
                                [])[0],
        "CPU ops are only supported in inference.":
        poptorch.CPU(lambda a: a + 1, "more")}.items():
    raises(text, poptorch.Error, text, lambda: poptorch.trainingModel(
        Model(function), options())(x))
    check(f"inference: {text}", poptorch.inferenceModel(
        Model(function), options())(x).dim() == 0)

# In inference too, of an image or of x: the words, and what they refuse.
for text, given, functions in (
        (HOST, x, (
            lambda a: a + array(), lambda a: torch.ones(6, device="cpu") * a,
            lambda a: a * (torch.eye(6) * 2)[0],
            lambda a: a + torch.as_tensor([1.] * 6))),
        ("Non-uniform bilinear upsampling not supported", image, (
            lambda a: F.interpolate(a, (6, 12), mode="bilinear"),
            nn.Upsample(scale_factor=(2, 3), mode="bilinear"))),
        ("Bilinear upsampling with non-integer factor not supported", image, (
            lambda a: F.interpolate(a, (9, 9), mode="bilinear"),
            nn.Upsample(scale_factor=1.5, mode="bilinear"))),
        ("Unsupported upsample mode aten::upsample_linear1d: currently only "
         "'nearest' is supported", image[0], (
             nn.Upsample(scale_factor=2, mode="linear"),)),
        ("Unsupported upsample mode aten::upsample_trilinear3d: currently "
         "only 'nearest' is supported", image[None], (
             nn.Upsample(scale_factor=2, mode="trilinear"),)),
        ("Only support align_corners=False.", image, (
            nn.Upsample(scale_factor=2, mode="bicubic",
                        align_corners=True),)),
        ("torch.topk only supports sorted=True argument.", x, (
            lambda a: a.topk(2, sorted=False),
            lambda a: torch.topk(a, 2, 1, True, False))),
        ("Currently the max pool layers do not return the indices so only "
         "the variants with return_indices=False are supported.", image, (
             nn.MaxPool2d(2, return_indices=True),)),
        ("Conv transpose operations do not yet support dilations.", image, (
            nn.ConvTranspose2d(2, 3, 3, dilation=2),)),
        (NORM, x, (lambda a: torch.linalg.norm(a, 2),
                   lambda a: torch.linalg.matrix_norm(a, "nuc"),
                   lambda a: torch.norm(a, "nuc"))),
        ("Unsupported tensor input type from pytorch: BFloat16", x, (
            lambda a: a.bfloat16().float(),)),
        ("Unsupported tensor input type from pytorch: ComplexFloat", x, (
            lambda a: torch.fft.rfft(a).abs(),)),
        ("The size of the slice (5) must be a factor of the slicing "
         "dimension (4).", x, (
             lambda a: poptorch.dynamic_slice(a, 0, start, 5, 1),
             lambda a: poptorch.dynamic_update(a, a, 0, start, 5))),
        (NO_SLICE, x, (lambda a: poptorch.dynamic_slice(a, 0, start, 0, 1),)),
        ("Slicing step must be at least 1", x, (
            lambda a: poptorch.dynamic_slice(a, 0, start, 2, 0),)),
        ("Dimension out of range (expected to be in range of [-2, 1], but "
         "got 2)", x, (
             lambda a: poptorch.dynamic_slice(a, 2, start, 2, 1),
             lambda a: poptorch.dynamic_update(a, a, 2, start, 2))),
        ("src must have the shape of input", x, (
            lambda a: poptorch.dynamic_update(a, a[:1], 0, start, 2),
            lambda a: poptorch.dynamic_update(a, a[:2, :3], 0, start, 2))),
        (ALONE, x, (lambda a: into(a) + a, lambda a: (a * 2, into(a))[0],
                    lambda a: (into(a), a))),
        ("poptorch.set_overlap_for_input applied on a node which is not a "
         "tensor input to the model.", x, (lambda a: into(a + 1),)),
        (LEAVES, x, (lambda a: out_of(a * 2) + 1,
                     lambda a: (lambda b: (out_of(b), b)[1])(a * 2))),
        ("returned twice", x, (
            lambda a: (lambda b: (b, out_of(b)))(a * 2),))):
    for number, function in enumerate(functions):
        raises(f"{number}: {text}", poptorch.Error, text,
               lambda: poptorch.inferenceModel(function, options())(given))

# Buffers that the model does not have.
norm = nn.BatchNorm1d(6).eval()
for names, text in ((["running_mean"], None), (["mean"], "no buffer 'mean'")):
    opts = options()
    opts.updatableNamedBuffers(names)
    run = poptorch.inferenceModel(norm, opts)
    if text:
        raises(text, poptorch.Error, text, lambda: run(x))
    else:
        same("known buffers", norm(x), run(x), 1e-5)

# Floating-point exceptions, where the options ask for them.
for name, function, text in (
        ("division", lambda a: a / torch.zeros_like(a), "division by zero"),
        ("root", lambda a: torch.sqrt(-a.abs() - 1), "invalid operation"),
        ("overflow", lambda a: (a.abs() + 1) * 3e38 * 2, "overflow"),
        ("half", lambda a: (a.abs() * 1e5 + 1e5).half(), "overflow"),
        ("mask", lambda a: a.masked_fill(a > 0, -float("inf")), None),
        ("softmax", lambda a: a.masked_fill(
            a > a.min(), -float("inf")).view(-1).softmax(0), None)):
    opts = options()
    opts.Precision.enableFloatingPointExceptions(True)
    run = poptorch.inferenceModel(function, opts)
    if text:
        raises(f"exception of {name}", poptorch.Error, text, lambda: run(x))
        poptorch.inferenceModel(function, options())(x)
    else:
        same(f"no exception of {name}", function(x), run(x))


class Diverging(nn.Module):
    """A loss whose gradient is too large for its weight."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.full((1,), 1e30))

    def forward(self, a):
        return poptorch.identity_loss(a.sum() * 0 + self.weight * 1e30, "sum")


opts = options()
opts.Precision.enableFloatingPointExceptions(True)
raises("an exception in a step", poptorch.Error, "Floating point exception",
       lambda: poptorch.trainingModel(Diverging(), opts)(x))

# The manual's list: each name, with a program that it is about.


def infer(function, given=x):
    return lambda: poptorch.inferenceModel(function, options())(given)


def train(function):
    return lambda: poptorch.trainingModel(Model(function), options())(x)


PROGRAMS = {
    "for_loop": train(lambda a: poptorch.for_loop(2, torch.sin, [a])[0]),
    "cond": train(lambda a: poptorch.cond(
        a.sum() > 0, lambda: a, [], lambda: -a, [])[0]),
    "CPU": train(poptorch.CPU(torch.sin, "sine")),
    "from_numpy": infer(lambda a: a + array()),
    "eye": infer(lambda a: a @ torch.eye(6)),
    "LSTM": infer(nn.LSTM(6, 5, 2), x[:, None]),
    "GRU": infer(nn.GRU(6, 5, 2), x[:, None]),
    "RNN": infer(nn.RNN(6, 5, bidirectional=True), x[:, None]),
    "interpolate": infer(lambda a: F.interpolate(
        a, scale_factor=2, mode="linear"), image[0]),
    "topk": infer(lambda a: a.topk(2, sorted=False)),
    "sort": infer(lambda a: a.sort(stable=True)),
    "argsort": infer(lambda a: a.argsort(stable=True, dim=0)),
    "max_pool2d": infer(lambda a: F.max_pool2d(a, 2, return_indices=True),
                        image),
    "conv_transpose2d": infer(nn.ConvTranspose2d(2, 3, 3, dilation=2), image),
    "norm": infer(lambda a: torch.linalg.norm(a, 2)),
    "bfloat16": infer(lambda a: a.bfloat16()),
    "complex": infer(lambda a: torch.complex(a, a)),
    "dynamic_slice": infer(
        lambda a: poptorch.dynamic_slice(a, 0, start, 5, 1)),
    "dynamic_update": infer(
        lambda a: poptorch.dynamic_update(a, a, 0, start, 5)),
    "set_overlap_for_input": infer(lambda a: into(a) + a),
    "set_overlap_for_output": infer(lambda a: out_of(a + 1) + 1),
    "updatableNamedBuffers": lambda: poptorch.inferenceModel(
        norm, options().updatableNamedBuffers(["mean"]))(x),
    "return": infer(lambda a: {a})}
with open(sys.argv[1], encoding="utf-8") as manual:
    listed = manual.read().partition(".Ss Refused in part\n")[2].partition(
        ".Ss ")[0]
names = [name for line in listed.splitlines() if line.startswith(".It Li ")
         for name in line[7:].split(" , ")]
check(f"names of the manual {sorted(set(names) ^ set(PROGRAMS))}",
      sorted(names) == sorted(PROGRAMS))
for name in names:
    raises(name, poptorch.Error, "", PROGRAMS[name])

# What stands next to it, and runs.
for name, function, given in (
        ("moved", lambda a: a + array().to(a.device), x),
        ("moved by a name", lambda a: a + array().to("ipu")
         if poptorch.isRunningOnIpu() else a + made, x),
        ("moved to another's place", lambda a: a + array().to(a), x),
        ("copied", lambda a: torch.zeros_like(a).copy_(array()), x),
        ("made on the device", lambda a: a * torch.eye(6, device=a.device)[0],
         x),
        ("made before", lambda a: a + made, x),
        ("only on the host", lambda a: a * float(torch.eye(6).sum()), x),
        ("bilinear", nn.Upsample(scale_factor=2, mode="bilinear"), image),
        ("bicubic", nn.Upsample(scale_factor=1.5, mode="bicubic"), image),
        ("topk", lambda a: a.topk(2, largest=False)[0], x),
        ("max pool", nn.MaxPool2d(2), image),
        ("norms", lambda a: torch.linalg.norm(a) + torch.norm(a, 2) +
         torch.linalg.norm(a, 2, dim=1).sum(), x),
        ("overlap", lambda a: out_of(into(a) * 2), x),
        ("update", lambda a: poptorch.dynamic_update(
            a, a[:2] + 1, 0, start, 2), x)):
    same(name, function(given), poptorch.inferenceModel(
        function, options())(given), 1e-5)
finish()
