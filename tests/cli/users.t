Users, access keys and configuration files.

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

The guide's bring-up:

  $ umask 000
  $ vipu-admin create user alice --allocations alloc-1
  create user \(alice\): success\. Access key is '[A-Za-z0-9]{4}_[A-Za-z0-9]{6}'\. (re)
  vipu configuration file for the user 'alice' written: alice.vipu-cli.hcl
  Use 'vipu --config alice.vipu-cli.hcl' to switch to the user context.
  $ stat -c %a alice.vipu-cli.hcl
  600
  $ cat alice.vipu-cli.hcl
  api-user-id="alice"
  api-access-key="[A-Za-z0-9]{4}_[A-Za-z0-9]{6}" (re)
  $ stat -c %a "$IPUBOX_STATE_DIR/users/alice.ini"
  600
  $ cat "$IPUBOX_STATE_DIR/users/alice.ini"
  [user]
  name = alice
  key-hash = \$pbkdf2-sha512\$1000\$[0-9a-f]{32}\$[0-9a-f]{64} (re)
  allocations = alloc-1
  $ vipu --config alice.vipu-cli.hcl list allocation
  ---------------------------------
   Allocation ID | Agents
  ---------------------------------
   alloc-1       | ag1 ag2 ag3 ag4
  ---------------------------------
  $ vipu --config alice.vipu-cli.hcl create partition mypt --size 8 --reconfigurable --relocatable
  create partition (mypt): success
  $ vipu-admin create user bob --allocations alloc-2,alloc-1 | tail -1
  Use 'vipu --config bob.vipu-cli.hcl' to switch to the user context.
  $ vipu-admin update user bob --remove-allocations alloc-1
  update user (bob): success.
  $ vipu-admin create user carol | sed -n 2p
  vipu configuration file for the user 'carol' written: carol.vipu-cli.hcl
  $ vipu-admin list users
  ---------------------------
   User ID     | Allocations
  ---------------------------
   alice       | alloc-1
   bob         | alloc-2
   carol       |
  ---------------------------
  $ vipu-admin get user bob
  -----------------------
   User ID     | bob
   Allocations | alloc-2
  -----------------------
  $ vipu-admin list users --format csv
  id,allocation_ids
  alice,alloc-1
  bob,alloc-2
  carol,
  $ vipu-admin list users --showjson | tr -d ' \n'
  [{"id":"alice","allocation_ids":["alloc-1"]},{"id":"bob","allocation_ids":["alloc-2"]},{"id":"carol","allocation_ids":[]}] (no-eol)
  $ vipu-admin list users -q
  alice
  bob
  carol

What is others' looks as if it did not exist:

  $ alias alice='vipu --config alice.vipu-cli.hcl' bob='vipu --config bob.vipu-cli.hcl' carol='vipu --config carol.vipu-cli.hcl'
  $ for a in alloc-1 alloc-2; do for what in get reset remove; do bob $what partition $a 2>&1 | grep -c "$a is an allocation"; done; done | tr '\n' ' '
  0 0 0 1 1 1  (no-eol)
  $ bob list partitions -q; bob get partition mypt
  get partition (mypt): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ bob remove partition mypt; bob reset partition mypt
  remove partition (mypt): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  reset partition (mypt): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ bob list allocations -q; bob get allocation alloc-1
  alloc-2
  get allocation (alloc-1): failed: the allocation does not exist; vipu list allocations shows the existing ones.
  [1]
  $ bob list ipu-attrs --format csv | cut -d, -f2 | sort -u
  ag5
  ag6
  agent
  $ bob list ipu-attrs --agents ag1
  list ipu-attrs: failed: agent ag1: does not exist.
  [1]
  $ bob create partition p --size 2 --options
   Index       | Cluster | ILDs | GW Routing | ILD Routing | Size | IPUs
  --------------------------------------------------------------------------------------
   0           | cl0     | 1    | UNDEFINED  | DNC         | 2    | 0.0=ag5:0 0.1=ag5:1
   1           | cl0     | 1    | UNDEFINED  | DNC         | 2    | 0.0=ag5:2 0.1=ag5:3
   2           | cl0     | 1    | UNDEFINED  | DNC         | 2    | 0.0=ag6:0 0.1=ag6:1
   3           | cl0     | 1    | UNDEFINED  | DNC         | 2    | 0.0=ag6:2 0.1=ag6:3
  --------------------------------------------------------------------------------------
  $ bob create partition p --size 2 --allocation alloc-1
  create partition (p): failed: allocation alloc-1: does not exist.
  [1]
  $ bob create partition p --size 8 --relocatable
  create partition (p): success
  $ bob create partition q --size 1
  create partition (q): failed: size 1: no aligned group of that size is free; 0 IPUs are free; taken by p (8).
  [1]
  $ bob create partition mypt --size 1 --relocatable
  create partition (mypt): failed: this name is not available; choose another.
  [1]
  $ bob create partition t --size 1 --index 0 --cluster cl0 --options
   Index       | Cluster | ILDs | GW Routing | ILD Routing | Size | IPUs
  -----------------------------------------------------------------------
  -----------------------------------------------------------------------
  $ bob env mypt
  env (mypt): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ alice list partitions -q
  mypt
  $ vipu list partitions
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  -----------------------------------------------------------------------------------------------
  cl0         | alloc-1    | mypt      | 1    | DEFAULT    | DNC         | 8    | 1    | ACTIVE
  cl0         | alloc-2    | p         | 1    | DEFAULT    | DNC         | 8    | 1    | ACTIVE
  -----------------------------------------------------------------------------------------------
  $ carol list allocations -q; carol list partitions -q; carol create partition c --size 1
  create partition (c): failed: user carol has no allocation; vipu-admin update user carol --add-allocations NAME adds one.
  [1]
  $ vipu-admin update user bob --allocations alloc-2,alloc-1
  update user (bob): success.
  $ bob create partition r --size 4 --relocatable; bob get partition r | grep IPUs
  create partition (r): success
  Number of IPUs       | 4
  IPUs                 | 0=ag3:0 1=ag3:1 2=ag3:2 3=ag3:3
  $ bob remove partition r; bob remove partition p
  remove partition (r): success
  remove partition (p): success

poprun asks as the same user:

  $ VIPU_CLI_CONFIG=carol.vipu-cli.hcl poprun --num-replicas 8 --num-instances 1 --vipu-partition mypt true
  POPRUN ERROR: partition mypt does not exist: --update-partition=yes lets poprun create it (vipu list partitions shows the existing ones)
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ VIPU_CLI_CONFIG=alice.vipu-cli.hcl poprun --num-replicas 8 --num-instances 1 --vipu-partition mypt true

Where the words come from: an option, a variable, --config, VIPU_CLI_CONFIG,
~/.vipu-cli.hcl.

  $ key=$(sed -n 's/^api-access-key="\(.*\)"/\1/p' alice.vipu-cli.hcl)
  $ vipu --api-user-id alice --api-access-key "$key" list allocations -q
  alloc-1

A key among the options is wiped as they are read. Here the command stops at its
first words, which nothing reads:

  $ mkfifo pipe; exec 3<> pipe; dd if=/dev/zero of=pipe bs=4096 oflag=nonblock 2> /dev/null
  [1]
  $ words() { tr '\0' ' ' < /proc/$!/cmdline | grep "$1"; }
  $ vipu --api-user-id alice --api-access-key "$key" list allocations > pipe & until words '[*]'; do :; done; kill $!
  vipu --api-user-id alice --api-access-key *********** list allocations 
  $ vipu --api-user-id alice --api-access-key="$key" list allocations > pipe & until words '[*]'; do :; done; kill $!; exec 3>&-
  vipu --api-user-id alice --api-access-key=*********** list allocations 
  $ VIPU_CLI_API_USER_ID=alice VIPU_CLI_API_ACCESS_KEY=$key vipu list allocations -q
  alloc-1
  $ VIPU_CLI_API_USER_ID=bob VIPU_CLI_API_ACCESS_KEY=$key vipu --config alice.vipu-cli.hcl list allocations -q
  list allocations: failed: user bob is unknown, or this is not its access key.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ VIPU_CLI_API_USER_ID=bob vipu --config alice.vipu-cli.hcl --api-user-id alice list allocations -q
  alloc-1
  $ VIPU_CLI_CONFIG=alice.vipu-cli.hcl vipu list allocations -q
  alloc-1
  $ cp alice.vipu-cli.hcl .vipu-cli.hcl; chmod 600 .vipu-cli.hcl; vipu list allocations -q
  alloc-1
  $ VIPU_CLI_CONFIG=bob.vipu-cli.hcl vipu list allocations -q
  alloc-2
  alloc-1
  $ rm .vipu-cli.hcl; vipu list allocations -q
  alloc-1
  alloc-2
  $ printf 'api-host="127.0.0.1"\napi-port=1\n' > pod.hcl
  $ vipu --config pod.hcl list partitions
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:1: context deadline exceeded
  (pod.hcl:1: Connection refused; local means the pod of this host, and with IPUBOX_EMULATE_HOSTS=1 every address does)
  [1]
  $ vipu --config pod.hcl --server-version 2>&1 | head -1
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:1: context deadline exceeded
  $ IPUBOX_EMULATE_HOSTS=yes vipu --config pod.hcl list partitions -q
  mypt
  $ vipu --config pod.hcl -H local list partitions -q
  mypt
  $ VIPU_CLI_API_PORT=2 vipu --config pod.hcl list partitions 2>&1 | head -1
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:2: context deadline exceeded
  $ VIPU_CLI_CONFIG=pod.hcl poprun --num-replicas 1 --num-instances 1 true 2>&1 | head -1
  POPRUN ERROR: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:1: context deadline exceeded
  $ mkdir ipuof; echo "ipuof-config-location = \"$PWD/ipuof/\" # here" > folder.hcl
  $ vipu --config folder.hcl create partition f --size 1; ls ipuof; vipu remove partition f; ls ipuof
  create partition (f): success
  f.conf
  remove partition (f): success

What is refused:

  $ vipu --api-user-id alice list partitions
  list partitions: failed: user alice needs an access key; name the file alice.vipu-cli.hcl with --config or VIPU_CLI_CONFIG.
  [1]
  $ vipu --api-access-key "$key" list partitions 2>&1 | sed "s/$key/KEY/"
  vipu: an access key (from --api-access-key) needs a user; name one with --api-user-id
  $ vipu --api-user-id alice --api-access-key wrong_key123 list partitions
  list partitions: failed: user alice is unknown, or this is not its access key.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ vipu --api-user-id nobody --api-access-key wrong_key123 list partitions
  list partitions: failed: user nobody is unknown, or this is not its access key.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ vipu --api-user-id ../alice --api-access-key "$key" list partitions
  vipu: user name '../alice': only letters, digits and . _ - are allowed, and the first must be a letter or a digit
  [1]
  $ chmod 640 alice.vipu-cli.hcl; alice list partitions -q; chmod 600 alice.vipu-cli.hcl
  vipu: alice.vipu-cli.hcl holds an access key, so only its owner may have access to the file; run chmod 600 alice.vipu-cli.hcl
  $ vipu --config none.hcl list partitions
  vipu: cannot open none.hcl: No such file or directory
  [1]
  $ echo 'api-hots = "local"' > bad.hcl; vipu --config bad.hcl list partitions
  vipu: bad.hcl:1: unknown key 'api-hots' (did you mean api-host?)
  [1]
  $ vipu --api-port 0 list partitions
  vipu: --api-port '0': too small, must be 1 to 65535
  [1]
  $ vipu-admin create user alice
  create user (alice): failed: user alice already exists.
  [1]
  $ vipu-admin create user ../dora; vipu-admin create user dora --allocations none
  create user (../dora): failed: user name '../dora': only letters, digits and . _ - are allowed, and the first must be a letter or a digit.
  create user (dora): failed: allocation none: does not exist.
  [1]
  $ touch dora.vipu-cli.hcl; vipu-admin create user dora; ls -s dora.vipu-cli.hcl; rm dora.vipu-cli.hcl
  create user (dora): failed: file dora.vipu-cli.hcl already exists; move it away or remove it.
  0 dora.vipu-cli.hcl
  $ ln -s precious dora.vipu-cli.hcl; vipu-admin create user dora; ls precious; rm dora.vipu-cli.hcl
  create user (dora): failed: file dora.vipu-cli.hcl already exists; move it away or remove it.
  ls: cannot access 'precious': No such file or directory
  $ vipu-admin get user dora; vipu-admin update user dora --new-key; vipu-admin remove user dora; ls dora*
  get user (dora): failed: the user does not exist; vipu-admin list users shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  update user (dora): failed: the user does not exist; vipu-admin list users shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  remove user (dora): failed: the user does not exist; vipu-admin list users shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  ls: cannot access 'dora*': No such file or directory
  [2]
  $ vipu-admin update user alice
  vipu-admin: update user: nothing to change; give at least one option
  usage: vipu-admin update user NAME [option ...]
  [2]
  $ vipu-admin update user alice --allocations alloc-1 --add-allocations alloc-2
  vipu-admin: --allocations names all allocations: leave out --add-allocations and --remove-allocations
  usage: vipu-admin update user NAME [option ...]
  [2]
  $ vipu-admin update user alice --add-allocations alloc-2,none; vipu-admin update user alice --remove-allocations alloc-2
  update user (alice): failed: allocation none: does not exist.
  update user (alice): failed: user alice does not have allocation alloc-2.
  [1]
  $ vipu-admin create user; vipu-admin init --default-user-id x
  vipu-admin: create user: the name is missing
  usage: vipu-admin create user NAME [--allocations A,B]
  vipu-admin: --default-user-id needs --secure
  usage: vipu-admin init [--pod POD] [--force] [--secure]
  [2]
  $ vipu-admin list users --format csv
  id,allocation_ids
  alice,alloc-1
  bob,alloc-2 alloc-1
  carol,

An allocation that a user has stays:

  $ vipu-admin update user bob --allocations alloc-2
  update user (bob): success.
  $ vipu-admin create allocation alloc-3 --agents ag7,ag8
  create allocation (alloc-3): success.
  $ vipu-admin update user bob --add-allocations alloc-3
  update user (bob): success.
  $ vipu-admin remove allocation alloc-3; vipu-admin list allocations -q
  remove allocation (alloc-3): failed: user bob may use it; first use vipu-admin update user NAME --remove-allocations alloc-3.
  alloc-1
  alloc-2
  alloc-3
  $ vipu-admin update user bob --allocations alloc-2,alloc-1
  update user (bob): success.
  $ vipu-admin remove allocation alloc-3; vipu-admin list allocations -q
  remove allocation (alloc-3): success.
  alloc-1
  alloc-2

A new key ends the old one; a removed user has none:

  $ mv alice.vipu-cli.hcl old.hcl; vipu-admin update user alice --new-key | sed 's/is .*/is KEY/'
  update user (alice): success. Access key is KEY
  vipu configuration file for the user 'alice' written: alice.vipu-cli.hcl
  Use 'vipu --config alice.vipu-cli.hcl' to switch to the user context.
  $ alice list allocations -q; vipu --config old.hcl list allocations -q
  alloc-1
  list allocations: failed: user alice is unknown, or this is not its access key.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ vipu-admin remove user alice; alice list allocations -q
  remove user (alice): success.
  list allocations: failed: user alice is unknown, or this is not its access key.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ ls "$IPUBOX_STATE_DIR/users"
  bob.ini
  carol.ini

A damaged user is named, the others stay:

  $ echo 'key-hash = x' >> "$IPUBOX_STATE_DIR/users/bob.ini"
  $ bob list partitions -q 2>&1 | sed "s|$IPUBOX_STATE_DIR|STATE|"; carol list partitions -q
  list partitions: failed: STATE/users/bob.ini:5: 'key-hash' is given twice in [user].
  $ vipu-admin list users 2>&1 | sed "s|$IPUBOX_STATE_DIR|STATE|"
  list users: failed: STATE/users/bob.ini:5: 'key-hash' is given twice in [user].
  $ vipu-admin remove user bob
  remove user (bob): success.
