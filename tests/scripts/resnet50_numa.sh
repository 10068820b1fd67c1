# pod: pod16
# before: create partition p16 --size 16 --num-gcds 8
# job: 8 16 1 1
POPLAR_ENGINE_OPTIONS='{"target.hostSyncTimeout":"900"}' \
POPLAR_RUNTIME_OPTIONS='{"streamCallbacks.maxLookahead":"unlimited"}' \
poprun --mpi-global-args='--tag-output --allow-run-as-root' \
    --mpi-local-args='-x POPLAR_ENGINE_OPTIONS -x POPLAR_RUNTIME_OPTIONS' \
    --ipus-per-replica 1 --numa-aware 1 --num-instances 8 --num-replicas 16 \
    python -u train.py --config mk2 > out.txt
cat out.txt
