"""A program that ends early: why, and what is done before."""
import contextlib
import os
import signal
import sys
import threading

# Those that a profile outlives; SIGINT is an error, KeyboardInterrupt.
_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)
_TEXT_MAX = 100


def reason():
    """The error that nothing caught, in one line; None without one, and in an
    interpreter that goes on after errors."""
    error = getattr(sys, "last_value", None)
    if error is None or hasattr(sys, "ps1"):
        return None
    if isinstance(error, KeyboardInterrupt):
        return signal.strsignal(signal.SIGINT)
    words = "".join(each if each.isprintable() else " " for each in
                    f"{type(error).__name__}: {error}").split()
    return " ".join(words)[:_TEXT_MAX]


@contextlib.contextmanager
def undisturbed():
    """Meanwhile signals that would end the program wait."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK,
                                    _SIGNALS + (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def before_signals(function):
    """Before a signal ends this process, call the function with its name.  A
    signal that the program itself handles or ignores stays as it is."""
    if threading.current_thread() is not threading.main_thread():
        return
    owner = os.getpid()

    def end(number, _):
        signal.signal(number, signal.SIG_DFL)
        try:
            if os.getpid() == owner:
                function(signal.strsignal(number))
        finally:
            os.kill(os.getpid(), number)

    for number in _SIGNALS:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)
