Parts of a job that are killed, one at a time and all at once: the next command
tells the truth, the partition is free, and nothing is left.

  $ job() { ipubox-job "$@"; }
  $ manifest() { cat <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: $1}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "4"
  > ${2:-}
  >   workers:
  >     template:
  >       spec:
  >         terminationGracePeriodSeconds: 1
  >         containers:
  >         - {name: main, image: x, command: [sh, -c], args: ["setsid sleep 1001 & exec sleep 1000"]}
  > END
  > }

The processes of ours by their names, and those of pods by their mark.

  $ ours() { for p in $(grep -lszxF "TEST=$TEST" /proc/[0-9]*/environ); do grep -q "^$1\$" "${p%/*}/comm" && echo "${p%/*}" | tr -dc '0-9\n'; done 2>/dev/null; :; }
  $ marked() { grep -lsz '^IPUBOX_POD=' /proc/[0-9]*/environ 2>/dev/null | while read -r p; do tr '\0' '\n' 2>/dev/null < "$p" | grep -q "^IPUBOX_STATE_DIR=$IPUBOX_STATE_DIR\$" && echo "$p" | tr -dc '0-9\n'; done; :; }
  $ ended() { for pid; do while grep -q '^State:.[^ZX]' /proc/$pid/status; do :; done; done 2>/dev/null; }
  $ begin() {
  >     manifest "$1" "${2:-}" | job create -f - > /dev/null
  >     job wait --for=condition=Running "ipujob/$1" > /dev/null
  >     until job exec "$1-worker-0" -- sh -c 'test "$(grep -lszx 100[01] /proc/[0-9]*/cmdline | wc -l)" -ge 2' 2>/dev/null; do :; done
  > }
  $ after() {
  >     job get ipujob "$1" -o jsonpath='{.status.launcherStatus}: {.status.lastMessage}{"\n"}'
  >     job get pod "$1-worker-0" -o jsonpath='{.status.phase} {.status.containerStatuses[0].state.terminated.reason}{"\n"}'
  >     ended $(marked)
  >     marked
  >     vipu list partitions -q
  > }

The program itself: its end is the pod's, and what it started goes as well.

  $ begin program
  $ kill -KILL $(cat "$IPUBOX_STATE_DIR"/jobs/default/ipujobs/program/pods/program-worker-0/process | cut -d' ' -f1)
  $ job wait --for=condition=Failed ipujob/program
  ipujob.graphcore.ai/program condition met
  $ after program
  Failed: pod program-worker-0: Error (killed by signal 9)
  Failed Error

The supervisor, and the reaper.

  $ for part in ipubox-superv ipubox-reaper; do
  >     begin "${part#ipubox-}"; kill -KILL $(ours "$part")
  >     job wait --for=condition=Failed "ipujob/${part#ipubox-}"
  >     after "${part#ipubox-}"
  > done
  ipujob.graphcore.ai/superv condition met
  Failed: pod superv-worker-0: Error (killed by signal *): its supervisor was killed (glob)
  Failed Error
  ipujob.graphcore.ai/reaper condition met
  Failed: pod reaper-worker-0: Error (*) (glob)
  Failed Error

The runner, with and without a restart.

  $ begin runner
  $ killed() { kill -STOP "$@"; kill -KILL "$@"; ended "$@"; } 2>/dev/null
  $ killed $(ours ipubox-runner)
  $ after runner
  Failed: pod runner-worker-0: Error (killed by signal 9): the job's runner was killed, or this host was restarted
  Failed Error
  $ printf '[jobs]\nrestart-delay = 1\n' > conf; export IPUBOX_CONFIG=$PWD/conf
  $ begin restarted '  restartPolicy: {type: OnFailure}'
  $ killed $(ours ipubox-runner)
  $ job get ipujob restarted -o jsonpath='{.status.launcherStatus}{"\n"}'
  Restarting
  $ job wait --for=condition=Running ipujob/restarted
  ipujob.graphcore.ai/restarted condition met
  $ vipu list partitions -q
  p-restarted-default-0
  $ job get ipujob restarted -o jsonpath='{.status.restartCount}{"\n"}'
  1
  $ job delete ipujob restarted
  ipujob.graphcore.ai "restarted" deleted
  $ ended $(marked); marked; vipu list partitions -q

All at once.

  $ begin all
  $ pids="$(ours ipubox-runner) $(ours ipubox-reaper) $(ours ipubox-superv) $(marked)"
  $ killed $pids
  $ after all
  Failed: pod all-worker-0: Error (killed by signal 9): the job's runner was killed, or this host was restarted
  Failed Error

One that waits keeps its place, and is taken up by whoever looks next.

  $ begin holder
  $ manifest waiting | sed 's/Instance: "4"/Instance: "64"/' | job create -f -
  ipujob.graphcore.ai/waiting created
  $ queue=$(ours ipubox-queue)
  $ killed "$queue" "$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$queue/status")"
  $ job get ipujob waiting -o jsonpath='{.status.launcherStatus}{"\n"}'
  Pending

Deleting all of them while they have nobody.

  $ pids="$(ours ipubox-runner) $(ours ipubox-queue)"
  $ killed $pids
  $ job delete ipujobs --all
  ipujob.graphcore.ai "all" deleted
  ipujob.graphcore.ai "holder" deleted
  ipujob.graphcore.ai "program" deleted
  ipujob.graphcore.ai "reaper" deleted
  ipujob.graphcore.ai "runner" deleted
  ipujob.graphcore.ai "superv" deleted
  ipujob.graphcore.ai "waiting" deleted
  $ ended $(marked); marked; vipu list partitions -q; find "$IPUBOX_STATE_DIR"/jobs -name '*-worker-*'
