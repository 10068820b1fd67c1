# pod: pod128
# job: 2 32 4 2
HOSTS=pod128-host1,pod128-host2
VIPU_SERVER_HOST=10.1.3.101
IF=enp65s0f0np0
poprun -vv --num-instances=2 --num-replicas=32 --num-ilds=2 --ipus-per-replica=4 \
    --vipu-server-host="$VIPU_SERVER_HOST" --host=$HOSTS --vipu-partition=gcl128 --vipu-cluster=c128 \
    --update-partition=yes --remove-partition=no --reset-partition=no --print-topology=yes \
    --vipu-server-timeout=1200 \
    --mpi-global-args="--tag-output --allow-run-as-root --mca btl_tcp_if_include $IF --mca oob_tcp_if_include $IF" \
    --mpi-local-args="-x OPAL_PREFIX -x CPATH -x IPUOF_VIPU_API_TIMEOUT=1200 -x POPLAR_ENGINE_OPTIONS" \
    python3 bert.py
