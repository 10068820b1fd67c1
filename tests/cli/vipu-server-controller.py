"""The methods of ipubox.v1 as an ordinary client sees them: what is created,
waited for, refused and changed.  Prints what is not as it should be.
"""
import hashlib
import os
import signal
import subprocess
import sys
import tempfile

import grpc

sys.path.insert(0, os.path.join(os.environ['TESTDIR'], 'cli'))
from vipu_server_client import WAIT, Server, check, same


def messages():
    """The module that protoc makes of our own package."""
    out = tempfile.mkdtemp()
    root = os.path.join(os.environ['TESTDIR'], '..', 'config', 'sdk',
                        'proto')
    subprocess.run(['protoc', '-I', root, '--python_out', out,
                    os.path.join(root, 'ipubox_v1.proto')], check=True)
    sys.path.insert(0, out)
    import ipubox_v1_pb2
    return ipubox_v1_pb2


pb = messages()


class Client:
    """Its methods are those of the service; keywords are the request."""

    def __init__(self, port, metadata=()):
        self.metadata = metadata
        self.channel = grpc.insecure_channel(f'127.0.0.1:{port}')
        self.service = pb.DESCRIPTOR.services_by_name['ControllerService']

    def begin(self, name, /, **fields):
        """A call, of which nothing is awaited."""
        method = self.service.methods_by_name[name]
        make = (self.channel.unary_stream if name == 'CreatePartition'
                else self.channel.unary_unary)
        call = make(
            f'/{self.service.full_name}/{name}',
            request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=getattr(
                pb, method.output_type.name).FromString)
        request = getattr(pb, method.input_type.name)(**fields)
        more = {'timeout': WAIT, 'metadata': self.metadata}
        if name == 'CreatePartition':
            return call(request, **more)
        return call.future(request, **more)

    def __getattr__(self, name):
        def ask(**fields):
            call = self.begin(name, **fields)
            return (list(call)[-1].partition if name == 'CreatePartition'
                    else call.result())
        return ask

    def names(self):
        return [p.name for p in self.GetSnapshot().snapshot.partitions]


def refused(call, status, words, what, /, **fields):
    """As refused() of the helpers; a request may have a name."""
    try:
        got = 'OK', call(**fields)
    except grpc.RpcError as error:
        got = error.code().name, error.details()
    check(got[0] == status and words in str(got[1]), what, got)


def wanted(name, size, **fields):
    return pb.PartitionRequest(name=name, size=size, **fields)


def snapshot(api):
    s = api.GetSnapshot().snapshot
    same((len(s.pod.agents), len(s.pod.clusters), s.pod.agents[5].name,
          s.pod.clusters[0].agent_count), (16, 1, 'ag06', 16), 'the pod')
    check(s.now_ms > 1700000000000, 'the time', s.now_ms)
    same((s.limited, s.damaged, len(s.unseen)), (False, 0, 0), 'all of it')


def create(api):
    p = api.CreatePartition(request=wanted(
        'a', 8, num_gcds=2, num_replicas=4, relocatable=True,
        no_auto_reset=True, sync_type='ST_POD_NATIVE_DEFAULT',
        ttl_ms=3600000))
    same((p.name, len(p.id), p.num_gcds, p.num_replicas, p.relocatable,
          p.no_auto_reset, p.reconfigurable, p.state, p.operation,
          p.placement.per_ild, p.placement.cluster),
         ('a', 16, 2, 4, True, True, False, 2, 1, 8, 1), 'a partition')
    check(p.expires_ms > p.changed_ms > 0, 'its times', p)
    same(api.GetSnapshot().snapshot.partitions[0], p, 'in the snapshot')
    got = api.ListPlacements(request=wanted('b', 32))
    same([q.offset for q in got.placements], [32], 'where another one goes')
    same(len(got.snapshot.partitions), 1, 'the pod of these placements')
    for words, status, name, fields in (
            ('already exists', 'ALREADY_EXISTS', 'a name twice',
             {'request': wanted('a', 4)}),
            ('size 64', 'RESOURCE_EXHAUSTED', 'no room',
             {'request': wanted('b', 64)}),
            ('power of 2', 'INVALID_ARGUMENT', 'an odd size',
             {'request': wanted('b', 3)}),
            ('limit is 2147483647', 'INVALID_ARGUMENT', 'a size of 32 bits',
             {'request': wanted('b', 2**32 - 1)}),
            ('name: empty', 'INVALID_ARGUMENT', 'nothing at all', {}),
            ('only letters', 'INVALID_ARGUMENT', 'a path for a name',
             {'request': wanted('../b', 4)}),
            ('63', 'INVALID_ARGUMENT', 'a name without end',
             {'request': wanted('b' * 5000, 4)}),
            ('no IPUoF files', 'PERMISSION_DENIED', 'files of the server',
             {'request': wanted('b', 4, ipuof_directory='/tmp')}),
            ("not 'process'", 'INVALID_ARGUMENT', 'another owner',
             {'request': wanted('b', 4), 'owner': pb.Owner(kind=1)}),
            ("not 'ipujob'", 'INVALID_ARGUMENT', 'one that shows by a lock',
             {'request': wanted('b', 4), 'wait': pb.Wait(for_ever=True),
              'owner': pb.Owner(kind=4, text='ipujob default/b')})):
        refused(api.CreatePartition, status, words, name, **fields)
    same(api.names(), ['a'], 'a refusal makes nothing')


def remove(api):
    a = api.GetSnapshot().snapshot.partitions[0]
    same(api.CheckRemoval(name='a').busy, '', 'nobody is attached')
    refused(api.CheckRemoval, 'NOT_FOUND', 'partition does not exist',
            'of none',
            name='z')
    refused(api.RemovePartition, 'NOT_FOUND', 'the new one stays',
            'another identity', name='a', id=bytes(15) + b'x')
    refused(api.RemovePartition, 'INVALID_ARGUMENT', '16',
            'half an identity', name='a', id=b'x')
    got = api.RemovePartition(name='a', id=a.id)
    same((got.partition, got.left), (a, ''), 'what it was')
    refused(api.RemovePartition, 'NOT_FOUND', 'partition does not exist',
            'twice',
            name='a')


def waiting(api):
    """Creations wait in their order, and nobody else does."""
    api.CreatePartition(request=wanted('all', 64))
    forever = pb.Wait(for_ever=True)
    first = api.begin('CreatePartition', request=wanted('w1', 64),
                      wait=forever)
    text = next(first).waiting
    check(text.startswith('waiting for 64 IPUs; '), 'why it waits', text)
    second = api.begin('CreatePartition', request=wanted('w2', 32),
                       wait=forever)
    text = next(second).waiting
    check('1 waits before this one' in text, 'behind the first', text)
    refused(api.CreatePartition, 'DEADLINE_EXCEEDED', 'waited 0 s: size 4',
            'a wait that ends', request=wanted('w3', 4),
            wait=pb.Wait(wait_ms=30))
    refused(api.CreatePartition, 'DEADLINE_EXCEEDED', 'waited 0 s',
            'a wait of no time', request=wanted('w3', 4), wait=pb.Wait())
    same(api.names(), ['all'], 'others are answered meanwhile')
    api.RemovePartition(name='all')
    same([m.partition.name for m in first], ['w1'], 'the first is served')
    same(api.names(), ['w1'], 'and the second waits')
    third = api.begin('CreatePartition', request=wanted('w4', 64),
                      wait=forever)
    next(third)
    second.cancel()
    api.RemovePartition(name='w1')
    same([m.partition.name for m in third], ['w4'],
         'one who goes holds up nobody')
    many = [api.begin('CreatePartition', request=wanted(f'm{i}', 1),
                      wait=forever) for i in range(64)]
    for call in many:
        next(call)
    refused(api.CreatePartition, 'UNAVAILABLE', '64 callers already wait',
            'one too many', request=wanted('m64', 1), wait=forever)
    api.RemovePartition(name='w4')
    same([[m.partition.name for m in call] for call in many],
         [[f'm{i}'] for i in range(64)], 'all of them are served')
    for i in range(64):
        api.RemovePartition(name=f'm{i}')
    same(os.listdir(os.path.join(os.environ['IPUBOX_STATE_DIR'],
                                 'waiting')), [], 'no ticket is left')


def lease(api, name, size):
    """A partition that goes with its call, and the call."""
    call = api.begin('CreatePartition', request=wanted(name, size),
                     owner=pb.Owner(kind='OWNER_LEASE', text='the test'))
    return call, next(call).partition


def leases(api, port):
    call, p = lease(api, 'l', 64)
    same((p.owner_kind, p.owner_text[:9]), (2, 'the test,'), 'its owner')
    other = Client(port)
    behind = other.begin('CreatePartition', request=wanted('m', 64),
                         wait=pb.Wait(for_ever=True))
    next(behind)
    same(api.names(), ['l'], 'it stays while its call does')
    call.cancel()
    same([m.partition.name for m in behind], ['m'],
         'the call goes, the partition goes, and who waits is served')
    api.RemovePartition(name='m')
    connection = Client(port)
    kept = lease(connection, 'n', 64)
    behind = other.begin('CreatePartition', request=wanted('m', 64),
                         wait=pb.Wait(for_ever=True))
    next(behind)
    connection.channel.close()
    same([m.partition.name for m in behind], ['m'], 'a connection goes')
    api.RemovePartition(name='m')
    check(kept is not None, 'the call')


def waits_for_lease(api, name, size, **wait):
    """A lease that waits for its IPUs: the call, and what it was told."""
    call = api.begin('CreatePartition', request=wanted(name, size),
                     wait=pb.Wait(**(wait or {'for_ever': True})),
                     owner=pb.Owner(kind='OWNER_LEASE',
                                    text=f'ipujob default/{name}'))
    return call, next(call)


def leases_in_line(api):
    """Leases wait in their order, and go with their calls all the same."""
    first, told = waits_for_lease(api, 'l1', 64)
    same((told.waiting, told.partition.name), ('', 'l1'), 'free: at once')
    second, told = waits_for_lease(api, 'l2', 64)
    check(told.waiting.startswith('waiting for 64 IPUs; '), 'why it waits',
          told)
    third, told = waits_for_lease(api, 'l3', 64)
    check('1 waits before this one' in told.waiting, 'behind it', told)
    fourth, told = waits_for_lease(api, 'l4', 64)
    check('2 wait before this one' in told.waiting, 'behind both', told)
    refused(api.CreatePartition, 'DEADLINE_EXCEEDED', 'waited 0 s',
            'a lease that waits no time', request=wanted('l5', 4),
            wait=pb.Wait(), owner=pb.Owner(kind=2))
    refused(api.CreatePartition, 'RESOURCE_EXHAUSTED', 'taken by l1',
            'one that does not wait', request=wanted('l5', 4),
            owner=pb.Owner(kind=2))
    same(api.names(), ['l1'], 'it stays while its call does')
    third.cancel()
    first.cancel()
    p = next(second).partition
    same((p.name, p.owner_kind, p.owner_text[:19]),
         ('l2', 2, 'ipujob default/l2, '), 'the call goes, the next has it')
    same(api.names(), ['l2'], 'it stays as well')
    fifth = api.begin('CreatePartition', request=wanted('l6', 64),
                      wait=pb.Wait(for_ever=True))
    check('1 waits before this one' in next(fifth).waiting,
          'who was gone while it waited has no ticket')
    second.cancel()
    same(next(fourth).partition.name, 'l4', 'nor a partition')
    fourth.cancel()
    same([m.partition.name for m in fifth], ['l6'],
         'and who wants one that stays is served like them')
    same(api.names(), ['l6'], 'which stays without its call')
    refused(lambda **_: next(waits_for_lease(api, 'l7', 4, wait_ms=30)[0]),
            'DEADLINE_EXCEEDED', 'waited 0 s', 'a limit')
    many = [waits_for_lease(api, f'm{i}', 1)[0] for i in range(64)]
    refused(api.CreatePartition, 'UNAVAILABLE', '64 callers already wait',
            'one too many', request=wanted('m64', 1), owner=pb.Owner(kind=2),
            wait=pb.Wait(for_ever=True))
    api.RemovePartition(name='l6')
    same([next(call).partition.name for call in many],
         [f'm{i}' for i in range(64)], 'all of them are served')
    last = waits_for_lease(api, 'm64', 64)[0]
    for call in many:
        call.cancel()
    same(next(last).partition.name, 'm64', 'and wait no more')
    last.cancel()
    same(os.listdir(os.path.join(os.environ['IPUBOX_STATE_DIR'],
                                 'waiting')), [], 'no ticket is left')
    gone = api.begin('CreatePartition', request=wanted('n', 64),
                     wait=pb.Wait(for_ever=True))
    same([m.partition.name for m in gone if m.partition.name], ['n'],
         'nor a lease')
    api.RemovePartition(name='n')


def restart():
    """What a server that was killed left goes with its calls."""
    with Server() as server:
        api = Client(server.port)
        api.CreatePartition(request=wanted('stays', 4))
        kept = lease(api, 'goes', 4)
        server.end(signal.SIGKILL)
    with Server() as server:
        server.read('remove partition goes: the test.* is gone')
        api = Client(server.port)
        same(api.names(), ['stays'], 'what is there behind a kill')
        api.RemovePartition(name='stays')
    check(kept is not None, 'the call')


def slow(api):
    """Configurations and removals that take time."""
    api.InjectFault(target='ag01', fault='FAULT_SLOW', value=400)
    p = api.CreatePartition(request=wanted('s', 4))
    same((p.state, p.operation), (1, 2), 'PENDING, CREATING')
    refused(api.WaitPartition, 'DEADLINE_EXCEEDED', 'still being configured',
            'a wait that is too short', name='s', id=p.id, wait_ms=1)
    late = api.begin('WaitPartition', name='s', id=p.id, for_ever=True)
    same(api.names(), ['s'], 'others are answered')
    same(late.result().partition.state, 2, 'ACTIVE')
    same(api.WaitPartition(name='s').partition.state, 2, 'it is already')
    refused(api.WaitPartition, 'NOT_FOUND', 'partition does not exist',
            'of none',
            name='z', for_ever=True)
    refused(api.WaitPartition, 'INVALID_ARGUMENT', 'wait_ms', 'before now',
            name='s', wait_ms=-1)
    gone = api.begin('RemovePartition', name='s')
    same(api.names(), ['s'], 'it is going')
    same(gone.result().partition.state, 2, 'what it was')
    same(api.names(), [], 'it is gone')
    api.InjectFault(target='ag01', fault='FAULT_UP')


def reset(api):
    api.CreatePartition(request=wanted('r', 4))
    got = api.ResetPartition(name='r', only_needed=True)
    same((got.skipped, got.partition.name), (True, 'r'), 'not needed')
    api.InjectFault(target='ag01:2', fault='FAULT_SOC_ERROR',
                    soc_errors=1 << 10)
    ipus = api.GetSnapshot(with_ipus=True).ipus
    same([(i.number, i.soc_errors, i.HasField('holder')) for i in ipus],
         [(2, 1 << 10, False)], 'an IPU with an error')
    got = api.ResetPartition(name='r', only_needed=True)
    same((got.skipped, got.partition.reset_ms > 0), (False, True), 'needed')
    same(len(api.GetSnapshot(with_ipus=True).ipus), 0, 'the error is gone')
    same(api.ResetPartition(name='r', relocatable=True).partition.relocatable,
         True, 'relocatable from now on')
    refused(api.ResetPartition, 'NOT_FOUND', 'partition does not exist',
            'of none',
            name='z')


def inventory(s):
    seats = [pb.Seat(name=p.name, id=p.id, placement=p.placement,
                     allocation=p.allocation) for p in s.partitions]
    return pb.Inventory(pod=s.pod, seats=seats)


def pod(api):
    """Another pod, by a change of a copy."""
    s = api.GetSnapshot().snapshot
    v = inventory(s)
    base = hashlib.sha512(v.SerializeToString()).digest()
    v.pod.agents[15].port = 4711
    refused(api.ReplacePod, 'ABORTED', 'has changed meanwhile',
            'the change of another pod', base=bytes(64), wanted=v)
    refused(api.ReplacePod, 'ABORTED', 'has changed', 'no base', wanted=v)
    del v.seats[0]
    refused(api.ReplacePod, 'INVALID_ARGUMENT', '0 places',
            'a partition without a place', base=base, wanted=v)
    v = inventory(s)
    v.pod.agents[15].port = 4711
    v.pod.agents[15].cluster = 64
    refused(api.ReplacePod, 'INVALID_ARGUMENT', 'does not exist',
            'a machine in no cluster', base=base, wanted=v)
    v.pod.agents[15].cluster = 1
    api.ReplacePod(base=base, wanted=v)
    same(api.GetSnapshot().snapshot.pod.agents[15].port, 4711, 'the change')
    refused(api.ReplacePod, 'ABORTED', 'has changed', 'twice', base=base,
            wanted=v)


def cluster(api):
    api.RemovePartition(name='r')
    api.CreatePartition(request=wanted('p', 8))
    refused(api.TestCluster, 'FAILED_PRECONDITION', 'disturb partition p',
            'a cluster in use', cluster='cl0')
    got = api.TestCluster(cluster='cl0', force=True).results
    same([r.passed == r.total for r in got], [True] * 6, 'six tests')
    check(got[0].total == 16 and got[0].summary != '', 'machines', got[0])
    refused(api.TestCluster, 'NOT_FOUND', 'cluster does not exist', 'of none',
            cluster='z')
    refused(api.InjectFault, 'INVALID_ARGUMENT', 'fault is 9',
            'an unknown fault', target='ag01', fault=9)


def users(api, port):
    """What a user may see, and what only administrators may do."""
    text = pb.Text
    refused(api.CreateUser, 'INVALID_ARGUMENT', 'key', 'without a key',
            name='ann')
    api.CreateUser(name='ann', change=pb.UserChange(key=text(text='k-1')))
    refused(api.CreateUser, 'ALREADY_EXISTS', 'ann', 'twice', name='ann',
            change=pb.UserChange(key=text(text='k')))
    ann = Client(port, (('ipubox-user', 'ann'), ('ipubox-key', 'k-1')))
    s = ann.GetSnapshot().snapshot
    same((s.limited, len(s.partitions), len(s.pod.allocations),
          [(r.first, r.count) for r in s.unseen]),
         (True, 0, 0, [(0, 64)]), 'a user without allocations')
    refused(ann.RemovePartition, 'NOT_FOUND', 'partition does not exist',
            "another's partition", name='p')
    refused(ann.ResetPartition, 'NOT_FOUND', 'partition does not exist',
            "another's partition, to reset", name='p')
    refused(ann.WaitPartition, 'NOT_FOUND', 'partition does not exist',
            "another's partition, to wait for", name='p')
    refused(ann.CheckRemoval, 'NOT_FOUND', 'partition does not exist',
            "another's partition, to ask of", name='p')
    refused(ann.CreatePartition, 'PERMISSION_DENIED', 'no allocation',
            'without an allocation', request=wanted('x', 1))
    for name in ('ReplacePod', 'TestCluster',
                 'InjectFault', 'ListUsers', 'CreateUser', 'UpdateUser',
                 'RemoveUser'):
        refused(getattr(ann, name), 'PERMISSION_DENIED', 'administrators',
                name)
    api.UpdateUser(name='ann', change=pb.UserChange(
        add=text(text='default')))
    same([(u.name, list(u.allocations)) for u in api.ListUsers().users],
         [('ann', ['default'])], 'users')
    same(ann.names(), ['p'], 'what it sees now')
    api.UpdateUser(name='ann', change=pb.UserChange(
        allocations=text(text='')))
    same(list(api.ListUsers(name='ann').users[0].allocations), [],
         'an empty list is one')
    refused(api.ListUsers, 'NOT_FOUND', 'user does not exist',
            'of none', name='bob')
    wrong = Client(port, (('ipubox-user', 'ann'), ('ipubox-key', 'k')))
    refused(wrong.GetSnapshot, 'UNAUTHENTICATED', 'not its access key',
            'a wrong key')
    api.RemoveUser(name='ann')
    refused(api.RemoveUser, 'NOT_FOUND', 'user does not exist',
            'twice', name='ann')
    refused(ann.GetSnapshot, 'UNAUTHENTICATED', 'unknown', 'who is gone')


def main():
    with Server() as server:
        api = Client(server.port)
        for part in (snapshot, create, remove, waiting, slow, reset, pod,
                     cluster):
            part(api)
        users(api, server.port)
        api.RemovePartition(name='p')
        leases(api, server.port)
        leases_in_line(api)
        api.CreatePartition(request=wanted('all', 64))
        left = api.begin('CreatePartition', request=wanted('q', 64),
                         wait=pb.Wait(for_ever=True))
        next(left)
        same(server.end(), 0, 'it stops with somebody waiting')
        try:
            next(left)
            check(False, 'who waits is told')
        except grpc.RpcError as error:
            same(error.code().name, 'UNAVAILABLE', 'who waits is told')
    subprocess.run(['vipu', 'remove', 'partition', 'all'], check=True,
                   stdout=subprocess.PIPE)
    restart()


main()
