ipubox.conf says where the state is, also where the environment is stripped, as
under su -c and cron.

  $ unset IPUBOX_CONFIG IPUBOX_STATE_DIR
  $ alias stripped='env -i HOME="$HOME" PATH="$PATH" IPUBOX_REGISTRY="$IPUBOX_REGISTRY"'
  $ mkdir -p .config/ipubox other
  $ mkdir -m 700 shared
  $ conf=$HOME/.config/ipubox/ipubox.conf
  $ clean() { sed "s|$HOME|HOME|g"; }
  $ printf '[state]\ndirectory = %s ; for all\n\n[emulate]\n' "$HOME/shared" > $conf
  $ stripped vipu --version -v | sed -n 2p | clean
  state directory: HOME/shared, HOME/.config/ipubox/ipubox.conf:2
  $ stripped vipu create partition p --size 4
  create partition (p): success
  $ ls shared/partitions
  p.ini

Every applet goes there, and so does a program under poprun:

  $ IPUBOX_STATE_DIR=$HOME/shared vipu list partitions -q
  p
  $ stripped gc-info --ipu-count
  4
  $ stripped gc-monitor | grep -o 'Partition: p'
  Partition: p
  $ stripped popdist-env get getDeviceId 4
  4
  $ stripped poprun --num-replicas 1 --num-instances 1 --ipus-per-replica 4 vipu list partitions -q
  [1,0]<stdout>:p
  $ stripped vipu-admin list agents --format csv | wc -l
  17

The variable comes before the file, a named file in place of both others:

  $ export IPUBOX_REGISTRY=$IPUBOX_REGISTRY.other
  $ IPUBOX_STATE_DIR=$HOME/other vipu get partition p 2>&1 | clean
  get partition (p): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: HOME/other, IPUBOX_STATE_DIR)
  $ printf '[state]\n; here\ndirectory = %s\n' "$HOME/other" > named.conf
  $ export IPUBOX_CONFIG=named.conf
  $ vipu doctor | sed -n 2p | clean
  ok    state-folder: HOME/other (named.conf:3)

Each message that misses a partition or a user says where it looked:

  $ place() { "$@" 2>&1 | grep "^(" | clean; }
  $ for c in get remove reset env; do place vipu $c $(test $c = env || echo partition) p; done
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  $ place vipu exec p -- true
  (state directory: HOME/other, named.conf:3)
  $ place vipu --api-user-id ann --api-access-key wrong list partitions
  (state directory: HOME/other, named.conf:3)
  $ place vipu-admin get user ann
  (state directory: HOME/other, named.conf:3)
  $ all() {
  >   for c in 'gc-info -l' 'popdist-env get getDeviceId' \
  >     'poprun --num-replicas 1 --num-instances 1 true' \
  >     'mnist-pipeline --dataset generated --epochs 1'; do place $c; done
  > }
  $ all
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  $ export IPUOF_VIPU_API_PARTITION_ID=p; all; place gc-monitor
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  (state directory: HOME/other, named.conf:3)
  $ unset IPUOF_VIPU_API_PARTITION_ID

A mistake is refused by all that need the state, whatever the variables say;
help and version need none.

  $ echo 'registry = x' >> named.conf; export IPUBOX_STATE_DIR=$HOME/other
  $ vipu list partitions
  list partitions: failed: named.conf:4: unknown key 'registry' in [state].
  [1]
  $ vipu create partition x --size 4
  create partition (x): failed: named.conf:4: unknown key 'registry' in [state].
  [1]
  $ gc-info -l
  gc-info: named.conf:4: unknown key 'registry' in [state]
  [1]
  $ gc-monitor
  gc-monitor: named.conf:4: unknown key 'registry' in [state]
  [1]
  $ popdist-env get getDeviceId
  popdist-env: named.conf:4: unknown key 'registry' in [state]
  [1]
  $ poprun --num-replicas 1 --num-instances 1 true
  POPRUN ERROR: named.conf:4: unknown key 'registry' in [state]
  [1]
  $ mnist-pipeline --dataset generated --epochs 1 2>&1 | grep -o 'named.*'
  named.conf:4: unknown key 'registry' in [state]
  $ vipu-admin init --force
  vipu-admin: named.conf:4: unknown key 'registry' in [state]
  [1]
  $ vipu --version -v > /dev/null
  vipu: named.conf:4: unknown key 'registry' in [state]
  [1]
  $ for a in vipu vipu-admin gc-info gc-monitor poprun popdist-env mnist-pipeline ipubox; do $a --help > /dev/null && $a --version > /dev/null || echo "$a"; done
  $ poprun --offline-mode=yes --num-replicas 1 --num-instances 1 echo works
  [1,0]<stdout>:works

Who could write the file could lead others astray:

  $ export IPUBOX_CONFIG=$HOME/named.conf; sed -i '$d' named.conf; chmod g+w named.conf
  $ gc-info -l 2>&1 | clean
  gc-info: HOME/named.conf: only its owner may have write access; run chmod go-w HOME/named.conf
  $ vipu doctor | grep -v ^ok | sed 1q | clean
  FAIL  settings: HOME/named.conf: only its owner may have write access; run chmod go-w HOME/named.conf
  $ rm named.conf; gc-info -l 2>&1 | clean
  gc-info: IPUBOX_CONFIG: cannot open HOME/named.conf: No such file or directory
  $ IPUBOX_CONFIG=/dev/null gc-info -l 2>&1 | tail -1 | clean
  (state directory: HOME/other, IPUBOX_STATE_DIR)

What is emulated: the variable, the file, the default, each with its name.

  $ unset IPUBOX_CONFIG
  $ emulation() { "$@" vipu --version -v | grep -E '^(emulated|sdk)' | clean; }
  $ emulation env
  emulated hosts: no, default
  sdk: guide (3.1.0), default
  $ printf '[emulate]\nhosts = on\nsdk = 2.x\n' > $conf
  $ emulation env
  emulated hosts: yes, HOME/.config/ipubox/ipubox.conf:2
  sdk: 2.x (2.6.0), HOME/.config/ipubox/ipubox.conf:3
  $ emulation env IPUBOX_EMULATE_HOSTS=0 IPUBOX_EMULATE_SDK=3.3.0
  emulated hosts: no, IPUBOX_EMULATE_HOSTS
  sdk: 3.x (3.3.0), IPUBOX_EMULATE_SDK
  $ emulation env IPUBOX_EMULATE_HOSTS= IPUBOX_EMULATE_SDK=guide
  emulated hosts: yes, HOME/.config/ipubox/ipubox.conf:2
  sdk: guide (3.1.0), IPUBOX_EMULATE_SDK
  $ vipu doctor | grep settings: | clean
  ok    settings: every host is this machine (HOME/.config/ipubox/ipubox.conf:2)
  ok    settings: the tools report SDK 2.6.0 (HOME/.config/ipubox/ipubox.conf:3)
  $ IPUBOX_EMULATE_SDK=3 vipu --version -v > /dev/null
  vipu: IPUBOX_EMULATE_SDK '3': must be guide, 2.x, 3.x, or a version of these lines such as 3.3.0
  [1]
  $ IPUBOX_EMULATE_HOSTS=sure vipu doctor | grep settings:
  FAIL  settings: IPUBOX_EMULATE_HOSTS 'sure': must be yes or no (on/off, true/false and 1/0 mean the same); correct the variable, or unset it
  $ echo 'sdk = 3.x' >> $conf; vipu list partitions 2>&1 | clean
  list partitions: failed: HOME/.config/ipubox/ipubox.conf:4: 'sdk' is given twice in [emulate].
