"""Metrics of vipu-server while a writer creates and removes partitions, and
beside strangers who take all its places.  Prints what is not so."""
import http.client
import os
import re
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ['TESTDIR'], 'cli'))
from vipu_server_wire import WAIT, Peer, Server, check, HEADERS

FULL = os.environ.get('FULL')
LOOKS = 5000 if FULL else 300
SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\})?'
                    r' (\S+)')
OPENMETRICS = {'Accept': 'application/openmetrics-text; version=1.0.0'}


def metrics_port(server):
    return int(re.search(r'metrics on 127\.0\.0\.1:(\d+)', server.said())[1])


def read(connection, path, headers={}):
    connection.request('GET', path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def parse(text):
    """Samples by name and labels; each family must be in one piece, with its
    type and help before its samples."""
    samples, seen, family = {}, set(), None
    check(text.endswith('# EOF\n'), 'the text ends', text[-80:])
    for line in text.splitlines()[:-1]:
        if line.startswith('# TYPE '):
            family = line.split(' ')[2]
            check(family not in seen, 'a family in one piece', family)
            seen.add(family)
        elif line.startswith('# HELP '):
            check(line.split(' ')[2] == family, 'its help', line)
        else:
            found = SAMPLE.fullmatch(line)
            check(found and found[1] in (family, f'{family}_total'),
                  'a sample', line)
            check(found.groups()[:2] not in samples, 'a sample twice',
                  line)
            samples[found.groups()[:2]] = float(found[3])
    return samples


def whole_view(port):
    """Half-seen states: partitions have IPUs that are free as well, or the
    other way round."""
    code = ('n=0; while [ -e "$0" ]; do n=$((n + 1)); '
            'vipu create partition w$((n % 3)) --size 4 && '
            'vipu remove partition w$((n % 3)); done >/dev/null 2>&1')
    flag = os.path.join(os.environ['TMPDIR'], 'writing')
    open(flag, 'w').close()
    writer = subprocess.Popen(('sh', '-c', code, flag))
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=WAIT)
    slowest, states = 0, set()
    for _ in range(LOOKS):
        begin = time.monotonic()
        status, text = read(connection, '/metrics', OPENMETRICS)
        slowest = max(slowest, time.monotonic() - begin)
        got = parse(text)
        taken = sum(value for (name, _), value in got.items()
                    if name == 'vipu_partition_ipus')
        states.add(taken)
        check(status == 200 and
              got['vipu_num_ipus_free', None] + taken == 64,
              'one state', text)
    os.unlink(flag)
    writer.wait(WAIT)
    check(len(states) > 1, 'the writer writes', states)
    check(slowest < 5, 'no look waits', slowest)


def strangers(server, port):
    """They take all places, say nothing, little or too much, and leave what
    they asked for."""
    def connect(address='127.0.0.2'):
        return socket.create_connection(('127.0.0.1', port), WAIT,
                                        (address, 0))

    def is_served(path='/health'):
        with connect('127.0.0.1') as s:
            s.settimeout(3)
            try:
                s.sendall(f'GET {path} HTTP/1.1\r\nHost: h\r\n\r\n'.encode())
                return s.recv(4096).startswith(b'HTTP/1.1 200')
            except OSError:
                return False

    def hold(count, text):
        """Two addresses send it and never read."""
        held = []
        for i in range(count):
            s = connect(f'127.0.0.{2 + i % 2}')
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            try:
                s.sendall(text)
            except OSError:
                pass
            held.append(s)
        return held

    held = hold(80, b'GET /metrics HTTP/1.1\r\nX: ')
    for path in ['/health', '/metrics', '/agents/ag01/metrics'] * 5:
        check(is_served(path), 'beside two addresses with all places', path)
    for s in held:
        s.close()
    held = hold(80, b'GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n' * 200)
    for path in '/health', '/metrics':
        check(is_served(path), 'beside readers that do not read', path)
    peer = Peer(server.port)
    peer.ask()
    check(peer.find(HEADERS)[0] == HEADERS, 'gRPC beside them')
    peer.close()
    for s in held:
        s.close()
    for junk in (b'\0' * 70000, b'GET ' + b'x' * 70000 + b' HTTP/1.1\r\n\r\n',
                 b'GET /metrics HTTP/9.9\r\n\r\n', b'POST /metrics HTTP/1.1\r\n'
                 b'Host: h\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n',
                 b'GET /metrics HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n'
                 b'\r\nxxxxxxxxx', b'GET /metrics HTTP/1.1\r\nHost: h\r\n'
                 b'Authorization: Basic ' + b'Ojo6' * 999 + b'\r\n\r\n',
                 b'GET /agents//metrics HTTP/1.1\r\nHost: h\r\n\r\n',
                 b'GET /agents/%00/metrics HTTP/1.1\r\nHost: h\r\n\r\n',
                 b'GET /agents/' + b'a' * 999 + b'/metrics HTTP/1.1\r\nHost: '
                 b'h\r\n\r\n'):
        begin = time.monotonic()
        with connect('127.0.0.3') as s:
            try:
                s.sendall(junk)
                s.recv(65536)
            except OSError:
                pass
        check(time.monotonic() - begin < 5, 'junk is answered', junk[:99])
    check(is_served(), 'after junk')


server = Server(more=('--metrics', '127.0.0.1:0'))
port = metrics_port(server)
whole_view(port)
strangers(server, port)
# A build with sanitizers keeps what is freed, and is not confined.
check(server.peak() < 16384 or 'seccomp' not in server.said(), 'memory',
      server.peak())
check(server.end() == 0, 'it ends')
