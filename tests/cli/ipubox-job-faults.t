#skip-unless [ -n "${IPUBOX_FAULTY:-}" ] # a build with fault points
Commands that are killed between two of their writes: a job is there as a whole
or not at all, and the next command takes away what is left, a half of a Secret
among it.

  $ job() { ipubox-job "$@"; }
  $ cat > all.yaml <<END
  > apiVersion: v1
  > kind: Secret
  > metadata: {name: s}
  > stringData: {KEY: value}
  > ---
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: j}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "4"
  >   workers:
  >     template:
  >       spec:
  >         containers: [{name: m, image: x, command: [sh, -c, 'echo \$KEY'], envFrom: [{secretRef: {name: s}}]}]
  > END
  $ left() { find "$IPUBOX_STATE_DIR/jobs" -type f ! -name lock ! -name order 2> /dev/null; vipu list partitions -q; }
  $ whole() {
  >   test -n "$(job get ipujobs -o name)" || return 0
  >   job wait --for=condition=Succeeded ipujob/j --timeout=20s > said 2>&1 || cat said
  >   test "$(job logs j-worker-0)" = value || echo "another log"
  > }
  $ n=1; while ! { IPUBOX_FAULT=$n "$IPUBOX_FAULTY" ipubox-job create -f all.yaml > out 2>&1; } 2> killed; do
  >   whole; job delete -f all.yaml --ignore-not-found > said 2>&1 || cat said
  >   left; n=$((n + 1))
  > done; test $n -gt 20 && whole
  $ n=1; while ! { IPUBOX_FAULT=$n "$IPUBOX_FAULTY" ipubox-job delete -f all.yaml > out 2>&1; } 2> killed; do
  >   job delete -f all.yaml --ignore-not-found > said 2>&1 || cat said
  >   left; n=$((n + 1)); job create -f all.yaml > said 2>&1 || cat said
  > done; test $n -gt 5 && left
