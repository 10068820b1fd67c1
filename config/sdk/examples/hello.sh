#!/bin/sh
# One instance of a job, in the shell: poprun --num-instances=4 ./hello.sh
set -eu

instance=$(popdist-env get getInstanceIndex)
instances=$(popdist-env get getNumInstances)
echo "hello from instance $instance of $instances (sh)"
