A removal that takes its time, as on a slow machine, can be seen.

  $ vipu create partition p --size 4 && vipu create partition q --size 4 --cluster cl0 2> /dev/null
  create partition (p): success
  create partition (q): success
  $ vipu-admin inject ag01 slow 5000
  inject agent (ag01): success.
  $ shown() { vipu get partition $1 --format csv | tail -1 | grep -oE 'PS_[A-Z]*|POS_[A-Z]*' | paste -sd ' ' -; }
  $ vipu remove partition p > out & remover=$!
  > until [ "$(shown p)" = 'PS_REMOVED POS_REMOVING' ] || ! kill -0 $remover; do :; done; shown q
  PS_ACTIVE POS_IDLE
  $ vipu list partitions | grep -c REMOVED; ls ~/.ipuof.conf.d
  1
  q.conf
  $ vipu create partition p --size 4
  create partition (p): failed: partition p already exists.
  [1]
  $ vipu reset partition p 2>&1 | grep -o 'it is being removed'
  it is being removed
  $ wait $remover; cat out; vipu list partitions -q
  remove partition (p): success
  q

Who removes it as well waits with the first one.

  $ vipu-admin inject ag01 slow 200
  inject agent (ag01): success.
  $ vipu create partition p --size 4 2> /dev/null
  create partition (p): success
  $ vipu remove partition p > one & vipu remove partition p > two || cat two; wait; sort one two | uniq | grep -v 'the partition does not exist'
  remove partition (p): success

By force it takes no time; killed in the middle of it, the next command ends it.

  $ vipu create partition p --size 4 2> /dev/null
  create partition (p): success
  $ vipu-admin inject ag01 slow 3600000 && vipu remove partition p --force && vipu list partitions -q
  inject agent (ag01): success.
  remove partition (p): success
  q
  $ vipu-admin inject ag01 up && vipu create partition p --size 4 2> /dev/null && vipu-admin inject ag01 slow 5000
  inject agent (ag01): success.
  create partition (p): success
  inject agent (ag01): success.
  $ vipu remove partition p > out & remover=$!
  > until [ "$(shown p)" = 'PS_REMOVED POS_REMOVING' ] || ! kill -0 $remover; do :; done; kill -9 $remover; { wait $remover; } 2> /dev/null
  [137]
  $ vipu create partition next --size 64 --wait --relocatable 2> /dev/null & vipu remove partition q; wait
  remove partition (q): success
  create partition (next): success
  $ vipu list partitions -q
  next

By force, a program that is attached loses its IPUs and learns it at its next
step.  Until it has ended, the doctor names it.

  $ vipu-admin inject ag01 up && vipu remove partition next && vipu create partition p --size 4 --reconfigurable
  inject agent (ag01): success.
  remove partition (next): success
  create partition (p): success
  $ mkfifo in answers; ipubox __device < in > answers & exec 3> in 4< answers; read -r line <&4
  $ ask() { echo "$@" >&3; read -r line <&4; printf '%b\n' "$line"; }
  $ ask attach 1 2; ask check 2
  ok 2 1 0
  ok
  $ vipu remove partition p --force && vipu create partition q --size 4
  remove partition (p): success
  create partition (q): success
  $ vipu doctor 2>&1 | grep ' ipus:' | sed 's/user [^ ]*, pid [0-9]* (.*) lost/user USER, pid PID (COMMAND) lost/'
  warn  ipus: user USER, pid PID (COMMAND) lost IPU ag01:2 and still holds it, so no other program can attach to it; end the program; one that computes ends at its next step
  $ until ask check 2 | grep -q '^error'; do :; done; ask check 2 | sed 's/ at 20.*Z/ at TIME/'
  error failed poptorch.poptorch_core.UnrecoverableError: In unknown:0: 'poplar_unrecoverable_runtime_error': read_config_space(offset=0x3030): Could not complete operation. Fabric error: QP is not operational, device 2, IP 10.1.5.1:50053. IPUoF Server unreachable at TIME
  Error raised in:
    [0] execute
  partition p was removed
  $ exec 3>&- 4<&-; wait; vipu doctor 2>&1 | grep ' ipus:'
  ok    ipus: nothing is wrong
