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
_WAKE, _WOKEN = 7, 130
_LOOKS = 32                     # before the first look at the clock
_LOOKING_S = 100e-6             # then sleep


def is_usable():
    """Python has no fences: what it writes first must be seen first."""
    return platform.machine() == "x86_64"


class Mailbox:
    """The memory, and the socket beside it."""

    def __init__(self, memory, socket):
        self._memory = memory
        self._words = memory[:_PAGE].cast("Q")
        self._socket = socket

    def ask(self, message, request):
        """The size of the answer, which begins at `reply`."""
        words = self._words
        self._memory[_PAGE:_PAGE + len(message)] = message
        words[_REQUEST] = request
        if words[_POPRUN_SLEEPS]:
            self._wake(request)
        give_away = os.sched_yield
        for _ in range(_LOOKS):
            if words[_ANSWER] == request:
                break
            give_away()
        else:
            self._wait(request)
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
