#needs ip
#skip-unless mpirun --allow-run-as-root --oversubscribe -n 2 true # it wants a network
#skip-unless unshare -n ip link set lo up
poprun: hosts behind an agent that are this machine, where it has no network but
the loop.

  $ printf '#!/bin/sh\npod=$1; shift\nmkdir -p "tmp/$pod"\nexec env -i PATH="$PATH" HOME=/ TMPDIR="$PWD/tmp/$pod" POD="$pod" sh -c "$*"\n' > agent; chmod +x agent
  $ export OMPI_MCA_plm_rsh_agent=$PWD/agent
  $ alias run='unshare -n sh -c '\''ip link set lo up && exec "$@"'\'' sh poprun --allow-run-as-root yes --host job-worker-0,job-worker-1 --num-replicas 2 --num-instances 2'
  $ run --offline-mode yes sh -c 'echo $POD $MASTER_ADDR' | sort
  [1,0]<stdout>:job-worker-0 127.0.0.1
  [1,1]<stdout>:job-worker-1 127.0.0.1
  $ vipu create partition p --size 2 --num-gcds 2
  create partition (p): success
  $ run --vipu-partition p gc-monitor | grep -o 'Partition: p .*\]' | sort
  Partition: p (gcd:0) [active]
  Partition: p (gcd:1) [active]
