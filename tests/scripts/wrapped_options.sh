# pod: pod16
# job: 2 4 4 1
OPTIONS="--num-instances 2 --num-replicas 4 --ipus-per-replica 4"
exec poprun $OPTIONS --vipu-partition w16 --update-partition=yes --remove-partition=0 \
    --reset-partition=0 scripts/run.sh --config large
