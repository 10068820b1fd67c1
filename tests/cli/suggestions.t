"Did you mean": the nearest known word behind each refusal of a mistyped one.

  $ said() { "$@" 2>&1 | grep -o '[^ ;(]* did you mean [^ ]*?\|^.*did you mean [^ ]*?' | sed 's/.*did you mean //' | grep . || echo nothing; }

Applets:

  $ ipubox popruun
  ipubox: no applet is called 'popruun' (ipubox --help lists them; did you mean poprun?)
  [127]
  $ ipubox trian
  ipubox: no applet is called 'trian' (ipubox --help lists them; did you mean train?)
  [127]
  $ ipubox copy_ssh.sh pod1
  ipubox: no applet is called 'copy_ssh.sh' (ipubox --help lists them; did you mean copy-ssh?)
  [127]
  $ ln -s "$IPUBOX" copy_ssh.sh
  $ ./copy_ssh.sh pod1
  ipubox: no applet is called 'copy_ssh.sh' (ipubox --help lists them; did you mean copy-ssh?)
  [127]
  $ ipubox frobnicate
  ipubox: no applet is called 'frobnicate' (ipubox --help lists them)
  [127]

Options, of each applet and of ipubox itself:

  $ said ipubox --instal x
  nothing
  $ said ipubox --intsall x
  --install?
  $ for name in $(ipubox __complete '' | grep -vx help); do echo "$name: $(said ipubox $name --hepl)"; done | grep -v ': --help?$'
  [1]
  $ mnist-pipeline --batchsize 3 2>&1 | head -1
  mnist-pipeline: unrecognised option '--batchsize' (did you mean --batch-size?)
  $ poprun --num-replica=2 --num-instancse=2 true 2>&1 | head -1
  POPRUN ERROR: unrecognised option '--num-instancse' (did you mean --num-instances?)

Commands:

  $ vipu craete partition p --size 1 2>&1 | head -1
  vipu: unknown command 'craete' (--help lists the commands; did you mean create?)
  $ vipu create partiton p --size 1 2>&1 | head -1
  vipu: unknown command 'create partiton' (--help lists the commands; did you mean partition?)
  $ vipu-admin list cluser 2>&1 | head -1
  vipu-admin: unknown command 'list cluser' (--help lists the commands; did you mean cluster?)
  $ said popdist-env gte x
  get?
  $ said popdist-env get getNumReplicas
  nothing
  $ said popdist-env get getNumInstance
  getNumInstances?

What the pod has.  Names that only differ in their numbers are not taken for one
another:

  $ vipu create partition training --size 4
  create partition (training): success
  $ vipu create partition other2 --size 4 2>/dev/null
  create partition (other2): success
  $ vipu get partition trainign
  get partition (trainign): failed: the partition does not exist; vipu list partitions shows the existing ones (did you mean training?).
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ vipu remove partition traning
  remove partition (traning): failed: the partition does not exist; vipu list partitions shows the existing ones (did you mean training?).
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ said vipu reset partition train
  training?
  $ said vipu env taining
  training?
  $ said vipu exec taining -- true
  training?
  $ said vipu remove partition other3
  nothing
  $ said poprun --vipu-partition trainin true
  training?
  $ IPUOF_VIPU_API_PARTITION_ID=trainnig said gc-info -l
  training?
  $ said gc-monitor
  nothing
  $ vipu-admin update allocation default --remove-agents ag15,ag16
  update allocation (default): success.
  $ vipu-admin create allocation night --agents ag15,ag16
  create allocation (night): success.
  $ said vipu create partition p --size 1 --allocation nihgt
  night?
  $ said vipu create partition p --size 1 --cluster cll0
  cl0?
  $ said vipu get allocation nigth
  night?
  $ said vipu-admin remove allocation nite
  nothing
  $ said vipu-admin remove allocation nght
  night?
  $ said vipu-admin get cluster cl00
  cl0?
  $ said vipu-admin test cluster lc0
  cl0?
  $ said vipu-admin remove cluster cl00
  cl0?
  $ said vipu-admin create allocation a --cluster cl00
  cl0?
  $ said vipu-admin update agent ga03 --host h
  ag03?
  $ said vipu-admin update agent ag3 --host h
  ag03?
  $ said vipu-admin update agent ag19 --host h
  nothing
  $ said vipu-admin update agent cl0:ag3 --host h
  ag03?
  $ said vipu-admin update agent cll0:ag03 --host h
  cl0?
  $ said vipu-admin create allocation a --agents ag01,aag02
  ag02?
  $ vipu-admin create user alice > /dev/null
  $ said vipu-admin get user alcie
  alice?
  $ said vipu-admin remove user alic
  alice?
  $ said vipu-admin create user bob --allocations nightt
  night?
  $ said vipu-admin init --force --pod empyt
  empty?
  $ said ipubox train mnsit
  mnist?
  $ said ipubox train --print lenet
  lenet5?

Values of a list:

  $ said mnist-pipeline --strategy pipeline
  pipelined?
  $ said mnist-pipeline --dataset generate
  generated?
  $ said mnist-pipeline --output-mode fnal
  final?
  $ said mnist-pipeline --auto-stage auto-incrmeent
  auto-increment?
  $ said vipu list partitions --format jsno
  json?
  $ said vipu list partitions --style nwe
  new?
  $ said vipu env training --shell fihs
  fish?
  $ said vipu completion bsah
  bash?
  $ said vipu create partition p --size 4 --routing swcn
  swnc?
  $ said gc-info -l --style odl
  old?
  $ said poprun --launcher loacl true
  local?
  $ said poprun --dry-run --format txet true
  text?
  $ said vipu-admin inject ag01 rebot
  reboot?
  $ said vipu-admin inject ag01:0 soc-error memory_eror
  nothing
  $ said copy-ssh --skip prot host1
  port?

A user is told only what that user may see:

  $ cat > lab.ini <<'END'
  > [pod]
  > name = lab
  > [cluster cl0]
  > agents = ag[1-4]
  > topology = mesh
  > address = 10.1.5.1
  > host = 10.1.2.1
  > [allocation caves]
  > agents = ag1,ag2
  > [allocation hidden]
  > agents = ag3,ag4
  > END
  $ vipu-admin init --force --pod lab.ini --secure --default-user-id boss > /dev/null 2>&1
  $ vipu-admin create user carol --allocations caves > /dev/null
  $ vipu-admin create partition secret --allocation hidden --size 1
  create partition (secret): success
  $ alias carol='said vipu --config ./carol.vipu-cli.hcl'
  $ vipu --config carol.vipu-cli.hcl create partition shown --size 1 2>/dev/null
  create partition (shown): success
  $ said vipu-admin remove partition secrte
  secret?
  $ carol remove partition secrte
  nothing
  $ carol get partition secrte
  nothing
  $ carol env secrte
  nothing
  $ carol get allocation hiden
  nothing
  $ carol create partition p --size 1 --allocation hiden
  nothing
  $ carol remove partition shwon
  shown?
  $ carol get allocation cvaes
  caves?
