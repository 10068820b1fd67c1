# pod: pod128
# before: create partition pod128 --size 128 --num-gcds 2
# job: 2 32 4 2
poprun -vv --host host_address_1,host_address_2 --num-ilds 2 --num-instances 2 --num-replicas 32 \
    --ipus-per-replica 4 --numa-aware=yes --vipu-server-host=host_address_1 --reset-partition=no \
    --vipu-partition=pod128 --vipu-server-timeout=600 --mpi-global-args="--tag-output" \
    python run_pretraining.py --config configs/pretrain_large_128_lamb_POD128.json
