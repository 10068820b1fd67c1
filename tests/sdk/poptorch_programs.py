"""Programs as users write them, each beside the same one in plain PyTorch.

usage: poptorch_programs.py [NAME ...]

Prints a table: of each program what it exercises, its result, the largest
difference from PyTorch, relative to the largest number of its tensor, and
the seconds that both took.  Needs a partition pt of 16 IPUs.
"""
import importlib
import sys
import time

import torch
import poptorch_programs_data
from poptorch_plain import PROGRAMS

for part in ("images", "words", "tables"):    # which add their programs
    importlib.import_module(f"poptorch_programs_{part}")


def apart(got, wanted):
    """The largest difference of two tensors, of the largest number."""
    got, wanted = got.detach().double(), wanted.detach().double()
    if got.shape != wanted.shape:
        raise AssertionError(f"shape {tuple(got.shape)}, not "
                             f"{tuple(wanted.shape)}")
    differs = torch.where(got == wanted, 0., (got - wanted).abs()).max()
    size = wanted[wanted.isfinite()].abs().max()
    return (differs / size).nan_to_num(float("inf")).item()


def result(tolerance, function):
    """One word, or a message, and the largest difference."""
    torch.manual_seed(0)
    try:
        most = max(apart(*pair) for pair in function())
    except Exception as error:
        return f"{type(error).__name__}: {error}", float("nan")
    return "ok" if most <= tolerance else "differs", most


def show(*row):
    """One row of the table."""
    print("{:<21} {:<43} {:>2} {:>7} {:>3}".format(*row), flush=True)


def main(names):
    """Run the programs of these names, or all."""
    failed = 0
    chosen = [each for each in PROGRAMS if not names or each[0] in names]
    show("program", "exercises", "", "differs", "s")
    for name, shows, tolerance, function in chosen:
        began = time.monotonic()
        said, most = result(tolerance, function)
        failed += said != "ok"
        show(name, shows, said, f"{most:.1e}",
             f"{time.monotonic() - began:.1f}")
    print(f"{len(chosen)} programs, {failed} failed")
    return failed != 0


if sys.argv[1:2] == ["--instance"]:
    poptorch_programs_data.instance(sys.argv[2])
else:
    sys.exit(main(sys.argv[1:]))
