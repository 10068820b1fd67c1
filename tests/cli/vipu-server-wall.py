"""What somebody tries who is to be kept out of a state that a server has.

wall.py keep DIRECTORY REGISTRY   a member who opened everything before there
                                  was a server, and says "ready"; what it does
                                  with that comes behind a line of its input
wall.py try DIRECTORY REGISTRY    whoever comes by later
"""
import errno
import fcntl
import mmap
import os
import socket
import struct
import sys

SLOT, HEADER = 640, 64
LOCK_IPUS = 1 << 40
LOCK_WORDS = LOCK_IPUS + (1 << 32)


def lock(fd, start, length, kind=fcntl.F_WRLCK):
    """An open-file-description lock, as ipubox takes it."""
    what = struct.pack('hhqqi4x', kind, os.SEEK_SET, start, length, 0)
    fcntl.fcntl(fd, 37, what)       # F_OFD_SETLK


def attempt(name, action):
    """One line: what came of it."""
    try:
        action()
        print(f'{name}: DONE')
    except OSError as e:
        print(f'{name}: {errno.errorcode[e.errno]}')


def directory_of(path):
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY)


def keep(state, registry):
    parts = directory_of(f'{state}/partitions')
    top = directory_of(state)
    writer = os.open(f'{state}/lock', os.O_RDWR)
    mine = os.open(f'{state}/partitions/a.ini', os.O_RDWR)
    pod = os.open(f'{state}/pod.ini', os.O_RDWR)
    mirror = os.open(registry, os.O_RDWR)
    slots = os.open(f'{registry}.slots', os.O_RDWR)
    words = mmap.mmap(slots, os.fstat(slots).st_size)
    print('ready', flush=True)
    sys.stdin.readline()
    # What it has still is nobody's: it may do with it what it likes.
    for fd, start, length in ((writer, 0, 0), (slots, LOCK_IPUS, 1 << 20),
                              (slots, LOCK_WORDS, 1 << 20),
                              (mirror, 0, 0)):
        lock(fd, start, length)
    for fd in mine, pod:
        os.pwrite(fd, b'[partition]\nname = forged\n', 0)
    words[HEADER:] = b'\xff' * (len(words) - HEADER)
    os.pwrite(mirror, b'\xff' * 4096, 0)
    os.ftruncate(slots, 0)
    os.ftruncate(mirror, 0)
    flags = os.O_CREAT | os.O_RDWR
    attempt('make a partition', lambda: os.open('x.ini', flags, 0o660,
                                                dir_fd=parts))
    attempt('remove a partition', lambda: os.unlink('p.ini', dir_fd=parts))
    attempt('make a file', lambda: os.open('x', flags, dir_fd=top))
    attempt('replace the lock', lambda: os.rename('lock', 'x', src_dir_fd=top,
                                                  dst_dir_fd=top))
    attempt('give the folder back', lambda: os.chmod(state, 0o2770))
    print('done', flush=True)
    sys.stdin.readline()


def try_all(state, registry):
    slots, sock = f'{registry}.slots', f'{state}/vipu.sock'
    for path in (registry, slots, f'{state}/lock', f'{state}/pod.ini',
                 f'{state}/partitions/a.ini'):
        name = os.path.basename(path)
        attempt(f'read {name}', lambda: os.open(path, os.O_RDONLY))
        attempt(f'write {name}', lambda: os.open(path, os.O_RDWR))
        attempt(f'truncate {name}', lambda: os.truncate(path, 0))
        attempt(f'remove {name}', lambda: os.unlink(path))
        attempt(f'replace {name}', lambda: os.rename(path, f'{path}.old'))
    attempt('list the folder', lambda: os.listdir(f'{state}/partitions'))
    attempt('remove the socket', lambda: os.unlink(sock))
    attempt('a socket in its place',
            lambda: socket.socket(socket.AF_UNIX).bind(sock))
    attempt('a socket beside it', lambda: socket.socket(
        socket.AF_UNIX).bind(f'{state}/other.sock'))
    attempt('change the rights', lambda: os.chmod(sock, 0))


{'keep': keep, 'try': try_all}[sys.argv[1]](*sys.argv[2:])
