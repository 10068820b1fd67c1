#skip-unless python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'
gcipuinfo, the library that monitors and power meters import: programs as its
guide and its users write them.

  $ ipubox --install-sdk sdk > /dev/null; eval "$(ipubox sdk-env sdk)"
  $ export PYTHONDONTWRITEBYTECODE=1

Without a partition there is no device, and a warning says what to do:

  $ cat > none.py <<'X'
  > import gcipuinfo
  > info = gcipuinfo.gcipuinfo()
  > print(info.getDevices(), info.updateData())
  > print(info.checkHealthOfDevices())
  > X
  $ python3 none.py 2> warnings | cut -c 1-60; grep -o '^[^ ]*py:.*makes one' warnings
  [] False
  {"error": "gc-inventory: no partition is active: `vipu creat
  */none.py:2: RuntimeWarning: gcipuinfo: gc-inventory: no partition is active: `vipu create partition NAME --size N` makes one (glob)
  */none.py:3: RuntimeWarning: gcipuinfo: gc-inventory: no partition is active: `vipu create partition NAME --size N` makes one (glob)
  $ vipu create partition p1 --size 4 --reconfigurable
  create partition (p1): success
  $ vipu create partition p2 --size 2 2> /dev/null
  create partition (p2): success
  $ rm -r "$HOME/.ipuof.conf.d"; export IPUOF_VIPU_API_PARTITION_ID=p1

The IPUs of the active partition, or of all; the groups of IPUs are left out, so
that a sum over all devices is right.

  $ python3 - <<'X'
  > import gcipuinfo, json
  > info = gcipuinfo.gcipuinfo(gcipuinfo.DiscoverActivePartitionIPUs)
  > print(len(info.getDevices()), info.getDevices()[0]['clock'][:-3])
  > print(json.loads(info.getDevicesAsJSON()) == info.getDevices())
  > print(info.getNamedAttributeForAll(gcipuinfo.IpuPower))
  > print(info.getNamedAttributeForDevice(3, gcipuinfo.BoardIpuIndex),
  >       info.getNamedAttributeForDevice(4, gcipuinfo.BoardIpuIndex))
  > print(info.checkHealthOfDevices(), info.getLastAppEventRecord('/tmp'))
  > info = gcipuinfo.gcipuinfo(
  >     discoveryMode=gcipuinfo.DiscoverAllPartitionIPUs)
  > print(info.getNamedAttributeForAll(gcipuinfo.IpuofPartitionId))
  > X
  4 1330
  True
  ['N/A', 'N/A', 'N/A', 'N/A']
  0 N/A
  {} {}
  ['p1', 'p1', 'p1', 'p1', 'p2', 'p2']

A power meter in a process of its own, and a monitor that looks for the devices
of one process, beside a program that uses two of them:

  $ cat > meter.py <<'X'
  > import gcipuinfo, multiprocessing
  > def watts(text):
  >     return float(text[:-1])
  > def measure(info, queue):
  >     powers = info.getNamedAttributeForAll(gcipuinfo.IpuPower)
  >     queue.put(sum(watts(p) for p in powers if p != "N/A"))
  > if __name__ == "__main__":
  >     queue = multiprocessing.Queue()
  >     args = (gcipuinfo.gcipuinfo(), queue)
  >     meter = multiprocessing.Process(target=measure, args=args)
  >     meter.start()
  >     print(queue.get())
  >     meter.join()
  > X
  $ cat > monitor.py <<'X'
  > import gcipuinfo, sys
  > info = gcipuinfo.gcipuinfo()
  > info.setUpdateMode(True)
  > for line in sys.stdin:
  >     used = [dict(device) for device in info.getDevices()
  >             if int(device.get(gcipuinfo.UserProcessId, 0)) == int(line)]
  >     print([(d["id"], d["ipu utilisation"][-1], d["board type"])
  >            for d in used], flush=True)
  > X
  $ mkfifo in out ask told
  $ python3 monitor.py < ask > told & exec 5> ask 6< told
  $ look() { echo $$ >&5; read -r line <&6; echo "$line"; }
  $ look
  []
  $ GCDA_MONITOR=1 ipubox __device < in > out & exec 3> in 4< out
  $ echo attach 2 -1 >&3; for i in 1 2; do read -r line <&4; done; echo "$line"
  ok 4 2 0
  $ look
  [('0', '%', 'M2000'), ('1', '%', 'M2000')]
  $ python3 meter.py
  82.0
  $ exec 3>&- 4<&-; wait %2; look
  []
  $ exec 5>&- 6<&-; wait

Errors of IPUs, and machines that are down:

  $ vipu-admin inject ag01:1 soc-error IPUSOFTERR
  inject IPU (ag01:1): success.
  $ health() { python3 -c 'import gcipuinfo; print(gcipuinfo.gcipuinfo().checkHealthOfDevices())'; }
  $ health
  {"hosts": {"10.1.5.1": [{"error": "device", "id": "1", "partition": "p1", "board ipu index": "2"}]}}
  $ vipu-admin inject ag01 down
  inject agent (ag01): success.
  $ health | grep -o '"error": "connection"' | wc -l
  4
  $ vipu-admin inject ag01 up
  inject agent (ag01): success.

The same from a server that the environment names, to a program that cannot see
this pod:

  $ mkfifo log; vipu-server --listen 127.0.0.1:0 2> log & server=$!
  $ exec 3< log; while read -r line <&3; do case $line in *listening\ on\ 127*) port=${line##*:};; *confined*) break;; esac; done
  $ vipu-admin inject ag01:1 soc-error IPUSOFTERR
  inject IPU (ag01:1): success.
  $ IPUBOX_STATE_DIR=$PWD/none IPUBOX_REGISTRY=$PWD/none.registry IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PORT=$port python3 -c 'import gcipuinfo; print(gcipuinfo.gcipuinfo().getNamedAttributeForAll(gcipuinfo.IpuErrorState))'
  ['no errors', 'IPUSOFTERR', 'no errors', 'no errors']
  $ kill $server; cat <&3 > /dev/null; wait $server
  $ exec 3<&-

Each attribute that gc-inventory may print has a label, the same in both
languages:

  $ header=$IPUBOX_SDK/include/gcipuinfo/gcipuinfo.h
  $ tr -d '\n' < "$header" | grep -o 'GCIPUINFO_LABEL([A-Za-z]*, *"[^"]*")' | sed 's/.*(\([A-Za-z]*\), *"\(.*\)")/\1 \2/' | sort > c++
  $ python3 -c 'import gcipuinfo._info as i; [print(*row) for row in i.labels().items()]' | sort | diff c++ -
  $ for sdk in guide 2.x 3.x; do IPUBOX_EMULATE_SDK=$sdk gc-inventory; done | sed -n 's/^  \([^:]*\): .*/\1/p' | sort -u > names
  $ cut -d ' ' -f 2- c++ | sort | comm -13 - names
