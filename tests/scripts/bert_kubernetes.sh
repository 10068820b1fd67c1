# pod: pod64
# before: create partition p-bert-64ipus-gc-dev-0 --size 64
# job: 1 16 4 1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_ALLOW_RUN_AS_ROOT=1 \
poprun \
    --allow-run-as-root 1 \
    --vv \
    --num-instances 1 \
    --num-replicas 16 \
    --mpi-global-args="--tag-output" \
    --ipus-per-replica 4 \
    python3 run_pretraining.py --config pretrain_large_128_POD64 --dataset generated --training-steps 1
