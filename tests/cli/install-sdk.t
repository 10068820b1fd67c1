ipubox --install-sdk: the files of config/sdk, into a directory of ours.

  $ sdk=$(cd "$TESTDIR/../config/sdk" && pwd)
  $ names() { (cd "$1" && find . -type f ! -path '*/__pycache__/*' ! -name .ipubox-sdk | sort); }
  $ look() { (cd "$1" && find . -printf '%p %y %m %l\n' | sort; cat .ipubox-sdk 2> /dev/null); }
  $ umask 022

Byte for byte, with their modes, but for the path of the ipubox that writes
them; the last part of the path is made:

  $ ipubox --install-sdk out
  The SDK is in out.  To use it in a shell, run
      eval "$(ipubox sdk-env 'out')"
  $ names "$sdk" > wanted; names out | diff wanted - && test -s wanted
  $ while read -r file; do
  >   sed "/^#define IPUBOX_WRITTEN_BY/s|$IPUBOX||" "out/$file" | cmp "$sdk/$file" - || echo "not so: $file"
  >   mode=644; test ! -x "$sdk/$file" || mode=755
  >   test "$(stat -c %a "out/$file")" = $mode || echo "mode of $file"
  > done < wanted
  $ find out -type d ! -perm 755
  $ head -1 out/.ipubox-sdk
  ipubox-sdk [0-9.]+ complete (re)
  $ sed 1d out/.ipubox-sdk | sed 's|^|./|' | sort | diff wanted -
  $ sed 1,5d out/lib/ipubox_file.h | sed "s|$IPUBOX|FILE|"
  #define IPUBOX_WRITTEN_BY "FILE"
  $ (umask 077 && ipubox --install-sdk mine > /dev/null) && find mine -perm /077

Again, over what was edited or lost; what is not ours stays, also in our
directories:

  $ look out > before
  $ echo edited > out/examples/hello.sh
  $ mkdir out/own; touch out/own/program.c out/examples/own.c
  $ ipubox --install-sdk out > /dev/null && cmp out/examples/hello.sh "$sdk/examples/hello.sh"
  $ ls out/own out/examples/own.c
  out/examples/own.c
  
  out/own:
  program.c
  $ rm -r out/own out/examples/own.c; look out | diff before -

Files of an older version that this one has not go, and their directories where
nothing else is in them:

  $ mkdir -p out/old/deep out/older; touch out/old/deep/file out/old/mine out/older/file
  $ { echo 'ipubox-sdk 0.0.1 complete'; sed 1d out/.ipubox-sdk; echo old/deep/file; echo older/file; echo lib/never.c; } > marker
  $ cp marker out/.ipubox-sdk; ipubox --install-sdk out > /dev/null; ls -R out/old
  out/old:
  mine
  $ ls -d out/older
  ls: cannot access 'out/older': No such file or directory
  [2]
  $ rm -r out/old; look out | diff before -

So does what Python has compiled of a module that goes, and nothing else:

  $ mkdir -p out/python/gone/__pycache__ out/python/popdist/__pycache__
  $ touch out/python/gone/__init__.py out/python/gone/__pycache__/__init__.cpython-311.pyc
  $ touch out/python/popdist/__pycache__/__init__.cpython-311.pyc out/python/popdist/old.py
  $ touch out/python/popdist/__pycache__/old.cpython-311.pyc out/python/popdist/__pycache__/older.cpython-311.pyc
  $ { head -1 marker; sed 1d out/.ipubox-sdk; echo python/gone/__init__.py; echo python/popdist/old.py; } > again
  $ cp again out/.ipubox-sdk; ipubox --install-sdk out > /dev/null; ls -d out/python/gone
  ls: cannot access 'out/python/gone': No such file or directory
  [2]
  $ ls out/python/popdist/__pycache__
  __init__.cpython-311.pyc
  older.cpython-311.pyc
  $ rm -r out/python/popdist/__pycache__; look out | diff before -

A marker that names a file elsewhere is not believed:

  $ touch victim; echo ../victim >> marker; cp marker out/.ipubox-sdk
  $ ipubox --install-sdk out
  ipubox: out/.ipubox-sdk is damaged: line [0-9]+ is not a path below its directory; --force uses the directory anyway (re)
  [1]
  $ ipubox --install-sdk --force out > /dev/null; ls victim; look out | diff before -
  victim

An empty directory is ours, and one that a link leads to:

  $ mkdir empty; ln -s empty link; ipubox --install-sdk link > /dev/null; look empty | diff before -

Anything else is refused before a byte is written:

  $ mkdir taken; echo mine > taken/examples; look taken > taken-before || true
  $ ipubox --install-sdk taken; look taken | diff taken-before -
  ipubox: taken holds files that are not an SDK of ipubox; choose another directory, or use --force
  $ ipubox --install-sdk -f taken; look taken | diff taken-before -
  ipubox: cannot open directory taken/examples: Not a directory
  $ rm taken/examples; touch taken/mine
  $ ipubox --install-sdk -f taken > /dev/null; ls -A taken | grep -x 'mine\|.ipubox-sdk'
  .ipubox-sdk
  mine
  $ ipubox --install-sdk victim
  ipubox: victim is not a directory
  [1]
  $ ln -s nowhere dangling; ipubox --install-sdk dangling; ls nowhere 2> /dev/null
  ipubox: dangling is a symbolic link that leads nowhere; remove it
  [2]
  $ ipubox --install-sdk no/such
  ipubox: cannot make no/such: its parent directory is missing; make it with mkdir -p
  [1]
  $ ipubox --install-sdk a:b; ls a:b
  ipubox: 'a:b': variables such as PYTHONPATH cannot hold a path with ':' or a line break; choose another name
  ls: cannot access 'a:b': No such file or directory
  [2]
  $ ipubox --install-sdk ''
  ipubox: cannot make : its parent directory is missing; make it with mkdir -p
  [1]

Nor is a folder taken that another user could change, for programs run what is in
it; a group that root or the user gave the folder to (2770) may:

  $ mkdir open && chmod 777 open; ipubox --install-sdk open; ls -A open
  ipubox: others may write open, and could change the SDK; chmod go-w open
  $ chmod 777 open; mkdir open/own; ipubox --install-sdk open/own; ls -A open/own
  ipubox: others may write the directory above open/own, and could replace the SDK; chmod o-w or chmod +t that directory
  $ rmdir open/own
  $ chmod 1775 open; ipubox --install-sdk --force open
  ipubox: others may write open, and could change the SDK; chmod go-w open
  [1]
  $ chmod 2770 open; ipubox --install-sdk open > /dev/null && (umask 0; ipubox --install-sdk own > /dev/null) && find own -perm /022
  $ mkdir anothers; if [ "$(id -u)" = 0 ]; then chown 64999 anothers; ipubox --install-sdk anothers; else echo "ipubox: anothers belongs to uid 64999, which could change the SDK; choose a folder of your own"; fi 2>&1; rm -rf anothers
  ipubox: anothers belongs to uid 64999, which could change the SDK; choose a folder of your own

No symbolic link in it is followed, and a folder is not replaced:

  $ mkdir elsewhere; rm -r out/examples; ln -s ../elsewhere out/examples
  $ ipubox --install-sdk out; ls elsewhere; head -1 out/.ipubox-sdk | grep -o '[a-z]*$'
  ipubox: out/examples is a symbolic link, but must be a directory; remove it
  complete
  $ rm out/examples; mkdir -p out/examples/hello.sh
  $ ipubox --install-sdk out; find out -name '.*.tmp'
  ipubox: out/examples/hello.sh is a directory, but must be a file; move it away
  $ rm -r out/examples; echo mine > elsewhere/hello.sh; mkdir out/examples; ln -s ../../elsewhere/hello.sh out/examples
  $ ipubox --install-sdk out > /dev/null; cat elsewhere/hello.sh; look out | diff before -
  mine

Two at once: the second one waits for nobody. (The lock is on the directory.)

  $ mkfifo hold; (flock 9; echo > hold; read -r _ < hold) 9< out & read -r _ < hold
  $ ipubox --install-sdk out
  ipubox: another ipubox is writing the SDK into out; wait until it is done
  [1]
  $ echo > hold; wait; ipubox --install-sdk out > /dev/null && look out | diff before -

A disk that is full, here a limit of the size of files: as before, and nothing
where there was nothing.

  $ (ulimit -f 0; trap '' XFSZ; ipubox --install-sdk fresh 2>&1) | cat; ls -d fresh
  ipubox: cannot write fresh/.ipubox-sdk: File too large
  ls: cannot access 'fresh': No such file or directory
  [2]

Misuse:

  $ ipubox --install-sdk
  ipubox: --install-sdk takes one directory
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox --install-sdk -s x
  ipubox: -s needs --install
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox --install-sdk --install x
  ipubox: use only one of --install, --install-sdk and --unpack
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
