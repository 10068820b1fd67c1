The partition of a job has a GCD for each instance of poprun in its command.

  $ job() { ipubox-job "$@"; }
  $ manifest() { cat <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: $1}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "$2"
  >   workers:
  >     template:
  >       spec:
  >         containers:
  >         - {name: main, image: x, command: [sh, -c], args: ['$3']}
  >         restartPolicy: Never
  > END
  > }
  $ run() {
  >   manifest "$@" | job create -f - > /dev/null &&
  >   job wait --for=condition=Succeeded "ipujob/$1" > /dev/null
  >   job logs "$1-worker-0" | grep GCD | sort
  >   job delete ipujob "$1" > /dev/null
  > }
  $ say='sh -c "echo offset \$POPDIST_REPLICA_INDEX_OFFSET of \$POPDIST_NUM_TOTAL_REPLICAS, GCD \$IPUOF_VIPU_API_GCD_ID"'

  $ run two 8 "poprun --num-instances 2 --num-replicas 4 --ipus-per-replica 2 $say; vipu get partition p-two-default-0 | grep GCDs"
  Number of GCDs       | 2
  [1,0]<stdout>:offset 0 of 4, GCD 0
  [1,1]<stdout>:offset 2 of 4, GCD 1
  $ run one 8 "poprun --num-replicas 8 $say; vipu get partition p-one-default-0 | grep GCDs"
  Number of GCDs       | 1
  [1,0]<stdout>:offset 0 of 8, GCD 0

Where a variable says how many, or each call another number, the partition is
reconfigurable.

  $ run any 4 "N=4; poprun --num-instances \$N --num-replicas 4 $say; poprun --num-replicas 4 $say"
  [1,0]<stdout>:offset 0 of 4, GCD 0
  [1,0]<stdout>:offset 0 of 4, GCD 0
  [1,1]<stdout>:offset 1 of 4, GCD 0
  [1,2]<stdout>:offset 2 of 4, GCD 0
  [1,3]<stdout>:offset 3 of 4, GCD 0
  $ run large 64 "N=16; poprun --num-instances \$N --num-replicas 64 $say" | wc -l
  16

Workers that cannot share the IPUs evenly share all of them.

  $ manifest share 2 'gc-info --ipu-count' | sed 's/^  workers:/  workersPerJobInstance: "3"\n&/' > share.yaml
  $ job create -f share.yaml 2> /dev/null && job wait --for=condition=Succeeded ipujob/share
  ipujob.graphcore.ai/share created
  ipujob.graphcore.ai/share condition met
  $ for i in 0 1 2; do job logs "share-worker-$i"; done
  2
  2
  2
