# pod: pod4
# before: create partition c4 --size 4 --num-gcds 2
# job: 1 2 2 1
poprun --only-output-from-instance 0 --num-instances 2 --num-replicas 2 --ipus-per-replica 2 python3 test.py
