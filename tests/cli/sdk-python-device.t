#skip-unless python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'
The SDK for Python: devices, which a child of the program holds.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ export IPUBOX_FILE=$IPUBOX
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success

  $ cat > device.py <<'Y'
  > import os, popdist, re, subprocess, sys
  > from ipubox_sdk import device
  > def said(function, *arguments):
  >     try:
  >         print("done:", function(*arguments))
  >     except popdist.popdist_error as error:
  >         text = re.sub(": python3 [^;]*", "", str(error))
  >         print(text.replace(str(os.getpid()), "PID"), f"[{error.code}]")
  > def holders():
  >     out = subprocess.run(["gc-monitor", "-c", "--no-headers"],
  >                          stdout=subprocess.PIPE).stdout.decode()
  >     rows = [line.split(",") for line in out.splitlines()]
  >     print([row[6] for row in rows if row[12] == str(os.getpid())])
  > print(popdist.getDeviceId(2), popdist.getDeviceId(2))
  > holders()
  > taken = device.attach(1, 3)
  > print(taken.id, taken.ipus, taken.gcd, taken.attributes()["id"])
  > taken.check()
  > holders()
  > said(device.attach, 0, 3)
  > said(device.attach, 4)
  > said(device.attach, "x")
  > sys.stdout.flush()
  > child = os.fork()
  > if child == 0:
  >     said(taken.check)
  >     sys.exit(0)
  > assert os.waitpid(child, 0)[1] == 0
  > taken.check()
  > taken.detach()
  > holders()
  > said(taken.check)
  > Y
  $ python3 -W error device.py
  4 4
  ['0', '1']
  3 1 0 3
  ['0', '1', '3']
  device 3 is already attached; detach it first, with detachFromDevice() in PopTorch [busy]
  Failed to acquire 4 IPU(s)
  IPU 0 of partition p is held by *, pid PID on *; that is this program itself, and detachFromDevice() gives the IPUs back [busy] (glob)
  ipus is 'x': must be a number, 0 or more [invalid]
  this process was forked from the process that holds the device, pid *; only that process may use it [unavailable] (glob)
  ['0', '1']
  device 3 is not attached [not-found]

Under poprun each instance has its own, and takes nothing by asking:

  $ poprun --launcher local --vipu-partition p --num-instances 2 --num-replicas 2 --ipus-per-replica 2 python3 -c 'import popdist; print(popdist.getInstanceIndex(), popdist.getDeviceId(), popdist.getDeviceId(1))' | sort
  [1,0]<stdout>:0 4 0
  [1,1]<stdout>:1 5 1

Where there is no ipubox, or it is another one:

  $ python=$(command -v python3)
  $ missing() { env "$@" "$python" -c 'import popdist; popdist.getDeviceId()' 2>&1 | tail -1; }
  $ missing IPUBOX_FILE= PATH=/nowhere
  ipubox_sdk.device.DeviceError: ipubox, which holds the devices, was not found: put it into a directory of PATH, or set IPUBOX_FILE to its path
  $ missing IPUBOX_FILE=/nowhere/ipubox
  ipubox_sdk.device.DeviceError: cannot start /nowhere/ipubox: No such file or directory
  $ missing IPUBOX_FILE=/bin/false
  ipubox_sdk.device.DeviceError: /bin/false, which holds this program's devices, has ended
  $ missing IPUBOX_FILE=/bin/echo
  ipubox_sdk.device.DeviceError: /bin/echo is another version: it answered '__ipubox __device', but this SDK needs 'ipubox-device 1'
  $ ln -s "$IPUBOX" poprun
  $ env IPUBOX_FILE= PATH="$PWD" "$python" -c 'import popdist; print(popdist.getDeviceId(1))'
  0

An SDK that ipubox has written needs neither variable.  An ipubox that is gone,
as on a host that has it elsewhere, is looked for in PATH:

  $ ipubox --install-sdk sdk > out
  $ written() { env -u IPUBOX_FILE PYTHONPATH=sdk/python "$@" "$python" -c 'import popdist; print(popdist.getDeviceId(1))' 2>&1 | tail -1; }
  $ written PATH=/nowhere
  0
  $ written IPUBOX_FILE=/nowhere/ipubox
  ipubox_sdk.device.DeviceError: cannot start /nowhere/ipubox: No such file or directory
  $ sed -i 's|WRITTEN_BY .*|WRITTEN_BY "/nowhere/ipubox"|' sdk/lib/ipubox_file.h
  $ written PATH="$PWD"
  0
  $ written PATH=/nowhere
  ipubox_sdk.device.DeviceError: ipubox, which holds the devices, was not found: put it into a directory of PATH, or set IPUBOX_FILE to its path
  $ rm sdk/lib/ipubox_file.h; written PATH="$PWD"
  0
