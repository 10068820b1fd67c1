#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
PopTorch's names: what ipubox-poptorch(7) says of each is so.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ python3() { command python3 -SE "$TESTDIR/sdk/warm.py" "$@"; }
  $ sed -n '/^\.Sh NAMES/,/^\.Sh ENVIRONMENT/p' "$TESTDIR/../man/ipubox-poptorch.7" | awk '/^\.Ss /{ status = $2 " " $3 } /^\.It Li /{ for (i = 3; i <= NF; i++) if ($i != ",") print status "\t" $i }' | sed 's/ *\t/\t/' > said
  $ cut -f 1 said | sort -u
  Here
  Not there
  Refused
  Without effect
  $ cut -f 2 said | sort | uniq -d
  $ test $(wc -l < said) -gt 200 || wc -l said

A name stands below poptorch; Options is an object, which has the groups, and
executor is one of a model.

  $ cat > names.py <<'Y'
  > import functools, poptorch, torch
  > class Names:
  >     """poptorch, with an object of Options in place of the class."""
  >     Options = poptorch.Options()
  >     executor = poptorch.inferenceModel(torch.nn.Linear(1, 1))
  >     def __getattr__(self, name):
  >         return getattr(poptorch, name)
  > def has(name):
  >     try:
  >         functools.reduce(getattr, name.split("."), Names())
  >     except AttributeError:
  >         return False
  >     return True
  > said = dict(line.rstrip("\n").split("\t")[::-1] for line in open("said"))
  > Y
  $ cat > stated.py <<'Y'
  > from names import has, said
  > for name, status in said.items():
  >     if has(name) != (status != "Not there"):
  >         print(f"{name}: the manual says '{status}', and it is",
  >               "there" if has(name) else "missing")
  > print(has("Options.Training.noSuch"), has("Options.replicationFactor"))
  > Y
  $ python3 stated.py
  False True

And the other way: what the module offers is in the manual.  Modules, and what
all groups of options inherit, are not looked at.

  $ cat > offered.py <<'Y'
  > import inspect, poptorch
  > from poptorch.settings import Settings
  > from names import Names, said
  > def public(prefix, thing, without=()):
  >     return {prefix + name for name in dir(thing)
  >             if not name.startswith("_") and name not in without
  >             and not inspect.ismodule(getattr(thing, name))}
  > options = Names.Options
  > groups = ("Distributed", "Jit", "Precision", "TensorLocations", "Training",
  >           "_Popart")
  > older = ("Popart", "GraphProcessing")
  > offered = public("", poptorch, ("hand_over",))
  > offered |= public("Options.", options, groups + older + tuple(dir(Settings)))
  > for group in groups:
  >     offered |= public(f"Options.{group}.", getattr(options, group),
  >                       tuple(dir(Settings)) + ("options",))
  >     offered.discard(f"Options.{group}")
  > for kind in ("MultiConv", "CPU", "TensorLocationSettings"):
  >     offered |= public(kind + ".", getattr(poptorch, kind), dir(Settings))
  > offered |= {f"optim.{name}" for name in poptorch.optim.__all__}
  > for name in sorted(offered - set(said)):
  >     print("not in the manual:", name)
  > print(len(offered) > 150)
  > Y
  $ python3 offered.py
  True

All names at once leave Python its own:

  $ python3 -c 'from poptorch import *
  > print("printed", Options().device_iterations)'
  printed 1
