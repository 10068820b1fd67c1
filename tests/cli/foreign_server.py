"""A V-IPU controller that somebody else wrote: the published contract and
nothing else, made of its numbers by protoc.  One cluster of 16 IPUs, in the
order of which partitions are placed.  It prints its port and serves until it is
killed; each call is a line in the file that the argument names.
"""
import os
import sys
from concurrent import futures

import grpc

sys.path.insert(0, os.path.join(os.environ['TESTDIR'], 'cli'))
from vipu_server_client import messages

IPUS = 16

pb = messages()
log = open(sys.argv[1], 'w', buffering=1)
partitions = {}


def refuse(context, code, text):
    context.abort(code, text)


def find(request, context):
    if request.partition_id not in partitions:
        refuse(context, grpc.StatusCode.NOT_FOUND,
               f'no such partition: {request.partition_id}')
    return partitions[request.partition_id]


def free_place(size):
    """The first of so many free IPUs, aligned; None: there are none."""
    taken = {ipu.topology_id for p in partitions.values()
             for ipu in p.spec.ipus}
    for first in range(0, IPUS, size):
        if not taken & set(range(first, first + size)):
            return first
    return None


def list_partitions(request, context):
    return pb.ListPartitionsReply(partitions=[
        partitions[name] for name in sorted(partitions)])


def create(request, context):
    wanted = request.requirements
    if wanted.id in partitions:
        refuse(context, grpc.StatusCode.ALREADY_EXISTS,
               f'partition {wanted.id} is there')
    first = free_place(wanted.size)
    if first is None:
        refuse(context, grpc.StatusCode.RESOURCE_EXHAUSTED,
               'not enough IPUs')
    p = pb.Partition(id=wanted.id, ready_state=pb.PS_ACTIVE,
                     ipuof_server_version='v1.9.0')
    p.spec.cluster_id = wanted.cluster_id or 'pod-a'
    p.spec.ipulink_routing_type = pb.IRT_DNC
    p.spec.sync_type = pb.ST_POD_NATIVE_DEFAULT
    p.spec.num_gcds = wanted.num_gcds or 1
    p.spec.num_replicas = wanted.num_replicas or 1
    p.spec.num_ipulink_segments = 1
    p.spec.reconfigurable = wanted.reconfigurable
    p.spec.gw_routing_type = pb.GRT_UNDEFINED
    for i in range(wanted.size):
        p.spec.ipus.add(topology_id=first + i, routing_id=i,
                        ipulink_domain_topology_id=0,
                        ipulink_domain_routing_id=0)
    # One that takes its time: its state is asked for until it is there.
    if wanted.id == 'late':
        p.ready_state = pb.PS_PENDING
    partitions[wanted.id] = p
    return pb.CreatePartitionReply(partition_id=wanted.id)


def remove(request, context):
    find(request, context)
    del partitions[request.partition_id]
    return pb.RemovePartitionReply()


def reset(request, context):
    find(request, context)
    return pb.ResetPartitionReply()


def status(request, context):
    p = find(request, context)
    p.ready_state = pb.PS_ACTIVE
    return pb.GetPartitionStatusReply(status=pb.PartitionStatus(
        partition_id=p.id, ready_state=p.ready_state,
        operation_state=pb.POS_IDLE))


def config(request, context):
    p = find(request, context)
    reply = pb.GetPartitionIpuofConfigReply()
    gcds = range(p.spec.num_gcds)
    if request.HasField('gcd_id'):
        gcds = [request.gcd_id.id]
    size = len(p.spec.ipus) // p.spec.num_gcds
    for gcd in gcds:
        one = reply.ipuof_config.gcd_configs.add()
        one.attributes['IPUoF Partition Id'] = p.id
        one.attributes['GCD Id'] = str(gcd)
        one.attributes['Num GCDs'] = str(p.spec.num_gcds)
        for ipu in p.spec.ipus[gcd * size:(gcd + 1) * size]:
            one.devices.add(ip='10.9.5.1', server_port=50052,
                            rdma_port=4791, device_id=ipu.topology_id % 4,
                            routing_id=ipu.routing_id, ipu_arch_id=2,
                            ipu_id=ipu.topology_id)
    return reply


def attributes(request, context):
    reply = pb.ListIPUAttributesReply()
    for agent in request.agents or ['far1', 'far2']:
        if agent not in ('far1', 'far2'):
            refuse(context, grpc.StatusCode.NOT_FOUND,
                   f'no such agent: {agent}')
        entry = reply.entries.add(agent=agent)
        for number in 0, 1:
            told = entry.ipu_attributes[number].attributes
            told['board type'] = 'M2000'
            told['colour'] = f'blue{number}'
    return reply


def version(request, context):
    return pb.VersionReply(version='1.17.0')


def handler(method, request, act):
    def call(message, context):
        log.write(method + '\n')
        return act(message, context)
    return grpc.unary_unary_rpc_method_handler(
        call, request_deserializer=request.FromString,
        response_serializer=lambda reply: reply.SerializeToString())


def service(name, methods):
    return grpc.method_handlers_generic_handler(
        'virmgrpc.' + name, {method: handler(method, request, act)
                             for method, (request, act) in methods.items()})


server = grpc.server(futures.ThreadPoolExecutor(2))
server.add_generic_rpc_handlers((
    service('UserService', {
        'ListPartitions': (pb.ListPartitionsRequest, list_partitions),
        'ListIPUAttributes': (pb.ListIPUAttributesRequest, attributes),
        'CreatePartition': (pb.CreatePartitionRequest, create),
        'RemovePartition': (pb.RemovePartitionRequest, remove),
        'ResetPartition': (pb.ResetPartitionRequest, reset),
        'GetPartitionIpuofConfig': (pb.GetPartitionIpuofConfigRequest,
                                    config),
        'GetPartitionStatus': (pb.GetPartitionStatusRequest, status)}),
    service('VersionService', {
        'GetVersion': (pb.VersionRequest, version)})))
print(server.add_insecure_port('127.0.0.1:0'), flush=True)
server.start()
server.wait_for_termination()
