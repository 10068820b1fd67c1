#skip-unless command -v bash # in whose words the job of the lesson is
#skip-unless mpirun --allow-run-as-root --oversubscribe -n 2 true # it wants a network
The lesson's job with poprun (ipubox-job-lesson.t) under Open MPI's mpirun, for
which it has arguments: the lines of the lesson's log.

  $ . "$TESTDIR/cli/ipubox-job-lesson.sh"
  $ sed 's/--vv /&--launcher mpirun /' "$TESTDIR/golden/ipujob/lesson-poprun.yaml" > poprun.yaml
  $ job=$(kubectl create -f poprun.yaml -o name 2> /dev/null)
  $ kubectl wait --for=condition=Succeeded "$job" > /dev/null
  $ kubectl logs ipujob/${job#*/} > log
  $ sed -n "s/^[0-9:.]* [0-9]* POPRUN \(.*\)/\1/; s/${job#*/}/JOB/g; s/PID [0-9]*/PID N/; s|: /[^ ]*/mpirun|: mpirun|; /Default network/,\$ { /^\[[DI]\]/p; }" log
  [D] Default network/RNIC for host communication: None
  [I] Running command: mpirun '--tag-output' '--bind-to' 'none' '--tag-output' '--allow-run-as-root' '-np' '1' '-x' 'POPDIST_NUM_TOTAL_REPLICAS=16' '-x' 'POPDIST_NUM_IPUS_PER_REPLICA=4' '-x' 'POPDIST_NUM_LOCAL_REPLICAS=16' '-x' 'POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=1' '-x' 'POPDIST_REPLICA_INDEX_OFFSET=0' '-x' 'POPDIST_LOCAL_INSTANCE_INDEX=0' '-x' 'IPUOF_VIPU_API_HOST=local' '-x' 'IPUOF_VIPU_API_PORT=8090' '-x' 'IPUOF_VIPU_API_PARTITION_ID=p-JOB-default-0' '-x' 'IPUOF_VIPU_API_TIMEOUT=120' '-x' 'IPUOF_VIPU_API_GCD_ID=0' '-x' 'IPUOF_LOG_LEVEL=WARN' '-x' 'PATH' '-x' 'POPLAR_TARGET_OPTIONS={"ipuLinkDomainSize":"64","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"torus","gatewayMode":"true","instanceSize":"64"}' 'python3' 'run_pretraining.py' '--config' 'pretrain_large_128_POD64' '--dataset' 'generated' '--training-steps' '1'
  [I] Waiting for mpirun (PID N)
  [I] mpirun (PID N) terminated with exit code 0
  $ grep '^\[' log | sort
  [1,0]<stderr>:Using config: pretrain_large_128_POD64, 1 step
  [1,0]<stdout>:16
  [1,0]<stdout>:4
  $ kubectl delete -f poprun.yaml
  error: resource name may not be empty
  [1]
  $ kubectl delete "$job" | sed 's/64ipus-...../64ipus-N/'
  ipujob.graphcore.ai "bert-poprun-64ipus-N" deleted
