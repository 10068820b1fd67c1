# pod: pod16
# before: create partition p16 --size 16 --num-gcds 8
# job: 8 16 1 1
CONFIG=resnet50_mlperf_pod16
poprun --num-instances=8 --num-replicas=16 \
    python3 train.py --config $CONFIG --dataset imagenet --data-path "$DATA_DIR"
