# pod: pod128
# before: create partition p64_a2 --size 64 --num-gcds 4
# job: 4 32 2 4
poprun -vv --host 172.21.16.56,172.21.16.57,172.21.16.58,172.21.16.59 \
    --num-instances=4 --num-replicas=32 --ipus-per-replica=2 --vipu-server-host=172.21.16.56 \
    --numa-aware=yes --num-ilds=1 --vipu-partition=p64_a2 --vipu-cluster=c128 --offline-mode=no \
    --update-partition=no --remove-partition=no --reset-partition=no --print-topology=yes \
    python train_gpt2.py
