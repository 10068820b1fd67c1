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

Without these variables srun has no job:

  $ unset SLURM_JOB_NODELIST; poprun --offline-mode yes --launcher srun true
  POPRUN ERROR: --launcher srun: SLURM_JOB_ID and SLURM_JOB_NODELIST are not set: run poprun in a job of Slurm
  [1]
