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
  WorkingDirEmpty: workingDir /away/from/here is not on this host: an empty directory of the pod is there
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
