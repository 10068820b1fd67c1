"""What a model's work took on the host, measured."""
import contextlib
import time

# A long run's timeline has its first calls, of each its first iterations, and
# so many of what is of no call.
_CALLS = 10
_ITERATIONS = 500
_ONCE = 1000


class Times:
    """When a model was compiled, its weights were copied, and so on; and when
    the parts of its calls began and ended, in seconds of a clock."""

    def __init__(self):
        self.compile_s = 0.0
        self.calls = 0
        self._last = None
        self._first = None
        self._sums = dict.fromkeys(("input_s", "run_s", "output_s"), 0.0)
        self._timeline = []             # as the outline has it
        self._once = 0                  # of these, those of no call

    @contextlib.contextmanager
    def measure(self, kind):
        """What happens meanwhile is of that kind: "attach"."""
        begin = time.perf_counter()
        yield
        end = time.perf_counter()
        if kind == "compile":
            self.compile_s = end - begin
        if self._once < _ONCE:
            self._once += 1
            self._note(kind, begin, end)

    def _note(self, kind, begin, end, **more):
        self._timeline.append(
            {"kind": kind, "from_s": begin, "to_s": end, **more})

    def add(self, begin, there, done, end, iteration_ends):
        """A call; iteration_ends: of each of the device's."""
        self._last = {"input": begin, "input_complete": there,
                      "output": done, "output_complete": end}
        seconds = {"input_s": there - begin, "run_s": done - there,
                   "output_s": end - done}
        if self._first is None:
            self._first = seconds
        else:
            for name, each in seconds.items():
                self._sums[name] += each
        if self.calls < _CALLS:
            call = self.calls
            self._note("input", begin, there, call=call)
            self._note("run", there, done, call=call)
            for number, until in enumerate(iteration_ends[:_ITERATIONS]):
                self._note("iteration", there, until, call=call,
                           iteration=number)
                there = until
            self._note("output", done, end, call=call)
        self.calls += 1

    def measured(self):
        """What a profile shows of the host; {} where nothing ran."""
        if not self.calls:
            return {}
        calls = [self._first]
        if self.calls > 1:
            calls.append({"count": self.calls - 1, **self._sums})
        return {"compile_s": self.compile_s, "calls": calls,
                "timeline": self._timeline}

    def latency(self, first, last):
        """(min, max, mean) seconds between two parts of the last call."""
        if self._last is None:
            return (0.0, 0.0, 0.0)
        seconds = self._last[last] - self._last[first]
        return (seconds, seconds, seconds)

    def counters(self, executable):
        """PopTorch's dictionary of times: for each tensor, one a step."""
        names = ("input", "input_complete", "output", "output_complete")
        if self._last is None or executable is None:
            return {name: [[]] for name in names}
        shape = executable.device.shape
        results = sum(map(shape.returns, range(shape.steps)))
        counts = {"input": (len(executable.device.graph.inputs),
                            shape.micro_batches),
                  "output": (len(executable.device.program.result_values),
                             results * shape.replicas)}
        found = {}
        for name in names:
            tensors, steps = counts[name.partition("_")[0]]
            found[name] = [[self._last[name]] * steps
                           for _ in range(tensors)]
        return found
