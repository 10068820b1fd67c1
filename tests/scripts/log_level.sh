# pod: pod4
# job: 1 1 1 1
export POPRUN_LOG_LEVEL=TRACE
poprun --vipu-partition one --update-partition=yes python3 test_resnet.py
