Bad input, as a table: every command, every argument.  Each is refused with
the exit status that the manual says and one reason on stderr that is fit for
a terminal, and perhaps the line that says where the state is; nothing is
printed on stdout, and nothing has changed.

  $ vipu create partition p --size 8 --num-gcds 2
  create partition (p): success
  $ sum() { find "$IPUBOX_STATE_DIR" "$HOME/.ipuof.conf.d" -type f ! -name lock -exec cksum {} +; }
  $ before=$(sum)

The check of a refusal, and then of what has changed: each prints nothing where
all is as it must be, else what is wrong.

  $ refused() {	# STATUS COMMAND ...
  >   wanted=$1; shift
  >   "$@" > "$TMPDIR/out" 2> "$TMPDIR/err"; status=$?
  >   [ $status = $wanted ] || echo "status $status: $*"
  >   [ ! -s "$TMPDIR/out" ] || { echo "stdout: $*"; cat "$TMPDIR/out"; }
  >   [ "$(grep -avcE '^\((state directory|server): |[[:cntrl:]]' "$TMPDIR/err")" = $wanted ] ||
  >     { echo "lines, or control characters: $*"; cat -v "$TMPDIR/err"; }
  >   count=$((count + 1))
  > }
  $ unchanged() { [ "$before" = "$(sum)" ] || { echo "changed: $*"; before=$(sum); }; }

It can see what is wrong:

  $ refused 1 vipu list partitions -q
  status 0: vipu list partitions -q
  stdout: vipu list partitions -q
  p
  lines, or control characters: vipu list partitions -q
  $ spoil() { printf 'a\033\n' >&2; echo >> "$IPUBOX_STATE_DIR/x"; return 1; }
  $ refused 1 spoil; unchanged it
  lines, or control characters: spoil
  a^[
  changed: it
  $ rm "$IPUBOX_STATE_DIR/x"; before=$(sum)

Names: what is none, and what is none in file systems, shells or terminals.

  $ cat > names <<'END'
  > 
  > .
  > ..
  > ../x
  > ../../etc/passwd
  > /p
  > p/
  > a/b
  > .p
  > -p
  > _p
  > --
  > a b
  >  p
  > p 
  > p*
  > p;ls
  > $p
  > p\
  > p"
  > p,q
  > p:q
  > p=q
  > ~
  > böse
  > ｐ
  > END
  $ printf '\033[31mred\npp\tq\n\a\np\177\n\200\n\303\np\302\233q\n' >> names
  $ printf '%64s\n%300s\n%4000s\n' '' '' '' | tr ' ' x >> names
  $ wc -l < names
  36
  $ count=0
  $ while IFS= read -r name; do
  >   refused 1 vipu create partition --size 1 -- "$name"
  >   refused 1 vipu create partition --options --size 1 -- "$name"
  >   refused 1 vipu create partition q --size 1 --allocation "$name"
  >   refused 1 vipu create partition q --size 1 --cluster "$name"
  >   refused 1 vipu create partition q --size 1 --cluster "$name" --index 0
  >   refused 1 vipu create partition q --size 1 --options --cluster "$name"
  >   refused 1 vipu get partition -- "$name"
  >   refused 1 vipu get partition --format json -- "$name"
  >   refused 1 vipu get partition --ipuof-configs -- "$name"
  >   refused 1 vipu remove partition -- "$name"
  >   refused 1 vipu remove partition --force -- "$name"
  >   refused 1 vipu delete partition -- "$name"
  >   refused 1 vipu reset partition -- "$name"
  >   refused 1 vipu get allocation -- "$name"
  >   refused 1 vipu list ipu-attrs --agents "$name"
  >   refused 1 vipu list ipu-attrs --agents "ag01,$name"
  >   refused 1 vipu env -- "$name"
  >   unchanged "$name"
  >   case $name in -*) continue ;; esac	# an option, to exec
  >   refused 1 vipu exec "$name" -- echo no; unchanged "exec $name"
  > done < names; echo $count
  646

Numbers that are none end with 2; so does what could never be.

  $ cat > numbers <<'END'
  > 
  > -1
  > -0x1
  > +4
  >  4
  > 4 
  > 4x
  > x4
  > 0x4
  > 4.0
  > 4,0
  > 1e1
  > ４
  > four
  > --
  > 2147483648
  > 4294967296
  > 4294967300
  > 9223372036854775807
  > 9223372036854775808
  > 18446744073709551616
  > 18446744073709551617
  > -9223372036854775809
  > 99999999999999999999999999999999999999
  > END
  $ printf '4\t\n\033[31m4\n\2004\n' >> numbers
  $ count=0
  $ while IFS= read -r number; do
  >   refused 2 vipu create partition q --size "$number"
  >   refused 2 vipu create partition q --options --size "$number"
  >   refused 2 vipu create partition q --size 4 --num-gcds "$number"
  >   refused 2 vipu create partition q --size 4 --total-num-replicas "$number"
  >   refused 2 vipu create partition q --size 4 --num-ilds "$number"
  >   refused 2 vipu create partition q --size 4 --cluster cl0 --index "$number"
  >   refused 2 vipu get partition p --ipuof-configs --gcd "$number"
  >   refused 2 vipu env p --gcd "$number"
  >   unchanged "$number"
  > done < numbers; echo $count
  216

Times of --ttl: seconds, or 15m, 2h, 7d.

  $ for time in '' 0 -1 +4 ' 4' '4 ' 4x 0x4 4.5 1e1 m 4mm 4h30m '4 m' 0m -4h ４ \
  >     18446744073709551617 99999999999999999999d 153722867280912931m; do
  >   refused 2 vipu create partition q --size 1 --ttl "$time"
  > done; unchanged times

No number of IPUs, GCDs, replicas or ILDs is 0; an index or a GCD may be.

  $ for option in --num-gcds --total-num-replicas --num-ilds; do
  >   refused 2 vipu create partition q --size 4 $option 0
  > done; refused 2 vipu create partition q --size 0; unchanged

Numbers that could be, but not here, end with 1 and say the rule.

  $ while read -r rule; do
  >   refused 1 vipu create partition q $rule
  >   sed 's/.*: failed: //' "$TMPDIR/err"; unchanged "$rule"
  > done <<'END'
  > --size 3
  > --size 65535
  > --size 65536
  > --size 128 --num-gcds 2
  > --size 8 --num-gcds 3
  > --size 8 --num-gcds 16
  > --size 8 --total-num-replicas 3
  > --size 8 --total-num-replicas 16
  > --size 8 --num-gcds 4 --total-num-replicas 2
  > --size 8 --num-ilds 3
  > --size 8 --num-ilds 2
  > --size 8 --num-ilds 2 --num-gcds 2
  > --size 4 --num-ilds 8 --num-gcds 4
  > --size 4 --index 0
  > --size 4 --cluster cl0 --index 14
  > --size 4 --cluster cl0 --index 65536
  > --size 32 --routing dnc
  > --size 16 --routing swnc
  > --size 32 --routing ringswnc
  > --size 64 --routing btnc
  > --size 4 --gateway-routing ring
  > --size 4 --sync-type gs2-independent-rails
  > --size 4 --reconfigurable --num-gcds 2
  > --size 128 --reconfigurable
  > --size 4 --reconfigurable --sync-type pod-native-default
  > END
  size 3: must be a power of 2 (1, 2, 4, 8, ...).
  size 65535: must be a power of 2 (1, 2, 4, 8, ...).
  size 65536: cluster cl0 has 64 IPUs.
  size 128: cluster cl0 has 64 IPUs.
  num-gcds 3: must divide the size, 8, into equal parts.
  num-gcds 16: must divide the size, 8, into equal parts.
  total-num-replicas 3: must be a power of 2, and at most one for each of the 8 IPUs.
  total-num-replicas 16: must be a power of 2, and at most one for each of the 8 IPUs.
  total-num-replicas 2: must be a multiple of the number of GCDs, 4.
  num-ilds 3: must be a power of 2, and at most the size, 8.
  num-ilds 2: cluster cl0 has 1 IPU-Link domain.
  num-ilds 2: cluster cl0 has 1 IPU-Link domain.
  num-ilds 8: must be a power of 2, and at most the size, 4.
  index 0: an index counts inside one cluster, so --index needs --cluster.
  index 14: cluster cl0 has 14 free placements of size 4 (--options lists them).
  index 65536: cluster cl0 has 14 free placements of size 4 (--options lists them).
  routing DNC: supports at most 16 IPUs in an IPU-Link domain, not 32; use SWNC.
  routing SWNC: needs more than 16 IPUs in an IPU-Link domain, not 16; use DNC.
  routing RINGSWNC: needs an entire IPU-Link domain of at least 16 IPUs with torus topology.
  routing BTNC: needs an entire IPU-Link domain with torus topology and one IPU per replica (--total-num-replicas 64).
  gateway routing RING: the partition is in one IPU-Link domain and uses no gateway links.
  sync type gs2-independent-rails is not supported.
  a reconfigurable partition has one GCD, not 2: leave out --reconfigurable or --num-gcds.
  size 128: cluster cl0 has 64 IPUs.
  sync type pod-native-default: a reconfigurable partition must have c2-compatible.

A GCD that the partition has not:

  $ refused 1 vipu get partition p --ipuof-configs --gcd 2; sed 's/.*: failed: //' "$TMPDIR/err"; unchanged
  gcd 2: the partition has 2 GCDs, counted from 0.

Words that are none of the list end with 2.

  $ for word in '' none 'dnc ' "$(printf 'dnc\033')" dnc,swnc undefined 1; do
  >   refused 2 vipu create partition q --size 4 --routing "$word"
  >   refused 2 vipu create partition q --size 4 --gateway-routing "$word"
  >   refused 2 vipu create partition q --size 4 --sync-type "$word"
  >   refused 2 vipu list partitions --format "$word"
  >   refused 2 vipu list partitions --style "$word"
  >   unchanged "$word"
  > done

IPUs of another allocation are not to be had by an index either.

  $ cat > two.ini <<'END'
  > [pod]
  > name = two
  > [cluster cl0]
  > agents = ag[1-4]
  > [allocation left]
  > cluster = cl0
  > agents = ag[1-2]
  > [allocation right]
  > cluster = cl0
  > agents = ag[3-4]
  > END
  $ vipu-admin init --force --pod two.ini
  init pod (two): success.
  $ before=$(sum)
  $ vipu create partition q --size 4 --options --allocation right -q
  0
  1
  $ refused 1 vipu create partition q --size 4 --allocation right --cluster cl0 --index 2
  $ cut -d: -f3- "$TMPDIR/err"
   index 2: cluster cl0 has 2 free placements of size 4 (--options lists them).
  $ refused 1 vipu create partition q --size 16
  $ refused 1 vipu create partition q --size 16 --allocation left; unchanged
  $ vipu create partition q --size 4 --allocation right --cluster cl0 --index 0 --relocatable
  create partition (q): success
  $ vipu get partition q --format csv | tail -1 | cut -d, -f3,22
  right,ag3:0 ag3:1 ag3:2 ag3:3
