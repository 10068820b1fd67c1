poprun's instances find the SDK, under each launcher that is here.

  $ ipubox --install-sdk sdk > /dev/null
  $ here() { sed "s|$PWD|HERE|g; s|$IPUBOX|FILE|g"; }
  $ unset PYTHONPATH CPATH LIBRARY_PATH LD_LIBRARY_PATH PKG_CONFIG_PATH
  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ launchers=local; ! command -v mpirun > /dev/null || launchers='local mpirun'
  $ job() {	# ARGUMENT ...: what two instances have, the same by each launcher
  >   for launcher in $launchers; do
  >     poprun --offline-mode yes --num-replicas 2 --num-instances 2 --launcher $launcher "$@" \
  >         "$PWD/show" | here | sort > got.$launcher
  >     diff got.local got.$launcher
  >   done
  >   sed -n 's/^.1,1.<stdout>://p' got.local
  > }
  $ cat > show <<'X'
  > #!/bin/sh
  > printenv | grep '^\(IPUBOX_FILE\|IPUBOX_SDK\|PYTHONPATH\|CPATH\|LIBRARY_PATH\|PKG_CONFIG_PATH\)=' | sort
  > X
  $ chmod +x show

The file of ipubox always, and with the SDK all that finds it:

  $ job
  IPUBOX_FILE=FILE
  $ job --sdk sdk
  CPATH=HERE/sdk/include
  IPUBOX_FILE=FILE
  IPUBOX_SDK=HERE/sdk
  LIBRARY_PATH=HERE/sdk/lib
  PKG_CONFIG_PATH=HERE/sdk/lib/pkgconfig
  PYTHONPATH=HERE/sdk/python

Behind what the caller has, and what the user gives the instances:

  $ PYTHONPATH=theirs job --sdk sdk | grep PYTHON
  PYTHONPATH=theirs:HERE/sdk/python
  $ PYTHONPATH=$PWD/sdk/python:x job --sdk sdk | grep PYTHON
  PYTHONPATH=HERE/sdk/python:x
  $ PYTHONPATH=theirs job --sdk sdk --mpi-local-args='-x PYTHONPATH=.' | grep PYTHON
  PYTHONPATH=.:HERE/sdk/python
  $ job --sdk sdk --instance-mpi-local-args='1:-x PYTHONPATH=one -x CPATH=two' | grep 'PYTHON\|CPATH'
  CPATH=two:HERE/sdk/include
  PYTHONPATH=one:HERE/sdk/python
  $ grep '^.1,0.*PYTHON' got.local
  [1,0]<stdout>:PYTHONPATH=HERE/sdk/python
  $ PYTHONPATH=theirs job --sdk sdk --mpi-local-args='-x PYTHONPATH' | grep PYTHON
  PYTHONPATH=theirs:HERE/sdk/python

From the variable and from the file; the option counts before both:

  $ cp -r sdk other; printf '[sdk]\ndirectory = %s/other\n' "$PWD" > conf
  $ sdk() { poprun --offline-mode yes "$@" printenv IPUBOX_SDK 2>&1 | here; }
  $ export IPUBOX_CONFIG=$PWD/conf; sdk; IPUBOX_SDK=sdk sdk; IPUBOX_SDK=nowhere sdk --sdk sdk
  [1,0]<stdout>:HERE/other
  [1,0]<stdout>:HERE/sdk
  [1,0]<stdout>:HERE/sdk
  $ poprun --offline-mode yes --sdk '' printenv IPUBOX_SDK 2> /dev/null
  [1]
  $ unset IPUBOX_CONFIG

A dry run shows it, and so does a check; the command that the log shows is as it
would be without:

  $ poprun --offline-mode yes --sdk sdk --dry-run true | here | grep 'IPUBOX\|PYTHONPATH'
    IPUBOX_FILE=FILE
    IPUBOX_SDK=HERE/sdk
    PYTHONPATH=HERE/sdk/python
  $ poprun --offline-mode yes --sdk sdk --check true | here | sed -n '/^sdk/s/[0-9.]*$/N/; s/^sdk *ok */sdk ok /p'
  sdk ok HERE/sdk, version N
  $ command_of() { poprun --offline-mode yes --dry-run -v --num-replicas 2 --num-instances 2 "$@" true 2> /dev/null | sed -n 's/^command: //p'; }
  $ for launcher in $launchers; do
  >   command_of --launcher $launcher --mpi-local-args='-x PYTHONPATH=.' > without; [ -s without ] || echo none
  >   command_of --launcher $launcher --mpi-local-args='-x PYTHONPATH=.' --sdk sdk | diff without -
  > done

One that is none is refused before anything starts:

  $ poprun --offline-mode yes --sdk nowhere touch started
  POPRUN ERROR: --sdk: cannot find the SDK nowhere: No such file or directory
  [1]
  $ mkdir plain; IPUBOX_SDK=plain poprun --offline-mode yes touch started
  POPRUN ERROR: IPUBOX_SDK: plain is not an SDK of ipubox; ipubox --install-sdk DIR writes one
  [1]
  $ echo 'ipubox-sdk 1 unfinished' > plain/.ipubox-sdk; poprun --offline-mode yes --sdk plain touch started
  POPRUN ERROR: --sdk: the SDK in plain is not complete; ipubox --install-sdk completes it
  [1]
  $ ls started
  ls: cannot access 'started': No such file or directory
  [2]
  $ echo 'ipubox-sdk 0.0.9 complete' > plain/.ipubox-sdk; poprun --offline-mode yes --sdk plain true 2>&1 | here | sed 's/.*the SDK/the SDK/; s/this is [0-9.]*/this is N/'
  the SDK in HERE/plain is of ipubox 0.0.9, and this is N; ipubox --install-sdk brings it up to date
  $ poprun --offline-mode yes --sdk plain --check true | here | sed -n 's/this is [0-9.]*/this is N/; s/^sdk *warn */sdk warn /p'
  sdk warn HERE/plain is of ipubox 0.0.9, and this is N; ipubox --install-sdk brings it up to date

A program that lacks a module of the SDK is told of it, in one line:

  $ lacks() { poprun --offline-mode=yes "$@" sh -c 'echo "ModuleNotFoundError: No module named '"'$module'"'" >&2; exit 1' 2>&1 | grep 'SDK:'; }
  $ for module in $(ls "$TESTDIR/../config/sdk/python"); do lacks; done
    horovod is in ipubox's SDK: ipubox --install-sdk DIR, then poprun --sdk DIR
    ipubox_sdk is in ipubox's SDK: ipubox --install-sdk DIR, then poprun --sdk DIR
    popart is in ipubox's SDK: ipubox --install-sdk DIR, then poprun --sdk DIR
    popdist is in ipubox's SDK: ipubox --install-sdk DIR, then poprun --sdk DIR
    poptorch is in ipubox's SDK: ipubox --install-sdk DIR, then poprun --sdk DIR
    torchvision is in ipubox's SDK: ipubox --install-sdk DIR, then poprun --sdk DIR
  $ module=poptorch; lacks --num-replicas 2 --num-instances 2
    poptorch is in ipubox's SDK: ipubox --install-sdk DIR, then poprun --sdk DIR
  $ for module in torch poptorch.missing; do lacks; done
  [1]
  $ module=poptorch; "$IPUBOX" --install-sdk another > installed; lacks --sdk another
  [1]
  $ poprun --offline-mode=yes sh -c 'echo "No module named '"'poptorch'"'"' 2>&1 | grep SDK:
  [1]
