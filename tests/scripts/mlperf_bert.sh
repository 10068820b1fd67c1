# pod: pod64
# job: 16 16 4 4
NUM_INST=16
HOSTLIST=$(printf '%s,' mlp-0 mlp-1 mlp-2 mlp-3)
HOSTLIST=${HOSTLIST%,}
poprun --host=$HOSTLIST --num-instances=$NUM_INST --num-replicas=16 --ipus-per-replica=4 \
    --vipu-partition=mlperf --update-partition=true --remove-partition=false --reset-partition=off \
    --process-placement=disabled \
    --mpi-global-args="--mca btl_tcp_if_include 10.0.0.0/8 --map-by ppr:4:node --bind-to none" \
    --mpi-local-args="-x TF_CPP_VMODULE='poplar_compiler=0, poplar_executor=0'" python3 bert.py
