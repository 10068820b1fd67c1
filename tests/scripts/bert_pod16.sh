# pod: pod16
# before: create partition slurm_2657 --size 16
# job: 1 4 4 1
export PYTORCH_CACHE_DIR=$PWD/cache
/usr/bin/env poprun -vv --num-instances=1 --num-replicas=4 --ipus-per-replica=4 \
    --executable-cache-path=$PYTORCH_CACHE_DIR python3 run_pretraining.py --config large
