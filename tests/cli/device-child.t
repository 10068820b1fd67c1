ipubox __device: a program of any language, here this shell, holds devices by a
child that speaks in lines.  `ask` is a request and its answer; the names of
this program and of its user vary, and stand for a word below.

  $ start() { rm -f in out; mkfifo in out; ipubox __device < in > out & child=$!; exec 3> in 4< out; read -r line <&4; echo "$line"; }
  $ plain() { sed "s|sh /[^ ]*script|sh script|; s|pid $$ |pid PID |; s|by [^ ]*, |by USER, |; s| on [^ ]*: | on HOST: |"; }
  $ ask() { echo "$*" >&3; read -r line <&4; printf '%s\n' "$line" | plain; }
  $ once() { printf "$1\n" | ipubox __device | sed 1d | plain; }
  $ holders() { gc-monitor -c --no-headers | awk -F, -v own=$$ '$13 != "" { print $7, $13 == own ? "PID" : $13, $15 }' | plain; }
  $ start
  ipubox-device 1

There is no partition yet:

  $ ask attach 4 -1
  error not-found Failed to acquire 4 IPU(s)\nNo IPU detected in the system. \nFor more information use the Graphcore command-line tool `gc-monitor`.\nno partition is active; `vipu create partition NAME --size 4` makes one; with POPTORCH_IPU_MODEL=1 a PopTorch program needs no partition\n(state directory: *, IPUBOX_STATE_DIR) (glob)
  $ ask id 0
  error not-found Failed to acquire 1 IPU(s)\nNo IPU detected* (glob)
  $ ask check
  error not-found no device is attached
  $ vipu create partition p --size 8 --reconfigurable
  create partition (p): success
  $ ask attach 4 -1
  ok 12 4 0
  $ holders
  0 PID sh
  1 PID sh
  2 PID sh
  3 PID sh
  $ ask check
  ok
  $ ask attributes
  ok 39
  $ for i in $(seq 39); do read -r line <&4; echo "$line"; done | plain | sed -n "/^id\|^target\|^user/{s/ $$\$/ PID/;s/name: .*/name: USER/;p}"
  id: 12
  target: Multi IPU
  user executable: sh
  user name: USER
  user process id: PID
  $ gc-info -i -d 12 | grep -c "user process id: $$\$"
  1

Work counts from then to the next check, on all IPUs of the device:

  $ works() { gc-monitor --query=utilisation.session | sed 1d | grep -vc '^0\.00'; }
  $ works
  0
  [1]
  $ ask work
  ok
  $ until [ "$(works)" -eq 4 ]; do :; done
  $ ask check
  ok
  $ session() { gc-info -i -d 12 | sed -n 's/.*(session): \(.*\)%/\1/p'; }
  $ at=$(session); until awk "BEGIN { exit !($(session) < $at) }"; do :; done
  $ ask work 3
  error not-found device 3 is not attached

Who is refused learns the holder and what else there is:

  $ once 'attach 4 12'
  error busy Failed to acquire device Id 12\nIPU 0 of partition p is held by USER, pid PID on HOST: sh script; that is this program itself, and detachFromDevice() gives the IPUs back
  $ once 'attach 8 -1'
  error busy Failed to acquire 8 IPU(s)\nIPU 0 of partition p is held by USER, pid PID on HOST: sh script; that is this program itself, and detachFromDevice() gives the IPUs back
  $ once 'attach 4 -1'
  ok 13 4 0
  $ once 'attach 4 3'
  error invalid Failed to acquire device Id 3\ndevice 3 has 1 IPU(s), but the program needs 4
  $ once 'attach 0 99'
  error not-found Failed to acquire device Id 99\npartition p has no such device; `gc-info -l` lists them
  $ once 'attach 3 -1'
  error invalid Failed to acquire 3 IPU(s)\nNo device found on the system with 3 IPUs: the configuration needs changing\nthe number of IPUs in a device is a power of two; for 3 use 4
  $ once 'id 65536'
  error * (glob)

What `id` takes is held, the same for the same size, and free for `attach`;
popdist-env takes nothing, and names the same device before:

  $ popdist-env get getDeviceId 2
  10
  $ ask id 2
  ok 10
  $ ask id 2
  ok 10
  $ popdist-env get getDeviceId 2
  11
  $ popdist-env get getDeviceId 4 2>&1 | plain
  popdist-env: IPU 4 of partition p is held by USER, pid PID on HOST: sh script
  $ ask check 10
  error not-found device 10 is not attached
  $ ask attach 2 -1
  ok 10 2 0
  $ ask attach 0 10
  error busy device 10 is already attached; detach it first, with detachFromDevice() in PopTorch
  $ ask attach 0 6
  ok 6 1 0
  $ holders | cut -d ' ' -f 1 | tr '\n' ' '; echo
  0 1 2 3 4 5 6 

Several devices of one child are told apart by their ids:

  $ ask check
  error invalid 3 devices are attached: which one?
  $ ask detach 12
  ok
  $ ask detach 12
  error not-found device 12 is not attached
  $ ask check 10
  ok
  $ ask detach 10; ask detach
  ok
  ok
  $ holders
  $ ask attach 4 12
  ok 12 4 0

A line that is not a request is refused, whatever it is, and nothing else is:

  $ once ''
  error invalid the request is empty
  $ once 'Check'
  error invalid unknown request 'Check'
  $ once 'attach 1'
  error invalid the form of this request is 'attach IPUS ID'
  $ once 'attach 1 2 3'
  error invalid the form of this request is 'attach IPUS ID'
  $ once 'attach one 2'
  error invalid IPUS 'one': not a whole number
  $ once 'attach -1 2'
  error invalid IPUS '-1': too small, must be 0 to 65536
  $ once 'detach 99999999999999999999'
  error invalid ID '99999999999999999999': too large, must be -1 to 2147483647
  $ once 'check \0'
  error invalid a request must not contain a NUL byte
  $ once 'a\\b'
  error invalid unknown request 'a\\b'
  $ once 'a\nid 1\n\ncheck'
  error invalid unknown request 'a'
  ok 4
  error invalid the request is empty
  error not-found no device is attached
  $ (seq 200000 | tr -d '\n'; printf '\nid 1\n') | ipubox __device
  ipubox-device 1
  error invalid a request must be at most 255 bytes long
  ok 4
  $ printf 'id 1' | ipubox __device
  ipubox-device 1
  $ ipubox __device < /dev/null
  ipubox-device 1
  $ ipubox __device p < /dev/null
  ipubox: __device takes no arguments; it reads requests from standard input
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]

Nobody reads the answers:

  $ yes id 1 | (ipubox __device; echo $? >&2) 2> status | :; cat status
  0

A machine goes down, and is back:

  $ vipu-admin inject ag01 down
  inject agent (ag01): success.
  $ ask check
  error failed poptorch.*Fabric error: QP is not operational*\nError raised in:\n  [0] execute\npartition p is in state ERROR: machine ag01 is down (glob)
  $ once 'attach 4 -1'
  error unavailable Failed to acquire 4 IPU(s)\npartition p is in state ERROR: machine ag01 is down
  $ vipu-admin inject ag01 up
  inject agent (ag01): success.
  $ ask detach; ask attach 4 12; ask check
  ok
  ok 12 4 0
  ok
  $ exec 3>&-; wait $child
  $ holders

What the program had open when it started the child is not kept open by it:

  $ mkfifo kept; (cat kept; echo over) > seen & reader=$!
  $ exec 9> kept; start; exec 9>&-; wait $reader; cat seen
  ipubox-device 1
  over
  $ exec 3>&-; wait $child

The child ends with its program, also where another process has inherited the
pipe to it.  A signal to the program's group does not end it.

  $ mkfifo told go
  $ cat > program <<'X'
  > trap : TERM
  > rm -f in out; mkfifo in out; ipubox __device < in > out &
  > exec 3> in 4< out
  > read -r line <&4; echo attach 4 -1 >&3; read -r line <&4; echo "$line" > told
  > (trap "" TERM; read -r line < end) &
  > until { read -r line < go; } 2> interrupted; do :; done
  > echo check >&3; read -r line <&4; echo "$line" > told
  > read -r line < go
  > X
  $ mkfifo end; setsid sh program & program=$!
  $ cat told; once 'attach 4 12' | cut -d ' ' -f 1-6
  ok 12 4 0
  error busy Failed to acquire device
  $ kill -s TERM -- -$program; echo > go; cat told
  ok
  $ kill -KILL $program; wait $program 2> wait
  [137]
  $ once 'attach 8 -1'
  ok 14 8 0
  $ holders; echo > end

A partition of several GCDs of which none is named: the first free one, with a
warning.  A Pod refuses that, and so does a strict emulation.

  $ vipu remove partition p --force && vipu create partition g --size 4 --num-gcds 2
  remove partition (p): success
  create partition (g): success
  $ once 'attach 2 -1\nattach 2 -1'
  ipubox: partition g has 2 GCDs, and IPUOF_VIPU_API_GCD_ID names none: using GCD 0; a Pod refuses this
  ok 4 2 0
  ok 5 2 1
  $ IPUOF_VIPU_API_GCD_ID=1 once 'attach 2 -1'
  ok 2 2 1
  $ printf '[emulate]\nstrict = yes\n' > strict.conf; export IPUBOX_CONFIG=$PWD/strict.conf
  $ once 'attach 2 -1'
  error invalid Failed to acquire 2 IPU(s)\npartition g has 2 GCDs, and a program uses one; set IPUOF_VIPU_API_GCD_ID to a number from 0 to 1
  $ holders
  $ IPUOF_VIPU_API_GCD_ID=1 once 'attach 2 -1'
  ok 2 2 1
  $ poprun --launcher local --vipu-partition g --num-instances 2 --num-replicas 2 --ipus-per-replica 2 sh -c 'printf "attach 2 -1\n" | ipubox __device' | sort
  [1,0]<stdout>:ipubox-device 1
  [1,0]<stdout>:ok 2 2 0
  [1,1]<stdout>:ipubox-device 1
  [1,1]<stdout>:ok 2 2 1
