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
