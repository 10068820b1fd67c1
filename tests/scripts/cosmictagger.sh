# pod: pod4
# job: 4 4 1 1
export POPTORCH_CACHE_DIR=$PWD/cosmic_cache
poprun --num-instances 4 --num-replicas 4 --ipus-per-replica 1 --vipu-partition ct --update-partition yes \
    --mpi-local-args "-x POPTORCH_CACHE_DIR" python3 bin/exec.py run.id=cosmic
