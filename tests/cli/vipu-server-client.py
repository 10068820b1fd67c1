"""The methods of virmgrpc, each field both ways, as an ordinary client of the
published contract sees them.  Prints what is not as it should be.
"""
import json
import os
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ['TESTDIR'], 'cli'))
from vipu_server_client import (Client, Server, check, ipu, pb, refused, same)


def vipu(*words):
    return subprocess.run(('vipu',) + words, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def configs(name):
    """What stands in its IPUoF files: GCD by GCD."""
    text = vipu('get', 'partition', name, '--ipuof-configs')
    got = json.loads(text.split('\n', 1)[1])
    return got if isinstance(got, list) else [got]


def own_record(name):
    """What the contract has no field for."""
    return json.loads(vipu('get', 'partition', name, '--showjson'))[
        'ipubox']


def wanted(**fields):
    return {'requirements': pb.PartitionRequirements(**fields)}


def version(api):
    own = subprocess.run(['vipu-server', '--version'], text=True,
                         stdout=subprocess.PIPE, check=True).stdout.split()
    same(api.GetVersion().version, own[1], 'the version')


def one_ild(api):
    """A partition with nothing but a size, and with everything."""
    same(api.CreatePartition(**wanted(id='a', size=4)).partition_id, 'a',
         'the reply to a creation')
    got = api.ListPartitions().partitions
    same(len(got), 1, 'partitions')
    spec = pb.PartitionSpec(
        cluster_id='cl0', ipus=[ipu(i, i) for i in range(4)],
        ipulink_routing_type='IRT_DNC', sync_type='ST_GS2_DEFAULT',
        num_gcds=1, num_ipulink_segments=1, num_replicas=1,
        gw_routing_type='GRT_UNDEFINED', allocation_id='default')
    server = configs('a')[0]['attributes']['IPUoF Server Version']
    same(got[0], pb.Partition(id='a', spec=spec, ready_state='PS_ACTIVE',
                              ipuof_server_version=server),
         'a partition of defaults')
    check(server != '', 'an IPUoF server version')
    api.CreatePartition(disable_auto_reset=True, relocatable=True, **wanted(
        id='b', size=8, cluster_id='cl0', ipulink_routing_type='IRT_DNC',
        num_ipulink_segments=1, sync_type='ST_POD_NATIVE_DEFAULT',
        num_gcds=2, num_replicas=4, allocation_id=spec.allocation_id))
    got = api.ListPartitions().partitions[1]
    spec = got.spec
    same((got.id, spec.num_gcds, spec.num_replicas, spec.num_ipulink_segments,
          spec.sync_type, spec.reconfigurable),
         ('b', 2, 4, 1, pb.ST_POD_NATIVE_DEFAULT, False),
         'what was asked for')
    same([(i.topology_id, i.routing_id) for i in spec.ipus],
         [(8 + i, i) for i in range(8)], 'IPUs')
    own = own_record('b')
    same((own['relocatable'], own['disable_auto_reset']), (True, True),
         'what the contract does not tell back')
    api.CreatePartition(**wanted(id='c', size=2, reconfigurable=True))
    same(api.ListPartitions().partitions[2].spec.reconfigurable, True,
         'a reconfigurable one')
    api.CreatePartition(**wanted(
        id='d', size=32, ipulink_routing_type='IRT_SWNC'))
    same(api.ListPartitions().partitions[3].spec.ipulink_routing_type,
         pb.IRT_SWNC, 'the routing')


def chosen(api):
    """The IPUs that the client names."""
    api.CreatePartition(**wanted(id='e', ipus=[ipu(20, 0)]))
    same([i.topology_id for i in api.ListPartitions(
        ).partitions[4].spec.ipus], [20], 'the one IPU that was named')
    api.RemovePartition(partition_id='e')
    ipus = [ipu(24 + i, i) for i in range(4)]
    api.CreatePartition(**wanted(id='e', size=4, ipus=ipus))
    same([i.topology_id for i in api.ListPartitions(
        ).partitions[4].spec.ipus], [24, 25, 26, 27], 'named IPUs')
    refused(api.CreatePartition, 'RESOURCE_EXHAUSTED', 'ag07:0',
            'named IPUs that are taken', **wanted(id='f', ipus=ipus))
    refused(api.CreatePartition, 'INVALID_ARGUMENT', 'neighbouring',
            'IPUs in no order', **wanted(id='f', ipus=ipus[::-1]))
    refused(api.CreatePartition, 'INVALID_ARGUMENT', 'not in cluster',
            'an IPU that there is not', **wanted(id='f', ipus=[
                pb.PartitionIpu(topology_id=64)]))
    refused(api.CreatePartition, 'INVALID_ARGUMENT', 'not in cluster',
            'a domain that there is not', **wanted(id='f', ipus=[
                pb.PartitionIpu(ipulink_domain_topology_id=4294967295)]))


def lists(api):
    name = api.ListPartitions().partitions[0].spec.allocation_id
    same(len(api.ListPartitions(allocation_id=name).partitions), 5,
         'partitions of an allocation')
    refused(api.ListPartitions, 'NOT_FOUND', "'other'",
            'an allocation that there is not', allocation_id='other')
    before = api.ListPartitions()
    same(api.ListPartitions(), before, 'the same list again')
    vipu('remove', 'partition', 'e')
    same([p.id for p in api.ListPartitions().partitions],
         ['a', 'b', 'c', 'd'], 'a list behind a change by another')


def status(api):
    got = api.GetPartitionStatus(partition_id='b').status
    same(got, pb.PartitionStatus(
        partition_id='b', ready_state='PS_ACTIVE',
        operation_state='POS_IDLE'), 'the status of one without resets')
    got = api.GetPartitionStatus(partition_id='a').status
    same(got, pb.PartitionStatus(
        partition_id='a', ready_state='PS_ACTIVE',
        operation_state='POS_IDLE', max_auto_reset_retries=10), 'a status')
    refused(api.GetPartitionStatus, 'NOT_FOUND',
            'the partition does not exist', 'the status of none',
            partition_id='z')
    refused(api.GetPartitionStatus, 'NOT_FOUND',
            'the partition does not exist', 'the status of no name')


def lost(api):
    """A machine that is down shows in the status."""
    vipu_admin('inject', 'ag01', 'down')
    got = api.GetPartitionStatus(partition_id='a').status
    same((got.ready_state, len(got.errors)), (pb.PS_ERROR, 1), 'a lost one')
    check('ag01' in got.errors[0], 'the reason', got.errors)
    vipu_admin('inject', 'ag01', 'up')
    for _ in range(400):
        got = api.GetPartitionStatus(partition_id='a').status
        if got.ready_state == pb.PS_ACTIVE:
            break
    same(got.ready_state, pb.PS_ACTIVE, 'it is back')
    same(got.auto_reset_retry_count, 1, 'automatic resets')
    check(got.last_auto_reset_time.seconds > 1600000000,
          'the time of the last one', got)


def vipu_admin(*words):
    subprocess.run(('vipu-admin',) + words, check=True,
                   stdout=subprocess.DEVNULL)


def config(api):
    """The same as in the file that vipu writes."""
    for name, gcds in (('a', 1), ('b', 2)):
        got = api.GetPartitionIpuofConfig(partition_id=name).ipuof_config
        same(len(got.gcd_configs), gcds, 'GCDs')
        for m, wanted_gcd in zip(got.gcd_configs, configs(name)):
            same(dict(m.attributes),
                 {k: v for k, v in wanted_gcd['attributes'].items()
                  if not k.startswith('ipubox ')}, 'attributes')
            same([{field.name: getattr(d, field.name)
                   for field in d.DESCRIPTOR.fields} for d in m.devices],
                 wanted_gcd['devices'], 'devices')
    same((got.ipulink_routing_type, got.sync_type, got.reconfigurable,
          got.gw_routing_type, got.num_ipulink_segments),
         (pb.IRT_DNC, pb.ST_POD_NATIVE_DEFAULT, False, pb.GRT_UNDEFINED, 1),
         'the configuration')
    check(got.ipuof_server_version != '', 'its version')
    one = pb.GetPartitionIpuofConfigRequest.GcdID(id=1)
    got = api.GetPartitionIpuofConfig(partition_id='b', gcd_id=one)
    same([d.routing_id for d in got.ipuof_config.gcd_configs[0].devices],
         [4, 5, 6, 7], 'the devices of one GCD')
    first = pb.GetPartitionIpuofConfigRequest.GcdID()
    got = api.GetPartitionIpuofConfig(partition_id='b', gcd_id=first)
    same(len(got.ipuof_config.gcd_configs), 1, 'GCD 0 alone')
    refused(api.GetPartitionIpuofConfig, 'INVALID_ARGUMENT', 'GCDs 0 to 1',
            'a GCD that there is not', partition_id='b',
            gcd_id=pb.GetPartitionIpuofConfigRequest.GcdID(id=2))
    refused(api.GetPartitionIpuofConfig, 'INVALID_ARGUMENT', 'GCDs 0 to 1',
            'a GCD that no partition has', partition_id='b',
            gcd_id=pb.GetPartitionIpuofConfigRequest.GcdID(id=4294967295))


def attributes(api):
    got = api.ListIPUAttributes().entries
    same(len(got), 16, 'agents')
    wanted_rows = json.loads(vipu('list', 'ipu-attrs', '--agents', 'ag02',
                                  '--showjson'))
    got = api.ListIPUAttributes(agents=['ag02']).entries
    same([{'agent': e.agent, 'ipu_attributes': {
        str(n): {'attributes': dict(a.attributes)}
        for n, a in e.ipu_attributes.items()}} for e in got],
        wanted_rows, 'attributes of an agent')
    refused(api.ListIPUAttributes, 'NOT_FOUND', 'agent ag99',
            'an agent that there is not', agents=['ag02', 'ag99'])


def changes(api):
    api.ResetPartition(partition_id='a', relocatable=True)
    own = own_record('a')
    same(own['relocatable'], True, 'a reset makes it relocatable')
    api.ResetPartition(partition_id='a')
    own = own_record('a')
    same(own['relocatable'], True, 'and another one leaves it so')
    refused(api.ResetPartition, 'NOT_FOUND', 'the partition does not exist',
            'a reset of none', partition_id='z')
    refused(api.RemovePartition, 'NOT_FOUND', 'the partition does not exist',
            'a removal of none', partition_id='z', force=True)


def bad(api):
    """Requests that no server could fulfil."""
    for name, fields in (
            ('empty', {'size': 4}), ("'a/b'", {'id': 'a/b', 'size': 4}),
            ('\\x1b', {'id': 'a\x1b', 'size': 4}),
            ('size 0', {'id': 'n'}), ('size 3', {'id': 'n', 'size': 3}),
            ('size 4294967295', {'id': 'n', 'size': 4294967295}),
            ('num-gcds 3', {'id': 'n', 'size': 4, 'num_gcds': 3}),
            ('num_replicas', {'id': 'n', 'size': 4,
                              'num_replicas': 2147483648}),
            ('sync type', {'id': 'n', 'size': 4, 'sync_type': 2}),
            ('sync_type 9', {'id': 'n', 'size': 4, 'sync_type': 9}),
            ('gw_routing_type 4', {'id': 'n', 'size': 4,
                                   'gw_routing_type': 4}),
            ('too large', {'id': 'n', 'size': 4, 'gw_routing_type': -1}),
            ('ipulink_routing_type 5', {'id': 'n', 'size': 4,
                                        'ipulink_routing_type': 5}),
            ('cluster', {'id': 'n', 'size': 4, 'cluster_id': '../x'})):
        refused(api.CreatePartition, 'INVALID_ARGUMENT', name,
                f'a request of {name}', **wanted(**fields))
    refused(api.CreatePartition, 'INVALID_ARGUMENT', 'requirements',
            'a request of nothing')
    refused(api.CreatePartition, 'ALREADY_EXISTS', 'a',
            'a name in use', **wanted(id='a', size=1))
    refused(api.CreatePartition, 'RESOURCE_EXHAUSTED', 'free',
            'more than there is now', **wanted(id='n', size=64))
    refused(api.CreatePartition, 'INVALID_ARGUMENT', '',
            'more than there ever is', **wanted(id='n', size=128,
                                                num_gcds=2))
    refused(api.CreatePartition, 'NOT_FOUND', 'nowhere',
            'an allocation that there is not',
            **wanted(id='n', size=4, allocation_id='nowhere'))
    raw = api.channel.unary_unary('/virmgrpc.UserService/CreatePartition')
    refused(lambda: raw(b'\x12\xff', timeout=10), 'INVALID_ARGUMENT', '',
            'bytes that are no message')
    raw = api.channel.unary_unary('/virmgrpc.UserService/Destroy')
    refused(lambda: raw(b'', timeout=10), 'UNIMPLEMENTED', 'Destroy',
            'a method that there is not')


def slow_removal(api):
    """The answer comes when it is gone, and others are served meanwhile."""
    vipu_admin('inject', 'ag01', 'slow', '300')
    future = api.channel.unary_unary(
        '/virmgrpc.UserService/RemovePartition').future(
            pb.RemovePartitionRequest(partition_id='a').SerializeToString(),
            timeout=20)
    got = api.GetPartitionStatus(partition_id='a').status
    same((got.ready_state, got.operation_state),
         (pb.PS_REMOVED, pb.POS_REMOVING), 'one that goes')
    same(future.done(), False, 'its caller waits')
    same(future.result(), b'', 'and is answered')
    refused(api.GetPartitionStatus, 'NOT_FOUND', '', 'when it is gone',
            partition_id='a')


def readiness():
    """What a service manager is told, by a path and by a name; and probes."""
    for address in (os.path.join(os.environ['TMPDIR'], 'notify'),
                    f'\0ipubox-test-{os.getpid()}'):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.settimeout(20)
            manager.bind(address)
            os.environ['NOTIFY_SOCKET'] = address.replace('\0', '@')
            with Server() as server:
                same(manager.recv(64), b'READY=1', 'it is ready')
                api = Client(server.port)
                health = api.channel.unary_unary(
                    '/grpc.health.v1.Health/Check')
                same(health(b'\x0a\x14virmgrpc.UserService', timeout=10),
                     b'\x08\x01', 'the health of a service')
                refused(lambda: health(b'\x0a\x01x', timeout=10),
                        'NOT_FOUND', '', 'the health of none')
                api.close()
                same(server.end(), 0, 'it ends well')
                same(manager.recv(64), b'STOPPING=1', 'it stops')
    del os.environ['NOTIFY_SOCKET']


def main():
    readiness()
    with Server() as server:
        api = Client(server.port)
        version(api)
        same(list(api.ListPartitions().partitions), [], 'no partition')
        for step in (one_ild, chosen, lists, status, lost, config,
                     attributes, changes, bad, slow_removal):
            step(api)
        for name in 'bcd':
            api.RemovePartition(partition_id=name)
        same(list(api.ListPartitions().partitions), [], 'all are removed')
        api.close()
        same(server.end(), 0, 'it ends well')
        lines = [line.split(': ', 1)[1] for line in server.said]
        for start in ('create partition a (4 IPUs) by an unnamed user, '
                      '127.0.0.1:',
                      'reset partition a, relocatable from now on by an '
                      'unnamed user',
                      'remove partition a by an unnamed user, 127.0.0.1:',
                      'stopped'):
            check(any(line.startswith(start) for line in lines),
                  f'a line of {start}', lines)


main()
