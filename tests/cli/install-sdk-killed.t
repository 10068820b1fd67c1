#skip-unless [ -n "${IPUBOX_FAULTY:-}" ] # a build with fault points
ipubox --install-sdk, killed where it touches the disk: a file is whole or not
there, an SDK that is not complete is not used, and the next run leaves it as if
nothing had happened.  With FULL=1 it is killed at each point, otherwise at the
first ones, at the last ones and at some between.  One build does all of it,
since the SDK names the one that wrote it.

  $ alias ipubox='"$IPUBOX_FAULTY"'
  $ ipubox --install-sdk whole > /dev/null
  $ names() { (cd "$1" && find . -printf '%p %y %m\n' | sort); }
  $ names whole > wanted
  $ whole() { diff -r whole "$1" && names "$1" | diff wanted -; }
  $ killed() { IPUBOX_FAULT=$1 "$IPUBOX_FAULTY" --install-sdk sdk > out 2>&1; test $? = 137; }
  $ survives() {	# the first number at which it ends by itself
  >   low=1 high=4096
  >   while [ $low -lt $high ]; do
  >     n=$(((low + high) / 2)); before
  >     if killed $n; then low=$((n + 1)); else high=$n; fi
  >   done
  >   echo $low
  > }
  $ points() {
  >   last=$(($(survives) - 1)); step=199; [ -z "$FULL" ] || step=1
  >   test $last -gt 100 || echo "only $last points" >&2
  >   { seq 8; seq 9 $step $last; seq $((last - 7)) $last; } | sort -nu
  > }

Where there was nothing:

  $ before() { rm -rf sdk; }
  $ for n in $(points); do
  >   before; killed $n || echo "point $n: not killed"
  >   test -d sdk || continue
  >   if ipubox sdk-env sdk > env 2>&1; then whole sdk || echo "point $n: complete, and is not"; fi
  >   diff -r -x '.*' sdk whole | grep -v '^Only in'
  >   ipubox --install-sdk sdk > /dev/null && whole sdk || echo "point $n"
  > done

Over an older one:

  $ before() {
  >   rm -rf sdk; mkdir -p sdk/old sdk/examples; touch sdk/old/file; echo older > sdk/examples/hello.sh
  >   printf 'ipubox-sdk 0.0.1 complete\nold/file\nexamples/hello.sh\n' > sdk/.ipubox-sdk
  > }
  $ for n in $(points); do
  >   before; killed $n || echo "point $n: not killed"
  >   ipubox --install-sdk sdk > /dev/null && whole sdk || echo "point $n"
  > done
