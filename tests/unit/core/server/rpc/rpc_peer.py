"""The ordinary gRPC client of Python against the server of rpc_util.c.

    rpc_peer.py PORT

Prints a line "ok NAME" or "not ok NAME: what came" for each check.
"""
import sys
import threading

import grpc

WAIT = 10


def check(good, name, came=''):
    print(f'ok {name}' if good else f'not ok {name}: {came}', flush=True)


def method(channel, name, path='/test.Echo/'):
    return channel.unary_unary(path + name)


def refusal(call):
    """The status and the sentence of a call that fails."""
    try:
        return 'OK', call()
    except grpc.RpcError as error:
        return error.code().name, error.details()


def unary(channel):
    echo = method(channel, 'Unary')
    check(echo(b'hello', timeout=WAIT) == b'hello', 'an answer')
    check(echo(b'', timeout=WAIT) == b'', 'an empty answer')
    big = b'x' * (4 << 20)
    check(echo(big, timeout=WAIT) == big, 'the longest message')
    got = refusal(lambda: echo(big + b'x', timeout=WAIT))[0]
    check(got == 'RESOURCE_EXHAUSTED', 'one byte more', got)
    late = method(channel, 'Late')
    check(late(b'later', timeout=WAIT) == b'later', 'a later answer')
    check(len(method(channel, 'Big')(b'3000000', timeout=WAIT)) == 3000000,
          'a long answer')


def refusals(channel):
    got = refusal(lambda: method(channel, 'Refuse')(
        'p1: 5% für alle'.encode(), timeout=WAIT))
    check(got == ('FAILED_PRECONDITION', 'p1: 5% für alle'),
          'a status and its sentence', got)
    got = refusal(lambda: method(channel, 'None')(b'', timeout=WAIT))
    check(got == ('UNIMPLEMENTED', 'unknown method /test.Echo/None'),
          'an unknown method', got)
    got = refusal(lambda: method(channel, 'Never')(b'', timeout=0.05))
    check(got[0] == 'DEADLINE_EXCEEDED', 'a deadline', got)
    call = method(channel, 'Never').future(b'', timeout=WAIT)
    call.cancel()
    check(call.cancelled(), 'a cancellation')


def metadata(channel):
    rows = (('x-user', 'ann'), ('x-key', 'a b'), ('x-raw-bin', b'\0\1'))
    ask = method(channel, 'Metadata')
    check(ask(b'x-key', metadata=rows, timeout=WAIT) == b'a b', 'metadata')
    check(ask(b'x-raw-bin', metadata=rows, timeout=WAIT).rstrip(b'=') ==
          b'AAE', 'binary metadata')
    rows = (('x-long', 'v' * 7000), ('x-longer', 'v' * 12000))
    got = refusal(lambda: ask(b'x-long', metadata=rows, timeout=WAIT))[0]
    check(got == 'RESOURCE_EXHAUSTED', 'headers that are too long', got)


def streams(channel):
    echo = channel.stream_stream('/test.Echo/Stream')
    wanted = [b'%d' % i for i in range(500)]
    got = list(echo(iter(wanted), timeout=WAIT))
    check(got == wanted, 'a stream of messages')
    watch = channel.unary_stream('/grpc.health.v1.Health/Watch')(b'')
    check(next(watch) == b'\x08\x01', 'health is watched')
    watch.cancel()
    check(method(channel, 'Check', '/grpc.health.v1.Health/')(
        b'', timeout=WAIT) == b'\x08\x01', 'health is checked')


def many(channel):
    calls = [method(channel, 'Late').future(b'%d' % i, timeout=WAIT)
             for i in range(300)]
    good = sum(call.result() == b'%d' % i for i, call in enumerate(calls))
    check(good == 300, 'more calls than streams', good)


def threads(target):
    """Channels of their own, all at once."""
    good = []

    def one():
        with grpc.insecure_channel(
                target, (('grpc.use_local_subchannel_pool', 1),)) as channel:
            echo = method(channel, 'Unary')
            good.append(all(echo(b'%d' % i, timeout=WAIT) == b'%d' % i
                            for i in range(50)))
    all_of_them = [threading.Thread(target=one) for _ in range(8)]
    for thread in all_of_them:
        thread.start()
    for thread in all_of_them:
        thread.join()
    check(good == [True] * 8, 'connections at the same time', good)


def main():
    target = '127.0.0.1:' + sys.argv[1]
    options = (('grpc.max_receive_message_length', -1),
               ('grpc.max_send_message_length', -1))
    with grpc.insecure_channel(target, options) as channel:
        unary(channel)
        refusals(channel)
        metadata(channel)
        streams(channel)
        many(channel)
    threads(target)


main()
