#skip-unless unshare -m mount -t tmpfs none /root
#skip-unless unshare -m sh -c 'mount -t tmpfs none /root; ls "$IPUBOX" "$HOME"'
The HOME of root's pods over this host's /root: files there can be read and run,
and what the pod changes stays in it.  A hostPath is this host's all the same.

  $ cat > home.yaml <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: home}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "1"
  >   workers:
  >     template:
  >       spec:
  >         initContainers:
  >         - {name: before, image: x, command: [sh, -c, "echo before > ~/before"]}
  >         containers:
  >         - name: main
  >           image: x
  >           command: [sh, -c]
  >           args: ["cat ~/before; sh ~/program; echo data > data/new; echo lost > program; rm old; sleep 1000"]
  >           volumeMounts: [{name: data, mountPath: /root/data}]
  >         volumes: [{name: data, hostPath: {path: /root/data}}]
  >         restartPolicy: Never
  > END
  $ cat > on-host <<'END'
  > mount -t tmpfs none /root && mkdir /root/data && echo 'echo program' > /root/program && echo old > /root/old
  > ipubox-job create -f home.yaml
  > until ipubox-job exec home-worker-0 -- test ! -e /root/old 2> err; do :; done
  > ipubox-job logs home-worker-0
  > ipubox-job exec -c before home-worker-0 -- true
  > ipubox-job cp home-worker-0:/root/program got; cat got /root/program /root/old /root/data/new
  > ls -A /root; ipubox-job delete ipujob home
  > END
  $ unshare -m sh ./on-host
  ipujob.graphcore.ai/home created
  before
  program
  error: unable to upgrade connection: container not found ("before")
  lost
  echo program
  old
  data
  data
  old
  program
  ipujob.graphcore.ai "home" deleted
  $ find "$IPUBOX_STATE_DIR/jobs" -name 'home*'
