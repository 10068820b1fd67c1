"""Each method that vipu-server has, by its .proto files, times each kind of
caller: who is let in, to what, and what the log says.  Prints what is wrong.

A method without a row in ROWS is a failure.  Runs as root in a mount namespace
of its own, whose /etc/passwd has the users of UIDS.
"""
import hashlib
import importlib
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import namedtuple

sys.path.insert(0, os.path.join(os.environ['TESTDIR'], 'cli'))
from vipu_server_caller import Local, Relay, Remote, Stranger
from vipu_server_client import Server, check, same

FILES = ('virmgrpc', 'ipubox_v1', 'ipubox_lease', 'health')
UIDS = {'ann': 64011, 'bob': 64012, 'dan': 64013, 'cid': 64014}
NO_ACCOUNT = 64015
WAIT = 20
PATIENCE = 10           # seconds until a line is in the log


def modules():
    """What protoc makes of all our files: their messages by full name."""
    out = tempfile.mkdtemp()
    root = os.path.join(os.environ['TESTDIR'], '..', 'config', 'sdk',
                        'proto')
    subprocess.run(['protoc', '-I', root, '--python_out', out] +
                   [os.path.join(root, f + '.proto') for f in FILES],
                   check=True)
    sys.path.insert(0, out)
    services, messages = {}, {}
    for name in FILES:
        module = importlib.import_module(name + '_pb2')
        package = module.DESCRIPTOR.package
        for service in module.DESCRIPTOR.services_by_name.values():
            services[service.full_name] = service
        for message in module.DESCRIPTOR.message_types_by_name:
            messages[f'{package}.{message}'] = getattr(module, message)
    return services, messages


SERVICES, MESSAGES = modules()
OURS = '/ipubox.v1.ControllerService/'
USER = '/virmgrpc.UserService/'

# What somebody has, and what nobody has: a refusal says the same of both.
Thing = namedtuple('Thing', 'user partition allocation agent agents')
ANN = Thing('ann', 'annspart', 'default', 'ag01',
            [f'ag{i:02}' for i in range(1, 9)])
BOB = Thing('bob', 'bobspart', 'bobshalf', 'ag09',
            [f'ag{i:02}' for i in range(9, 17)])
GHOST = Thing('eve', 'evespart', 'eveshalf', 'ag99', [])


class Row:
    """Of a method: who may call it, and with what.

    own(thing, fresh)   what is right for who has it; fresh is a new name
    others(thing)       what is refused to who has it not, each a request
    line                of the log, where it changes something
    needs               whether a partition `fresh` is there before
    limit               so many answers are waited for
    """

    def __init__(self, own, others=None, role='user', line=None, needs=False,
                 limit=None):
        self.own, self.role, self.line = own, role, line
        self.others = others or (lambda thing: [])
        self.needs, self.limit = needs, limit


def wanted(thing, fresh):
    return {'name': fresh, 'size': 1, 'allocation': thing.allocation}


def reference(field):
    return lambda thing: [{field: thing.partition}]


def wish(partition):
    return {'wish': {'partition': partition, 'gcd': -1, 'device': 0,
                     'holder': {'pid': 1, 'user': 'root', 'host': 'h',
                                'command': f'of-{partition}'}}}


def device(partition):
    return {'partition': partition, 'gcd': -1, 'device': 0,
            'holder': wish(partition)['wish']['holder']}


def change(text='k'):
    return {'key': {'text': text}}


CREATED = r'create partition {fresh} \(1 IPUs\)'
ROWS = {
    USER + 'ListPartitions': Row(
        lambda t, f: {}, lambda t: [{'allocation_id': t.allocation}]),
    USER + 'ListIPUAttributes': Row(
        lambda t, f: {}, lambda t: [{'agents': [t.agent]}]),
    USER + 'CreatePartition': Row(
        lambda t, f: {'requirements': {
            'id': f, 'size': 1, 'allocation_id': t.allocation}},
        lambda t: [{'requirements': {
            'id': 'x', 'size': 1, 'allocation_id': t.allocation}}],
        line=CREATED),
    USER + 'RemovePartition': Row(
        lambda t, f: {'partition_id': f},
        lambda t: [{'partition_id': t.partition},
                   {'partition_id': t.partition, 'force': True}],
        line='remove partition {fresh}', needs=True),
    USER + 'ResetPartition': Row(
        lambda t, f: {'partition_id': f}, reference('partition_id'),
        line='reset partition {fresh}', needs=True),
    USER + 'GetPartitionIpuofConfig': Row(
        lambda t, f: {'partition_id': t.partition},
        reference('partition_id')),
    USER + 'GetPartitionStatus': Row(
        lambda t, f: {'partition_id': t.partition},
        reference('partition_id')),
    '/virmgrpc.VersionService/GetVersion': Row(
        lambda t, f: {}, role='open'),
    OURS + 'GetSnapshot': Row(lambda t, f: {'with_ipus': True}),
    OURS + 'CreatePartition': Row(
        lambda t, f: {'request': wanted(t, f),
                      'wait': {'for_ever': True}},
        lambda t: [{'request': wanted(t, 'x')},
                   {'request': wanted(t, 'x'), 'wait': {'for_ever': True}},
                   {'request': wanted(t, 'x'),
                    'owner': {'kind': 2, 'text': 'me'}},
                   {'request': {'name': 'x', 'size': 1,
                                'first_ipu': t.agent + ':2'}}],
        line=CREATED),
    OURS + 'ListPlacements': Row(
        lambda t, f: {'request': wanted(t, f)},
        lambda t: [{'request': wanted(t, 'x')}]),
    OURS + 'ListWaiting': Row(lambda t, f: {}),
    OURS + 'RemovePartition': Row(
        lambda t, f: {'name': f},
        lambda t: [{'name': t.partition},
                   {'name': t.partition, 'force': True}],
        line='remove partition {fresh}', needs=True),
    OURS + 'CheckRemoval': Row(
        lambda t, f: {'name': t.partition}, reference('name')),
    OURS + 'ResetPartition': Row(
        lambda t, f: {'name': f},
        lambda t: [{'name': t.partition},
                   {'name': t.partition, 'only_needed': True},
                   {'name': t.partition, 'force': True}],
        line='reset partition {fresh}', needs=True),
    OURS + 'WaitPartition': Row(
        lambda t, f: {'name': t.partition},
        lambda t: [{'name': t.partition},
                   {'name': t.partition, 'for_ever': True}]),
    OURS + 'ReplacePod': Row(
        lambda t, f: replacement(), role='administrator',
        line='change pod '),
    OURS + 'TestCluster': Row(
        lambda t, f: {'cluster': 'cl0', 'force': True},
        role='administrator', line='test cluster cl0 by force'),
    OURS + 'InjectFault': Row(
        lambda t, f: {'target': t.agent, 'fault': 1},
        role='administrator', line='inject fault up into ag'),
    OURS + 'GetShortage': Row(lambda t, f: {}, role='administrator'),
    OURS + 'ListUsers': Row(lambda t, f: {}, role='administrator'),
    OURS + 'CreateUser': Row(
        lambda t, f: {'name': f, 'change': change()}, role='administrator',
        line='create user {fresh}'),
    OURS + 'UpdateUser': Row(
        lambda t, f: {'name': 'idle', 'change': change(f)},
        role='administrator', line='update user idle, with a new key'),
    OURS + 'RemoveUser': Row(
        lambda t, f: {'name': f}, role='administrator',
        line='remove user {fresh}', needs=True),
    '/ipubox.v1.LeaseService/AttachDevice': Row(
        lambda t, f: wish(f), lambda t: [wish(t.partition)],
        line='leased device 0 of partition {fresh}: of-{fresh} of {user} on',
        needs=True),
    '/ipubox.v1.LeaseService/ResetDevices': Row(
        lambda t, f: device(f), lambda t: [device(t.partition)],
        line='reset device 0 of partition {fresh}: of-{fresh} of {user} on',
        needs=True),
    '/ipubox.v1.LeaseService/InspectDevice': Row(
        lambda t, f: device(f), lambda t: [device(t.partition)],
        needs=True),
    '/grpc.health.v1.Health/Check': Row(lambda t, f: {}, role='open'),
    '/grpc.health.v1.Health/Watch': Row(
        lambda t, f: {}, role='open', limit=1),
}

FIRST = {}              # "root": who may look at everything


def message(path, fields):
    """The bytes of a request."""
    service, method = path[1:].split('/')
    name = SERVICES[service].methods_by_name[method].input_type.full_name
    return MESSAGES[name](**fields).SerializeToString()


def reply_of(path, got):
    service, method = path[1:].split('/')
    name = SERVICES[service].methods_by_name[method].output_type.full_name
    return MESSAGES[name].FromString(got[2][0])


def call(caller, path, fields, limit=None):
    return caller.ask(path, [message(path, fields)], limit)


def as_root(method, **fields):
    got = call(FIRST['root'], OURS + method, fields)
    if got[0] != 'OK':
        raise SystemExit(f'root is refused {method} {fields}: {got}')
    return reply_of(OURS + method, got)


def snapshot():
    return as_root('GetSnapshot').snapshot


def replacement():
    """The pod as it is, in place of itself."""
    s = snapshot()
    seat = MESSAGES['ipubox.v1.Seat']
    wanted_pod = MESSAGES['ipubox.v1.Inventory'](pod=s.pod, seats=[
        seat(name=p.name, id=p.id, placement=p.placement,
             allocation=p.allocation) for p in s.partitions])
    return {'base': hashlib.sha512(
        wanted_pod.SerializeToString()).digest(), 'wanted': wanted_pod}


def everything():
    """All that calls that are refused leave as it is."""
    s = as_root('GetSnapshot', with_ipus=True)
    s.snapshot.now_ms = 0
    return (s.SerializeToString(deterministic=True),
            as_root('ListUsers').SerializeToString(deterministic=True))


class Log(threading.Thread):
    """The server's log while it runs."""

    def __init__(self, file):
        super().__init__(daemon=True)
        self.file, self.lines = file, []
        self.more = threading.Condition()
        self.start()

    def run(self):
        for line in self.file:
            with self.more:
                self.lines.append(line.rstrip('\n'))
                self.more.notify_all()

    def expect(self, since, pattern, name):
        """A line that matches, behind those there were."""
        with self.more:
            check(self.more.wait_for(
                lambda: any(re.search(pattern, line)
                            for line in self.lines[since:]), PATIENCE),
                f'{name}: a line of {pattern}', self.lines[since:])


class Test:
    def __init__(self, log):
        self.log, self.count = log, 0
        self.serial = 0

    def fresh(self, row, path, thing):
        self.serial += 1
        name = f'new{self.serial}'
        if row.needs and row.role == 'administrator':
            as_root('CreateUser', name=name, change=change())
        elif row.needs:
            as_root('CreatePartition', request=wanted(thing, name))
        return name

    def good(self, who, caller, path, thing, forbidden):
        """It is let in, and the log says so."""
        row, name = ROWS[path], f'{path} for {who}'
        fresh = self.fresh(row, path, thing)
        since = len(self.log.lines)
        got = call(caller, path, row.own(thing, fresh), row.limit)
        self.count += 1
        same((got[0], len(got[2]) > 0), ('OK', True), f'{name}: {got[1]}')
        shown = b''.join(got[2]) + (got[1] or '').encode()
        for word in forbidden:
            check(word.encode() not in shown, f'{name} shows {word}')
        if row.line is not None:
            text = row.line.format(
                fresh=fresh, user='root' if caller.by == 'administrator'
                else caller.by)
            self.log.expect(since, f'{text}.* by {caller.by}, '
                            f'{re.escape(caller.origin)}', name)
        for p in snapshot().partitions:
            if p.name == fresh:
                as_root('RemovePartition', name=fresh, force=True)

    def bad(self, who, caller, path, fields, status, logged=True):
        """It is refused: its sentence."""
        name = f'{path} for {who}'
        since = len(self.log.lines)
        got = call(caller, path, fields, ROWS[path].limit)
        self.count += 1
        same((got[0], got[2]), (status, []), f'{name}: {got[1]}')
        if logged:
            # Of very many a later line says how many they were.
            self.log.expect(since, f'refused {re.escape(path)} from '
                            f'{re.escape(caller.origin)}|: [0-9]+ more lines '
                            'like the last ones are left out', name)
        return got[1]

    def foreign(self, who, caller, path, theirs):
        """What is another's looks as if it were not."""
        row = ROWS[path]
        for real, none in zip(row.others(theirs), row.others(GHOST)):
            status, text, _ = call(caller, path, none)
            for field in ('partition', 'allocation', 'agent', 'user'):
                text = text.replace(getattr(GHOST, field),
                                    getattr(theirs, field))
            same(self.bad(who, caller, path, real, status, False), text,
                 f"{path} of another's for {who}")
            check(status in ('NOT_FOUND', 'INVALID_ARGUMENT'),
                  f'{path} of none for {who}', status)


def methods():
    """What the .proto files say that the server has."""
    return {f'/{name}/{method}' for name, service in SERVICES.items()
            for method in service.methods_by_name}


def command(*words):
    return subprocess.run(words, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def make_pod():
    """Ann and bob have a half of the pod each; cid is an administrator."""
    said = command('vipu-server', '--init', '--secure', '--default-user-id',
                   'ann')
    keys = {'ann': re.search(r'Access Key is: (\S+)', said)[1]}
    command('vipu-admin', 'update', 'allocation', 'default',
            '--remove-agents', 'ag[09-16]')
    command('vipu-admin', 'create', 'allocation', BOB.allocation,
            '--cluster', 'cl0', '--agents', 'ag[09-16]')
    for name, allocation in (('bob', BOB.allocation), ('cid', ''),
                             ('idle', '')):
        said = command('vipu-admin', 'create', 'user', name,
                       '--allocations', allocation)
        keys[name] = re.search(r"Access key is '(\S+)'", said)[1]
    os.chmod(os.environ['IPUBOX_STATE_DIR'], 0o711)
    with open('server.ini', 'w', encoding='utf-8') as file:
        file.write('[access]\nadministrators = cid\n')
    return keys


def user(name, key=None):
    found = [('ipubox-user', name)]
    return found + [('ipubox-key', key)] if key is not None else found


def named(caller, by):
    caller.by = by
    return caller


def run(port, log, keys):
    socket = os.path.join(os.environ['IPUBOX_STATE_DIR'], 'vipu.sock')
    relay = Relay(port)
    root = FIRST['root'] = named(Local(0, socket), 'administrator')
    for thing in (ANN, BOB):
        as_root('CreatePartition', request={
            'name': thing.partition, 'size': 4, 'reconfigurable': True,
            'allocation': thing.allocation})
    users = [(name, thing, other, caller) for thing, other in
             ((ANN, BOB), (BOB, ANN)) for name, caller in
             ((f'{thing.user} over TCP', named(Remote(
                 port, user(thing.user, keys[thing.user])), thing.user)),
              (f'{thing.user} on the host', named(Local(
                  UIDS[thing.user], socket), thing.user)))]
    administrators = [
        ('root', root),
        ('cid over TCP', named(Remote(port, user('cid', keys['cid'])),
                               'cid')),
        ('cid on the host', named(Local(UIDS['cid'], socket), 'cid'))]
    refused = [
        ('nobody', Remote(port)),
        ('no key', Remote(port, user('bob'))),
        ('a wrong key', Stranger(relay, user('bob', 'wrong'))),
        ("another's key", Stranger(relay, user('bob', keys['ann']))),
        ('an unknown user', Stranger(relay, user('eve', keys['ann']))),
        ('an outsider on the host', Local(UIDS['dan'], socket)),
        ('a uid without an account', Local(NO_ACCOUNT, socket)),
        ('ann on the host as bob', Local(UIDS['ann'], socket, user('bob'))),
        ('ann on the host as root', Local(UIDS['ann'], socket,
                                          user('root')))]
    everybody = [one[-1] for one in users + administrators + refused]
    test = Test(log)
    same(methods(), set(ROWS), 'a row for each method')
    # Programs of both hold devices meanwhile.
    for thing in (ANN, BOB):
        hold(port, user(thing.user, keys[thing.user]), thing)
    for path, row in ROWS.items():
        for name, thing, other, caller in users:
            if row.role != 'administrator':
                test.good(name, caller, path, thing, other.agents + [
                    other.partition, other.allocation])
        for name, caller in administrators:
            test.good(name, caller, path, BOB, ())
        before = everything()
        for name, thing, other, caller in users:
            if row.role == 'administrator':
                test.bad(name, caller, path, row.own(other, 'x'),
                         'PERMISSION_DENIED')
            else:
                test.foreign(name, caller, path, other)
        for i, (name, caller) in enumerate(refused):
            if skipped(i, path):
                continue
            if row.role == 'open':
                test.good(name, caller, path, BOB, ())
            else:
                test.bad(name, caller, path, row.own(BOB, 'x'),
                         'UNAUTHENTICATED')
        same(everything() == before, True, f'{path}: nothing is changed')
    for caller in everybody:
        caller.close()
    return test.count


def skipped(number, path):
    """Wrong keys take their time, and so do many lines of the log: without
    FULL each method sees every third of those who are refused."""
    return (not os.environ.get('FULL') and
            (number + sorted(ROWS).index(path)) % 3 != 0)


HELD = []


def hold(port, metadata, thing):
    """A device, until the test ends."""
    import grpc
    path = '/ipubox.v1.LeaseService/AttachDevice'
    over = threading.Event()

    def requests():
        yield message(path, wish(thing.partition))
        over.wait()
    channel = grpc.insecure_channel(f'127.0.0.1:{port}', (
        ('grpc.use_local_subchannel_pool', 1),))
    stream = channel.stream_stream(path, None, None)(
        requests(), metadata=metadata)
    next(stream)
    HELD.append((channel, stream, over))


def main():
    keys = make_pod()
    with Server('--secure', '--config', 'server.ini') as server:
        log = Log(server.process.stderr)
        count = run(server.port, log, keys)
        for channel, stream, over in HELD:
            over.set()
            stream.cancel()
            channel.close()
        check(count > 9 * len(ROWS), 'all of it was asked', count)
        if 'COUNT' in os.environ:
            print(f'{count} calls')
        check(not any(key in line for line in log.lines
                      for key in keys.values()), 'no key is in the log')
        server.process.terminate()
        server.process.wait(WAIT)


main()
