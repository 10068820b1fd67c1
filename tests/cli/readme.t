#skip-unless ! ldd "$IPUBOX" # the release; too slow under sanitizers
README's session runs as it is typed there, from top to bottom, in an empty home
where only build/ipubox is (tests/readme.awk: what is compared).  Only FULL=1
trains on all digits.  A command that needs what this machine lacks is left out,
which counts as skipped.

  $ readme() { awk "$@" -f "$TESTDIR/readme.awk" "$TESTDIR/../README.md"; }
  $ lacking=$("$TESTDIR/../config/build/tools.sh" lacking python3:numpy python3:torch python3:tqdm | tr '\n' ' ')
  $ touch missing; [ -z "$lacking" ] || echo "mnist_pipeline.py not installed: ${lacking% }" > missing
  $ [ -n "$FULL" ] || samples=8000
  $ readme -v "samples=$samples" -v missing=missing -v "skips=$TEST/skips" > session.t
  $ grep -c '^  \$' session.t
  (1[5-9]|[2-9][0-9]) (re)

All that is indented is typed but the two lines that build and run this:

  $ readme -v mode=others
  config/setup.sh demo
  config/setup.sh test

Once as root, and once as a user who is not:

  $ as() { if [ "$1" = root ] || [ "$(id -u)" != 0 ]; then shift; "$@"; else shift; setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; fi; }
  $ everyone='root user'
  $ [ "$(id -u)" = 0 ] || { everyone=user; echo 'as root: not true here: [ "$(id -u)" = 0 ]' >> "$TEST/skips"; }
  $ as user true || { everyone=root; echo 'as another user: not true here: setpriv --reuid=65534 true' >> "$TEST/skips"; }
  $ transcript() { awk -v salt=--session-- -f "$TESTDIR/transcript.awk" "$@"; }
  $ transcript -v mode=script session.t > script
  $ session() {
  >     case $everyone in *$1*) who=$1 ;; *) return ;; esac
  >     mkdir -p "$who/build" "$who/tmp" "$TEST_SHM/$who" && cp "$IPUBOX" "$who/build/ipubox"
  >     [ "$(id -u)" != 0 ] || [ "$who" = root ] || chown -R 65534:65534 "$who" "$TEST_SHM/$who"
  >     (cd "$who" && as "$who" env HOME="$PWD" TMPDIR="$PWD/tmp" PATH=/usr/bin:/bin PYTHONUNBUFFERED=1 IPUBOX_STATE_DIR="$TEST_SHM/$who/state" IPUBOX_REGISTRY="$TEST_SHM/$who/registry" sh ../script) > "$who.got" 2>&1 < /dev/null
  >     transcript -v mode=compare -v got="$who.got" -v out="$who.session" -v scratch=match session.t | grep -v '^[0-9]* 0 0$'
  >     diff -u session.t "$who.session"
  > }
  $ session root
  $ session user

It has written what README says:

  $ for who in $everyone; do
  >     (cd "$who" && find . \( -name '.[!.]*' -o -name sdk -o -name profile -o -name tmp \) -prune -o -type f -print | sort) > "$who.files"
  >     diff - "$who.files" <<F
  > ./build/ipubox
  > ./first
  > ./job.yaml
  > ./mine.ini
  > F
  >     [ -s missing ] || [ -s "$who/profile/training/report.html" ] || echo "$who: no profile"
  > done
