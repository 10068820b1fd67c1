# pod: pod128
# before: create partition my_partition --size 32 --num-gcds 2 --num-ilds 2
# job: 2 32 1 1
poprun --vipu-partition=my_partition \
         --vipu-server-host=vipu.my_domain --vipu-server-port=34521 \
         --num-replicas=32 --num-instances=2 --num-ilds=2 python3 train.py
