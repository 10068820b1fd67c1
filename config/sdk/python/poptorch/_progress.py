"""The bar that shows how far a compilation is."""
import sys


class Progress:
    """`Graph compilation: 100%|...| 100/100`, by tqdm where there is one."""

    _STEPS = 100

    def __init__(self, is_shown):
        self._bar = self._done = None
        if is_shown is True:
            self._bar = _bar(self._STEPS)
        elif callable(is_shown):
            self._done = is_shown

    def reach(self, step):
        """So many of a hundred steps are done."""
        if self._done is not None:
            self._done(step, self._STEPS)
        if self._bar is not None:
            self._bar.update(step - self._bar.n)
            if step == self._STEPS:
                self._bar.close()
                self._bar = None

    def stop(self):
        """It comes no further."""
        if self._bar is not None:
            self._bar.close()


def _bar(total):
    try:
        from tqdm import tqdm
    except ImportError:
        return _Plain(total)
    return tqdm(total=total, desc="Graph compilation", file=sys.stderr,
                bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt} "
                           "[{elapsed}<{remaining}]")


class _Plain:
    """One line at the end, where there is no tqdm."""

    def __init__(self, total):
        self.n = 0
        self._total = total

    def update(self, steps):
        self.n += steps

    def close(self):
        share = self.n * 10 // self._total
        sys.stderr.write("Graph compilation: %3d%%|%s| %d/%d\n" % (
            self.n * 100 // self._total,
            ("\N{FULL BLOCK}" * share).ljust(10), self.n, self._total))
