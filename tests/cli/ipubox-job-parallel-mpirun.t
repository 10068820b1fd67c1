#skip-unless unshare --user --mount true
A job of several workers, whose launcher starts a program in each of them; and
what is left when parts of it are killed: nothing, and a true status.  (What
is being stopped cannot be searched for leaks by a sanitizer.)

  $ printf '[jobs]\nrestart-delay = 1\n' > conf; export IPUBOX_CONFIG=$PWD/conf
  $ job() { ipubox-job "$@"; }
  $ manifest() { cat <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: $1}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "4"
  >   workersPerJobInstance: "2"
  > ${3:-}
  >   launcher:
  >     command: [sh, -c, '$2']
  >   workers:
  >     template:
  >       spec:
  >         terminationGracePeriodSeconds: 1
  >         volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
  >         containers: [{name: main, image: x, volumeMounts: [{name: data, mountPath: /data}], env: [{name: ASAN_OPTIONS, value: detect_leaks=0}]}]
  > END
  > }
  $ run='--allow-run-as-root 1 --num-instances 2 --num-replicas 2 --ipus-per-replica 2 --mpi-global-args="--tag-output"'

poprun in the launcher finds the workers by itself: each has a name of its own,
and its share of the partition.

  $ manifest pair "exec poprun $run sh -c \"echo \\\$(hostname): replica \\\$POPDIST_REPLICA_INDEX_OFFSET, gcd \\\$IPUOF_VIPU_API_GCD_ID\"" | job create -f -
  ipujob.graphcore.ai/pair created
  $ job wait --for=condition=Completed ipujob/pair || job logs pair-launcher
  ipujob.graphcore.ai/pair condition met
  $ job logs pair-launcher | grep '^\[1' | sort
  [1,0]<stdout>:pair-worker-0: replica 0, gcd 0
  [1,1]<stdout>:pair-worker-1: replica 1, gcd 1
  $ job get pods --no-headers | tr -s ' ' | cut -d' ' -f1-4
  pair-launcher 0/1 Completed 0
  pair-worker-0 0/1 Completed 0
  pair-worker-1 0/1 Completed 0
  $ vipu list partitions -q

mpirun alone, with the hosts that the file names.

  $ manifest mpi 'exec mpirun --allow-run-as-root -np 2 --map-by node --tag-output hostname' | job create -f -
  ipujob.graphcore.ai/mpi created
  $ job wait --for=condition=Completed ipujob/mpi || job logs mpi-launcher
  ipujob.graphcore.ai/mpi condition met
  $ job logs mpi-launcher | grep '^\[1' | sort
  [1,0]<stdout>:mpi-worker-0
  [1,1]<stdout>:mpi-worker-1
  $ job delete ipujobs --all
  ipujob.graphcore.ai "mpi" deleted
  ipujob.graphcore.ai "pair" deleted

Each part of one that runs is killed: the job is over with the next command, and
its partition and processes are gone.

  $ marked() { grep -lsz '^IPUBOX_POD=' /proc/[0-9]*/environ 2>/dev/null | while read -r p; do tr '\0' '\n' 2>/dev/null < "$p" | grep -q "^IPUBOX_STATE_DIR=$IPUBOX_STATE_DIR\$" && echo "$p" | tr -dc '0-9\n'; done; :; }
  $ named() { for p in $(marked); do grep -q "^$1\$" "/proc/$p/comm" && echo "$p"; done 2>/dev/null; :; }
  $ ours() { for p in $(grep -lszxF "TEST=$TEST" /proc/[0-9]*/environ); do grep -q "^$1\$" "${p%/*}/comm" && echo "${p%/*}" | tr -dc '0-9\n'; done 2>/dev/null; :; }
  $ ended() { for pid; do while grep -q '^State:.[^ZX]' /proc/$pid/status; do :; done; done 2>/dev/null; }
  $ killed() { test $# -gt 0 && { kill -STOP "$@"; kill -KILL "$@"; ended "$@"; } 2>/dev/null; }
  $ begin() {
  >     manifest "$1" "exec poprun $run sleep 1003" "${2:-}" | job create -f - > /dev/null
  >     job wait --for=condition=Running "ipujob/$1" > /dev/null
  >     until test "$(named sleep | wc -l)" = 2; do :; done
  > }
  $ after() {
  >     job get ipujob "$1" -o jsonpath='{.status.launcherStatus}: {.status.lastMessage}{"\n"}'
  >     ended $(marked)
  >     marked
  >     vipu list partitions -q
  > }
  $ for part in poprun mpirun orted sleep; do
  >     begin "$part"; killed $(named "$part" | head -n 1)
  >     job wait --for=condition=Failed "ipujob/$part" > /dev/null
  >     after "$part"
  > done
  Failed: pod poprun-launcher: Error (killed by signal 9)
  Failed: pod mpirun-launcher: Error (killed by signal 9)
  Failed: pod orted-launcher: Error (exit status 205)
  Failed: pod sleep-launcher: Error (killed by signal 9)
  $ worker() { echo "$IPUBOX_STATE_DIR/jobs/default/ipujobs/$1/pods/$1-worker-1/process"; }
  $ begin worker; killed $(cut -d' ' -f1 "$(worker worker)")
  $ job wait --for=condition=Failed ipujob/worker > /dev/null; after worker
  Failed: pod worker-worker-1: Error (killed by signal 9)
  $ begin runner; killed $(ours ipubox-runner); after runner
  Failed: pod runner-worker-0: Error (killed by signal 9): the job's runner was killed, or this host was restarted
  $ begin all; killed $(ours ipubox-runner) $(ours ipubox-reaper) $(ours ipubox-superv) $(marked); after all
  Failed: pod all-worker-0: Error (killed by signal 9): the job's runner was killed, or this host was restarted
  $ job delete ipujobs --all > /dev/null

One that is started anew does so on the same partition, and gets through.

  $ manifest again "test -e /data/once || { : > /data/once; poprun $run false; exit 1; }; exec poprun $run true" '  restartPolicy: {type: OnFailure}' | job create -f - > /dev/null
  $ job wait --for=condition=Completed ipujob/again
  ipujob.graphcore.ai/again condition met
  $ job get ipujob again -o jsonpath='{.status.restartCount}{"\n"}'
  1
  $ job get pods -l graphcore.ai/job-name=again --no-headers | sed 's/ (.* ago)//' | tr -s ' ' | cut -d' ' -f1-4
  again-launcher 0/1 Completed 1
  again-worker-0 0/1 Completed 1
  again-worker-1 0/1 Completed 1
  $ test "$(job get ipujob again -o jsonpath='{.status.restartCount}')" = 1 || job logs again-launcher --previous
  $ vipu list partitions -q; ended $(marked); marked
