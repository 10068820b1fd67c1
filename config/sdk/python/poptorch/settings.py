"""A set of named values, as PopTorch's options are made of.

They are read as attributes and changed by set().  Once frozen, which happens
when a model takes the options, nothing can be changed; a copy can.
"""

import copy


def require(condition, text):
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
    value of the same type."""

    def __init__(self, **defaults):
        self.__dict__["_values"] = defaults

    def exists(self, option):
        """Whether there is such a value."""
        return option in self._values

    def set(self, **values):
        """Change values."""
        self.checkIsFrozen()
        for option, value in values.items():
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
        self.checkIsFrozen()
        self._values.pop(option, None)

    def __getattr__(self, option):
        # A copy that is being made has no values yet.
        if option.startswith("_") or option not in self._values:
            raise AttributeError(f"Invalid attribute {option}.")
        return self._values[option]

    def __setattr__(self, option, value):
        self.checkIsFrozen(option)
        if option.startswith("_"):
            super().__setattr__(option, value)
        else:
            self.set(**{option: value})

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
        return f"{type(self).__name__}({values})"
