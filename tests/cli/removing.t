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
