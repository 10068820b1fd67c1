"""The instances of a job add up their numbers, then end together.

    poprun --num-instances 4 --num-replicas 4 python3 hello.py
"""
import popdist

popdist.init()
index = popdist.getInstanceIndex()
total = popdist.collectives.allReduceSum(index + 1, "numbers", type="int32")
popdist.synchronize()
print(f"instance {index} of {popdist.getNumInstances()}: the sum is {total}")
