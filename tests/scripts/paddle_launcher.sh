# pod: pod16
# job: 4 4 4 1
poprun --num-instances=4 --num-replicas=4 --ipus-per-replica=4 --vipu-partition=pdl \
    --update-partition=yes --instance-mpi-local-args=0:"-x PADDLE_TRAINER_ID=0" \
    --instance-mpi-local-args=1:"-x PADDLE_TRAINER_ID=1" --instance-mpi-local-args=2:"-x PADDLE_TRAINER_ID=2" \
    --instance-mpi-local-args=3:"-x PADDLE_TRAINER_ID=3 -x PADDLE_RANK_IN_NODE=3" python3.8 train.py
