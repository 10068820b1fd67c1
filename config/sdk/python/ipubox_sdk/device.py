"""Devices of this program: a child process, an ipubox, holds them for it.

The child holds the locks of the IPUs as long as the program lives; the
tools show the program as their user.  The lines that go to and fro are
described in ipubox-link(7).
"""
import atexit
import json
import operator
import os
import re
import shutil
import subprocess
import threading

from ipubox_sdk.error import PopdistError

_GREETING = "ipubox-device 1"
_READ_BYTES = 8192
# In answers a line break is \n and a backslash is \\.
_ESCAPED = re.compile(r"\\(.)")


class DeviceError(PopdistError):
    """No device, or not this one; the text is as PopTorch says it."""


def _written_by():
    """The ipubox that wrote this SDK, if it is on this host."""
    header = os.path.join(os.path.dirname(__file__), *[os.pardir] * 2, "lib",
                          "ipubox_file.h")
    try:
        with open(header, errors="surrogateescape") as file:
            found = file.read().split('"')[1]
    except (OSError, IndexError):
        return None
    return found if os.access(found, os.X_OK) else None


def find_file():
    """The ipubox that holds devices: its path.

    poprun says it to its instances; the name of the file may be any.
    """
    found = (os.environ.get("IPUBOX_FILE") or _written_by() or
             shutil.which("ipubox") or shutil.which("poprun"))
    if not found:
        raise DeviceError("ipubox, which holds the devices, was not found: "
                          "put it into a directory of PATH, or set "
                          "IPUBOX_FILE to its path",
                          "unavailable")
    return found


class _Child:
    """The child; at most one thread talks to it at a time."""

    def __init__(self):
        self._lock = threading.Lock()
        self._dropped = []      # requests that nobody waits for
        self._unread = 0        # answers that nobody has read yet
        self._rest = b""        # what was read behind the last line
        self._file = find_file()
        try:
            self._process = subprocess.Popen(
                [self._file, "__ipubox", "__device"], bufsize=0,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise DeviceError(f"cannot start {self._file}: "
                              f"{error.strerror}", "unavailable") from None
        try:
            greeting = self._read()
            if greeting != _GREETING:
                raise DeviceError(f"{self._file} is another version: it "
                                  f"answered '{greeting}', but this SDK needs "
                                  f"'{_GREETING}'", "unavailable")
        except BaseException:
            self.close()
            raise

    def is_open(self):
        """Whether it can be asked."""
        return not self._process.stdin.closed

    def _read(self):
        """One line.  A child that has ended says nothing more."""
        while b"\n" not in self._rest:
            more = self._process.stdout.read(_READ_BYTES)
            if not more:
                raise DeviceError(f"{self._file}, which holds this "
                                  "program's devices, has ended",
                                  "unavailable")
            self._rest += more
        line, self._rest = self._rest.split(b"\n", 1)
        return os.fsdecode(line)

    def ask(self, request):
        """Send a request; the text of its answer behind "ok".

        Where the wait is ended before the answer has come, the child ends
        as well: its answer must not be taken for another one.
        """
        with self._lock:
            try:
                while self._dropped:
                    self._exchange(self._dropped.pop())
                answer = self._exchange(request)
            except BaseException:
                self.close()
                raise
        if answer[0] == "error" and len(answer) == 3:
            raise DeviceError(_ESCAPED.sub(_unescape, answer[2]), answer[1])
        return " ".join(answer[1:])

    def drop(self, request):
        """Send a request of which nobody waits for the answer.

        A collection of garbage may ask for it while an answer is awaited;
        then it is sent before the next request.
        """
        self._dropped.append(request)
        if not self.is_open() or not self._lock.acquire(blocking=False):
            return
        try:
            while self._dropped:
                self._exchange(self._dropped.pop())
        except DeviceError:
            pass                # the next one who asks is told
        finally:
            self._lock.release()

    def post(self, request):
        """Send a request; the next one that is asked reads its answer."""
        with self._lock:
            try:
                if self.is_open():
                    self._write(request)
                    self._unread += 1
            except BaseException:
                self.close()
                raise

    def _write(self, request):
        try:
            self._process.stdin.write(request.encode() + b"\n")
        except BrokenPipeError:
            pass                # the answer says that it has ended

    def _exchange(self, request):
        """The words of the first line of the answer, at most three."""
        if not self.is_open():
            raise DeviceError("the device is no longer held", "unavailable")
        self._write(request)
        while self._unread:
            self._unread -= 1
            self._read()
        words = self._read().split(" ", 2)
        if words[0] == "ok" and request.startswith("attributes"):
            return ["ok", "\n".join(self._read()
                                    for _ in range(int(words[1])))]
        if words[0] not in ("ok", "error"):
            raise DeviceError(f"{self._file} answered '{' '.join(words)}', "
                              "which is not a valid answer",
                              "unavailable")
        return words

    def close(self):
        """End it: the devices are free afterwards."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def forget(self):
        """In a process that was forked: it is the child of the parent."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.returncode = 0


def _unescape(match):
    return "\n" if match.group(1) == "n" else match.group(1)


class _Shared:
    """The child of this program: it holds all of its devices."""

    def __init__(self):
        self.lock = threading.Lock()
        self.child = None
        self.owner = os.getpid()


_shared = _Shared()


def _ask(request):
    """Ask the child; the first request starts it."""
    if _shared.owner != os.getpid() and _shared.child is not None:
        raise DeviceError("this process was forked from the process that "
                          f"holds the device, pid {_shared.owner}; only that "
                          "process may use it", "unavailable")
    with _shared.lock:
        if _shared.child is None or not _shared.child.is_open():
            _shared.child = _Child()
            _shared.owner = os.getpid()
        child = _shared.child
    return child, child.ask(request)


def _forked():
    """The lock may have been another thread's, who is not here."""
    _shared.lock = threading.Lock()
    if _shared.child is not None:
        _shared.child.forget()


os.register_at_fork(after_in_child=_forked)


@atexit.register
def _close():
    if _shared.child is not None and _shared.owner == os.getpid():
        _shared.child.close()


class Device:
    """IPUs that the program has taken: see attach()."""

    def __init__(self, child, numbers):
        self._child = child
        self.id, self.ipus, self.gcd = numbers

    def _ask(self, request):
        """What has become of a device is known to the child it came from."""
        if _shared.owner != os.getpid():
            return _ask(request)[1]
        return self._child.ask(f"{request} {self.id}")

    def attributes(self):
        """A dict of what `gc-info --device-info` prints."""
        pairs = (line.partition(":")
                 for line in self._ask("attributes").split("\n"))
        return {name: value.strip() for name, _, value in pairs}

    def check(self):
        """DeviceError where an IPU or its machine has failed."""
        self._ask("check")

    def work(self, begins=True):
        """Count the time from now on as work of its IPUs, until check() is
        called; or not any more."""
        if _shared.owner == os.getpid():
            self._child.post(f"{'work' if begins else 'check'} {self.id}")

    def detach(self):
        """Give it back."""
        self._ask("detach")

    def drop(self):
        """Give it back because nobody has it any more; no error says what
        comes of that."""
        if _shared.owner == os.getpid():
            self._child.drop(f"detach {self.id}")


def _number(what, value, low):
    try:
        number = operator.index(value)
    except TypeError:
        number = low - 1
    if number < low:
        raise PopdistError(f"{what} is {value!r}: must be a number, {low} or "
                           "more")
    return number


def device_id(ipus=0):
    """The id of this instance's device with local replicas x ipus IPUs.

    0: as many as poprun says.
    """
    ipus = _number("ipusPerReplica", ipus, 0)
    return int(_ask(f"id {ipus}")[1])


def _gc_info(*arguments):
    """The JSON of gc-info, which takes no device."""
    found = find_file()
    try:
        done = subprocess.run(
            [found, "__ipubox", "gc-info", *arguments, "--json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
    except OSError as error:
        raise DeviceError(f"cannot start {found}: {error.strerror}",
                          "unavailable") from None
    if done.returncode != 0:
        raise DeviceError(os.fsdecode(done.stderr).strip(), "not-found")
    return json.loads(done.stdout)


def listed():
    """The devices that this program may see, in use or not: of each its id
    and how many IPUs it has."""
    return [(int(device["id"]), len(device["ipus"]))
            for device in _gc_info("-l", "--all")["devices"]]


def information(device_id):
    """A dict of what `gc-info --device-info` prints of a device."""
    return _gc_info("--device-info", "-d", str(device_id))


def attach(ipus=0, device_id=-1):
    """Take a device, and hold it until detach() or the program's end.

    `device_id` -1: the device of this instance, outside poprun any free
    one; `ipus` 0: whatever size it has.
    """
    ipus = _number("ipus", ipus, 0)
    device_id = _number("device_id", device_id, -1)
    child, answer = _ask(f"attach {ipus} {device_id}")
    return Device(child, [int(word) for word in answer.split()])
