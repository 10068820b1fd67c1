A pod declared piece by piece: agents, a cluster, an allocation, a partition.

  $ vipu-admin init --pod empty
  init pod (empty): success.
  $ gc-info -l 2>&1 | sed q | cut -c1-36
  gc-info: no partition is active: `vi
  $ vipu create partition p --size 4
  create partition (p): failed: the pod has no cluster; vipu-admin create cluster makes one.
  [1]
  $ vipu list partitions | wc -l; vipu list allocations -q; vipu-admin list agents -q; vipu-admin list clusters -q
  3
  $ gc-monitor | sed -n 2p
  |  gc-monitor   |                              No active partition                               |
  $ poprun --num-instances 1 --num-replicas 1 true 2>&1 | sed q | cut -c1-34
  POPRUN ERROR: no partition exists:
  $ for i in $(seq 1 16); do
  >   vipu-admin create agent ag$i --host 10.1.2.$i --port 8080
  > done | sed -n '1p;16p'
  create agent (ag1): success.
  create agent (ag16): success.
  $ vipu-admin create cluster cl-torus --topology torus --agents ag1,ag2,ag3,ag4,ag5,ag6,ag7,ag8,ag9,ag10,ag11,ag12,ag13,ag14,ag15,ag16
  create cluster (cl-torus): success.
  $ vipu-admin create allocation mkalloc1 --agents ag1,ag2,ag3,ag4
  create allocation (mkalloc1): success.
  $ vipu list allocation
  ---------------------------------
   Allocation ID | Agents
  ---------------------------------
   mkalloc1      | ag1 ag2 ag3 ag4
  ---------------------------------
  $ vipu create partition mkpt1 --size 16 --reconfigurable
  create partition (mkpt1): success
  $ vipu list partition
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  -----------------------------------------------------------------------------------------------
  cl-torus    | mkalloc1   | mkpt1     | 1    | DEFAULT    | DNC         | 16   | 1    | ACTIVE
  -----------------------------------------------------------------------------------------------
  $ gc-info -l 2>&1 | sed -n '1,2p' | cut -d, -f1,3
  -+- Id:  [0], PCI Domain: [3]
  -+- Id:  [1], PCI Domain: [2]

What a machine says of itself, in the guide's form, and what gc-info says of
the same board:

  $ vipu-admin get agent ag10
  -----------------------------------------------------------------
   Agent ID             | ag10
   Host                 | 10.1.2.10
   Port                 | 8080
   Status               | Up
   Exporter             | http://10.1.2.10:2112/metrics
   Platform             | ipum-p2
   Manufacturer         | Graphcore
   Discovery Mode       | DM_GCDA
   Virm version         | 0.1.0
   Runtime version      | 2.5.0
   Board serial number  | 8203330-0024
   Part number          | GC-ADA2-00-ES1 Rev. C
   GWSW Version         | 2.4.2
   IPUoF server version | v1.9.0
   HDF Version          | 1.0.1
   HDF Hash             | 1275acb46311f7a46e05f721d73d180c44975e7e
   Num of IPUs          | 4
   Type                 | M2000
   IPUoF Address        | 10.1.5.10
   Cluster              | cl-torus
   Allocation           |
  -------------------------------------------------------------------------------------------------------------
   IPU         | PCI          | Device | Firmware | Architecture | Num Tiles | Clock   | State     | Partition
  -------------------------------------------------------------------------------------------------------------
   ag10:0      | 0003:01:00.0 | GC200  | 2.4.4    | ipu2         | 1472      | 1330MHz | no errors |
   ag10:1      | 0002:01:00.0 | GC200  | 2.4.4    | ipu2         | 1472      | 1330MHz | no errors |
   ag10:2      | 0001:01:00.0 | GC200  | 2.4.4    | ipu2         | 1472      | 1330MHz | no errors |
   ag10:3      | 0000:01:00.0 | GC200  | 2.4.4    | ipu2         | 1472      | 1330MHz | no errors |
  -------------------------------------------------------------------------------------------------------------
  $ vipu list ipu-attrs --agents ag10 --format csv | grep -E 'ag10,0,.*(clock|serial|firmware version|architecture)'
  ag10:0,ag10,0,board serial number,0024.0002.8203330
  ag10:0,ag10,0,clock,1330MHz
  ag10:0,ag10,0,firmware version,2.4.4
  ag10:0,ag10,0,ipu architecture,ipu2
  $ vipu-admin get agent ag1 | tail -3
   ag1:2       | 0001:01:00.0 | GC200  | 2.4.4    | ipu2         | 1472      | 1330MHz | no errors | mkpt1
   ag1:3       | 0000:01:00.0 | GC200  | 2.4.4    | ipu2         | 1472      | 1330MHz | no errors | mkpt1
  -------------------------------------------------------------------------------------------------------------
  $ vipu-admin get agent ag1 --format json | tr -d ' \n' | cut -c1-420
  {"id":"ag1","cluster_id":"cl-torus","allocation_id":"mkalloc1","host":"10.1.2.1","port":8080,"ipuof_address":"10.1.5.1","type":"M2000","serial":"0024.xxxx.8203321","status":"Up","platform":"ipum-p2","manufacturer":"Graphcore","discovery_mode":"DM_GCDA","virm_version":"0.1.0","runtime_version":"2.5.0","part_number":"GC-ADA2-00-ES1Rev.C","gwsw_version":"2.4.2","ipuof_server_version":"1.9.0","hdf_version":"1.0.1","hdf_h
  $ vipu-admin get agent ag1 --format csv
  id,cluster_id,allocation_id,host,port,ipuof_address,type,serial,status
  ag1,cl-torus,mkalloc1,10.1.2.1,8080,10.1.5.1,M2000,0024.xxxx.8203321,Up
  $ vipu-admin get agent ag1 -q
  ag1
  $ vipu-admin get cluster cl-torus
  --------------------------------------------------------------------------------------------
   Cluster ID        | cl-torus
   Number of Agents  | 16
   Number of IPUs    | 64
   Number of ILDs    | 1
   IPU-Link Topology | torus
   GW-Link Topology  | none
   Allocations       | mkalloc1
   Partitions        | mkpt1
   Agents            | ag1 ag2 ag3 ag4 ag5 ag6 ag7 ag8 ag9 ag10 ag11 ag12 ag13 ag14 ag15 ag16
  --------------------------------------------------------------------------------------------
  $ vipu-admin get cluster cl-torus --format csv
  id,num_agents,num_ipus,num_ipulink_domains,topology,cluster_topology
  cl-torus,16,64,1,torus,none
  $ vipu-admin get cluster cl-torus --showjson | tr -d ' \n' | cut -c1-120
  {"id":"cl-torus","num_ipus":64,"num_ipulink_domains":1,"topology":"torus","cluster_topology":"none","agent_ids":["ag1","

Nothing in use goes, and the refusal says who uses it:

  $ vipu-admin remove agent ag1
  remove agent (ag1): failed: it is in cluster cl-torus; vipu-admin remove cluster cl-torus, or update cluster cl-torus --agents with the others, takes it out.
  [1]
  $ vipu-admin update agent ag2 --port 9
  update agent (ag2): failed: partition mkpt1 uses it; remove the partition first.
  [1]
  $ vipu-admin remove cluster cl-torus
  remove cluster (cl-torus): failed: partition mkpt1 uses it; remove the partition first.
  [1]
  $ vipu-admin update cluster cl-torus --topology mesh
  update cluster (cl-torus): failed: partition mkpt1 uses it; remove the partition first.
  [1]
  $ vipu-admin remove allocation mkalloc1
  remove allocation (mkalloc1): failed: partition mkpt1 uses it; remove the partition first.
  [1]
  $ vipu-admin update allocation mkalloc1 --remove-agents ag4
  update allocation (mkalloc1): failed: partition mkpt1 uses agent ag4; remove the partition first.
  [1]
  $ vipu-admin update allocation mkalloc1 --add-agents ag5,ag6
  update allocation (mkalloc1): success.
  $ vipu list allocations -q; vipu-admin get allocation mkalloc1 | sed -n 6p
  mkalloc1
   Agents           | ag1 ag2 ag3 ag4 ag5 ag6
  $ vipu remove partition mkpt1
  remove partition (mkpt1): success
  $ vipu-admin remove cluster cl-torus
  remove cluster (cl-torus): failed: allocation mkalloc1 has machines of it; first use vipu-admin remove allocation mkalloc1.
  [1]
  $ vipu-admin update allocation mkalloc1 --agents ag1
  update allocation (mkalloc1): success.
  $ vipu-admin get allocation mkalloc1 --format csv
  id,cluster_id,num_agents,agent_ids
  mkalloc1,cl-torus,1,ag1
  $ vipu-admin remove allocation mkalloc1
  remove allocation (mkalloc1): success.
  $ vipu-admin update cluster cl-torus --topology mesh --agents ag[1-8]
  update cluster (cl-torus): success.
  $ vipu-admin list clusters
   Cluster     | Agents | IPUs | ILDs | Topology | GW Topology
  -------------------------------------------------------------
   cl-torus    | 8      | 32   | 1    | mesh     | none
  -------------------------------------------------------------
  $ vipu-admin remove agents ag16
  remove agent (ag16): success.
  $ vipu-admin remove cluster cl-torus
  remove cluster (cl-torus): success.
  $ vipu-admin update agent ag1 --type bow-2000 --address 10.9.1.1 --host 10.9.2.1 --port 9090
  update agent (ag1): success.
  $ vipu-admin list agents | sed -n '1p;3p;4p'
   Agent       | Cluster | Allocation | Host      | Port | IPUoF Address | Type     | Serial            | Status
   ag1         |         |            | 10.9.2.1  | 9090 | 10.9.1.1      | BOW-2000 | 0024.xxxx.8203321 | Up
   ag2         |         |            | 10.1.2.2  | 8080 | 10.1.5.2      | M2000    | 0024.xxxx.8203322 | Up
  $ vipu-admin create cluster mixed --agents ag1,ag2
  create cluster (mixed): failed: agent ag1 is a BOW-2000 and ag2 is a M2000; the machines of a cluster must be of one type.
  [1]

Machines that are there and that nobody has declared:

  $ vipu-admin discover agent
   Host        | Port | Network Interface | Time Since Last Seen | Agent Auto-Add ID
  -----------------------------------------------------------------------------------
   10.1.2.16   | 8080 | lo                | 0s                   | ag16
  -----------------------------------------------------------------------------------
  $ vipu-admin discover agent --format csv
  id,host,port,network_interface,time_since_last_seen_s
  ag16,10.1.2.16,8080,lo,0
  $ vipu-admin discover agent --add
  create agent (ag16): success.
  $ vipu-admin discover agent --add; vipu-admin discover agent -q
  $ vipu-admin get agent ag16 | sed -n '3p;5p;12p'
   Host                 | 10.1.2.16
   Status               | Up
   Board serial number  | 8203336-0024

Two racks, as they were brought up in the field:

  $ vipu-admin init --pod empty
  init pod (empty): success.
  $ AGENTS=$(for i in $(seq 1 32); do printf ',ag%d' $i; done | cut -c2-)
  $ for i in $(seq 1 32); do vipu-admin create agent ag$i --host 10.1.2.$i; done | wc -l
  32
  $ vipu-admin -H local create cluster 2xPOD64 --num-ipulinkdomains 2 --topology torus --cluster-topology looped --agents "$AGENTS"
  create cluster (2xPOD64): success.
  $ vipu-admin -H local create partition gcl128 --size 128 --num-gcds 32 --gcd-sync-replicas 32 --routing ringswnc --cluster 2xPOD64
  create partition (gcl128): success
  $ vipu-admin list clusters
   Cluster     | Agents | IPUs | ILDs | Topology | GW Topology
  -------------------------------------------------------------
   2xPOD64     | 32     | 128  | 2    | torus    | looped
  -------------------------------------------------------------
  $ vipu list partitions
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  -----------------------------------------------------------------------------------------------
  2xPOD64     |            | gcl128    | 2    | DEFAULT    | RINGSWNC    | 128  | 32   | ACTIVE
  -----------------------------------------------------------------------------------------------
  $ vipu get partition gcl128 | sed -n '2,8p'
  Partition ID         | gcl128
  Cluster              | 2xPOD64
  GW-Link Routing      | DEFAULT
  IPU-Link Routing     | RINGSWNC
  Number of ILDs       | 2
  Number of IPUs       | 128
  Number of GCDs       | 32

The pod of the first use has names of its own; the same commands work there:

  $ vipu remove partition gcl128
  remove partition (gcl128): success
  $ vipu-admin init
  init pod (pod64): success.
  $ for i in $(seq 1 16); do
  >   vipu-admin create agent ag$i --host 10.1.2.$i --port 8080
  > done 2>&1 | sed -n '1p;10,11p'
  create agent (ag1): success.
  vipu-admin: warning: agent cl0:ag10 has the same name
  create agent (ag10): success.
  $ vipu-admin create cluster cl-torus --topology torus --agents ag1,ag2,ag3,ag4,ag5,ag6,ag7,ag8,ag9,ag10,ag11,ag12,ag13,ag14,ag15,ag16
  create cluster (cl-torus): success.
  $ vipu-admin create allocation mkalloc1 --agents ag1,ag2,ag3,ag4
  create allocation (mkalloc1): success.
  $ vipu list allocation
  -------------------------------------------------------------------------------------------------
   Allocation ID | Agents
  -------------------------------------------------------------------------------------------------
   default       | ag01 ag02 ag03 ag04 ag05 ag06 ag07 ag08 ag09 ag10 ag11 ag12 ag13 ag14 ag15 ag16
   mkalloc1      | ag1 ag2 ag3 ag4
  -------------------------------------------------------------------------------------------------
  $ vipu create partition mkpt1 --size 16 --reconfigurable --allocation mkalloc1
  create partition (mkpt1): success
  $ vipu-admin get agent ag10
  get agent (ag10): failed: agents of several clusters have that name; write cl0:ag10 or cl-torus:ag10.
  [1]
  $ vipu-admin get agent cl0:ag10 | sed -n 2,3p
   Agent ID             | ag10
   Host                 | 10.1.2.10

Its machines are in the allocation `default`; the refusal is the way out:

  $ vipu-admin create allocation mine --agents ag[01-04]
  create allocation (mine): failed: agent ag01 is in allocation default; vipu-admin update allocation default --remove-agents ag[01-04] takes them out.
  [1]
  $ vipu-admin update allocation default --remove-agents ag[01-04]
  update allocation (default): success.
  $ vipu-admin create allocation mine --agents ag[01-04]
  create allocation (mine): success.
  $ vipu-admin create allocation all --cluster cl0
  create allocation (all): failed: agent ag01 is in allocation mine; vipu-admin remove allocation mine frees all of its machines.
  [1]
  $ vipu list allocations
  -----------------------------------------------------------------------------
   Allocation ID | Agents
  -----------------------------------------------------------------------------
   default       | ag05 ag06 ag07 ag08 ag09 ag10 ag11 ag12 ag13 ag14 ag15 ag16
   mkalloc1      | ag1 ag2 ag3 ag4
   mine          | ag01 ag02 ag03 ag04
  -----------------------------------------------------------------------------

An allocation that a user has stays:

  $ vipu-admin create user alice --allocations mine | head -1 | cut -c1-29
  create user (alice): success.
  $ vipu-admin remove allocation mine
  remove allocation (mine): failed: user alice may use it; first use vipu-admin update user NAME --remove-allocations mine.
  [1]
  $ vipu-admin update user alice --remove-allocations mine
  update user (alice): success.
  $ vipu-admin remove allocation mine
  remove allocation (mine): success.

A name that several clusters have, where one of them is meant:

  $ vipu-admin create allocation twins --agents ag10
  create allocation (twins): failed: several agents are named ag10; choose one with --cluster.
  [1]
  $ vipu-admin create allocation twins --agents ag10 --cluster cl-torus
  create allocation (twins): success.
  $ vipu-admin list agents | grep -c ' ag10 .*twins'
  1
