# pod: pod64
# job: 32 64 1 4
HOSTS=lr10-1,lr10-2,lr10-3,lr10-4
poprun -vv --num-instances=32 --num-replicas=64 --vipu-server-host=lr10-1 --host=$HOSTS \
    --vipu-server-port 8090 --vipu-partition=p64 --vipu-allocation=allocation1 --update-partition=yes \
    --remove-partition=yes --reset-partition=no --sync-type=ST_POD_NATIVE_DEFAULT \
    --executable-cache-path=$PWD/cache --mpi-global-args="--mca btl_tcp_if_include eth0" \
    --mpi-local-args="-x LD_LIBRARY_PATH" python3 train.py
