ipubox, the file that holds the applets.

  $ ipubox --version
  ipubox [0-9]+[.][0-9]+[.][0-9]+ (re)
  $ ipubox --help | head -3
  usage: ipubox APPLET [argument ...]
         ipubox --install [-s] DIR
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
  ==== yyjson ====
  ==== zlib ====
  ==== musl ====
  $ ipubox --licenses | grep -c 'WITHOUT WARRANTY OF ANY KIND\|"AS IS"'
  [1-9][0-9]* (re)

A name that it does not know, as an argument and as a link:

  $ ipubox no-such-applet
  ipubox: no applet 'no-such-applet' (ipubox alone lists them)
  [127]
  $ ln -s "$IPUBOX" gc-nothing
  $ ./gc-nothing --help
  ipubox: no applet 'gc-nothing' (ipubox alone lists them)
  [127]
  $ ipubox ''
  ipubox: no applet '' (ipubox alone lists them)
  [127]

A copy of another version is ipubox still:

  $ ln -s "$IPUBOX" ipubox-0.1
  $ ./ipubox-0.1 --version | sed 's/ .*//'
  ipubox

Misuse:

  $ ipubox --nope
  ipubox: unrecognised option '--nope'
  usage: ipubox APPLET [argument ...] (ipubox alone lists the applets)
  [2]
  $ ipubox -s
  ipubox: which applet?
  usage: ipubox APPLET [argument ...] (ipubox alone lists the applets)
  [2]
  $ ipubox --install
  ipubox: --install takes one folder
  usage: ipubox APPLET [argument ...] (ipubox alone lists the applets)
  [2]
  $ ipubox --install a b
  ipubox: --install takes one folder
  usage: ipubox APPLET [argument ...] (ipubox alone lists the applets)
  [2]

Links, symbolic and hard (a copy: hard links stay on one file system), also
over older ones:

  $ mkdir soft hard; cp "$IPUBOX" ipubox
  $ ipubox --install -s soft && ls soft | cmp - names
  $ ./ipubox --install hard && ls hard | cmp - names
  $ ./ipubox --install -s hard && ./ipubox --install hard && ls -A hard | cmp - names
  $ find hard -type f -links +1 | wc -l | cmp - names -n 0
  $ for name in $(cat names); do
  >   test hard/$name -ef ipubox && test -L soft/$name || echo "not so: $name"
  > done
  $ ipubox --install no/such/folder
  ipubox: cannot link no/such/folder/[a-z-]* to .*: No such file or directory (re)
  [1]

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
