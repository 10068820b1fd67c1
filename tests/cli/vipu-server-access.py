"""Who is let in by vipu-server, and to what: users with keys over TCP."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ['TESTDIR'], 'cli'))
from vipu_server_client import (Client, Server, check, pb, refusal, refused,
                                same)


def run(*words):
    return subprocess.run(words, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def user(name, key):
    return (('ipubox-user', name), ('ipubox-key', key))


def create(api, name, **fields):
    return refusal(api.CreatePartition, requirements=pb.PartitionRequirements(
        id=name, size=4, **fields))[0]


def names(api):
    return [p.id for p in api.ListPartitions().partitions]


def make_user(name):
    """A user of the right half: its key."""
    said = run('vipu-admin', 'create', 'user', name, '--allocations', 'right')
    return re.search(r"Access key is '(\S+)'", said)[1]


def wall(port, key, bobs):
    """Ann has a half of the pod, bob the other one; neither sees all."""
    ann = Client(port, user('ann', key))
    bob = Client(port, user('bob', bobs))
    same(names(ann), [], "ann's partitions")
    same(create(ann, 'a'), 'OK', 'ann creates')
    same(create(bob, 'b', allocation_id='right'), 'OK', 'bob creates')
    same((names(ann), names(bob)), (['a'], ['b']), 'each sees its own')
    same(create(ann, 'x', allocation_id='right'), 'NOT_FOUND',
         "an allocation of bob's")
    for ask in (ann.GetPartitionStatus, ann.RemovePartition,
                ann.ResetPartition, ann.GetPartitionIpuofConfig):
        refused(ask, 'NOT_FOUND', 'the partition does not exist',
                "what is bob's", partition_id='b')
    refused(ann.ListPartitions, 'NOT_FOUND', "'right'",
            "a list of bob's allocation", allocation_id='right')
    refused(ann.ListIPUAttributes, 'NOT_FOUND', 'ag09', "bob's machines",
            agents=['ag09'])
    same([e.agent for e in ann.ListIPUAttributes().entries],
         [f'ag{i:02}' for i in range(1, 9)], "ann's machines")
    same(names(bob), ['b'], 'and nothing has changed')


def strangers(port, key, bobs, cids):
    """Nobody, wrong keys, and names that are none."""
    nobody = Client(port)
    for name in ('ListPartitions', 'ListIPUAttributes', 'CreatePartition',
                 'RemovePartition', 'ResetPartition', 'GetPartitionStatus',
                 'GetPartitionIpuofConfig'):
        refused(nobody.methods[name], 'UNAUTHENTICATED', 'no user is named',
                f'{name} for nobody')
    check(nobody.GetVersion().version != '', 'the version is for all')
    for who, words in ((user('bob', 'wrong'), 'user bob is unknown'),
                       (user('eve', key), 'user eve is unknown'),
                       (user('../bob', key), 'user name'),
                       (user('bob', 'k' * 64), 'shorter'),
                       ((('ipubox-user', 'bob'),), 'needs an access key'),
                       ((('ipubox-key', key),), 'name the user')):
        refused(Client(port, who).ListPartitions, 'UNAUTHENTICATED', words,
                words)
    got = [refusal(Client(port, user('bob', f'wrong{i}')).ListPartitions)[0]
           for i in range(8)]
    check(got[0] == 'UNAUTHENTICATED' and got[-1] == 'UNAVAILABLE',
          'wrong keys are slowed', got)
    refused(Client(port, user('cid', cids)).ListPartitions,
            'UNAVAILABLE', 'try again', 'a key that was not seen waits')
    same(names(Client(port, user('bob', bobs))), ['b'],
         'one that was seen does not')


def changed_key(port, bobs):
    os.remove('bob.vipu-cli.hcl')
    run('vipu-admin', 'update', 'user', 'bob', '--new-key')
    got = refusal(Client(port, user('bob', bobs)).ListPartitions)[0]
    check(got in ('UNAUTHENTICATED', 'UNAVAILABLE'),
          'an old key that was seen', got)


def main():
    said = run('vipu-server', '--init', '--secure', '--default-user-id',
               'ann')
    key = re.search(r'Access Key is: (\S+)', said)[1]
    run('vipu-admin', 'update', 'allocation', 'default', '--remove-agents',
        'ag[09-16]')
    run('vipu-admin', 'create', 'allocation', 'right', '--cluster', 'cl0',
        '--agents', 'ag[09-16]')
    bobs, cids = make_user('bob'), make_user('cid')
    with open('server.ini', 'w', encoding='utf-8') as file:
        file.write('[access]\nadministrators = root,cid\n')
    with Server('--secure', '--config', 'server.ini') as server:
        wall(server.port, key, bobs)
        strangers(server.port, key, bobs, cids)
        changed_key(server.port, bobs)
        same(server.end(), 0, 'it ends well')
        for words in ('create partition a (4 IPUs) by ann, 127.0.0.1:',
                      'refused /virmgrpc.UserService/ListPartitions from '
                      '127.0.0.1:'):
            check(any(words in line for line in server.said),
                  f'a line of {words}', server.said)
        check(not any(key in line for line in server.said),
              'no key stands in the log')
    with Server('--config', 'server.ini') as server:
        cid = Client(server.port, user('cid', cids))
        same(names(cid), ['a', 'b'], 'an administrator sees all')


main()
