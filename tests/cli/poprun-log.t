poprun: the lines of published logs, in their order and words.

  $ export IPUBOX_EMULATE_HOSTS=1
  $ mkdir -p poplar/bin programs

This mpirun starts one program, which is all it has to do here:

  $ cat > poplar/bin/mpirun <<'X'
  > #!/bin/sh
  > while [ $# -gt 0 ] && [ "$2" != __ipubox ]; do shift; done
  > exec "$@"
  > X
  $ chmod +x poplar/bin/mpirun
  $ printf '#!/bin/sh\nexit 0\n' > programs/python3; chmod +x programs/python3
  $ plain() { sed -E -e 's/^[0-9:.]+ [0-9]+ POPRUN/POPRUN/' -e 's/PID [0-9]+/PID N/' -e "s|$PWD|/opt|g"; }

One preconfigured partition of 64 IPUs, in a container of Kubernetes:

  $ vipu create partition p-bert-poprun-64ipus-gc-dev-0 --size 64 > created
  $ ( export PATH=$PWD/poplar/bin:$PWD/programs:$PATH LD_LIBRARY_PATH=/opt/poplar/lib PYTHONPATH=/opt/poplar/python
  >   export IPUOF_VIPU_API_HOST=10.21.21.129 IPUOF_VIPU_API_PORT=8090 IPUOF_VIPU_API_PARTITION_ID=p-bert-poprun-64ipus-gc-dev-0
  >   poprun --launcher mpirun --reset-partition no --allow-run-as-root 1 --vv --num-instances 1 --num-replicas 16 --mpi-global-args="--tag-output" \
  >     --ipus-per-replica 4 python3 run_pretraining.py --config pretrain_large_128_POD64 ) > table 2> log; plain < log
  POPRUN [I] V-IPU server address picked up from 'vipu': 10.21.21.129:8090
  POPRUN [D] Connecting to 10.21.21.129:8090
  POPRUN [D] Status for partition p-bert-poprun-64ipus-gc-dev-0: OK (error 0)
  POPRUN [I] Partition p-bert-poprun-64ipus-gc-dev-0 already exists and is in state: PS_ACTIVE
  POPRUN [D] Done polling, final state of p-bert-poprun-64ipus-gc-dev-0: PS_ACTIVE
  POPRUN [D] Target options from environment: {}
  POPRUN [D] Target options from V-IPU partition: {"ipuLinkDomainSize":"64","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"torus","gatewayMode":"true","instanceSize":"64"}
  POPRUN [D] Using target options: {"ipuLinkDomainSize":"64","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"torus","gatewayMode":"true","instanceSize":"64"}
  POPRUN [D] No hosts specified; ignoring host-subnet setting
  POPRUN [D] Default network/RNIC for host communication: None
  POPRUN [I] Running command: /opt/poplar/bin/mpirun '--tag-output' '--bind-to' 'none' '--tag-output' '--allow-run-as-root' '-np' '1' '-x' 'POPDIST_NUM_TOTAL_REPLICAS=16' '-x' 'POPDIST_NUM_IPUS_PER_REPLICA=4' '-x' 'POPDIST_NUM_LOCAL_REPLICAS=16' '-x' 'POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=1' '-x' 'POPDIST_REPLICA_INDEX_OFFSET=0' '-x' 'POPDIST_LOCAL_INSTANCE_INDEX=0' '-x' 'IPUOF_VIPU_API_HOST=10.21.21.129' '-x' 'IPUOF_VIPU_API_PORT=8090' '-x' 'IPUOF_VIPU_API_PARTITION_ID=p-bert-poprun-64ipus-gc-dev-0' '-x' 'IPUOF_VIPU_API_TIMEOUT=120' '-x' 'IPUOF_VIPU_API_GCD_ID=0' '-x' 'IPUOF_LOG_LEVEL=WARN' '-x' 'PATH' '-x' 'LD_LIBRARY_PATH' '-x' 'PYTHONPATH' '-x' 'POPLAR_TARGET_OPTIONS={"ipuLinkDomainSize":"64","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"torus","gatewayMode":"true","instanceSize":"64"}' 'python3' 'run_pretraining.py' '--config' 'pretrain_large_128_POD64'
  POPRUN [I] Waiting for mpirun (PID N)
  POPRUN [I] mpirun (PID N) terminated with exit code 0
  $ cat table
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
  $ vipu remove partition p-bert-poprun-64ipus-gc-dev-0 > removed

The only partition, a reconfigurable one of 4 IPUs, in a Slurm job; the server's
address is the one that vipu has:

  $ vipu create partition slurm_2657 --size 4 --reconfigurable > created
  $ ( export PATH=$PWD/programs:$PATH SLURM_JOB_ID=2657 SLURMD_NODENAME=gc-poplar-02 VIPU_CLI_API_HOST=10.1.3.101
  >   poprun -vv --num-instances=1 --num-replicas=4 --executable-cache-path=cache python3 train.py ) > table 2> log; plain < log
  POPRUN [I] V-IPU server address picked up from 'vipu': 10.1.3.101:8090
  POPRUN [I] Using V-IPU partition slurm_2657 as it is the only one available
  POPRUN [D] Connecting to 10.1.3.101:8090
  POPRUN [D] Status for partition slurm_2657: OK (error 0)
  POPRUN [I] Partition slurm_2657 already exists and is in state: PS_ACTIVE
  POPRUN [D] The reconfigurable partition slurm_2657 is OK
  POPRUN [D] Target options from environment: {}
  POPRUN [D] Target options from V-IPU partition: {"ipuLinkDomainSize":"4","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"4"}
  POPRUN [D] Found 1 devices with 4 IPUs
  POPRUN [D] Attached to device 6
  POPRUN [I] Preparing parent device 6
  POPRUN [D] Device 6 ipuLinkDomainSize=64, ipuLinkConfiguration=Default, ipuLinkTopology=Mesh, gatewayMode=true, instanceSize=4
  POPRUN [D] Target options from Poplar device: {"ipuLinkDomainSize":"64","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"4"}
  POPRUN [D] Using target options: {"ipuLinkDomainSize":"4","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"4"}
  POPRUN [D] No hosts specified; ignoring host-subnet setting
  POPRUN [D] Default network/RNIC for host communication: None
  POPRUN [I] Running command: python3 'train.py'
  POPRUN [D] Started instance 0 (PID N)
  POPRUN [I] Waiting for instance 0 (PID N)
  POPRUN [I] instance 0 (PID N) terminated with exit code 0
  $ sed -n 4p table
  | hosts     | gc-poplar-02  |

A level that there is not:

  $ POPRUN_LOG_LEVEL=loud poprun --offline-mode=1 true 2>&1 | head -1
  POPRUN ERROR: POPRUN_LOG_LEVEL 'loud': must be TRACE, DEBUG, INFO, WARN, ERR or OFF
