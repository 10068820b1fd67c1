"""What the programs of poptorch_programs.py are compared with: the same
training in plain PyTorch, replica by replica."""
import copy

import poptorch
import torch
from poptorch_checks import options

PROGRAMS = []


def program(name, shows, tolerance=1e-5):
    """Add a function to the table.  It returns pairs of results: those of
    PopTorch and those that they should be."""
    def add(function):
        PROGRAMS.append((name, shows, tolerance, function))
        return function
    return add


class Plain:
    """Trains in PyTorch by the rules of PopTorch's user guide: each input is
    cut into device iterations, steps of accumulation and replicas, in this
    order; gradients are averaged; each replica has buffers of its own."""

    def __init__(self, model, optimizer, opts=None):
        opts = opts or options()
        self.model, self.optimizer = model, optimizer
        self.replicas = opts.replication_factor
        self.together = (self.replicas *
                         opts.Training.gradient_accumulation)
        self.count = self.together * opts.device_iterations
        self.buffers = [[each.clone() for each in model.buffers()]
                        for _ in range(self.replicas)]

    def __call__(self, *inputs):
        """The losses of all micro-batches."""
        losses = []
        for number, batch in enumerate(zip(*(
                each.chunk(self.count) for each in inputs))):
            if number % self.together == 0:
                self.optimizer.zero_grad()
            own = self.buffers[number % self.replicas]
            self._use(own)
            loss = last(self.model(*batch))
            (loss / self.together).backward()
            for kept, each in zip(own, self.model.buffers()):
                kept.copy_(each)
            losses.append(loss.detach())
            if (number + 1) % self.together == 0:
                self.optimizer.step()
        self._use(self.buffers[0])
        return torch.stack(losses)

    def _use(self, own):
        for each, kept in zip(self.model.buffers(), own):
            each.detach().copy_(kept)


def last(result):
    """The loss: the last one of several results."""
    return result if isinstance(result, torch.Tensor) else result[-1]


def weights(model):
    """All numbers of a model that are not counts, in one tensor."""
    return torch.cat([each.detach().float().reshape(-1)
                      for each in model.state_dict().values()
                      if each.is_floating_point()])


def opts_of(iterations=1, accumulation=1, replicas=1, **more):
    """Options that return the results of all micro-batches."""
    opts = options().deviceIterations(iterations).replicationFactor(replicas)
    opts.outputMode(poptorch.OutputMode.All)
    opts.Training.gradientAccumulation(accumulation)
    for name, value in more.items():
        getattr(opts, name)(value)
    return opts


def learn(model, batches, make, make_plain, opts=None):
    """Train a model on the device, and a copy of it in PyTorch, on the same
    batches.  A model of halves is compared with one of floats."""
    opts = opts or opts_of()
    plain = copy.deepcopy(model).float()
    reference = Plain(plain, make_plain(plain.parameters()), opts)
    trainer = poptorch.trainingModel(model, opts, make(model.parameters()))
    is_half = next(model.parameters()).dtype == torch.half
    got, wanted = [], []
    for batch in batches:
        got.append(last(trainer(*[
            each.half() if is_half and each.is_floating_point() else each
            for each in batch])).reshape(-1))
        wanted.append(reference(*batch))
    return [(torch.cat(got), torch.cat(wanted)),
            (weights(model), weights(plain))]


def adamw(lr=1e-3, eps=1e-5, **more):
    """The same optimizer of both; what PyTorch lacks is for PopTorch.  With
    a smaller eps, gradients that are 0 but for rounding move weights."""
    more["eps"] = eps
    return (lambda each: poptorch.optim.AdamW(each, lr=lr, **more),
            lambda each: torch.optim.AdamW(each, lr=lr, **{
                name: value for name, value in more.items()
                if name in ("eps", "betas", "weight_decay")}))


def sgd(lr=.05, momentum=0., **more):
    """The same."""
    return (lambda each: poptorch.optim.SGD(each, lr=lr, momentum=momentum,
                                            **more),
            lambda each: torch.optim.SGD(each, lr=lr, momentum=momentum))
