"""A connection to poprun, as ipubox-link(7) describes it.

One thread uses a lane at a time, and each message is answered before the
next one is sent.  Threads that take part at once have a lane each, so none
waits for another one's operation.
"""
import array
import fcntl
import mmap
import os
import socket
import struct

from ipubox_sdk import mailbox
from ipubox_sdk.error import PopdistError

VERSION = 1
INLINE_MAX = 32 * 1024          # larger vectors go through memory
MESSAGE_MAX = 64 * 1024
NAME_MAX = 255
GROUP_MAX = 63

_HELLO, _MEMORY, _OPERATION, _COMMUNICATOR, _LEAVE, _MAILBOX = range(1, 7)
_DONE, _ERROR = 128, 129
BARRIER, SUM, GATHER, BROADCAST = range(1, 5)
OPERATIONS = ("", "barrier", "all-reduce", "all-gather", "broadcast")
_IN_MEMORY = _FOR_GOOD = 1      # flags

_HEAD = struct.Struct("<IHHII")         # size, kind, flags, request, zero
_WHO = struct.Struct("<IIIII")
_PAIR = struct.Struct("<II")
_SIZE = struct.Struct("<Q")
_SET = struct.Struct("<HHI")
# The head, and of an operation all but the names and the vector.
_CALL = struct.Struct("<IHHIIBBHHHIIQQQ")

_MALFORMED = 1
_WORDS = {2: "version", 3: "mismatch", 4: "twice", 5: "timeout", 6: "gone",
          7: "left", 8: "communicator", 9: "room"}

_ALIGNMENT = 64
_MEMORY_MIN = 1 << 20
# Numbers of fcntl(2), which Python names since 3.9 only.
_F_ADD_SEALS, _F_SEAL_SHRINK, _F_SEAL_GROW = 1033, 2, 4
_PATH_MAX = 107                 # of unix(7), without the NUL


def _ended():
    return PopdistError("poprun has ended", "unavailable")


def _nonsense():
    return PopdistError("poprun's answer is not valid; see ipubox-link(7)",
                  "version")


def _connect(directory):
    """A socket to poprun; the path may be longer than such paths can be."""
    path = os.path.join(directory, "collectives")
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    place = None
    try:
        if len(os.fsencode(path)) > _PATH_MAX:
            place = os.open(directory, os.O_PATH | os.O_DIRECTORY)
            path = f"/proc/self/fd/{place}/collectives"
        made.connect(path)
    except OSError as error:
        made.close()
        if isinstance(error, (FileNotFoundError, ConnectionRefusedError)):
            raise PopdistError("poprun has ended: no process listens at "
                               f"{directory}/collectives",
                               "unavailable") from None
        raise PopdistError(f"cannot connect to {directory}/collectives: "
                           f"{error.strerror}", "unavailable") from None
    finally:
        if place is not None:
            os.close(place)
    return made


class Lane:
    """One connection, with the memory through which large vectors go."""

    def __init__(self, directory, instance, group, member, members):
        self._request = 0
        self._waits = False     # for an answer: else nothing is to be read
        self._room = bytearray(MESSAGE_MAX)
        self._view = memoryview(self._room)
        self._memory = None
        self._memory_bytes = 0
        self._mailbox = None
        self._has_mailbox = not mailbox.is_usable()     # or may not have one
        self._socket = _connect(directory)
        name = group.encode()
        answer = self._ask(_HELLO, 0, _WHO.pack(
            VERSION, instance, os.getpid(), member, members) + name)
        if len(answer) != _PAIR.size:
            self.close()
            raise _nonsense()

    def close(self):
        """poprun takes it for the member's end, unless it has left."""
        self._waits = True      # for good
        self._socket.close()

    def detach(self):
        """Keep the descriptor open until the process ends."""
        self._waits = True
        self._socket.detach()

    def is_good(self):
        """Whether another message may be sent."""
        return not self._waits

    def shut(self):
        """End the wait of the thread that uses it."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass                # it is closed already

    def _ask(self, kind, flags, body, files=()):
        """Send a message; the body of its answer."""
        self._request = request = self._request + 1 & 0xffffffff
        return self._exchange(
            _HEAD.pack(_HEAD.size + len(body), kind, flags, request, 0)
            + body, request, files)

    def _exchange(self, message, request, files=()):
        """A message and its answer, whose body stays good until the next.

        Whatever ends the wait before the answer has come, an exception from
        a signal too, ends the connection: the answer must not be taken for
        that of another message.
        """
        if self._waits:
            raise _ended()
        try:
            self._waits = True
            if files:
                message = message[self._socket.sendmsg([message], [(
                    socket.SOL_SOCKET, socket.SCM_RIGHTS,
                    array.array("i", files))]):]
            self._send(message)
            answer = self._receive(request)
            self._waits = False
        except BaseException as error:
            raise self._break(error) from None
        kind, body = answer
        if kind != _DONE:
            self._refuse(body)
        return body

    def _break(self, error):
        """Close the connection; what to raise."""
        self.close()
        return _ended() if isinstance(error, OSError) else error

    def _send(self, message):
        """What poprun said before it closed may still wait to be read."""
        try:
            self._socket.sendall(message)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def _receive(self, request):
        """The kind and the body of the answer.

        In front of it there may be a wake-up that came too late.
        """
        got = 0
        while True:
            while got < _HEAD.size:
                got += self._receive_more(got)
            size, kind = _HEAD.unpack_from(self._room)[:2]
            if not _HEAD.size <= size <= MESSAGE_MAX:
                raise _nonsense()
            while got < size:
                got += self._receive_more(got)
            if not mailbox.is_wake_up(kind):
                break
            got -= size
            self._room[:got] = self._room[size:size + got]
        if got != size:
            raise _nonsense()
        return self._read(self._view, request)

    def _receive_more(self, got):
        more = self._socket.recv_into(self._view[got:])
        if more == 0:
            raise _ended()
        return more

    @staticmethod
    def _read(view, request):
        """The kind and the body of the answer that stands there whole."""
        size, kind, _, number, _ = _HEAD.unpack_from(view)
        if number != request or kind not in (_DONE, _ERROR) or \
                not _HEAD.size <= size <= MESSAGE_MAX:
            raise _nonsense()
        return kind, view[_HEAD.size:size]

    def _refuse(self, body):
        """Raise what poprun says."""
        if len(body) < 4:
            self.close()
            raise _nonsense()
        code = int.from_bytes(body[:4], "little")
        text = bytes(body[4:]).decode(errors="replace")
        if code == _MALFORMED:
            self.close()        # poprun does the same
            raise PopdistError(text)
        raise PopdistError(text, _WORDS.get(code, "unavailable"))

    def leave(self, for_good, limit):
        """Say good-bye; `limit` seconds are enough for the answer."""
        try:
            self._socket.settimeout(limit)
            self._ask(_LEAVE, _FOR_GOOD if for_good else 0, b"")
        except (PopdistError, OSError):
            pass                # then the end of the connection says it
        self.close()

    def register(self, name, members):
        """Name a set of members; waits for all of the group."""
        self._ask(_COMMUNICATOR, 0,
                  _SET.pack(len(name), 0, len(members)) + name
                  + struct.pack(f"<{len(members)}I", *members))

    def _share(self, kind, size):
        """So many bytes of memory that poprun maps as well."""
        file = os.memfd_create("popdist",
                               os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(file, size)
            fcntl.fcntl(file, _F_ADD_SEALS, _F_SEAL_SHRINK | _F_SEAL_GROW)
            memory = memoryview(mmap.mmap(file, size))
            self._ask(kind, 0, _SIZE.pack(size), (file,))
        finally:
            os.close(file)
        return memory

    def _grow(self, size):
        """Memory for vectors; what was there before is needed no more."""
        wanted = _MEMORY_MIN
        while wanted < size:
            wanted *= 2
        try:
            self._memory = self._share(_MEMORY, wanted)
        except (OSError, OverflowError, ValueError) as error:
            raise PopdistError("cannot allocate memory for a vector of "
                               f"{size} bytes: {error}", "room") from None
        self._memory_bytes = wanted

    def _open_mailbox(self):
        """For small messages.  Where there is no memory for one, they go
        over the socket."""
        self._has_mailbox = True
        try:
            self._mailbox = mailbox.Mailbox(
                self._share(_MAILBOX, mailbox.BYTES), self._socket)
        except (OSError, PopdistError):
            if not self.is_good():
                raise

    def call(self, operation, code, communicator, name, root, limit_ms,
             count, vector, result):
        """An operation; `vector` and `result` are bytes, or None.

        They may be the same.  Returns when all members have come.
        """
        size = len(vector) if vector is not None else 0
        room = len(result) if result is not None else 0
        if size > INLINE_MAX or room > INLINE_MAX:
            return self._call_in_memory(operation, code, communicator, name,
                                        root, limit_ms, count, vector,
                                        result)
        if not self._has_mailbox:
            self._open_mailbox()
        self._request = request = self._request + 1 & 0xffffffff
        call = (operation, code, len(communicator), len(name), 0, root,
                limit_ms, count, 0, 0)
        names = communicator + name
        if self._mailbox is not None:
            return self._call_by_mailbox(request, call, names, vector, result)
        body = self._exchange(
            _CALL.pack(_CALL.size + len(names) + size, _OPERATION, 0, request,
                       0, *call) + names + (vector or b""), request)
        if len(body) != room:
            self.close()
            raise _nonsense()
        if room:
            result[:] = body
        return None

    def _call_by_mailbox(self, request, call, names, vector, result):
        """The same where no system call is needed; see _exchange()."""
        if self._waits:
            raise _ended()
        self._waits = True
        try:
            done = self._mailbox.ask(request, call, names, vector, result)
            if not done:
                kind, body = self._read(self._mailbox.answer(), request)
                if kind == _DONE:
                    raise _nonsense()
        except BaseException as error:
            raise self._break(error) from None
        self._waits = False
        if not done:
            self._refuse(body)

    def _call_in_memory(self, operation, code, communicator, name, root,
                        limit_ms, count, vector, result):
        """The same for large vectors: poprun reads and writes them there."""
        size = len(vector) if vector is not None else 0
        room = len(result) if result is not None else 0
        start = 0
        if operation == GATHER:
            start = (size + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT
        if self._memory_bytes < max(size, start + room):
            self._grow(max(size, start + room))
        if vector is not None:
            self._memory[:size] = vector
        self._request = request = self._request + 1 & 0xffffffff
        self._exchange(
            _CALL.pack(_CALL.size + len(communicator) + len(name),
                       _OPERATION, _IN_MEMORY, request, 0, operation, code,
                       len(communicator), len(name), 0, root, limit_ms,
                       count, 0, start) + communicator + name, request)
        if result is not None:
            result[:] = self._memory[start:start + room]
