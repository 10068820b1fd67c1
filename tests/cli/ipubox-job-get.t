What get, describe and wait show of jobs, in kubectl's forms.  The jobs are
made by hand here: all of them are over, so that nobody runs them.

  $ job() { ipubox-job "$@"; }
  $ umask 077
  $ jobs=$IPUBOX_STATE_DIR/jobs/default
  $ now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
  $ entry() {
  >     mkdir -p "$jobs/ipujobs/$1/pods"
  >     cat > "$jobs/ipujobs/$1/object.json" <<END
  > {"apiVersion": "graphcore.ai/v1alpha1", "kind": "IPUJob", "metadata":
  > {"name": "$1", "namespace": "default", "uid": "u-$1", "labels":
  > {"app": "$1"}, "creationTimestamp": "2001-01-01T00:00:00Z"}, "spec":
  > {"ipusPerJobInstance": "1", "jobInstances": $2}}
  > END
  >     cat > "$jobs/ipujobs/$1/status.json" <<END
  > {"conditions": [{"type": "$5", "status": "True"}], "currentReplicas": 0,
  > "desiredReplicas": $2, "iPUPartitionCreated": true, "lastMessage": "$4",
  > "launcherStatus": "$3"}
  > END
  >     echo '{"order": 1}' > "$jobs/ipujobs/$1/record.json"
  > }
  $ pod() {
  >     mkdir -p "$jobs/ipujobs/$1/pods/$2"
  >     cat > "$jobs/ipujobs/$1/pods/$2/.pod" <<END
  > {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "$2",
  > "namespace": "default", "uid": "u-$2", "labels": {"app": "$1", "role":
  > "worker"}, "creationTimestamp": "2001-01-01T00:00:00Z",
  > "ownerReferences": [{"kind": "IPUJob", "name": "$1", "controller":
  > true}]}, "spec": {"nodeName": "here", "hostIPC": true, "containers": [{"name": "train",
  > "image": "graphcore/pytorch:3.3.0", "command": ["sh", "-c"], "args":
  > ["cd;\npython train.py\n"], "env": [{"name": "KEY", "valueFrom":
  > {"secretKeyRef": {"name": "wandb", "key": "api-key"}}}, {"name": "N",
  > "value": "2"}]}]}, "status": {"phase": "$3", "startTime":
  > "2001-01-01T00:00:00Z", "containerStatuses": [{"name": "train",
  > "restartCount": $5, "ready": $6, "state": $4}], "conditions":
  > [{"type": "Ready", "status": "$7"}]}}
  > END
  >     mv "$jobs/ipujobs/$1/pods/$2/.pod" "$jobs/ipujobs/$1/pods/$2/pod.json"
  > }
  $ entry bert 1 Completed 'All instances done' Succeeded
  $ entry a-long-name 2 Failed 'pod a-long-name-worker-0: Error' Failed
  $ ended() { echo "{\"terminated\": {\"exitCode\": $1, \"reason\": \"$2\", \"startedAt\": \"2001-01-01T00:00:01Z\", \"finishedAt\": \"2001-01-01T00:00:02Z\"}}"; }
  $ pod bert bert-worker-0 Succeeded "$(ended 0 Completed)" 0 false False
  $ pod bert bert-worker-1 Running '{"running": {}}' 0 true True
  $ pod a-long-name a-long-name-worker-0 Failed "$(ended 3 Error)" 4 false False
  $ mkdir -p "$jobs/secrets" "$jobs/configmaps"
  $ echo '{"kind": "Secret", "apiVersion": "v1", "metadata": {}, "type": "Opaque", "data": {"api-key": "dG9wc2VjcmV0"}}' > "$jobs/secrets/wandb.json"
  $ printf '%s\n' '{"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}", "note": "one\ntwo"}}, "data": {"a": "b", "run.sh": "one\n  two\n"}, "binaryData": {"bytes": "AAECAwQ="}}' > "$jobs/configmaps/settings.json"
  $ event() { echo "{\"time\": \"$(now)\", \"type\": \"$1\", \"reason\": \"$2\", \"object\": \"$3\", \"message\": \"$4\"}" >> "$jobs/ipujobs/bert/events"; }
  $ event Normal PartitionCreated bert 'partition p-bert-default-0 of 1 IPU is ready'
  $ event Warning BackOff bert-worker-0 'ended with 1'
  $ event Warning BackOff bert-worker-0 'ended with 1'

Tables have the columns, the widths and the order of kubectl's.  How old
something is depends on the day.

  $ aged() { sed 's/  [0-9][0-9dhmsy]*$/  AGO/; s/^[0-9][0-9]*s\( .x[0-9]* over [0-9]*s.\)* */NOW  /'; }
  $ job get ipujobs | aged
  NAME          STATUS      CURRENT   DESIRED   LASTMESSAGE                       AGE
  a-long-name   Failed      0         2         pod a-long-name-worker-0: Error   AGO
  bert          Completed   0         1         All instances done                AGO
  $ job get po | aged
  NAME                   READY   STATUS      RESTARTS   AGE
  a-long-name-worker-0   0/1     Error       4          AGO
  bert-worker-0          0/1     Completed   0          AGO
  bert-worker-1          1/1     Running     0          AGO
  $ job get pods bert-worker-0 -o wide --no-headers | sed 's/[0-9][0-9]*y/AGO/'
  bert-worker-0   0/1   Completed   0     AGO   <none>   here   <none>   <none>
  $ job get pods,ipujob -l app=bert -A --show-labels | sed 's/[0-9][0-9]*y/AGO/'
  NAMESPACE   NAME                READY   STATUS      RESTARTS   AGE   LABELS
  default     pod/bert-worker-0   0/1     Completed   0          AGO   app=bert,role=worker
  default     pod/bert-worker-1   1/1     Running     0          AGO   app=bert,role=worker
  
  NAMESPACE   NAME                       STATUS      CURRENT   DESIRED   LASTMESSAGE          AGE   LABELS
  default     ipujob.graphcore.ai/bert   Completed   0         1         All instances done   AGO   app=bert
  $ job get cm,secrets | sed 's/<unknown>/AGO/'
  NAME                 DATA   AGE
  configmap/settings   3      AGO
  
  NAME           TYPE     DATA   AGE
  secret/wandb   Opaque   1      AGO
  $ job get events | aged
  LAST SEEN   TYPE      REASON             OBJECT              MESSAGE
  NOW  Normal    PartitionCreated   ipujob/bert         partition p-bert-default-0 of 1 IPU is ready
  NOW  Warning   BackOff            pod/bert-worker-0   ended with 1
  $ job get ev --field-selector involvedObject.kind=Pod -o jsonpath='{.items[*].count}'
  2 (no-eol)

Other forms are for scripts.

  $ job get ipujob/bert pod/bert-worker-0 -o name
  ipujob.graphcore.ai/bert
  pod/bert-worker-0
  $ job get ipujob bert -o yaml
  apiVersion: graphcore.ai/v1alpha1
  kind: IPUJob
  metadata:
    creationTimestamp: "2001-01-01T00:00:00Z"
    labels:
      app: bert
    name: bert
    namespace: default
    uid: u-bert
  spec:
    ipusPerJobInstance: "1"
    jobInstances: 1
  status:
    conditions:
    - status: "True"
      type: Succeeded
    currentReplicas: 0
    desiredReplicas: 1
    iPUPartitionCreated: true
    lastMessage: All instances done
    launcherStatus: Completed
  $ job get ipujob bert -o json | head -4
  {
      "apiVersion": "graphcore.ai/v1alpha1",
      "kind": "IPUJob",
      "metadata": {
  $ job get pods -o jsonpath='{range .items[*]}{.metadata.name}={.status.phase}{"\n"}{end}'
  a-long-name-worker-0=Failed
  bert-worker-0=Succeeded
  bert-worker-1=Running
  $ job get ipujob bert -o jsonpath='{.status.conditions[?(@.type=="Succeeded")].status}'
  True (no-eol)
  $ job get pods -o name --field-selector status.phase!=Running
  pod/a-long-name-worker-0
  pod/bert-worker-0
  $ job get all -l role=worker,'app in (bert,x)' -o name
  pod/bert-worker-0
  pod/bert-worker-1

What a Secret holds is not printed in any form.

  $ job get secret wandb -o yaml
  apiVersion: v1
  data:
    api-key: (9 bytes)
  kind: Secret
  metadata:
    name: wandb
    namespace: default
  type: Opaque
  $ { job get secrets -o json; job describe secrets; job get secret wandb -o jsonpath='{.data.api-key}'; } | grep -c 'dG9wc2VjcmV0\|topsecret'
  0
  [1]

What is not there is told, and what is there is printed.

  $ job get ipujobs -n nowhere
  No resources found in nowhere namespace.
  $ job get ipujobs -l app=x -A
  No resources found
  $ job get ipujobs -l app=x -o yaml
  apiVersion: v1
  items: []
  kind: List
  metadata:
    resourceVersion: ""
  $ job get ipujob nobody bert -o name
  Error from server (NotFound): ipujobs.graphcore.ai "nobody" not found
  ipujob.graphcore.ai/bert
  [1]
  $ job get pod nobody --ignore-not-found

Options may stand before the verb, those that need a cluster too, and behind
their letters with a sign.

  $ job --context x -s https://there:6443 -n nowhere --v=6 get pods --request-timeout=1s
  No resources found in nowhere namespace.
  $ job -n=nowhere get ipujobs -o=wide
  No resources found in nowhere namespace.
  $ job get -n default ipujob bert -o=name
  ipujob.graphcore.ai/bert
  $ job -n
  ipubox-job: -n needs a value: -n NAME
  usage: ipubox-job * (glob)
  [2]

  $ job get teapots
  error: the server doesn't have a resource type "teapots" (use ipujobs, pods, configmaps, secrets, persistentvolumeclaims or events)
  [1]
  $ job get
  error: Required resource not specified: ipujobs, pods, configmaps, secrets, persistentvolumeclaims or events
  usage: ipubox-job get TYPE [NAME ...]
  [2]
  $ job get pods -o jsn
  error: unable to match a printer suitable for the output format "jsn", allowed formats are: json,jsonpath,name,wide,yaml
  [1]
  $ for form in custom-columns=N:.metadata.name custom-columns-file=x go-template='{{.x}}' jsonpath-as-json='{.x}'; do job get pods -o "$form"; done
  error: output format 'custom-columns' is not supported; use -o jsonpath='{range .items[*]}{.metadata.name}{"\n"}{end}', or -o json
  error: output format 'custom-columns' is not supported; use -o jsonpath='{range .items[*]}{.metadata.name}{"\n"}{end}', or -o json
  error: output format 'go-template' is not supported; use -o jsonpath='{range .items[*]}{.metadata.name}{"\n"}{end}', or -o json
  error: output format 'jsonpath-as-json' is not supported; use -o jsonpath='{range .items[*]}{.metadata.name}{"\n"}{end}', or -o json
  [1]
  $ job get pods -o jsonpath='{.items[0'
  error: error parsing jsonpath {.items[0, unterminated array
  [1]
  $ job get pods -l app=x -o jsonpath='{.items[0].x}'
  error: error executing jsonpath "{.items[0].x}": Error executing template: array index out of bounds: index 0, length 0
  [1]
  $ job get pods bert-worker-0 -l app=bert
  error: name cannot be provided when a selector is specified
  [1]
  $ job get pods -l 'app in'
  error: unable to parse requirement: found '', expected: '('
  usage: ipubox-job get TYPE [NAME ...]
  [2]
  $ job get ipujobs --field-selector status.phase=Running
  Error from server (BadRequest): Unable to find "graphcore.ai/v1alpha1, Resource=ipujobs" that match label selector "", field selector "status.phase=Running": field label not supported: status.phase
  [1]
  $ job get pods --sort-by=.status.phase
  error: option '--sort-by' is not supported; print the field with -o jsonpath and pipe it to sort(1), or sort the output of -o json
  usage: ipubox-job get TYPE [NAME ...]
  [2]
  $ job get pods,ipujobs -w
  error: you may only specify a single resource type
  [1]

A description has all of an object, and what happened to it.

  $ job describe pod bert-worker-0 | sed '/^Events:/,$d'
  Name:         bert-worker-0
  Namespace:    default
  Node:         here
  Status:       Succeeded
  Labels:       app=bert
                role=worker
  Annotations:  <none>
  Metadata:
    Creation Timestamp:  2001-01-01T00:00:00Z
    Owner References:
      bert:
        Controller:  true
        Kind:        IPUJob
    UID:             u-bert-worker-0
  Conditions:
    Ready:     False
  Start Time:  2001-01-01T00:00:00Z
  Containers:
    train:
      Args:
        cd;
        python train.py
      Command:
        sh
        -c
      Env:
        KEY:
          Value From:
            Secret Key Ref:
              Key:    api-key
              Name:   wandb
        N:            2
      Image:          graphcore/pytorch:3.3.0
      Ready:          false
      Restart Count:  0
      State:
        Terminated:
          Exit Code:    0
          Finished At:  2001-01-01T00:00:02Z
          Reason:       Completed
          Started At:   2001-01-01T00:00:01Z
  Host IPC:             true
  $ job describe pod bert-worker-0 | sed -n '/^Events:/,$ { s/[0-9]*s (x2 over [0-9]*s)/NOW/; s/   */  /g; p; }'
  Events:
    Type  Reason  Age  From  Message
    ----  ------  ----  ----  -------
    Warning  BackOff  NOW  ipubox-runner  ended with 1
  $ job describe ipujob a-long-name
  Name:         a-long-name
  Namespace:    default
  Labels:       app=a-long-name
  Annotations:  <none>
  API Version:  graphcore.ai/v1alpha1
  Kind:         IPUJob
  Metadata:
    Creation Timestamp:  2001-01-01T00:00:00Z
    UID:                 u-a-long-name
  Spec:
    Ipus Per Job Instance:  1
    Job Instances:          2
  Status:
    Conditions:
      Failed:                True
    Current Replicas:        0
    Desired Replicas:        2
    I PU Partition Created:  true
    Last Message:            pod a-long-name-worker-0: Error
    Launcher Status:         Failed
  Events:                    <none>
  $ job describe secret wandb
  Name:         wandb
  Namespace:    default
  Labels:       <none>
  Annotations:  <none>
  Data:
    api-key:  (9 bytes)
  Type:       Opaque
  Events:     <none>
  $ job describe configmap settings
  Name:         settings
  Namespace:    default
  Labels:       <none>
  Annotations:  note: one...
  Binary Data:
    bytes:  (5 bytes)
  Data:
    a:  b
    run.sh:
      one
        two
  Events:  <none>
  $ job describe pods bert | grep '^Name:'
  Name:         bert-worker-0
  Name:         bert-worker-1
  $ job describe pod nobody
  Error from server (NotFound): pods "nobody" not found
  [1]
  $ job describe ipujobs -n nowhere
  No resources found in nowhere namespace.
  $ job describe
  error: You must specify the type of resource to describe: ipujobs, pods, configmaps, secrets, persistentvolumeclaims or events
  usage: ipubox-job describe TYPE [NAME ...]
  [2]

To wait is to come back when it is true, or when the time is over.

  $ job wait --for=condition=Succeeded ipujob/bert
  ipujob.graphcore.ai/bert condition met
  $ job wait --for=condition=complete ipujob/bert pod/nobody --timeout=0
  Error from server (NotFound): pods "nobody" not found
  ipujob.graphcore.ai/bert condition met
  [1]
  $ job wait --for=condition=Ready pods --all --timeout=0
  pod/bert-worker-1 condition met
  condition not met for pods/a-long-name-worker-0
  condition not met for pods/bert-worker-0
  [1]
  $ job wait --for=condition=Running ipujob/bert --timeout=1ms
  error: timed out waiting for the condition on ipujobs/bert
  [1]
  $ job wait --for=jsonpath='{.status.launcherStatus}'=Completed ipujob/bert
  ipujob.graphcore.ai/bert condition met
  $ job wait --for=delete pod/nobody
  $ job wait --for=condition=Ready pods -l app=x
  error: no matching resources found
  [1]
  $ job wait --for=condition=Ready pods
  error: resource(s) were provided, but no name was specified
  [1]
  $ job wait pod/bert-worker-0
  error: unrecognized condition: "" (use condition=TYPE, jsonpath='{PATH}'=VALUE or delete)
  [1]
  $ job wait --for=create pod/bert-worker-2
  error: --for=create is not supported; create returns when the object exists, and get -w prints new objects
  [1]
  $ job wait --for=jsonpath=.status.phase=Running pod/bert-worker-1
  error: jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3
  [1]

It is told of a change, also of one that goes.

  $ ipubox-job wait --for=condition=Ready=False pod/bert-worker-1 > ended & ended=$!
  $ pod bert bert-worker-1 Succeeded "$(ended 0 Completed)" 0 false False
  $ wait $ended; cat ended
  pod/bert-worker-1 condition met
  $ pod bert bert-worker-2 Succeeded "$(ended 0 Completed)" 0 false False

(One that waits sleeps, and has an inotify(7) of its own.)

  $ sleeps() { grep -qs inotify /proc/$1/fdinfo/* && grep -q '^State:	S' /proc/$1/status; }
  $ ipubox-job wait --for=delete pod/bert-worker-2 > deleted & deleted=$!
  $ until sleeps $deleted; do :; done
  $ rm -r "$jobs/ipujobs/bert/pods/bert-worker-2"
  $ wait $deleted; cat deleted
  pod/bert-worker-2 condition met

So is get -w: a row for each that comes, changes or goes, in columns that only
become wider, until a signal ends it.

  $ mkfifo rows
  $ ipubox-job get pods -l app=bert -w > rows & watching=$!
  $ exec 9< rows
  $ next() { read -r line <&9; echo "$line" | sed 's/[0-9][0-9]*y$/AGO/'; }
  $ next; next; next
  NAME            READY   STATUS      RESTARTS   AGE
  bert-worker-0   0/1     Completed   0          AGO
  bert-worker-1   0/1     Completed   0          AGO
  $ pod bert bert-worker-1 Failed "$(ended 137 CreateContainerError)" 0 false False; next
  bert-worker-1   0/1     CreateContainerError   0          AGO
  $ pod bert bert-worker-1 Failed "$(ended 137 Error)" 0 false False; next
  bert-worker-1   0/1     Error                  0          AGO
  $ rm -r "$jobs/ipujobs/bert/pods/bert-worker-0"; next
  bert-worker-0   0/1     Completed              0          AGO
  $ { kill -TERM $watching; wait $watching; } 2> gone
  [143]
  $ exec 9<&-
