"""What an executor's calls took: measured times, modelled cycles."""

import datetime

from . import _impl


class Measured:
    """A part of PoplarExecutor, which has _options, _executable, _times and
    isCompiled()."""

    def _counts_cycles(self):
        return self._options._popart.options.get(
            "instrumentWithHardwareCycleCounter")

    def cycleCount(self):
        """Modelled cycles of the last call."""
        if not self._counts_cycles():
            raise _impl.createPoptorchError(
                "Cycle count logging is disabled. Please set option "
                "logCycleCount to True to enable.")
        if not self.isCompiled() or not self._times.calls:
            raise _impl.createPoptorchError(
                "Please run the model at least once before obtaining cycle "
                "count.")
        answer = self._executable.answer
        if answer is None:
            raise _impl.create_compiler_error(
                "Cycle counts need ipubox, which was not found: put it into a "
                "directory of PATH, or set IPUBOX_FILE to its path.")
        return answer["cycles"]["call"]

    def compilationTime(self):
        """What the last compilation took, a datetime.timedelta."""
        if not self.isCompiled():
            raise _impl.createPoptorchError(
                "Please compile the model before obtaining its compilation "
                "time.")
        return datetime.timedelta(seconds=self._times.compile_s)

    def getPerfCounters(self):
        """Times of the last call's inputs and outputs."""
        return self._times.counters(self._executable)

    def getLatency(self):
        """(min, max, mean) seconds from the first input to the last
        output."""
        return self._times.latency("input", "output_complete")

    def getHostIpuLatency(self):
        """The same from host to device."""
        return self._times.latency("input", "input_complete")

    def getComputeLatency(self):
        """The same of the device's work."""
        return self._times.latency("input_complete", "output")

    def getIpuHostLatency(self):
        """The same from device to host."""
        return self._times.latency("output", "output_complete")
