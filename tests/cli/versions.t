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
  $ as 2.x vipu list partitions
   Cluster     | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  ----------------------------------------------------------------------------------
   cl0         | p         | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE
  ----------------------------------------------------------------------------------

Scripts take the name by the column of their release:

  $ as 2.6.0 vipu-admin list partitions --api-host local | grep ACTIVE | cut -d '|' -f 2 | cut -d ' ' -f 2 | head -1
  p
  $ as 3.1.0 vipu-admin list partitions --api-host local | grep ACTIVE | cut -d '|' -f 3 | cut -d ' ' -f 2 | head -1
  p
  $ vipu list partition | sed -n 3p | awk '{print $5}'
  p

The option comes before the release, and other forms are the same in all:

  $ as 3.x vipu list partitions --style mid | sed -n 3p | cut -d '|' -f 2 | tr -d ' '
  p
  $ as 2.x vipu list partitions --style new | cmp - default
  $ as 2.x vipu list partitions --style old | sed -n 3p | cut -d '|' -f 1 | tr -d ' '
  p
  $ vipu list partitions --format csv > csv; as 2.x vipu list partitions --format csv | cmp - csv
  $ as 2.x vipu list partitions -q
  p

What is refused, by the variable and by the file:

  $ as 1.4.0 vipu list partitions
  vipu: IPUBOX_EMULATE_SDK '1.4.0': must be guide, 2.x, 3.x, or a version of these lines, as 3.3.0
  $ printf '[emulate]\nsdk = 2\n' > conf; IPUBOX_CONFIG=conf vipu list partitions
  list partitions: failed: conf:2: sdk '2': must be guide, 2.x, 3.x, or a version of these lines, as 3.3.0.
  [1]
  $ printf '[emulate]\nsdk = 2.x\n' > conf; IPUBOX_CONFIG=conf vipu list partitions | sed -n 3p | cut -d '|' -f 2 | tr -d ' '
  p
