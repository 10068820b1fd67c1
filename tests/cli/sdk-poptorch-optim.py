"""Programs of sdk-poptorch-optim.t and sdk-poptorch-optim-device.t: each
function is one, and prints what it saw."""

import copy
import io
import logging
import math
import pickle
import sys

import torch

import poptorch
from poptorch import optim
from poptorch._device_optimizer import DeviceOptimizer, bind, read_back
from poptorch._optimizer_attributes import (
    OptimizerAttrTracker, convertOptimizerToDict)
from poptorch._optimizer_log import log_optimizer
from poptorch._optimizer_replacement import replacement_problem

logger = logging.getLogger("poptorch::python")
handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
logger.handlers = [handler]
logger.propagate = False

SHAPES = ((7, 5), (5,), (400, 400), ())


def weights(dtype=torch.float32):
    torch.manual_seed(1)
    return [torch.nn.Parameter(torch.randn(shape).to(dtype))
            for shape in SHAPES]


def converted(optimizer, options=None, tracker=None, is_compiled=False):
    options = options or poptorch.Options()
    return convertOptimizerToDict(
        optimizer, tracker or OptimizerAttrTracker(options), options,
        is_compiled)


def device_of(make, dtype=torch.float32, names=None):
    """A program's optimizer, and its weights with their device."""
    params = weights(dtype)
    optimizer = make(params)
    return optimizer, params, DeviceOptimizer(converted(optimizer), [params],
                                              names)


def give_gradients(step, *lists):
    torch.manual_seed(100 + step)
    for same in zip(*lists):
        grad = torch.randn(same[0].shape)
        for param in same:
            param.grad = grad.to(param.dtype, copy=True)


def difference(params, others):
    """How far they are apart, where 1 is a value's own size or 1."""
    return max(((param - other).abs() / other.abs().clamp(min=1.0)).max()
               .item() for param, other in zip(params, others))


def raised(call, *arguments, **named):
    """The error of a call, on one line."""
    try:
        call(*arguments, **named)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


def paper_lamb(params, steps, lr, beta1, beta2, eps, decay, most, corrected):
    """LAMB, written again from its paper, in float64."""
    params = [param.detach().double() for param in params]
    first = [torch.zeros_like(param) for param in params]
    second = [torch.zeros_like(param) for param in params]
    for step in range(1, steps + 1):
        torch.manual_seed(100 + step)
        for index, param in enumerate(params):
            grad = torch.randn(param.shape).double()
            first[index] = beta1 * first[index] + (1 - beta1) * grad
            second[index] = beta2 * second[index] + (1 - beta2) * grad ** 2
            low, high = 1.0, 1.0
            if corrected:
                low, high = 1 - beta1 ** step, 1 - beta2 ** step
            update = (first[index] / low /
                      ((second[index] / high).sqrt() + eps) + decay * param)
            ratio = min(param.norm().item(), most) / update.norm().item()
            params[index] = param - lr * ratio * update
    return params


def paper_sgd(params, steps, lr, momentum, dampening, decay):
    """SGD whose velocity begins with 0, in float64."""
    params = [param.detach().double() for param in params]
    velocity = [torch.zeros_like(param) for param in params]
    for step in range(1, steps + 1):
        torch.manual_seed(100 + step)
        for index, param in enumerate(params):
            grad = torch.randn(param.shape).double() + decay * param
            velocity[index] = (momentum * velocity[index] +
                               (1 - dampening) * grad)
            params[index] = param - lr * velocity[index]
    return params


def equals_torch():
    """20 steps, beside the same optimizer of torch's."""
    rows = [
        (torch.optim.SGD, {"lr": 0.1}, 0),
        (torch.optim.SGD, {"lr": 0.1, "weight_decay": 0.1}, 0),
        (torch.optim.SGD, {"lr": 0.1, "maximize": True}, 0),
        (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9,
                           "weight_decay": 0.01}, 1),
        (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True,
                           "weight_decay": 0.01, "maximize": True}, 1),
        (torch.optim.Adam, {}, 2),
        (torch.optim.Adam, {"lr": 0.01, "betas": (0.8, 0.95), "eps": 1e-3,
                            "weight_decay": 0.1, "maximize": True}, 2),
        (torch.optim.AdamW, {"lr": 0.01}, 2),
        (torch.optim.AdamW, {"lr": 0.01, "weight_decay": 0.3,
                             "maximize": True}, 2),
        (torch.optim.RMSprop, {"lr": 0.01}, 1),
        (torch.optim.RMSprop, {"lr": 0.01, "alpha": 0.9, "eps": 1e-4,
                               "weight_decay": 0.1, "momentum": 0.9}, 2),
        (torch.optim.RMSprop, {"lr": 0.01, "centered": True}, 2),
        (torch.optim.RMSprop, {"lr": 0.01, "centered": True, "momentum": 0.5,
                               "maximize": True}, 3)]
    for parent, arguments, tensors in rows:
        child = getattr(optim, parent.__name__)
        for made in (parent, child):
            _, params, device = device_of(lambda p: made(p, **arguments))
            assert device.state_tensors_per_parameter() == tensors, arguments
            assert device.name == parent.__name__
            beside = weights()
            theirs = parent(beside, **arguments)
            host = weights()
            ours = child(host, **arguments)
            for step in range(1, 21):
                give_gradients(step, params, beside, host)
                device.step()
                theirs.step()
                ours.step()
            far = difference(params, beside)
            assert far < 1e-6, (parent.__name__, arguments, far)
            assert difference(host, beside) == 0.0, "off the device"
            assert difference(params, weights()) > 1e-3, "nothing moved"
    print(len(rows), "optimizers are torch's")


def own_arithmetic():
    """What torch has not: beside the papers, and PopART's manual."""
    for corrected in (True, False):
        for most in (65500.0, 3.0):
            _, params, device = device_of(lambda p: optim.LAMB(
                p, lr=0.01, betas=(0.8, 0.95), weight_decay=0.1,
                max_weight_norm=most, bias_correction=corrected))
            host = weights()
            off = optim.LAMB(host, lr=0.01, betas=(0.8, 0.95),
                             weight_decay=0.1, max_weight_norm=most,
                             bias_correction=corrected)
            for step in range(1, 21):
                give_gradients(step, params, host)
                device.step()
                off.step()
            expected = paper_lamb(weights(), 20, 0.01, 0.8, 0.95, 1e-8, 0.1,
                                  most, corrected)
            assert difference(params, expected) < 2e-6
            assert difference(host, expected) < 2e-6
    for combined in (True, False):
        for momentum in (0.0, 0.9):
            scaling = {"velocity_scaling": 8.0} if combined else {}
            _, params, device = device_of(lambda p: optim.SGD(
                p, lr=0.1, momentum=momentum, dampening=0.5,
                weight_decay=0.01, use_combined_accum=combined, **scaling))
            for step in range(1, 21):
                give_gradients(step, params)
                device.step()
            expected = paper_sgd(weights(), 20, 0.1, momentum, 0.5, 0.01)
            assert difference(params, expected) < 2e-6, (combined, momentum)
    # One weight of 2 with a gradient of 3, one step of each.
    for make, expected in (
            (lambda p: optim.AdamW(p, lr=0.5, bias_correction=False,
                                   weight_decay=0.0),
             2 - 0.5 * 0.3 / math.sqrt(0.009)),
            (lambda p: optim.RMSprop(p, lr=0.5, eps=1.0,
                                     use_tf_variant=True),
             2 - 0.5 * 3 / math.sqrt(0.99 + 0.09 + 1)),
            (lambda p: optim.RMSprop(p, lr=0.5, eps=1.0),
             2 - 0.5 * 3 / (math.sqrt(0.09) + 1)),
            (lambda p: optim.RMSprop(p, lr=0.5, eps=1.0, momentum=0.5,
                                     centered=True, use_tf_variant=True),
             2 - 0.5 * 3 / math.sqrt(0.99 + 0.09 - 0.03 ** 2 + 1)),
            (lambda p: optim.LAMB(p, lr=0.5, max_weight_norm=0.0),
             2 - 0.5 * (1 + 0.01 * 2)),
            (lambda p: optim.SGD(p, lr=0.5, max_grad_norm=1.5), 1.25),
            (lambda p: optim.SGD(p, lr=0.5, max_grad_norm=6.0), 0.5)):
        param = torch.nn.Parameter(torch.tensor([2.0]))
        device = DeviceOptimizer(converted(make([param])), [[param]])
        param.grad = torch.tensor([3.0])
        device.step()
        assert abs(param.item() - expected) < 1e-5, (param, expected)
        assert param.grad.item() == 3.0
    print("as in the papers")


def groups():
    """Groups with values of their own, and weights left out."""
    params, beside, outside = weights(), weights(), weights()[0]

    def made(of):
        return torch.optim.AdamW(
            [{"params": of[:2], "lr": 0.1, "weight_decay": 0.0},
             {"params": of[2:3]}, {"params": of[3:]}], lr=0.01)

    theirs = made(beside)
    # The model of this device does not have the last weight.
    device = DeviceOptimizer(converted(made(params)),
                             [params[:2], params[2:3], []])
    for step in range(1, 11):
        give_gradients(step, params, beside)
        outside.grad = torch.ones_like(outside)
        if step == 4:
            params[1].grad = beside[1].grad = None
        device.step()
        theirs.step()
    assert difference(params[:3], beside[:3]) < 1e-6
    assert torch.equal(params[3], weights()[3])
    assert torch.equal(outside, weights()[0])
    print(raised(DeviceOptimizer, converted(made(params)), [params]))


def scaling():
    """Scales of the loss change nothing; halves are kept as halves."""
    for make in (lambda p: optim.AdamW(p, lr=0.01, loss_scaling=1000.0),
                 lambda p: optim.SGD(p, lr=0.01, momentum=0.9,
                                     max_grad_norm=5.0, loss_scaling=1000.0)):
        _, scaled, device = device_of(make)
        _, params, plain = device_of(make)
        assert device.loss_scaling == 1000.0
        for step in range(1, 21):
            give_gradients(step, scaled, params)
            for param in scaled:
                param.grad *= 1000.0
            device.step(device.loss_scaling)
            plain.step()
        assert difference(scaled, params) < 1e-6
    _, params, device = device_of(lambda p: optim.AdamW(
        p, lr=0.01, accum_type=torch.float16,
        first_order_momentum_accum_type=torch.float16), torch.float16)
    beside = weights(torch.float16)
    full = [torch.nn.Parameter(param.detach().float()) for param in beside]
    theirs = torch.optim.AdamW(full, lr=0.01)
    for step in range(1, 11):
        give_gradients(step, params, full)
        device.step()
        theirs.step()
    assert params[0].dtype == torch.float16 and device.accumulates_in_half
    assert difference([param.float() for param in params], full) < 1e-2
    tensors = device.state()["ipu_state"]
    print(sorted({f"{name[:5]} {tensor.dtype}"
                  for name, tensor in tensors.items()}))


def updates():
    """Values change from the next step on; combined ones lag behind."""
    def changed(make, change, steps=6):
        optimizer, params, device = device_of(make)
        beside = weights()
        theirs = make(beside)
        for step in range(1, steps + 1):
            if step == 4:
                for which in (optimizer, theirs):
                    change(which.param_groups[0])
                device.update(converted(optimizer))
            give_gradients(step, params, beside)
            device.step()
            theirs.step()
        return difference(params, beside)

    assert changed(lambda p: torch.optim.Adam(p, lr=0.1),
                   lambda group: group.update(lr=0.01)) < 1e-6
    assert changed(lambda p: optim.SGD(p, lr=0.1, momentum=0.5,
                                       weight_decay=0.1),
                   lambda group: group.update(momentum=0.9, lr=0.05,
                                              weight_decay=0.3)) < 1e-6

    def combined(p):
        return optim.SGD(p, lr=0.1, momentum=0.5, use_combined_accum=True)

    assert changed(combined, lambda group: group.update(lr=0.05)) < 1e-6
    # The step of the change still has the old momentum.
    optimizer, params, device = device_of(combined)
    beside = weights()
    theirs = combined(beside)
    for step in range(1, 6):
        give_gradients(step, params, beside)
        if step == 4:
            optimizer.param_groups[0]["momentum"] = 0.9
            device.update(converted(optimizer))
        if step == 5:
            theirs.param_groups[0]["momentum"] = 0.9
        device.step()
        theirs.step()
    assert difference(params, beside) < 1e-6
    # PopART does not compare dampening, and a constant stays what it was.
    assert changed(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.5),
                   lambda group: group.update(dampening=0.5)) > 1e-3
    print("values are updated")


def states():
    """States go from device to device, through the program's optimizer."""
    for make in (lambda p: optim.SGD(p, lr=0.1, momentum=0.9),
                 lambda p: optim.Adam(p, lr=0.01),
                 lambda p: optim.RMSprop(p, lr=0.01, centered=True,
                                         momentum=0.5),
                 lambda p: optim.LAMB(p, lr=0.01)):
        optimizer, params, device = device_of(make)
        assert not optimizer.has_state()
        bind(optimizer, device)
        for step in range(1, 6):
            give_gradients(step, params)
            device.step()
            optimizer.host_state_is_dirty = True
        stream = io.BytesIO()
        torch.save(optimizer.state_dict(), stream)
        assert not optimizer.host_state_is_dirty and optimizer.has_state()
        stream.seek(0)
        loaded, others, fresh = device_of(make)
        loaded.load_state_dict(torch.load(stream))
        assert loaded.ipu_state_is_dirty
        bind(loaded, fresh)
        assert not loaded.ipu_state_is_dirty
        for other, param in zip(others, params):
            other.data.copy_(param.data)
        for step in range(6, 9):
            give_gradients(step, params, others)
            device.step()
            fresh.step()
        assert difference(params, others) == 0.0
        before = {name: tensor.clone() for name, tensor
                  in optimizer.get_state_dict()["ipu_state"].items()}
        optimizer.host_state_is_dirty = True
        read_back(optimizer)
        after = optimizer.get_state_dict()["ipu_state"]
        assert any(not torch.equal(before[name], after[name])
                   for name in before)
    print(sorted(optimizer.state_dict()))
    print(sorted(optimizer.get_state_dict()["ipu_state"]))
    print(raised(optimizer.load_state_dict, {}))
    print(raised(optimizer.load_state_dict,
                 torch.optim.Adam(weights()).state_dict()))
    partial = device.state()
    for name in ("Accl1___0.0", "Step___0.1"):
        del partial["ipu_state"][name]
    sys.stdout.flush()
    fresh.load_state(partial)


def copies():
    """Pickles and copies keep what the program said."""
    params = weights()
    optimizer = optim.AdamW(params, lr=0.1, loss_scaling=8.0,
                            accum_type=torch.float16, bias_correction=False)
    optimizer.variable_attrs.markAsConstant("loss_scaling")
    for copied in (pickle.loads(pickle.dumps(optimizer)),
                   copy.deepcopy(optimizer)):
        assert repr(copied) == repr(optimizer)
        assert converted(copied) == converted(optimizer)
        assert copied.state_dict() == optimizer.state_dict()
        assert copied.variable_attrs.isConstant("loss_scaling")
        assert not copied.variable_attrs.isConstant("lr")
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    give_gradients(1, params)
    optimizer.step()
    scheduler.step()
    assert converted(optimizer)["groups"][0]["learningRate"] == (0.05, False)
    print(repr(optim.LAMB([torch.nn.Parameter(torch.zeros(1))], lr=0.5)))


def constants():
    """What is a constant of the executable."""
    for make in (lambda p: optim.SGD(p, lr=0.1),
                 lambda p: optim.SGD(p, 0.1, 0.0, loss_scaling=2.0),
                 lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.0),
                 lambda p: torch.optim.SGD(p, lr=0.1, momentum=1.0),
                 lambda p: torch.optim.AdamW(p, betas=(0.9, 0.9)),
                 lambda p: optim.RMSprop(p, lr=0.1, alpha=0.99)):
        optimizer = make(weights())
        attributes = converted(optimizer)
        both = dict(attributes["groups"][0],
                    lossScaling=attributes["defaults"]["lossScaling"])
        print(type(optimizer).__module__.split(".")[0],
              attributes["optimizer_type"].name, "variable:",
              *(name for name, value in both.items()
                if isinstance(value, tuple) and not value[1]))
    scaled = poptorch.Options()
    scaled.Training.setAutomaticLossScaling(True)
    assert not converted(optim.SGD(weights(), lr=0.1), scaled)[
        "defaults"]["lossScaling"][1]
    attrs = optim.LAMB(weights(), lr=1).variable_attrs
    attrs.markAsVariable("max_weight_norm")
    assert not attrs.isConstant("max_weight_norm")
    attrs.markAsConstant("max_weight_norm")
    assert attrs.isConstant("max_weight_norm")
    print(raised(attrs.markAsConstant, "learning_rate"))


def types():
    """Which of PopART's optimizers each one is."""
    for make in (lambda p: optim.SGD(p, 1), lambda p: optim.Adam(p),
                 lambda p: optim.SGD(p, 1, use_combined_accum=True),
                 lambda p: optim.AdamW(p),
                 lambda p: optim.AdamW(p, bias_correction=False),
                 lambda p: optim.RMSprop(p),
                 lambda p: optim.RMSprop(p, centered=True),
                 lambda p: optim.LAMB(p),
                 lambda p: optim.LAMB(p, bias_correction=False)):
        kind = converted(make(weights()))["optimizer_type"]
        print(f"{kind.name}={kind.value}", end=" ")
    print()


def refused():
    """Each message of constructors and of the conversion."""
    def convert(made, **changes):
        for name, value in changes.items():
            setattr(made, name, value)
        print(raised(converted, made))

    params = weights()
    print(raised(optim.Adam, params, accum_type=torch.int32))
    print(raised(optim.LAMB, params, betas=(0.9, 1.0)))
    optim.SGD(params, lr=0.1, velocity_scaling=2.0)
    convert(torch.optim.Adagrad(params))
    convert(optim.Adam(params, amsgrad=True))
    convert(optim.Adam(params), accum_type=torch.float64)
    convert(optim.Adam(params), use_tf_variant=True)
    convert(torch.optim.SGD(params, lr=float("nan")))
    convert(optim.Adam(params), loss_scaling="two")
    convert(optim.Adam(params, betas=[0.9, 0.99]))
    optimizer = torch.optim.Adam(params)
    del optimizer.param_groups[0]["eps"]
    convert(optimizer)
    optimizer = optim.Adam(params)
    del optimizer.loss_scaling
    convert(optimizer)
    convert(torch.optim.RMSprop([
        {"params": params[:1]}, {"params": params[1:], "centered": True}]))
    options = poptorch.Options()
    half = optim.AdamW(params, accum_type=torch.float16)
    print(raised(converted, half, options, None, True))
    options._freeze()
    combined = optim.SGD(params, 1, use_combined_accum=True,
                         accum_type=torch.float16)
    converted(combined, options)
    name = "meanAccumulationAndReplicationReductionStrategy"
    print(repr(getattr(options.Training, name)))
    converted(half, options)
    print(repr(getattr(options.Training, name)))
    print(raised(options.Training.gradientAccumulation, 2))
    converted(half, options, None, True)


class Lazy(optim.SGD):
    """An optimizer of a program's."""


def unexpected():
    """Attributes that came later are named; each text comes once."""
    tracker = OptimizerAttrTracker(poptorch.Options())
    for _ in range(2):
        converted(Lazy(weights(), lr=0.1), None, tracker)
    for relaxed in (False, True):
        options = poptorch.Options().relaxOptimizerAttributesChecks(relaxed)
        tracker = OptimizerAttrTracker(options)
        optimizer = optim.SGD(weights(), lr=0.1)
        optimizer.before = 1
        for _ in range(3):
            converted(optimizer, options, tracker)
            optimizer.param_groups[0]["initial_lr"] = 1
            optimizer.defaults["loss_scaling"] = 1.0
            optimizer.loss_scailing = 1


def logged():
    """What the compiler logs of an optimizer."""
    poptorch.setLogLevel("DEBUG")
    names = [["fc.weight", "fc.weight", "fc.bias"]]
    for optimizer in (
            optim.SGD(weights(), lr=0.1, momentum=0.5, loss_scaling=2.0),
            optim.LAMB(weights(), bias_correction=False,
                       accum_type=torch.float16)):
        log_optimizer(converted(optimizer), names)


def replacements():
    """Why an optimizer cannot take the place of another one."""
    def problem(old, new, change=None):
        params = weights()
        made = [converted(make(params)) for make in (old, new)]
        if change:
            change(made[1])
        return replacement_problem(*made, [["fc1.weight"], ["fc2.weight"]])

    def sgd(**values):
        return lambda p: optim.SGD(p, **{"lr": 0.1, **values})

    def adam(p):
        return optim.Adam(p, lr=0.1)

    def two(decay):
        return lambda p: torch.optim.SGD(
            [{"params": p[:2]}, {"params": p[2:], "weight_decay": decay}],
            lr=0.1)

    assert problem(sgd(), sgd(lr=0.2)) is None
    for old, new in (
            (sgd(), adam), (adam, lambda p: optim.AdamW(p, lr=0.1)),
            (adam, lambda p: optim.LAMB(p, lr=0.1)),
            (sgd(), sgd(max_grad_norm=1.0)),
            (sgd(max_grad_norm=2.0), sgd(max_grad_norm=1.0)),
            (sgd(), sgd(loss_scaling=2.0)), (sgd(), sgd(momentum=0.5)),
            (two(0.0), two(0.1)), (two(0.1), sgd()),
            (sgd(momentum=0.5), sgd(momentum=0.5, use_combined_accum=True)),
            (sgd(momentum=0.5),
             sgd(momentum=0.5, velocity_accum_type=torch.float16))):
        print(problem(old, new))

    def other_eps(attributes):
        attributes["defaults"]["eps"] = (0.5, True)

    print(problem(adam, adam, other_eps))


def errors():
    """The errors of an update, as they are raised."""
    def error(call, *arguments):
        try:
            call(*arguments)
        except poptorch.Error as error:
            return f"{error.type}: {error.message}"

    optimizer, params, device = device_of(
        lambda p: torch.optim.SGD(p, lr=0.1))
    optimizer.param_groups[0]["weight_decay"] = 0.5
    print(error(device.update, converted(optimizer)))
    # What was refused changes nothing.
    give_gradients(1, params)
    before = [param.detach() - 0.1 * param.grad for param in params]
    device.step()
    assert difference(params, before) < 1e-6
    for values in ({"loss_scaling": 0.0},
                   {"velocity_scaling": -1.0, "use_combined_accum": True}):
        made = optim.SGD(params, lr=0.1, **values)
        print(error(DeviceOptimizer, converted(made), [params]))
    made = optim.SGD(params, lr=0.0)
    made.variable_attrs.markAsConstant("lr")
    print(error(DeviceOptimizer, converted(made), [params]))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        globals()[name]()
