"""Kill -9 of vipu-server under load: vipu-server-kills.py [SECONDS]

A few clients create and remove partitions of their own, and programs want the
devices of one; the server is killed at any moment and started again.  A call
that was answered has happened; one that was not may have.  A device that was
held is lost, its program is told so, and it is free for the next one; so goes a
partition whose owner was a lease.  Prints what is wrong.
"""
import os
import random
import select
import signal
import subprocess
import sys
import threading
import time

import grpc

sys.path.insert(0, os.path.join(os.environ['TESTDIR'], 'cli'))
from vipu_server_client import Client, Server, check, pb, same

CLIENTS = 4
PROGRAMS = 3            # that want DEVICES
DEVICES = 2
WAIT = 10
LEAST_KILLS = 4
LEAST_CALLS = 21
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 10
SEED = int(os.environ.get('SEED', random.randrange(1 << 30)))


class Load(threading.Thread):
    """One client and what it knows: a name is there, is not, or may be."""

    def __init__(self, number, port):
        super().__init__()
        self.api = Client(port)
        self.number = number
        self.sure = {}
        self.acknowledged = 0
        self.random = random.Random(f'{SEED}-{number}')

    def known(self, state):
        self.sure = state
        return self

    def step(self):
        name = f'p{self.number}-{self.random.randrange(4)}'
        there = self.sure.get(name, False)
        self.sure[name] = None
        try:
            if there:
                self.api.RemovePartition(partition_id=name)
            else:
                self.api.CreatePartition(
                    requirements=pb.PartitionRequirements(id=name, size=1))
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE:
                # It was looked at and refused: nothing has happened.
                self.sure[name] = there
                check(False, f'{name} seed {SEED}', error)
            raise
        self.sure[name] = not there
        self.acknowledged += 1

    def run(self):
        try:
            while True:
                self.step()
        except grpc.RpcError:
            self.api.close()


class Program:
    """One that holds a device, or would; number 0 by the server's socket."""

    def __init__(self, number, port):
        env = dict(os.environ, IPUOF_VIPU_API_PARTITION_ID='held')
        if number != 0:
            env.update(IPUOF_VIPU_API_HOST='127.0.0.1',
                       IPUOF_VIPU_API_PORT=str(port))
        self.process = subprocess.Popen(
            ('ipubox', '__device'), env=env, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.answer()
        self.say('attach 1 -1')

    def say(self, words):
        print(words, file=self.process.stdin, flush=True)

    def answer(self):
        """Its next line, which comes soon."""
        ready = select.select([self.process.stdout], [], [], WAIT)[0]
        return self.process.stdout.readline() if ready else 'nothing'

    def attach(self):
        self.first = self.answer()
        return self.first.startswith('ok')

    def hear_of_loss(self):
        """What it is told when its server was killed."""
        text, end = 'ok', time.monotonic() + WAIT
        while text.startswith('ok') and time.monotonic() < end:
            self.say('check -1')
            text = self.answer()
        check('the device was lost with the V-IPU server at' in text,
              f'the program is told, seed {SEED}', text)

    def end(self):
        self.process.stdin.close()
        self.process.wait(WAIT)
        self.process.stdout.close()


def start_programs(port):
    """They want devices; as many as there are get one each."""
    programs = [Program(i, port) for i in range(PROGRAMS)]
    holders = [one for one in programs if one.attach()]
    same(len({one.first for one in holders}), len(holders),
         f'devices that are held twice, seed {SEED}')
    same(len(holders), DEVICES, f'programs with a device, seed {SEED}: '
         f'{[one.first for one in programs]}')
    return programs, holders


def start_lease(port, serial):
    """A partition as poprun has: an owner of the kind lease."""
    channel = grpc.insecure_channel(
        f'127.0.0.1:{port}', (('grpc.use_local_subchannel_pool', 1),))
    stream = channel.unary_stream(
        '/ipubox.v1.ControllerService/CreatePartition', None, None)(
            # request { name, size 1 }, owner { kind: a lease }
            b'\x0a' + bytes([2 + len(serial) + 2]) + b'\x0a' +
            bytes([len(serial)]) + serial + b'\x30\x01' +
            b'\x1a\x02\x08\x02')
    next(stream)
    return channel


def compare(names, states):
    """What there is against what is known; what may be is settled by it."""
    same(len(names), len(set(names)), f'names that stand twice, seed {SEED}')
    for state in states:
        for name, there in state.items():
            if there is None:
                state[name] = name in names
            else:
                same(name in names, there, f'{name}, seed {SEED}')


def main():
    moments = random.Random(SEED)
    states = [{} for _ in range(CLIENTS)]
    end = time.monotonic() + SECONDS
    acknowledged = kills = lost = 0
    leased = ''
    # A slow machine needs longer for the least that says something.
    while (time.monotonic() < end or kills < LEAST_KILLS
           or acknowledged < LEAST_CALLS):
        with Server() as server:
            api = Client(server.port)
            got = api.ListPartitions().partitions
            compare([p.id for p in got], states)
            taken = [i.topology_id for p in got for i in p.spec.ipus]
            same(len(taken), len(set(taken)), f'IPUs twice, seed {SEED}')
            check(leased not in [p.id for p in got],
                  f'the partition of a lease has gone, seed {SEED}', leased)
            if kills == 0:
                api.CreatePartition(requirements=pb.PartitionRequirements(
                    id='held', size=DEVICES, reconfigurable=True))
            same('held' in [p.id for p in api.ListPartitions().partitions],
                 True, f"the programs' partition, seed {SEED}")
            api.close()
            leased = f'lease{kills}'
            channel = start_lease(server.port, leased.encode())
            programs, holders = start_programs(server.port)
            loads = [Load(i, server.port).known(states[i])
                     for i in range(CLIENTS)]
            for load in loads:
                load.start()
            # The moment of the kill is what is tried.
            loads[0].join(moments.uniform(0.01, 0.3))
            server.end(signal.SIGKILL)
            for load in loads:
                load.join()
                acknowledged += load.acknowledged
            for one in holders:
                one.hear_of_loss()
                lost += 1
            for one in programs:
                one.end()
            channel.close()
            kills += 1
    if 'COUNTS' in os.environ:
        print(f'seed {SEED}: {kills} kills of the server, {acknowledged} '
              f'calls acknowledged, {lost} devices lost and told so')


main()
