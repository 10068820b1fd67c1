#needs python3:grpc
Our commands at a server of somebody else, which has the published contract and
nothing else.

  $ mkfifo port; PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/foreign_server.py" calls > port &
  $ read -r VIPU_CLI_API_PORT < port; export VIPU_CLI_API_HOST=127.0.0.1 VIPU_CLI_API_PORT

  $ vipu --server-version | sed 2d
  version: 1.17.0
  $ vipu create partition p --size 4 --num-gcds 2
  create partition (p): success
  $ vipu create partition q --size 8 --reconfigurable
  create partition (q): success
  vipu: warning: * holds 2 other files; programs ignore a directory with several partitions (set IPUOF_VIPU_API_PARTITION_ID) (glob)
  $ vipu list partitions
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  -----------------------------------------------------------------------------------------------
  pod-a       |            | p         | 1    | UNDEFINED  | DNC         | 4    | 2    | ACTIVE
  pod-a       |            | q         | 1    | UNDEFINED  | DNC         | 8    | 1    | ACTIVE
  -----------------------------------------------------------------------------------------------
  $ vipu status --size 4
  What is free is not known: the server does not say which IPUs are free.
  State       | Partitions
  --------------------------
  ACTIVE      | 2
  --------------------------
  Owner       | Partitions | IPUs | Attached
  --------------------------------------------
  ?           | 2          | 12   |
  --------------------------------------------
  What waits for IPUs is not known: the server does not report it.
  No place: the server does not say which IPUs are free.
  $ vipu wait p --for active
  wait (p): success.
  $ vipu get partition p | tail -2
  IPUs                 | 0=unknown1:0 1=unknown1:1 2=unknown1:2 3=unknown1:3
  ----------------------------------------------------------------------------
  $ vipu get partition p --format csv | tail -1
  p,pod-a,,4,1,IRT_DNC,GRT_UNDEFINED,ST_POD_NATIVE_DEFAULT,2,2,false,false,PS_ACTIVE,POS_IDLE,,,0,0,,,,unknown1:0 unknown1:1 unknown1:2 unknown1:3
  $ vipu get partition p --ipuof-configs --gcd 1 > gcd1
  $ grep -E 'GCD|Partition|Server' gcd1 | sed 's/,$//' | sort
      "GCD Id": "1"
      "IPUoF Partition Id": "p"
      "Num GCDs": "2"
      "V-IPU Server": "127.0.0.1:*" (glob)
  $ sed -n '/devices/,/}/p' gcd1 | sed 's/},/}/'
    "devices": [
      {
        "ip": "10.9.5.1",
        "server_port": 50052,
        "rdma_port": 4791,
        "device_id": 2,
        "ipulink_segment_id": 0,
        "routing_id": 2,
        "ipu_arch_id": 2,
        "ipu_id": 2,
        "chip_id": "",
        "gwsw_version": "",
        "ipum_sw_version": ""
      }
  $ ls ~/.ipuof.conf.d; grep -c "V-IPU Server" ~/.ipuof.conf.d/p_gcd0.conf
  p_gcd0.conf
  p_gcd1.conf
  q.conf
  1
  $ vipu env q
  export IPUOF_VIPU_API_HOST='127.0.0.1';
  export IPUOF_VIPU_API_PORT='*'; (glob)
  export IPUOF_VIPU_API_PARTITION_ID='q';
  unset IPUOF_VIPU_API_GCD_ID;
  unset IPUOF_CONFIG_PATH;
  export POPLAR_TARGET_OPTIONS='{"ipuLinkDomainSize":"8","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"8"}';
  $ vipu exec q -- sh -c 'echo $IPUOF_VIPU_API_PARTITION_ID'
  q
  $ vipu reset partition p
  reset partition (p): success
  $ vipu create partition p --size 4
  create partition (p): failed: partition p is there.
  [1]
  $ vipu create partition r --size 8
  create partition (r): failed: not enough IPUs.
  [1]
  $ vipu remove partition none
  remove partition (none): failed: the partition does not exist; vipu list partitions shows the existing ones.
  [1]
  $ vipu remove partition p; vipu remove partition q --force; vipu list partitions -q; ls ~/.ipuof.conf.d
  remove partition (p): success
  remove partition (q): success
  $ poprun --vipu-partition job --update-partition=yes --remove-partition=yes --launcher local --num-instances 2 --num-replicas 2 --ipus-per-replica 2 sh -c 'vipu list partitions -q; echo $IPUOF_VIPU_API_HOST $IPUOF_VIPU_API_PARTITION_ID $IPUOF_VIPU_API_GCD_ID' | sort
  [1,0]<stdout>:127.0.0.1 job 0
  [1,0]<stdout>:job
  [1,1]<stdout>:127.0.0.1 job 1
  [1,1]<stdout>:job
  $ vipu list partitions -q; ls ~/.ipuof.conf.d
  $ vipu create partition late --size 1 && vipu list partitions --format csv | cut -d, -f1,9- ; vipu remove partition late
  create partition (late): success
  id,num_gcds,num_replicas,reconfigurable,relocatable,ready_state,operation_state,error,error_time,auto_reset_retry_count,owner_uid,created_time,changed_time,expires_time,ipus
  late,1,1,false,false,PS_ACTIVE,POS_IDLE,,,0,0,,,,unknown1:0
  remove partition (late): success
  $ vipu create partition p --size 2 && poprun --launcher local --vipu-partition p --num-instances 1 --num-replicas 1 --ipus-per-replica 2 ipubox train mlp --dataset generated --epochs 1 2>&1 | sed "s/:$VIPU_CLI_API_PORT/:PORT/; s/pid [0-9]*/pid PID/"
  create partition (p): success
  [1,0]<stderr>:ipubox-train: Failed to acquire 2 IPU(s)
  [1,0]<stderr>:the server at 127.0.0.1:PORT can only show and change partitions: a program that attaches needs a vipu-server of ipubox
  POPRUN ERROR: instance 0 (pid PID) exited with status 1
  $ vipu list ipu-attrs
   Agent      | IPU | Attribute  | Value
  ---------------------------------------
   far1       | 0   | board type | M2000
              |     | colour     | blue0
              | 1   | board type | M2000
              |     | colour     | blue1
   far2       | 0   | board type | M2000
              |     | colour     | blue0
              | 1   | board type | M2000
              |     | colour     | blue1
  ---------------------------------------
  $ vipu list ipu-attrs --agents 'far[2-2]' --format csv
  id,agent,ipu,attribute,value
  far2:0,far2,0,board type,M2000
  far2:0,far2,0,colour,blue0
  far2:1,far2,1,board type,M2000
  far2:1,far2,1,colour,blue1
  $ vipu list ipu-attrs --agents far2 --format json
  [
    {
      "agent": "far2",
      "ipu_attributes": {
        "0": {
          "attributes": {
            "board type": "M2000",
            "colour": "blue0"
          }
        },
        "1": {
          "attributes": {
            "board type": "M2000",
            "colour": "blue1"
          }
        }
      }
    }
  ]
  $ vipu list ipu-attrs -q | xargs
  far1:0 far1:1 far2:0 far2:1
  $ vipu list ipu-attrs --agents near
  list ipu-attrs: failed: no such agent: near.
  [1]
  $ sort -u calls
  CreatePartition
  GetPartitionIpuofConfig
  GetPartitionStatus
  GetVersion
  ListIPUAttributes
  ListPartitions
  RemovePartition
  ResetPartition

What it has not:

  $ cat > lacks <<'END'
  > vipu list allocations
  > vipu create partition x --size 1 --options
  > vipu create partition x --size 1 --cluster pod-a --index 1
  > vipu create partition x --size 1 --ttl 1h
  > vipu create partition x --size 1 --wait
  > vipu reset partition p --force
  > vipu-admin list agents
  > vipu-admin list clusters
  > vipu-admin list users
  > vipu-admin get user ann
  > vipu-admin create user ann
  > vipu-admin update user ann --new-key
  > vipu-admin remove user ann
  > vipu-admin create agent a --host 10.1.1.1
  > vipu-admin remove agent a
  > vipu-admin create cluster c --agents a
  > vipu-admin create allocation a --agents a
  > vipu-admin test cluster pod-a
  > vipu-admin inject ag01 down
  > vipu-admin export
  > vipu-admin discover agent
  > gc-info -l
  > gc-monitor
  > gc-inventory
  > gc-reset -d 0
  > END
  $ while read -r command; do
  >   $command > out 2>&1; status=$?
  >   printf '%s %s: %s\n' "$command" "$status" "$(sed "s/.*the server at 127.0.0.1:$VIPU_CLI_API_PORT can only show and change partitions: \(.*\) needs a vipu-server of ipubox\.*$/\1/" out)"
  > done < lacks
  vipu list allocations 1: reading the description of the pod
  vipu create partition x --size 1 --options 1: reading the description of the pod
  vipu create partition x --size 1 --cluster pod-a --index 1 1: --index
  vipu create partition x --size 1 --ttl 1h 1: --ttl
  vipu create partition x --size 1 --wait 1: waiting for free IPUs
  vipu reset partition p --force 1: reset --force
  vipu-admin list agents 1: reading the description of the pod
  vipu-admin list clusters 1: reading the description of the pod
  vipu-admin list users 1: reading users
  vipu-admin get user ann 1: reading users
  vipu-admin create user ann 1: changing users
  vipu-admin update user ann --new-key 1: reading users
  vipu-admin remove user ann 1: changing users
  vipu-admin create agent a --host 10.1.1.1 1: changing the pod
  vipu-admin remove agent a 1: changing the pod
  vipu-admin create cluster c --agents a 1: changing the pod
  vipu-admin create allocation a --agents a 1: changing the pod
  vipu-admin test cluster pod-a 1: testing a cluster
  vipu-admin inject ag01 down 1: injecting a fault
  vipu-admin export 1: reading the description of the pod
  vipu-admin discover agent 1: reading the description of the pod
  gc-info -l 1: reading the description of the pod
  gc-monitor 1: reading the description of the pod
  gc-inventory 1: reading the description of the pod
  gc-reset -d 0 1: a look at IPUs

A server that greets and answers nothing is waited for as long as is said:

  $ cat > silent.py <<'Y'
  > import concurrent.futures, threading, grpc
  > class Silent(grpc.GenericRpcHandler):
  >     def service(self, call):
  >         return grpc.unary_unary_rpc_method_handler(lambda *_: threading.Event().wait(60))
  > server = grpc.server(concurrent.futures.ThreadPoolExecutor(8), [Silent()])
  > print(server.add_insecure_port('127.0.0.1:0'), flush=True)
  > server.start()
  > threading.Event().wait(60)
  > Y
  $ python3 silent.py > port & read -r VIPU_CLI_API_PORT < port
  $ IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PORT=$VIPU_CLI_API_PORT IPUOF_VIPU_API_PARTITION_ID=p IPUOF_VIPU_API_TIMEOUT=1 timeout 5 gc-info -l 2>&1 | sed 's/:[0-9][0-9]*/:PORT/g'
  gc-info: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  * (glob)
