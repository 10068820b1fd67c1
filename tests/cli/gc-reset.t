gc-reset: one IPU, a group, all; what a reset clears and what it does not; a
device in use, and a partition that is not in order.

  $ gc-reset
  gc-reset: no partition is active: `vipu create partition NAME --size N` makes one; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ gc-reset
  Resetting device 0... done
  Resetting device 1... done
  Resetting device 2... done
  Resetting device 3... done
  $ gc-reset -d 6 && gc-reset --device-id 2
  Resetting device 6... done
  Resetting device 2... done
  $ gc-reset -m -d 1
  Resetting device 1... done
  $ gc-reset -j -d 4
  {
    "devices": [
      {
        "id": "4",
        "result": "passed"
      }
    ],
    "overall result": "passed"
  }

Errors that a reset of the IPU clears are gone; the others are named, with what
clears them, and the other IPUs are reset all the same.

  $ state() { for i in 0 1 2 3; do gc-info -i -d $i | sed -n 's/.*error state: //p'; done; }
  $ vipu-admin inject ag01:0 soc-error IPUSOFTERR
  inject IPU (ag01:0): success.
  $ gc-reset -d 1 > out && state
  IPUSOFTERR
  no errors
  no errors
  no errors
  $ gc-reset -d 0 && state
  Resetting device 0... done
  no errors
  no errors
  no errors
  no errors
  $ for e in 1:IPUSOFTERR,NMLINKDN0 2:MCUSOFTERR 3:HEXOVERFLOWERR; do
  >   vipu-admin inject ag01:${e%%:*} soc-error ${e#*:}
  > done
  inject IPU (ag01:1): success.
  inject IPU (ag01:2): success.
  inject IPU (ag01:3): success.
  $ gc-reset > out 2> err
  [1]
  $ cat out err; state
  Resetting device 0... done
  Resetting device 1... failed
  Resetting device 2... failed
  Resetting device 3... done
  gc-reset: device 1: IPU 1 of partition p (ag01:1) has the error NMLINKDN0. The partition must be reset: vipu reset partition p
  gc-reset: device 2: IPU 2 of partition p (ag01:2) has the error MCUSOFTERR. The machine must be power cycled: vipu-admin inject ag01 reboot
  no errors
  NMLINKDN0
  MCUSOFTERR
  no errors
  $ gc-reset -d 6
  Resetting device 6... failed
  gc-reset: device 6: IPU 1 of partition p (ag01:1) has the error NMLINKDN0. The partition must be reset: vipu reset partition p
  IPU 2 of partition p (ag01:2) has the error MCUSOFTERR. The machine must be power cycled: vipu-admin inject ag01 reboot
  [1]
  $ gc-reset -d 4 --json-output
  {
    "devices": [
      {
        "id": "4",
        "result": "failed",
        "error": "IPU 1 of partition p (ag01:1) has the error NMLINKDN0. The partition must be reset: vipu reset partition p"
      }
    ],
    "overall result": "failed"
  }
  [1]

What it names helps:

  $ vipu reset partition p && gc-reset -d 1
  reset partition (p): success
  Resetting device 1... done
  $ vipu-admin inject ag01 reboot --seconds 0 && gc-reset -d 2
  inject agent (ag01): success.
  Resetting device 2... done

A device in use is refused, and its holder named; the others are not kept back.

  $ mkfifo in out.fifo; ipubox __device < in > out.fifo & exec 3> in 4< out.fifo; read -r line <&4
  $ echo attach 2 5 >&3; read -r line <&4; echo "$line"
  ok 5 2 0
  $ gc-reset 2>&1 | sed 's/held by [^,]*, pid [0-9]* on [^:]*:.*/held by WHO, pid PID on HOST/'
  Resetting device 0... done
  Resetting device 1... done
  Resetting device 2... failed
  gc-reset: device 2: IPU 2 of partition p is held by WHO, pid PID on HOST
  Resetting device 3... failed
  gc-reset: device 3: IPU 3 of partition p is held by WHO, pid PID on HOST
  $ gc-reset -d 6 > out
  gc-reset: device 6: IPU 2 of partition p is held by *, pid * (glob)
  [1]
  $ gc-reset -d 2 -j 2>&1 | grep -c '"result": "failed"\|"error": "IPU 2 of partition p is held by '
  2
  $ vipu-admin inject ag01:3 soc-error IPUSOFTERR && gc-reset -d 3 > out 2>&1
  inject IPU (ag01:3): success.
  [1]
  $ state | tail -1
  IPUSOFTERR
  $ exec 3>&- 4<&-; wait
  $ gc-reset -d 6; state | tail -1
  Resetting device 6... done
  no errors

A partition that is not in order is refused as a whole, and says why.

  $ vipu-admin inject ag01 down
  inject agent (ag01): success.
  $ gc-reset
  gc-reset: partition p is in state ERROR: machine ag01 is down
  [1]
  $ gc-reset -j -d 0
  gc-reset: partition p is in state ERROR: machine ag01 is down
  [1]
  $ vipu-admin inject ag01 up && vipu-admin inject ag01 slow 3600000
  inject agent (ag01): success.
  inject agent (ag01): success.
  $ vipu reset partition p > out 2>&1 & resetting=$!
  > until vipu list partitions | grep -q PENDING; do :; done
  > gc-reset 2>&1 | grep -o '^gc-reset: partition p is in state PENDING'
  > { kill $resetting; wait $resetting; } 2> /dev/null
  gc-reset: partition p is in state PENDING
  [143]
  $ vipu-admin inject ag01 up && vipu remove partition p --force
  inject agent (ag01): success.
  remove partition (p): success

GCDs: the IPUs of one alone where the environment names it, singles of a
preconfigured partition as well.

  $ vipu create partition g --size 4 --num-gcds 2
  create partition (g): success
  $ IPUOF_VIPU_API_PARTITION_ID=g IPUOF_VIPU_API_GCD_ID=1 gc-reset
  Resetting device 0... done
  Resetting device 1... done
  $ gc-reset -d 5
  Resetting device 5... done

Refused:

  $ gc-reset -d 9 2> err
  [1]
  $ sed 1q err
  gc-reset: no device 9: partition g has devices 0-5
  $ IPUOF_VIPU_API_PARTITION_ID=nope gc-reset 2>&1 | head -1
  gc-reset: partition nope (from IPUOF_VIPU_API_PARTITION_ID) does not exist; `vipu list partitions` shows those that exist, `vipu create partition nope --size N` creates it
  $ gc-reset -d x
  gc-reset: --device-id 'x': not a whole number
  usage: gc-reset [-d N] [-m] [-j] | version
  [2]
  $ gc-reset now
  gc-reset: unexpected argument 'now'
  usage: gc-reset [-d N] [-m] [-j] | version
  [2]
  $ gc-reset --all-partitions
  gc-reset: unrecognised option '--all-partitions'
  usage: gc-reset [-d N] [-m] [-j] | version
  [2]
  $ gc-reset --version; gc-reset version
  Poplar version: * (glob)
  Poplar version: * (glob)
