# pod: pod16
# job: 2 4 1 1
vipu create partition training --size 4 --num-gcds 2
poprun --num-instances=2 --num-replicas=4 python3 popdist_training.py --epochs=10
