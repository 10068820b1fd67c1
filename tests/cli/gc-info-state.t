gc-info tells what is true: of partitions, machines and IPUs in trouble, of
programs that are attached, and where it found them.

  $ export IPUBOX_GC_STYLE=new
  $ vipu create partition pt --size 4 --reconfigurable
  create partition (pt): success

An error that attaching takes away: the device stays in the list, marked.

  $ vipu-admin inject ag01:1 soc-error IPUSOFTERR > out
  $ gc-info -l 2> err | head -8; cat err
  Graphcore device listing:
  Partition: pt [active]
  -+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [3]
  -+- Id: [1], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [2], [IPUSOFTERR]
  -+- Id: [2], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [1]
  -+- Id: [3], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [0]
  -+- Id: [4], target: [Multi IPU], [IPUSOFTERR]
   |--- Id: [0], DNC Id: [0], IPU-M host: [10.1.5.1], IPU#: [3]
  $ gc-info --ipu-count
  gc-info: 1 of 4 IPUs cannot be used: SoC error IPUSOFTERR; IPU_RESET clears it
  4
  $ gc-info -i -d 1 | grep 'error state'
    ipu error state: IPUSOFTERR

One that needs more: it is out, and so are groups with it.  --all shows it.

  $ vipu-admin inject ag01:1 soc-error NMLINKDN0 > out
  $ gc-info -l 2> err; cat err
  Graphcore device listing:
  Partition: pt [active]
  -+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [3]
  -+- Id: [2], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [1]
  -+- Id: [3], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [0]
  -+- Id: [5], target: [Multi IPU]
   |--- Id: [2], DNC Id: [0], IPU-M host: [10.1.5.1], IPU#: [1]
   |--- Id: [3], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [0]
  gc-info: 3 of 7 devices of partition pt are not available: IPU 1 has SoC errors IPUSOFTERR, NMLINKDN0; PARTITION_RESET clears them; --all lists them too
  $ gc-info -l --all | grep errors
  -+- Id: [1], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [2], [errors]
  -+- Id: [4], target: [Multi IPU], [errors]
   |--- Id: [1], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [2], [errors]
  -+- Id: [6], target: [Multi IPU], [errors]
   |--- Id: [1], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [2], [errors]
  $ gc-info -l --all --color always | sed -n 4p | od -c | grep -c '033 *\[ *3 *1 *m'
  1
  $ gc-info -l --all --color always | grep -c "$(printf '\033')"
  5
  $ NO_COLOR=1 gc-info -l --all | grep -c "$(printf '\033')"
  0
  [1]
  $ gc-info -i -d 6 | grep 'error state'
    ipu error state: IPUSOFTERR, NMLINKDN0
  $ gc-info -lj | grep -e state -e reason | sort | uniq -c | sed 's/^ *//'
  3           "reason": "SoC errors IPUSOFTERR, NMLINKDN0; PARTITION_RESET clears them"
  9           "state": "available"
  3           "state": "errors",
  3       "reason": "SoC errors IPUSOFTERR, NMLINKDN0; PARTITION_RESET clears them",
  4       "state": "available",
  3       "state": "errors",

A machine that is down, then one that reboots.

  $ vipu-admin inject ag01:1 soc-error clear > out; vipu-admin inject ag01 down > out
  $ gc-info -l 2> err; echo $?; cat err
  Graphcore device listing:
  Partition: pt [active, machine down]
  0
  gc-info: 7 of 7 devices of partition pt are not available: IPU-Machine ag01 (10.1.5.1) is down; --all lists them too
  $ gc-info -l --style old 2> err; echo $?
  0
  $ gc-info --ipu-count 2> err; cat err
  4
  gc-info: 4 of 4 IPUs cannot be used: IPU-Machine ag01 (10.1.5.1) is down
  $ gc-info -i -d 4 | grep 'error state'
    ipu error state: machine down
  $ vipu-admin inject ag01 reboot --seconds 600 > out
  $ gc-info -l --all | sed -n 2,3p
  Partition: pt [active, machine rebooting]
  -+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [3], [machine rebooting]
  $ gc-info -d 0 --tile-overview
  gc-info: device 0: IPU-Machine ag01 (10.1.5.1) reboots
  [1]
  $ vipu-admin inject ag01 up > out; gc-info -l | sed -n 2p
  Partition: pt [active]

A partition that another of its machines keeps from work, and one that is not
ready yet.

  $ vipu create partition p8 --size 8 2> err
  create partition (p8): success
  $ export IPUOF_VIPU_API_PARTITION_ID=p8
  $ vipu-admin inject ag04 down > out; gc-info -l --all | sed -n '2p;3p;7p'
  Partition: p8 [active, machine down]
  -+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.3], IPU#: [3], [ERROR]
  -+- Id: [4], target: [Fabric], IPU-M host: [10.1.5.4], IPU#: [3], [machine down]
  $ gc-info -i -d 0 | grep 'error state'
    ipu error state: partition ERROR
  $ gc-info -l --all-partitions 2> err | grep Partition; cat err
  Partition: p8 [active, machine down]
  Partition: pt
  gc-info: 8 of 8 devices of partition p8 are not available: partition p8 is in state ERROR: machine ag04 is down; --all lists them too
  $ vipu-admin inject ag04 up > out; vipu-admin inject ag03 slow 600000 > out
  $ vipu-admin inject ag03 reboot --seconds 0 > out; gc-info -l 2> err; cat err
  Graphcore device listing:
  Partition: p8 [active, PENDING]
  gc-info: 9 of 9 devices of partition p8 are not available: partition p8 is in state PENDING: machine ag03 rebooted; --all lists them too

All IPUs of the pod: the active partition's devices keep their ids.

  $ export IPUOF_VIPU_API_PARTITION_ID=pt
  $ gc-info --list-all-devices > all; gc-info -a | cmp - all
  $ sed -n '2,3p;17,19p;26,28p;$p' all
  Partition: pt [active]
  -+- Id:  [0], target: [Fabric], IPU-M host:  [10.1.5.1], IPU#: [3]
   |--- Id:  [3], DNC Id: [3], IPU-M host:  [10.1.5.1], IPU#: [0]
  Partition: p8 [PENDING]
  -+- Id:  [7], target: [Fabric], IPU-M host:  [10.1.5.3], IPU#: [3], [PENDING]
  -+- Id: [14], target: [Fabric], IPU-M host:  [10.1.5.4], IPU#: [0], [PENDING]
  No partition:
  -+- Id: [15], target: [Fabric], IPU-M host:  [10.1.5.2], IPU#: [3]
  -+- Id: [66], target: [Fabric], IPU-M host: [10.1.5.16], IPU#: [0]
  $ gc-info --list-all-devices --json | grep -c '"target": "Fabric"'
  64
  $ vipu-admin inject ag03 up > out
  $ vipu remove partition pt > out; vipu remove partition p8 > out
  $ unset IPUOF_VIPU_API_PARTITION_ID
  $ gc-info --list-all-devices | wc -l
  66
  $ vipu create partition g --size 4 --num-gcds 2 > out
  $ IPUOF_VIPU_API_PARTITION_ID=g IPUOF_VIPU_API_GCD_ID=1 gc-info --list-all-devices --style old | head -9
  Partition: g [active]
  -+- Id:  [0], type:    [Fabric], PCI Domain: [1]
  -+- Id:  [1], type:    [Fabric], PCI Domain: [0]
  -+- Id:  [2], type: [Multi IPU]
   |--- PCIe Id: [2], DNC Id: [2], PCI Domain: [1]
   |--- PCIe Id: [3], DNC Id: [3], PCI Domain: [0]
  Partition: g [active]
  -+- Id:  [3], type:    [Fabric], PCI Domain: [3]
  -+- Id:  [4], type:    [Fabric], PCI Domain: [2]

What IPUOF_LOG_LEVEL shows, on stderr.

  $ IPUOF_LOG_LEVEL=DEBUG gc-info -l 2>&1 > out
  [ipuof] debug: state directory * (IPUBOX_STATE_DIR) (glob)
  [ipuof] debug: registry * (glob)
  [ipuof] debug: server: the one of this host
  [ipuof] info: partition g (ACTIVE), from */.ipuof.conf.d (glob)
  [ipuof] debug: all 2 GCD(s)
  [ipuof] info: 6 device(s) of 4 IPU(s)
  $ IPUOF_LOG_LEVEL=info IPUOF_VIPU_API_PARTITION_ID=g IPUOF_VIPU_API_GCD_ID=1 gc-info -l 2>&1 > out
  [ipuof] info: partition g (ACTIVE), from IPUOF_VIPU_API_PARTITION_ID
  [ipuof] info: 3 device(s) of 2 IPU(s)
  $ IPUOF_LOG_LEVEL=TRACE IPUOF_VIPU_API_PARTITION_ID=g IPUOF_VIPU_API_GCD_ID=1 gc-info -l 2>&1 > out | tail -2
  [ipuof] trace: IPU 0: ag01:2, IPU-M host 10.1.5.1, IPU# 1
  [ipuof] trace: IPU 1: ag01:3, IPU-M host 10.1.5.1, IPU# 0
  $ for level in WARN ERR ERROR OFF warning ''; do IPUOF_LOG_LEVEL=$level gc-info -l 2>&1 > out; done
  $ IPUOF_LOG_LEVEL=LOUD gc-info --ipu-count
  gc-info: IPUOF_LOG_LEVEL 'LOUD': must be TRACE, DEBUG, INFO, WARN, ERR or OFF; using WARN
  4
  $ IPUOF_VIPU_API_PARTITION_ID= HOME=/nowhere IPUOF_LOG_LEVEL=INFO gc-info --ipu-count
  [ipuof] info: no partition is named
  0

Misuse.

  $ gc-info -i -d 0 --all 2>&1 | head -1
  gc-info: --all needs --list-devices
  $ gc-info -l --color red 2>&1 | head -1
  gc-info: --color 'red': must be auto, always or never
  $ gc-info --list-all-devices --all-partitions > out 2>&1
  [2]
