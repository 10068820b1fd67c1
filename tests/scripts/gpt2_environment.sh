# pod: pod64
# before: create partition p64 --size 64 --num-gcds 4
# job: 4 8 8 4
export POPLAR_TARGET_OPTIONS='{"gatewayMode":"true"}'
HOSTS=n1,n2,n3,n4 PARTITION=p64 NUM_INSTANCE=4 NUM_REPLICA=8 NUM_ILDS=1
TCP_IF_INCLUDE=eth1
poprun -vv --host $HOSTS \
        --vipu-partition=$PARTITION \
        --num-instances=$NUM_INSTANCE --num-replicas=$NUM_REPLICA \
        --num-ilds $NUM_ILDS \
        --ipus-per-replica=8 \
        --print-topology=yes \
        --mpi-global-args="--mca oob_tcp_if_include $TCP_IF_INCLUDE --mca btl_tcp_if_include $TCP_IF_INCLUDE" \
        --vipu-server-timeout=3600 \
python train_gpt2.py --layers-per-ipu 1 5 5 5 5 5 5 5
