"""What tests of vipu-server share: the server as a process, and a client that
is made of config/sdk/proto by protoc.

    with Server('--insecure') as server:
        api = Client(server.port)
        api.ListPartitions().partitions
"""
import os
import re
import signal
import subprocess
import sys
import tempfile

import grpc

WAIT = 20


def check(good, name, came=''):
    """Nothing where it is well, so that a transcript shows what is not."""
    if not good:
        print(f'not ok {name}: {came}', flush=True)


def same(got, wanted, name):
    check(got == wanted, name, f'got {got!r}, wanted {wanted!r}')


def messages():
    """The module that protoc makes of the published numbers."""
    out = tempfile.mkdtemp()
    root = os.path.join(os.environ['TESTDIR'], '..', 'config', 'sdk',
                        'proto')
    subprocess.run(['protoc', '-I', root, '--python_out', out,
                    os.path.join(root, 'virmgrpc.proto')], check=True)
    sys.path.insert(0, out)
    import virmgrpc_pb2
    return virmgrpc_pb2


pb = messages()


class Server:
    """A server on a port that is free; it is ready when it is made."""

    def __init__(self, *options):
        self.said = []
        self.process = subprocess.Popen(
            ('vipu-server', '--listen', '127.0.0.1:0') + options,
            stderr=subprocess.PIPE, text=True)
        self.port = int(self.read(r'listening on 127.0.0.1:(\d+)')[1])

    def read(self, pattern):
        """Its log up to the line that matches."""
        for line in self.process.stderr:
            self.said.append(line.rstrip('\n'))
            found = re.search(pattern, line)
            if found:
                return found
        raise SystemExit(f'no {pattern} in the log: {self.said}')

    def end(self, number=signal.SIGTERM):
        """End it; what it had to say, and its exit status."""
        self.process.send_signal(number)
        self.said += self.process.stderr.read().splitlines()
        return self.process.wait(WAIT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        self.process.stderr.close()


class Client:
    """Its methods are those of the contract; keywords are the request."""

    def __init__(self, port, metadata=()):
        self.metadata = metadata
        # A channel of its own: one that was lost waits before it dials.
        self.channel = grpc.insecure_channel(
            f'127.0.0.1:{port}', (('grpc.use_local_subchannel_pool', 1),))
        self.methods = {}
        for service in pb.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                self.methods[method.name] = self.method(service, method)

    def method(self, service, method):
        reply = getattr(pb, method.output_type.name)
        request = getattr(pb, method.input_type.name)
        call = self.channel.unary_unary(
            f'/{service.full_name}/{method.name}',
            request_serializer=request.SerializeToString,
            response_deserializer=reply.FromString)

        def ask(**fields):
            return call(request(**fields), timeout=WAIT,
                        metadata=self.metadata)
        return ask

    def __getattr__(self, name):
        return self.methods[name]

    def close(self):
        self.channel.close()


def refusal(call, **fields):
    """The status of a call that fails, and its sentence."""
    try:
        return 'OK', call(**fields)
    except grpc.RpcError as error:
        return error.code().name, error.details()


def refused(call, status, words, name, **fields):
    got = refusal(call, **fields)
    check(got[0] == status and words in str(got[1]), name, got)


def ipu(number, routing):
    """IPU `number` of an IPU-Link domain, as a partition's own number."""
    return pb.PartitionIpu(topology_id=number, routing_id=routing)
