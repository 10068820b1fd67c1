Bad names for the administrator's commands: refused, and nothing has changed.
The same table as that of vipu (vipu_bad.t).

  $ vipu create partition p --size 8 --relocatable
  create partition (p): success
  $ sum() { find "$IPUBOX_STATE_DIR" -type f ! -name lock -exec cksum {} +; }
  $ before=$(sum)
  $ refused() {	# STATUS COMMAND ...
  >   wanted=$1; shift
  >   "$@" > "$TMPDIR/out" 2> "$TMPDIR/err"; status=$?
  >   [ $status = $wanted ] || echo "status $status: $*"
  >   [ ! -s "$TMPDIR/out" ] || { echo "stdout: $*"; cat "$TMPDIR/out"; }
  >   [ "$(grep -avc '[[:cntrl:]]' "$TMPDIR/err")" = $wanted ] ||
  >     { echo "lines, or control characters: $*"; cat -v "$TMPDIR/err"; }
  >   count=$((count + 1))
  > }
  $ unchanged() { [ "$before" = "$(sum)" ] || { echo "changed: $*"; before=$(sum); }; }
  $ spoil() { printf 'a\033\n' >&2; echo >> "$IPUBOX_STATE_DIR/x"; return 1; }
  $ refused 1 spoil; unchanged it; rm "$IPUBOX_STATE_DIR/x"; before=$(sum)
  lines, or control characters: spoil
  a^[
  changed: it

  $ cat > names <<'END'
  > 
  > ..
  > ../x
  > a/b
  > .p
  > -p
  > a b
  > p*
  > p:q
  > böse
  > END
  $ printf '\033[31mred\npp\tq\n\200\n' >> names
  $ printf '%64s\n%4000s\n' '' '' | tr ' ' x >> names
  $ wc -l < names
  15
  $ count=0
  $ while IFS= read -r name; do
  >   refused 1 vipu-admin create agent --host 10.9.9.9 -- "$name"
  >   refused 1 vipu-admin update agent --port 8081 -- "$name"
  >   refused 1 vipu-admin get agent -- "$name"
  >   refused 1 vipu-admin remove agent -- "$name"
  >   refused 1 vipu-admin create cluster --agents ag01 -- "$name"
  >   refused 1 vipu-admin create cluster c --agents "$name"
  >   refused 1 vipu-admin update cluster --topology mesh -- "$name"
  >   refused 1 vipu-admin get cluster -- "$name"
  >   refused 1 vipu-admin remove cluster -- "$name"
  >   refused 1 vipu-admin test cluster -- "$name"
  >   refused 1 vipu-admin create allocation --agents ag09 -- "$name"
  >   refused 1 vipu-admin create allocation a --agents "$name"
  >   refused 1 vipu-admin create allocation a --cluster "$name"
  >   refused 1 vipu-admin update allocation --agents ag09 -- "$name"
  >   refused 1 vipu-admin get allocation -- "$name"
  >   refused 1 vipu-admin remove allocation -- "$name"
  >   refused 1 vipu-admin create user -- "$name"
  >   [ -z "$name" ] ||	# none, which is allowed
  >     refused 1 vipu-admin create user u --allocations "$name"
  >   refused 1 vipu-admin update user --allocations default -- "$name"
  >   refused 1 vipu-admin get user -- "$name"
  >   refused 1 vipu-admin remove user -- "$name"
  >   unchanged "$name"
  > done < names; echo $count
  314
  $ ls
  names
