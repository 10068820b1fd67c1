"""The processes that read data: what they hold, and how they end.

`program` is a program with devices, a loader that reads ahead and two
workers of PyTorch's below it; the other names are checks, most of which
start it.  All processes of the program hold its standard output, so its end
says that none is left.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys

import torch

import poptorch
from ipubox_sdk import device


class Numbers(torch.utils.data.Dataset):
    """More than any buffer holds."""

    def __len__(self):
        return 100000

    def __getitem__(self, index):
        return torch.tensor([index, os.getpid(), os.getppid()])


def left(descriptors):
    """The processes that have not ended after a minute: pid by pidfd."""
    return [pid for pid, descriptor in descriptors.items()
            if not select.select([descriptor], [], [], 60)[0]]


def loader_of(workers):
    return poptorch.DataLoader(
        poptorch.Options(), Numbers(), batch_size=4, num_workers=workers,
        mode=poptorch.DataLoaderMode.Async)


def program():
    taken = device.attach(1, 0)
    first = loader_of(0)        # older than the other one's pipes
    loader = loader_of(2)
    late = device.attach(1, 1)
    batches = iter(loader)
    readers = {next(batches)[0, 1].item() for _ in range(4)}
    child = device._shared.child._process
    print(json.dumps({
        "program": os.getpid(), "holder": child.pid,
        "workers": [loader._accessor._worker._process.pid,
                    first._accessor._worker._process.pid] + list(readers),
        "pipes": [os.readlink(f"/proc/self/fd/{pipe.fileno()}")
                  for pipe in (child.stdin, child.stdout)],
        "devices": [taken.id, late.id]}), flush=True)
    sys.stdin.read()
    for _ in range(10000):
        next(batches)


def links_of(pid):
    """What a process has open all the time: it may close others while they
    are read."""
    directory = f"/proc/{pid}/fd"
    links = []
    for name in os.listdir(directory):
        with contextlib.suppress(FileNotFoundError):
            links.append(os.readlink(os.path.join(directory, name)))
    return links


class Program:
    """It runs until its standard input ends, or a signal comes."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, __file__, "program"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            sys.exit(self.process.stderr.read().decode())
        self.facts = json.loads(line)
        self.workers = {pid: os.pidfd_open(pid)
                        for pid in self.facts["workers"]}
        self.holder = os.pidfd_open(self.facts["holder"])

    def finish(self):
        """Wait until no process holds the output; the last error line."""
        assert self.process.stdout.read() == b""
        errors = self.process.stderr.read().decode().rstrip().splitlines()
        self.process.wait()
        print("left:", left(self.workers))
        # The next program wants the same devices.
        select.select([self.holder], [], [])
        return errors[-1:] or ["no error"]


def holds():
    """No worker has the pipes of the child that holds the devices, and the
    devices are free although the workers cannot run."""
    program = Program()
    facts = program.facts
    for pid in facts["workers"]:
        links = links_of(pid)
        print("held:", [pipe for pipe in facts["pipes"] if pipe in links])
    print("own:", [pipe in links_of(facts["program"])
                   for pipe in facts["pipes"]])
    for pid in facts["workers"]:
        os.kill(pid, signal.SIGSTOP)
    program.process.kill()
    select.select([program.holder], [], [])
    print("attached:", device.attach(1, 0).id, device.attach(1, 1).id)
    for pid in facts["workers"]:
        os.kill(pid, signal.SIGCONT)
    program.finish()


def killed():
    """kill -9 of the program ends all workers."""
    program = Program()
    program.process.kill()
    program.finish()


def worker_killed():
    """kill -9 of the worker is one sentence of the program."""
    program = Program()
    os.kill(program.facts["workers"][0], signal.SIGKILL)
    program.process.stdin.close()
    text = program.finish()[0]
    print(text.replace(str(program.facts["workers"][0]), "PID"))
    print(program.process.returncode)


def interrupted():
    """SIGINT for all, as a terminal sends it, is one exception."""
    program = Program()
    for pid in program.facts["workers"] + [program.facts["program"]]:
        os.kill(pid, signal.SIGINT)
    process = program.process
    process.stdin.close()
    process.stdout.read()
    errors = process.stderr.read().decode()
    process.wait()
    print(errors.count("Traceback"), errors.splitlines()[-1],
          process.returncode)
    print("left:", left(program.workers))
    select.select([program.holder], [], [])


def worker_interrupted():
    """A worker that gets SIGINT alone ends well; iter() starts another."""
    loader = loader_of(2)
    batches = iter(loader)
    next(batches)
    worker = loader._accessor._worker._process
    os.kill(worker.pid, signal.SIGINT)
    worker.join()
    print("status:", worker.exitcode)
    try:
        while True:
            next(batches)
    except poptorch.Error as error:
        print(str(error).replace(str(worker.pid), "PID"))
    print(next(iter(loader))[:, 0].tolist())
    loader.terminate()


def forked():
    """A forked process cannot use the loader, nor does it disturb it."""
    loader = loader_of(0)
    kept = next(iter(loader))
    pid = os.fork()
    if pid == 0:
        del kept
        try:
            next(loader._accessor)
        except poptorch.Error as error:
            print(str(error).replace(str(os.getppid()), "PID"), flush=True)
        loader.terminate()
        os._exit(0)
    print("child:", os.waitpid(pid, 0)[1])
    print(kept[:, 0].tolist(), next(loader._accessor)[:, 0].tolist())


globals()[sys.argv[1]]()
