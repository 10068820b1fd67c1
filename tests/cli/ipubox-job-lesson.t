#skip-unless command -v bash # in whose words the jobs of the lesson are
The lesson "Distributed training on multiple IPUs" of EIDF, as it is typed, with
its two manifests as they stand there (tests/golden/ipujob).  What needs a
network is played by programs of the same names.

  $ . "$TESTDIR/cli/ipubox-job-lesson.sh"
  $ lesson=$TESTDIR/golden/ipujob

The first example: four IPUs, and Python in the pod itself.

  $ kubectl create -f $lesson/lesson-bert.yaml > created
  Note: fields without effect here: spec.workers.template.spec.containers[0].resources, spec.workers.template.spec.containers[0].securityContext, spec.workers.template.spec.hostIPC (ipubox job lint says why)
  $ cat created
  ipujob\.graphcore\.ai/bert-training-multi-ipu-[a-z0-9]{5} created (re)
  $ job=$(sed 's/.*\/\(.*\) .*/\1/' created)
  $ kubectl wait --for=condition=Succeeded ipujob/$job
  ipujob.graphcore.ai/bert-training-multi-ipu-????? condition met (glob)
  $ kubectl get ipujobs
  NAME                            STATUS      CURRENT   DESIRED   LASTMESSAGE          AGE
  bert-training-multi-ipu-?????   Completed   0         1         All instances done   *s (glob)
  $ kubectl get pods
  NAME                                     READY   STATUS      RESTARTS   AGE
  bert-training-multi-ipu-?????-worker-0   0/1     Completed   0          *s (glob)
  $ kubectl logs pod/$job-worker-0 > log; grep -v '^Using' log; grep '^Using' log
  git clone https://github.com/graphcore/examples.git
  apt update
  apt upgrade -y
  apt install numactl libnuma-dev -y, noninteractive, Europe/London
  pip3 install -r requirements.txt
  -------------------- Device Allocation --------------------
  IPU 0
  IPU 1
  IPU 2
  IPU 3
  Using config: pretrain_base_128_pod4, 1 step
  $ kubectl describe ipujob $job | sed -n '/^  Clean/,/^  Workers/p'
    Clean Pod Policy:       None
    Ipus Per Job Instance:  4
    Job Instances:          1
    Restart Policy:
      Back Off Limit:  3
      Type:            Never
    Workers:
  $ kubectl get ipujobs $job -o jsonpath='{.spec.workers.template.spec.volumes[0].emptyDir}{"\n"}'
  {"medium":"Memory","sizeLimit":"10Gi"}
  $ kubectl delete ipujob $job
  ipujob.graphcore.ai "bert-training-multi-ipu-?????" deleted (glob)
  $ kubectl get pods
  No resources found in default namespace.

"The number of IPUs requested must be in powers of two", up to 64.

  $ for ipus in 3 128; do
  >   sed "s/Instance: \"4\"/Instance: \"$ipus\"/" $lesson/lesson-bert.yaml | kubectl create -f -
  > done
  error: stdin:7:23: spec.ipusPerJobInstance: must be a power of two from 1 to 64, not '3' (2 and 4 are the nearest)
  error: stdin:7:23: spec.ipusPerJobInstance: must be a power of two from 1 to 64, not '128'
  [1]

The second: poprun with 16 replicas on 64 IPUs, in one instance.

  $ job=$(kubectl create -f $lesson/lesson-poprun.yaml -o name 2> /dev/null)
  $ job=${job#*/}; echo "$job"
  bert-poprun-64ipus-????? (glob)
  $ kubectl wait --for=condition=Succeeded ipujob $job > /dev/null
  $ kubectl get pods --no-headers
  bert-poprun-64ipus-*-worker-0   0/1   Completed   0     *s (glob)
  $ kubectl logs $job-worker-0 > log
  $ grep '^[ |]' log
   ===========================================================================================
  |                                      poprun topology                                      |
  |===========================================================================================|
  | hosts     |                                   localhost                                   |
  |-----------|-------------------------------------------------------------------------------|
  | ILDs      |                                       0                                       |
  |-----------|-------------------------------------------------------------------------------|
  | instances |                                       0                                       |
  |-----------|-------------------------------------------------------------------------------|
  | replicas  | 0  | 1  | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10 | 11 | 12 | 13 | 14 | 15 |
   -------------------------------------------------------------------------------------------
  $ sed -n "s/^[0-9:.]* [0-9]* \(POPRUN .*\)/\1/; s/$job/JOB/; s/PID [0-9]*/PID N/; /^POPRUN/p" log
  POPRUN [I] V-IPU server address picked up from 'vipu': local:8090
  POPRUN [D] Connecting to local:8090
  POPRUN [D] Status for partition p-JOB-default-0: OK (error 0)
  POPRUN [I] Partition p-JOB-default-0 already exists and is in state: PS_ACTIVE
  POPRUN [D] Done polling, final state of p-JOB-default-0: PS_ACTIVE
  POPRUN [D] Target options from environment: {}
  POPRUN [D] Target options from V-IPU partition: {"ipuLinkDomainSize":"64","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"torus","gatewayMode":"true","instanceSize":"64"}
  POPRUN [D] Using target options: {"ipuLinkDomainSize":"64","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"torus","gatewayMode":"true","instanceSize":"64"}
  POPRUN [D] No hosts specified; ignoring host-subnet setting
  POPRUN [D] Default network/RNIC for host communication: None
  POPRUN [I] Running command: python3 'run_pretraining.py' '--config' 'pretrain_large_128_POD64' '--dataset' 'generated' '--training-steps' '1'
  POPRUN [D] Started instance 0 (PID N)
  POPRUN [I] Waiting for instance 0 (PID N)
  POPRUN [I] instance 0 (PID N) terminated with exit code 0
  $ grep '^\[' log | sort
  [1,0]<stderr>:Using config: pretrain_large_128_POD64, 1 step
  [1,0]<stdout>:16
  [1,0]<stdout>:4
  $ kubectl delete ipujobs --all
  ipujob.graphcore.ai "bert-poprun-64ipus-?????" deleted (glob)
  $ vipu list partitions -q
