gc-inventory: every device with its attributes, as text and as JSON.

  $ gc-inventory
  gc-inventory: no partition is active: `vipu create partition NAME --size N` makes one; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ gc-inventory --all-partitions 2>&1 | head -1
  gc-inventory: no partition exists: `vipu create partition NAME --size N` makes one
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success

The ids are those of gc-info's list, the attributes those that it shows of each:

  $ gc-inventory > all; head -3 all
  Device:
    id: 0
    target: Fabric
  $ gc-info -l | sed -n 's/^-+- Id: \[\([0-9]*\)\].*/\1/p' | sort -n | paste -sd ' ' -
  0 1 2 3 4 5 6
  $ sed -n 's/^  id: //p' all | paste -sd ' ' -
  0 1 2 3 4 5 6
  $ for i in 0 1 2 3 4 5 6; do gc-info -i -d $i | sed 's/^Device Info:/Device:/'; done | cmp - all
  $ gc-inventory -2 | cmp - all
  $ grep -c '^Device:$' all; grep -vc '^Device:$\|^  [^ ].*: ' all
  7
  0
  [1]
  $ grep "ipu utilisation:" all | sort | uniq -c | tr -s ' '
   7 ipu utilisation: 0.00%
  $ grep -c '^ *id:' all; grep "id:" all | sort -u | grep -v '  id: '
  7
    ipuof partition id: p
    ipuof routing id: 0
    ipuof routing id: 1
    ipuof routing id: 2
    ipuof routing id: 3
    pci id: 0
    pci id: 1
    pci id: 2
    pci id: 3

JSON, with one key more for readers of the first releases:

  $ gc-inventory -j > json; gc-inventory --json-output | cmp - json; head -5 json
  {
    "devices": [
      {
        "id": "0",
        "target": "Fabric",
  $ grep -c '"id": "[0-6]"' json; grep -c '"remote buffers": "1"' json; grep -c '"remote buffers supported": "1"' json
  7
  7
  7
  $ sed -n 's/^      "\([^"]*\)": "\(.*\)",*$/  \1: \2/p; s/^    {$/Device:/p' json | grep -v '^  remote buffers:' | cmp - all

Which release it is of:

  $ IPUBOX_EMULATE_SDK=2.x gc-inventory --version; IPUBOX_EMULATE_SDK=3.x gc-inventory version
  Poplar version: * (glob)
  Poplar version: * (glob)
  $ IPUBOX_EMULATE_SDK=2.x gc-inventory | grep -c "driver version: $(IPUBOX_EMULATE_SDK=2.x gc-info -i -d 0 | sed -n 's/.*driver version: //p')"
  7

The processes, and errors:

  $ mkfifo in out; ipubox __device < in > out & exec 3> in 4< out; read -r line <&4
  $ echo attach 2 5 >&3; read -r line <&4; gc-inventory | grep -c '^  user process id: '
  4
  $ exec 3>&- 4<&-; wait
  $ vipu-admin inject ag01:2 soc-error IPUSOFTERR && gc-inventory | grep -c 'ipu error state: IPUSOFTERR'
  inject IPU (ag01:2): success.
  3

Every partition, whichever is active: IPUs alone, whose ids count on.

  $ vipu create partition q --size 2 2> /dev/null
  create partition (q): success
  $ IPUOF_VIPU_API_PARTITION_ID=gone gc-inventory --all-partitions 2> err | grep '^  id: \|partition id' | tr -s ' ' | paste -sd , -; cut -d : -f 1,2 err
   id: 0, ipuof partition id: p, id: 1, ipuof partition id: p, id: 2, ipuof partition id: p, id: 3, ipuof partition id: p, id: 4, ipuof partition id: q, id: 5, ipuof partition id: q
  gc-inventory: no partition is active
  $ IPUOF_VIPU_API_PARTITION_ID=p gc-inventory --all-partitions -j | grep -c '"target": "Fabric"'
  6

One GCD:

  $ vipu create partition g --size 4 --num-gcds 2 2> /dev/null
  create partition (g): success
  $ export IPUOF_VIPU_API_PARTITION_ID=g
  $ IPUOF_VIPU_API_GCD_ID=1 gc-inventory | grep '^  id: \|GCD Id: \|routing id' | tr -s ' ' | paste -sd , -
   id: 0, GCD Id: 1, ipuof routing id: 2, id: 1, GCD Id: 1, ipuof routing id: 3, id: 2, GCD Id: 1

Refused:

  $ IPUOF_VIPU_API_PARTITION_ID=nope gc-inventory 2>&1 | head -1
  gc-inventory: partition nope (from IPUOF_VIPU_API_PARTITION_ID) does not exist; `vipu list partitions` shows those that exist, `vipu create partition nope --size N` creates it
  $ gc-inventory --nope
  gc-inventory: unrecognised option '--nope'
  usage: gc-inventory [-2] [-j] [--all-partitions] | version
  [2]
  $ gc-inventory now
  gc-inventory: unexpected argument 'now'
  usage: gc-inventory [-2] [-j] [--all-partitions] | version
  [2]
  $ gc-inventory --help | head -3
  usage: gc-inventory [-2] [-j] [--all-partitions] | version
  
  show all IPU devices with their attributes
