# pod: pod64
# job: 4 16 1 4
export SLURM_JOB_ID=77 SLURM_JOB_NODELIST='gc-poplar-[02-05]'
poprun -vv --host=$SLURM_JOB_NODELIST --num-instances=4 --num-replicas=16 --vipu-partition slurm_77 \
    --update-partition yes --mpi-global-args="--mca oob_tcp_if_include ens1f0np0" python3 train.py
