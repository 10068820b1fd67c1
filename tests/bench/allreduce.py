"""How long MPI takes to add a vector of floats up: the peer of exchange.c.

allreduce.py FLOATS ROUNDS, below mpirun: rank 0 prints the median and the best
in milliseconds.
"""
import array
import sys
import time

from mpi4py import MPI


def main(floats, rounds):
    world = MPI.COMM_WORLD
    data = array.array("f", bytes(4 * floats))
    result = array.array("f", data)
    taken = []
    for _ in range(rounds):
        begin = time.perf_counter()
        world.Allreduce(data, result)
        taken.append((time.perf_counter() - begin) * 1e3)
    taken.sort()
    if world.Get_rank() == 0:
        print("%d floats: median %.3f ms, best %.3f ms"
              % (floats, taken[rounds // 2], taken[0]))


main(int(sys.argv[1]), int(sys.argv[2]))
