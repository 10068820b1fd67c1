popdist-env: what PopDist says outside poprun, under it, and of nonsense.

  $ popdist-env --help | head -1
  usage: popdist-env [--json] [get NAME [N] | shard N]
  $ popdist-env
  isPopdistEnvSet        false
  getNumTotalReplicas    1
  getNumLocalReplicas    1
  getReplicaIndexOffset  0
  getNumIpusPerReplica   1
  getNumInstances        1
  getInstanceIndex       0
  getLocalInstanceIndex  0
  getDeviceId            - (no partition is active)
  $ popdist-env get getNumTotalReplicas; popdist-env get isPopdistEnvSet
  1
  false
  $ popdist-env shard 60000
  0 60000
  $ popdist-env get getDeviceId
  popdist-env: no partition is active
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]

The variables of a published log:

  $ export POPDIST_NUM_TOTAL_REPLICAS=16 POPDIST_NUM_IPUS_PER_REPLICA=4 POPDIST_NUM_LOCAL_REPLICAS=16 POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=1 POPDIST_REPLICA_INDEX_OFFSET=0 POPDIST_LOCAL_INSTANCE_INDEX=0
  $ popdist-env --json
  {
    "isPopdistEnvSet": true,
    "getNumTotalReplicas": 16,
    "getNumLocalReplicas": 16,
    "getReplicaIndexOffset": 0,
    "getNumIpusPerReplica": 4,
    "getNumInstances": 1,
    "getInstanceIndex": 0,
    "getLocalInstanceIndex": 0,
    "getDeviceId": null
  }
  $ popdist-env get checkNumIpusPerReplica 4; popdist-env get checkNumIpusPerReplica 2
  true
  false

Under poprun, two GCDs of two IPUs:

  $ poprun --launcher local --vipu-partition p --update-partition=yes --num-instances 2 --num-replicas 2 --ipus-per-replica 2 sh -c 'popdist-env get getInstanceIndex; popdist-env shard 5; popdist-env shard --json 5 | tr -d " \n"; echo; popdist-env get getDeviceId' | sort
  [1,0]<stdout>:0
  [1,0]<stdout>:0 3
  [1,0]<stdout>:2
  [1,0]<stdout>:{"first":0,"end":3}
  [1,1]<stdout>:1
  [1,1]<stdout>:2
  [1,1]<stdout>:3 5
  [1,1]<stdout>:{"first":3,"end":5}

Shares that are not even have no instance index:

  $ export POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=0 POPDIST_NUM_LOCAL_REPLICAS=10
  $ popdist-env get getNumInstances
  popdist-env: the replicas are not spread evenly over the instances
  [1]

Refusals:

  $ POPDIST_NUM_LOCAL_REPLICAS=17 popdist-env
  popdist-env: POPDIST_NUM_LOCAL_REPLICAS is 17, more than POPDIST_NUM_TOTAL_REPLICAS, 16
  [1]
  $ popdist-env get nothing
  popdist-env: unknown getter 'nothing' (popdist-env without arguments lists them)
  usage: popdist-env [--json] [get NAME [N] | shard N]
  [2]
  $ popdist-env shard -1 2>&1 | head -1
  popdist-env: samples '-1': too small, must be 0 to 9223372036854775807
  $ popdist-env shard x 2>&1 | head -1
  popdist-env: samples 'x': not a whole number
  $ popdist-env get checkNumIpusPerReplica 2>&1 | head -1
  popdist-env: checkNumIpusPerReplica takes a number
  $ popdist-env > /dev/full
  popdist-env: cannot write to standard output: No space left on device
  [1]
