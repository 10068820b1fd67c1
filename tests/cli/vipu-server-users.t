A user that is removed, gets another access key or loses its allocation loses
what its calls hold at a server: devices, partitions of jobs, and places among those who wait.

  $ vipu-admin init --secure --default-user-id admin > said 2>&1 && vipu-admin create user ann --allocations default > said
  $ mkfifo log; vipu-server --secure --listen 127.0.0.1:0 2> log & server=$!; exec 3< log; read -r line <&3; port=${line##*:}; read -r line <&3; cat <&3 > lines & exec 3>&-
  $ mkdir other; elsewhere() { HOME=$PWD/other IPUBOX_STATE_DIR=$PWD/none IPUBOX_REGISTRY=$PWD/none.registry VIPU_CLI_CONFIG=$PWD/ann.hcl VIPU_CLI_API_HOST=127.0.0.1 VIPU_CLI_API_PORT=$port "$@"; }
  $ hold() {	# what ann's key is good for: a device, a partition of a job, a place in the queue
  >   mv ann.vipu-cli.hcl ann.hcl; rm -f in out go; mkfifo in out go; exec 4<> in 6<> go
  >   (exec 4>&- 6>&-; elsewhere ipubox __device) < in > out & child=$!; exec 5< out; read -r line <&5; echo attach 4 -1 >&4; read -r line <&5; echo "$line"
  >   (exec 4>&- 5<&-; elsewhere poprun --launcher local --vipu-partition job --update-partition=yes --num-instances 1 --num-replicas 1 cat go) > job 2>&1 & job=$!
  >   until vipu list partitions -q | grep job; do kill -0 $job || break; done
  >   : > waiting; (exec 4>&- 5<&- 6>&-; elsewhere vipu create partition w --size 64 --wait) > waiting 2>&1 & waiter=$!
  >   until grep -q 'waiting for 64 IPUs' waiting; do kill -0 $waiter || break; done; }
  $ lost() {	# what became of it; the cat of the job ends with its fifo
  >   until echo check -1 >&4; read -r line <&5; case $line in ok*) false ;; esac; do :; done; printf '%b\n' "$line" | sed 1d
  >   wait $waiter; echo $?; sed 1d waiting; until ! vipu list partitions -q | grep -q job; do :; done; vipu list partitions -q
  >   exec 4>&- 5<&-; wait $child; { kill $job; wait $job; } 2> /dev/null; exec 6>&-; }
  $ mv ann.vipu-cli.hcl ann.hcl; elsewhere vipu create partition a --size 4; mv ann.hcl ann.vipu-cli.hcl
  create partition (a): success

An allocation that is taken away:

  $ hold
  ok 4 4 0
  job
  $ vipu-admin update user ann --remove-allocations default
  update user (ann): success.
  $ lost
  the allocation of partition a was taken away from user ann
  1
  create partition (w): failed: user ann has no allocation; vipu-admin update user ann --add-allocations NAME adds one.
  a
  $ vipu-admin update user ann --new-key --add-allocations default | sed 1q | sed 's/key is .*/key is KEY/'
  update user (ann): success. Access key is KEY

Another key:

  $ hold
  ok 4 4 0
  job
  $ vipu-admin update user ann --new-key | sed 's/key is .*/key is KEY/'
  update user (ann): success. Access key is KEY
  vipu configuration file for the user 'ann' written: ann.vipu-cli.hcl
  Use 'vipu --config ann.vipu-cli.hcl' to switch to the user context.
  $ lost
  user ann was removed or has another access key now
  1
  create partition (w): failed: user ann was removed or has another access key now.
  a

Removed; what is right stays, as a change of another user's key shows:

  $ hold
  ok 4 4 0
  job
  $ vipu-admin create user bob > said; vipu-admin update user bob --add-allocations default
  update user (bob): success.
  $ echo check -1 >&4; read -r line <&5; echo "$line"; vipu list partitions -q; kill -0 $waiter
  ok
  a
  job
  $ vipu-admin remove user ann
  remove user (ann): success.
  $ lost
  user ann was removed or has another access key now
  1
  create partition (w): failed: user ann was removed or has another access key now.
  a
  $ kill $server; wait $server; grep -c 'gave back device 4' lines
  3
