# pod: pod4
# job: 2 32 4 1
export POPLAR_TARGET_OPTIONS='{"ipuLinkDomainSize":"64"}'
poprun --offline-mode=on -vv --num-ilds 2 --num-instances 2 --num-replicas 32 --ipus-per-replica 4 \
    --numa-aware=yes --mpi-global-args="--tag-output" python run_pretraining.py --compile-only
