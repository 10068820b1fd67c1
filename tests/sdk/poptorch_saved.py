"""Models in files, caches of them, and what programs look at inside."""
import json
import os

import poptorch
import torch
import torch.nn as nn
from poptorch_checks import check, finish, options, raises, same


class Model(nn.Module):
    """A layer and its loss, with a view between them."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, x, y):
        out = self.layer(x).T.T
        return out, poptorch.identity_loss((out - y) ** 2, "mean")


torch.manual_seed(4)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(),
                    nn.Linear(144, 5), nn.Softmax(-1))
x = torch.randn(4, 1, 8, 8)
made = poptorch.inferenceModel(net, options())
made.compileAndExport("new/net.poptorch", x)
wanted = made(x)
loaded = poptorch.load("new/net.poptorch")
check("a model that was loaded is compiled", loaded.isCompiled())
same("it gives the same", wanted, loaded(x))
other = poptorch.inferenceModel(net, options())
other.loadExecutable("new/net.poptorch")
same("an executable for a model that is there", wanted, other(x))
made.save("new")
check("a directory", os.path.exists("new/model.poptorch"))
made.compileAndExport("plain", x, export_model=False)
raises("without the model", AssertionError, "created with "
       "'export_model=False'", lambda: poptorch.load("plain"))
with open("damaged", "wb") as stream:
    stream.write(open("plain", "rb").read()[:2000])
raises("half a file", AssertionError, "Invalid file damaged: damaged:",
       lambda: poptorch.load("damaged"))
with open("text", "w") as stream:
    stream.write("nonsense")
raises("another file", AssertionError, "Invalid file text: Popef file does "
       "not contain Poptorch metadata.", lambda: poptorch.load("text"))
raises("no file", poptorch.Error, "Failed to open nothing for reading",
       lambda: poptorch.load("nothing"))

# Training goes on from a file where it was.
model = Model()
optimizer = poptorch.optim.AdamW(model.parameters(), lr=.1)
trained = poptorch.trainingModel(model, options(), optimizer)
inputs = torch.randn(4, 3), torch.randn(4, 2)
trained(*inputs)
trained.save("training")
resumed = poptorch.load("training")
for _ in range(3):
    same("the next losses", trained(*inputs)[1], resumed(*inputs)[1])
check("the optimizer's state", "Accl1___layer.weight" in
      optimizer.state_dict()["ipu_state"])

# The cache: one entry for a model, made anew where it is damaged.
def cached():
    opts = options().enableExecutableCaching("cache")
    return poptorch.inferenceModel(net, opts)(x)


same("compiled", wanted, cached())
entries = [name for name in os.listdir("cache") if name[0] != "."]
check(f"one entry: {entries}", len(entries) == 1)
path = os.path.join("cache", entries[0])
content = open(path, "rb").read()
same("loaded", wanted, cached())
check("which is left as it was", open(path, "rb").read() == content)
with open(path, "wb") as stream:
    stream.write(content[:100])
same("compiled anew", wanted, cached())
check("which mends it", open(path, "rb").read() == content)

# The weights alone.
weights = options()
weights._Popart.set("saveInitializersToFile", "weights.bin")
poptorch.inferenceModel(net, weights)(x)
with open("weights.bin", "rb") as stream:
    check("bytes of all weights", stream.read() == b"".join(
        each.detach().numpy().tobytes() for each in net.parameters()))

# What is inside.
model = Model()
opts = options().deviceIterations(3)
opts.anchorTensor("gradient", "Gradient___layer.weight")
opts.anchorTensor("updates", "UpdatedVar___layer.bias",
                  poptorch.OutputMode.All)
trained = poptorch.trainingModel(
    model, opts, poptorch.optim.SGD(model.parameters(), lr=.1))
before = model.layer.weight.detach().clone()
trained(torch.randn(3, 3), torch.randn(3, 2))
check("names", {"Gradient___layer.weight", "UpdatedVar___layer.bias",
                "layer.weight", "loss"} <= set(trained.getTensorNames()))
check("shapes", trained.getAnchoredTensor("gradient").shape == (2, 3) and
      trained.getAnchoredTensor("updates").shape == (6,))
same("the last update", trained.getAnchoredTensor("updates")[4:],
     model.layer.bias.detach())
opts = options().deviceIterations(3)
for each in ("input/0", "layer.weight", "loss"):
    opts.anchorTensor(each, each)
tested = poptorch.trainingModel(
    Model(), opts, poptorch.optim.SGD(model.parameters(), lr=.1))
given = torch.randn(3, 3)
_, loss = tested(given, torch.randn(3, 2))
same("an input", given[2:], tested.getAnchoredTensor("input/0"))
same("the loss", loss, tested.getAnchoredTensor("loss"))
check("a weight", tested.getAnchoredTensor("layer.weight").shape == (2, 3))
looked = options().deviceIterations(2).outputMode(poptorch.OutputMode.All)
looked.anchorTensor("hidden", "0/Gemm:0")
looked.anchorTensor("result", "2/Gemm:0", poptorch.OutputMode.Final)
layers = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
many = poptorch.inferenceModel(layers, looked)
given = torch.randn(6, 3)
result = many(given)
check("results alone", result.shape == (6, 2))
same("what a layer makes", layers[0](given), many.getAnchoredTensor("hidden"))
same("the last of what is returned", result[3:],
     many.getAnchoredTensor("result"))
check("its name", "0/Gemm:0" in many.getTensorNames())
raises("no such tensor", AssertionError, "No tensor with name x found.",
       lambda: trained.getAnchoredTensor("x"))
wrong = options()
wrong.anchorTensor("x", "no such tensor")
raises("an anchor of nothing", poptorch.Error, "is not in the model",
       lambda: poptorch.inferenceModel(net, wrong)(x))
types = [each["type"] for each in
         json.loads(trained._debugGetPopartIR())["maingraph"]]
check(f"operations: {types}", types.count("SGD0VarUpdate") == 2 and
      "Gemm" in types)


def updates(make, accumulation=1, replicas=1):
    """The operations of PopART's that update one weight."""
    model = nn.Sequential(nn.Linear(3, 2, bias=False), nn.MSELoss())
    model.forward = lambda x, y: model[1](model[0](x), y)
    opts = options().replicationFactor(replicas)
    opts.Training.gradientAccumulation(accumulation)
    trained = poptorch.trainingModel(model, opts, make(model.parameters()))
    count = 2 * accumulation * replicas
    trained.compile(torch.randn(count, 3), torch.randn(count, 2))
    found = json.loads(trained._debugGetPopartIR())["maingraph"]
    behind = next(number for number, each in enumerate(found)
                  if each["type"] == "MseLoss")
    return found[behind + 1:]


def names(found):
    """Their types, in one text."""
    return " ".join(each["type"] for each in found)


for name, make, wanted in (
        ("SGD", lambda each: poptorch.optim.SGD(each, .1), "SGD0VarUpdate"),
        ("momentum", lambda each: poptorch.optim.SGD(each, .1, .5),
         "SGD2PartialAcclUpdate Accumulate SGD2VarUpdate"),
        ("combined", lambda each: poptorch.optim.SGD(
            each, .1, .5, use_combined_accum=True),
         "Accumulate SGD1VarUpdate SGD1AcclUpdate"),
        ("LAMB", poptorch.optim.LAMB, "Scale Accumulate Accumulate "
         "AdamUpdater LambSquare LambSquare AdamVarUpdate"),
        ("RMSprop", poptorch.optim.RMSprop,
         "Scale ScaledAdd Accumulate RMSPropUpdater ScaledVarUpdate")):
    check(f"{name} in PopART's words: {names(updates(make))}",
          names(updates(make)) == wanted)
found = updates(lambda each: poptorch.optim.Adam(
    each, accum_type=torch.float16,
    first_order_momentum_accum_type=torch.float16), 2, 2)
check(f"Adam: {names(found)}", names(found) ==
      "Accumulate ReplicatedAllReduceInplace Scale ScaledAdd Accumulate "
      "Accumulate AccumulatorZero AdamUpdater AdamVarUpdate")
check("types of states", [found[number]["inputs"][0] for number in (0, 5)] == [
    {"name": "Accum___0.weight", "shape": "[2 3]", "type": "FLOAT16",
     "index": "0"},
    {"name": "Accl2___0.weight", "shape": "[2 3]", "type": "FLOAT",
     "index": "0"}])
grouped = options().replicationFactor(4).inputReplicaGrouping(
    2, poptorch.CommGroupType.Consecutive)
same("replicas with the same input", torch.tensor([0., 0., 2., 2.]),
     poptorch.inferenceModel(lambda each: each * 2, grouped)(
         torch.arange(2.)))
finish()
