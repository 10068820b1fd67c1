#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
#skip-unless sh "$TESTDIR/cli/sdk-python-versions.sh"
The SDK for Python with the other Pythons that are there: those in PATH by their
numbers, and those of pyenv below the user's own directory.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ sh "$TESTDIR/cli/sdk-python-versions.sh" > pythons
  $ each() { while read -r version python; do "$python" "$@" > out 2>&1 && status=0 || status=$?; echo "$status $(tail -1 out)" | sed "s/ Python $version\$/ Python VERSION/"; done | sort -u; }

From 3.8 on all is well:

  $ grep -v '^2\|^3\.[0-7] ' pythons > new || echo none > new
  $ good() { [ "$(cat new)" = none ] && echo "0 good" || each "$@" < new; }
  $ good "$TESTDIR/cli/sdk-python.py" everything
  0 good

An older one gets one sentence, and a real package all the same:

  $ grep '^2\|^3\.[0-7] ' pythons > old || :
  $ for name in popdist popdist.collectives popdist.popdist_core; do each -c "import $name" < old > got; grep -v '^1 ImportError: popdist of ipubox needs Python 3.8 or later, but this is Python VERSION$' got; done
  [1]
  $ mkdir -p real/popdist && echo 'X = "1 real"' > real/popdist/__init__.py
  $ grep '^3' old > three || :
  $ PYTHONPATH=$PYTHONPATH:real each -c 'import popdist; print(popdist.X); raise SystemExit(1)' < three > got; grep -v '^1 1 real$' got
  [1]
