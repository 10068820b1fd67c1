What list and get print for machines: JSON, CSV, names.

Nothing there: a table with its header, an empty array, the names of the
columns, nothing.

  $ vipu list partitions
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  ----------------------------------------------------------------------------------------------
  ----------------------------------------------------------------------------------------------
  $ vipu list partitions --format json
  []
  $ vipu list partitions --format csv
  id,cluster_id,allocation_id,size,num_ipulink_segments,ipulink_routing_type,gw_routing_type,sync_type,num_gcds,num_replicas,reconfigurable,relocatable,ready_state,operation_state,error,error_time,auto_reset_retry_count,owner_uid,created_time,changed_time,expires_time,ipus
  $ vipu list partitions -q

Two partitions, the second at the second pair of a machine:

  $ vipu create partition a --size 2 --relocatable
  create partition (a): success
  $ vipu create partition b --size 2 --num-gcds 2 --ipuof-config-location b
  create partition (b): success
  $ vipu list partitions --quiet
  a
  b
  $ vipu list partitions --format csv | cut -d, -f1-17,21-
  id,cluster_id,allocation_id,size,num_ipulink_segments,ipulink_routing_type,gw_routing_type,sync_type,num_gcds,num_replicas,reconfigurable,relocatable,ready_state,operation_state,error,error_time,auto_reset_retry_count,expires_time,ipus
  a,cl0,default,2,1,IRT_DNC,GRT_UNDEFINED,ST_GS2_DEFAULT,1,1,false,true,PS_ACTIVE,POS_IDLE,,,0,,ag01:0 ag01:1
  b,cl0,default,2,1,IRT_DNC,GRT_UNDEFINED,ST_GS2_DEFAULT,2,2,false,false,PS_ACTIVE,POS_IDLE,,,0,,ag01:2 ag01:3
  $ vipu get partition b --showjson | sed "s|$PWD|.|"
  {
    "partition": {
      "id": "b",
      "spec": {
        "cluster_id": "cl0",
        "allocation_id": "default",
        "ipus": [
          {
            "ipulink_domain_topology_id": 0,
            "ipulink_domain_routing_id": 0,
            "topology_id": 2,
            "routing_id": 0
          },
          {
            "ipulink_domain_topology_id": 0,
            "ipulink_domain_routing_id": 0,
            "topology_id": 3,
            "routing_id": 1
          }
        ],
        "ipulink_routing_type": "IRT_DNC",
        "gw_routing_type": "GRT_UNDEFINED",
        "sync_type": "ST_GS2_DEFAULT",
        "num_gcds": 2,
        "num_ipulink_segments": 1,
        "num_replicas": 2,
        "reconfigurable": false
      },
      "ready_state": "PS_ACTIVE",
      "ipuof_server_version": "1.9.0"
    },
    "status": {
      "partition_id": "b",
      "ready_state": "PS_ACTIVE",
      "operation_state": "POS_IDLE",
      "errors": [],
      "max_auto_reset_retries": 10,
      "auto_reset_retry_count": 0,
      "last_auto_reset_time": null
    },
    "ipubox": {
      "size": 2,
      "ipus": [
        "ag01:2",
        "ag01:3"
      ],
      "gs1_replicas": 1,
      "gs1_groups": [
        [
          0
        ],
        [
          1
        ]
      ],
      "gs2": "DEFAULT",
      "owner_uid": [0-9]+, (re)
      "owner": "[a-z0-9_-]*", (re)
      "user": "",
      "relocatable": false,
      "disable_auto_reset": false,
      "ipuof_config_location": "./b",
      "failed_attempts": 0,
      "created_time": "20[0-9]{2}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z", (re)
      "changed_time": "20[0-9]{2}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z", (re)
      "last_reset_time": null,
      "error_time": null,
      "expires_time": null,
      "identity": "[0-9a-f]{32}", (re)
      "owner_kind": "none",
      "owner_record": ""
    }
  }

A list holds what get shows:

  $ vipu get partition a --format json > a.json; vipu get partition b --format json > b.json
  $ { echo '['; sed '$s/$/,/' a.json; cat b.json; echo ']'; } | tr -d ' \n' > wanted
  $ vipu list partitions --format json | tr -d ' \n' | cmp - wanted
  $ vipu get partition b --format csv > b.csv; vipu list partitions --format csv | sed 2d | cmp - b.csv
  $ vipu get partition b -q
  b

Placements:

  $ vipu create partition p --size 32 --options --format csv
  index,cluster_id,size,num_ipulink_segments,gw_routing_type,ipulink_routing_type,ipus
  0,cl0,32,1,GRT_UNDEFINED,IRT_SWNC,(ag[0-9]*:[0-3] ?){32} (re)
  $ vipu create partition p --size 2 --options -q | head -3
  0
  1
  2
  $ vipu create partition p --size 64 --options --format json
  []
  $ vipu create partition p --size 1 --options --showjson | head -16
  [
    {
      "index": 0,
      "cluster_id": "cl0",
      "size": 1,
      "num_ipulink_segments": 1,
      "gw_routing_type": "GRT_UNDEFINED",
      "ipulink_routing_type": "IRT_DNC",
      "ipus": [
        {
          "ipulink_domain_topology_id": 0,
          "ipulink_domain_routing_id": 0,
          "topology_id": 4,
          "routing_id": 0
        }
      ]

Over two racks, in place of the second of each number the first is physical:

  $ vipu-admin init --pod pod128 --force
  init pod (pod128): success.
  $ vipu create partition b --size 4 --relocatable
  create partition (b): success
  $ vipu create partition c --size 4 --num-gcds 2 --num-ilds 2 --relocatable
  create partition (c): success
  $ vipu get partition c --format csv | tail -1 | cut -d, -f5-7,22
  2,IRT_DNC,GRT_RING,ag02:0 ag02:1 ag18:0 ag18:1
  $ vipu get partition c --format json | sed -n '/"spec"/,/]/p' | tr -dc '0-9,\n' | tr '\n' ' '
   0, ,   0, 0, 4, 0 ,  0, 0, 5, 1 ,  1, 1, 4, 2 ,  1, 1, 5, 3  ,  (no-eol)

Allocations, clusters and machines:

  $ vipu list allocations -q; vipu-admin list clusters -q; vipu-admin list agents -q | tail -1
  default
  cl0
  ag32
  $ vipu get allocation default | sed 's/ag02 .*/.../'
  --------------------------------.* (re)
   Allocation ID    | default
   Cluster          | cl0
   Number of Agents | 32
   Number of IPUs   | 128
   Agents           | ag01 ...
  --------------------------------.* (re)
  $ vipu list allocations --format csv | sed 's/ag03 .*/.../'
  id,cluster_id,num_agents,agent_ids
  default,cl0,32,ag01 ag02 ...
  $ vipu get allocation default --format json | tr -d ' \n' | cut -c1-60
  {"id":"default","spec":{"cluster_id":"cl0","agent_ids":["ag0
  $ vipu-admin list clusters --format csv
  id,num_agents,num_ipus,num_ipulink_domains,topology,cluster_topology
  cl0,32,128,2,torus,looped
  $ vipu-admin list agents --format csv | head -2
  id,cluster_id,allocation_id,host,port,ipuof_address,type,serial,status
  ag01,cl0,default,10.1.2.1,8080,10.1.5.1,M2000,0024.xxxx.8203321,Up
  $ vipu get allocation none
  get allocation (none): failed: the allocation does not exist; vipu list allocations shows the existing ones.
  [1]

What each IPU is; machines may be chosen:

  $ vipu list ipu-attrs --agents 'ag0[1-2],ag05' -q | tr '\n' ' '
  ag01:0 ag01:1 ag01:2 ag01:3 ag02:0 ag02:1 ag02:2 ag02:3 ag05:0 ag05:1 ag05:2 ag05:3  (no-eol)
  $ vipu list ipu-attr -q | wc -l
  128
  $ vipu list ipu-attrs --agents ag02 --format csv | grep '^id\|:1.*board'
  id,agent,ipu,attribute,value
  ag02:1,ag02,1,average board temp,N/A
  ag02:1,ag02,1,board ipu index,2
  ag02:1,ag02,1,board serial number,0024.0002.8203322
  ag02:1,ag02,1,board type,M2000
  ag02:1,ag02,1,total board power,N/A
  $ vipu list ipu-attrs --agents ag02,ag01 --format json | sed -n '1,8p;/"ag02"/p'
  [
    {
      "agent": "ag01",
      "ipu_attributes": {
        "0": {
          "attributes": {
            "average board temp": "N/A",
            "average die temp": "N/A",
      "agent": "ag02",
  $ GCDA_MONITOR=1 vipu list ipu-attrs --agents ag02 --format csv | sed -n 2p
  ag02:0,ag02,0,average board temp,[0-9.]+ C (re)
  $ vipu list ipu-attrs --agents ag01,ag99
  list ipu-attrs: failed: agent ag99: does not exist.
  [1]
  $ vipu list ipu-attrs --agents ag01,
  list ipu-attrs: failed: agents: a name is missing.
  [1]

What gc-info says of the same IPU, where both say it:

  $ export IPUOF_VIPU_API_PARTITION_ID=b
  $ gc-info -i -d 1 | sed -n 's/^  //p' | sort > device
  $ vipu list ipu-attrs --agents ag01 --format csv | sed -n 's/^ag01:1,ag01,1,//p' | sed 's/,/: /' | sort > ipu
  $ comm -13 device ipu
  $ comm -23 device ipu | cut -d: -f1
  config domain
  id
  ipuof partition id
  ipuof routing id
  ipuof routing type
  number of replicas
  partition sync type
  reconfigurable partition
  target
  $ unset IPUOF_VIPU_API_PARTITION_ID

Misuse:

  $ vipu list partitions --format yaml
  vipu: --format 'yaml': must be table, json or csv
  usage: vipu list partitions [-v] [-w] [--style STYLE] [--format FORM]
  [2]
  $ for words in '-q --format csv' '-q --showjson' '--format csv --showjson'; do
  >   vipu list allocations $words 2>&1 | head -1
  > done
  vipu: --format, --showjson and --quiet exclude each other
  vipu: --format, --showjson and --quiet exclude each other
  vipu: --format, --showjson and --quiet exclude each other
  $ vipu create partition p --size 1 --format json 2>&1 | head -1; vipu list partitions -q
  vipu: --format and --quiet need --options
  b
  c
  $ vipu get partition b --ipuof-configs --format csv 2>&1 | head -1
  vipu: --ipuof-configs prints JSON only: leave out the other format
  $ vipu remove partition b -q 2>&1 | head -1
  vipu: remove partition takes no --quiet
  $ vipu list partitions --format csv > /dev/full
  vipu: cannot write to standard output: No space left on device
  [1]
