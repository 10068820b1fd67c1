"""A set of named values, as PopTorch's options are made of.

They are read as attributes and changed by set().  Once frozen, which happens
when a model or a data loader takes the options, nothing can be changed; a
copy can.
"""

import copy


def require(condition, text=""):
    """Raise AssertionError, as PopTorch does, also under python -O."""
    if not condition:
        raise AssertionError(text)


def require_type(value, wanted, name):
    """The same for the type of an argument."""
    require(isinstance(value, wanted),
            f"{name} must be of type {wanted.__name__}, "
            f"not {type(value).__name__}")


class Freezable:
    """What can be frozen, with all of its parts that can be."""

    _is_frozen = False

    def checkIsFrozen(self, option=None):
        """Raise AttributeError where nothing can be changed any more."""
        if option != "_is_frozen" and self._is_frozen:
            raise AttributeError("Can't modify frozen Options")

    def _change_frozen(self, frozen):
        self.__dict__["_is_frozen"] = frozen
        for part in vars(self).values():
            if isinstance(part, Freezable) and part._is_frozen != frozen:
                part._change_frozen(frozen)

    def _freeze(self):
        self._change_frozen(True)

    def _unfreeze(self):
        self._change_frozen(False)

    def __deepcopy__(self, memory):
        new = type(self).__new__(type(self))
        memory[id(self)] = new
        for name, value in vars(self).items():
            new.__dict__[name] = copy.deepcopy(value, memory)
        new.__dict__["_is_frozen"] = False
        return new


class Settings(Freezable):
    """Only a name that the constructor has named can be set, and only to a
    value of the same type.

    A class of settings puts its private attributes there before it calls
    this constructor: afterwards they can be changed, and none can be added,
    so that a mistyped name is noticed.
    """

    # Values that newer SDKs have: they can be read and set like all others,
    # and are shown only once they are set.
    _LATER = {}

    def __init__(self, **defaults):
        self.__dict__["_values"] = defaults
        self.__dict__["_warnings"] = {}
        self.__dict__["_warnings_disabled"] = set()
        self.__dict__["_is_frozen"] = False

    def exists(self, option):
        """Whether there is such a value."""
        return option in self._values

    def set(self, **values):
        """Change values."""
        self.checkIsFrozen()
        for option, value in values.items():
            if option in self._LATER:
                self._values.setdefault(option, self._LATER[option])
            require(self.exists(option),
                    f"Invalid option {option}, valid options are "
                    f"{self._values.keys()}")
            wanted = type(self._values[option])
            require(isinstance(value, wanted),
                    f"Unexpected type {type(value)} for option {option}. "
                    f"Expected {wanted}")
            self._values[option] = value

    def createOrSet(self, **values):
        """Change values, which need not exist."""
        self.checkIsFrozen()
        for option, value in values.items():
            self._values.setdefault(option, value)
            self.set(**{option: value})

    def deleteIfExists(self, option):
        """Forget a value."""
        self._values.pop(option, None)

    def _private(self):
        """The names of the private attributes, in their order."""
        return [name for name in vars(self) if name != "_values"]

    def __getattr__(self, option):
        # A copy that is being made has no values yet.
        if not option.startswith("_"):
            if option in self._values:
                return self._values[option]
            if option in self._LATER:
                return copy.copy(self._LATER[option])
        raise AttributeError(f"Invalid attribute {option}.")

    def __setattr__(self, option, value):
        self.checkIsFrozen(option)
        if not option.startswith("_"):
            self.set(**{option: value})
            return
        if "_values" in vars(self) and option not in vars(self) and \
                not option.startswith("__"):
            raise AttributeError(f"Invalid private attribute {option}. "
                                 f"Valid attributes: {self._private()}")
        super().__setattr__(option, value)

    def __call__(self, option):
        return getattr(self, option)

    def update(self, other):
        """Add all values to that dictionary, and return it."""
        twice = set(self._values).intersection(other)
        require(not twice, "Can't merge dictionaries, they have some keys in "
                "common")
        other.update(self._values)
        return other

    def toDict(self):
        """All values, as a dictionary."""
        return self.update({})

    def __repr__(self):
        values = ", ".join(f"{name}={value!r}"
                           for name, value in self._values.items())
        private = ", ".join(f"{name}={vars(self)[name]!r}"
                            for name in self._private())
        return f"{type(self).__name__}({values}, {private})"
