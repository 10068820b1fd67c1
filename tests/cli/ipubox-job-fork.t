#skip-unless prlimit --nproc=9 setpriv --reuid=64022 --regid=64022 --clear-groups test -x "$IPUBOX"
A runner that cannot be started is told, and the job begins with the next
command.  A sanitizer's search for leaks is a process as well, and so is one of
another run's user that nobody has waited for.

  $ uid=$((20000 + $$ % 40000)); install -d -m 700 -o $uid -g $uid "$TMPDIR/user"; chmod 755 "$TMPDIR"; cp "$IPUBOX" "$TMPDIR/ipubox"
  $ export HOME=$TMPDIR/user IPUBOX_REGISTRY=$TMPDIR/user/registry ASAN_OPTIONS=detect_leaks=0; unset IPUBOX_STATE_DIR
  $ job() { (cd "$HOME" && prlimit --nproc="$processes" setpriv --reuid=$uid --regid=$uid --clear-groups "$TMPDIR/ipubox" job "$@"); }
  $ manifest() { cat <<END
  > {apiVersion: graphcore.ai/v1alpha1, kind: IPUJob, metadata: {name: $1}, spec: {jobInstances: 1, ipusPerJobInstance: "1", workers: {template: {spec: {containers: [{name: main, image: x, command: ["true"]}]}}}}}
  > END
  > }
  $ for processes in 1 2; do manifest "p$processes" | job create -f -; done
  error: cannot start the job's runner: Resource temporarily unavailable; * (glob)
  error: cannot start the job's runner: Resource temporarily unavailable; * (glob)
  [1]
  $ processes=100; job wait --for=condition=Succeeded ipujobs --all
  ipujob.graphcore.ai/p1 condition met
  ipujob.graphcore.ai/p2 condition met
  $ job delete ipujobs --all
  ipujob.graphcore.ai "p1" deleted
  ipujob.graphcore.ai "p2" deleted
