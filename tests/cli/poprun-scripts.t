poprun: launch scripts written for real Pods, unchanged, with emulated hosts.
What each of them needs and does stands in tests/scripts.

  $ ls "$TESTDIR"/scripts/*.sh | wc -l
  46
  $ "$TESTDIR/scripts/check" "$TESTDIR"/scripts/*.sh > log 2>&1
  $ grep -v ': ok$' log
  [1]

The check sees another job, and a dry run of another one:

  $ mkdir wrong; cp "$TESTDIR"/scripts/check "$TESTDIR"/scripts/hostfile.sh "$TESTDIR"/scripts/rnnt.sh wrong
  $ sed -i 's/^\(# job: [0-9]*\) [0-9]*/\1 77/' wrong/hostfile.sh
  $ sed -i 's/"\$text" = "\$json"/x = y/' wrong/check
  $ wrong/check wrong/hostfile.sh wrong/rnnt.sh | grep ': status'
  hostfile.sh: status 0, job 4 16 4 4, wanted 4 77 4 4, 4/4 instances in a dry run, wanted 4
  rnnt.sh: status 0, job 4 16 1 1, wanted 4 16 1 1, 4/4 instances in a dry run, wanted 4
