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
line = x[:, None]
start = torch.tensor(1)
ones = torch.ones(6)
overlap = poptorch.OverlapMode.OverlapAccumulationLoop
minus = -float("inf")


def into(tensor):
    return poptorch.set_overlap_for_input(tensor, overlap)


def out_of(tensor):
    return poptorch.set_overlap_for_output(tensor, overlap)


def array():
    return torch.from_numpy(ones.numpy())


class Model(nn.Module):
    """A layer, then a function, whose results are the loss."""

    def __init__(self, function):
        super().__init__()
        self.layer = nn.Linear(6, 6)
        self.function = function

    def forward(self, a):
        return poptorch.identity_loss(self.function(self.layer(a)), "sum")


def infer(function, given, opts=None):
    return poptorch.inferenceModel(function, opts or options())(given)


HOST = ("Expected an IPU tensor but got tensor(device=cpu, shape=[6], "
        "dtype=Float).\nConstant tensors should be moved explicitly to the "
        "IPU, via cpu_tensor.to(\"ipu\").")
NORM = "2-norm and nuclear norm are unsupported for matrices."
MODE = ("Unsupported upsample mode aten::upsample_linear1d: currently only "
        "'nearest' is supported")
TYPE = "Unsupported tensor input type from pytorch: "
SORT = "Stable sort algorithm is not supported"
SLICE = ("The size of the slice (5) must be a factor of the slicing "
         "dimension (4).")
NO_SLICE = ("Taking a slice of a tensor with the end less than the start is "
            "not supported.")
NO_DIM = ("Dimension out of range (expected to be in range of [-2, 1], but "
          "got 2)")
ALONE = ("poptorch.set_overlap_for_input must be the only op applied to an "
         "input. This is not the case for input input 0 to the model.")
NODE = ("poptorch.set_overlap_for_output applied on a node which is not a "
        "tensor output to the model.")
norm = nn.BatchNorm1d(6).eval()

# By the manual's name of it: the words, the input, and what they refuse.
CASES = (
    ("from_numpy", HOST, x, lambda a: a + array()),
    ("from_numpy", HOST, x, lambda a: torch.ones(6, device="cpu") * a),
    ("from_numpy", HOST, x, lambda a: a + torch.as_tensor([1.] * 6)),
    ("eye", HOST, x, lambda a: a * (torch.eye(6) * 2)[0]),
    ("LSTM", "Only LSTM with 1 layer", line, nn.LSTM(6, 5, 2)),
    ("GRU", "Only GRU with 1 layer", line, nn.GRU(6, 5, 2)),
    ("RNN", "Bidirectional RNN", line, nn.RNN(6, 5, bidirectional=True)),
    ("interpolate", "Non-uniform bilinear upsampling not supported", image,
     lambda a: F.interpolate(a, (6, 12), mode="bilinear")),
    ("interpolate", "Bilinear upsampling with non-integer factor not "
     "supported", image, nn.Upsample(scale_factor=1.5, mode="bilinear")),
    ("interpolate", MODE, image[0],
     nn.Upsample(scale_factor=2, mode="linear")),
    ("interpolate", "Only support align_corners=False.", image,
     nn.Upsample(scale_factor=2, mode="bicubic", align_corners=True)),
    ("topk", "torch.topk only supports sorted=True argument.", x,
     lambda a: torch.topk(a, 2, 1, True, False)),
    ("sort", SORT, x, lambda a: a.sort(stable=True)),
    ("argsort", SORT, x, lambda a: a.argsort(stable=True, dim=0)),
    ("max_pool2d", "Currently the max pool layers do not return the indices "
     "so only the variants with return_indices=False are supported.", image,
     nn.MaxPool2d(2, return_indices=True)),
    ("conv_transpose2d", "Conv transpose operations do not yet support "
     "dilations.", image, nn.ConvTranspose2d(2, 3, 3, dilation=2)),
    ("norm", NORM, x, lambda a: torch.linalg.norm(a, 2)),
    ("norm", NORM, x, lambda a: torch.linalg.matrix_norm(a, "nuc")),
    ("bfloat16", TYPE + "BFloat16", x, lambda a: a.bfloat16().float()),
    ("complex", TYPE + "ComplexFloat", x, lambda a: torch.fft.rfft(a).abs()),
    ("dynamic_slice", SLICE, x,
     lambda a: poptorch.dynamic_slice(a, 0, start, 5, 1)),
    ("dynamic_slice", NO_SLICE, x,
     lambda a: poptorch.dynamic_slice(a, 0, start, 0, 1)),
    ("dynamic_slice", NO_DIM, x,
     lambda a: poptorch.dynamic_slice(a, 2, start, 2, 1)),
    ("dynamic_update", SLICE, x,
     lambda a: poptorch.dynamic_update(a, a, 0, start, 5)),
    ("dynamic_update", "src must have the shape of input", x,
     lambda a: poptorch.dynamic_update(a, a[:2, :3], 0, start, 2)),
    ("set_overlap_for_input", ALONE, x, lambda a: into(a) + a),
    ("set_overlap_for_input", ALONE, x, lambda a: (into(a), a)),
    ("set_overlap_for_output", NODE, x,
     lambda a: out_of(a * 2) + 1),
    ("set_overlap_for_output", NODE, x,
     lambda a: (lambda b: (out_of(b), b)[1])(a * 2)),
    ("return", "poptorch.registerCustomArgParser", x, lambda a: {a}))
for name, text, given, function in CASES:
    raises(f"{name}: {text}", poptorch.Error, text,
           lambda: infer(function, given))

# In training only.
TRAINED = (
    ("for_loop", "poptorch.for_loop() is only supported in inference.",
     lambda a: poptorch.for_loop(2, torch.sin, [a])[0]),
    ("cond", "poptorch.cond() is only supported in inference.",
     lambda a: poptorch.cond(a.sum() > 0, lambda: a, [], lambda: -a, [])[0]),
    ("CPU", "CPU ops are only supported in inference.",
     poptorch.CPU(torch.sin, "sine")))
for name, text, function in TRAINED:
    raises(text, poptorch.Error, text, lambda: poptorch.trainingModel(
        Model(function), options())(x))
    check(f"inference: {text}", infer(Model(function), x).dim() == 0)

raises("unknown buffers", poptorch.Error, "has no buffer 'mean'",
       lambda: infer(norm, x, options().updatableNamedBuffers(["mean"])))
same("known buffers", norm(x), infer(
    norm, x, options().updatableNamedBuffers(["running_mean"])), 1e-5)

with open(sys.argv[1], encoding="utf-8") as manual:
    listed = manual.read().partition(".Ss Refused in part\n")[2].partition(
        ".Ss ")[0]
names = {name for each in listed.splitlines() if each.startswith(".It Li ")
         for name in each[len(".It Li "):].split(" , ")}
tested = {name for name, *_ in CASES + TRAINED} | {"updatableNamedBuffers"}
check(f"names of the manual {names ^ tested}", names == tested)


# Of two models that are trained, one has the buffers that both use.
norm = nn.BatchNorm1d(6)
first = poptorch.trainingModel(Model(norm), options())
raises("a shared buffer", poptorch.Error, "All buffers must be an instance of "
       "torch.Tensor (Got <class 'poptorch._weights.PoptorchBuffer'>)",
       lambda: poptorch.trainingModel(Model(norm), options()))
first.destroy()
poptorch.trainingModel(Model(norm), options())(x)


# Floating-point exceptions, where the options ask for them.
def excepting():
    opts = options()
    opts.Precision.enableFloatingPointExceptions(True)
    return opts


for text, function in (
        ("division by zero", lambda a: a / torch.zeros_like(a)),
        ("invalid operation", lambda a: torch.sqrt(-a.abs() - 1)),
        ("overflow", lambda a: (a.abs() + 1) * 3e38 * 2),
        ("overflow", lambda a: (a.abs() * 1e5 + 1e5).half())):
    raises(text, poptorch.Error, text, lambda: infer(function, x, excepting()))
    infer(function, x)
raises("an exception in training", poptorch.Error, "Floating point exception",
       lambda: poptorch.trainingModel(
           Model(lambda a: a * 1e38 * 1e38), excepting())(x))

# What stands next to it, and runs.
for name, function, given in (
        ("moved", lambda a: a + array().to(a.device), x),
        ("moved by a name", lambda a: a + array().to("ipu")
         if poptorch.isRunningOnIpu() else a + ones, x),
        ("copied", lambda a: torch.zeros_like(a).copy_(array()), x),
        ("made on the device", lambda a: a * torch.eye(6, device=a.device)[0],
         x),
        ("made before", lambda a: a + ones, x),
        ("bilinear", nn.Upsample(scale_factor=2, mode="bilinear"), image),
        ("norms", lambda a: torch.linalg.norm(a) + torch.norm(a, 2) +
         torch.linalg.norm(a, 2, dim=1).sum(), x),
        ("overlap", lambda a: out_of(into(a) * 2), x),
        ("mask", lambda a: a.masked_fill(a > a.min(), minus), x),
        ("softmax", lambda a: a.masked_fill(
            a > a.min(), minus).view(-1).softmax(0), x)):
    same(name, function(given), infer(function, given, excepting()), 1e-5)
finish()
