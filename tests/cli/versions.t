IPUBOX_EMULATE_SDK: of which release the tools say they are, and the layouts
that belong to it.

  $ vipu create partition p --size 4
  create partition (p): success
  $ as() { IPUBOX_EMULATE_SDK=$1; export IPUBOX_EMULATE_SDK; shift; "$@"; unset IPUBOX_EMULATE_SDK; }

The guide's layout is the default, and that of 3.x:

  $ vipu list partitions | tee default
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  -----------------------------------------------------------------------------------------------
  cl0         | default    | p         | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE
  -----------------------------------------------------------------------------------------------
  $ as guide vipu list partition | cmp - default
  $ as 3.x vipu list partitions | cmp - default
  $ as 3.3.0 vipu-admin list partitions | cmp - default
  $ as 2.x vipu-admin list partitions
   Cluster     | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  ----------------------------------------------------------------------------------
   cl0         | p         | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE
  ----------------------------------------------------------------------------------

vipu of that time prints the partition first, as its published output does:

  $ as 2.x vipu list partitions
   Partition   | Cluster | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  --------------------------------------------------------------------------------
   p           | cl0     | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE
  --------------------------------------------------------------------------------

Scripts take the name by the column of their release:

  $ as 2.6.0 vipu-admin list partitions --api-host local | grep ACTIVE | cut -d '|' -f 2 | cut -d ' ' -f 2 | head -1
  p
  $ as 3.1.0 vipu-admin list partitions --api-host local | grep ACTIVE | cut -d '|' -f 3 | cut -d ' ' -f 2 | head -1
  p
  $ vipu list partition | sed -n 3p | awk '{print $5}'
  p

A column of another release does not name a partition:

  $ name=$(vipu list partition | grep ACTIVE | cut -d '|' -f 2 | tr -d ' ')
  $ missed() { grep -o 'default is an allocation.*'; }
  $ vipu reset partition $name
  reset partition (default): failed: the partition does not exist; vipu list partitions shows the existing ones; default is an allocation: vipu-admin list partitions shows the partition in column 3 (in column 2 with IPUBOX_EMULATE_SDK=2.x).
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ vipu get partition cl0 2>&1 | grep -o 'cl0 is a cluster: .* in column 3 '
  cl0 is a cluster: vipu-admin list partitions shows the partition in column 3 
  $ vipu exec $name -- true 2>&1 | missed
  default is an allocation: vipu-admin list partitions shows the partition in column 3 (in column 2 with IPUBOX_EMULATE_SDK=2.x).
  $ poprun --vipu-partition $name true 2>&1 | missed
  default is an allocation: vipu-admin list partitions shows the partition in column 3 (in column 2 with IPUBOX_EMULATE_SDK=2.x)
  $ IPUOF_VIPU_API_PARTITION_ID=$name gc-info -l 2>&1 | missed
  default is an allocation: vipu-admin list partitions shows the partition in column 3 (in column 2 with IPUBOX_EMULATE_SDK=2.x)

The option comes before the release, and other forms are the same in all:

  $ as 3.x vipu list partitions --style mid | sed -n 3p | cut -d '|' -f 2 | tr -d ' '
  p
  $ as 2.x vipu list partitions --style new | cmp - default
  $ as 2.x vipu list partitions --style old | sed -n 3p | cut -d '|' -f 1 | tr -d ' '
  p
  $ vipu list partitions --format csv > csv; as 2.x vipu list partitions --format csv | cmp - csv
  $ as 2.x vipu list partitions -q
  p

What the tools say of themselves:

  $ say() {
  >   as "$1" gc-info --version; as "$1" gc-monitor version; as "$1" gc-monitor --version
  >   as "$1" vipu --server-version; as "$1" vipu --version; as "$1" vipu-admin --version
  >   as "$1" vipu list ipu-attrs --agents ag01 --format csv | sed -n 's/^ag01:0,.*,\(.*version,\)/\1/p'
  >   as "$1" vipu-admin get agent ag01 | grep 'ersion' | grep -v HDF
  >   as "$1" gc-monitor | sed -n 6p | cut -d '|' -f 4-6 | tr -d ' '
  > }
  $ export IPUOF_VIPU_API_PARTITION_ID=p
  $ say 3.3.0
  Poplar version: 3.3.0
  Poplar version: 3.3.0
  Poplar version: 3.3.0
  version: 1.18.0
  host: localhost:8090 (embedded)
  version: 1.18.0
  version: 1.18.0
  driver version,1.3.0
  firmware major version,2
  firmware minor version,5
  firmware patch version,9
  firmware version,2.5.9
  gateway software version,2.4.2
  icu bootloader version,2.6.2
  ipuof server version,1.11.0
   Virm version         | 1.18.0
   Runtime version      | 2.6.0
   GWSW Version         | 2.4.2
   IPUoF server version | v1.11.0
  2.6.0|1.11.0|2.5.9
  $ as 2.x gc-info --version
  Poplar version: 2.6.0
  $ gc-info --version
  Poplar version: 3.1.0
  $ as 3.x vipu --version -v | sed -n '1,2p'
  version: 1.18.0
  ipubox [0-9.]+ \(vipu\) (re)
  $ vipu --version
  ipubox [0-9.]+ \(vipu\) (re)

gc-info has the layout of the release, of its variable, or of its option:

  $ gc-info -l | head -1
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  $ as 2.6.0 gc-info -l | sed -n 3p
  -+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [3]
  $ IPUBOX_GC_STYLE=old as 3.x gc-info -l | head -1
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  $ as guide gc-info -l --style new | sed -n 3p
  -+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [3]

IPUoF files have the versions of the release that made them, and programs do not
mind:

  $ as 3.x vipu create partition q --size 4 2> /dev/null
  create partition (q): success
  $ grep -h '_version"' ~/.ipuof.conf.d/p.conf | sort -u
        "gwsw_version": "2.4.2",
        "ipum_sw_version": "2.5.0"
  $ grep -h '_version"' ~/.ipuof.conf.d/q.conf | sort -u
        "gwsw_version": "2.4.2",
        "ipum_sw_version": "2.6.0"
  $ vipu doctor | grep ipuof-files
  ok    ipuof-files: nothing is wrong
  $ as 3.x vipu get partition p --ipuof-configs --gcd 0 | grep -c '"2.6.0"'
  4
  $ as 3.x vipu list partitions --format json | grep -m 1 server_version | tr -d ' '
  "ipuof_server_version":"1.11.0"
  $ vipu remove partition q
  remove partition (q): success

What is refused, by the variable and by the file:

  $ as 1.4.0 vipu list partitions
  vipu: IPUBOX_EMULATE_SDK '1.4.0': must be guide, 2.x, 3.x, or a version of these lines such as 3.3.0
  $ printf '[emulate]\nsdk = 2\n' > conf; IPUBOX_CONFIG=conf vipu list partitions
  list partitions: failed: conf:2: sdk '2': must be guide, 2.x, 3.x, or a version of these lines such as 3.3.0.
  [1]
  $ printf '[emulate]\nsdk = 2.x\n' > conf; IPUBOX_CONFIG=conf vipu list partitions | sed -n 3p | cut -d '|' -f 1 | tr -d ' '
  p
  $ IPUBOX_EMULATE_SDK=4 gc-info --version
  gc-info: IPUBOX_EMULATE_SDK '4': must be guide, 2.x, 3.x, or a version of these lines such as 3.3.0
  [1]
  $ IPUBOX_EMULATE_SDK=x gc-monitor --no-card-info
  gc-monitor: IPUBOX_EMULATE_SDK 'x': must be guide, 2.x, 3.x, or a version of these lines such as 3.3.0
  [1]
  $ IPUBOX_EMULATE_SDK=x gc-info --help | head -1 | cut -c 1-17
  usage: gc-info -l
  $ echo 'hosts = 7' >> conf; IPUBOX_CONFIG=conf gc-info --version
  Poplar version: 3.1.0

Single versions in place of the release's, whatever chose it:

  $ unset IPUBOX_EMULATE_SDK
  $ printf '[emulate]\nmachine-software = none\nserver-version = 1.10.2\nfirmware = 2.5.10\n' > conf
  $ export IPUBOX_CONFIG=$PWD/conf
  $ gc-monitor | sed -n 6p | cut -d '|' -f 4-6 | tr -d ' '
  |1.10.2|2.5.10
  $ as 2.x gc-monitor | sed -n 6p | cut -d '|' -f 4-6 | tr -d ' '
  |1.10.2|2.5.10
  $ vipu list ipu-attrs --agents ag01 --format csv | sed -n 's/^ag01:0,.*,\(firmware.*version,\)/\1/p'
  firmware major version,2
  firmware minor version,5
  firmware patch version,10
  firmware version,2.5.10
  $ as 3.x vipu create partition q --size 4 2> /dev/null
  create partition (q): success
  $ grep -h ipum_sw ~/.ipuof.conf.d/q.conf | sort -u
        "ipum_sw_version": ""
  $ echo 'server-version = new' > bad; cat conf bad | sed 's/^server-version = 1.*//' > conf2
  $ IPUBOX_CONFIG=conf2 vipu list partitions
  list partitions: failed: conf2:5: server-version 'new': must be a version such as 2.5.0, or none.
  [1]
  $ IPUBOX_CONFIG=conf2 gc-monitor
  gc-monitor: conf2:5: server-version 'new': must be a version such as 2.5.0, or none
  [1]
  $ vipu remove partition q
  remove partition (q): success
