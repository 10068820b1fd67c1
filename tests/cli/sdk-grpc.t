#needs python3:grpc
A client of vipu-server whose code protoc generates from the files that
ipubox --install-sdk writes: the example of ipubox-controller(7).

  $ ipubox --install-sdk sdk > /dev/null
  $ protoc -I sdk/proto --python_out . ipubox_v1.proto ipubox_lease.proto virmgrpc.proto health.proto
  $ mkfifo log; vipu-server --listen 127.0.0.1:0 2> log & server=$!; exec 3< log; read -r line <&3; port=${line##*:}
  $ sed -n '/^import grpc/,/^\$ python3/p' "$TESTDIR/../man/ipubox-controller.7" | sed "\$d; s/8090/$port/" > create.py

  $ export PYTHONDONTWRITEBYTECODE=1
  $ python3 create.py
  p
  $ vipu list partitions -q
  p

The other services, with no code from elsewhere:

  $ cat > other.py <<'Y'
  > import sys
  > import grpc
  > import health_pb2, ipubox_lease_pb2, virmgrpc_pb2
  > channel = grpc.insecure_channel('127.0.0.1:' + sys.argv[1])
  > def call(path, request, reply):
  >     return channel.unary_unary(path, type(request).SerializeToString, reply.FromString)(request)
  > print(call('/grpc.health.v1.Health/Check', health_pb2.HealthCheckRequest(service='ipubox.v1.LeaseService'), health_pb2.HealthCheckResponse))
  > for p in call('/virmgrpc.UserService/ListPartitions', virmgrpc_pb2.ListPartitionsRequest(), virmgrpc_pb2.ListPartitionsReply).partitions:
  >     print(p.id, len(p.spec.ipus))
  > print(len(call('/ipubox.v1.LeaseService/InspectDevice', ipubox_lease_pb2.DeviceRequest(partition='p', gcd=-1, device=0), ipubox_lease_pb2.InspectDeviceReply).ipus))
  > Y
  $ python3 other.py "$port"
  status: SERVING
  
  p 16
  1

Reflection, which a server of earlier versions had, is not a service:

  $ cat > reflection.py <<'Y'
  > import sys
  > import grpc
  > channel = grpc.insecure_channel('127.0.0.1:' + sys.argv[1])
  > for version in 'v1', 'v1alpha':
  >     try:
  >         next(channel.stream_stream(f'/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo')(iter([b'\x3a\x00'])))
  >     except grpc.RpcError as error:
  >         print(version, error.code().name)
  > Y
  $ python3 reflection.py "$port"
  v1 UNIMPLEMENTED
  v1alpha UNIMPLEMENTED
  $ kill $server; wait $server
