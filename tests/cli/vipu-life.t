The life of partitions: resets, retries, machines that go and come back, and
the end of a time.

  $ inject() { vipu-admin inject "$@" > /dev/null; }
  $ state() { vipu get partition "$1" --verbose | grep "^State\|^Prov\|^Last Error  \|^Failed\|^Automatic\|^IPUs"; }

A reset, which leaves the partition as it was:

  $ vipu create partition p --size 4
  create partition (p): success
  $ vipu reset partition p
  reset partition (p): success
  $ vipu get partition p --verbose | sed -n '/^Allocation/,$p' | sed 's/....-..-..T..:..:..Z/TIME/'
  Allocation           | default
  Sync Type            | c2-compatible
  Relocatable          | false
  Auto Reset           | true
  Owner                \| .+ (re)
  User                 |
  Created              | TIME
  Changed              | TIME
  Failed Attempts      | 0
  Automatic Resets     | 0
  Last Reset           | TIME
  Last Error Time      |
  Expires              |
  Identity             \| [0-9a-f]{32} (re)
  Owner Kind           | none
  Owner Record         |
  ------------------------------------------------------------
  $ vipu reset partition q
  reset partition (q): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ vipu reset partition
  vipu: reset partition: the name is missing
  usage: vipu reset partition NAME [--relocatable] [--force]
  [2]

One that may move has no file:

  $ ls ~/.ipuof.conf.d
  p.conf
  $ vipu reset partition p --relocatable
  reset partition (p): success
  $ ls ~/.ipuof.conf.d

A machine that is down: what may move does, what may not waits.

  $ vipu create partition stays --size 4
  create partition (stays): success
  $ inject ag01 down
  $ inject ag02 down
  $ state p
  State                | ACTIVE
  Provisioning State   | IDLE
  Last Error           | machine ag01 is down
  IPUs                 | 0=ag03:0 1=ag03:1 2=ag03:2 3=ag03:3
  Failed Attempts      | 0
  Automatic Resets     | 1
  $ state stays
  State                | ERROR
  Provisioning State   | IDLE
  Last Error           | machine ag02 is down
  IPUs                 | 0=ag02:0 1=ag02:1 2=ag02:2 3=ag02:3
  Failed Attempts      | 0
  Automatic Resets     | 0
  $ vipu reset partition stays
  reset partition (stays): failed: machine ag02 is down; the partition is in state ERROR: it recovers by itself when ag02 is up, vipu remove partition stays gives its IPUs back.
  [1]
  $ vipu-admin reset partition stays
  reset partition (stays): failed: machine ag02 is down; the partition is in state ERROR: it recovers by itself when ag02 is up, vipu-admin remove partition stays gives its IPUs back.
  [1]
  $ vipu doctor | grep ERROR
  FAIL  partitions: partition stays is in state ERROR: machine ag02 is down; it recovers by itself when ag02 is up, vipu remove partition stays gives its IPUs back
  $ vipu create partition all --size 64
  create partition (all): failed: size 64: no aligned group of that size is free; 52 IPUs are free, and the largest size that would fit now is 32; taken by p (4), stays (4); down: ag01, ag02.
  [1]
  $ poprun --vipu-partition stays --ipus-per-replica 4 true
  POPRUN ERROR: partition stays is in state PS_ERROR, not PS_ACTIVE (machine ag02 is down); --update-partition=yes lets poprun replace it
  [1]
  $ inject ag02 up
  $ vipu list partitions | awk '/stays/ { print $NF }'
  ACTIVE
  $ inject ag01 up
  $ vipu create partition hand --size 8 --no-auto-reset
  create partition (hand): success
  vipu: warning: .* (re)
  $ inject ag05 reboot --seconds 60
  $ inject ag06 down
  $ vipu doctor | grep -o 'machine ag05 rebooted; .*'
  machine ag05 rebooted; vipu reset partition hand tries again when ag05 and others are up, vipu remove partition hand gives its IPUs back
  $ inject ag05 up
  $ vipu reset partition hand
  reset partition (hand): failed: machine ag06 is down; the partition is in state ERROR: vipu reset partition hand tries again when ag06 is up, vipu remove partition hand gives its IPUs back.
  [1]
  $ inject ag06 up
  $ vipu doctor | grep -o 'vipu reset partition hand tries again'
  vipu reset partition hand tries again
  $ vipu reset partition hand
  reset partition (hand): success
  $ vipu remove partition hand
  remove partition (hand): success

Configurations that fail: ten retries are not enough for eleven failures.

  $ inject ag01 fail-config 10
  $ vipu create partition lucky --size 4
  create partition (lucky): success
  vipu: warning: .* (re)
  $ state lucky
  State                | ACTIVE
  Provisioning State   | IDLE
  Last Error           |
  IPUs                 | 0=ag01:0 1=ag01:1 2=ag01:2 3=ag01:3
  Failed Attempts      | 10
  Automatic Resets     | 0
  $ vipu remove partition lucky
  remove partition (lucky): success
  $ inject ag01 fail-config 11
  $ vipu create partition unlucky --size 4 --no-auto-reset
  create partition (unlucky): failed: configuration failed on machine ag01; the partition is in state ERROR: vipu reset partition unlucky tries again, vipu remove partition unlucky gives its IPUs back.
  vipu: warning: .* (re)
  [1]
  $ state unlucky
  State                | ERROR
  Provisioning State   | FAILED
  Last Error           | configuration failed on machine ag01
  IPUs                 | 0=ag01:0 1=ag01:1 2=ag01:2 3=ag01:3
  Failed Attempts      | 11
  Automatic Resets     | 0
  $ vipu reset partition unlucky
  reset partition (unlucky): success
  $ vipu remove partition unlucky
  remove partition (unlucky): success

A relocatable one looks for other IPUs.

  $ inject ag01 fail-config 11
  $ vipu create partition moves --size 4 --relocatable
  create partition (moves): success
  $ state moves | grep IPUs
  IPUs                 | 0=ag04:0 1=ag04:1 2=ag04:2 3=ag04:3

poprun resets the partition before the job, and waits where that takes time:

  $ inject ag02 slow 30
  $ poprun --vipu-partition stays --ipus-per-replica 4 --debug=yes true 2>&1 | sed -n 's/.*POPRUN/POPRUN/; /[Rr]eset\|PS_/p'
  POPRUN [I] Partition stays already exists and is in state: PS_ACTIVE
  POPRUN [T] Resetting partition stays
  POPRUN [D] Done polling, final state of stays: PS_ACTIVE
  $ poprun --vipu-partition stays --ipus-per-replica 4 --reset-partition no --debug=yes true 2>&1 | grep -c Resetting
  0
  [1]

Also where nothing is wrong, and Last Reset shows it; an error of an IPU goes by
it:

  $ vipu create partition plain --size 4 > /dev/null 2>&1; ipu=$(vipu get partition plain | sed -n 's/^IPUs.* 0=\([^ ]*\).*/\1/p')
  $ resets() { poprun --vipu-partition plain --ipus-per-replica 4 --debug=yes true 2>&1 | grep -c Resetting; }
  $ resets
  1
  $ vipu get partition plain --verbose | grep -c '^Last Reset .*| ....-..-..T'
  1
  $ vipu-admin inject $ipu soc-error NMLINKDN0 > /dev/null; resets
  1
  $ vipu remove partition plain
  remove partition (plain): success
  $ poprun --reset-partition maybe true
  .*--reset-partition 'maybe': must be yes or no .* (re)
  usage: .* (re)
  [2]
  $ inject ag02 up

A time that ends:

  $ vipu create partition brief --size 4 --ttl 2h
  create partition (brief): success
  vipu: warning: .* (re)
  $ vipu create partition brief2 --size 4 --ttl 1w
  vipu: --ttl '1w': must be a time: seconds, or a number followed by s, m, h or d
  usage: vipu create partition NAME --size N [option ...]
  [2]
  $ vipu create partition brief2 --size 4 --ttl 0
  vipu: --ttl '0': must be one second to ten years
  usage: vipu create partition NAME --size N [option ...]
  [2]
  $ vipu get partition brief --verbose | grep -c 'Expires  *| 2'
  1
  $ ls ~/.ipuof.conf.d
  brief.conf
  stays.conf
  $ vipu remove partition brief
  remove partition (brief): success
A reconfigurable partition is reset before a job only where that is asked for:

  $ vipu create partition re --size 4 --reconfigurable 2>/dev/null
  create partition (re): success
  $ poprun --vipu-partition re --ipus-per-replica 4 --vv true 2>&1 | grep -c Resetting
  0
  [1]
  $ poprun --vipu-partition re --ipus-per-replica 4 --reset-partition=yes --vv true 2>&1 | grep -c Resetting
  1
  $ vipu remove partition re
  remove partition (re): success

What poprun creates for a job and cannot be configured does not stay:

  $ inject ag01 fail-config 11
  $ poprun --vipu-partition job --update-partition=yes --ipus-per-replica 4 true
  POPRUN ERROR: partition job is in state PS_ERROR, not PS_ACTIVE (configuration failed on machine ag01)
  [1]
  $ ls "$IPUBOX_STATE_DIR/partitions"
  moves.ini
  p.ini
  stays.ini
  $ inject ag01 slow 20
  $ poprun --vipu-partition job --update-partition=yes --ipus-per-replica 4 echo done
  [1,0]<stdout>:done

A time that ends before the partition is configured:

  $ for n in 01 02 03 04 05 06 07 08; do inject ag$n slow 1100; done
  $ vipu create partition late --size 4 --relocatable --ttl 1
  create partition (late): failed: partition late was created and has already expired: its --ttl ended before it was configured.
  [1]
  $ vipu get partition late -q
  get partition (late): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
