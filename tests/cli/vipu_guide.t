The sample sessions of the V-IPU guide, chapter 5, section by section, of its
administrator's part, and of the PopRun guide, 2.10: what they print comes out
character for character.  Where the guide makes a partition of a name that
there is, it is removed first.

5.2, a reconfigurable partition: a device for each aligned group of IPUs

  $ vipu create partition pt --size 4 --reconfigurable
  create partition (pt): success
  $ gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  -+- Id: [1], type:    [Fabric], PCI Domain: [2]
  -+- Id: [2], type:    [Fabric], PCI Domain: [1]
  -+- Id: [3], type:    [Fabric], PCI Domain: [0]
  -+- Id: [4], type: [Multi IPU]
   |--- PCIe Id: [0], DNC Id: [0], PCI Domain: [3]
   |--- PCIe Id: [1], DNC Id: [1], PCI Domain: [2]
  -+- Id: [5], type: [Multi IPU]
   |--- PCIe Id: [2], DNC Id: [2], PCI Domain: [1]
   |--- PCIe Id: [3], DNC Id: [3], PCI Domain: [0]
  -+- Id: [6], type: [Multi IPU]
   |--- PCIe Id: [0], DNC Id: [0], PCI Domain: [3]
   |--- PCIe Id: [1], DNC Id: [1], PCI Domain: [2]
   |--- PCIe Id: [2], DNC Id: [2], PCI Domain: [1]
   |--- PCIe Id: [3], DNC Id: [3], PCI Domain: [0]
  $ gc-info -i -d 6 | grep 'sync type\|reconf'
    partition sync type: c2-compatible
    reconfigurable partition: true
  $ vipu remove partition pt
  remove partition (pt): success

5.2, the note: no other sync type, unless --index is given

  $ vipu create partition pt --size 4 --reconfigurable --sync-type c2-compatible
  create partition (pt): success
  $ vipu remove partition pt
  remove partition (pt): success
  $ vipu create partition pt --size 4 --reconfigurable --sync-type pod-native-default
  create partition (pt): failed: sync type pod-native-default: a reconfigurable partition must have c2-compatible.
  [1]
  $ vipu create partition pt --size 4 --reconfigurable --sync-type pod-native-default --cluster cl0 --index 0
  create partition (pt): success
  $ gc-info -i -d 6 | grep 'sync type'
    partition sync type: c2-compatible
  $ vipu remove partition pt
  remove partition (pt): success

5.2, 127 devices for 64 IPUs; 5.2.1, the limits

  $ vipu create partition pt --size 64 --reconfigurable
  create partition (pt): success
  $ gc-info -l | grep -c Id:.*type:
  127
  $ vipu remove partition pt
  remove partition (pt): success
  $ vipu create partition pt --size 4 --num-gcds 2 --reconfigurable
  create partition (pt): failed: a reconfigurable partition has one GCD, not 2: leave out --reconfigurable or --num-gcds.
  [1]
  $ vipu create partition pt --size 128 --reconfigurable
  create partition (pt): failed: size 128: cluster cl0 has 64 IPUs.
  [1]

5.3, preconfigured partitions: all IPUs are one device

  $ vipu create partition pt --size 1
  create partition (pt): success
  $ gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  $ vipu remove partition pt
  remove partition (pt): success
  $ vipu create partition pt --size 2
  create partition (pt): success
  $ gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  -+- Id: [1], type:    [Fabric], PCI Domain: [2]
  -+- Id: [3], type: [Multi IPU]
   |--- PCIe Id: [0], DNC Id: [0], PCI Domain: [3]
   |--- PCIe Id: [1], DNC Id: [1], PCI Domain: [2]
  $ vipu remove partition pt
  remove partition (pt): success
  $ vipu create partition pt --size 4
  create partition (pt): success
  $ gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  -+- Id: [1], type:    [Fabric], PCI Domain: [2]
  -+- Id: [2], type:    [Fabric], PCI Domain: [1]
  -+- Id: [3], type:    [Fabric], PCI Domain: [0]
  -+- Id: [4], type: [Multi IPU]
   |--- PCIe Id: [0], DNC Id: [0], PCI Domain: [3]
   |--- PCIe Id: [1], DNC Id: [1], PCI Domain: [2]
   |--- PCIe Id: [2], DNC Id: [2], PCI Domain: [1]
   |--- PCIe Id: [3], DNC Id: [3], PCI Domain: [0]
  $ vipu remove partition pt
  remove partition (pt): success

5.4, the placements of a cluster of 16 IPUs and of one machine:

  $ cat > two.ini <<'END'
  > [pod]
  > name = two
  > [cluster cl00]
  > agents = ag[00-03]
  > topology = mesh
  > [cluster cl01]
  > agents = ag00
  > topology = mesh
  > END
  $ vipu-admin init --pod two.ini
  init pod (two): success.
  $ vipu create partition p --options --size 4
   Index       | Cluster | ILDs | GW Routing | ILD Routing | Size | IPUs
  --------------------------------------------------------------------------------------------------------------
   0           | cl00    | 1    | UNDEFINED  | DNC         | 4    | 0.0=ag00:0 0.1=ag00:1 0.2=ag00:2 0.3=ag00:3
   1           | cl00    | 1    | UNDEFINED  | DNC         | 4    | 0.0=ag01:0 0.1=ag01:1 0.2=ag01:2 0.3=ag01:3
   2           | cl00    | 1    | UNDEFINED  | DNC         | 4    | 0.0=ag02:0 0.1=ag02:1 0.2=ag02:2 0.3=ag02:3
   3           | cl00    | 1    | UNDEFINED  | DNC         | 4    | 0.0=ag03:0 0.1=ag03:1 0.2=ag03:2 0.3=ag03:3
   0           | cl01    | 1    | UNDEFINED  | DNC         | 4    | 0.0=ag00:0 0.1=ag00:1 0.2=ag00:2 0.3=ag00:3
  --------------------------------------------------------------------------------------------------------------
  $ vipu list partitions | wc -l
  3
  $ vipu create partition p --size 4 --cluster cl00 --index 2
  create partition (p): success
  $ vipu get partition p | grep '^IPUs'
  IPUs                 | 0=ag02:0 1=ag02:1 2=ag02:2 3=ag02:3

What is taken is not listed, and the others count anew:

  $ vipu create partition q --options --size 4 --cluster cl00
   Index       | Cluster | ILDs | GW Routing | ILD Routing | Size | IPUs
  --------------------------------------------------------------------------------------------------------------
   0           | cl00    | 1    | UNDEFINED  | DNC         | 4    | 0.0=ag00:0 0.1=ag00:1 0.2=ag00:2 0.3=ag00:3
   1           | cl00    | 1    | UNDEFINED  | DNC         | 4    | 0.0=ag01:0 0.1=ag01:1 0.2=ag01:2 0.3=ag01:3
   2           | cl00    | 1    | UNDEFINED  | DNC         | 4    | 0.0=ag03:0 0.1=ag03:1 0.2=ag03:2 0.3=ag03:3
  --------------------------------------------------------------------------------------------------------------
  $ vipu remove partition p
  remove partition (p): success

5.5, a partition that may move gets no configuration file (5.8)

  $ vipu create partition p --size 4 --relocatable
  create partition (p): success
  $ ls ~/.ipuof.conf.d/
  $ vipu remove partition p
  remove partition (p): success

5.6, what a partition is, on the pod that first use makes; the sixth machine is reached by taking
the five before it.

  $ vipu-admin init --pod pod64
  init pod (pod64): success.
  $ vipu create partition a --size 16 --ipuof-config-location a
  create partition (a): success
  $ vipu create partition b --size 4 --ipuof-config-location b
  create partition (b): success
  $ vipu create partition pt1 --size 4
  create partition (pt1): success
  $ vipu get partition pt1
  ------------------------------------------------------------
  Partition ID         | pt1
  Cluster              | cl0
  GW-Link Routing      | DEFAULT
  IPU-Link Routing     | DNC
  Number of ILDs       | 1
  Number of IPUs       | 4
  Number of GCDs       | 1
  Reconfigurable       | false
  State                | ACTIVE
  Provisioning State   | IDLE
  Intra-GCD Sync (GS1) | Replicas=1
  Inter-GCD Sync (GS2) | UNDEFINED
  Last Error           |
  IPUs                 | 0=ag06:0 1=ag06:1 2=ag06:2 3=ag06:3
  ------------------------------------------------------------
  $ for p in pt1 a b; do vipu remove partition $p; done
  remove partition (pt1): success
  remove partition (a): success
  remove partition (b): success

5.7, what a program needs to know, in its environment

  $ vipu create partition pt --size 4 --num-gcds 2 --ipuof-config-location d
  create partition (pt): success
  $ gc-info -l
  gc-info: no partition is active: `vipu create partition NAME --size N` makes one; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ env IPUOF_VIPU_API_HOST=local IPUOF_VIPU_API_PORT=8090 IPUOF_VIPU_API_PARTITION_ID=pt IPUOF_VIPU_API_GCD_ID=1 gc-info -l | head -1
  -+- Id: [0], type:    [Fabric], PCI Domain: [1]
  $ vipu remove partition pt
  remove partition (pt): success

5.8, the configuration file; 5.9, it goes with the partition

  $ vipu create partition mypt --size 4
  create partition (mypt): success
  $ ls ~/.ipuof.conf.d/
  mypt.conf
  $ vipu remove partition mypt
  remove partition (mypt): success
  $ ls ~/.ipuof.conf.d/

5.8.1, one that was not written can be made

  $ vipu create partition mypt --size 4 --relocatable
  create partition (mypt): success
  $ vipu get partition mypt --ipuof-configs --gcd 0 > file
  $ env IPUOF_CONFIG_PATH=file gc-info -l | head -1
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  $ vipu remove partition mypt
  remove partition (mypt): success

5.8.2, a folder that is shared

  $ umask 022; mkdir -m775 etc
  $ export VIPU_CLI_IPUOF_CONFIG_LOCATION=$PWD/etc/
  $ vipu create partition mypt --size 4
  create partition (mypt): success
  $ ls "$VIPU_CLI_IPUOF_CONFIG_LOCATION"
  mypt.conf
  $ stat -c %a etc/mypt.conf
  644
  $ ls ~/.ipuof.conf.d/
  $ unset VIPU_CLI_IPUOF_CONFIG_LOCATION
  $ vipu remove partition mypt
  remove partition (mypt): success
  $ ls etc
  $ vipu create partition mypt --ipuof-config-location etc --size 4
  create partition (mypt): success
  $ ls etc; vipu remove partition mypt
  mypt.conf
  remove partition (mypt): success

5.8, two files in a folder and all are ignored; the original is silent

  $ vipu create partition a --size 1
  create partition (a): success
  $ vipu create partition b --size 1 2>&1 | sed "s|$HOME|~|"
  create partition (b): success
  vipu: warning: ~/.ipuof.conf.d holds 1 other file; programs ignore a directory with several partitions (set IPUOF_VIPU_API_PARTITION_ID)
  $ gc-info -l 2>&1 | tail -2
  gc-info: no partition is active: `vipu exec a -- PROGRAM` runs a program on partition a; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  $ vipu remove partition a; vipu remove partition b
  remove partition (a): success
  remove partition (b): success

5.10, the default routing of each size, of a whole torus and of a part of it

  $ for size in 1 2 4 8 16 32 64; do
  >   vipu create partition pt --size $size > /dev/null
  >   vipu get partition pt | sed -n 's/^IPU-Link Routing *| //p'
  >   vipu remove partition pt > /dev/null
  > done | tr '\n' ' '
  DNC DNC DNC DNC DNC SWNC RINGSWNC  (no-eol)

5.10.1, the same partition said in two ways; two groups that sync apart

  $ vipu create partition pt --size 8 --total-num-replicas 1
  create partition (pt): success
  $ vipu get partition pt > one; vipu remove partition pt
  remove partition (pt): success
  $ vipu create partition pt --size 8
  create partition (pt): success
  $ vipu get partition pt | cmp - one; vipu remove partition pt
  remove partition (pt): success
  $ vipu create partition pt --size 8 --total-num-replicas 2
  create partition (pt): success
  $ vipu get partition pt | grep GS
  Intra-GCD Sync (GS1) | Replicas=2
  Inter-GCD Sync (GS2) | UNDEFINED
  $ vipu remove partition pt
  remove partition (pt): success

5.11, a partition of several GCDs: each is a device

  $ vipu create partition pt --size 4 --num-gcds 2
  create partition (pt): success
  $ gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  -+- Id: [1], type:    [Fabric], PCI Domain: [2]
  -+- Id: [2], type:    [Fabric], PCI Domain: [1]
  -+- Id: [3], type:    [Fabric], PCI Domain: [0]
  -+- Id: [4], type: [Multi IPU]
   |--- PCIe Id: [0], DNC Id: [0], PCI Domain: [3]
   |--- PCIe Id: [1], DNC Id: [1], PCI Domain: [2]
  -+- Id: [5], type: [Multi IPU]
   |--- PCIe Id: [2], DNC Id: [2], PCI Domain: [1]
   |--- PCIe Id: [3], DNC Id: [3], PCI Domain: [0]
  $ gc-info --device-info -d 4 | grep 'GCD'
    GCD Id: 0
    Num GCDs: 2
  $ gc-info --device-info -d 5 | grep 'GCD'
    GCD Id: 1
    Num GCDs: 2
  $ vipu remove partition pt
  remove partition (pt): success

5.11, a single IPU is a GCD by itself

  $ vipu create partition pt --size 2 --num-gcds 2
  create partition (pt): success
  $ gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  -+- Id: [1], type:    [Fabric], PCI Domain: [2]
  $ gc-info --device-info -d 0 | grep 'GCD'
    GCD Id: 0
    Num GCDs: 2
  $ gc-info --device-info -d 1 | grep 'GCD'
    GCD Id: 1
    Num GCDs: 2
  $ vipu remove partition pt
  remove partition (pt): success

5.11.1, a file for each GCD, taken to two hosts

  $ vipu create partition mypt --size 4 --num-gcds 2
  create partition (mypt): success
  $ ls -C ~/.ipuof.conf.d/
  mypt_gcd0.conf	mypt_gcd1.conf
  $ mkdir -p node0/.ipuof.conf.d node1/.ipuof.conf.d
  $ cp ~/.ipuof.conf.d/mypt_gcd0.conf node0/.ipuof.conf.d
  $ cp ~/.ipuof.conf.d/mypt_gcd1.conf node1/.ipuof.conf.d
  $ HOME=$PWD/node0 gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  -+- Id: [1], type:    [Fabric], PCI Domain: [2]
  -+- Id: [2], type: [Multi IPU]
   |--- PCIe Id: [0], DNC Id: [0], PCI Domain: [3]
   |--- PCIe Id: [1], DNC Id: [1], PCI Domain: [2]
  $ HOME=$PWD/node0 gc-info --device-info -d 2 | grep 'GCD'
    GCD Id: 0
    Num GCDs: 2
  $ HOME=$PWD/node1 gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [1]
  -+- Id: [1], type:    [Fabric], PCI Domain: [0]
  -+- Id: [2], type: [Multi IPU]
   |--- PCIe Id: [2], DNC Id: [2], PCI Domain: [1]
   |--- PCIe Id: [3], DNC Id: [3], PCI Domain: [0]
  $ HOME=$PWD/node1 gc-info --device-info -d 2 | grep 'GCD'
    GCD Id: 1
    Num GCDs: 2

5.11.2 and 5.11.3, the sync groups of several GCDs

  $ vipu get partition mypt | grep GS
  Intra-GCD Sync (GS1) | Replicas=1
  Inter-GCD Sync (GS2) | DEFAULT
  $ vipu remove partition mypt && ls ~/.ipuof.conf.d/
  remove partition (mypt): success
  $ vipu create partition mypt --size 8 --num-gcds 2 --total-num-replicas 4
  create partition (mypt): success
  $ vipu get partition mypt | grep GS
  Intra-GCD Sync (GS1) | Replicas=2
  Inter-GCD Sync (GS2) | DEFAULT
  $ vipu remove partition mypt
  remove partition (mypt): success

The PopRun guide's list, of two racks:

  $ cat > example.ini <<'END'
  > [pod]
  > name = example
  > [cluster example]
  > agents = ag[1-32]
  > ilds = 2
  > gateway = switched
  > [allocation example]
  > cluster = example
  > agents = ag[1-32]
  > END
  $ vipu-admin init --pod example.ini
  init pod (example): success.
  $ vipu create partition part1 --size 16 --relocatable
  create partition (part1): success
  $ vipu create partition part2 --size 16 --relocatable
  create partition (part2): success
  $ vipu create partition part3 --size 32 --num-gcds 2 --num-ilds 2 --relocatable
  create partition (part3): success
  $ vipu list partition
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  -----------------------------------------------------------------------------------------------
  example     | example    | part1     | 1    | DEFAULT    | DNC         | 16   | 1    | ACTIVE
  example     | example    | part2     | 1    | DEFAULT    | DNC         | 16   | 1    | ACTIVE
  example     | example    | part3     | 2    | DEFAULT    | DNC         | 32   | 2    | ACTIVE
  -----------------------------------------------------------------------------------------------

What scripts cut out of it:

  $ vipu list partitions | sed -n 3p | cut -d'|' -f3 | cut -d' ' -f2
  part1
  $ vipu list partitions | sed -n 3p | awk '{print $5}'
  part1

Over two ILDs the numbers say which; what is asked for the gateways is shown:

  $ vipu get partition part3 | sed -n '/^IPUs/s/ 0.1=.* 0.15=/ ... 0.15=/; s/ 1.17=.*//p'
  IPUs                 | 0.0=ag9:0 ... 0.15=ag12:3 1.16=ag25:0
  $ vipu create partition p --options --size 8 --num-gcds 2 --num-ilds 2 | sed -n 1,3p
   Index       | Cluster | ILDs | GW Routing | ILD Routing | Size | IPUs
  ----------------------------------------------------------------------------------------------------------------------------------------------------------
   0           | example | 2    | SWRING     | DNC         | 8    | 0.0=ag13:0 0.1=ag13:1 0.2=ag13:2 0.3=ag13:3 1.4=ag29:0 1.5=ag29:1 1.6=ag29:2 1.7=ag29:3
  $ vipu create partition p --size 32 --num-gcds 2 --num-ilds 2 --gateway-routing swring
  create partition (p): success
  $ vipu list partitions | grep '| p '
  example     | example    | p         | 2    | SWRING     | DNC         | 32   | 2    | ACTIVE

The attributes of the IPUs, as the administrator guide shows them: the machine
and the IPU once, in columns of 10 and 3.

  $ vipu list ipu-attrs | head -12
   Agent      | IPU | Attribute                         | Value
  --------------------------------------------------------------------------
   ag1        | 0   | average board temp                | N/A
              |     | average die temp                  | N/A
              |     | board ipu index                   | 3
              |     | board serial number               | 0024.0002.8203321
              |     | board type                        | M2000
              |     | clock                             | 1330MHz
              |     | driver version                    | 1.0.56
              |     | firmware major version            | 2
              |     | firmware minor version            | 4
              |     | firmware patch version            | 4
  $ vipu list ipu-attrs | cut -d'|' -f1,2 | grep '[0-9]' | sed 's/ *$//' | head -5
   ag1        | 0
              | 1
              | 2
              | 3
   ag2        | 0

The administrator guide's allocations:

  $ cat > alloc.ini <<'END'
  > [pod]
  > name = alloc
  > [cluster cl0]
  > agents = ag[0-7]
  > [allocation alloc-1]
  > cluster = cl0
  > agents = ag[0-3]
  > [allocation alloc-2]
  > cluster = cl0
  > agents = ag[4-5]
  > END
  $ vipu-admin init --force --pod alloc.ini
  init pod (alloc): success.
  $ vipu list allocations
  ---------------------------------
   Allocation ID | Agents
  ---------------------------------
   alloc-1       | ag0 ag1 ag2 ag3
   alloc-2       | ag4 ag5
  ---------------------------------
  $ vipu-admin list allocation | cmp - /dev/fd/3 3<<END
  > $(vipu list allocations)
  > END

The table as it was up to V-IPU 1.16:

  $ cat > c64.ini <<'END'
  > [pod]
  > name = c64
  > [cluster c64_1-16]
  > agents = ag[1-16]
  > END
  $ vipu-admin init --force --pod c64.ini
  init pod (c64): success.
  $ vipu create partition p64 --size 64
  create partition (p64): success
  $ vipu list partitions --style old
   Partition   | Cluster  | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  ---------------------------------------------------------------------------------
   p64         | c64_1-16 | 1    | DEFAULT    | RINGSWNC    | 64   | 1    | ACTIVE
  ---------------------------------------------------------------------------------
