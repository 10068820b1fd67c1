"""Bad input of a running vipu-server, from bytes that mean nothing to floods:
each peer gets what it deserves, the log has a line of it and no more, and
others are served meanwhile.  Prints what is not so."""
import os
import random
import re
import sys
import time

sys.path.insert(0, os.path.join(os.environ['TESTDIR'], 'cli'))
from vipu_server_wire import (DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS,
                              MORE, PING, RESET, SETTINGS, Others, Peer,
                              PREFACE, Server, check, frame, headers, message,
                              trailer)

FLOOD = 'too many frames without data|Flooding was detected'
VERSION = b'/virmgrpc.VersionService/GetVersion'
CREATE = b'/virmgrpc.UserService/CreatePartition'


def closed(server, name, pattern, talk, greets=True):
    """It is sent away, and one line says why."""
    size = len(server.said())
    peer = Peer(server.port, greets)
    talk(peer)
    check(peer.is_closed(), name)
    peer.close()
    check(server.waits_for(pattern, size), f'{name}: the log',
          server.said()[size:])
    # Those of unread() have theirs whenever they come to it.
    lines = [line for line in server.said()[size:].splitlines()
             if 'use too much memory' not in line]
    check(len(lines) == 1, f'{name}: one line', lines)


def status(server, name, wanted, **call):
    """The status of a call, 'reset' or 'HTTP 415'."""
    peer = Peer(server.port)
    peer.ask(**call)
    got = ''
    for kind, payload in peer.frames():
        if kind == RESET:
            got = 'reset'
        elif kind != HEADERS:
            continue
        elif re.search(rb'4(05|15)', payload):
            got = 'HTTP ' + re.search(rb'4(05|15)', payload)[0].decode()
        else:
            found = trailer(payload)
            got = got if found is None else found
        if got:
            break
    check(got == wanted, name, f'got {got!r}, wanted {wanted!r}')
    peer.close()


def bytes_that_mean_nothing(server):
    noise = random.Random(1).randbytes(4096)
    bad = 'bad client magic'
    closed(server, 'noise', bad, lambda p: p.send(noise), False)
    closed(server, 'HTTP/1.1', bad, lambda p: p.send(
        b'GET / HTTP/1.1\r\nHost: x\r\n\r\n'), False)
    closed(server, 'TLS', bad, lambda p: p.send(
        b'\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03' + bytes(512)), False)
    closed(server, 'noise after the preface', 'is closed with|FRAME|HTTP|Data',
           lambda p: p.send(b'\xff' * 64))
    closed(server, 'HPACK that is none', 'COMPRESSION', lambda p: p.send(
        frame(HEADERS, END_HEADERS, 1, b'\x80')))
    size = len(server.said())
    peers = [Peer(server.port, False) for _ in range(8)]
    for peer, part in zip(peers, (b'', PREFACE[:5], PREFACE, PREFACE +
                                  frame(SETTINGS)[:4])):
        peer.send(part)
    for peer in peers:
        peer.close()
    check(server.said()[size:] == '', 'who goes in the middle of a word',
          server.said()[size:])


def calls(server):
    text = b'\x0a' + b'\x02' + b'a'		# a field that is cut off
    status(server, 'another content type', 'HTTP 415', kind=b'text/plain')
    status(server, 'another method of HTTP', 'HTTP 405', method=b'GET')
    status(server, 'an unknown method', '12',
           path=b'/virmgrpc.UserService/Nothing')
    status(server, 'an unknown service', '12', path=b'/a.B/C')
    status(server, 'a path of 8 KiB', '12', path=b'/' + b'a' * 8192)
    status(server, 'a path that is none', '12', path=b'/\xff\xfe')
    status(server, 'a path with control bytes', 'reset', path=b'/a\x1b[1m\n')
    status(server, 'huge headers', '8', more=[
        (b'a%d' % i, b'b' * 4000) for i in range(3)] + [
        (b'c%d' % i, b'') for i in range(200)])
    status(server, 'a prefix of more than is taken', '8',
           body=b'\0\x7f\xff\xff\xffabc')
    status(server, 'a compressed message', '12', body=message(b'x', 1))
    status(server, 'half a message', '13', body=b'\0\0\0\0\x09ab')
    status(server, 'no message', '13', body=b'')
    status(server, 'two messages', '13', body=message() + message())
    status(server, 'a message that is none', '3', path=CREATE,
           body=message(text))
    status(server, 'a name with control bytes', '3', path=CREATE,
           body=requirements(b'a\x1b[2J\nb'))
    status(server, 'a name that is not UTF-8', '3', path=CREATE,
           body=requirements(b'a\xff\xfe'))
    status(server, 'a grpc-timeout that is none', '3',
           more=[(b'grpc-timeout', b'soon')])
    for value in b'a\x1b[2J', b'a\nb', b'a\0b':
        status(server, 'metadata with control bytes', 'reset',
               more=[(b'ipubox-user', value)])
    status(server, 'metadata that is not ASCII', '16', path=CREATE,
           body=requirements(b'a'), more=[(b'ipubox-user', b'\xff\xfe')])
    status(server, 'a key without end', '16', path=CREATE,
           body=requirements(b'a'), more=[(b'ipubox-user', b'a'), (
               b'ipubox-key', b'k' * 8000)])


def requirements(name):
    """CreatePartition of a partition of that name."""
    inner = b'\x0a' + bytes((len(name),)) + name + b'\x10\x04'
    return message(b'\x0a' + bytes((len(inner),)) + inner)


def bomb():
    """A header of 4,000 bytes, and one byte for each time it comes again."""
    block = headers() + b'\x40\x01b\x7f\xa1\x1e' + b'v' * 4000
    return (frame(HEADERS, END_STREAM, 1, block) +
            b''.join(frame(MORE, END_HEADERS if i == 5 else 0, 1,
                           b'\xbe' * 16384) for i in range(6)))


def floods(server):
    closed(server, 'PINGs', FLOOD, lambda p: p.send(
        frame(PING, 0, 0, b'12345678') * 50000))
    closed(server, 'SETTINGS', FLOOD, lambda p: p.send(
        frame(SETTINGS, 0, 0, b'\0\3\0\0\0\1') * 50000))
    closed(server, 'empty data', FLOOD, lambda p: p.send(
        frame(HEADERS, END_HEADERS, 1, headers()) +
        frame(DATA, 0, 1) * 50000))
    closed(server, 'streams that are reset', f'{FLOOD}|ENHANCE|INTERNAL',
           lambda p: p.send(b''.join(
               frame(HEADERS, END_HEADERS, n, headers()) +
               frame(RESET, 0, n, b'\0\0\0\x08')
               for n in range(1, 60001, 2))))
    closed(server, 'headers that go on', 'CONTINUATION|is closed with|Too many',
           lambda p: p.send(frame(HEADERS, 0, 1, headers()) +
                            frame(MORE, 0, 1) * 10000))
    peer = Peer(server.port)
    peer.send(bomb())
    kind, payload = peer.find(HEADERS, GOAWAY)
    check(kind == HEADERS and trailer(payload) == '8', 'an HPACK bomb',
          (kind, payload))
    peer.close()


def many(server):
    """Who is sent away again and again fills no log."""
    size = len(server.said())
    for _ in range(600):
        peer = Peer(server.port, False)
        peer.send(b'GET / HTTP/1.1\r\n\r\n')
        peer.is_closed()
        peer.close()
    check(server.waits_for('more lines like the last ones are left out', size),
          'lines that are left out are counted')
    lines = server.said()[size:].count('\n')
    # 100 at once, and five each second.
    check(lines < 500, 'many bad ones fill no log', lines)


def unread(server):
    """No window, and requests that take milliseconds: 2,000 of them."""
    peers = [Peer(server.port) for _ in range(20)]
    attributes = headers(b'/virmgrpc.UserService/ListIPUAttributes')
    asks = b''.join(frame(HEADERS, END_HEADERS, n, attributes) +
                    frame(DATA, END_STREAM, n, message())
                    for n in range(1, 201, 2))
    for peer in peers:
        peer.send(frame(SETTINGS, 0, 0, b'\0\4\0\0\0\0') + asks)
    return peers


def main():
    server = Server()
    # Before the first measure all code has run once.
    calls(server)
    before = server.resident()
    others = Others(server.port)
    begin = time.monotonic()
    waiting = unread(server)
    bytes_that_mean_nothing(server)
    calls(server)
    floods(server)
    many(server)
    took = (time.monotonic() - begin) * 1000
    times = others.end()
    for peer in waiting:
        peer.close()
    check(len(times) > 20, 'others are served', len(times))
    slow = times[int(len(times) * 0.99)]
    # The machine may have other things to do, but where it is asked for.
    limit = 100 if os.environ.get('FULL') else 3000
    check(slow < limit, 'p99 of the others, in ms', slow)
    # Where others wait until all that came first is done, it is most of it.
    check(times[-1] < took / 3, 'none of the others waits for long',
          f'{times[-1]:.0f} of {took:.0f} ms')
    # It hears of the closed ones before the next one.
    status(server, 'a good call', '0')
    after = server.resident()
    # A build with sanitizers keeps what is freed.
    check(after < before + 8192 or 'seccomp' not in server.said(),
          'memory comes back', f'{before}, {after}')
    said = server.said()
    check(re.search(r'[^\n\x20-\x7e]', said) is None, 'the log is printable')
    check(server.end() == 0, 'it ends')
    if '-v' in sys.argv:
        print(f'{len(times)} calls of others: p50 '
              f'{times[len(times) // 2]:.2f} ms, p99 {slow:.2f} ms, max '
              f'{times[-1]:.2f} ms; VmRSS {before} KiB, {after} KiB behind; '
              f'{said.count(chr(10))} lines')


main()
