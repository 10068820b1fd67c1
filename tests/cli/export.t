vipu-admin export, and init from what it wrote: a whole pod as one file.

  $ vipu-admin export | head -3
  [pod]
  name = pod64
  
  $ cat > lab.ini <<'END'
  > ; Two racks of four machines, one machine on the shelf.
  > [pod]
  > name = lab
  > [cluster c1]
  > agents = ag[01-08]
  > ilds = 2
  > topology = torus
  > gateway = looped
  > [cluster c2]
  > agents = ag[01-02]
  > topology = mesh
  > model = BOW-2000
  > [spare]
  > agents = shelf
  > [allocation team]
  > cluster = c1
  > agents = ag[01-04]
  > agents = ag[05-08]
  > [allocation guests]
  > cluster = c2
  > agents = ag[01-02]
  > [partition wide]
  > size = 16
  > gcds = 4
  > ilds = 2
  > cluster = c1
  > [partition fixed]
  > size = 4
  > cluster = c2
  > first-ipu = ag02:0
  > [partition small]
  > size = 2
  > allocation = guests
  > reconfigurable = yes
  > auto-reset = no
  > END

  $ vipu-admin init --pod lab.ini
  init pod (lab): success.
  create partition (wide): success
  create partition (fixed): success
  create partition (small): success
  $ vipu list partitions
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  -----------------------------------------------------------------------------------------------
  c2          | guests     | fixed     | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE
  c2          | guests     | small     | 1    | DEFAULT    | DNC         | 2    | 1    | ACTIVE
  c1          | team       | wide      | 2    | DEFAULT    | DNC         | 16   | 4    | ACTIVE
  -----------------------------------------------------------------------------------------------

What export writes says all of it, and makes the same pod elsewhere:

  $ vipu-admin export all.ini && cat all.ini
  [pod]
  name = lab
  
  [cluster c1]
  agents = ag[01-08]
  ilds = 2
  topology = torus
  gateway = looped
  
  [cluster c2]
  agents = ag[01-02]
  model = BOW-2000
  topology = mesh
  
  [spare]
  agents = shelf
  
  [allocation team]
  cluster = c1
  agents = ag[01-08]
  
  [allocation guests]
  cluster = c2
  agents = ag[01-02]
  
  [partition fixed]
  size = 4
  cluster = c2
  allocation = guests
  first-ipu = ag02:0
  routing = dnc
  
  [partition small]
  size = 2
  cluster = c2
  allocation = guests
  first-ipu = ag01:0
  routing = dnc
  reconfigurable = yes
  auto-reset = no
  
  [partition wide]
  size = 16
  gcds = 4
  ilds = 2
  cluster = c1
  allocation = team
  first-ipu = ag01:0
  routing = dnc
  $ IPUBOX_STATE_DIR=$TEST_SHM/other IPUBOX_REGISTRY=$TEST_SHM/other.r VIPU_CLI_IPUOF_CONFIG_LOCATION=$PWD/files sh -c 'vipu-admin init --pod all.ini && vipu-admin export | cmp - all.ini'
  init pod (lab): success.
  create partition (fixed): success
  create partition (small): success
  create partition (wide): success
  $ ls files
  fixed.conf
  small.conf
  wide_gcd0.conf
  wide_gcd1.conf
  wide_gcd2.conf
  wide_gcd3.conf
  $ for pod in pod4 pod16 pod64 pod128 pod256 pod512 bow-pod64; do
  >   vipu-admin init --force --pod $pod > out && vipu-admin export > one.ini &&
  >   vipu create partition a --size 2 --relocatable > out &&
  >   vipu create partition b --size 1 --sync-type pod-native-default --relocatable > out &&
  >   vipu-admin export > two.ini && vipu-admin init --force > out &&
  >   vipu-admin init --pod two.ini > out && vipu-admin export | cmp - two.ini &&
  >   vipu-admin init --pod one.ini --force > out && vipu-admin export | cmp - one.ini || echo $pod
  > done

Behind the last serial number there is none to count on to:

  $ (cat one.ini; printf '\n[spare]\nagents = s[1-2]\n\n[agent s1]\nserial = 9999999\n\n[agent s2]\nserial = 5\n') > last.ini
  $ vipu-admin init --pod last.ini
  init pod (bow-pod64): success.
  $ vipu-admin export | sed -n '/spare/,/^$/p; /s2/,/^$/p'
  [spare]
  agents = s[1-2]
  serial = 9999999
  
  [agent s2]
  serial = 5

Partitions that exist need --force; then their IPUoF files go, and those of
partitions of the same name are written anew:

  $ vipu-admin init --pod all.ini > out; ls ~/.ipuof.conf.d | wc -l
  6
  $ sed 's/^gcds = 4/gcds = 2/' all.ini > other.ini
  $ vipu-admin init --pod other.ini
  vipu-admin: init pod (lab): failed: there are 3 partitions; remove them first, or with --force
  [1]
  $ vipu-admin export | cmp - all.ini
  $ vipu-admin init --pod other.ini --force | tail -1
  create partition (wide): success
  $ vipu-admin export | cmp - other.ini; ls ~/.ipuof.conf.d
  fixed.conf
  small.conf
  wide_gcd0.conf
  wide_gcd1.conf

Where no place is named, a partition takes the lowest that is left:

  $ vipu-admin init --force --pod pod16 > out && vipu-admin export > pod.ini
  $ printf '[partition here]\nsize = 4\n[partition first]\nsize = 8\nfirst-ipu = ag01:0\n' | cat pod.ini - > round.ini
  $ vipu-admin init --pod round.ini
  init pod (pod16): success.
  create partition (here): success
  create partition (first): success
  $ vipu-admin export | grep -E '^.partition|^first-ipu'
  [partition first]
  first-ipu = ag01:0
  [partition here]
  first-ipu = ag03:0

Whatever is wrong with the file is said with its line, and nothing changes:

  $ vipu-admin export > before.ini
  $ try() { cat pod.ini - > bad.ini; vipu-admin init --pod bad.ini --force; echo "status $?"; vipu-admin export | cmp - before.ini; }
  $ printf '[partition p]\nsize = 4\ncolour = red\n' | try 2>&1
  vipu-admin: bad.ini:13: unknown key 'colour' in [partition p]
  status 1
  $ printf '[partition p]\nsize = 4\n[partition p]\nsize = 4\n' | try 2>&1
  vipu-admin: bad.ini:13: section [partition p] stands in line 11 already
  status 1
  $ printf '[partition p]\nsize = 3\n' | try 2>&1
  vipu-admin: bad.ini:11: partition p: size 3: must be a power of 2 (1, 2, 4, 8, ...)
  status 1
  $ printf '[partition p]\ngcds = 3\n' | try 2>&1
  vipu-admin: bad.ini:11: [partition p] has no 'size'
  status 1
  $ printf '[partition p]\nsize = 8\nfirst-ipu = ag01:0\n[partition q]\nsize = 4\nfirst-ipu = ag02:0\n' | try 2>&1
  vipu-admin: bad.ini:14: partition q: first-ipu ag02:0: not all of the 4 IPUs from there on are free; partition p lies there, see line 11
  status 1
  $ printf '[partition p]\nsize = 8\nfirst-ipu = ag02:0\n' | try 2>&1
  vipu-admin: bad.ini:11: partition p: first-ipu ag02:0: a group of 8 IPUs begins at a multiple of 8 in its IPU-Link domain
  status 1
  $ printf '[partition p]\nsize = 4\nfirst-ipu = ag05:0\ncluster = cl0\n' | try 2>&1
  vipu-admin: bad.ini:11: partition p: first-ipu ag05:0: there is none of that name in cluster cl0
  status 1
  $ printf '[partition p]\nsize = 4\nfirst-ipu = ag01\n' | try 2>&1
  vipu-admin: bad.ini:11: partition p: first-ipu 'ag01': an IPU is named AGENT:N, N from 0 to 3
  status 1
  $ printf '[partition p]\nsize = 4\ncluster = c9\n' | try 2>&1
  vipu-admin: bad.ini:11: partition p: cluster c9: there is none of that name
  status 1
  $ printf '[partition p]\nsize = 32\n' | try 2>&1
  vipu-admin: bad.ini:11: partition p: size 32: cluster cl0 has 16 IPUs
  status 1
  $ printf '[partition p]\nsize = 4\nrouting = left\n' | try 2>&1
  vipu-admin: bad.ini:13: routing 'left': must be dnc, swnc, btnc or ringswnc
  status 1
  $ sed '/^.allocation/,$s/01-04/01-02/' pod.ini > some.ini
  $ printf '[partition p]\nsize = 8\nfirst-ipu = ag03:0\nallocation = default\n' | cat some.ini - > bad.ini
  $ vipu-admin init --pod bad.ini --force
  vipu-admin: bad.ini:11: partition p: first-ipu ag03:0: not all of the 8 IPUs from there on are in allocation default
  [1]
  $ printf '[partition p]\nsize = 16\n' | cat some.ini - > bad.ini
  $ vipu-admin init --pod bad.ini --force
  vipu-admin: bad.ini:11: partition p: size 16: no allocation of cluster cl0 has an aligned group of that size, free or taken
  [1]
  $ vipu-admin export | cmp - before.ini
  $ vipu-admin init --pod none.ini
  vipu-admin: cannot open none.ini: No such file or directory
  [1]

A partition on machines that are in no allocation is made again:

  $ vipu-admin init --force --pod empty > out && vipu-admin discover agent --add > out
  $ vipu-admin create cluster c --agents 'ag[01-16]' --topology torus
  create cluster (c): success.
  $ vipu create partition a --size 64 && vipu-admin export > free.ini
  create partition (a): success
  $ vipu-admin init --force --pod free.ini
  init pod (empty): success.
  create partition (a): success
  $ vipu-admin export | cmp - free.ini
  $ vipu list partitions --format csv | sed -n 2p | cut -d, -f1-4
  a,c,,64

What was declared and changed command by command is written as well, and an
empty pod too:

  $ vipu-admin init --force --pod pod16 > out && {
  >   vipu-admin create agent zz --host 10.1.2.77 --port 1234
  >   vipu-admin update agent ag02 --host 10.1.2.99; } > out
  $ vipu-admin export byhand.ini && sed -n '/spare/,$p' byhand.ini
  [spare]
  agents = zz
  host = 10.1.2.77
  port = 1234
  
  [allocation default]
  cluster = cl0
  agents = ag[01-04]
  
  [agent ag02]
  host = 10.1.2.99
  $ vipu-admin remove allocation default > out && vipu-admin remove cluster cl0 > out && vipu-admin export gap.ini
  $ vipu-admin init --pod byhand.ini
  init pod (pod16): success.
  $ vipu-admin export | cmp - byhand.ini
  $ vipu-admin init --pod gap.ini > out && vipu-admin export | cmp - gap.ini
  $ for agent in ag01 ag02 ag03 ag04 zz; do vipu-admin remove agent $agent; done > out
  $ vipu-admin export | tee empty.ini
  [pod]
  name = pod16
  allocations = none
  $ vipu-admin init > out && vipu-admin init --pod empty.ini && vipu-admin export | cmp - empty.ini
  init pod (pod16): success.

In secure mode as well:

  $ vipu-admin init --secure --default-user-id ann --pod round.ini 2> /dev/null | sed 's/^Access Key is: .*/Access Key is: KEY/'
  init pod (pod16): success.
  Default user is: ann
  Access Key is: KEY
  create partition (here): success
  create partition (first): success
  $ vipu-admin init --force --no-secure > out

Misuse, and files that cannot be written:

  $ vipu-admin apply -f pod.ini --force
  vipu-admin: no command is called 'apply'; use init --pod FILE with the file that export wrote
  usage: vipu-admin VERB [ENTITY] [NAME] [option ...]
  [2]
  $ vipu-admin export > /dev/full
  vipu-admin: cannot write to standard output: No space left on device
  [1]
  $ vipu-admin export /dev/full
  vipu-admin: cannot write /dev/full: No space left on device
  [1]
  $ vipu-admin export none/pod.ini
  vipu-admin: cannot write none/pod.ini: No such file or directory
  [1]
  $ vipu-admin export --help | sed -n 1,3p
  usage: vipu-admin export [FILE]
  
  write the pod and its partitions as one file
