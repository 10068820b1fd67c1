"""The exception of popdist."""


class PopdistError(RuntimeError):
    """Something about the job, its collectives or its devices failed.

    `code` is one word, by which programs may tell causes apart: "invalid",
    "version", "mismatch", "twice", "timeout", "gone", "left",
    "communicator", "room", "unavailable"; of devices also "not-found",
    "busy" and "failed".
    """

    __module__ = "popdist"      # where programs find it

    def __init__(self, text, code="invalid"):
        super().__init__(text)
        self.code = code

    def __reduce__(self):
        """Exceptions travel between processes; the code goes with them."""
        return type(self), (self.args[0], self.code)
