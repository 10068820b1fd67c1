"""Python for transcripts, with PyTorch imported already.

usage: python3 -SE warm.py [-c CODE | FILE] [ARGUMENT ...]

The first call in a test starts a server, which imports torch, and each call
is a fork of it: importing torch takes a second, and most programs less.  The
options -u and -W are as Python's; the status is the program's.
"""
import gc
import importlib
import json
import os
import signal
import socket
import sys

# A name of a socket must be short.
PATH = f"/proc/self/fd/{os.open(os.environ['TEST'], os.O_PATH)}/warm"


def start():
    """Start the server; it takes calls from now on."""
    import subprocess
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(PATH)
        listener.listen(64)
        subprocess.Popen(
            [sys.executable, __file__, "--serve", str(listener.fileno())],
            pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)


def call(arguments):
    """Let the server run a program with this process's files."""
    if not os.path.exists(PATH):
        start()
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(PATH)
        socket.send_fds(stream, [b"\n"], [0, 1, 2])
        stream.sendall(json.dumps(
            [arguments, os.getcwd(), dict(os.environ)]).encode())
        stream.shutdown(socket.SHUT_WR)
        status = int(stream.makefile().read())
    if status < 0:
        if status != -signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def serve(listener):
    """Return the arguments of a program in each process that runs one."""
    importlib.import_module("torch")
    gc.freeze()         # its objects are not looked at when a program ends
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        stream, _ = listener.accept()
        if os.fork() == 0:
            break
        stream.close()
    listener.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, files, _, _ = socket.recv_fds(stream, 1, 3)
    arguments, directory, variables = json.load(stream.makefile())
    child = os.fork()
    if child != 0:
        _, status = os.waitpid(child, 0)
        stream.sendall(b"%d" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    stream.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    given = os.environ.get("PYTHONPATH", "").split(":")
    sys.path[:] = variables.get("PYTHONPATH", "").split(":") + [
        each for each in sys.path[1:] if each not in given]
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(variables)
    return arguments


def prepare(arguments):
    """The source of a program and its name; sys is set up for it."""
    is_unbuffered = "PYTHONUNBUFFERED" in os.environ
    while arguments[0] in ("-u", "-W"):
        if arguments.pop(0) == "-u":
            is_unbuffered = True
        else:
            import warnings
            warnings.simplefilter(arguments.pop(0))
    sys.stdout.reconfigure(line_buffering=is_unbuffered)
    if arguments[0] == "-c":
        sys.argv, sys.path[:0] = ["-c"] + arguments[2:], [""]
        return arguments[1], "<string>"
    sys.argv = arguments
    sys.path[:0] = [os.path.dirname(os.path.abspath(arguments[0]))]
    with open(arguments[0], encoding="utf-8") as stream:
        return stream.read(), arguments[0]


if sys.argv[1] != "--serve":
    call(sys.argv[1:])
source, name = prepare(serve(socket.socket(fileno=int(sys.argv[2]))))
sys.modules["__main__"] = main = type(sys)("__main__")
main.__file__ = name
exec(compile(source, name, "exec"), vars(main))
