gc-info: attributes, JSON, several partitions, help and misuse.

  $ vipu create partition p1 --size 2 --reconfigurable
  create partition (p1): success
  $ gc-info -d0 -i
  Device Info:
    id: 0
    target: Fabric
    average board temp: N/A
    average die temp: N/A
    board ipu index: 3
    board serial number: [0-9]{4}\.0002\.[0-9]{7} (re)
    board type: M2000
    clock: 1330MHz
    config domain: 9[34][0-9]{12} (re)
    driver version: 1.0.56
    firmware major version: 2
    firmware minor version: 4
    firmware patch version: 4
    firmware version: 2.4.4
    gateway software version: 2.4.2
    graph streaming: true
    hexoatt active size (bytes): 0
    hexoatt total size (bytes): 34082914304
    hexopt active size (bytes): 0
    hexopt total size (bytes): 268435456
    host link correctable error count: 0
    ipu architecture: ipu2
    ipu error state: no errors
    ipu power: N/A
    ipu utilisation: 0.00%
    ipu utilisation (session): 0.00%
    ipuof host: 10.1.5.1
    ipuof partition id: p1
    ipuof routing id: 0
    ipuof routing type: DNC
    ipuof server version: 1.9.0
    link correctable error count: 0
    link speed: 16 GT/s
    link width: 8
    number of replicas: 1
    partition sync type: c2-compatible
    pci id: 3
    pcie physical slot: 3
    reconfigurable partition: true
    remote buffers supported: 1
    total board power: N/A
  $ gc-info -d 0 -I > upper; gc-info -d 0 -i | cmp - upper
  $ gc-info -d 2 --chip-id; gc-info --chip-id
  0024.8203321.3
  0024.8203321.2
  0024.8203321.3
  $ GCDA_MONITOR=1 gc-info -i -d 2 | grep -E 'target|temp|power'
    target: Multi IPU
    average board temp: 29.6 C
    average die temp: 39.2 C
    ipu power: 82.0 W
    total board power: 112.0 W
  $ GCDA_OPTIONS='{"enableMonitoring":"true"}' gc-info -i -d 1 | grep 'ipu power'
    ipu power: 41.0 W
  $ gc-info --json --device-info --device-id 1 | head -4
  {
    "id": "1",
    "target": "Fabric",
    "average board temp": "N/A",
  $ gc-info -lj
  {
    "devices": [
      {
        "id": "0",
        "target": "Fabric",
        "partition": "p1",
        "active": "true",
        "state": "available",
        "gcd id": "0",
        "ipus": [
          {
            "id": "0",
            "routing id": "0",
            "ipu-m host": "10.1.5.1",
            "ipu#": "3",
            "state": "available"
          }
        ]
      },
      {
        "id": "1",
        "target": "Fabric",
        "partition": "p1",
        "active": "true",
        "state": "available",
        "gcd id": "0",
        "ipus": [
          {
            "id": "1",
            "routing id": "1",
            "ipu-m host": "10.1.5.1",
            "ipu#": "2",
            "state": "available"
          }
        ]
      },
      {
        "id": "2",
        "target": "Multi IPU",
        "partition": "p1",
        "active": "true",
        "state": "available",
        "gcd id": "0",
        "ipus": [
          {
            "id": "0",
            "routing id": "0",
            "ipu-m host": "10.1.5.1",
            "ipu#": "3",
            "state": "available"
          },
          {
            "id": "1",
            "routing id": "1",
            "ipu-m host": "10.1.5.1",
            "ipu#": "2",
            "state": "available"
          }
        ]
      }
    ]
  }

Two partitions: neither file counts, but a name does.

  $ vipu create partition p2 --size 4 --ipuof-config-location elsewhere > out
  $ export IPUOF_VIPU_API_PARTITION_ID=p1
  $ gc-info -l --all-partitions --style new
  Graphcore device listing:
  Partition: p1 [active]
  -+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [3]
  -+- Id: [1], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [2]
  Partition: p2
  -+- Id: [2], target: [Fabric], IPU-M host: [10.1.5.2], IPU#: [3]
  -+- Id: [3], target: [Fabric], IPU-M host: [10.1.5.2], IPU#: [2]
  -+- Id: [4], target: [Fabric], IPU-M host: [10.1.5.2], IPU#: [1]
  -+- Id: [5], target: [Fabric], IPU-M host: [10.1.5.2], IPU#: [0]
  $ gc-info -l --all-partitions
  Partition: p1 [active]
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  -+- Id: [1], type:    [Fabric], PCI Domain: [2]
  Partition: p2
  -+- Id: [2], type:    [Fabric], PCI Domain: [3]
  -+- Id: [3], type:    [Fabric], PCI Domain: [2]
  -+- Id: [4], type:    [Fabric], PCI Domain: [1]
  -+- Id: [5], type:    [Fabric], PCI Domain: [0]

All are shown whichever is active: a partition that does not exist, a stale
file, a broken file and files of several partitions are a warning.

  $ IPUOF_VIPU_API_PARTITION_ID=p3 gc-info -l --all-partitions
  gc-info: no partition is active: partition p3 (from IPUOF_VIPU_API_PARTITION_ID) does not exist; `vipu list partitions` shows those that exist, `vipu create partition p3 --size N` creates it
  Partition: p1
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  ...
  $ unset IPUOF_VIPU_API_PARTITION_ID
  $ sed 's/p1/p9/' "$HOME/.ipuof.conf.d/p1.conf" > stale
  $ IPUOF_CONFIG_PATH=stale gc-info -l --all-partitions | head -1
  gc-info: no partition is active: partition p9 (from stale) does not exist; `vipu list partitions` shows those that exist, `vipu create partition p9 --size N` creates it
  Partition: p1
  $ echo { > broken; IPUOF_CONFIG_PATH=broken gc-info -l --all-partitions | head -1
  gc-info: no partition is active: IPUOF_CONFIG_PATH: * (glob)
  Partition: p1
  $ IPUOF_CONFIG_PATH=broken gc-monitor --all-partitions | head -2 | tail -1
  gc-monitor: no partition is active: IPUOF_CONFIG_PATH: * (glob)
  |  gc-monitor   | *Partition: p1 * (glob)
  $ cp elsewhere/p2.conf "$HOME/.ipuof.conf.d"
  $ gc-info -l --all-partitions | head -1
  gc-info: *: ignored; it must contain only the files of one partition: * (glob)
  Partition: p1
  $ rm "$HOME/.ipuof.conf.d/p2.conf"
  $ export IPUOF_VIPU_API_PARTITION_ID=p1
  $ IPUOF_VIPU_API_PARTITION_ID=p3 gc-info -l
  gc-info: partition p3 (from IPUOF_VIPU_API_PARTITION_ID) does not exist; `vipu list partitions` shows those that exist, `vipu create partition p3 --size N` creates it
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PORT=1 gc-info -l
  gc-info: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:1: context deadline exceeded
  (IPUOF_VIPU_API_HOST: Connection refused; local means the pod of this host, and with IPUBOX_EMULATE_HOSTS=1 every address does)
  [1]
  $ IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_TIMEOUT=x gc-info -l
  gc-info: IPUOF_VIPU_API_TIMEOUT 'x': must be a time: seconds, or a number followed by s, m, h or d
  [1]
  $ IPUBOX_EMULATE_HOSTS=1 IPUOF_VIPU_API_HOST=10.1.3.101 gc-info --ipu-count
  2

Versions and help.

  $ gc-info --version
  Poplar version: 3.1.0
  $ gc-info --help | head -4
  usage: gc-info -l [-j] [--all] [--all-partitions] [--style old|mid|new] [--wide]
                 [--color WHEN] | -a [-j] | -i -d N [-j] | --chip-id [-d N] |
                 --ipu-arch | --ipu-count | --tile-clock-speed [-d N] |
                 --tile-overview [-d N] | --tile-status TILE [-c CONTEXT]
  $ gc-info -l > /dev/full
  gc-info: cannot write to standard output: No space left on device
  [1]

Misuse: the reason and one usage line, status 2.

  $ gc-info 2>&1 | head -1
  gc-info: nothing to do: -l lists the devices, -i -d N shows one
  $ gc-info > out 2>&1
  [2]
  $ grep -c usage: out
  1
  $ gc-info -i 2>&1 | head -1
  gc-info: --device-info needs --device-id N
  $ gc-info -i -d x 2>&1 | head -1
  gc-info: --device-id 'x': not a whole number
  $ gc-info -l --ipu-count 2>&1 | head -1
  gc-info: only one action can be chosen at a time
  $ gc-info -l --style short 2>&1 | head -1
  gc-info: --style 'short': must be old, mid or new
  $ IPUBOX_GC_STYLE=short gc-info -l 2>&1 | head -1
  gc-info: IPUBOX_GC_STYLE 'short': must be old, mid or new
  $ gc-info --ipu-count --all-partitions 2>&1 | head -1
  gc-info: --all-partitions needs --list-devices
  $ for option in '--style old' '--color never'; do gc-info --ipu-count $option 2>&1 | head -1; done
  gc-info: --style needs --list-devices or --list-all-devices
  gc-info: --color needs --list-devices or --list-all-devices
  $ gc-info --ipu-count --json 2>&1 | head -1
  gc-info: --json needs --list-devices, --list-all-devices or --device-info
  $ gc-info -l everything 2>&1 | head -1
  gc-info: unexpected argument 'everything'
