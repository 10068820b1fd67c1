poprun: launch scripts written for real Pods, unchanged, with emulated hosts.
What each of them needs and does stands in tests/scripts.

  $ ls "$TESTDIR"/scripts/*.sh | wc -l
  46
  $ "$TESTDIR/scripts/check" "$TESTDIR"/scripts/*.sh > log 2>&1
  $ grep -v ': ok$' log
  [1]
  $ "$TESTDIR/scripts/check" --dry-run "$TESTDIR"/scripts/*.sh > log 2>&1
  $ grep -v ': ok$' log
  [1]
