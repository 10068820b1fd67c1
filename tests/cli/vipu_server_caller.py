"""Any call of gRPC, as bytes, by any user: what tests of who may do what share.

Run as a program it is another user's process: it becomes the uid of its first
argument, and asks at the unix socket of the second what it reads as lines of
JSON.
"""
import itertools
import json
import os
import socket
import subprocess
import sys
import threading

WAIT = 20


def ask(channel, path, requests, metadata, limit):
    """Its status, its sentence, its replies: all, or the first ones of it."""
    import grpc
    over = threading.Event()

    def messages():
        yield from requests
        if limit is not None:
            over.wait()
    replies = []
    call = channel.stream_stream(path, None, None)(
        messages(), timeout=WAIT, metadata=metadata)
    try:
        for reply in call:
            replies.append(reply)
            if len(replies) == limit:
                return 'OK', '', replies
        return 'OK', '', replies
    except grpc.RpcError as error:
        return error.code().name, error.details(), replies
    finally:
        over.set()
        call.cancel()


def serve():
    """The child: until nobody asks any more."""
    uid = int(sys.argv[1])
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    import grpc
    channel = grpc.insecure_channel(f'unix:{sys.argv[2]}')
    for line in sys.stdin:
        path, requests, metadata, limit = json.loads(line)
        status, text, replies = ask(channel, path,
                                    [bytes.fromhex(r) for r in requests],
                                    metadata, limit)
        print(json.dumps((status, text, [r.hex() for r in replies])),
              flush=True)


class Local:
    """A user of the server's host."""

    def __init__(self, uid, socket_path, metadata=()):
        self.metadata = metadata
        with open(__file__, encoding='utf-8') as file:
            program = file.read()
        # Not by its path: the user may not reach it.
        self.process = subprocess.Popen(
            (sys.executable, '-c', program, str(uid), socket_path),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            cwd='/')
        self.origin = f'uid {uid}, pid {self.process.pid}'

    def ask(self, path, requests, limit=None):
        print(json.dumps((path, [r.hex() for r in requests], self.metadata,
                          limit)), file=self.process.stdin, flush=True)
        status, text, replies = json.loads(self.process.stdout.readline())
        return status, text, [bytes.fromhex(r) for r in replies]

    def close(self):
        self.process.stdin.close()
        self.process.wait(WAIT)
        self.process.stdout.close()


class Remote:
    """A user elsewhere, over TCP."""

    def __init__(self, port, metadata=()):
        import grpc
        self.metadata = metadata
        self.origin = '127.0.0.1:'
        self.channel = grpc.insecure_channel(
            f'127.0.0.1:{port}', (('grpc.use_local_subchannel_pool', 1),))

    def ask(self, path, requests, limit=None):
        return ask(self.channel, path, requests, self.metadata, limit)

    def close(self):
        self.channel.close()


class Stranger:
    """One who shows a wrong key, each time from another address: an address
    that does so again and again is slowed."""

    def __init__(self, relay, metadata):
        self.relay = relay
        self.metadata = metadata
        self.origin = '127.'

    def ask(self, path, requests, limit=None):
        # All addresses together are slowed as well, and are asked to wait.
        for _ in range(400):
            one = Remote(self.relay.port, self.metadata)
            got = one.ask(path, requests, limit)
            one.close()
            if got[0] != 'UNAVAILABLE' or 'too many wrong' not in got[1]:
                break
            threading.Event().wait(0.05)
        return got

    def close(self):
        """Nothing stays."""


class Relay(threading.Thread):
    """Passes on connections, each of them from another address."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.to = port
        self.numbers = itertools.count(1)
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            here = self.listener.accept()[0]
            n = next(self.numbers)
            there = socket.create_connection(
                ('127.0.0.1', self.to),
                source_address=(f'127.1.{n >> 7}.{(n & 127) + 1}', 0))
            for a, b in ((here, there), (there, here)):
                threading.Thread(target=self.copy, args=(a, b),
                                 daemon=True).start()

    @staticmethod
    def copy(a, b):
        try:
            while data := a.recv(65536):
                b.sendall(data)
            b.shutdown(socket.SHUT_WR)
        except OSError:
            pass


if __name__ == '__main__':
    serve()
