# pod: pod128
# before: create partition p128 --size 128 --num-gcds 8
# job: 8 32 4 8
TCP_IF_INCLUDE="enp65s0f0np0"
poprun -vv --host 172.21.16.56,172.21.16.57,172.21.16.58,172.21.16.59,172.21.16.61,172.21.16.62,172.21.16.63,172.21.16.64  \
        --num-instances=8 --num-replicas=32 \
        --ipus-per-replica=4 \
        --vipu-server-host=172.21.16.56 \
        --numa-aware=yes \
        --num-ilds=2 \
        --vipu-partition=p128 \
        --vipu-cluster=c128 \
        --update-partition=no \
        --remove-partition=no \
        --reset-partition=no \
        --print-topology=yes \
        --mpi-global-args="--tag-output --allow-run-as-root  --mca oob_tcp_if_include $TCP_IF_INCLUDE --mca btl_tcp_if_include $TCP_IF_INCLUDE" \
        --mpi-local-args="-x OPAL_PREFIX -x LD_LIBRARY_PATH -x PATH -x PYTHONPATH -x CPATH -x IPUOF_VIPU_API_TIMEOUT=3600 -x POPLAR_LOG_LEVEL=WARN -x POPLAR_SDK_ENABLED -x POPLAR_ENGINE_OPTIONS" \
        --vipu-server-timeout=3600 \
        --executable-cache-path=$PWD/tmp \
python train_gpt2.py \
    --model gpt2-medium --optimizer AdamW 2>&1 | tee gpt2.log
