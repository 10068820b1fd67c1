"""Sums of a job, by PopDist's collectives or by MPI's, and how long they take.

collectives.py popdist|mpi: the first instance prints microseconds of a sum of
8 bytes, and milliseconds of one of 16 MiB.
"""
import array
import sys
import time

SMALL_ROUNDS = 5000
LARGE_ROUNDS = 10
FLOATS = 4 << 20


def rounds(call, count):
    """Seconds that a call takes."""
    for _ in range(count // 10 + 2):
        call()
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def main(kind):
    large = array.array("f", bytes(4 * FLOATS))
    if kind == "mpi":
        from mpi4py import MPI
        world = MPI.COMM_WORLD
        index = world.Get_rank()
        result = array.array("f", large)
        small_seconds = rounds(lambda: world.allreduce(1.5), SMALL_ROUNDS)
        large_seconds = rounds(lambda: world.Allreduce(large, result),
                               LARGE_ROUNDS)
    else:
        import popdist
        from popdist import collectives
        popdist.init()
        index = popdist.getInstanceIndex()
        small_seconds = rounds(lambda: collectives.allReduceSum(1.5),
                               SMALL_ROUNDS)
        large_seconds = rounds(lambda: collectives.allReduceSum(large),
                               LARGE_ROUNDS)
    if index == 0:
        print(small_seconds * 1e6, large_seconds * 1e3)


main(sys.argv[1])
