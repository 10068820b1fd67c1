# pod: pod4
# before: create partition slurm_2657 --size 4 --reconfigurable
# job: 1 4 1 1
export SLURM_JOB_ID=2657 SLURMD_NODENAME=gc-poplar-02
srun --ipus=4 poprun -vv --vipu-partition=slurm_${SLURM_JOB_ID} --num-instances=1 --num-replicas=4 \
    --executable-cache-path=$PWD/cache python3 mnist_poptorch.py
