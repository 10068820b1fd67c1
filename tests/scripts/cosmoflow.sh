# pod: pod4
# before: create partition c2 --size 2 --num-gcds 2
# job: 2 2 1 1
poprun --num-replicas 2 --num-instances 2 --ipus-per-replica 1 --numa-aware 1 python train.py
