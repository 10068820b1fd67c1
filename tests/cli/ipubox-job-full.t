#skip-unless unshare -m mount -t tmpfs none "$HOME"
A full disk, in a mount namespace of this test's own: a job is not over before
the end of its pods is written.

  $ mkdir small
  $ cat > job.yaml <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: j}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "4"
  >   workers:
  >     template:
  >       spec:
  >         containers: [{name: m, image: x, command: [cat, $PWD/go]}]
  > END
  $ cat > full.sh <<'END'
  > mount -t tmpfs -o size=1m,mode=700 none small || exit 1
  > export IPUBOX_STATE_DIR=$PWD/small/state
  > mkfifo go
  > ipubox-job create -f job.yaml
  > exec 3> go
  > shown() { ipubox-job get "$@" --no-headers | tr -s ' ' | cut -d ' ' -f 1-3; }
  > until shown pods | grep Running; do :; done; shown ipujobs
  > head -c 2000000 /dev/zero > small/fill 2> told
  > exec 3>&-
  > until [ -z "$(vipu list partitions -q)" ]; do :; done
  > head -c 100000 /dev/zero 2> told >> small/fill
  > echo "its IPUs are free, and nothing could be written:"
  > shown pods; shown ipujobs
  > rm small/fill
  > ipubox-job wait --for=condition=Succeeded ipujob/j --timeout=20s
  > shown pods; shown ipujobs
  > ipubox-job get events | grep -c FailedWrite
  > ipubox-job delete -f job.yaml
  > END
  $ unshare -m sh full.sh
  ipujob.graphcore.ai/j created
  j-worker-0 1/1 Running
  j Running 1
  its IPUs are free, and nothing could be written:
  j-worker-0 1/1 Running
  j Running 1
  ipujob.graphcore.ai/j condition met
  j-worker-0 0/1 Completed
  j Completed 0
  1
  ipujob.graphcore.ai "j" deleted
