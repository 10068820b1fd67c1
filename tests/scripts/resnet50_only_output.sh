# pod: pod64
# before: create partition p64 --size 64 --num-gcds 32
# job: 1 64 1 1
poprun -vv --host 10.9.1.1,10.9.1.2,10.9.1.3,10.9.1.4 --only-output-from-instance 0 \
    --update-partition=no --reset-partition=yes --vipu-server-timeout 300 --numa-aware 1 \
    --vipu-server-host 10.9.1.1 --vipu-partition=p64 --num-instances 32 --num-replicas 64 \
    python train.py
