# pod: pod64
# job: 32 64 1 4
HOSTS=10.9.1.1,10.9.1.2,10.9.1.3,10.9.1.4
POPLAR_ENGINE_OPTIONS='{"opt.enableMultiAccessCopies":"false"}' POPLAR_TARGET_OPTIONS='{"gatewayMode":"false"}' \
poprun -vv --host $HOSTS \
    --mpi-global-args='--tag-output --allow-run-as-root --mca oob_tcp_if_include 10.9.1.0/24 \
    --mca btl_tcp_if_include 10.9.1.0/24' \
    --mpi-local-args=' -x OPAL_PREFIX -x LD_LIBRARY_PATH -x PATH -x PYTHONPATH -x IPUOF_VIPU_API_TIMEOUT=600' \
    --update-partition=yes --reset-partition=yes --vipu-server-timeout 300 --ipus-per-replica 1 \
    --numa-aware 1 --vipu-server-host 10.9.1.1 --vipu-partition=pod64_resnet \
    --num-instances 32 --num-replicas 64 python train.py --no-validation
