#skip-unless command -v python3
gc-monitor --query: fields by name, as CSV and as JSON; and recordings.

No partition is active: no rows, and no failure.

  $ gc-monitor --query=index,partition
  index, partition
  $ gc-monitor --query=index --format=json
  []
  $ vipu create partition p --size 4 --reconfigurable 2> /dev/null
  create partition (p): success
  $ vipu create partition q --size 2 --num-gcds 2 --ipuof-config-location q > /dev/null
  $ export IPUOF_VIPU_API_PARTITION_ID=p

CSV: names with units, a line for each IPU; what is not known is N/A, what does
not exist is empty.

  $ gc-monitor --query=index,ipu,name,pci,partition,machine.address,utilisation,power,clock,pid
  index, ipu, name, pci, partition, machine.address, utilisation [%], power [W], clock [MHz], pid
  0, 0, ag01:0, 3, p, 10.1.5.1, 0.00 %, N/A, 1330 MHz, 
  1, 1, ag01:1, 2, p, 10.1.5.1, 0.00 %, N/A, 1330 MHz, 
  2, 2, ag01:2, 1, p, 10.1.5.1, 0.00 %, N/A, 1330 MHz, 
  3, 3, ag01:3, 0, p, 10.1.5.1, 0.00 %, N/A, 1330 MHz, 
  $ GCDA_MONITOR=1 gc-monitor --query index,power,power.board,temperature,memory.used,memory.total --format=csv,noheader,nounits -i 2
  2, 41.0, 112.0, 39.2, 0.0, 897.0
  $ gc-monitor --query=index,partition,gcd,routing,partition.state,machine.state,condition,errors --all-partitions -i 3-5
  index, partition, gcd, routing, partition.state, machine.state, condition, errors
  3, p, 0, 3, ACTIVE, up, available, no errors
  4, q, 0, 0, ACTIVE, up, available, no errors
  5, q, 1, 1, ACTIVE, up, available, no errors
  $ vipu-admin inject ag01:1 soc-error IPUSOFTERR,NMLINKDN0 > out && gc-monitor --query=index,errors,condition -i 1
  index, errors, condition
  1, "IPUSOFTERR, NMLINKDN0", errors
  $ gc-monitor --query=timestamp --format=csv,noheader -i 0
  ????-??-??T??:??:??.???Z (glob)

JSON: numbers where nothing is left to say of them, else texts with units; null
for what is not known or does not exist.

  $ gc-monitor --query=index,utilization.minute,clock,power,user,chip --format=json -i 0,3 | sed '/chip/s/[0-9]/0/g'
  [
    {
      "index": 0,
      "utilisation.minute": "0.00 %",
      "clock": "1330 MHz",
      "power": null,
      "user": null,
      "chip": "*" (glob)
    },
    {
      "index": 3,
      "utilisation.minute": "0.00 %",
      "clock": "1330 MHz",
      "power": null,
      "user": null,
      "chip": "*" (glob)
    }
  ]
  $ gc-monitor --query=index,utilisation,clock --format=json,nounits -i 3 | tr -d ' \n'; echo
  [{"index":3,"utilisation":0.00,"clock":1330}]

In a loop: the names once, a line of JSON for each look.

  $ gc-monitor --query=index --loop=0 -i 1 2> /dev/null | head -3
  index
  1
  1
  $ gc-monitor --query=index --loop=0 -i 1 --format=json 2> /dev/null | head -2
  [{"index":1}]
  [{"index":1}]

-c has its names once too, and a warning comes once.  A recording is shown from
its start or, with @SECONDS, from there on.

  $ gc-monitor -c --loop=0 2> /dev/null | head -9 | cut -d, -f1 | uniq -c
        1 partition
        8 p
  $ IPUOF_VIPU_API_PARTITION_ID=zz gc-monitor -c --loop=0 --all-partitions 2> warnings | head -20 > out; grep -c 'partition zz' warnings
  1
  $ gc-monitor --record loop.rec --loop=0 -c 2> /dev/null | head -20 > out
  $ looks() { gc-monitor --replay "$1" --loop=0 --query=index --format=csv,noheader -i 0 | wc -l; }
  $ echo $(($(looks loop.rec) - $(looks loop.rec@0.000001)))
  1
  $ looks loop.rec@1000
  1

Refusals.

  $ gc-monitor --query=index,utilisatoin 2>&1 | head -1
  gc-monitor: --query: field 'utilisatoin' does not exist; --list-fields shows all (did you mean utilisation?)
  $ gc-monitor --query=index, 2>&1 | head -1
  gc-monitor: --query: field '' does not exist; --list-fields shows all
  $ gc-monitor --query=pid,pid 2>&1 | head -1
  gc-monitor: --query: field 'pid' is named twice
  $ gc-monitor --query=pid --format=xml 2>&1 | head -1
  gc-monitor: --format 'xml': must be csv, json, noheader or nounits
  $ gc-monitor --query=pid -i 2-1 2>&1 | head -1
  gc-monitor: -i '1': too small, must be 2 to 65535
  $ gc-monitor --query=pid -i 0-9
  gc-monitor: -i 9: no IPU has this id; 4 are listed, numbered from 0
  [1]
  $ gc-monitor --query=pid -j 2>&1 | head -1
  gc-monitor: --query excludes --json and --csv-output; --format=json and --format=csv choose its form
  $ gc-monitor -i 0 2>&1 | head -1
  gc-monitor: --format and -i need --query
  $ gc-monitor --loop=x 2>&1 | head -1
  gc-monitor: --loop 'x': not a number
  $ gc-monitor --list-fields | sed -n '1,4p;17,18p'
  Field               | Unit | Meaning
  ------------------------------------------------------------------------
  timestamp           |      | moment of the look, UTC
  index               |      | device id, as gc-info lists it
  machine.state       |      | up, down or rebooting
  utilisation         | %    | time at work in the last second

Recordings: what was seen is seen again, without the pod.

  $ gc-monitor --record pod.rec > seen; vipu remove partition q > /dev/null
  $ gc-monitor --record pod.rec
  gc-monitor: --record: pod.rec exists already; name a new file
  [1]
  $ gc-monitor --replay pod.rec | cmp - seen
  $ gc-info -l > listed 2> left-out; gc-info -i -d 0 > attributes; gc-inventory > devices
  $ vipu remove partition p > /dev/null; unset IPUOF_VIPU_API_PARTITION_ID
  $ gc-info -l > out 2>&1
  [1]
  $ export IPUBOX_REPLAY=pod.rec
  $ gc-info -l 2>&1 > again | cmp - left-out; cmp again listed; gc-inventory | cmp - devices
  $ gc-info -i -d 0 | cmp - attributes
  $ gc-monitor --all-partitions --query=index,partition -i 3-4
  index, partition
  3, p
  4, q
  $ gc-info --tile-overview -d 0
  gc-info: IPUBOX_REPLAY: a recording has no IPUs to inspect; unset the variable to inspect those of the pod
  [1]
  $ unset IPUBOX_REPLAY
  $ gc-monitor --replay pod.rec --query=partition,index -i 1 --loop
  partition, index
  p, 1
  $ head -c 100 pod.rec > cut.rec; gc-monitor --replay cut.rec
  gc-monitor: --replay: cut.rec: look 1 is cut off: the file ends in it
  [1]
  $ gc-monitor --replay seen
  gc-monitor: --replay: seen is not a recording of this version of gc-monitor
  [1]

All pairs of options:

  $ PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/gc-monitor-json.py" pod.rec
  JSON: 80, done: 222, misuse: 346
