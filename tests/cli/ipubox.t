ipubox, the file that holds the applets.

  $ ipubox --version
  ipubox [0-9]+[.][0-9]+[.][0-9]+ (re)
  $ ipubox --help | head -6
  usage: ipubox APPLET [argument ...]
         ipubox help [NAME]
         ipubox --install [-s] [-f] DIR
         ipubox --install-sdk [-f] DIR
         ipubox --unpack [-f] DIR
         ipubox --help | --licenses | --version

Alone it says the same as with --help:

  $ ipubox > alone; ipubox --help > help; ipubox -h > h
  $ cmp alone help && cmp help h

A line an applet, sorted, and each answers to its name:

  $ sed -n '/Applets:/,/Options:/s/^  \([a-z][a-z-]*\)  *[^ ].*/\1/p' help > names
  $ sort -c names && test -s names
  $ while read -r name; do
  >   ipubox $name --help | head -1 | grep -o "^usage: $name" |
  >   grep -qx "usage: $name" || echo "not so: $name"
  > done < names

The notices of what is linked in:

  $ ipubox --licenses | grep '^===='
  ==== ipubox ====
  ==== inih ====
  ==== libbsd ====
  ==== libmd ====
  ==== libmicrohttpd ====
  ==== libyaml ====
  ==== nanopb ====
  ==== nghttp2 ====
  ==== termbox ====
  ==== yyjson ====
  ==== zlib ====
  ==== musl ====
  $ ipubox --licenses | grep -c 'WITHOUT WARRANTY OF ANY KIND\|"AS IS"'
  [1-9][0-9]* (re)

A name that it does not know, as an argument and as a link:

  $ ipubox no-such-applet
  ipubox: no applet is called 'no-such-applet' (ipubox --help lists them)
  [127]
  $ ln -s "$IPUBOX" gc-nothing
  $ ./gc-nothing --help
  ipubox: no applet is called 'gc-nothing' (ipubox --help lists them)
  [127]
  $ ipubox ''
  ipubox: no applet is called '' (ipubox --help lists them)
  [127]

A copy of another version is ipubox still:

  $ ln -s "$IPUBOX" ipubox-0.1
  $ ./ipubox-0.1 --version | sed 's/ .*//'
  ipubox

Misuse:

  $ ipubox --nope
  ipubox: unrecognised option '--nope'
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox -s
  ipubox: which applet?
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox --install
  ipubox: --install takes one directory
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox --install a b
  ipubox: --install takes one directory
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]

Links, symbolic and hard (a copy: hard links stay on one file system), also
over older ones:

  $ { cat names; echo ipubox; } | sort > links
  $ mkdir soft hard; cp "$IPUBOX" ipubox
  $ ipubox --install -s soft && ls soft | cmp - links
  $ ./ipubox --install hard && ls hard | cmp - links
  $ ./ipubox --install -s hard && ./ipubox --install hard && ls -A hard | cmp - links
  $ for name in $(cat links); do
  >   test ! -L hard/$name && test hard/$name -ef ipubox && test -L soft/$name ||
  >       echo "not so: $name"
  > done

The file may lie there itself, and stays; those of another version, and links
to where it was, are replaced:

  $ mkdir here; cp "$IPUBOX" here/ipubox; cp "$IPUBOX" here/poprun; echo >> here/poprun
  $ ln -s /nowhere/ipubox here/vipu
  $ here/ipubox --install -s here && ls here | cmp - links
  $ test ! -L here/ipubox && test here/poprun -ef here/ipubox && test -L here/poprun
  $ here/vipu --version
  ipubox [0-9.]* [(]vipu[)] (re)
  $ here/ipubox --install here && find here -type l

No link takes the place of another program; then none is made at all:

  $ ipubox --install no/such
  ipubox: directory no/such does not exist; create it with mkdir -p no/such
  [1]
  $ ipubox --install names
  ipubox: names is not a directory
  [1]
  $ mkdir taken; refused() { ./ipubox --install taken; ls taken; }
  $ echo 'The IPU Pod tools in one file. Applets:' > taken/poprun; refused
  ipubox: taken/poprun already exists and belongs to another program; choose another directory or use --force
  poprun
  $ ln -sf /bin/sh taken/poprun; refused
  ipubox: taken/poprun already exists and belongs to another program; choose another directory or use --force
  poprun
  $ ln -sf /nowhere/sh taken/poprun; refused
  ipubox: taken/poprun already exists and belongs to another program; choose another directory or use --force
  poprun
  $ rm taken/poprun; mkdir taken/ipubox; refused
  ipubox: taken/ipubox already exists and belongs to another program; choose another directory or use --force
  ipubox
  $ rmdir taken/ipubox; cp /bin/sh taken/vipu; refused
  ipubox: taken/vipu already exists and belongs to another program; choose another directory or use --force
  vipu
  $ ./ipubox --install --force taken && taken/vipu --version
  ipubox [0-9.]* [(]vipu[)] (re)

Nor does one hide a program that the PATH has:

  $ mkdir sdk before; cp /bin/sh sdk/gc-info
  $ (PATH=$PWD/sdk:/usr/bin:/bin && ./ipubox --install before; ls before) 2>&1 | sed "s|$PWD|HERE|"
  ipubox: before/gc-info could hide HERE/sdk/gc-info, which belongs to another program; choose another directory or use --force
  $ (PATH=$PWD/sdk:$PATH && ./ipubox --install -f before) && ls before | cmp - links

A copy with its links and the SDK, on whatever file system; it is brought up to
date in its place, also by itself, and may be seen under another path:

  $ ./ipubox --unpack there && ls there/bin | cmp - links && ls there
  bin
  sdk
  $ cmp "$IPUBOX" there/bin/ipubox && test ! there/bin/ipubox -ef ipubox
  $ find there/bin -type l; find there/bin ! -samefile there/bin/ipubox
  there/bin
  $ there/bin/ipubox --unpack there && cmp "$IPUBOX" there/bin/poprun
  $ for f in bin/ipubox sdk/python/popdist/__init__.py; do
  >   cp there/$f whole && echo >> there/$f && ipubox --unpack there && cmp whole there/$f
  > done; cmp "$IPUBOX" there/bin/poprun
  $ mv there elsewhere && elsewhere/bin/vipu --version && elsewhere/bin/ipubox sdk-env elsewhere/sdk | grep -c elsewhere/bin/ipubox
  ipubox [0-9.]* [(]vipu[)] (re)
  1
  $ ipubox --unpack "$IPUBOX_STATE_DIR.unpacked" && cmp "$IPUBOX" "$IPUBOX_STATE_DIR.unpacked/bin/vipu"
  $ ipubox --unpack no/such
  ipubox: directory no/such does not exist; create it with mkdir -p no/such
  [1]
  $ ipubox --unpack names
  ipubox: names is not a directory
  [1]
  $ mkdir -p full/bin && echo > full/bin/vipu; ipubox --unpack full; ls full full/bin
  ipubox: full/bin/vipu already exists and belongs to another program; choose another directory or use --force
  full:
  bin
  
  full/bin:
  vipu
  $ ipubox --unpack -f full && full/bin/vipu --version
  ipubox [0-9.]* [(]vipu[)] (re)
  $ ipubox --unpack -s full 2>&1 | head -1
  ipubox: -s needs --install
  $ ipubox --unpack 2>&1 | head -1
  ipubox: --unpack takes one directory

A failed write is a failure, also where stdout is closed:

  $ ipubox > /dev/full
  ipubox: cannot write to standard output(: No space left on device)? (re)
  [1]
  $ ipubox --licenses > /dev/full
  ipubox: cannot write to standard output(: No space left on device)? (re)
  [1]
  $ ipubox --version >&-
  ipubox: cannot write to standard output(: Bad file descriptor)? (re)
  [1]
  $ ipubox no-such-applet 2>&-
  [127]

A reader that has gone away is not a failure that a message is about, also where
SIGPIPE is ignored:

  $ mkfifo gone; exec 7<>gone 8>gone 7<&-
  $ vipu create partition pt --size 4 > out
  $ each() { for c in 'ipubox' 'ipubox --licenses' 'vipu list partitions' 'vipu doctor' 'gc-monitor' 'gc-info -l' 'gc-inventory' 'poprun --help' 'poprun --check --offline-mode=yes true' 'mnist-pipeline --dataset generated --samples 8000' 'ipubox-train mnist --dataset generated --samples 8000'; do "$@" $c >&8 || echo $?; done | sort | uniq -c | tr -s ' '; }
  $ each env
   11 141
  $ each sh -c 'trap "" PIPE; exec "$@"' sh
   11 141
  $ vipu remove partition pt
  remove partition (pt): success
