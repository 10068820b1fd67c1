vipu's command line: help, grammar, refusals, exit statuses.

  $ vipu --help | head -2
  usage: vipu [-H HOST] VERB ENTITY [NAME] [option ...]
         vipu --help | --server-version | --version
  $ vipu -h > h; vipu --help | cmp - h
  $ vipu create partition --help | head -3
  usage: vipu create partition NAME --size N [option ...]
  
  reserve and configure IPUs
  $ vipu --version
  ipubox [0-9.]+ \(vipu\) (re)
  $ vipu --version -v | sed "1d; s|$IPUBOX_STATE_DIR|STATE|; s|$IPUBOX_REGISTRY|REGISTRY|"
  state directory: STATE, IPUBOX_STATE_DIR
  registry: REGISTRY
  emulated hosts: no, default
  sdk: guide (3.1.0), default
  $ vipu --server-version
  version: [0-9.]+ (re)
  host: localhost:8090 (embedded)

Options stand anywhere, entities in either number, values with or without =.

  $ vipu --size 4 create -H local partitions --num-gcds=2 p
  create partition (p): success
  $ vipu list partition > a; vipu --api-host=local list partitions | cmp - a
  $ VIPU_CLI_API_HOST=local vipu get partition p | sed -n 2p
  Partition ID         | p
  $ vipu delete partitions p
  remove partition (p): success

Former names of options:

  $ vipu create partition p --size 8 --gcds 2 --gcd-sync-replicas 4 --gw-routing ring
  create partition (p): failed: gateway routing RING: the partition is in one IPU-Link domain and uses no gateway links.
  [1]
  $ vipu create partition p --size 8 --gcds 2 --gcd-sync-replicas 4
  create partition (p): success
  $ vipu get partition p | grep 'GCDs\|GS1'
  Number of GCDs       | 2
  Intra-GCD Sync (GS1) | Replicas=2

Without a word the help goes to stderr:

  $ vipu > out 2> err
  [2]
  $ cat out; vipu --help | cmp - err

Misuse ends with 2 and one line of usage:

  $ vipu create
  vipu: create: the entity is missing, such as partition
  usage: vipu VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]
  $ vipu paint partition p
  vipu: unknown command 'paint' (--help lists the commands)
  usage: vipu VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]
  $ vipu create partitionss p --size 1
  vipu: unknown command 'create partitionss' (--help lists the commands; did you mean partition?)
  usage: vipu VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]
  $ vipu create partition p
  vipu: create partition needs --size
  usage: vipu create partition NAME --size N [option ...]
  [2]
  $ vipu get partition
  vipu: get partition: the name is missing
  usage: vipu get partition NAME [option ...] (--help lists them)
  [2]
  $ vipu list partitions p
  vipu: list partitions: unexpected argument 'p'
  usage: vipu list partitions [-v] [-w] [--style STYLE] [--format FORM]
  [2]
  $ vipu list partitions --size 4
  vipu: list partitions takes no --size
  usage: vipu list partitions [-v] [-w] [--style STYLE] [--format FORM]
  [2]
  $ vipu list partitions --style odd
  vipu: --style 'odd': must be new, mid or old (did you mean old?)
  usage: vipu list partitions [-v] [-w] [--style STYLE] [--format FORM]
  [2]
  $ vipu get partition p --gcd 0
  vipu: --gcd needs --ipuof-configs
  usage: vipu get partition NAME [option ...] (--help lists them)
  [2]
  $ vipu --sizes 4 create partition p
  vipu: unrecognised option '--sizes' (did you mean --size?)
  usage: vipu VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]
  $ vipu create partition q --size
  vipu: --size needs a value: --size=N
  usage: vipu VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]

Numbers that are none, or none that could be:

  $ for n in 0 -4 4x 0x4 '' 99999999999999999999 131072; do
  >   vipu create partition q --size "$n" 2>&1 >/dev/null | head -1
  > done
  vipu: --size '0': too small, must be 1 to 65536
  vipu: --size '-4': too small, must be 1 to 65536
  vipu: --size '4x': not a whole number
  vipu: --size '0x4': not a whole number
  vipu: --size '': not a whole number
  vipu: --size '99999999999999999999': too large, must be 1 to 65536
  vipu: --size '131072': too large, must be 1 to 65536
  $ vipu create partition q --size 4 --num-gcds 0
  vipu: --num-gcds '0': too small, must be 1 to 65536
  usage: vipu create partition NAME --size N [option ...]
  [2]
  $ vipu create partition q --size 4 --cluster cl0 --index -1 2>&1 | head -1
  vipu: --index '-1': too small, must be 0 to 65536
  $ vipu create partition q --size 4 --routing fast
  vipu: --routing 'fast': must be dnc, swnc, btnc or ringswnc
  usage: vipu create partition NAME --size N [option ...]
  [2]

Rules of the pod end with 1, and say the rule:

  $ vipu create partition q --size 3
  create partition (q): failed: size 3: must be a power of 2 (1, 2, 4, 8, ...).
  [1]
  $ vipu create partition q --size 8 --num-gcds 3
  create partition (q): failed: num-gcds 3: must divide the size, 8, into equal parts.
  [1]
  $ vipu create partition q --size 4 --reconfigurable --num-gcds 2
  create partition (q): failed: a reconfigurable partition has one GCD, not 2: leave out --reconfigurable or --num-gcds.
  [1]
  $ vipu create partition q --size 4 --reconfigurable --sync-type pod-native-default
  create partition (q): failed: sync type pod-native-default: a reconfigurable partition must have c2-compatible.
  [1]
  $ vipu create partition q --size 4 --reconfigurable --sync-type pod-native-default --cluster cl0 --index 0 --ipuof-config-location q
  create partition (q): success
  $ vipu remove partition q
  remove partition (q): success
  $ vipu create partition q --size 4 --index 0
  create partition (q): failed: index 0: an index counts inside one cluster, so --index needs --cluster.
  [1]
  $ vipu create partition q --size 32 --cluster cl0 --index 1
  create partition (q): failed: index 1: cluster cl0 has 1 free placement of size 32 (--options lists them).
  [1]
  $ vipu create partition q --size 32 --routing dnc
  create partition (q): failed: routing DNC: supports at most 16 IPUs in an IPU-Link domain, not 32; use SWNC.
  [1]
  $ vipu create partition q --size 4 --cluster nowhere
  create partition (q): failed: cluster nowhere: does not exist.
  [1]
  $ vipu create partition q --size 4 --allocation ../x
  create partition (q): failed: allocation name '../x': only letters, digits and . _ - are allowed, and the first must be a letter or a digit.
  [1]
  $ vipu create partition q --size 64
  create partition (q): failed: size 64: no aligned group of that size is free; 56 IPUs are free, and the largest size that would fit now is 32; taken by p (8).
  [1]
  $ vipu create partition p --size 1
  create partition (p): failed: partition p already exists.
  [1]

One that is there will do, where it is what is asked for:

  $ vipu create partition p --size 8 --num-gcds 2 --total-num-replicas 4 --if-missing
  create partition (p): success
  $ vipu create partition p --size 1 --if-missing
  create partition (p): failed: partition p already exists, and it has 8 IPUs, not 1.
  [1]
  $ vipu create partition p --size 8 --if-missing --reconfigurable --wait
  create partition (p): failed: partition p already exists, and it is not reconfigurable.
  [1]
  $ vipu create partition new --size 1 --if-missing --relocatable && vipu remove partition new
  create partition (new): success
  remove partition (new): success
  $ vipu create partition q --size 64 --if-missing | wc -l
  create partition (q): failed: size 64: no aligned group of that size is free; 56 IPUs are free, and the largest size that would fit now is 32; taken by p (8).
  0
  $ vipu get partition q
  get partition (q): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ vipu remove partition q
  remove partition (q): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]

Names become file names; what is none is refused and shown harmlessly:

  $ for name in '' ../x .x -x a/b 'a b' "$(printf '\033[31mred')" "$(printf 'b\303\266se')"; do
  >   vipu create partition --size 1 -- "$name"
  > done
  create partition (): failed: partition name: empty.
  create partition (../x): failed: partition name '../x': only letters, digits and . _ - are allowed, and the first must be a letter or a digit.
  create partition (.x): failed: partition name '.x': only letters, digits and . _ - are allowed, and the first must be a letter or a digit.
  create partition (-x): failed: partition name '-x': only letters, digits and . _ - are allowed, and the first must be a letter or a digit.
  create partition (a/b): failed: partition name 'a/b': only letters, digits and . _ - are allowed, and the first must be a letter or a digit.
  create partition (a b): failed: partition name 'a b': only letters, digits and . _ - are allowed, and the first must be a letter or a digit.
  create partition (\x1b[31mred): failed: partition name '\x1b[31mred': only letters, digits and . _ - are allowed, and the first must be a letter or a digit.
  create partition (böse): failed: partition name 'böse': only letters, digits and . _ - are allowed, and the first must be a letter or a digit.
  [1]
  $ name=$(printf '%300s' '' | tr ' ' x)
  $ vipu create partition $name --size 1 2>&1 | grep -o 'failed: .*'
  failed: partition name 'xxxxxxxxxxxxxxxxxxxx...': 300 characters, the limit is 63.
  $ vipu get partition ../x
  get partition (../x): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ name=$(printf '%63s' '' | tr ' ' x)
  $ vipu create partition $name --size 1 2>/dev/null | tr -d x
  create partition (): success
  $ vipu remove partition $name | tr -d x
  remove partition (): success

None of the refusals left anything:

  $ vipu list partitions | sed -n '3,$p'
  cl0         | default    | p         | 1    | DEFAULT    | DNC         | 8    | 2    | ACTIVE
  -----------------------------------------------------------------------------------------------
  $ ls ~/.ipuof.conf.d
  p_gcd0.conf
  p_gcd1.conf

Only this host's controller; server_address.t has the rest:

  $ vipu -H local --server-version | tail -1
  host: localhost:8090 (embedded)
  $ vipu -H 127.0.0.1 --api-port 1 list partitions
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:1: context deadline exceeded
  (--api-host: Connection refused; local means the pod of this host, and with IPUBOX_EMULATE_HOSTS=1 every address does)
  [1]
  $ IPUBOX_EMULATE_HOSTS=1 VIPU_CLI_API_HOST=pod3 vipu --server-version | tail -1
  host: localhost:8090 (embedded)

A full disk for the output is an error:

  $ vipu list partitions > /dev/full
  vipu: cannot write to standard output: No space left on device
  [1]
