# pod: pod64
# before: create partition lr67-1-64ipum --size 64 --num-gcds 4
# job: 4 16 4 1
IPUOF_VIPU_API_HOST=lr67-1-ctrl IPUOF_VIPU_API_PARTITION_ID=lr67-1-64ipum \
    poprun -vv --mpi-local-args='-x POPTORCH_CACHE_DIR -x TMPDIR -x PATH' --num-instances 4 --num-replicas 16 \
    --ipus-per-replica 4 ./train.py --some-option
