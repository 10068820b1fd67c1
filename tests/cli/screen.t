#needs tmux ssh ssh-keygen ssh-keyscan
On a terminal of 80 columns and 24 rows no line is broken by the terminal: what
tmux shows has as many lines as what was written.

  $ printf 'set -g history-limit 20000\nset -g status off\n' > tmux.conf
  $ tmux -u -S socket -f tmux.conf new-session -d -s keep cat
  $ cat > show <<'END'
  > # show COMMAND: what stdout is on the terminal, in `lines`, with the lines
  > # that it broke made whole, in `whole`, and with colours in `coloured`.
  > { export -p; printf 'exec 2> errors\n%s\necho; echo THE END; exec cat\n' "$*"; } > command
  > tmux -S socket new-session -d -s show -x 80 -y 24 sh command
  > until tmux -S socket capture-pane -t show -p | grep -q '^THE END'; do :; done
  > tmux -S socket capture-pane -t show -p -S - | sed '/^THE END/d' | grep '[^ ]' > lines
  > tmux -S socket capture-pane -t show -p -J -S - | sed '/^THE END/d; s/ *$//' | grep '[^ ]' > whole
  > tmux -S socket capture-pane -t show -p -e -S - > coloured
  > tmux -S socket kill-session -t show
  > END
  $ cat > fits <<'END'
  > # fits COMMAND: says what does not fit, and what shows nothing.
  > sh ./show "$*"
  > [ -s whole ] || { printf 'shows nothing: %s\n' "$*"; cat errors; }
  > [ "$(wc -l < lines)" -eq "$(wc -l < whole)" ] || { printf 'broken: %s\n' "$*"; awk 'length($0) > 80' whole; }
  > END
  $ alias fits='sh ./fits'

The test sees a line that is too wide, by its columns and not by its bytes:

  $ fits 'printf "%081d" 0' | head -1
  broken: printf "%081d" 0
  $ fits 'printf "%080d" 0'
  $ awk 'BEGIN { while (i++ < 79) printf "\303\251"; print "" }' > narrow
  $ awk 'BEGIN { while (i++ < 41) printf "\346\227\245"; print "" }' > broad
  $ fits cat narrow
  $ fits cat broad | head -1
  broken: cat broad
  $ fits true
  shows nothing: true

A pod of long names and long addresses, a partition of all its IPUs in long
words, another one that is broken, and a user:

  $ cat > long.ini <<'END'
  > [pod]
  > name = a-pod-of-long-names-in-the-third-row
  > [cluster a-cluster-in-the-third-row-of-the-second-hall]
  > agents = a-machine-in-the-third-row-of-the-second-hall-[01-16]
  > topology = mesh
  > model = BOW-2000
  > address = 2001:db8:1111:2222:3333:4444:5555:1
  > host = 2001:db8:1111:2222:3333:4444:6666:1
  > [allocation an-allocation-for-the-whole-of-the-third-row]
  > agents = a-machine-in-the-third-row-of-the-second-hall-[01-16]
  > END
  $ vipu-admin init --pod ./long.ini > /dev/null
  $ vipu create partition a-partition-for-the-large-model-of-the-third-group-0001 --size 32 --num-gcds 4 --total-num-replicas 16 > /dev/null
  $ vipu create partition a-partition-for-the-small-model-of-the-third-group-0002 --size 4 --reconfigurable > /dev/null 2>&1
  $ large=a-partition-for-the-large-model-of-the-third-group-0001 small=a-partition-for-the-small-model-of-the-third-group-0002
  $ vipu-admin create user a-user-of-the-third-group --allocations an-allocation-for-the-whole-of-the-third-row > key
  $ vipu-admin inject a-machine-in-the-third-row-of-the-second-hall-16 down > /dev/null
  $ export IPUOF_VIPU_API_PARTITION_ID=$small

The help of each applet, and what the applets usually print:

  $ for name in $(ipubox __complete '' | grep -vx help); do fits "ipubox $name --help"; done
  $ cat > usual <<END
  > copy-ssh --verify localhost
  > gc-info -l
  > gc-info -l --all-partitions
  > gc-info -d 0 -i
  > gc-inventory
  > gc-monitor
  > gc-monitor --all-partitions
  > gc-reset -d 0
  > ipubox-job explain
  > ipubox-job explain ipujob.spec
  > ipubox-train --list
  > ipubox-train mlp --dataset generated --samples 6000 --epochs 1 --memory-report
  > mnist-pipeline --dataset generated --samples 5000 --epochs 1 --memory-report
  > mnist-pipeline --dump-schedule
  > poprun --offline-mode=yes --num-replicas 2 --num-instances 2 popdist-env
  > poprun --offline-mode=yes --num-replicas 1 echo done
  > poprun --print-topology yes --offline-mode=yes --emulate-hosts yes --launcher local --host 'a-host-of-a-long-name-[1-4]' --num-replicas 64 --num-instances 16 true
  > poprun --print-topology yes --offline-mode=yes --num-replicas 64 --num-instances 1 true
  > poprun --dry-run --offline-mode=yes --emulate-hosts yes --launcher local --host 'a-host-of-a-long-name-[1-4].in-a-domain.of-a-long-name.example' --num-replicas 64 --num-instances 16 true
  > poprun --check --offline-mode=yes ./no-such-program
  > poprun --ipus-per-replica 4 --vipu-partition $small --reset-partition no mnist-pipeline --dataset generated --samples 5000 --epochs 1
  > vipu list partitions
  > vipu list partitions --style mid
  > vipu list partitions --style old
  > vipu get partition $large
  > vipu get partition $large --verbose
  > vipu status --size 2
  > vipu status --size 32
  > vipu list allocations
  > vipu get allocation an-allocation-for-the-whole-of-the-third-row
  > vipu list ipu-attrs
  > vipu create partition p --size 4 --options
  > vipu doctor
  > vipu-admin list agents
  > vipu-admin get agent a-machine-in-the-third-row-of-the-second-hall-16
  > vipu-admin list clusters
  > vipu-admin get cluster a-cluster-in-the-third-row-of-the-second-hall
  > vipu-admin test cluster a-cluster-in-the-third-row-of-the-second-hall --force
  > vipu-admin list users
  > vipu-admin get user a-user-of-the-third-group
  > vipu-admin inject list
  > vipu-admin discover agent
  > END
  $ while read -r command; do fits "$command" < /dev/null; done < usual
  $ fits ipubox

Nothing of a table is lost without a word: what was left out is told of, and
--wide shows it, broken as it must be.

  $ sh ./show vipu list partitions; sed -n '1p; 3,4p; $p' whole
  Cluster | Partition                | ILDs | ILD Routing | Size | GCDs | State
  ...hall | ...-the-third-group-0001 | 1    | SWNC        | 32   | 4    | ACTIVE
  ...hall | ...-the-third-group-0002 | 1    | DNC         | 4    | 1    | ACTIVE
  --wide shows 2 more columns
  $ sh ./show vipu list partitions --wide; grep -c "$large\|$small" whole
  2

More than eight IPUs are a range for each machine on a terminal only:

  $ sh ./show vipu get partition $large; grep -c ' 0-3=a-machine' whole; vipu get partition $large | grep -c '0=.* 31='
  1
  1

What is not a terminal gets all of it, whatever COLUMNS says, and no colours; a
terminal has them unless NO_COLOR or --color says no:

  $ vipu list partitions > piped; COLUMNS=40 TERM=xterm vipu list partitions | cmp - piped
  $ grep -c "^a-cluster-in-the-third-row-of-the-second-hall | an-allocation-for-the-whole-of-the-third-row | " piped
  2
  $ vipu --color always list partitions | sed -n '3s/.*| //p' | tr '\033' E
  E[32mACTIVEE[0m
  $ cat > seen <<'END'
  > # seen COMMAND: whether the terminal is sent a colour, on either output.
  > sh ./show "exec 2>&1; $*"
  > grep -q "$(printf '\033')\[3[0-9]m" coloured && echo coloured || echo plain
  > END
  $ sh ./seen vipu list partitions
  coloured
  $ sh ./seen NO_COLOR=1 vipu list partitions
  plain
  $ sh ./seen NO_COLOR= vipu list partitions
  coloured
  $ sh ./seen TERM=dumb vipu list partitions
  plain
  $ sh ./seen vipu --color never list partitions
  plain
  $ sh ./seen NO_COLOR=1 vipu --color always list partitions
  coloured
  $ sh ./seen vipu get partition no-such
  coloured
  $ sh ./seen poprun --check --offline-mode=yes true
  coloured
  $ sh ./seen poprun --color never --check --offline-mode=yes true
  plain
  $ sh ./seen poprun ./no-such-program
  coloured
  $ tmux -S socket kill-server
