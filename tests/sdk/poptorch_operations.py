"""Models of one operation each: on the IPU they give what PyTorch gives."""
import collections
import json

import poptorch
import torch
import torch.nn as nn
import torch.nn.functional as F
from poptorch_checks import attempt, check, finish, options, raises, same

Pair = collections.namedtuple("Pair", "first second")
index = torch.tensor([0, 2, 1, 3])
column = index[:, None]


class Triple(torch.autograd.Function):
    """A function with a way back of its own."""

    @staticmethod
    def forward(context, x):
        return x * 3

    @staticmethod
    def backward(context, gradient):
        return gradient * 5


@torch.jit.script
def eightfold(x):
    for _ in range(3):
        x = x * 2
    return x


def assign(x, at):
    x[at] = 2.
    return x


def put(x, y):
    x[1:2] = y[0:1]
    return x


def increase(x, y):
    x += y
    return x


# Of two tensors of 4 by 6.
FUNCTIONS = {
    "add": lambda x, y: x + y,
    "number + tensor": lambda x, y: 1 + x,
    "in place": lambda x, y: x.add_(y),
    "+=": increase,
    "slices": lambda x, y: x[1:3, ::2],
    "index": lambda x, y: x[index],
    "assigned slice": put,
    "masked_fill": lambda x, y: x.masked_fill(x > 0, 0),
    "where": lambda x, y: torch.where(x > y, x, y),
    "max of a dimension": lambda x, y: x.max(1),
    "sort": lambda x, y: torch.sort(x, 1),
    "topk": lambda x, y: x.topk(2, 1),
    "chunk": lambda x, y: x.chunk(2, 1),
    "split": lambda x, y: torch.split(x, [2, 4], 1),
    "cat": lambda x, y: torch.cat([x, y], 1),
    "stack": lambda x, y: torch.stack((x, y)),
    "einsum": lambda x, y: torch.einsum("ij,kj->ik", x, y),
    "transpose": lambda x, y: x.T @ y,
    "norm": lambda x, y: x.norm(dim=1),
    "cumsum": lambda x, y: x.cumsum(1),
    "nested": lambda x, y: (x, [y, (x + y,)], {"a": x * 2}),
    "named tuple": lambda x, y: Pair(x, y * 2),
    "ordered dict": lambda x, y: collections.OrderedDict(a=x + 1),
    "None and a number": lambda x, y: (x, None, 3),
    "the same twice": lambda x, y: (x, x),
    "view": lambda x, y: x.view(6, 4),
    "shape": lambda x, y: x.reshape(x.shape[1], -1),
    "size": lambda x, y: torch.zeros(x.size(0), 3) + x.mean(),
    "new_zeros": lambda x, y: x.new_zeros(3) + x.sum(),
    "full_like": lambda x, y: torch.full_like(x, 3) * y,
    "arange": lambda x, y: torch.arange(6) + x,
    "tensor": lambda x, y: x + torch.tensor([1., 2, 3, 4, 5, 6]),
    "constant": lambda x, y: x + index[:1],
    "comparison": lambda x, y: x > y,
    "any": lambda x, y: (x > 0).any(1),
    "int": lambda x, y: (x * 10).int(),
    "long": lambda x, y: (x * 10).long(),
    "argmax": lambda x, y: x.argmax(1),
    "out=": lambda x, y: torch.add(x, y, out=torch.empty(4, 6)),
    "attention": lambda x, y: torch.softmax(x @ y.T, -1) @ y,
    "one_hot": lambda x, y: F.one_hot(index, 4) + x[:, :4],
    "embedding": lambda x, y: F.embedding(index, x),
    "gather": lambda x, y: x.gather(1, column),
    "scatter": lambda x, y: x.scatter(1, column, 1.5),
    "scatter_add_": lambda x, y: x.scatter_add_(1, column, y),
    "index_add": lambda x, y: x.index_add(0, index, y),
    "index_put": lambda x, y: x.index_put((index,), y),
    "roll": lambda x, y: x.roll(1, 0).flip(1),
    "pad": lambda x, y: F.pad(x, (1, 1)),
    "unbind": lambda x, y: x.unbind(0),
    "rows": lambda x, y: [row * 2 for row in x],
    "meshgrid": lambda x, y: torch.meshgrid(x[0], y[0], indexing="ij"),
    "data": lambda x, y: x.data * 2,
    "detach": lambda x, y: x.detach() + 1,
    "half": lambda x, y: x.half().float(),
    "double": lambda x, y: x.double().float() * 2,
    "type": lambda x, y: x.type(torch.int32),
    "device": lambda x, y: torch.zeros(2, device=x.device) + x[0, :2],
    "to a device": lambda x, y: torch.ones(6).to(x.device) + x.to("cpu:0"
        if not poptorch.isRunningOnIpu() else "ipu"),
    "distribution of tensors": lambda x, y:
        torch.distributions.Normal(x, 1.).log_prob(y),
    "var_mean": lambda x, y: torch.var_mean(x, 1),
    "nothing but views": lambda x, y: x,
    "nop": lambda x, y: poptorch.nop(x) * 2,
    "for_loop": lambda x, y: poptorch.for_loop(3, lambda a: a * 2 + y, [x]),
    "for_loop of two": lambda x, y: poptorch.for_loop(
        3, lambda a, b: (a + b, b * 2), [x, y])[0],
    "for_loop in a for_loop": lambda x, y: poptorch.for_loop(
        2, lambda a: poptorch.for_loop(2, lambda b: b + y, [a * 2])[0], [x]),
    "cond": lambda x, y: poptorch.cond(
        x.sum() > 0, lambda a: a * 2, [x], lambda a: a * 3, [x]),
    "recomputationCheckpoint": lambda x, y:
        poptorch.recomputationCheckpoint(x, y),
    "dynamic_slice": lambda x, y: poptorch.dynamic_slice(
        x, 0, torch.tensor(1), 2, 1),
    "dynamic_update": lambda x, y: poptorch.dynamic_update(
        x, y[:2], 0, torch.tensor(1), 2),
    "serializedMatMul": lambda x, y: poptorch.serializedMatMul(
        x, y.T, poptorch.MatMulSerializationMode.OutputChannels, 2),
    "identity_loss": lambda x, y: poptorch.identity_loss(x, "mean"),
    "CPU": lambda x, y: poptorch.CPU(lambda a: a + 1, "id")(x),
    "mse_loss": lambda x, y: F.mse_loss(x, y),
    "gradient in forward": lambda x, y: torch.autograd.grad(
        (x.requires_grad_(True) ** 2).sum(), x)[0],
    "cdist": lambda x, y: torch.cdist(x, y),
    "inverse": lambda x, y: torch.linalg.inv(x[:, :4]),
    "expand": lambda x, y: x[:1].expand(4, 6) + y,
    "script": lambda x, y: eightfold(x),
    "function": lambda x, y: Triple.apply(x),
}

# Of a tensor of 4 by 6 and an index, of any type of integers.
INDICES = {
    "index of rows": lambda x, at: x[at],
    "index of columns": lambda x, at: x[:, at],
    "indices": lambda x, at: x[torch.arange(4), at],
    "assigned rows": assign,
    "gather": lambda x, at: x.gather(1, at[:, None]),
    "gather of integers": lambda x, at: at.gather(0, at),
    "scatter_": lambda x, at: torch.zeros(4, 6).scatter_(1, at[:, None], x),
    "scatter of integers": lambda x, at: at.scatter(0, at, at),
    "take_along_dim": lambda x, at: torch.take_along_dim(x, at[:, None], 1),
    "one_hot": lambda x, at: F.one_hot(at, 5),
    "where": lambda x, at: torch.where(at > 1, at, index),
    "cross_entropy": lambda x, at: F.cross_entropy(x, at),
    "nll_loss": lambda x, at: F.nll_loss(x, at),
}

MODULES = {
    "Conv2d": nn.Conv2d(3, 4, 3), "ConvTranspose2d": nn.ConvTranspose2d(
        3, 4, 3), "BatchNorm2d": nn.BatchNorm2d(3).eval(),
    "InstanceNorm2d": nn.InstanceNorm2d(3), "GroupNorm": nn.GroupNorm(3, 3),
    "AvgPool2d": nn.AvgPool2d(2),
    "AdaptiveAvgPool2d": nn.AdaptiveAvgPool2d((4, None)),
    "Upsample": nn.Upsample(scale_factor=2),
    "PReLU": nn.PReLU(), "Unfold": nn.Unfold(2), "Dropout":
        nn.Dropout().eval()}

SEQUENCES = {
    "LSTM": nn.LSTM(6, 5, batch_first=True),
    "GRU": nn.GRU(6, 5, bias=False), "RNN": nn.RNN(6, 5),
    "TransformerEncoderLayer": nn.TransformerEncoderLayer(
        6, 2, dropout=0., batch_first=True)}


def copies(tensors):
    return [each.clone() for each in tensors]


def compare(name, model, *inputs):
    def run():
        on_ipu = poptorch.inferenceModel(model, options())
        same(name, model(*copies(inputs)), on_ipu(*copies(inputs)))
        # Nothing of the first call's values may have become a constant.
        other = [each.flip(0) * 2 + 1 for each in inputs]
        same(f"{name} again", model(*copies(other)), on_ipu(*copies(other)))
    attempt(name, run)


torch.manual_seed(1)
x, y = torch.randn(4, 6), torch.randn(4, 6)
for _ in range(3):      # PyTorch optimizes what it has run before.
    eightfold(x)
for name, function in FUNCTIONS.items():
    compare(name, function, x, y)
for name, function in INDICES.items():
    for dtype in (torch.int64, torch.int32, torch.int16):
        attempt(name, lambda: same(
            f"{name} of {dtype}", function(x.clone(), index),
            poptorch.inferenceModel(function, options())(
                x, index.to(dtype))))
raises("index out of range", IndexError, "out of", lambda:
       poptorch.inferenceModel(lambda x, at: x[at], options())(
           x, index.int() + 9))
for name, module in MODULES.items():
    compare(name, module, torch.randn(2, 3, 8, 8))
for name, module in SEQUENCES.items():
    compare(name, module, torch.randn(2, 3, 6))
compare("MultiheadAttention", nn.MultiheadAttention(6, 2).eval(),
        *torch.randn(3, 2, 3, 6))



def on_ipu(function, *inputs):
    return poptorch.inferenceModel(function, options())(*inputs)


for text, functions in {
        "aten::item is only supported in eager mode": {
            "item": lambda x: x.sum().item() * x,
            "if": lambda x: x if x.sum() > 0 else -x,
            "allclose": lambda x: x if torch.allclose(x, x) else -x},
        "Illegal move to CPU": {
            "cpu": lambda x: x.cpu(), "to": lambda x: x.to(device="cpu")},
        "Operations using aten::nonzero are unsupported because the output "
        "shape is determined by the tensor values. The IPU": {
            "nonzero": lambda x: x.nonzero(), "mask": lambda x: x[x > 0]},
        "using aten::masked_select": {
            "masked_select": lambda x: x.masked_select(x > 0)},
        "using aten::_unique2": {"unique": lambda x: x.unique()},
        "using aten::repeat_interleave": {"repeat_interleave": lambda x:
            torch.repeat_interleave(x[0], x[0].abs().int())},
        "OneHot num classes must be specified and must be constant.": {
            "one_hot": lambda x: F.one_hot(x.abs().long())},
        "Stable sort algorithm is not supported": {
            "sort": lambda x: x.sort(stable=True)},
        "must return as many tensors as it takes": {
            "for_loop": lambda x: poptorch.for_loop(
                2, lambda a: torch.cat([a, a]), [x])},
        "Invalid serialisation factor 4 for reducing dimension 6. ": {
            "serializedMatMul": lambda x: poptorch.serializedMatMul(
                x, x.T, poptorch.MatMulSerializationMode.ReducingDim, 4)},
        "Serialisation factor must be a non-zero positive integer.": {
            "serializedMatMul": lambda x: poptorch.serializedMatMul(
                x, x.T, poptorch.MatMulSerializationMode.OutputChannels)},
        "Both bodies of a poptorch.cond must return as many tensors": {
            "cond": lambda x: poptorch.cond(
                x.sum() > 0, lambda: x, [], lambda: (x, x), [])},
        "Expected integer typed start tensor": {
            "slice": lambda x: poptorch.dynamic_slice(x, 0, x[0, 0], 2, 1)},
        "must be rank-3 for `ctc_beam_search_decoder`": {
            "decoder": lambda x: poptorch.ctc_beam_search_decoder(
                x, torch.tensor([1]))}}.items():
    for name, function in functions.items():
        raises(name, poptorch.Error, text, lambda: on_ipu(function, x))

# Layers of which the device has a part.
for text, layer in {
        "LSTM without biases not supported": nn.LSTM(6, 5, bias=False),
        "Only LSTM with 1 layer supported": nn.LSTM(6, 5, 2),
        "bidirectional LSTM not supported": nn.LSTM(6, 5, bidirectional=True),
        "Only GRU with 1 layer supported": nn.GRU(6, 5, 2),
        "bidirectional GRU not supported": nn.GRU(6, 5, bidirectional=True),
        "RNN without biases is not supported": nn.RNN(6, 5, bias=False),
        "Only RNN with 1 layer is supported": nn.RNN(
            6, 5, 2, nonlinearity="relu"),
        "Bidirectional RNN is not supported": nn.RNN(
            6, 5, bidirectional=True),
        "Input dim 0 (6) is not divisible by the corresponding output dim "
        "(4). The results will differ": nn.AdaptiveAvgPool1d(4),
        "Input dim 1 (6) is not divisible": nn.AdaptiveAvgPool2d((None, 4))
        }.items():
    raises(text, poptorch.Error, text, lambda: on_ipu(layer, x[:, None]))
bag = "Unsupported aten::embedding_bag operation"
for text, function in {
        "Unsupported aten::embedding operation": nn.Embedding(
            5, 2, sparse=True),
        bag: nn.EmbeddingBag(5, 2, scale_grad_by_freq=True),
        f"{bag}: padding_idx parameter is": nn.EmbeddingBag(
            5, 2, padding_idx=0),
        f"{bag}: offsets tensor must be": lambda at: F.embedding_bag(
            at[0], x, at[1])}.items():
    raises(text, poptorch.Error, text,
           lambda: on_ipu(function, torch.tensor([[1, 3], [0, 1]])))
compare("embeddings", lambda at: (
    F.embedding(at, x, padding_idx=1), F.embedding_bag(at, x, mode="max"),
    F.embedding_bag(at[0], x, torch.tensor([0, 1]))),
    torch.tensor([[1, 0], [0, 1]]))

raises("bfloat16", poptorch.Error, "input type from pytorch: BFloat16",
       lambda: on_ipu(lambda x: x, x.bfloat16()))
raises("sparse", ValueError, "You cannot pass sparse tensors as inputs",
       lambda: on_ipu(lambda x: x, x.to_sparse()))



def conditional(condition, x, y):
    """Bodies get copies of what they change."""
    def more(a):
        y.add_(3)
        return a.add_(1)
    return poptorch.cond(condition, more, [x], lambda a: a, [x])[0], x, y


for condition in (True, False):
    same(f"cond of {condition}", (x + condition, x, y), on_ipu(
        conditional, torch.tensor([condition]), x.clone(), y.clone()))

# The device has no doubles.
wide = torch.tensor([1.5], dtype=torch.float64)
compare("doubles", nn.Linear(6, 2).double(), x.double())
check("a double's type", on_ipu(
    lambda x: (x.double() + wide).dtype, x) == torch.float32)
compare("flags", lambda x: (
    (x > 0) | True, (x > 0) & True, (x > 0) ^ True), x)

# Masks that are assigned to, and shapes that constants decide.
compare("assigned mask", lambda x: x.index_put((x > 0,), torch.zeros(())), x)
compare("unique constants", lambda x: x + index.unique().sum(), x)


def devices(tensor):
    made = [torch.arange(2, device="ipu:0"), torch.ones(2).ipu()]
    return tensor.device.type, tensor.is_ipu, tensor.is_cpu, made[0] + made[1]


check("devices", on_ipu(devices, x)[:3] == ("ipu", True, False))

# The device's integers index as long ones do on the host.
short = index.int()
for name, function in {
        "gather": lambda x, i: x.gather(0, i[:, None]),
        "index": lambda x, i: x[:, i],
        "scatter": lambda x, i: x.scatter(0, i[:, None], 2.),
        "scatter_add_": lambda x, i: x.scatter_add_(0, i[:, None], -x),
        "one_hot": lambda x, i: F.one_hot(i, 4),
        "cross_entropy": lambda x, i: F.cross_entropy(x, i)}.items():
    same(f"int {name}", function(x.clone(), index), on_ipu(
        function, x.clone(), short))

same("slice behind the end", torch.stack((x[3], x[0])), on_ipu(
    lambda x: poptorch.dynamic_slice(x, 0, torch.tensor(3), 2, 1), x))

# Two classes and a blank, 0: 1 with or without blanks is likelier than
# nothing, though blanks are likelier in each frame.
frames = torch.tensor([[0.6, 0.4, 0.0], [0.6, 0.4, 0.0]]).log()[:, None]
shares, lengths, paths = on_ipu(
    lambda p, n: poptorch.ctc_beam_search_decoder(p, n, top_paths=2), frames,
    torch.tensor([2]))
same("decoder", torch.tensor([[0.64, 0.36]]).log(), shares)
same("paths", (torch.tensor([[1, 0]]), torch.tensor([[[1, 0], [0, 0]]])),
     (lengths, paths))

line = torch.tensor([[0.], [1], [9], [4], [20], [21], [25]])
same("fps", torch.tensor([0, 2, 4, 6]), on_ipu(
    lambda p: poptorch.fps(p, [0, 4, 7], 0.5), line))
same("nearest", torch.tensor([0, 0, 1, 0, 2, 2, 2]), on_ipu(
    lambda p, q: poptorch.nearest(p, q), line,
    torch.tensor([[1.], [8], [22]])))
same("nearest of its example", torch.tensor([0, 0, 0, 1, 1, 1, 1]), on_ipu(
    lambda p, q: poptorch.nearest(p, q, [0] * 3 + [1] * 4, [0, 1]), line,
    torch.tensor([[8.], [1]])))
raises("nearest of one dimension", poptorch.Error, "x.shape[1]=1 vs", lambda:
       on_ipu(lambda p, q: poptorch.nearest(p, q), line, x))
for name, arguments, text in (("ptr", ((0, 4),), "must be a list"),
                              ("ratio", ([0, 4], 1), "float type"),
                              ("bounds", ([0],), "at least 2")):
    raises(name, poptorch.Error, text, lambda: poptorch.fps(line, *arguments))



def products(x):
    """One in parts, and one that may take less memory."""
    part = poptorch.serializedMatMul(
        x, x.T, poptorch.MatMulSerializationMode.ReducingDim, 3)
    return poptorch.set_available_memory(part @ x, 0.25)


made = poptorch.inferenceModel(products, options())
made(x)
found = [{name: value for name, value in each["attributes"].items()
          if not name.startswith("__")} for each in
         json.loads(made._debugGetPopartIR())["maingraph"]
         if each["type"] == "MatMul"]
check(f"attributes of products: {found}", found == 3 * [{
    "serialization_mode": "reducing_dim", "serialization_factor": "3"}] + [{
        "available_memory_proportion": "0.25"}])

scripted = torch.jit.trace(nn.Linear(6, 2), x)
compare("a traced model", scripted, x)
poptorch.MultiConv().availableMemoryProportions(None).planType(None)


def travelling(before, after):
    """Twice an input; before() and after() name tensors on the way."""
    return poptorch.inferenceModel(lambda x: after(before(x) * 2),
                                   options())(x)


def into(tensors):
    return poptorch.set_overlap_for_input(
        tensors, poptorch.OverlapMode.OverlapDeviceIterationLoop)


def out_of(tensors):
    return poptorch.set_overlap_for_output(
        tensors, poptorch.OverlapMode.OverlapAccumulationLoop)


same("overlaps", {"y": x * 2}, travelling(
    lambda x: into({"x": [x]})["x"][0], lambda y: out_of({"y": y})))
for name, before, after, text in (
        ("input", lambda x: into(x + 1), lambda y: y, "not a tensor input"),
        ("output", lambda x: x, lambda y: (y, out_of(y + 1))[0],
         "not a tensor output"),
        ("twice", lambda x: x, lambda y: [out_of(y), (y,)],
         "returned twice")):
    raises(f"overlap of {name}", poptorch.Error, text,
           lambda: travelling(before, after))
raises("input with a gradient", poptorch.Error,
       "requires_grad set to True, however input 1 does: tensor(", lambda:
       poptorch.experimental.IPUContext(lambda a, b: a + b,
                                        options=options())(
           x, y.clone().requires_grad_()))
finish()
