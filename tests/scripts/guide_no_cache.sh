# pod: pod4
# before: create partition my_partition --size 4
# job: 1 4 1 1
poprun --vipu-partition=my_partition --mpi-global-args="--tag-output" \
         --num-replicas=4 --num-instances=1 \
         --executable-cache-path="" \
         python3 train.py
