#!/bin/sh
# The instances of a job add up their numbers, then end together.
#
#	poprun --num-instances 4 --num-replicas 4 ./hello.sh
set -eu

index=$(popdist-env get getInstanceIndex)
sum=$(popdist-env --id numbers --type int32 allreduce sum $((index + 1)))
popdist-env barrier
echo "instance $index of $(popdist-env get getNumInstances): the sum is $sum"
