#skip-unless ! ldd "$IPUBOX" # the release; too slow under sanitizers
README's session runs as it is typed there, from top to bottom, in an empty home
where only build/ipubox is (tests/readme.awk: what is compared).  Only FULL=1
trains on all digits.

  $ [ -n "$FULL" ] || samples=8000
  $ awk -v samples=$samples -v "missing=$(command -v python3 > /dev/null || echo python3)" -f "$TESTDIR/readme.awk" "$TESTDIR/../README.md" > session.t
  $ grep -c '^  \$' session.t
  (1[5-9]|[2-9][0-9]) (re)
  $ transcript() { awk -v salt=--session-- -f "$TESTDIR/transcript.awk" "$@"; }
  $ transcript -v mode=script session.t > script
  $ mkdir -p home/build && cp "$IPUBOX" home/build/ipubox
  $ (cd home && HOME=$PWD PATH=/usr/bin:/bin sh ../script) > got 2>&1 < /dev/null
  $ transcript -v mode=compare -v got=got -v out=session.got -v scratch=match session.t
  [0-9]+ 0 0 (re)
  $ diff -u session.t session.got

It has written what README says:

  $ (cd home && find . -name .local -prune -o -name sdk -prune -o -name .ipuof.conf.d -prune -o -type f -print | sort)
  ./build/ipubox
  ./cluster.yaml
  ./first
  ./hello
  ./job.yaml
  ./mine.ini
  ./profile/inference/report.html
  ./profile/inference/schedule.txt
  ./profile/inference/summary.json
  ./profile/inference/timeline.svg
  ./profile/inference/trace.json
  ./profile/training/report.html
  ./profile/training/schedule.txt
  ./profile/training/summary.json
  ./profile/training/timeline.svg
  ./profile/training/trace.json
  ./run.ckpt
