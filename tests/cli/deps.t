config/build/deps.sh gets the libraries' tarballs and refuses what is not in its
list; here with a list of its own and from a folder, as without a network.

  $ deps() { sh "$TESTDIR/../config/build/deps.sh" "$@"; }
  $ mkdir folder && echo tarball > folder/x_1.orig.tar.gz
  $ good=$(sha256sum < folder/x_1.orig.tar.gz | cut -d ' ' -f 1)
  $ none=0000000000000000000000000000000000000000000000000000000000000000
  $ list() { printf '# a comment\nx 1 x/x_1.orig.tar.gz %s - %s\n' "$@" > list; }
  $ export DEPS_LIST=$PWD/list DEPS_TARBALLS=$PWD/folder

  $ list $good $none
  $ deps fetch got
  deps: x_1.orig.tar.gz
  $ cmp folder/x_1.orig.tar.gz got/x_1.orig.tar.gz

What is there already is kept; what is damaged is fetched again:

  $ deps fetch got
  $ echo broken > got/x_1.orig.tar.gz
  $ deps fetch got
  deps: x_1.orig.tar.gz
  $ cmp folder/x_1.orig.tar.gz got/x_1.orig.tar.gz

The file of its home page will do, too:

  $ rm -r got; list $none $good
  $ deps fetch got
  deps: x_1.orig.tar.gz

Any other is refused, and not kept under its name:

  $ rm -r got; list $none $none
  $ deps fetch got
  deps: /*/folder/x_1.orig.tar.gz: wrong SHA-256 (glob)
  [1]
  $ test -e got/x_1.orig.tar.gz
  [1]

  $ deps
  deps: usage: deps.sh fetch DIR | build DIR PREFIX
  [1]

The list in use names each library once, with sums for both places:

  $ grep -v '^#' "$TESTDIR/../config/build/deps.list" | while read -r name version path sum home home_sum; do
  >   printf '%s %s\n' "$name" "$(echo "$sum$home_sum" | tr -d '0-9a-f' | wc -c)" 
  > done
  libmd 1
  libbsd 1
  inih 1
  zlib 1
  yyjson 1
  nghttp2 1
  nanopb 1
  libyaml 1
  libmicrohttpd 1
  termbox 1

config/build/tools.sh says what is missing and how to get it; it installs only as
root:

  $ mkdir bin && for tool in sh make gcc xz protoc mandoc; do ln -s /bin/true bin/$tool; done
  $ for tool in awk cat cut grep sed sort tr; do ln -s "$(command -v $tool)" bin/$tool; done
  $ printf '#!/bin/sh\necho 1000\n' > bin/id && chmod +x bin/id
  $ PATH=$PWD/bin /bin/sh "$TESTDIR/../config/build/tools.sh" build 2>&1 | sed 's/ libc6-dev//; s/ python3[-a-z]*//g'
  tools: as root, run: apt-get update && apt-get install -y --no-install-recommends musl-tools
  $ ln -s /bin/true bin/musl-gcc
  $ test ! -e /usr/include/stdio.h || PATH=$PWD/bin /bin/sh "$TESTDIR/../config/build/tools.sh"
  $ PATH=$PWD/bin /bin/sh "$TESTDIR/../config/build/tools.sh" paint
  tools: paint: must be one of bare browser build fuzz hosts lint programs slurm test
  [2]
  $ tools() { PATH=$PWD/bin /bin/sh "$TESTDIR/../config/build/tools.sh" "$@"; }
  $ tools lacking make tmux no-such-tool
  no-such-tool
  tmux
  $ tools packages lint | grep -c '^make$\|^mandoc$'
  2
  $ tools tools | grep -c '^make$\|^python3:torch$'
  2

config/setup.sh gets the tools and calls make, from wherever it is called; here
with a copy of it:

  $ mkdir -p tree/config/build && cp "$TESTDIR/../config/setup.sh" tree/config && cp "$TESTDIR/../config/build/tools.sh" tree/config/build
  $ ln -s "$(command -v dirname)" bin/dirname; rm bin/make
  $ setup() { PATH=$PWD/bin /bin/sh tree/config/setup.sh "$@" 2>&1; }
  $ setup demo | sed 's/ libc6-dev//; s/ python3[-a-z]*//g'
  tools: as root, run: apt-get update && apt-get install -y --no-install-recommends make
  $ setup demo > /dev/null
  [1]
  $ printf '#!/bin/sh\necho make "$@" in ${PWD##*/}\nexit 3\n' > bin/make; chmod +x bin/make
  $ setup test
  make test in tree
  [3]
  $ setup
  setup: usage: setup.sh demo | test
  [2]
  $ setup demo test
  setup: usage: setup.sh demo | test
  [2]
