"""What the programs beside this one check with: a line for each failure."""
import os
import sys
import traceback

import poptorch
import torch

_counts = {"passed": 0, "failed": 0}


def options():
    """Options that show no progress."""
    return poptorch.Options().showCompilationProgressBar(False)


def check(name, is_true):
    """One check."""
    _counts["passed" if is_true else "failed"] += 1
    if not is_true:
        print(f"failed: {name}")


def same(name, wanted, got, tolerance=1e-6):
    """Compare tensors, in tuples, lists and dicts as well."""
    problem = _difference(wanted, got, tolerance)
    check(f"{name}: {problem}", problem is None)


def raises(name, kind, text, function):
    """The function raises that, with the text in it."""
    try:
        function()
    except kind as error:
        check(f"{name}: {error}", text in str(error))
    else:
        check(f"{name}: nothing was raised", False)


def attempt(name, function):
    """Run it; what it raises is a failure."""
    try:
        function()
    except Exception:
        check(f"{name}\n{traceback.format_exc()}", False)


def finish():
    """Say how many checks there were."""
    print("{passed} passed, {failed} failed".format(**_counts))
    sys.stdout.flush()
    sys.exit(1 if _counts["failed"] else 0)


def _difference(wanted, got, tolerance):
    if isinstance(wanted, torch.Tensor):
        if wanted.shape != got.shape:
            return f"shape {tuple(got.shape)}, not {tuple(wanted.shape)}"
        got = got.to(wanted.dtype)
        is_close = torch.allclose(wanted, got, rtol=1e-5, atol=tolerance,
                                  equal_nan=True) \
            if wanted.dtype.is_floating_point else torch.equal(wanted, got)
        return None if is_close else f"{got}, not {wanted}"
    if type(wanted) is not type(got):
        return f"{type(got)}, not {type(wanted)}"
    if isinstance(wanted, dict):
        if list(wanted) != list(got):
            return f"keys {list(got)}, not {list(wanted)}"
        wanted, got = list(wanted.values()), list(got.values())
    if isinstance(wanted, (tuple, list)):
        if len(wanted) != len(got):
            return f"{len(got)} elements, not {len(wanted)}"
        found = (_difference(one, other, tolerance)
                 for one, other in zip(wanted, got))
        return next((each for each in found if each), None)
    return None if wanted == got else f"{got}, not {wanted}"


os.environ.setdefault("POPTORCH_LOG_LEVEL", "ERR")
poptorch.setLogLevel(os.environ["POPTORCH_LOG_LEVEL"])
