vipu-admin export and apply: a whole pod as one file.

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

The plan is printed first; with --dry-run nothing more happens:

  $ vipu-admin apply -f lab.ini --dry-run
  ~ pod lab: name pod64 -> lab
  - allocation default
  - cluster cl0
  - agent ag[09-16]
  + agent ag[01-02]
  + agent shelf
  + cluster c1: 8 machines, torus
  + cluster c2: 2 machines, mesh
  + allocation team
  + allocation guests
  + partition wide: 16 IPUs of c1 from ag01:0
  + partition fixed: 4 IPUs of c2 from ag02:0
  + partition small: 2 IPUs of c2 from ag01:0
  $ vipu-admin list clusters -q
  cl0
  $ vipu-admin apply -f lab.ini | tail -1
  apply pod (lab): success.
  $ vipu list partitions
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  -----------------------------------------------------------------------------------------------
  c2          | guests     | fixed     | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE
  c2          | guests     | small     | 1    | DEFAULT    | DNC         | 2    | 1    | ACTIVE
  c1          | team       | wide      | 2    | DEFAULT    | DNC         | 16   | 4    | ACTIVE
  -----------------------------------------------------------------------------------------------
  $ vipu-admin apply -f lab.ini
  apply pod (lab): nothing to do.

What export writes says all of it, and makes the same pod again:

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
  $ vipu-admin apply -f all.ini
  apply pod (lab): nothing to do.
  $ vipu-admin init --force && vipu-admin apply -f - < all.ini | tail -1
  init pod (pod64): success.
  apply pod (lab): success.
  $ vipu-admin export | cmp - all.ini
  $ for pod in pod4 pod16 pod64 pod128 pod256 pod512 bow-pod64; do
  >   vipu-admin init --force --pod $pod > out && vipu-admin export > one.ini &&
  >   vipu create partition a --size 2 --relocatable > out &&
  >   vipu create partition b --size 1 --sync-type pod-native-default --relocatable > out &&
  >   vipu-admin export > two.ini && vipu-admin init --force > out &&
  >   vipu-admin apply -f two.ini > out && vipu-admin export | cmp - two.ini &&
  >   vipu-admin apply -f one.ini --force > out && vipu-admin export | cmp - one.ini || echo $pod
  > done

Behind the last serial number there is none to count on to:

  $ (cat one.ini; printf '\n[spare]\nagents = s[1-2]\n\n[agent s1]\nserial = 9999999\n\n[agent s2]\nserial = 5\n') > last.ini
  $ vipu-admin apply -f last.ini | tail -1
  apply pod (bow-pod64): success.
  $ vipu-admin export | sed -n '/spare/,/^$/p; /s2/,/^$/p'
  [spare]
  agents = s[1-2]
  serial = 9999999
  
  [agent s2]
  serial = 5
  $ vipu-admin init --force > out && vipu-admin apply -f all.ini | tail -1
  apply pod (lab): success.

A partition that goes needs --force, and one that only moves in the file's
order stays:

  $ vipu-admin apply -f all.ini > out
  $ sed '/partition small/,/^$/d' all.ini > less.ini
  $ vipu-admin apply -f less.ini
  - partition small
  vipu-admin: apply pod (lab): failed: 1 partition would be removed (small); --force does it
  [1]
  $ vipu list partitions -q
  fixed
  small
  wide
  $ vipu-admin apply -f less.ini --force
  - partition small
  apply pod (lab): success.
  $ sed 's/^gcds = 4/gcds = 8/; s/^size = 4/size = 2/' less.ini > other.ini
  $ vipu-admin apply -f other.ini --force
  - partition fixed
  - partition wide
  + partition fixed: 2 IPUs of c2 from ag02:0
  + partition wide: 16 IPUs of c1 from ag01:0
  apply pod (lab): success.
  $ vipu get partition wide | grep GCDs
  Number of GCDs       | 8

The pod grows under partitions that stay; what is wired in another way takes
them along:

  $ sed 's/ag\[01-08\]/ag[01-16]/; /^.cluster c1/,/^topo/s/^ilds = 2/ilds = 4/' other.ini > more.ini
  $ vipu-admin apply -f more.ini
  + agent ag[09-16]
  ~ agent c2:ag01: host 10.1.2.9 -> 10.1.2.17, address 10.1.5.9 -> 10.1.5.17, serial 8203329 -> 8203337
  ~ agent c2:ag02: host 10.1.2.10 -> 10.1.2.18, address 10.1.5.10 -> 10.1.5.18, serial 8203330 -> 8203338
  ~ agent shelf: host 10.1.2.11 -> 10.1.2.19, address 10.1.5.11 -> 10.1.5.19, serial 8203331 -> 8203339
  ~ cluster c1: ilds 2 -> 4, +ag[09-16]
  ~ allocation team: +ag[09-16]
  apply pod (lab): success.
  $ vipu list partitions -q
  fixed
  wide
  $ sed 's/^topology = torus/topology = mesh/' more.ini > mesh.ini
  $ vipu-admin apply -f mesh.ini --dry-run
  - partition wide
  ~ cluster c1: topology torus -> mesh
  + partition wide: 16 IPUs of c1 from ag01:0

A partition without a place stays where it is, and goes round those that have
one:

  $ vipu-admin init --force --pod pod16 > out && vipu-admin export > pod.ini
  $ vipu create partition gap --size 4 > out && vipu create partition here --size 4 > out 2>&1 && vipu remove partition gap > out
  $ printf '[partition here]\nsize = 4\n' | cat pod.ini - > stay.ini && vipu-admin apply -f stay.ini
  apply pod (pod16): nothing to do.
  $ printf '[partition first]\nsize = 8\nfirst-ipu = ag01:0\n' | cat stay.ini - > round.ini
  $ vipu-admin apply -f round.ini --force
  - partition here
  + partition here: 4 IPUs of cl0 from ag03:0
  + partition first: 8 IPUs of cl0 from ag01:0
  apply pod (pod16): success.

Whatever is wrong with the file is said with its line, and nothing changes:

  $ vipu-admin export > before.ini
  $ try() { cat pod.ini - > bad.ini; vipu-admin apply -f bad.ini --force; echo "status $?"; vipu-admin export | cmp - before.ini; }
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
  $ vipu-admin apply -f bad.ini --force
  vipu-admin: bad.ini:11: partition p: first-ipu ag03:0: not all of the 8 IPUs from there on are in allocation default
  [1]
  $ printf '[partition p]\nsize = 16\n' | cat some.ini - > bad.ini
  $ vipu-admin apply -f bad.ini --force
  vipu-admin: bad.ini:11: partition p: size 16: no allocation of cluster cl0 has an aligned group of that size, free or taken
  [1]
  $ vipu-admin export | cmp - before.ini
  $ vipu-admin apply -f none.ini
  vipu-admin: cannot open none.ini: No such file or directory
  [1]
  $ printf '[pod]\n' | vipu-admin apply -f -
  vipu-admin: -:1: [pod] has no 'name'
  [1]

A partition on machines that are in no allocation is made again:

  $ vipu-admin init --force --pod empty > out && vipu-admin discover agent --add > out
  $ vipu-admin create cluster c --agents 'ag[01-16]' --topology torus
  create cluster (c): success.
  $ vipu create partition a --size 64 && vipu-admin export > free.ini
  create partition (a): success
  $ vipu remove partition a && vipu-admin apply -f free.ini
  remove partition (a): success
  + partition a: 64 IPUs of c from ag01:0
  apply pod (empty): success.
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
  $ vipu-admin apply -f byhand.ini
  + cluster cl0: 4 machines, mesh
  + allocation default
  apply pod (pod16): success.
  $ vipu-admin export | cmp - byhand.ini
  $ vipu-admin apply -f gap.ini > out && vipu-admin export | cmp - gap.ini
  $ for agent in ag01 ag02 ag03 ag04 zz; do vipu-admin remove agent $agent; done > out
  $ vipu-admin export | tee empty.ini
  [pod]
  name = pod16
  allocations = none
  $ vipu-admin init > out && vipu-admin apply -f empty.ini | tail -1 && vipu-admin export | cmp - empty.ini
  apply pod (pod16): success.

An allocation that a user has does not go, and then nothing else does:

  $ vipu-admin init --pod pod16 --force > out && vipu-admin create user ann --allocations default > out && vipu create partition p --size 4 --relocatable > out
  $ sed 's/^.allocation default/[allocation other/' pod.ini > other.ini && vipu-admin apply -f other.ini --force
  - partition p
  - allocation default
  + allocation other
  vipu-admin: apply pod (pod16): failed: user ann may use it; vipu-admin update user NAME --remove-allocations default takes it away
  [1]
  $ vipu list partitions -q
  p
  $ vipu-admin remove user ann > out && vipu-admin apply -f other.ini --force | tail -1
  apply pod (pod16): success.

A new pod is made without partitions; the file that has some is for apply:

  $ vipu-admin init --force --pod round.ini
  vipu-admin: round.ini:11: a pod that is made anew has no partitions; vipu-admin apply -f makes it with them
  [1]

Misuse, and files that cannot be written:

  $ vipu-admin apply
  vipu-admin: apply needs -f FILE
  usage: vipu-admin apply -f FILE [--dry-run] [--force]
  [2]
  $ vipu-admin apply pod.ini 2>&1 | head -1
  vipu-admin: apply: one word too many: 'pod.ini'
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
