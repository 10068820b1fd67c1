#skip-unless setpriv --reuid=64011 --regid=64011 --clear-groups unshare --user --mount true
#skip-unless setpriv --reuid=64011 --regid=64011 --clear-groups test -x "$HOME"
A user who is not root: the pods are in user namespaces that are strangers to
each other, and the launcher starts programs in the workers all the same, by the
runner.

  $ room=$TMPDIR/room; mkdir -m 755 "$room"; install -d -m 755 -o 64011 -g 64011 "$room/user"
  $ cp "$IPUBOX" "$room/ipubox" && "$room/ipubox" --install "$room"
  $ as() { (cd "$room/user" && HOME=$room/user PATH=$room:$PATH exec setpriv --reuid=64011 --regid=64011 --clear-groups "$@"); }
  $ unset IPUBOX_STATE_DIR; install -d -m 1777 "$room/shm"; export IPUBOX_REGISTRY="$room/shm/registry"
  $ job() { as ipubox-job "$@"; }
  $ manifest() { cat <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: $1}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "4"
  >   workersPerJobInstance: "2"
  >   launcher:
  >     command: [sh, -c, '$2']
  >   workers:
  >     template:
  >       spec:
  >         terminationGracePeriodSeconds: 1
  >         volumes: [{name: data, emptyDir: {}}]
  >         containers: [{name: main, image: x, volumeMounts: [{name: data, mountPath: /data}]}]
  > END
  > }
  $ manifest pair 'exec poprun --allow-run-as-root=yes --num-instances 2 --num-replicas 2 --ipus-per-replica 2 --mpi-global-args="--tag-output" sh -c "echo \$(hostname) \$(id -u) \$IPUOF_VIPU_API_GCD_ID \$(ls -d /data)"' | job create -f -
  ipujob.graphcore.ai/pair created
  $ job wait --for=condition=Completed ipujob/pair || job logs pair-launcher
  ipujob.graphcore.ai/pair condition met
  $ job logs pair-launcher | grep '^\[1' | sort
  [1,0]<stdout>:pair-worker-0 64011 0 /data
  [1,1]<stdout>:pair-worker-1 64011 1 /data

Statuses, signals and both outputs are those of the command; only pods of the
job are entered so.

  $ script='k() { ipubox-job exec -i "$@" 2>&1; }
  > k one-worker-1 -- sh -c "echo out; echo err >&2; exit 7"; echo $?
  > k one-worker-0 -- sh -c "kill -9 \$\$"; echo $?
  > k one-worker-1 -- no-such-program; echo $?
  > echo read | k one-worker-1 -- cat
  > k pair-worker-0 -- true; echo $?
  > ipubox-job exec one-worker-0 -- sh -c "trap \"echo told > /data/told; exit 3\" TERM; sleep 1000 & echo > /data/there; wait" & pid=$!
  > until k one-worker-0 -- test -e /data/there; do :; done
  > kill $pid; wait $pid; echo $?
  > k one-worker-0 -- cat /data/told
  > ipubox-job exec one-worker-0 -- sleep 1005 & kill -9 $!'
  $ manifest one "$(printf '%s' "$script" | sed "s/'/''/g" | sed '2,$s/^/\n/')" | job create -f -
  ipujob.graphcore.ai/one created
  $ job wait --for=condition=Completed ipujob/one; job logs one-launcher
  ipujob.graphcore.ai/one condition met
  out
  err
  7
  137
  error: program 'no-such-program' not found in PATH
  127
  read
  error: cannot exec into a container in a completed pod; current phase is Succeeded
  1
  3
  told
  $ job delete ipujobs --all
  ipujob.graphcore.ai "one" deleted
  ipujob.graphcore.ai "pair" deleted
