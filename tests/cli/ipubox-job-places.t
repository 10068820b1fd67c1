#skip-unless unshare -m true || unshare -Urm true # mounts of one's own
Where the containers of a job begin, and what lies at their paths.

  $ job() { ipubox-job "$@"; }
  $ away=$PWD/away/from/here
  $ cat > job.yaml <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: away}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "1"
  >   workers:
  >     template:
  >       spec:
  >         initContainers:
  >         - {name: before, image: x, command: [touch, before], workingDir: $away}
  >         containers:
  >         - name: main
  >           image: x
  >           command: [sh, -c]
  >           args: ["pwd; ls; touch file"]
  >           workingDir: $away
  >         restartPolicy: Never
  > END

The working directory of an image that is not here is empty, and each
container's own; this host gets none.

  $ job create -f job.yaml && job wait --for=condition=Succeeded ipujob/away
  ipujob.graphcore.ai/away created
  ipujob.graphcore.ai/away condition met
  $ job logs away-worker-0 | sed "s:$PWD::"
  /away/from/here
  $ ls away
  ls: * (glob)
  [2]
  $ job get events -o jsonpath='{range .items[*]}{.reason}: {.message}{"\n"}{end}' | grep WorkingDir | sed "s:$PWD::"
  WorkingDirEmpty: workingDir /away/from/here is not on this host: an empty directory of the pod replaces it
  $ job cp away-worker-0:$away/file . && ls file
  file
  $ job delete -f job.yaml
  ipujob.graphcore.ai "away" deleted

One that is here is used as it is.

  $ mkdir -p "$away" && touch "$away/own"
  $ sed '/initContainers/d; /name: before/d' job.yaml | job create -f - && job wait --for=condition=Succeeded ipujob/away
  ipujob.graphcore.ai/away created
  ipujob.graphcore.ai/away condition met
  $ job logs away-worker-0 | sed "s:$PWD::"
  /away/from/here
  own
  $ ls "$away"
  file
  own
  $ job delete ipujob away
  ipujob.graphcore.ai "away" deleted

Where ipubox.conf opens nothing of this host, a hostPath is a directory that the
jobs of the namespace share; but what is at the same path here is there anyway.

  $ mkdir own && touch own/here
  $ cat > paths.yaml <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {generateName: paths-}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "1"
  >   workers:
  >     template:
  >       spec:
  >         containers:
  >         - name: main
  >           image: x
  >           command: [sh, -c, "ls /etc/a; ls $PWD/own; ls -s /etc/b/c /etc/b/d; echo 1 > /etc/a/count; df /dev/shm | tail -n 1"]
  >           volumeMounts:
  >           - {name: data, mountPath: /etc/a}
  >           - {name: own, mountPath: $PWD/own}
  >           - {name: file, mountPath: /etc/b/c}
  >           - {name: socket, mountPath: /etc/b/d}
  >           - {name: shm, mountPath: /dev/shm}
  >         volumes:
  >         - {name: socket, hostPath: {path: /srv/some/socket, type: Socket}}
  >         - {name: data, hostPath: {path: /etc, type: Directory}}
  >         - {name: own, hostPath: {path: $PWD/own}}
  >         - {name: file, hostPath: {path: /srv/some/file, type: File}}
  >         - {name: shm, hostPath: {path: /dev/shm}}
  >         restartPolicy: Never
  > END
  $ run() {
  >   name=$(job create -f paths.yaml -o name 2> /dev/null) &&
  >   job wait --for=condition=Succeeded "$name" > /dev/null && job logs "$name"
  > }
  $ run
  here
  0 /etc/b/c
  0 /etc/b/d
  ipubox * /dev/shm (glob)
  $ run
  count
  here
  0 /etc/b/c
  0 /etc/b/d
  ipubox * /dev/shm (glob)
  $ job get events -o jsonpath='{range .items[*]}{.reason}: {.message}{"\n"}{end}' | sed -n "s:$IPUBOX_STATE_DIR::; s/^HostPathOwn: //p" | sort -u
  volume data: /jobs/default/host/etc replaces the hostPath, because ipubox.conf has no host-paths
  volume file: /jobs/default/host/srv/some/file replaces the hostPath, because ipubox.conf has no host-paths
  volume socket: /jobs/default/host/srv/some/socket replaces the hostPath, because ipubox.conf has no host-paths
  $ printf '[jobs]\nhost-paths = %s\n' "$PWD" > conf
  $ IPUBOX_CONFIG=$PWD/conf job create -f paths.yaml -o name 2> /dev/null | IPUBOX_CONFIG=$PWD/conf xargs -I{} ipubox-job wait --for=condition=Failed {} > /dev/null
  $ job get ipujobs -o jsonpath='{range .items[*]}{.status.lastMessage}{"\n"}{end}' | sed -n 's/.*hostPath/hostPath/p' | sed "s:$PWD:HERE:"
  hostPath /etc is not below HERE, the directory that this host opens to pods

A hostPath is that of the check: one that becomes a link later is not mounted.

  $ mkdir -p open/a secret; echo secret > secret/file; echo open > open/a/file; ln -s a open/link
  $ printf '[jobs]\nhost-paths = %s\n' "$PWD/open" > conf; export IPUBOX_CONFIG=$PWD/conf
  $ sed "s/generateName: paths-/name: race/; s:command\\: .*:command\\: [cat, /mnt/file]:; /mountPath/d; /hostPath/d; s:volumeMounts\\::&\n          - {name\\: v, mountPath\\: /mnt}:; s:volumes\\::&\n        - {name\\: v, hostPath\\: {path\\: $PWD/open/link}}:" paths.yaml > race.yaml
  $ job create -f race.yaml && job wait --for=condition=Succeeded ipujob/race && job logs race-worker-0
  ipujob.graphcore.ai/race created
  ipujob.graphcore.ai/race condition met
  open
  $ ln -sfn ../secret open/link; job cp race-worker-0:/mnt/file got && cat got
  open
  $ mv open/a open/b; ln -s ../secret open/a; job cp race-worker-0:/mnt/file got 2>&1 | sed "s:$PWD:HERE:"
  error: volume v: HERE/open/a has become a symbolic link; remove it
  $ job delete ipujob race; unset IPUBOX_CONFIG
  ipujob.graphcore.ai "race" deleted

A volume of another machine is not reached: a directory by its name, which the
jobs of the namespace share, stands for it. To what is the kernel's nothing can
be added.

  $ cat > served.yaml <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {generateName: served-}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "1"
  >   workers:
  >     template:
  >       spec:
  >         containers:
  >         - name: main
  >           image: x
  >           command: [sh, -c, "ls /data /sets; touch /data/here; touch /sets/new || true"]
  >           volumeMounts:
  >           - {name: data, mountPath: /data}
  >           - {name: sets, mountPath: /sets}
  >           - {name: verbs, mountPath: /sys/class/of_no_driver}
  >         volumes:
  >         - {name: verbs, hostPath: {path: /sys/class/of_no_driver}}
  >         - {name: data, nfs: {server: files, path: /data}}
  >         - {name: sets, csi: {driver: nfs.csi.k8s.io, readOnly: true}}
  > END
  $ mkdir -p "$IPUBOX_STATE_DIR"/jobs/default/volumes/sets && touch "$IPUBOX_STATE_DIR"/jobs/default/volumes/sets/mnist
  $ name=$(job create -f served.yaml -o name 2> /dev/null) && job wait --for=condition=Succeeded "$name" > /dev/null && job logs "$name"
  /data:
  
  /sets:
  mnist
  touch: * (glob)
  $ name=$(job create -f served.yaml -o name 2> /dev/null) && job wait --for=condition=Succeeded "$name" > /dev/null && job logs "$name" | head -n 2
  /data:
  here
  $ job get events -o jsonpath='{range .items[*]}{.reason}: {.message}{"\n"}{end}' | sed -n "s:$IPUBOX_STATE_DIR::; s/^Volume\(Own\|LeftOut\): //p" | sort -u
  volume data: /jobs/default/volumes/data replaces the nfs volume
  volume sets: /jobs/default/volumes/sets replaces the csi volume
  volume verbs: left out, because the kernel of this host has no /sys/class/of_no_driver

A program finds its own host name, beside those that this host knows; and a
login shell, for which /etc/profile has set another PATH, finds the tools.

  $ cat > name.yaml <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: name}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "2"
  >   workers:
  >     template:
  >       spec:
  >         initContainers:
  >         - {name: before, image: x, command: [touch, .profile]}
  >         containers:
  >         - name: main
  >           image: x
  >           command: [sh, -c]
  >           args: ["getent hosts name-worker-0; getent hosts localhost | wc -l; sh -lc 'gc-info --ipu-count'"]
  > END
  $ job create -f name.yaml && job wait --for=condition=Succeeded ipujob/name
  ipujob.graphcore.ai/name created
  ipujob.graphcore.ai/name condition met
  $ if [ -e /etc/hosts ]; then job logs name-worker-0; else
  >     printf '127.0.0.1       name-worker-0\n1\n2\n'
  >     echo "a pod's own name: not true here: [ -e /etc/hosts ]" >> "$TEST/skips"
  > fi
  127.0.0.1       name-worker-0
  1
  2
  $ ! grep name-worker /etc/hosts 2> /dev/null
  $ job delete ipujob name
  ipujob.graphcore.ai "name" deleted

What a manifest mounts at the file is what is there.

  $ sed 's/args: .*/args: ["cat \/etc\/hosts"]\n          volumeMounts: [{name: own, mountPath: \/etc\/hosts, subPath: hosts}]\n        volumes: [{name: own, configMap: {name: own}}]/' name.yaml > own.yaml
  $ printf '%s\n' --- 'apiVersion: v1' 'kind: ConfigMap' 'metadata: {name: own}' 'data: {hosts: 10.0.0.1 vipu}' >> own.yaml
  $ job create -f own.yaml > out && job wait --for=condition=Succeeded ipujob/name && job logs name-worker-0 && echo
  ipujob.graphcore.ai/name condition met
  10.0.0.1 vipu
  $ job delete -f own.yaml
  ipujob.graphcore.ai "name" deleted
  configmap "own" deleted
