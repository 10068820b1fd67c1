poprun with the variables of a Slurm job, set by hand: emulated hosts take the
names of its nodes. `make slurm` has the jobs of a real Slurm.

  $ export SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-2]'
  $ four() { poprun --emulate-hosts yes --offline-mode yes --num-instances 4 --num-replicas 4 "$@"; }
  $ four --print-topology yes true | grep hosts
  | hosts     | * n1 * n2 * (glob)
  $ four --tag-format '%h ' sh -c 'echo $OMPI_COMM_WORLD_RANK' | sort
  n1 0
  n1 1
  n2 2
  n2 3
  $ SLURM_NTASKS_PER_NODE=1 four true
  POPRUN ERROR: * (glob)
  [1]
  $ four --launcher local true; four --host a,b --tag-format '%h ' echo hi | sort -u
  a hi
  b hi

All tasks of srun have one environment, from which each takes its own.  -x
counts more than the variables of poprun, as with mpirun.  A stand-in for srun
starts the tasks:

  $ mkdir bin; cat > bin/srun <<'X'
  > #!/bin/sh
  > while case $1 in -*) ;; *) false ;; esac; do
  >     case $1 in --ntasks=*) tasks=${1#*=} ;; --mpi=list) exit ;; esac
  >     shift
  > done
  > for task in $(seq 0 $((tasks - 1))); do SLURM_PROCID=$task "$@" & done; wait
  > X
  $ chmod +x bin/srun
  $ two() { PATH=$PWD/bin:$PATH SLURM_JOB_NODELIST=localhost poprun --offline-mode yes --launcher srun --num-instances 2 --num-replicas 2 "$@" 2> err | sort; }
  $ two sh -c 'echo $RANK $WORLD_SIZE $A; env | grep IPUBOX_TASK; true'
  [1,0]<stdout>:0 2
  [1,1]<stdout>:1 2
  $ two --mpi-local-args '-x RANK=9 -x A=1 -x A=9' sh -c 'echo $RANK $WORLD_SIZE $A'
  [1,0]<stdout>:9 2 9
  [1,1]<stdout>:9 2 9
  $ two --mpi-global-args '-x POPDIST_NUM_TOTAL_REPLICAS=9 -x A=9' sh -c 'echo $RANK $POPDIST_NUM_TOTAL_REPLICAS $A'
  [1,0]<stdout>:0 2 9
  [1,1]<stdout>:1 2

Without these variables srun has no job:

  $ unset SLURM_JOB_NODELIST; poprun --offline-mode yes --launcher srun true
  POPRUN ERROR: --launcher srun: SLURM_JOB_ID and SLURM_JOB_NODELIST are not set: run poprun in a job of Slurm
  [1]
