# pod: pod64
# before: create partition my_partition --size 32 --num-gcds 4
# job: 4 32 1 4
poprun --vipu-partition=my_partition --mpi-global-args="--tag-output" \
         --num-replicas=32 --num-instances=4 --host pod[1-4] \
         --vipu-server-host=vipu.my_domain python3 train.py
