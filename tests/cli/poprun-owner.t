The owner of a partition that poprun creates.

  $ alias run='poprun --launcher local'

What poprun is, stands in the partition while the job runs; one that is to stay
belongs to nobody:

  $ owner() { vipu get partition p --verbose | grep '^Owner [KR]'; }
  $ run --vipu-partition p --update-partition=yes sh -c 'vipu get partition p --verbose' | grep -o 'Owner [KR].*'
  Owner Kind           | process
  Owner Record         \| poprun, pid [0-9]+ on .+, user .+ (re)
  $ run --vipu-partition p --update-partition=yes --remove-partition=no true
  $ owner; vipu remove partition p > /dev/null
  Owner Kind           | none
  Owner Record         |

The guard of a created partition holds no file of the state but that by which
it owns the partition:

  $ cat > look <<'X'
  > #!/bin/sh
  > parent() { awk '/^PPid:/ { print $2 }' /proc/$1/status; }
  > poprun=$(parent $(parent $PPID))
  > for pid in $(grep -l "^PPid:.$poprun$" /proc/[0-9]*/status 2>/dev/null | tr -dc '0-9\n'); do
  >     test "$(cat /proc/$pid/comm)" != ipubox-guard || ls -l /proc/$pid/fd | grep -e "$IPUBOX_STATE_DIR" -e "$IPUBOX_REGISTRY" | sed 's|.*/||'
  > done
  > X
  $ chmod +x look; run --vipu-partition p --update-partition=yes ./look
  [1,0]<stdout>:lock
