IPUJobs on this host, by kubectl's verbs and words.

  $ job() { ipubox-job "$@"; }
  $ manifest() { cat <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: $1}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "$2"
  > ${4:-}
  >   workers:
  >     template:
  >       spec:
  >         containers:
  >         - {name: main, image: x, command: [sh, -c], args: ["$3"]}
  >         restartPolicy: Never
  > END
  > }

Without a word it prints its help on stderr, and a word it does not know it refuses.

  $ job 2>&1 > /dev/null | grep '^[uVE]'
  usage: ipubox-job create | apply [-R] [--dry-run[=MODE]] -f FILE ...
  Verbs (ipubox-job VERB --help lists their options):
  Examples:
  $ job > out 2>&1
  [2]
  $ job gett
  ipubox-job: unknown command "gett" (did you mean get?)
  usage: ipubox-job * (glob)
  [2]

What kubectl has and this has not is said with what takes its place.

  $ job edit ipujob first 2>&1 | head -n 1
  ipubox-job: "edit" is not supported; change the manifest, then use apply -f FILE
  $ job -n ml config current-context 2>&1 | head -n 1
  ipubox-job: "config" is not supported; ipubox-job needs no cluster and no context, and -n NAME chooses the namespace
  $ job ' edit label ' 2>&1 | head -n 1
  ipubox-job: unknown command " edit label "
  $ job create secret generic s --from-literal=a=b
  error: create secret: not supported; write the object into a file, then use create -f FILE
  usage: ipubox-job create -f FILE ...
  [2]
  $ job create ns ml 2>&1 | head -n 1
  error: create ns: not needed; a namespace exists once it has an object

  $ job --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | paste -sd' '
  create apply get describe logs exec cp delete wait scale lint render explain
  $ job get ipujobs
  No resources found in default namespace.
  $ job logs nothing
  Error from server (NotFound): pods "nothing" not found
  [1]
  $ job create
  error: must specify one of -f and -k
  usage: ipubox-job create -f FILE ...
  [2]
  $ job create -f nowhere.yaml
  error: * (glob)
  [1]
  $ job delete ipujob nothing
  Error from server (NotFound): ipujobs.graphcore.ai "nothing" not found
  [1]
  $ job delete ipujob nothing --ignore-not-found
  No resources found
  $ job get teapots
  error: the server doesn't have a resource type "teapots" (use ipujobs, pods, configmaps, secrets, persistentvolumeclaims or events)
  [1]

A job that is created runs by itself, in a partition of its own.

  $ manifest first 4 'echo to stdout; echo to stderr >&2; gc-info --ipu-count; hostname; pwd' > first.yaml
  $ job create -f first.yaml
  ipujob.graphcore.ai/first created
  $ job wait --for=condition=Succeeded ipujob/first
  ipujob.graphcore.ai/first condition met
  $ job logs first-worker-0 | sort
  /root
  4
  first-worker-0
  to stderr
  to stdout
  $ job get ipujobs
  NAME    STATUS      CURRENT   DESIRED   LASTMESSAGE          AGE
  first   Completed   0         1         All instances done   [0-9]+s (re)
  $ job get pods
  NAME             READY   STATUS      RESTARTS   AGE
  first-worker-0   0/1     Completed   0          [0-9]+s (re)
  $ vipu list partitions -q
  $ job create -f first.yaml
  Error from server (AlreadyExists): error when creating "first.yaml": ipujobs.graphcore.ai "first" already exists
  [1]
  $ job apply -f first.yaml
  ipujob.graphcore.ai/first unchanged
  $ sed 's/Instance: "4"/Instance: "8"/' first.yaml | job apply -f -
  The IPUJob "first" is invalid: spec: only jobInstances can change while the job exists; delete the job first
  [1]
  $ job logs --since 3000000h first-worker-0 > /dev/null
  error: --since '3000000h': must be a duration, such as 30s, 10m or 1h30m
  usage: ipubox-job logs POD
  [2]
  $ job logs --since 1h first-worker-0 | wc -l; job logs --since-time 2999-01-01T00:00:00Z first-worker-0
  5

One that fails says why.

  $ manifest second 1 'echo before; exit 3' | job create -f -
  ipujob.graphcore.ai/second created
  $ job wait --for=condition=Failed ipujob second
  ipujob.graphcore.ai/second condition met
  $ job get ipujob second -o jsonpath='{.status.lastMessage}{"\n"}'
  pod second-worker-0: Error (exit status 3)
  $ job get pod/second-worker-0 --no-headers | awk '{ print $2, $3, $4 }'
  0/1 Error 0
  $ job logs ipujob/second
  before

An option that takes one of several words refuses others as kubectl does, before
anything is done; --dry-run=none does all of it.

  $ manifest third 2 'echo there > file; exec sleep 1000' > third.yaml
  $ for option in -o=bogus -o=wide -o=go-template=x -o=jsonpath '-o=jsonpath={.x' --dry-run=bogus --dry-run=false; do job create -f third.yaml $option; echo $?; done
  error: unable to match a printer suitable for the output format "bogus", allowed formats are: json,jsonpath,name,yaml
  1
  error: unable to match a printer suitable for the output format "wide", allowed formats are: json,jsonpath,name,yaml
  1
  error: output format 'go-template' is not supported; use -o jsonpath='{.metadata.name}{"\n"}', or -o json
  1
  error: template format specified but no template given
  1
  error: error parsing jsonpath {.x, unclosed action
  1
  error: Invalid dry-run value (bogus). Must be "none", "server", or "client".
  1
  error: Invalid dry-run value (false). Must be "none", "server", or "client".
  1
  $ job create -f third.yaml --dry-run=server; job apply -f third.yaml --dry-run -o jsonpath='{.metadata.name}{"\n"}'
  ipujob.graphcore.ai/third created (server dry run)
  third
  $ job delete ipujob third -o yaml
  error: unexpected -o output mode: yaml. We only support '-o name'
  [1]

In one that runs commands are executed, and files are copied.

  $ job create --dry-run=none -f third.yaml
  ipujob.graphcore.ai/third created
  $ job wait --for=condition=Running ipujob/third
  ipujob.graphcore.ai/third condition met
  $ vipu list partitions -q
  p-third-default-0
  $ vipu get partition p-third-default-0 --verbose | grep Owner
  Owner                | * (glob)
  Owner Kind           | ipujob
  Owner Record         | ipujob default/third
  $ until job exec third-worker-0 -- test -s file; do :; done
  $ job exec third-worker-0 -- sh -c 'hostname; cat file; exit 7'
  third-worker-0
  there
  [7]
  $ job exec -c main third-worker-0 -- cat file
  there
  $ job exec third-worker-0 -c nope -- cat file
  Error from server (BadRequest): container nope is not valid for pod third-worker-0
  [1]
  $ job cp -c nope third-worker-0:file here
  Error from server (BadRequest): container nope is not valid for pod third-worker-0
  [1]
  $ echo words | job exec -i third-worker-0 -- cat
  words
  $ echo words | job exec third-worker-0 -- cat
  $ job exec third-worker-0
  error: you must specify at least one command for the container
  usage: ipubox-job exec POD -- COMMAND [ARGUMENT ...]
  [2]
  $ job exec third-worker-0 -- no-such-program
  error: program 'no-such-program' not found in PATH
  [127]
  $ mkdir directory && echo one > directory/a && echo two > directory/b
  $ job cp directory third-worker-0:copy && job cp third-worker-0:copy/b b && cat b
  two
  $ for end in pod/third-worker-0 default/third-worker-0 ipujob/third; do job cp $end:copy/b again && cmp again b; done
  $ job cp third-worker-0:file . && cat file
  there

HOME is /root, as in the images.  The pod changes it, but not this host's.

  $ job exec third-worker-0 -- sh -c 'echo $HOME; echo kept > ~/kept; mkdir /root/results; cp kept /root/results'
  /root
  $ job cp third-worker-0:/root/results results && cat results/kept && job cp results/kept third-worker-0:/root/back && job exec third-worker-0 -- cat back
  kept
  kept
  $ ls /root/kept /root/results /root/back > out 2>&1; cat out | grep -vc 'No such file\|Permission denied'
  0
  [1]

A link of a pod is not copied, and one that is here is not written through.

  $ mkdir victim; job exec third-worker-0 -- sh -c "mkdir tree tree/in; ln -s $PWD/victim tree/in/ssh; ln -s tree top"
  $ job cp third-worker-0:tree mine && find mine
  warning: skipping symlink: "ssh" (consider using "ipubox-job exec third-worker-0 -- tar cf - tree | tar xf -")
  mine
  mine/in
  $ job cp third-worker-0:top .
  warning: skipping symlink: "top" (consider using "ipubox-job exec third-worker-0 -- tar cf - top | tar xf -")
  $ ln -s ../../victim mine/in/ssh
  $ job exec third-worker-0 -- sh -c 'rm tree/in/ssh; mkdir tree/in/ssh; echo evil > tree/in/ssh/authorized_keys'
  $ job cp third-worker-0:tree mine
  error: tree: in: ssh: cannot write ssh: it is a symbolic link; remove it, or copy to where it leads
  [1]
  $ ls victim
  $ ln -s victim own && job cp third-worker-0:tree/in/ssh own && ls victim
  authorized_keys
  $ job cp third-worker-0:missing here
  error: missing: No such file or directory
  [1]
  $ job cp b c
  error: one of src or dest must be a remote file specification
  [1]
  $ job delete ipujob third
  ipujob.graphcore.ai "third" deleted
  $ vipu list partitions -q
  $ job get pods -o name
  pod/first-worker-0
  pod/second-worker-0
  $ job exec first-worker-0 -- true
  error: cannot exec into a container in a completed pod; current phase is Succeeded
  [1]

Also from one that is over.

  $ job exec second-worker-0 true
  error: cannot exec into a container in a completed pod; current phase is Failed
  [1]
  $ job delete -f first.yaml; job delete ipujobs --all
  ipujob.graphcore.ai "first" deleted
  ipujob.graphcore.ai "second" deleted
  $ find "$IPUBOX_STATE_DIR/jobs" -name '*-worker-*'

A restart policy, its delay and its end: the partition stays the same.

  $ printf '[jobs]\nrestart-delay = 1\n' > conf; export IPUBOX_CONFIG=$PWD/conf
  $ manifest again 1 'echo try; test -e done && exit 0; touch done; exit 5' '  restartPolicy: {type: OnFailure, backOffLimit: 2}' | sed /Never/d | job create -f -
  ipujob.graphcore.ai/again created
  $ job wait --for=condition=Succeeded ipujob/again
  ipujob.graphcore.ai/again condition met
  $ job get ipujob/again -o jsonpath='{.status.restartCount}{"\n"}'
  1
  $ job logs again-worker-0; job logs --previous again-worker-0
  try
  try
  $ manifest never 1 'exit 5' '  restartPolicy: {type: ExitCode, exitCodes: 128-255, backOffLimit: 2}' | sed /Never/d | job create -f -
  ipujob.graphcore.ai/never created
  $ job wait --for=condition=Failed ipujob/never
  ipujob.graphcore.ai/never condition met
  $ job get ipujob/never -o jsonpath='{.status.restartCount}{"\n"}'
  0

What is left of a job by its policy.

  $ manifest clean 1 true '  cleanPodPolicy: All' | job create -f -
  ipujob.graphcore.ai/clean created
  $ job wait --for=condition=Succeeded ipujob/clean
  ipujob.graphcore.ai/clean condition met
  $ job get pods -o name | grep clean
  [1]

An interactive job has its time.

  $ manifest shell 1 'exit 1' '  interactive: {ttl: 2}' | job create -f -
  ipujob.graphcore.ai/shell created
  $ job wait --for=condition=Running ipujob/shell
  ipujob.graphcore.ai/shell condition met
  $ job exec shell-worker-0 -- gc-info --ipu-count
  1
  $ job wait --for=condition=Succeeded ipujob/shell
  ipujob.graphcore.ai/shell condition met

More instances, and fewer.

  $ manifest serve 1 'exec sleep 1000' | sed 's/jobInstances: 1/jobInstances: 2/' | job create -f -
  ipujob.graphcore.ai/serve created
  $ job wait --for=jsonpath='{.status.currentReplicas}'=2 ipujob/serve
  ipujob.graphcore.ai/serve condition met
  $ job scale ipujob/serve --replicas 3
  ipujob.graphcore.ai/serve scaled
  $ job wait --for=jsonpath='{.status.currentReplicas}'=3 ipujob/serve
  ipujob.graphcore.ai/serve condition met
  $ vipu list partitions -q | wc -l
  3
  $ job scale ipujob serve --replicas=1 --current-replicas=9
  error: Expected replicas to be 9, was 3
  [1]
  $ job scale ipujob serve --replicas=1
  ipujob.graphcore.ai/serve scaled
  $ job wait --for=jsonpath='{.status.currentReplicas}'=1 ipujob/serve
  ipujob.graphcore.ai/serve condition met
  $ until test "$(vipu list partitions -q | wc -l)" = 1; do :; done
  $ job delete ipujob/serve
  ipujob.graphcore.ai "serve" deleted

A file names what get, describe, wait and delete are about.  What somebody runs
in a container ends with it.

  $ mkfifo gate; manifest filed 4 "read -r line < $PWD/gate" > filed.yaml
  $ job create -f filed.yaml
  ipujob.graphcore.ai/filed created
  $ job wait -f filed.yaml --for=condition=Running
  ipujob.graphcore.ai/filed condition met
  $ (job exec filed-worker-0 -- sh -c 'trap "" TERM; echo $$ > "$1"; echo > "$2"; exec sleep 1000' x "$PWD/pid" "$PWD/gate"; echo $? > status) 2> killed &
  $ job wait -f filed.yaml --for=condition=Completed
  ipujob.graphcore.ai/filed condition met
  $ wait; cat status
  137
  $ ! kill -0 "$(cat pid)" 2>/dev/null
  $ job describe -f filed.yaml | head -n 1
  Name:         filed
  $ job delete -f filed.yaml
  ipujob.graphcore.ai "filed" deleted

A container begins as container runtimes begin one: its files are for all to
read, its host name is the one it was given, and of what its creator had open
nothing is left in it.

  $ manifest plain 4 'umask; echo $HOSTNAME; ls /proc/self/fd/8 2> /dev/null || echo closed' | sed 's/^      spec:/&\n        hostname: given/' > plain.yaml
  $ (umask 077; job create -f plain.yaml 8< plain.yaml)
  ipujob.graphcore.ai/plain created
  $ job wait --for=condition=Succeeded ipujob/plain
  ipujob.graphcore.ai/plain condition met
  $ job logs plain-worker-0
  0022
  given
  closed
  $ job delete ipujob/plain
  ipujob.graphcore.ai "plain" deleted

An interactive job needs no command.

  $ manifest bare 4 x '  interactive: {ttl: 1000}' | sed 's/, command:.*}/}/' > bare.yaml
  $ grep -c command bare.yaml
  0
  [1]
  $ job create -f bare.yaml && job wait --for=condition=Running ipujob/bare
  ipujob.graphcore.ai/bare created
  ipujob.graphcore.ai/bare condition met
  $ job exec bare-worker-0 -- echo here
  here
  $ job delete ipujob/bare
  ipujob.graphcore.ai "bare" deleted

One that may not be active for longer is ended.

  $ manifest brief 4 'sleep 1000' | sed 's/^      spec:/&\n        activeDeadlineSeconds: 1\n        terminationGracePeriodSeconds: 1/' | job create -f -
  ipujob.graphcore.ai/brief created
  $ job wait --for=condition=Failed ipujob/brief
  ipujob.graphcore.ai/brief condition met
  $ job get pods brief-worker-0 --no-headers | tr -s ' ' | cut -d' ' -f1-3
  brief-worker-0 0/1 DeadlineExceeded
  $ job delete ipujob/brief
  ipujob.graphcore.ai "brief" deleted

A job that can never run fails, and says what would.

  $ vipu-admin init --pod pod4 --force > /dev/null
  $ manifest large 16 true | job create -f -
  ipujob.graphcore.ai/large created
  $ job wait --for=condition=Failed ipujob/large
  ipujob.graphcore.ai/large condition met
  $ job get ipujob large -o jsonpath='{.status.lastMessage}{"\n"}'
  size 16: * (glob)

In a state that others may write no partition is made.

  $ mkdir open && chmod 777 open && manifest unsafe 1 true > unsafe.yaml
  $ (IPUBOX_STATE_DIR=$PWD/open; job create -f unsafe.yaml; job wait --for=condition=Failed ipujob/unsafe; job get ipujob unsafe -o jsonpath='{.status.lastMessage}{"\n"}')
  ipujob.graphcore.ai/unsafe created
  ipujob.graphcore.ai/unsafe condition met
  state directory */open: other users may write it; chmod 700 reserves it for its owner, chmod 2770 shares it with its group (glob)

Linked by hand it answers to kubectl's name.

  $ mkdir bin && ln -s "$IPUBOX" bin/kubectl && bin/kubectl get ipujobs -o name
  ipujob.graphcore.ai/again
  ipujob.graphcore.ai/clean
  ipujob.graphcore.ai/large
  ipujob.graphcore.ai/never
  ipujob.graphcore.ai/shell
  $ mkdir links && ipubox --install links && test ! -e links/kubectl

Where a text is none, lint says it like all else.

  $ printf 'kind: IPUJob\nspec:\n\tjobInstances: 1\n' > tab.yaml
  $ job lint tab.yaml
  tab.yaml:3:1: error: a tab does not indent; use spaces
  0 objects: 1 error, 0 warnings, 0 notes
  [1]
  $ job lint tab.yaml -o json | grep '"line"'
        "line": 3,
  $ job lint nowhere.yaml
  error: cannot open nowhere.yaml: No such file or directory
  0 objects: 1 error, 0 warnings, 0 notes
  [1]
