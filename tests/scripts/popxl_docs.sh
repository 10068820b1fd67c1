# pod: pod16
# job: 8 16 1 1
poprun --vipu-partition popxl_test --update-partition yes --num-replicas 16 --num-instances 8 python model.py
