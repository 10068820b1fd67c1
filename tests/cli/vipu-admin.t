vipu-admin: make a pod and look at it.

  $ vipu-admin --help | head -1
  usage: vipu-admin VERB [ENTITY] [NAME] [option ...]
  $ vipu-admin -h > short && vipu-admin --help | cmp - short
  $ vipu-admin --help | sed -n '/^Pods:/,$p'
  Pods:
  
    empty
    bow-pod64
    pod128
    pod16
    pod256
    pod4
    pod512
    pod64
  
  The partition commands have the same options as in vipu; vipu --help lists
  them.
  
  Examples:
  
    vipu-admin init --pod pod128
    vipu-admin export pod.ini
    vipu-admin inject ag01 down
  $ vipu-admin --version
  ipubox [0-9.]+ \(vipu-admin\) (re)

The first use makes pod64:

  $ vipu-admin list clusters
   Cluster     | Agents | IPUs | ILDs | Topology | GW Topology
  -------------------------------------------------------------
   cl0         | 16     | 64   | 1    | torus    | none
  -------------------------------------------------------------

Each pod in the program can be made:

  $ for pod in pod4 pod16 pod64 pod128 pod256 pod512 bow-pod64; do
  >   vipu-admin init --pod $pod && vipu-admin list clusters | sed -n 3p
  > done
  init pod (pod4): success.
   cl0         | 1      | 4    | 1    | mesh     | none
  init pod (pod16): success.
   cl0         | 4      | 16   | 1    | mesh     | none
  init pod (pod64): success.
   cl0         | 16     | 64   | 1    | torus    | none
  init pod (pod128): success.
   cl0         | 32     | 128  | 2    | torus    | looped
  init pod (pod256): success.
   cl0         | 64     | 256  | 4    | torus    | switched
  init pod (pod512): success.
   cl0         | 128    | 512  | 8    | torus    | switched
  init pod (bow-pod64): success.
   cl0         | 16     | 64   | 1    | torus    | none
  $ vipu-admin list agents | sed -n '1,3p;18p'
   Agent       | Cluster | Allocation | Host      | Port | IPUoF Address | Type     | Serial            | Status
  ---------------------------------------------------------------------------------------------------------------
   ag01        | cl0     | default    | 10.1.2.1  | 8080 | 10.1.5.1      | BOW-2000 | 0024.xxxx.8203321 | Up
   ag16        | cl0     | default    | 10.1.2.16 | 8080 | 10.1.5.16     | BOW-2000 | 0024.xxxx.8203336 | Up

A file: two clusters with the same agents' names, two allocations.

  $ cat > lab.ini <<'END'
  > [pod]
  > name = lab
  > [cluster cl00]
  > agents = ag[00-03]	; counted from 0
  > topology = mesh
  > [cluster cl01]
  > agents = ag[00-01]
  > [allocation alloc-1]
  > cluster = cl00
  > agents = ag[00-03]
  > [allocation alloc-2]
  > cluster = cl01
  > agents = ag00, ag01
  > [agent cl00:ag01]
  > lot = 13
  > serial = 8204921
  > END
  $ vipu-admin init --pod lab.ini
  init pod (lab): success.
  $ vipu-admin list allocation
  -------------------------------------
   Allocation ID | Agents
  -------------------------------------
   alloc-1       | ag00 ag01 ag02 ag03
   alloc-2       | ag00 ag01
  -------------------------------------
  $ vipu-admin list agents | sed -n '4p;7p'
   ag01        | cl00    | alloc-1    | 10.1.2.2 | 8080 | 10.1.5.2      | M2000 | 0013.xxxx.8204921 | Up
   ag00        | cl01    | alloc-2    | 10.1.2.5 | 8080 | 10.1.5.5      | M2000 | 0024.xxxx.8203325 | Up
  $ vipu-admin list allocations --showjson | tr -d ' \n'
  [{"id":"alloc-1","spec":{"cluster_id":"cl00","agent_ids":["ag00","ag01","ag02","ag03"]}},{"id":"alloc-2","spec":{"cluster_id":"cl01","agent_ids":["ag00","ag01"]}}] (no-eol)

What is wrong with a file is said with its line, and nothing has changed:

  $ sed 's/^lot/lots/' lab.ini > bad.ini
  $ vipu-admin init --pod ./bad.ini
  vipu-admin: ./bad.ini:15: unknown key 'lots' in [agent cl00:ag01] (did you mean lot?)
  [1]
  $ vipu-admin init --pod none.ini
  vipu-admin: cannot open none.ini: No such file or directory
  [1]
  $ vipu-admin init --pod pod65
  vipu-admin: pod 'pod65' does not exist; vipu-admin --help lists the pods, and a file needs a path or the form NAME.ini
  [1]
  $ vipu-admin list clusters | sed -n 3p
   cl00        | 4      | 16   | 1    | mesh     | none

The partition commands of vipu:

  $ vipu-admin create partition p --size 4 --cluster cl01
  create partition (p): success
  $ vipu-admin list partitions | sed -n 3p
  cl01        | alloc-2    | p         | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE

No new pod while it stands, unless forced; then its IPUoF file goes as well.

  $ vipu-admin init
  vipu-admin: init pod (pod64): failed: the pod has 1 partitions; remove them first, or use --force
  [1]
  $ ls .ipuof.conf.d
  p.conf
  $ vipu-admin init --force
  init pod (pod64): success.
  $ vipu-admin list partitions | wc -l; ls .ipuof.conf.d
  3

Misuse:

  $ vipu-admin > out 2> err
  [2]
  $ cat out; vipu-admin --help | cmp - err
  $ vipu-admin nothing 2>&1 | head -1
  vipu-admin: unknown command 'nothing' (--help lists the commands)
  $ vipu-admin list racks
  vipu-admin: unknown command 'list racks' (--help lists the commands)
  usage: vipu-admin VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]
  $ vipu-admin init pod4 2>&1 | head -1
  vipu-admin: init: unexpected argument 'pod4'
  $ vipu-admin list agents > /dev/full
  vipu-admin: cannot write to standard output: No space left on device
  [1]
