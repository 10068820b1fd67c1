"""Models in half precision: near what PyTorch gives of them in float32."""
import copy

import poptorch
import torch
import torch.nn as nn
import torch.nn.functional as F
from poptorch_checks import attempt, check, finish, options, raises, same


class Last(nn.Module):
    """What a recurrent layer has said at the end."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)[0][:, -1]


class Loss(nn.Module):
    """A model that ends with its loss."""

    def __init__(self, model, loss):
        super().__init__()
        self.model = model
        self.loss = loss

    def forward(self, x, labels):
        result = self.model(x)
        return result, self.loss(result, labels)


def halved(structure):
    """Halves of floats; indices stay."""
    return structure.half() if structure.is_floating_point() else structure


# Of two tensors of 4 by 6.
FUNCTIONS = {
    "matmul": lambda x, y: x @ y.T,
    "bmm": lambda x, y: torch.bmm(x[None], y.T[None]),
    "addmm": lambda x, y: torch.addmm(x[:, :4], x, y.T),
    "baddbmm": lambda x, y: torch.baddbmm(x[None, :, :4], x[None],
                                          y.T[None]),
    "einsum": lambda x, y: torch.einsum("ij,kj->ik", x, y),
    "softmax": lambda x, y: x.softmax(1), "gelu": lambda x, y: F.gelu(x),
    "log_softmax": lambda x, y: x.log_softmax(1),
    "tanh": lambda x, y: x.tanh(), "exp": lambda x, y: x.exp(),
    "sigmoid_": lambda x, y: (x + 0).sigmoid_(), "erf": lambda x, y: x.erf(),
    "clamp": lambda x, y: x.clamp(-.5, .5), "abs": lambda x, y: x.abs(),
    "addmm_": lambda x, y: (x[:, :4] + 0).addmm_(x, y.T),
    "out=": lambda x, y: torch.mm(x, y.T, out=x.new_empty(4, 4)),
    "var_mean": lambda x, y: torch.var_mean(x, 1), "max": lambda x, y:
        x.max(1)[0], "norm": lambda x, y: x.norm(dim=1), "topk":
        lambda x, y: x.topk(2, 1)[0], "cumsum": lambda x, y: x.cumsum(1),
    "mse_loss": lambda x, y: F.mse_loss(x, y), "l1_loss": lambda x, y:
        F.l1_loss(x, y), "smooth_l1_loss": lambda x, y:
        F.smooth_l1_loss(x, y), "embedding": lambda x, y: F.embedding(
            torch.tensor([1, 0, 3]), x),
    "for_loop": lambda x, y: poptorch.for_loop(
        2, lambda a: a @ y.T @ y / 8, [x])[0]}

# The shape of their input.
LAYERS = {
    "Linear": (nn.Linear(6, 5), (4, 6)),
    "Conv1d": (nn.Conv1d(3, 4, 3), (4, 3, 8)),
    "Conv2d": (nn.Conv2d(3, 4, 3), (4, 3, 8, 8)),
    "ConvTranspose2d": (nn.ConvTranspose2d(3, 4, 3), (4, 3, 8, 8)),
    "LayerNorm": (nn.LayerNorm(6), (4, 6)),
    "GroupNorm": (nn.GroupNorm(3, 6), (4, 6, 5)),
    "BatchNorm1d": (nn.BatchNorm1d(6), (8, 6)),
    "BatchNorm2d": (nn.BatchNorm2d(3), (4, 3, 8, 8)),
    "Softmax": (nn.Sequential(nn.Linear(6, 6), nn.Softmax(1)), (4, 6)),
    "GELU": (nn.Sequential(nn.Linear(6, 6), nn.GELU()), (4, 6)),
    "pools": (nn.Sequential(nn.Conv2d(3, 4, 1), nn.MaxPool2d(2),
                            nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1)),
              (4, 3, 8, 8)),
    "Upsample": (nn.Sequential(nn.Conv2d(3, 4, 1), nn.Upsample(
        scale_factor=2)), (2, 3, 4, 4)),
    "PReLU": (nn.PReLU(), (4, 6)),
    "LSTM": (Last(nn.LSTM(6, 5, batch_first=True)), (4, 3, 6)),
    "GRU": (Last(nn.GRU(6, 5, batch_first=True)), (4, 3, 6)),
    "TransformerEncoderLayer": (nn.TransformerEncoderLayer(
        6, 2, dropout=0., batch_first=True), (4, 3, 6))}


def infer(name, model, *inputs):
    def run():
        narrow = copy.deepcopy(model).half() if isinstance(
            model, nn.Module) else model
        got = poptorch.inferenceModel(narrow, options())(
            *map(halved, inputs))
        wanted = model(*inputs)
        leaf = got[0] if isinstance(got, tuple) else got
        check(f"{name}: {leaf.dtype}", leaf.dtype == torch.half)
        same(name, wanted, got, 2e-2)
    attempt(f"{name} inferred", run)


def train(name, model, inputs, optimizer, loss=F.mse_loss, labels=None):
    """Train in half and in float: the weights end near each other, and have
    moved much further than that."""
    def run():
        with torch.no_grad():
            target = torch.zeros_like(model(inputs)) if labels is None \
                else labels
        ends = []
        before = [each.detach().clone() for each in model.parameters()]
        for cast in (lambda each: each, lambda each: each.half()):
            trained = cast(Loss(copy.deepcopy(model), loss)).train()
            on_ipu = poptorch.trainingModel(trained, options(),
                                            optimizer(trained.parameters()))
            own = [cast(each) if each.is_floating_point() else each
                   for each in (inputs, target)]
            losses = [on_ipu(*own)[1] for _ in range(3)]
            on_ipu.copyWeightsToHost()
            ends.append([each.detach() for each in trained.parameters()])
        check(f"{name}: loss {losses[0].dtype}",
              losses[0].dtype == torch.half)
        check(f"{name}: weights {ends[1][0].dtype}",
              all(each.dtype == torch.half for each in ends[1]))
        apart = max((one - other.float()).abs().max().item()
                    for one, other in zip(*ends))
        moved = max((one - other.float()).abs().max().item()
                    for one, other in zip(before, ends[1]))
        check(f"{name}: {apart} apart, {moved} moved",
              apart < 1e-2 and moved > 3 * apart)
    attempt(f"{name} trained", run)


def sgd(parameters):
    return poptorch.optim.SGD(parameters, lr=.1, loss_scaling=128.,
                              accum_type=torch.float16)


def adamw(parameters):
    return poptorch.optim.AdamW(parameters, lr=.01, loss_scaling=128.,
                                eps=1e-4, accum_type=torch.float16)


def drop():
    """Dropout keeps halves: they are 0 or doubled, and both are there."""
    layer = nn.Sequential(nn.Dropout())
    got = poptorch.inferenceModel(layer.train(), options())(
        torch.ones(100).half())
    check(f"Dropout: {got}", got.dtype == torch.half and
          sorted(set(got.tolist())) == [0., 2.])


def mix():
    """Statistics and scales in float32 beside halves."""
    for layer, shape in ((nn.BatchNorm1d(6), (8, 6)),
                         (nn.LayerNorm(6), (4, 6))):
        x = torch.randn(shape)
        wanted = copy.deepcopy(layer)(x)
        got = poptorch.inferenceModel(layer, options())(x.half())
        name = f"{type(layer).__name__} in float, of halves"
        check(f"{name}: {got.dtype}", got.dtype == torch.half)
        same(name, wanted, got, 1e-2)
    got = poptorch.inferenceModel(lambda a, b: a + b, options())(
        torch.ones(2), torch.ones(2).half())
    check(f"float + half: {got.dtype}", got.dtype == torch.float)


def scale():
    """A gradient too small for halves is there when the loss is scaled."""
    for scaling, moves in ((1., False), (4096., True)):
        model = Loss(nn.Linear(1, 1, bias=False),
                     lambda result, labels: poptorch.identity_loss(
                         result * 1e-4 * labels, "sum")).half()
        with torch.no_grad():
            model.model.weight.zero_()
        on_ipu = poptorch.trainingModel(model, options(), poptorch.optim.SGD(
            model.parameters(), lr=1e4, loss_scaling=scaling))
        on_ipu(torch.full((1, 1), 1e-2).half(),
               torch.full((1, 1), 1e-2).half())
        on_ipu.copyWeightsToHost()
        weight = model.model.weight.item()
        check(f"loss scaling of {scaling}: {weight}", (weight != 0) == moves)


LARGEST = torch.finfo(torch.half).max
# Of halves of 300: results beyond their range, and what is infinite before.
CLIPPED = {
    "product": (lambda x: x * x, LARGEST), "exp": (lambda x: x.exp(), LARGEST),
    "matmul": (lambda x: x @ -x, -LARGEST),
    "a cast": (lambda x: (x.float() * 1e4).half(), LARGEST),
    "to": (lambda x: (x.float() * 1e4).to(torch.half), LARGEST),
    "filled": (lambda x: x.masked_fill(x > 0, -1e9), -LARGEST),
    "in place": (lambda x: (x + 0).mul_(x), LARGEST),
    "infinite": (lambda x: x.masked_fill(x > 0, -float("inf")),
                 -float("inf")),
    "still": (lambda x: x.masked_fill(x > 0, -float("inf")) + x,
              -float("inf")),
    "within": (lambda x: x * 200, 60000.)}


def anchored(has_anchor, name="loss"):
    """With an anchor, halves are halves all the time."""
    made = options()
    if has_anchor:
        made.anchorTensor("it", name)
    return made


def clip():
    """What overflows becomes the largest half, as on an IPU."""
    for name, (function, wanted) in CLIPPED.items():
        for has_anchor in (False, True):
            on_ipu = poptorch.inferenceModel(
                function, anchored(has_anchor, "input/0"))
            got = on_ipu(torch.full((2, 2), 300.).half())
            check(f"{name}: {got}", got.dtype == torch.half and
                  (got == wanted).all())


def learn():
    """A loss scale that lets gradients overflow does not end with nan."""
    for has_anchor in (False, True):
        for scaling in (1., 1000., 60000.):
            torch.manual_seed(3)
            model = Loss(nn.Sequential(nn.Linear(16, 32), nn.ReLU(True),
                                       nn.Linear(32, 4)), F.mse_loss).half()
            on_ipu = poptorch.trainingModel(
                model, anchored(has_anchor), poptorch.optim.AdamW(
                    model.parameters(), lr=.01, loss_scaling=scaling,
                    eps=1e-4))
            given = torch.randn(64, 16).half() * 4
            first, *_, last = [on_ipu(given, given[:, :4] * 8)[1].item()
                               for _ in range(20)]
            check(f"scaling of {scaling}: {first} {last}", last < .8 * first)


class Written(nn.Module):
    """Casts, and tensors that are written."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        wide = x.float()
        wide += 1
        narrow = wide.half()
        narrow *= 2
        self.total += x[0]
        with torch.no_grad():
            self.weight.mul_(2)
        return x * self.weight, wide, narrow, self.total * 1


def write():
    """What is written in place is written where it is."""
    x = torch.arange(6.).view(2, 3)
    wanted = [x * 2, x + 1, 2 * (x + 1), x[0]]
    on_ipu = poptorch.inferenceModel(Written().half(), options())
    got = on_ipu(x.half())
    same("written", wanted, list(got), 1e-3)
    check("types", [each.dtype for each in got] ==
          [torch.half, torch.float, torch.half, torch.half])
    again = on_ipu(x.half())
    same("again", [x * 4, 2 * x[0]], [again[0], again[3]], 1e-3)


def both_types():
    """Halves and floats give floats, whichever of them the weights are."""
    for name, layer, shape in (
            ("Linear", nn.Linear(6, 5), (4, 6)),
            ("LSTM", Last(nn.LSTM(6, 5, batch_first=True)), (4, 3, 6)),
            ("encoder", nn.TransformerEncoderLayer(
                6, 2, dropout=0., batch_first=True), (4, 3, 6)),
            ("several", nn.Sequential(nn.Linear(6, 6), nn.LayerNorm(6),
                                      nn.GELU(), nn.Linear(6, 2)), (4, 6))):
        given = torch.randn(shape)
        for narrow in ("weights", "inputs"):
            mixed = copy.deepcopy(layer).eval()
            wanted = mixed(given)
            got = poptorch.inferenceModel(
                mixed.half() if narrow == "weights" else mixed, options())(
                given.half() if narrow == "inputs" else given)
            check(f"{name}: {got.dtype}", got.dtype == torch.float)
            same(f"{name}, half {narrow}", wanted, got, 2e-2)
    for loss in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss,
                 F.binary_cross_entropy_with_logits):
        for half in (True, False):
            model = Loss(nn.Linear(6, 5), loss)
            given, labels = torch.randn(4, 6), torch.rand(4, 5)
            plain = copy.deepcopy(model)
            model = model.half() if half else model
            trained = poptorch.trainingModel(model, options(), sgd(
                model.parameters()))
            got = trained(given.half() if half else given,
                          labels if half else labels.half())
            value = plain(given, labels)[1]
            same(f"{loss.__name__}, {half}", value.detach(), got[1], 1e-2)
            value.backward()
            same(f"step of {loss.__name__}, {half}",
                 plain.model.weight.detach() - .1 * plain.model.weight.grad,
                 model.model.weight.detach().float(), 1e-2)


def groups():
    """Groups of replicas have half weights of their own."""
    model = nn.Module()
    model.weight = nn.Parameter(torch.ones(2, 3).half())
    model.forward = lambda x: poptorch.identity_loss(
        (x * model.weight).sum(), "sum")
    opts = options().replicationFactor(2)
    trained = poptorch.trainingModel(model, opts, torch.optim.SGD(
        model.parameters(), lr=.5))
    trained.weight.replicaGrouping(
        poptorch.CommGroupType.NoGrouping, 0,
        poptorch.VariableRetrievalMode.OnePerGroup)
    trained(torch.tensor([[1., 2., 3.], [4., 5., 6.]]).half())
    same("of groups", torch.tensor([[.75, .5, .25], [0., -.25, -.5]]),
         model.weight.detach().float())


torch.manual_seed(1)
x, y = torch.randn(4, 6), torch.randn(4, 6)
for name, function in FUNCTIONS.items():
    infer(name, function, x, y)
for name, (layer, shape) in LAYERS.items():
    given = torch.randn(shape)
    infer(name, copy.deepcopy(layer).eval(), given)
    train(name, layer, given, sgd)
train("AdamW", nn.Linear(6, 5), x, adamw)
train("CrossEntropyLoss", nn.Linear(6, 5), x, sgd, nn.CrossEntropyLoss(),
      torch.tensor([1, 0, 4, 2]))
train("Embedding", nn.Sequential(nn.Embedding(7, 4), nn.Linear(4, 2)),
      torch.tensor([1, 0, 3, 1]), sgd)
for each in (drop, mix, scale, clip, learn, write, both_types, groups):
    attempt(each.__name__, each)
# A convolution has the type of what it is of, whatever its weights have.
for name, (layer, shape) in LAYERS.items():
    if isinstance(layer, nn.modules.conv._ConvNd):
        given = torch.randn(shape)
        wanted = layer.eval()(given)
        for half in (False, True):
            mixed = copy.deepcopy(layer).to(
                torch.float32 if half else torch.float16)
            got = poptorch.inferenceModel(mixed, options())(
                given.half() if half else given)
            check(f"{name} of {given.dtype}", got.dtype == (
                torch.float16 if half else torch.float32))
            same(f"{name} of mixed types", wanted, got, 1e-2)
# What is wrong in every type is still an error, in PyTorch's words.
raises("shapes", RuntimeError, "shapes cannot be multiplied", lambda:
       poptorch.inferenceModel(lambda a: a @ a, options())(x.half()))
finish()
