"""The mailbox of a lane: memory in which a message and its answer change
hands without a system call, as ipubox-link(7) describes it.

Both sides look for a short while, and give the processor away meanwhile;
then they sleep, and whoever has something for the other one wakes it through
the socket.
"""
import os
import platform
import struct
import time

from ipubox_sdk.error import PopdistError

_PAGE, _MESSAGE_MAX = 4096, 64 * 1024
_REPLY = _PAGE + _MESSAGE_MAX
BYTES = _REPLY + _MESSAGE_MAX
# Numbers of 64 bits, each on a cache line of its own.
_REQUEST, _ANSWER, _PROGRAM_SLEEPS, _POPRUN_SLEEPS = range(0, 32, 8)
_HEAD = struct.Struct("<IHHII")         # size, kind, flags, request, zero
# The head, and of an operation all but the names and the vector.
_CALL = struct.Struct("<IHHIIBBHHHIIQQQ")
_CALL_END = _PAGE + _CALL.size
_RESULT = _REPLY + _HEAD.size
_OPERATION, _WAKE, _DONE, _WOKEN = 3, 7, 128, 130
_LOOKS = range(32)              # before the first look at the clock
_LOOKING_S = 100e-6             # then sleep

_give_away = os.sched_yield


def is_usable():
    """Python has no fences: what it writes first must be seen first."""
    return platform.machine() == "x86_64"


class Mailbox:
    """The memory, and the socket beside it."""

    def __init__(self, memory, socket):
        self._memory = memory
        self._words = memory[:_PAGE].cast("Q")
        self._socket = socket

    def ask(self, request, call, names, vector, result):
        """An operation: whether it is done, and its result there.

        `call` is what stands between the head and the names.  Where it is
        not done, the answer in answer() says why.  All is in one function,
        as each call of one takes its time.
        """
        memory = self._memory
        words = self._words
        end = _CALL_END + len(names)
        memory[_CALL_END:end] = names
        if vector is not None:
            start = end
            end += len(vector)
            memory[start:end] = vector
        _CALL.pack_into(memory, _PAGE, end - _PAGE, _OPERATION, 0, request, 0,
                        *call)
        words[_REQUEST] = request
        if words[_POPRUN_SLEEPS]:
            self._wake(request)
        for _ in _LOOKS:
            if words[_ANSWER] == request:
                break
            _give_away()
        else:
            self._wait(request)
        room = len(result) if result is not None else 0
        size, kind, _, number, _ = _HEAD.unpack_from(memory, _REPLY)
        if kind != _DONE or number != request or size != _HEAD.size + room:
            return False
        if room:
            result[:] = memory[_RESULT:_RESULT + room]
        return True

    def answer(self):
        """The message that came last."""
        return self._memory[_REPLY:]

    def _wait(self, request):
        """Look a little longer, then sleep until poprun wakes us."""
        words = self._words
        until = time.monotonic() + _LOOKING_S
        while time.monotonic() < until:
            if words[_ANSWER] == request:
                return
            os.sched_yield()
        words[_PROGRAM_SLEEPS] = 1
        # The system call orders what is written before it and read after it;
        # and poprun may have fallen asleep without seeing the message.
        self._wake(request)
        while words[_ANSWER] != request:
            self._sleep()
        words[_PROGRAM_SLEEPS] = 0

    def _wake(self, request):
        """A message that nobody answers."""
        try:
            self._socket.sendall(_HEAD.pack(_HEAD.size, _WAKE, 0, request, 0))
        except (BrokenPipeError, ConnectionResetError):
            pass                # then there is nothing to be read either

    def _sleep(self):
        """A wake-up, which may be for an answer that was seen without it."""
        got = b""
        while len(got) < _HEAD.size:
            more = self._socket.recv(_HEAD.size - len(got))
            if not more:
                raise PopdistError("poprun has ended", "unavailable")
            got += more


def is_wake_up(kind):
    """Whether a message on the socket is one that came too late."""
    return kind == _WOKEN
