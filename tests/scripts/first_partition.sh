# pod: pod64
# before: create partition found --size 64 --num-gcds 2
# job: 2 16 4 2
# The first active partition of the list, as a script finds it.
FIRST_PARTITION=`vipu list partitions | grep ACTIVE | cut -d '|' -f 3 | cut -d ' ' -f 2 | head -1`
PARTITION=${PARTITION:=$FIRST_PARTITION}
poprun -vv --num-instances=2 --num-replicas=16 --ipus-per-replica=4 --host=10.1.1.1,10.1.2.1 \
    --vipu-server-host=10.1.1.1 --numa-aware=yes --vipu-partition=$PARTITION --reset-partition=no \
    --mpi-global-args="--tag-output" python train.py
