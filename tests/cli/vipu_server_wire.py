"""What tests that misbehave share: HTTP/2 by hand, a server whose log is a
file, and a well-behaved client in a process of its own that is asked how long
it had to wait."""
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time

PREFACE = b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW, MORE = (
    0, 1, 3, 4, 6, 7, 8, 9)
END_STREAM, END_HEADERS = 1, 4
WAIT = 20


def frame(kind, flags=0, stream=0, payload=b''):
    return (len(payload).to_bytes(3, 'big') + bytes((kind, flags)) +
            stream.to_bytes(4, 'big') + payload)


def header(name, value):
    """A literal that goes into no table (RFC 7541, 6.2.2)."""
    out = b'\0'
    for text in name, value:
        out += number(len(text)) + text
    return out


def number(n):
    if n < 127:
        return bytes((n,))
    out, n = b'\x7f', n - 127
    while n >= 128:
        out, n = out + bytes((n % 128 + 128,)), n // 128
    return out + bytes((n,))


def headers(path=b'/virmgrpc.VersionService/GetVersion', more=(),
            kind=b'application/grpc', method=b'POST'):
    block = b''
    for name, value in ((b':method', method), (b':scheme', b'http'),
                        (b':path', path), (b':authority', b'x'),
                        (b'content-type', kind), (b'te', b'trailers')):
        block += header(name, value)
    return block + b''.join(header(n, v) for n, v in more)


def message(payload=b'', flag=0):
    return bytes((flag,)) + len(payload).to_bytes(4, 'big') + payload


def check(good, name, came=''):
    if not good:
        print(f'not ok {name}: {came}', flush=True)


class Peer:
    """A connection that says what it is told."""

    def __init__(self, port, greets=True, address='127.0.0.1'):
        """From that address of this host."""
        self.socket = socket.create_connection(('127.0.0.1', port), WAIT,
                                               (address, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if greets:
            self.send(PREFACE + frame(SETTINGS))

    def send(self, data):
        """Whether the server still took it."""
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            return False

    def ask(self, path=b'/virmgrpc.VersionService/GetVersion', body=message(),
            stream=1, **more):
        return self.send(
            frame(HEADERS, END_HEADERS, stream, headers(path, **more)) +
            frame(DATA, END_STREAM, stream, body))

    def ask_large(self, path, body, more=()):
        """As the window opens; the first frame that is an answer, or None."""
        self.send(frame(HEADERS, END_HEADERS, 1, headers(path, more)))
        room, at = 65535, 0
        while at < len(body):
            size = min(16384, room, len(body) - at)
            last = at + size == len(body)
            if size and not self.send(frame(DATA, END_STREAM if last else 0, 1,
                                            body[at:at + size])):
                return None
            at, room = at + size, room - size
            if room:
                continue
            # The connection's and the stream's, of equal size.
            for _ in range(2):
                kind, payload = self.find(WINDOW, HEADERS, RESET, GOAWAY)
                if kind != WINDOW:
                    return kind, payload
            room = int.from_bytes(payload, 'big')
        return self.find(HEADERS, RESET, GOAWAY)

    def read(self, size):
        data = b''
        while len(data) < size:
            try:
                got = self.socket.recv(size - len(data))
            except OSError:
                return b''
            if not got:
                return b''
            data += got
        return data

    def frames(self):
        """Until it is closed: what kind, and the payload."""
        while True:
            head = self.read(9)
            if not head:
                return
            size = int.from_bytes(head[:3], 'big')
            yield head[3], self.read(size) if size else b''

    def find(self, *kinds):
        """The next one of these kinds; (None, b'') when it is closed."""
        for kind, payload in self.frames():
            if kind in kinds:
                return kind, payload
        return None, b''

    def is_closed(self):
        """Whatever it says before."""
        for _ in self.frames():
            pass
        return True

    def close(self):
        self.socket.close()


# "grpc-status" as nghttp2 writes it, in Huffman's code (RFC 7541, B).
STATUS = bytes.fromhex('889acac8b21234da8f')


def trailer(block):
    """The number of grpc-status in the first block of a connection."""
    at = block.find(STATUS)
    if at == -1:
        return None
    size = block[at + len(STATUS)]
    value = block[at + len(STATUS) + 1:][:size & 0x7f]
    return value.decode(errors='replace')


class Server:
    """A server whose log is a file."""

    def __init__(self, files=None, more=()):
        """It may have so many files open, and has more options."""
        self.log = os.path.join(os.environ['TMPDIR'], 'server.log')
        limit = () if files is None else ('sh', '-c', f'ulimit -n {files}; '
                                          'exec "$@"', 'sh')
        with open(self.log, 'w') as log:
            self.process = subprocess.Popen(
                limit + ('vipu-server', '--listen', '127.0.0.1:0', *more),
                stderr=log)
        until = time.monotonic() + WAIT
        while ' confined: ' not in self.said():
            if time.monotonic() > until:
                raise SystemExit(f'it does not begin: {self.said()}')
        self.port = int(re.search(r'127\.0\.0\.1:(\d+)', self.said())[1])

    def said(self):
        with open(self.log, errors='surrogateescape') as log:
            return log.read()

    def waits_for(self, pattern, size=0):
        """Whether the log has a line behind those bytes."""
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            if re.search(pattern, self.said()[size:]):
                return True
        return False

    def resident(self):
        """KiB, when it has come to rest."""
        with open(f'/proc/{self.process.pid}/status') as status:
            return int(re.search(r'VmRSS:\s*(\d+)', status.read())[1])

    def peak(self):
        """KiB, the most so far."""
        with open(f'/proc/{self.process.pid}/status') as status:
            return int(re.search(r'VmHWM:\s*(\d+)', status.read())[1])

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(WAIT)


class Others:
    """A client that asks 200 times a second, in a process of its own; with a
    user and a key it asks for partitions, half of the times as a newcomer."""

    def __init__(self, port, *user_and_key):
        self.process = subprocess.Popen(
            (sys.executable, __file__, str(port), *user_and_key), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdout.readline()

    def end(self):
        """How long its answers took, in ms, sorted."""
        out, _ = self.process.communicate('\n', WAIT * 2)
        return sorted(float(word) for word in out.split())


def other(port, user=None, key=None):
    """What it runs: a call and its answer, again and again."""
    path, more = b'/virmgrpc.VersionService/GetVersion', ()
    if user is not None:
        path = b'/virmgrpc.UserService/ListPartitions'
        more = ((b'ipubox-user', user.encode()), (b'ipubox-key', key.encode()))
    old, stream, times = Peer(port), 1, []
    print('ready', flush=True)
    while not select.select([sys.stdin], [], [], 0.005)[0]:
        begin = time.monotonic()
        if user is None or len(times) % 2 == 0:
            answer(old, path, more, stream)
            stream += 2
        else:
            peer = Peer(port)
            answer(peer, path, more, 1)
            peer.close()
        times.append((time.monotonic() - begin) * 1000)
    print(*times)


def answer(peer, path, more, stream):
    """Ask, and wait for the message."""
    peer.ask(path, stream=stream, more=more)
    while True:
        kind, payload = peer.find(HEADERS, DATA, PING, GOAWAY)
        if kind == PING:
            peer.send(frame(PING, 1, 0, payload))
        elif kind == HEADERS and trailer(payload) is None:
            continue		# those before the message
        elif kind == DATA:
            peer.find(HEADERS)		# the trailers
            peer.send(frame(WINDOW, 0, 0, b'\0\0\x40\0'))
            return
        else:
            raise SystemExit(f'a good client is refused: {kind}, {payload}')


if __name__ == '__main__':
    other(int(sys.argv[1]), *sys.argv[2:])
