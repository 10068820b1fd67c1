ipubox-sdk-env: a shell's variables, with the SDK in them.

  $ ipubox --install-sdk sdk > /dev/null
  $ here() { sed "s|$PWD|HERE|g; s|$IPUBOX|FILE|g"; }
  $ vars() { ipubox sdk-env "$@" 2>&1 | here; }
  $ unset PYTHONPATH CPATH LIBRARY_PATH LD_LIBRARY_PATH PKG_CONFIG_PATH

  $ vars sdk
  export IPUBOX_SDK='HERE/sdk';
  export IPUBOX_FILE='FILE';
  export PYTHONPATH='HERE/sdk/python';
  export CPATH='HERE/sdk/include';
  export LIBRARY_PATH='HERE/sdk/lib';
  export PKG_CONFIG_PATH='HERE/sdk/lib/pkgconfig';
  $ vars --shell csh sdk | sed -n 1,3p; vars --shell=fish sdk | sed -n 3p
  setenv IPUBOX_SDK 'HERE/sdk';
  setenv IPUBOX_FILE 'FILE';
  setenv PYTHONPATH 'HERE/sdk/python';
  set -gx PYTHONPATH 'HERE/sdk/python';
  $ vars --shell bash sdk > bash; vars sdk | diff - bash

In front of what is set, and once, however often it is evaluated; where a shared
library was made, programs find it:

  $ (export PYTHONPATH=a:$PWD/sdk/python:b CPATH=; vars sdk | grep 'PYTHON\|CPATH')
  export PYTHONPATH='HERE/sdk/python:a:b';
  export CPATH='HERE/sdk/include';
  $ touch sdk/lib/libpopdist.so; LD_LIBRARY_PATH=x vars sdk | grep LD_
  export LD_LIBRARY_PATH='HERE/sdk/lib:x';
  $ eval "$(PYTHONPATH=a ipubox sdk-env sdk)" && printenv > once
  $ eval "$(ipubox sdk-env)" && printenv | diff once -
  $ test "$IPUBOX_FILE" -ef "$IPUBOX" && test "$IPUBOX_SDK" -ef sdk && echo "$PYTHONPATH" | here
  HERE/sdk/python:a

And back; also of an SDK that is gone:

  $ mv sdk moved; eval "$(ipubox sdk-env --unset)"; mv moved sdk; rm sdk/lib/libpopdist.so
  $ printenv | grep 'IPUBOX_SDK\|IPUBOX_FILE\|CPATH\|LIBRARY_PATH\|PKG'; echo "$PYTHONPATH"
  a
  $ vars --unset
  unset IPUBOX_SDK;
  unset IPUBOX_FILE;
  $ unset PYTHONPATH

A name that a shell would read otherwise:

  $ mkdir "it's \$HOME"; ipubox --install-sdk "it's \$HOME/sdk" | tail -1 > words
  $ (eval "$(cat words)"; test "$IPUBOX_SDK" -ef "it's \$HOME/sdk" && echo found)
  found

Which one, where none is named: the variable's, then the file's.

  $ vars
  ipubox-sdk-env: no SDK is named; give the directory that ipubox --install-sdk filled, or set it in ipubox.conf
  $ printf '[sdk]\ndirectory = %s/sdk\n' "$PWD" > conf; export IPUBOX_CONFIG=$PWD/conf
  $ vars | head -1; IPUBOX_SDK="it's \$HOME/sdk" vars | head -1
  export IPUBOX_SDK='HERE/sdk';
  export IPUBOX_SDK='HERE/it'\''s $HOME/sdk';
  $ printf '[sdk]\ndirectory = sdk\n' > conf; vars | here
  ipubox-sdk-env: HERE/conf:2: directory 'sdk': must begin with '/'
  $ printf '[sdk]\ndirectory = /no/such\n' > conf; vars | here
  ipubox-sdk-env: HERE/conf:2: cannot find the SDK /no/such: No such file or directory
  $ unset IPUBOX_CONFIG

What is not an SDK, or not a whole one; one of another version is told of:

  $ mkdir plain; vars plain; IPUBOX_SDK=plain vars
  ipubox-sdk-env: plain is not an SDK of ipubox; ipubox --install-sdk DIR writes one
  ipubox-sdk-env: IPUBOX_SDK: plain is not an SDK of ipubox; ipubox --install-sdk DIR writes one
  $ ipubox sdk-env plain 2> /dev/null
  [1]
  $ cp -r sdk part; sed -i '1s/complete/unfinished/' part/.ipubox-sdk; vars part
  ipubox-sdk-env: the SDK in part is not complete; ipubox --install-sdk completes it
  $ echo nonsense > part/.ipubox-sdk; vars part
  ipubox-sdk-env: part/.ipubox-sdk is damaged: its first line is not that of an SDK; ipubox --install-sdk --force writes it again
  $ echo 'ipubox-sdk 0.0.9 complete' > part/.ipubox-sdk; vars part | grep -v '^export' | sed 's/this is [0-9.]*/this is N/'
  ipubox-sdk-env: the SDK in HERE/part is from ipubox 0.0.9, but this is N; update it with ipubox --install-sdk

A program in place of a shell has the same variables, and its own exit status:

  $ ipubox sdk-env sdk -- printenv | sort > of-program; (eval "$(ipubox sdk-env sdk)"; printenv) | sort | diff of-program -
  $ IPUBOX_SDK=sdk ipubox sdk-env -- sh -c 'echo "$PYTHONPATH $#"' x --shell a | here
  HERE/sdk/python 2
  $ ipubox sdk-env sdk -- sh -c 'exit 7'
  [7]
  $ ipubox sdk-env sdk -- no-such-program
  ipubox-sdk-env: program 'no-such-program' not found in PATH
  [127]
  $ ipubox sdk-env sdk -- ./sdk
  ipubox-sdk-env: cannot execute ./sdk: Is a directory
  [126]
  $ PYTHONPATH=a:b ipubox sdk-env sdk -- sh -c 'echo "$PYTHONPATH"; exec ipubox sdk-env sdk -- printenv PYTHONPATH' | here
  HERE/sdk/python:a:b
  HERE/sdk/python:a:b

The tools beside the file, before others of their names:

  $ mkdir real; printf '#!/bin/sh\necho real\n' > real/vipu; chmod +x real/vipu
  $ ipubox --unpack box; export PATH="$PWD/real:$PATH"
  $ box/bin/ipubox sdk-env --path box/sdk -- sh -c 'vipu --version; echo "$PATH"' | sed "s|$PWD|HERE|g; s|HERE/real:.*|HERE/real:...|"
  ipubox [0-9.]* [(]vipu[)] (re)
  HERE/box/bin:HERE/real:...
  $ box/bin/ipubox sdk-env --path box/sdk -- vipu --version
  ipubox [0-9.]* [(]vipu[)] (re)
  $ (eval "$(box/bin/ipubox sdk-env box/sdk --path)"; eval "$(ipubox sdk-env --path)"; echo "$PATH" | sed "s|$PWD|HERE|g; s|HERE/real:.*|HERE/real:...|"
  >     eval "$(ipubox sdk-env --path --unset)"; echo "$PATH" | sed "s|$PWD|HERE|g; s|HERE/real:.*|HERE/real:...|")
  HERE/box/bin:HERE/real:...
  HERE/real:...

Misuse:

  $ ipubox sdk-env a b
  ipubox-sdk-env: takes only one directory
  usage: ipubox-sdk-env [--path] [--shell SHELL] [--unset] [DIR]
  [2]
  $ ipubox sdk-env --shell tcl sdk
  ipubox-sdk-env: --shell 'tcl': must be sh, csh or fish
  usage: ipubox-sdk-env [--path] [--shell SHELL] [--unset] [DIR]
  [2]
  $ ipubox sdk-env --version
  ipubox [0-9.]+ \(ipubox-sdk-env\) (re)
  $ ipubox sdk-env --unset sdk -- true 2>&1 | head -1
  ipubox-sdk-env: --unset cannot be used with a program
  $ ipubox sdk-env --shell sh sdk -- true 2>&1 | head -1
  ipubox-sdk-env: --shell cannot be used with a program
  $ ipubox sdk-env sdk -- 2>&1 | head -1
  ipubox-sdk-env: which program?
  $ ipubox sdk-env sdk other -- true
  ipubox-sdk-env: takes only one directory
  usage: ipubox-sdk-env [--path] [--shell SHELL] [--unset] [DIR]
  [2]
