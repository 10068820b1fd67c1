"""What sdk-horovod.t runs in each of two instances: all of horovod.torch
against plain numbers.  Instance 0 prints what is refused."""
import os
import sys
import warnings

import torch
import torch.distributed
import horovod.torch as hvd


def equal(got, wanted):
    """Also the type."""
    wanted = torch.as_tensor(wanted)
    assert got.dtype == wanted.dtype and got.shape == wanted.shape and \
        torch.allclose(got.double(), wanted.double()), (got, wanted)


def refused(function, *arguments, **keywords):
    """Print the error that a call ends with."""
    try:
        result = function(*arguments, **keywords)
    except (RuntimeError, ValueError, NotImplementedError) as error:
        if os.environ["RANK"] == "0":
            print(f"{type(error).__name__}: {error}")
        return
    raise AssertionError(f"not refused: {result}")


def places():
    assert not hvd.is_initialized()
    refused(hvd.rank)
    hvd.init()
    hvd.init()
    assert hvd.is_initialized() and hvd.is_homogeneous()
    assert (hvd.size(), hvd.local_size(), hvd.cross_size()) == (2, 2, 1)
    assert hvd.rank() == hvd.local_rank() == int(os.environ["RANK"])
    assert hvd.cross_rank() == 0
    assert hvd.gloo_built() and not hvd.mpi_built() and not hvd.nccl_built()


def reductions(rank):
    mine = torch.tensor([1.0, 2.0]) * (rank + 1)
    equal(hvd.allreduce(mine), [1.5, 3.0])
    equal(mine, torch.tensor([1.0, 2.0]) * (rank + 1))
    equal(hvd.allreduce(mine, op=hvd.Sum, name="x"), [3.0, 6.0])
    equal(hvd.allreduce(mine, average=False), [3.0, 6.0])
    equal(hvd.allreduce(mine, op=hvd.Min), [1.0, 2.0])
    equal(hvd.allreduce(mine, op=hvd.Max), [2.0, 4.0])
    equal(hvd.allreduce(mine, op=hvd.Product), [2.0, 8.0])
    equal(hvd.allreduce(mine, op=hvd.Sum, prescale_factor=0.5,
                        postscale_factor=4.0), [6.0, 12.0])
    equal(hvd.allreduce(mine, compression=hvd.Compression.fp16), [1.5, 3.0])
    for dtype in (torch.float64, torch.float16, torch.bfloat16, torch.uint8,
                  torch.int8, torch.int16, torch.int32, torch.int64):
        # (3 + 4) / 2: Horovod rounds the mean of whole numbers down.
        mean = 3.5 if dtype.is_floating_point else 3
        equal(hvd.allreduce(torch.tensor([3 + rank], dtype=dtype)),
              torch.tensor([mean], dtype=dtype))
    equal(hvd.allreduce(torch.tensor([rank == 1, False]), op=hvd.Max),
          [True, False])
    equal(hvd.allreduce(torch.tensor(float(rank)), op=hvd.Sum), 1.0)
    equal(hvd.allreduce(torch.empty(0, 3), op=hvd.Sum), torch.empty(0, 3))
    columns = torch.arange(6.0).reshape(2, 3).t()
    equal(hvd.allreduce(columns, op=hvd.Sum), columns * 2)
    assert hvd.allreduce_(mine) is mine
    equal(mine, [1.5, 3.0])
    table = torch.full((2, 2), rank + 1.0)
    hvd.allreduce_(table[:, 0], op=hvd.Sum)
    equal(table, [[3.0, rank + 1.0], [3.0, rank + 1.0]])


def at_once(rank):
    first = hvd.allreduce_async(torch.ones(1000) * rank, op=hvd.Sum)
    second = hvd.broadcast_async(torch.tensor([rank]), 1)
    third = hvd.allgather_async(torch.full((rank, 2), rank))
    equal(hvd.synchronize(third), [[1, 1]])
    equal(hvd.synchronize(second), [1])
    equal(hvd.synchronize(first), torch.ones(1000))
    assert hvd.poll(first)
    equal(hvd.synchronize(first), torch.ones(1000))
    mine = [torch.tensor([1.0 + rank]), torch.tensor([rank], dtype=torch.int8)]
    both = hvd.grouped_allreduce(mine, op=hvd.Sum)
    equal(both[0], [3.0])
    equal(both[1], torch.tensor([1], dtype=torch.int8))
    handle = hvd.grouped_allreduce_async_(mine, op=hvd.Sum)
    assert hvd.synchronize(handle)[0] is mine[0]
    equal(mine[0], [3.0])
    equal(hvd.grouped_allreduce_([torch.ones(2)])[0], [1.0, 1.0])


def others_data(rank):
    equal(hvd.allgather(torch.arange(3 * rank).reshape(rank, 3)), [[0, 1, 2]])
    equal(hvd.allgather(torch.tensor([rank, rank])), [0, 0, 1, 1])
    equal(hvd.allgather(torch.empty(0, 2)), torch.empty(0, 2))
    mine = torch.tensor([True, rank == 1])
    equal(hvd.broadcast(mine, 1), [True, True])
    equal(mine, [True, rank == 1])
    assert hvd.broadcast_(mine, 1) is mine and mine.all()
    assert hvd.broadcast_object({"rank": rank}, 1) == {"rank": 1}
    assert hvd.broadcast_object_fn(0)([rank]) == [0]
    assert hvd.allgather_object("x" * (rank + 1)) == ["x", "xx"]
    hvd.barrier()


def gradients(rank):
    for function, wanted in (
            (lambda x: hvd.allreduce(x), [1.5, 1.5]),
            (lambda x: hvd.allreduce(x, op=hvd.Sum), [3.0, 3.0]),
            (lambda x: hvd.broadcast(x, 1), [3.0 * rank, 3.0 * rank]),
            (lambda x: hvd.allgather(x)[2 * rank:2 * rank + 2],
             [rank + 1.0, rank + 1.0])):
        x = torch.ones(2, requires_grad=True)
        (function(x) * (rank + 1)).sum().backward()
        equal(x.grad, wanted)


def make(seed, kind, **options):
    torch.manual_seed(seed)
    model = torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.Tanh(),
                                torch.nn.Linear(5, 1))
    return model, kind(model.parameters(), **options)


def train(model, optimizer, samples, passes=1):
    for step in range(3):
        optimizer.zero_grad()
        for part in samples[step].chunk(passes):
            loss = (model(part) - part.sum(1, keepdim=True)).square().mean()
            (loss / passes).backward()
        optimizer.step()


def same_parameters(one, other):
    for a, b in zip(one.parameters(), other.parameters()):
        assert torch.allclose(a, b, atol=1e-6), (a, b)


def training(rank):
    """Two instances with half a batch each are one with the whole batch."""
    torch.manual_seed(0)
    samples = torch.randn(3, 8, 4)
    half = samples[:, 4 * rank:4 * rank + 4]
    for kind, options, more in (
            (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9}, {}),
            (torch.optim.AdamW, {"lr": 0.01},
             {"gradient_predivide_factor": 2.0, "passes": 2}),
            (torch.optim.SGD, {"lr": 0.1}, {"op": hvd.Sum, "scale": 0.5})):
        whole, plain = make(1, kind, **options)
        train(whole, plain, samples)
        passes = more.pop("passes", 1)
        scale = more.pop("scale", 1.0)
        model, inner = make(1 + rank, kind, **options)
        for group in inner.param_groups:
            group["lr"] *= (rank + 1) * scale
        optimizer = hvd.DistributedOptimizer(
            inner, named_parameters=model.named_parameters(),
            backward_passes_per_step=passes, **more)
        assert isinstance(optimizer, kind)
        hvd.broadcast_parameters(model.state_dict(), root_rank=0)
        hvd.broadcast_optimizer_state(optimizer, root_rank=0)
        train(model, optimizer, half, passes)
        same_parameters(whole, model)
        state = hvd.allgather_object(optimizer.state_dict()["state"])
        assert str(state[0]) == str(state[1])


def training_by_hand(rank):
    """synchronize() by oneself, and a scheduler from before."""
    model, inner = make(5, torch.optim.SGD, lr=0.1)
    torch.optim.lr_scheduler.StepLR(inner, 1)
    optimizer = hvd.DistributedOptimizer(inner)
    for p in model.parameters():
        p.grad = torch.full_like(p, float(rank))
    model[0].bias.grad = None if rank == 0 else torch.ones(5)
    optimizer.synchronize()
    for p in model.parameters():
        equal(p.grad, torch.full_like(p, 0.5))
    with optimizer.skip_synchronize():
        optimizer.step()
    optimizer.synchronize()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        optimizer.step()
    assert "skip_synchronize" in str(caught[0].message)
    hvd.broadcast_parameters(model.named_parameters(), 1)
    hvd.broadcast_parameters(list(model.parameters()), 1)
    table = torch.nn.Embedding(3, 1, sparse=True)
    for dense in (False, True):
        table.weight.data.zero_()
        optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(table.parameters(), lr=1.0),
            sparse_as_dense=dense)
        optimizer.zero_grad()
        table(torch.tensor([rank, 2])).sum().backward()
        optimizer.step()
        equal(table.weight.detach(), [[-0.5], [-0.5], [-1.0]])


def refusals(rank):
    refused(hvd.allreduce, torch.zeros(2 + rank))
    refused(hvd.allreduce, torch.zeros(
        2, dtype=torch.int32 if rank else torch.int64))
    refused(hvd.allreduce, torch.zeros(2), name=f"gradient {rank}")
    refused(hvd.allreduce, torch.zeros(2), op=hvd.Sum if rank else hvd.Max)
    refused(hvd.broadcast, torch.zeros(2), rank)
    refused(hvd.allgather if rank else hvd.allreduce, torch.zeros(2))
    refused(hvd.allgather, torch.zeros(2, 2 + rank))
    # None of that has got into the way of what comes after.
    equal(hvd.allreduce(torch.tensor([rank]), op=hvd.Sum), [1])
    refused(hvd.allgather, torch.tensor(1))
    refused(hvd.broadcast, torch.zeros(2), 2)
    refused(hvd.broadcast_object, 1, -1)
    refused(hvd.allreduce, torch.zeros(2), op=hvd.Sum, average=True)
    refused(hvd.allreduce, torch.zeros(2), op=hvd.Adasum)
    refused(hvd.allreduce, torch.zeros(2), op=17)
    refused(hvd.allreduce, torch.zeros(2, dtype=torch.complex64))
    refused(hvd.broadcast_parameters, 5, 0)
    model, optimizer = make(1, torch.optim.SGD, lr=0.1)
    distribute = hvd.DistributedOptimizer
    refused(distribute, optimizer, list(model.parameters()))
    refused(distribute, optimizer, [("a", p) for p in model.parameters()])
    refused(distribute, optimizer, op=hvd.Sum, gradient_predivide_factor=2.0)
    refused(hvd.init, comm=[0])


def joining(rank):
    for _ in range(2 * rank):
        equal(hvd.allreduce(torch.tensor([4.0]) * rank), [2.0])
    if rank == 1:
        refused(hvd.allreduce, torch.ones(1), op=hvd.Max)
        assert hvd.join() == 1
    else:
        refused(hvd.join)
        assert hvd.join() == 1


def ends(rank):
    """PyTorch's own group is another one.  Whoever leaves is missed."""
    torch.distributed.init_process_group("gloo")
    sum_of = torch.tensor([rank])
    torch.distributed.all_reduce(sum_of)
    equal(sum_of, [1])
    hvd.shutdown()
    refused(hvd.size)
    hvd.init()
    equal(hvd.allreduce(torch.tensor([rank]), op=hvd.Sum), [1])
    if rank == 1:
        hvd.shutdown()
        return
    try:
        hvd.barrier()
    except hvd.HorovodInternalError as error:
        print(str(error).partition(":")[0])
    hvd.shutdown()
    os.environ["WORLD_SIZE"] = "1"
    hvd.init()
    equal(hvd.allreduce(torch.tensor([2.0])), [2.0])
    equal(hvd.allgather(torch.tensor([2.0])), [2.0])
    equal(hvd.broadcast(torch.tensor([2.0]), 0), [2.0])
    assert hvd.broadcast_object([1]) == [1] and hvd.join() == 0
    assert hvd.allgather_object(1) == [1]
    hvd.barrier()
    model, optimizer = make(1, torch.optim.SGD, lr=0.1)
    train(model, hvd.DistributedOptimizer(optimizer), torch.ones(3, 2, 4))
    hvd.shutdown()
    os.environ["WORLD_SIZE"] = "4"
    del os.environ["MASTER_PORT"]
    refused(hvd.init)
    os.environ["WORLD_SIZE"] = "four"
    refused(hvd.init)


places()
RANK = hvd.rank()
for check in (reductions, at_once, others_data, gradients, training,
              training_by_hand, refusals, joining, ends):
    check(RANK)
print("done")
sys.stdout.flush()
