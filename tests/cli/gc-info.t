gc-info lists the devices of the active partition in the form of the V-IPU
guide: chapters 5.2, 5.3 and 5.11, character for character.

Without a partition there is nothing to list.

  $ gc-info -l
  gc-info: no partition is active: `vipu create partition NAME --size N` makes one; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ gc-info -l --all-partitions
  gc-info: no partition exists: `vipu create partition NAME --size N` makes one
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ gc-info --ipu-count
  0
  $ gc-info --ipu-arch
  gc-info: no partition is active: `vipu create partition NAME --size N` makes one; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]

5.2: reconfigurable.

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

The newer tools' form.

  $ gc-info --list-devices --style new > new; cat new
  Graphcore device listing:
  Partition: pt [active]
  -+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [3]
  -+- Id: [1], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [2]
  -+- Id: [2], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [1]
  -+- Id: [3], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [0]
  -+- Id: [4], target: [Multi IPU]
   |--- Id: [0], DNC Id: [0], IPU-M host: [10.1.5.1], IPU#: [3]
   |--- Id: [1], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [2]
  -+- Id: [5], target: [Multi IPU]
   |--- Id: [2], DNC Id: [0], IPU-M host: [10.1.5.1], IPU#: [1]
   |--- Id: [3], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [0]
  -+- Id: [6], target: [Multi IPU]
   |--- Id: [0], DNC Id: [0], IPU-M host: [10.1.5.1], IPU#: [3]
   |--- Id: [1], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [2]
   |--- Id: [2], DNC Id: [2], IPU-M host: [10.1.5.1], IPU#: [1]
   |--- Id: [3], DNC Id: [3], IPU-M host: [10.1.5.1], IPU#: [0]
  $ IPUBOX_GC_STYLE=new gc-info -l | cmp - new
  $ IPUBOX_GC_STYLE=new gc-info -l --style old | head -1
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  $ vipu remove partition pt
  remove partition (pt): success

5.3: preconfigured.

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
  $ gc-info -d 2 -i
  gc-info: no device 2: partition pt has devices 0-1, 3
  [1]
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
  $ gc-info --ipu-count
  4
  $ gc-info --ipu-arch
  ipu2
  $ gc-info --device-id 1 --tile-clock-speed
  1330MHz
  $ vipu remove partition pt
  remove partition (pt): success

5.11: two GCDs of two IPUs, then of one.

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

5.11.1: each of two hosts has the file of one GCD.

  $ vipu create partition mypt --size 4 --num-gcds 2
  create partition (mypt): success
  $ mkdir -p node0/.ipuof.conf.d node1/.ipuof.conf.d
  $ mv ~/.ipuof.conf.d/mypt_gcd0.conf node0/.ipuof.conf.d
  $ mv ~/.ipuof.conf.d/mypt_gcd1.conf node1/.ipuof.conf.d
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

The same by the environment, and by the file's path.

  $ export IPUOF_VIPU_API_PARTITION_ID=mypt
  $ IPUOF_VIPU_API_GCD_ID=1 gc-info -l > gcd1
  $ unset IPUOF_VIPU_API_PARTITION_ID
  $ HOME=$PWD/node1 gc-info -l | cmp - gcd1
  $ IPUOF_CONFIG_PATH=node1/.ipuof.conf.d/mypt_gcd1.conf gc-info -l | cmp - gcd1
  $ IPUOF_CONFIG_PATH=node1/.ipuof.conf.d/mypt_gcd1.conf gc-info --ipu-count
  2
  $ IPUOF_CONFIG_PATH=node1/.ipuof.conf.d/mypt_gcd1.conf gc-info -l --style new
  Graphcore device listing:
  Partition: mypt [active]
  -+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [1]
  -+- Id: [1], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [0]
  -+- Id: [2], target: [Multi IPU]
   |--- Id: [0], DNC Id: [0], IPU-M host: [10.1.5.1], IPU#: [1]
   |--- Id: [1], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [0]
