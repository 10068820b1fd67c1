"""Tensors from a worker process to its parent, in memory that both share.

A ring has slots, each of them a file in memory, into which the worker copies
the tensors of one element.  The parent's tensors are views of the slot.  When
the last of them is gone, the parent hands the slot back.  Two pipes connect
the processes: commands go to the worker, messages come from it.  The files
and the pipes have no names, so nothing is left behind when a process is
killed; and each process learns by the end of a pipe that the other is gone.
"""

import ctypes
import mmap
import os
import pickle
import select
import struct
import tempfile
import weakref

import torch

# Each tensor begins at a multiple of this, for the sake of vector loads.
_ALIGNMENT = 64
_NUMBER = struct.Struct("<q")
_READ_BYTES = 1 << 16

_ends = weakref.WeakSet()


class End:
    """One end of a pipe: a descriptor that forked processes do not keep.

    Were it open in them as well, the end of this process would not end
    the pipe.
    """

    def __init__(self, descriptor):
        self.descriptor = descriptor
        _ends.add(self)

    def share(self):
        """Leave it open in processes that are forked from now on."""
        _ends.discard(self)
        return self

    def own(self):
        """Take it out of their hands again."""
        _ends.add(self)

    def is_open(self):
        """Whether it has not been closed."""
        return self.descriptor >= 0

    def close(self):
        """Close it; once more is fine."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def write(self, data):
        """Write all of it.  Whether there is a reader."""
        try:
            while data:
                data = data[os.write(self.descriptor, data):]
        except OSError:
            return False
        return True

    def is_ready(self, seconds):
        """Whether something can be read, or the pipe has ended; waits that
        long, and for ever with None."""
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        return bool(poll.poll(None if seconds is None else seconds * 1000))

    def wait_for_end(self):
        """Return when the pipe has no writer any more."""
        poll = select.poll()
        poll.register(self.descriptor, 0)
        poll.poll()

    def __del__(self):
        self.close()


def _forked():
    for end in list(_ends):
        end.close()


os.register_at_fork(after_in_child=_forked)


class Pipe:
    """A pipe of records: numbers, or pickled objects."""

    def __init__(self):
        self.reader, self.writer = map(End, os.pipe())
        self._rest = b""

    def put_number(self, number):
        """Write a number; whether there is a reader."""
        return self.writer.write(_NUMBER.pack(number))

    def put(self, record):
        """Write an object; whether there is a reader."""
        data = pickle.dumps(record, pickle.HIGHEST_PROTOCOL)
        return self.writer.write(_NUMBER.pack(len(data)) + data)

    def _has(self, size, seconds):
        """Whether so many bytes have come; EOFError where none will."""
        while len(self._rest) < size:
            if not self.reader.is_ready(seconds):
                return False
            more = os.read(self.reader.descriptor, _READ_BYTES)
            if not more:
                raise EOFError
            self._rest += more
        return True

    def _take(self, size):
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken

    def get_number(self, seconds=None):
        """The next number, or None where none has come in time."""
        if not self._has(_NUMBER.size, seconds):
            return None
        return _NUMBER.unpack(self._take(_NUMBER.size))[0]

    def get(self, seconds=None):
        """The next object, or None where none has come in time."""
        if not self._has(_NUMBER.size, seconds):
            return None
        size = _NUMBER.unpack(self._rest[:_NUMBER.size])[0]
        if not self._has(_NUMBER.size + size, seconds):
            return None
        return pickle.loads(self._take(_NUMBER.size + size)[_NUMBER.size:])


class _Slot:
    """A file in memory, as large as the largest element it has held."""

    def __init__(self, file, size=0):
        self._file = file
        self._size = size
        self._memory = None

    def memory(self, size):
        """A mapping of at least so many bytes; the file grows to hold it.

        An older, smaller mapping lives on as long as a tensor is in it.
        """
        if self._memory is None or self._size < size:
            if os.fstat(self._file.fileno()).st_size < size:
                os.ftruncate(self._file.fileno(),
                             -(-size // mmap.PAGESIZE) * mmap.PAGESIZE)
            self._size = os.fstat(self._file.fileno()).st_size
            self._memory = mmap.mmap(self._file.fileno(), self._size)
        return self._memory

    def close(self):
        """Forget the memory; tensors that are in it stay valid."""
        self._memory = None
        self._file.close()


def _memory_file():
    """A file without a name, in memory where the system has such files."""
    try:
        return os.fdopen(os.memfd_create("poptorch-data"), "r+b", 0)
    except (AttributeError, OSError):
        return tempfile.TemporaryFile(buffering=0)


def _shape_of(pieces):
    """The shape of the pieces laid one behind the other."""
    first = pieces[0]
    if len(pieces) == 1:
        return tuple(first.shape)
    return (sum(piece.shape[0] for piece in pieces),) + \
        tuple(first.shape[1:])


def _layout(tensors):
    """What each tensor is and where it begins, and the size of all."""
    fields, offset = [], 0
    for pieces in tensors:
        shape = _shape_of(pieces)
        count = 1
        for extent in shape:
            count *= extent
        fields.append((pieces[0].dtype, shape, count, offset))
        offset += count * pieces[0].element_size()
        offset = -(-offset // _ALIGNMENT) * _ALIGNMENT
    return fields, offset


def _view(memory, field):
    dtype, shape, count, offset = field
    if count == 0:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(memory, dtype=dtype, count=count,
                            offset=offset).view(shape)


class Ring:
    """The slots and pipes between a worker and its parent.

    It is made in the parent before the fork; then each of them calls
    become_parent() or become_worker().  `indices_mem` counts the elements
    that the parent has taken, and those that the worker has put.
    """

    # So many slots may be in the hands of the program, beside those that
    # are filled in advance; what it keeps beyond that is copied.
    LENT = 2

    def __init__(self, size):
        self._slots = [_Slot(_memory_file())
                       for _ in range(size + self.LENT)]
        self.commands = Pipe()
        self.messages = Pipe()
        self.indices_mem = torch.zeros(2, dtype=torch.int64).share_memory_()
        self._lent = set()

    def __len__(self):
        return len(self._slots)

    def become_parent(self):
        """Keep what the parent needs."""
        self.commands.reader.close()
        self.messages.writer.close()

    def before_fork(self):
        """The worker's ends have to survive the fork."""
        self.commands.reader.share()
        self.messages.writer.share()

    def become_worker(self):
        """Keep what the worker needs; the parent's ends are closed by the
        fork."""
        self.commands.reader.own()
        self.messages.writer.own()

    def close(self):
        """Give everything up; tensors that are still in use stay valid."""
        for end in (self.commands.writer, self.commands.reader,
                    self.messages.writer, self.messages.reader):
            end.close()
        for slot in self._slots:
            slot.close()

    def put(self, number, tensors):
        """Copy an element into that slot; what get() needs to find it.

        Each of the tensors is a list of pieces, to be laid one behind the
        other.
        """
        fields, size = _layout(tensors)
        if size:
            memory = self._slots[number].memory(size)
        for field, pieces in zip(fields, tensors):
            if field[2] == 0:
                continue
            target = _view(memory, field)
            if len(pieces) == 1:
                target.copy_(pieces[0])
            else:
                torch.cat(pieces, out=target)
        self.indices_mem[1] += 1
        return fields, size

    def get(self, number, fields, size):
        """The tensors of that slot: views, as long as not too many are in
        use, else copies."""
        self.indices_mem[0] += 1
        if size == 0:
            self.give_back(number)
            return [_view(None, field) for field in fields]
        memory = self._slots[number].memory(size)
        if len(self._lent) >= self.LENT:
            tensors = [_view(memory, field).clone() for field in fields]
            self.give_back(number)
            return tensors
        lease = (ctypes.c_char * size).from_buffer(memory)
        self._lent.add(number)
        weakref.finalize(lease, _hand_back, self._lent, self.commands,
                         number).atexit = False
        return [_view(lease, field) for field in fields]

    def give_back(self, number):
        """The worker may fill that slot again."""
        self.commands.put_number(number)


def _hand_back(lent, commands, number):
    """The last tensor in that slot is gone.  In a forked process the pipe
    is closed: the slot is not its own."""
    lent.discard(number)
    if commands.writer.is_open():
        commands.put_number(number)


def flatten(element):
    """The tensors of an element, and what is needed to make it again."""
    if isinstance(element, torch.Tensor):
        return [element], None
    if isinstance(element, dict):
        return list(element.values()), list(element)
    return list(element), len(element)


def rebuild(tensors, structure):
    """The element: a tensor, a dict, or else a list."""
    if structure is None:
        return tensors[0]
    if isinstance(structure, list):
        return dict(zip(structure, tensors))
    return list(tensors)


def rebatch(elements, size, drop_last):
    """Elements of exactly `size` rows from elements of any, as lists of
    pieces; the last, smaller one only without `drop_last`."""
    waiting, structure, rows = None, None, 0
    for tensors, now in elements:
        if waiting is None:
            waiting, structure = [[] for _ in tensors], now
        if now != structure:
            raise ValueError("the elements of the dataset have different "
                             f"structures: {structure} and {now}")
        start, end = 0, tensors[0].shape[0]
        while start < end:
            taken = min(end - start, size - rows)
            for pieces, tensor in zip(waiting, tensors):
                pieces.append(tensor[start:start + taken])
            start, rows = start + taken, rows + taken
            if rows == size:
                yield waiting, structure
                waiting, rows = [[] for _ in tensors], 0
    if rows and not drop_last:
        yield waiting, structure


def as_pieces(elements):
    """The same for elements that stay as they are."""
    return (([[tensor] for tensor in tensors], structure)
            for tensors, structure in elements)
