"""Programs for sdk-python.t: each function is one, named on the command line.

All of them are run by every instance of a job; a wrong value ends an instance
with an AssertionError, and so the job.
"""
import array
import math
import os
import random
import signal
import struct
import sys
import threading

import popdist
from popdist.collectives import allGather, allReduceSum, barrier, broadcast

popdist.init()
ME, ALL = popdist.getInstanceIndex(), popdist.getNumInstances()


def said(function, *arguments, **keywords):
    """The text of the error."""
    try:
        value = function(*arguments, **keywords)
    except popdist.popdist_error as error:
        return str(error)
    raise AssertionError(f"{function.__name__} gave {value!r}")


def half(number):
    """As its two bytes are."""
    return struct.unpack("<H", struct.pack("<e", number))[0]


def values():
    """Each operation, each type, small and large."""
    assert allReduceSum(ME + 1) == ALL * (ALL + 1) // 2
    assert allReduceSum(ME + 0.5, "real") == ALL * ALL / 2
    assert allReduceSum([ME, 1]) == [ALL * (ALL - 1) // 2, ALL]
    assert allGather(ME) == list(range(ALL))
    assert broadcast(ME * 1.5, root=ALL - 1) == (ALL - 1) * 1.5
    assert broadcast([ME == 0, False], id="flags") == [True, False]
    for letter, top in (("b", 127), ("h", 2 ** 15 - 1), ("i", 2 ** 31 - 1),
                        ("q", 2 ** 63 - 1)):
        # Integers wrap around: the largest one, and one from the last.
        last = int(ME == ALL - 1)
        mine = array.array(letter, [top if ME == 0 else last, last])
        assert allReduceSum(mine, letter) is mine
        assert list(mine) == [top if ALL == 1 else -top - 1, 1]
    for letter in "fd":
        mine = array.array(letter, [ME, math.nan if ME == 0 else 1, 1e30])
        allReduceSum(mine, "real " + letter)
        assert mine[0] == ALL * (ALL - 1) // 2 and math.isnan(mine[1])
    bits = array.array("H", [half(ME), half(0.25)])
    allReduceSum(bits, type="half")
    assert list(bits) == [half(ALL * (ALL - 1) // 2), half(ALL / 4)]
    assert allReduceSum(b"\1\2", type="int8") == bytes([ALL, 2 * ALL])
    assert len(allReduceSum(array.array("d"))) == 0
    assert len(allGather(array.array("d"))) == 0
    everyone = bytearray(2 * ALL)
    assert allGather(bytes([ME, 7]), out=everyone) is everyone
    assert everyone == b"".join(bytes([i, 7]) for i in range(ALL))


def large():
    """Vectors on both sides of what goes into a message."""
    for count in (4095, 4096, 4097, 300000):
        mine = array.array("d", range(ME, ME + count))
        allReduceSum(mine, "large")
        wanted = [sum(i + j for j in range(ALL)) for i in (0, count - 1)]
        assert [mine[0], mine[-1]] == wanted
        mine = array.array("i", [ME] * count)
        assert list(allGather(mine)[::count]) == list(range(ALL))
        broadcast(mine, root=ALL - 1)
        assert mine[0] == mine[-1] == ALL - 1


def threads():
    """Four ids at the same time, begun in another order on each instance."""
    order = list(range(4))
    random.Random(ME).shuffle(order)
    done = []

    def rounds(number):
        for i in range(20):
            size = 1 if i % 2 == 0 else 5000
            mine = array.array("d", [number]) * size
            allReduceSum(mine, f"thread {number}")
            assert mine[0] == mine[-1] == ALL * number
        done.append(number)

    started = [threading.Thread(target=rounds, args=(number,))
               for number in order]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert sorted(done) == sorted(order)


def sets():
    """Communicators, and functions that some instances run."""
    last = max(ALL - 1, 0)
    popdist.registerCommunicator({0, last}, "ends")
    members = sorted({0, last})
    if ME in members:
        assert allGather(ME, communicator_id="ends") == members
        assert allReduceSum(1, "ends", "id") == len(members)
    elif ALL > 2:
        print(said(allReduceSum, 1, "ends"))

    def inner():
        popdist.synchronize()
        if ALL > 2:
            alone = popdist.execute_on_instances({1}, allReduceSum, 5)
            assert alone == (5 if ME == 1 else None)
        return allReduceSum(1)

    first = set(range(max(ALL - 1, 1)))
    assert popdist.execute_on_instances(first, inner) == \
        (len(first) if ME in first else None)
    # An exception is the caller's, and ends the others' wait inside.
    if ALL > 2:
        try:
            popdist.execute_on_instances({0, 1}, fail)
            raise AssertionError("no exception")
        except ZeroDivisionError:
            pass
        except popdist.popdist_error as error:
            print(str(error).replace(f"pid {os.getpid()}", "pid"))
        except AssertionError:
            assert ME > 1
    popdist.synchronize()


def missed():
    """Of four: who has ended is missed by those only whose set it is in."""
    if ME == 3:
        return
    assert "instance 3 (pid" in said(barrier)
    assert popdist.execute_on_instances({0, 1, 2}, allReduceSum, 1) == \
        3
    popdist.execute_on_instances({0, 1}, end_first)


def end_first():
    """Instance 1 ends before it has come to anything in here."""
    if ME == 1:
        os._exit(0)
    print(said(barrier))


def fail():
    """Of two instances."""
    if ME == 0:
        return 1 // 0
    return allReduceSum(1, "inside")


def everything():
    """What goes well, in one job."""
    values()
    large()
    threads()
    sets()
    popdist.finalizeBackend()
    popdist.finalizeBackend()
    assert not popdist.isBackendInitialized()
    print("good")


def differ():
    """What poprun says of instances that do not do the same; of four."""
    texts = [
        said(allReduceSum, array.array("f", [1] * (5 if ME == 1 else 4)),
             "grads"),
        said(allReduceSum, array.array("d" if ME == 2 else "f", [1]),
             "grads"),
        said(broadcast if ME == 3 else allReduceSum, array.array("f", [1]),
             **{"id": "grads"}),
        said(broadcast, 1, root=4)]
    # The same id twice at once: one of the two is refused.
    if ME == 0:
        refused = []
        done = threading.Semaphore(0)

        def call():
            try:
                allReduceSum(1, "twice")
            except popdist.popdist_error as error:
                refused.append(str(error))
            done.release()

        for _ in range(2):
            threading.Thread(target=call).start()
        done.acquire()
        texts += refused
    barrier("go")
    if ME != 0:
        allReduceSum(1, "twice")
    # One comes too late.
    if ME != 3:
        popdist.setTimeout(0.5)
        texts.append(said(barrier, "late"))
        popdist.setTimeout(0)
    barrier("go")
    if ME == 3:
        assert said(barrier, "late") != ""
    barrier("go")
    if ME == 0:
        print("\n".join(texts))


def forked():
    """A process that was forked has no part in it, and disturbs nobody."""
    barrier()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        assert not popdist.isBackendInitialized()
        if ME == 0:
            print(said(barrier).replace(str(os.getppid()), "PID"))
            print(said(popdist.init).replace(str(os.getppid()), "PID"))
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert allReduceSum(1) == ALL


def finalize():
    """One leaves while the others wait."""
    if ME == 1:
        popdist.finalizeBackend()
        print(said(barrier))
        print(said(popdist.init))
    else:
        print(said(barrier))


def interrupt():
    """An exception from a signal's handler ends a wait."""
    if ME == 0:
        def handler(number, frame):
            raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try:
            barrier("never")
            raise AssertionError("no interrupt")
        except KeyboardInterrupt:
            print(said(barrier))
    else:
        print(without_pid(said(barrier)))


def without_pid(text):
    """The pid of another instance is any number."""
    words = text.split("(pid ")
    return "(pid ".join(words[:1] + ["PID" + word.lstrip("0123456789")
                                     for word in words[1:]])


def end():
    """Instance 1 ends in the way that is named, and the others say why."""
    # poprun stops the others, who have something to say first.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    mine = array.array("d", [1] * 10000)
    for _ in range(3):
        allReduceSum(mine, "grads")
    if ME == 1:
        how = sys.argv[2]
        if how == "raise":
            raise ValueError("on purpose")
        if how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        sys.exit(int(how))
    print(without_pid(said(allReduceSum, mine, "grads")), flush=True)
    print(without_pid(said(barrier)), flush=True)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
