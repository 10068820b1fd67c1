Secure mode, where nobody is let in who names no user, but the administrator.

  $ cat > lab.ini <<'END'
  > [pod]
  > name = lab
  > [cluster cl0]
  > agents = ag[1-8]
  > topology = mesh
  > address = 10.1.5.1
  > host = 10.1.2.1
  > [allocation alloc-1]
  > agents = ag1,ag2,ag3,ag4
  > [allocation alloc-2]
  > agents = ag5,ag6
  > END
  $ vipu-admin init --pod lab.ini
  init pod (lab): success.
  $ umask 077; vipu-admin create user carol > out && vipu create partition old --size 1 > out
  $ alias carol='vipu --config carol.vipu-cli.hcl'
  $ vipu-admin init --pod lab.ini --secure --default-user-id boss
  vipu-admin: init pod (lab): failed: the pod has 1 partitions; remove them first, or use --force
  [1]
  $ vipu-admin init --pod lab.ini --secure --default-user-id boss --force 2> note | sed 's/Key is: .*/Key is: KEY/'
  init pod (lab): success.
  Default user is: boss
  Access Key is: KEY
  $ sed "s|$IPUBOX_STATE_DIR|STATE|" note
  vipu-admin: note: keys guard only against mistakes; every user with write access to STATE can do anything with the pod, see ipubox.conf(5)
  $ grep secure "$IPUBOX_STATE_DIR/pod.ini"
  secure = yes
  $ vipu list partitions; vipu create partition p --size 4; poprun --num-replicas 1 --num-instances 1 true
  list partitions: failed: the pod is in secure mode, and no user is named; name the user's file NAME.vipu-cli.hcl with --config or VIPU_CLI_CONFIG.
  create partition (p): failed: the pod is in secure mode, and no user is named; name the user's file NAME.vipu-cli.hcl with --config or VIPU_CLI_CONFIG.
  POPRUN ERROR: the pod is in secure mode, and no user is named; name the user's file NAME.vipu-cli.hcl with --config or VIPU_CLI_CONFIG
  [1]
  $ carol list partitions -q && vipu-admin list partitions -q
  $ vipu-admin create partition p --size 4 --relocatable; vipu-admin get user boss --format csv
  create partition (p): success
  id,allocation_ids
  boss,alloc-1 alloc-2
  $ vipu-admin remove partition p
  remove partition (p): success
  $ vipu-admin init --pod lab.ini --secure --default-user-id '' ; vipu-admin init --secure --default-user-id 'a b'
  vipu-admin: init pod (lab): failed: user name: empty
  vipu-admin: init pod (pod64): failed: user name 'a b': only letters, digits and . _ - are allowed, and the first must be a letter or a digit
  [1]

A new pod is in the mode of the old one, and its users stay; --no-secure is how
it is opened:

  $ vipu-admin init --pod lab.ini; vipu-admin list users -q
  init pod (lab): success.
  vipu-admin: note: the pod is in secure mode, as the old one was, and its users stay; --no-secure opens it
  boss
  carol
  $ vipu list partitions -q
  list partitions: failed: the pod is in secure mode, and no user is named; name the user's file NAME.vipu-cli.hcl with --config or VIPU_CLI_CONFIG.
  [1]
  $ vipu-admin init --secure --no-secure 2>&1 | head -1
  vipu-admin: --secure and --no-secure exclude each other
  $ vipu-admin init --pod lab.ini --no-secure; vipu list partitions -q; grep -c secure "$IPUBOX_STATE_DIR/pod.ini"
  init pod (lab): success.
  0
  [1]

A partition belongs to the user who created it. Others of its allocation see it,
and leave it as it is:

  $ vipu-admin init --pod lab.ini --secure --default-user-id boss --force > out 2>&1; for u in ann bob dora; do vipu-admin create user $u --allocations alloc-1 > out; done
  $ alias ann='vipu --config ann.vipu-cli.hcl' bob='vipu --config bob.vipu-cli.hcl'
  $ ann create partition p --size 4
  create partition (p): success
  $ bob get partition p --verbose | grep '^User'; bob list partitions --format json | grep '"user"'
  User                 | ann
        "user": "ann",
  $ bob list partitions --verbose | sed -n '1p;3p'; bob list partitions --verbose --style old | sed -n '1p;3p'
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State  | User
  cl0         | alloc-1    | p         | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE | ann
   Partition   | Cluster | ILDs | GW Routing | ILD Routing | Size | GCDs | State  | User
   p           | cl0     | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE | ann
  $ grep '^user' "$IPUBOX_STATE_DIR/partitions/p.ini"
  user = ann
  $ bob remove partition p; bob remove partition p --force; bob reset partition p
  remove partition (p): failed: partition p belongs to user ann; only ann and the administrator may change it, unless share-partitions of ipubox.conf(5) is set.
  remove partition (p): failed: partition p belongs to user ann; only ann and the administrator may change it, unless share-partitions of ipubox.conf(5) is set.
  reset partition (p): failed: partition p belongs to user ann; only ann and the administrator may change it, unless share-partitions of ipubox.conf(5) is set.
  [1]
  $ job() { VIPU_CLI_CONFIG=bob.vipu-cli.hcl poprun --vipu-partition p --num-replicas 1 --num-instances 1 --ipus-per-replica 4 "$@" true; }
  $ job; job --reset-partition=yes; job --reset-partition=yes --update-partition=yes
  POPRUN ERROR: partition p belongs to user ann; only ann and the administrator may change it, unless share-partitions of ipubox.conf(5) is set
  POPRUN ERROR: partition p belongs to user ann; only ann and the administrator may change it, unless share-partitions of ipubox.conf(5) is set
  [1]
  $ ann reset partition p; vipu-admin remove partition p; vipu-admin create partition q --size 4 --allocation alloc-1; bob remove partition q
  reset partition (p): success
  remove partition (p): success
  create partition (q): success
  remove partition (q): success

A server does the same, and its own settings count. On its socket root is the
administrator, and dora is one with her key:

  $ printf '[users]\nshare-partitions = yes\n' > share.conf; printf '[access]\nadministrators = dora\n' > server.conf
  $ serve() { rm -f log; mkfifo log; env "$@" vipu-server --secure --config server.conf --listen 127.0.0.1:0 2> log & server=$!; exec 3< log; read -r line <&3; port=${line##*:}; cat <&3 > lines & exec 3>&-; export VIPU_CLI_API_HOST=127.0.0.1 VIPU_CLI_API_PORT=$port; }
  $ leave() { kill $server; wait $server; unset VIPU_CLI_API_HOST VIPU_CLI_API_PORT; }
  $ serve IPUBOX_CONFIG=/dev/null; ann create partition p --size 4
  create partition (p): success
  $ bob get partition p --verbose | grep '^User'; IPUBOX_CONFIG=share.conf bob remove partition p --force
  User                 | ann
  remove partition (p): failed: partition p belongs to user ann; only ann and the administrator may change it, unless share-partitions of ipubox.conf(5) is set.
  [1]
  $ bob reset partition p
  reset partition (p): failed: partition p belongs to user ann; only ann and the administrator may change it, unless share-partitions of ipubox.conf(5) is set.
  [1]
  $ ann reset partition p; (unset VIPU_CLI_API_HOST VIPU_CLI_API_PORT; vipu remove partition p)
  reset partition (p): success
  remove partition (p): success
  $ ann create partition p --size 4; vipu --config dora.vipu-cli.hcl remove partition p
  create partition (p): success
  remove partition (p): success
  $ vipu --config dora.vipu-cli.hcl create partition p --size 4 --allocation alloc-1; bob remove partition p
  create partition (p): success
  remove partition (p): failed: partition p belongs to user dora; only dora and the administrator may change it, unless share-partitions of ipubox.conf(5) is set.
  [1]
  $ vipu --config dora.vipu-cli.hcl remove partition p
  remove partition (p): success
  $ ann create partition p --size 4; leave
  create partition (p): success
  $ serve IPUBOX_CONFIG=share.conf; bob reset partition p; bob remove partition p; leave
  reset partition (p): success
  remove partition (p): success

Without a server it is the setting of the caller:

  $ ann create partition p --size 4; IPUBOX_CONFIG=share.conf bob reset partition p; bob reset partition p
  create partition (p): success
  reset partition (p): success
  reset partition (p): failed: partition p belongs to user ann; only ann and the administrator may change it, unless share-partitions of ipubox.conf(5) is set.
  [1]

A partition whose file names no user is one that all may change:

  $ sed -i '/^user = /d' "$IPUBOX_STATE_DIR/partitions/p.ini"; rm -f "$IPUBOX_REGISTRY"; bob remove partition p
  remove partition (p): success
