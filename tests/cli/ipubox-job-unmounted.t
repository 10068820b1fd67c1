#skip-unless unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_mnt_namespaces && ! unshare -m true'
A job where nobody may mount.

  $ job() { unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_mnt_namespaces && exec "$@"' - ipubox-job "$@"; }
  $ manifest() { cat <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: $1}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "1"
  >   workers:
  >     template:
  >       spec:
  >         containers:
  >         - name: main
  >           image: x
  >           command: [sh, -c, "pwd; gc-info --ipu-count"]
  >           $2
  >         volumes:
  >         - $3
  >         restartPolicy: Never
  > END
  > }

A working directory that is not here is the pod's own directory, shared memory
is this host's, and what else has to be mounted is refused by its name.

  $ manifest away "workingDir: $PWD/away" '{name: v, emptyDir: {}}' | job create -f - 2> /dev/null
  ipujob.graphcore.ai/away created
  $ job wait --for=condition=Succeeded ipujob/away && job logs ipujob/away
  ipujob.graphcore.ai/away condition met
  */pods/away-worker-0/home (glob)
  1
  $ job get events -o jsonpath='{range .items[*]}{.reason}: {.message}{"\n"}{end}' | sed -n "s:$PWD::; s/^WorkingDirHome: //p" | cut -d, -f1
  workingDir /away is not on this host: the command starts in the pod's own directory
  $ manifest shm 'volumeMounts: [{name: v, mountPath: /dev/shm}]' '{name: v, hostPath: {path: /dev/shm}}' | job create -f - && job wait --for=condition=Succeeded ipujob/shm
  ipujob.graphcore.ai/shm created
  ipujob.graphcore.ai/shm condition met
  $ manifest data 'volumeMounts: [{name: v, mountPath: /data}]' '{name: v, emptyDir: {}}' | job create -f - && job wait --for=condition=Failed ipujob/data
  ipujob.graphcore.ai/data created
  ipujob.graphcore.ai/data condition met
  $ job get ipujob data -o jsonpath='{.status.lastMessage}{"\n"}'
  pod data-worker-0: CreateContainerError (exit status 128): volume v cannot be mounted at /data: * (glob)
