# pod: pod16
# before: create partition my_partition --size 8 --num-gcds 2
# job: 2 8 1 1
poprun --vipu-partition=my_partition --mpi-global-args="--tag-output" \
         --num-replicas=8 --num-instances=2 python3 train.py
