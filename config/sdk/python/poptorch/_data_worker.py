"""The process that reads a dataset ahead of the program, and its handle.

The worker is forked, so that a dataset need not be pickled and a program
needs no `if __name__ == "__main__"`.  What it must not keep of the program
is closed by the fork: the pipes to the IPUs in ipubox_sdk/device.py, and
those of other workers in _data_ring.py.

An epoch is one pass through the dataset.  Each has a number, which all
messages bear: those of an epoch that the program has left are passed over.
"""

import atexit
import collections
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
import weakref

import torch

from . import _data_ring, _impl
from .settings import require

logger = logging.getLogger("poptorch::python")

_END_SECONDS = 5
_READY, _ELEMENT, _END, _FAILED = range(4)
_Message = collections.namedtuple("_Message", "kind epoch body")

_started = weakref.WeakSet()


class _ProcessEnded(Exception):
    """The parent is gone: there is nothing left to do."""


class _Loop:
    """What runs in the worker process."""

    def __init__(self, ring, dataset, load_indefinitely, early_preload,
                 rebatched_size, drop_last):
        self._ring = ring
        self._dataset = dataset
        self._load_indefinitely = load_indefinitely
        self._rebatched_size = rebatched_size
        self._drop_last = drop_last
        self._free = list(range(len(ring)))
        self._ending = False
        self._epoch = 0
        # The last epoch that may be read.
        self._wanted = 0 if early_preload else -1

    def run(self):
        """Read epoch after epoch until the parent has had enough."""
        self._ring.become_worker()
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._watch, daemon=True).start()
        try:
            # As in PyTorch's own workers: OpenMP's threads did not survive
            # the fork, and the other cores are the program's.
            torch.set_num_threads(1)
            with torch.no_grad():
                self._read_all()
        except (EOFError, _ProcessEnded):
            pass
        except BaseException as error:
            if self._ending:
                return
            traceback.print_exc()
            sys.stderr.flush()
            self._send(_FAILED, _portable(error))

    def _watch(self):
        """End this process when its parent ends or lets it go, whatever the
        dataset is doing, and the dataset's own processes with it."""
        # The parent holds the only read end of the messages until then.
        self._ring.messages.writer.wait_for_end()
        self._end()

    def _interrupted(self, number, frame):
        """The terminal sends it to all processes, and the parent says so.
        Nothing is unwound here: who talks to this process would complain."""
        self._end()

    def _end(self):
        """End this process at once, and the dataset's own ones first."""
        self._ending = True
        for child in multiprocessing.active_children():
            child.kill()
        os._exit(0)

    def _send(self, kind, body=None):
        if not self._ring.messages.put(_Message(kind, self._epoch, body)):
            raise _ProcessEnded

    def _elements(self):
        """One pass through the dataset, as tensors in pieces."""
        elements = map(_checked, self._dataset)
        if self._rebatched_size is None:
            return _data_ring.as_pieces(elements)
        return _data_ring.rebatch(elements, self._rebatched_size,
                                  self._drop_last)

    def _read_all(self):
        elements = iter(self._elements())
        first = next(elements, None)
        if first is None:
            raise _impl.createPoptorchError("The Dataset is empty")
        self._send(_READY)
        while True:
            # An epoch is begun when it is wanted, and not before: a dataset
            # may do work in __iter__.
            while self._wanted < self._epoch:
                self._obey(None)
            if elements is None:
                elements = iter(self._elements())
                first = next(elements, None)
            if self._deliver(first, elements):
                self._send(_END)
                self._epoch += 1
                if self._load_indefinitely:
                    self._wanted = max(self._wanted, self._epoch)
            else:
                self._epoch = self._wanted
            elements = None

    def _deliver(self, first, elements):
        """Whether the epoch was delivered up to its end."""
        element = first
        while element is not None:
            while not self._free:
                self._obey(None)
                if self._wanted > self._epoch:
                    return False
            self._obey(0)
            if self._wanted > self._epoch:
                return False
            tensors, structure = element
            slot = self._free.pop()
            self._send(_ELEMENT, (slot, self._ring.put(slot, tensors),
                                  structure))
            element = next(elements, None)
        return True

    def _obey(self, seconds):
        """Read the commands that have come; wait for one with None.

        A number from 0 on is a slot that is free again, -1 - N wants epoch
        number N.
        """
        number = self._ring.commands.get_number(seconds)
        while number is not None:
            if number >= 0:
                self._free.append(number)
            else:
                self._wanted = max(self._wanted, -1 - number)
            number = self._ring.commands.get_number(0)


def _checked(element):
    """The tensors of an element and its structure."""
    tensors, structure = _data_ring.flatten(element)
    for index, tensor in enumerate(tensors):
        if not isinstance(tensor, torch.Tensor):
            raise _impl.createPoptorchError(
                f"Tensor at index {index} is not a torch tensor "
                f"({type(tensor)}). AsynchronousDataAccessor expects data to "
                "be organised as a flat 1D container of tensors.")
    return tensors, structure


def _portable(error):
    """Its text, and the exception itself where it can be pickled."""
    text = traceback.format_exception_only(type(error), error)[-1].strip()
    try:
        return text, pickle.loads(pickle.dumps(error))
    except Exception:
        return text, None


class _WorkerProcess:
    """The process, under PopTorch's names and those of multiprocessing."""

    def __init__(self, loop):
        context = multiprocessing.get_context("fork")
        self._process = context.Process(target=loop.run)

    def isAlive(self):
        """Whether it runs."""
        return self._process.is_alive()

    def __getattr__(self, name):
        if name == "_process":
            raise AttributeError(name)
        return getattr(self._process, name)


class AsynchronousWorker:
    """The handle of a worker: elements come one after the other, and each
    is released before the next is acquired."""

    def __init__(self, dataset, buffer_size, load_indefinitely,
                 early_preload, rebatched_size, drop_last):
        self._arguments = (dataset, load_indefinitely, early_preload,
                           rebatched_size, drop_last)
        self._buffer_size = buffer_size
        self._owner = os.getpid()
        self._terminated = False
        self._start()

    def _start(self):
        ring = _data_ring.Ring(self._buffer_size)
        self._data_buffers = ring
        self._process = _WorkerProcess(_Loop(ring, *self._arguments))
        self._stopped = False
        self._epoch = -1        # what the program reads
        self._begun = False     # whether it has read a part of it
        self._next = None       # a message that was not yet acted upon
        self._acquired = False
        ring.before_fork()
        self._process.start()
        ring.become_parent()
        _started.add(self)
        logger.debug("AsynchronousDataAccessor parent process: %d",
                     os.getpid())
        logger.debug("AsynchronousDataAccessor worker process: %d",
                     self._process.pid)
        try:
            self._check_start()
        except BaseException:
            self._stop()
            raise

    def _check_start(self):
        message = self._read(None)
        if message.kind == _FAILED:
            text, error = message.body
            raise _impl.createPoptorchError(
                "AsynchronousDataAccessor worker thread failed to start "
                f"(Check above for details)\n{text}") from error

    def _stop(self):
        """End the process: it notices that its messages have no reader."""
        if self._stopped or self._owner != os.getpid():
            return
        self._stopped = True
        self._data_buffers.close()
        self._process.join(_END_SECONDS)
        if self._process.isAlive():
            self._process.kill()
            self._process.join()

    def terminate(self):
        """End the worker for good; once more is fine."""
        self._terminated = True
        self._stop()

    def _require_process(self):
        if self._stopped or self._owner != os.getpid():
            raise _impl.createPoptorchError(
                "the AsynchronousDataAccessor has no worker process: it was "
                "terminated, has failed, or belongs to the process "
                f"{self._owner}")

    def _read(self, seconds):
        """The next message, or None in time; an Error where there is no
        worker any more."""
        self._require_process()
        try:
            return self._data_buffers.messages.get(seconds)
        except EOFError:
            raise _impl.createPoptorchError(self._obituary()) from None

    def _obituary(self):
        """How the worker has ended, in one sentence."""
        self._process.join(_END_SECONDS)
        code = self._process.exitcode
        self._stop()
        if code is not None and code < 0:
            cause = "was killed by " + signal.Signals(-code).name
        elif code == 0:
            cause = "was interrupted"
        else:
            cause = f"has ended with status {code}"
        return ("the worker process of the AsynchronousDataAccessor, pid "
                f"{self._process.pid}, {cause} before it had delivered all "
                "data; a new iteration starts another one")

    def resetIterator(self):
        """Begin an epoch: the one that is being read ahead, if nothing of
        it was taken.  A worker that has failed is started again."""
        if self._stopped and not self._terminated:
            self._start()
        self._require_process()
        if self._begun or self._epoch < 0:
            self._epoch += 1
            self._begun = False
            self._pass_over()
            self._data_buffers.commands.put_number(-1 - self._epoch)

    def _pass_over(self):
        """Forget a message of an epoch that the program has left."""
        message = self._next
        if message is not None and message.kind != _FAILED:
            self._next = None
            if message.kind == _ELEMENT:
                self._data_buffers.give_back(message.body[0])

    def _fetch(self, seconds):
        """The next message of this epoch, or None in time."""
        if self._epoch < 0:
            self.resetIterator()
        while self._next is None:
            self._next = self._read(seconds)
            if self._next is None:
                return None
            if self._next.epoch < self._epoch:
                self._pass_over()
        return self._next

    def dataIsAvailable(self):
        """Whether the next element can be had without waiting."""
        message = self._fetch(0)
        return message is not None and message.kind == _ELEMENT

    def endOfFile(self):
        """Whether the epoch is at its end."""
        message = self._fetch(0)
        at_end = message is not None and message.kind == _END
        self._begun = self._begun or at_end
        return at_end

    def assertNoError(self):
        """AssertionError where the dataset has raised an exception."""
        message = self._fetch(0)
        if message is not None and message.kind == _FAILED:
            self._stop()
            text, error = message.body
            raise AssertionError("An error occurred in the data fetcher: "
                                 + text) from error

    def wait(self):
        """Return when an element, the end of the epoch or an error is
        there."""
        self._fetch(None)

    def acquireElementIfAvailable(self):
        """The next element, or None.  Its tensors stay what they are as long
        as they are used."""
        require(not self._acquired,
                "The current element must be released by calling "
                "releaseElement() before trying to acquire a new one")
        if not self.dataIsAvailable():
            return None
        message, self._next = self._next, None
        self._begun = self._acquired = True
        slot, layout, structure = message.body
        return _data_ring.rebuild(self._data_buffers.get(slot, *layout),
                                  structure)

    def releaseElement(self):
        """The element is no longer needed by whoever has acquired it."""
        self._acquired = False


@atexit.register
def _terminate_all():
    # Before multiprocessing waits for its processes, which was registered
    # before this.
    for worker in list(_started):
        worker.terminate()
