What is said of manifests, and what follows from it.

  $ job() { ipubox-job "$@"; }
  $ manifest() { cat <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: some}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "1"
  >   workers:
  >     template:
  >       spec:
  >         restartPolicy: Never
  >         containers:
  >         - name: main
  >           image: x
  > END
  > }

What a cluster takes and this host has not is a warning, and create refuses it.

  $ manifest > no-command.yaml
  $ job lint no-command.yaml
  no-command.yaml:12:11: warning: spec.workers.template.spec.containers[0].command: missing; the command of the image is not known here; create refuses it
  1 object: 0 errors, 1 warning, 0 notes
  $ job lint --strict no-command.yaml > /dev/null
  [1]
  $ job create -f no-command.yaml
  error: no-command.yaml:12:11: spec.workers.template.spec.containers[0].command: missing; the command of the image is not known here
  [1]
  $ (manifest; echo '          command: [true]'; echo '        - {name: beside, image: z}') | job lint /dev/stdin | sed 's/^[^ ]* //'
  error: spec.workers.template.spec.containers[0].command[0]: must be a string, quoted: "true"
  warning: spec.workers.template.spec.containers[1]: is not started here: a pod runs only its initContainers and its first container
  object: 1 error, 1 warning, 0 notes
  $ job get ipujobs
  No resources found in default namespace.

A field that nobody knows is refused, unless it is to be left out.

  $ (manifest; echo '          command: ["true"]'; echo '        hostUsers: false') > newer.yaml
  $ job create -f newer.yaml
  error: newer.yaml:15:9: spec.workers.template.spec.hostUsers: unknown field
  [1]
  $ job create --validate=strict -f newer.yaml 2> /dev/null
  [1]
  $ job create --validate=warn --dry-run=client -f newer.yaml
  Warning: newer.yaml:15:9: spec.workers.template.spec.hostUsers: unknown field, ignored
  ipujob.graphcore.ai/some created (dry run)
  $ job apply --validate=false -f newer.yaml && job get ipujob some -o json | grep hostUsers; job delete ipujob some
  ipujob.graphcore.ai/some created
  ipujob.graphcore.ai "some" deleted
  $ job create --validate=perhaps -f newer.yaml 2>&1 | head -n 1
  error: --validate 'perhaps': must be strict, warn, ignore, true or false
  $ job create --validate=perhaps -f newer.yaml 2> /dev/null
  [2]

What cannot be read has its place as all else, and the other files are read.

  $ printf 'kind: IPUJob\n\tname: x\n' > tab.yaml
  $ job lint tab.yaml nowhere.yaml no-command.yaml
  tab.yaml:2:1: error: a tab does not indent; use spaces
  error: cannot open nowhere.yaml: No such file or directory
  no-command.yaml:12:11: warning: spec.workers.template.spec.containers[0].command: missing; the command of the image is not known here; create refuses it
  1 object: 2 errors, 1 warning, 0 notes
  [1]
  $ job lint -o json tab.yaml | grep -E '"(file|line|column|text)"'
        "file": "tab.yaml",
        "line": 2,
        "column": 1,
        "text": "a tab does not indent; use spaces"

What no job needs here is named once.

  $ (manifest; echo '          command: ["true"]'; printf -- '---\nkind: ServiceAccount\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: b}\n') > beside.yaml
  $ job create -f beside.yaml 2> said && job delete ipujob some
  ipujob.graphcore.ai/some created
  serviceaccount/a created
  service/b created
  ipujob.graphcore.ai "some" deleted
  $ cat said
  Warning: beside.yaml:16:7: kind: ServiceAccount is skipped: nothing on this host needs it
  Warning: Service b has no effect here: pods share the network and the files of this host

What runs elsewhere is no IPUJob, and does not keep one from running.

  $ (printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n---\n'; manifest; echo '          command: ["true"]') > beside.yaml
  $ job create -f beside.yaml && job delete ipujob some
  Warning: beside.yaml:2:7: kind: Deployment is skipped: only IPUJobs run here
  ipujob.graphcore.ai/some created
  ipujob.graphcore.ai "some" deleted

A key that stands twice is as kubectl has it: the later one.

  $ (manifest; echo '          command: ["false"]'; echo '          command: ["true"]') > twice.yaml
  $ job create -f twice.yaml && job wait --for=condition=Succeeded ipujob/some && job delete ipujob some
  Warning: twice.yaml:15:11: spec.workers.template.spec.containers[0].command: is a duplicate of line 14; this one counts
  ipujob.graphcore.ai/some created
  ipujob.graphcore.ai/some condition met
  ipujob.graphcore.ai "some" deleted

Directories, and with -R those below them.

  $ mkdir -p many/below && mv beside.yaml many/a.yaml && sed 's/name: some/name: other/' twice.yaml > many/below/b.yml
  $ job lint many | tail -n 1
  2 objects: 0 errors, 1 warning, 0 notes
  $ job create -R -f many 2> /dev/null; job get -R -f many -o name; job delete -R -f many
  ipujob.graphcore.ai/some created
  ipujob.graphcore.ai/other created
  ipujob.graphcore.ai/some
  ipujob.graphcore.ai/other
  ipujob.graphcore.ai "some" deleted
  ipujob.graphcore.ai "other" deleted
