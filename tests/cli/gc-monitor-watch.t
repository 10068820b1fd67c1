#needs tmux
gc-monitor --watch on terminals of several sizes, with keys that are typed.  Its
parts without a terminal are tested in
tests/unit/applets/gc-monitor/watch_test.c.

  $ printf 'set -g history-limit 20000\nset -g status off\nset -sg escape-time 0\n' > tmux.conf
  $ tmux -u -S socket -f tmux.conf new-session -d -s keep cat
  $ cat > run <<'END'
  > # run COMMAND: on a terminal, with what stood there and the status.
  > trap : INT; echo BEFORE; was=$(stty -g)
  > "$@"
  > echo "status $?"
  > [ "$was" = "$(stty -g)" ] && echo 'same modes'
  > exec cat
  > END
  $ start() { size=$1; shift; tmux -S socket new-session -d -s w -x "${size%x*}" -y "${size#*x}" "$(export -p); exec sh ./run $*"; }
  $ stop() { tmux -S socket kill-session -t w; }
  $ screen() { tmux -S socket capture-pane -t w -p "$@"; }
  $ see() { n=0; until screen | grep -q -e "$*"; do n=$((n + 1)); [ $n -lt 1000 ] || { echo "not seen: $*"; screen; break; }; done; }
  $ keys() { tmux -S socket send-keys -t w "$@"; }
  $ top() { screen | sed 's/ *[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$//' | cut -c "1-$1" | sed 's/ *$//'; }

Two partitions, and two programs that have five IPUs:

  $ vipu create partition big --size 8 --reconfigurable > /dev/null 2>&1
  $ vipu create partition small --size 4 --reconfigurable > /dev/null 2>&1
  $ export IPUOF_VIPU_API_PARTITION_ID=big
  $ cat > hold <<'END'
  > rm -f "in$1" "out$1"; mkfifo "in$1" "out$1"
  > ipubox __device < "in$1" > "out$1" &
  > exec 3> "in$1" 4< "out$1"
  > read -r line <&4; echo "attach $2 -1" >&3; read -r line <&4; echo "$line" | cut -d ' ' -f 1 > told
  > read -r line < "end$1"
  > END
  $ mkfifo told end1 end2
  $ sh ./hold 1 4 & first=$!; cat told
  ok
  $ sh ./hold 2 1 & second=$!; cat told
  ok

80 columns and 24 lines.  Idle IPUs share a line:

  $ start 80x24 gc-monitor --watch=0.2; see 'q Quit'; top 54 | sed -n '1p; 3,11p; $p'
  pod64  partition big  IPUs: 5 used, 3 idle, 52 in no p
  by id
  ID    IPU     UTILISATION      MEM   POWER   TEMP LAST
  0     ag01:0  [        ]   0%    -     N/A    N/A ____
  1     ag01:1  [        ]   0%    -     N/A    N/A ____
  2     ag01:2  [        ]   0%    -     N/A    N/A ____
  3     ag01:3  [        ]   0%    -     N/A    N/A ____
  4     ag02:0  [        ]   0%    -     N/A    N/A ____
  3 idle IPUs: 5-7
  PID      USER        HOST             IPUS   UTIL    T
  h Help  p Partition  s Sort  / Filter  \ Find  f Fold
  $ screen | awk -v first=$first -v second=$second '$1 == first { print "first", $4, $7 } $1 == second { print "second", $4, $7 }'
  first 4 sh
  second 1 sh

Sort, fold, open a machine, and filter:

  $ keys s; see ' Sort by'; keys Down Down Down Down Enter; see '^by user'
  $ keys r; see '^by user, reversed'; keys r; keys f; see 'by user, by machine'; top 14 | sed -n '5,8p'
  0-3   ag01
  4-7   ag02
  PID      USER
  [1-9].* (re)
  $ keys Down Right; see ' ag02:3'; top 14 | sed -n '5,10p'
  0-3   ag01
  4-7   ag02
  4      ag02:0
  5      ag02:1
  6      ag02:2
  7      ag02:3
  $ keys f i; see '^7 '; keys / ; see 'filter: _'; keys ag02:1; see 'filter: ag02:1_'; keys Enter; see ', filter: ag02:1$'; top 14 | sed -n '5,6p'
  5     ag02:1
  PID      USER
  $ keys /; see 'filter: ag02:1_'; keys Escape; see '^by user, with idle IPUs$'

Another partition, and all of them:

  $ keys p; see ' all partitions'; keys Down Enter; see 'partition small  IPUs: 0 used, 4 idle'
  $ keys p Home Enter; see '2 partitions  IPUs: 5 used, 7 idle, 52 in no partition'
  $ top 25 | sed -n '4,5p; 12,13p; 16,18p'
  PARTITION  ID    IPU
  big        0     ag01:0
  big        7     ag02:3
  small      0     ag03:0
  small      3     ag03:3
             52 IPUs in no
  PARTITION  PID      USER

The terminal grows, and shrinks:

  $ tmux -S socket resize-window -t w -x 120 -y 40; see MEMORY; screen | wc -l; top 120 | sed -n 4p
  40
  PARTITION  ID    IPU           UTILISATION           MEMORY           POWER   TEMP LAST MINUTE   USER     COMMAND
  $ tmux -S socket resize-window -t w -x 200 -y 60; see 'USER         COMMAND'; screen | wc -l; top 200 | sed -n 4p
  60
  PARTITION  ID    IPU           UTILISATION           MEMORY           POWER   TEMP LAST MINUTE                                         USER         COMMAND
  $ tmux -S socket resize-window -t w -x 40 -y 8; see '^h Help  p Partition  s Sort  / Filter  .$'; screen | wc -l
  8
  $ tmux -S socket resize-window -t w -x 80 -y 24; see 'q Quit'

A signal goes to a program after a question:

  $ keys Home k; see ' SIGKILL: end at once'; keys Down Enter; see "send SIGINT to pid $first (sh of .*)? y or n"
  $ keys n; see 'no signal was sent'
  $ keys Tab Down k Enter; see "send SIGTERM to pid $second (sh of"
  $ keys y; see "sent SIGTERM to pid $second"; wait $second 2> wait
  [143]
  $ see 'IPUs: 4 used'

Help, and the end.  The screen and the terminal's modes are as before:

  $ keys h; see 'any key closes'; keys x; see 'q Quit'
  $ keys q; see 'same modes'; screen | sed '/^$/d'
  BEFORE
  status 0
  same modes
  $ stop

F10 and Ctrl-C end it, too; a signal gives the terminal back:

  $ start 80x24 gc-monitor -l; see 'q Quit'; keys F10; see 'same modes'; stop
  $ start 80x24 gc-monitor -l; see 'q Quit'; keys C-c; see 'status 0'; stop
  $ start 80x24 "sh -c 'echo \$\$ > pid; exec gc-monitor -l'"; see 'q Quit'; kill $(cat pid); see 'same modes'; screen | sed '/^$/d'
  BEFORE
  Terminated
  status 143
  same modes
  $ stop

It ends with its terminal:

  $ start 80x24 "sh -c 'echo \$\$ > pid; exec gc-monitor -l'"; see 'q Quit'; stop
  $ n=0; while kill -0 $(cat pid) 2> gone; do n=$((n + 1)); [ $n -lt 100000 ] || { echo 'still there'; kill -KILL $(cat pid); }; done

Colours, but not with NO_COLOR; blocks where the locale has UTF-8.  A third
program computes meanwhile:

  $ (export IPUOF_VIPU_API_PARTITION_ID=small; exec nice ipubox train mlp --dataset generated --samples 6000 --epochs 100000 > /dev/null) & third=$!
  $ coloured() { screen -e | grep -q "$(printf '\033\\[3[26]m')" && echo coloured; }
  $ start 80x24 gc-monitor -l 0.2 --all-partitions; see ' ipubox-trai$'; coloured; screen | LC_ALL=C grep -c "$(printf '[\200-\377]')"; stop
  coloured
  0
  $ (export NO_COLOR=1; start 80x24 gc-monitor -l); see 'q Quit'; coloured; stop
  $ (export LC_ALL=C.UTF-8; start 80x24 gc-monitor -l 0.2); see 'q Quit'; keys p; see ' all partitions'; keys Down Enter; see "$(printf '\342\226')"; stop
  $ kill $third; wait $third 2> wait
  [143]

A recording, whose programs get no signal.  Its last look stays:

  $ gc-monitor --loop=0.05 --record seen.rec --csv-output | sed 30q > out
  $ start 80x24 gc-monitor -l 0.1 --replay seen.rec; see 'end of the recording'; top 30 | sed -n '5p'
  0     ag01:0  [        ]   0%
  $ keys k; see 'send the signal there'; stop

In a pipe, and as CSV or JSON, the output comes again and again:

  $ gc-monitor --watch=0.1 --no-card-info | grep -m 3 -c 'Attached processes'
  3
  $ gc-monitor -l 0.1 -c | grep -m 3 -c '^big,true,[^,]*,[^,]*,[^,]*,[^,]*,0,'
  3
  $ gc-monitor -l 0.1 -j | grep -m 2 -c '"cards"'
  2
  $ start 80x24 "sh -c 'gc-monitor -l 0.1 -c > csv'"; until [ -s csv ]; do :; done; keys C-c; see 'status 130'; stop
  $ gc-monitor --watch=0 2>&1 | head -1
  gc-monitor: --watch '0': too small, must be 0.1 to 86400
  $ TERM=dumb gc-monitor -l 0.1 | sed 1q
  +---------------+--* (glob)
  $ echo > end1; wait $first
  $ tmux -S socket kill-server
