What a run that does not come to its end leaves of its profile: whole files of
what it did, or none.

  $ vipu create partition p1 --size 8 --reconfigurable > /dev/null
  $ alias train='mnist-pipeline --dataset generated --samples 1200 --batch-size 4 --device-iterations 3 --test-batch-size 2 --test-device-iterations 10 --profile'
  $ export POPTORCH_LOG_LEVEL=DEBUG
  $ parses() { ! command -v python3 > /dev/null || python3 -c 'import json, sys
  > for name in sys.argv[1:]: json.load(open(name))' "$@"; }
  $ mkfifo said

A signal in the middle: when the second epoch is through, of a thousand.

  $ train --epochs 1000 > /dev/null 2> said & pid=$!; exec 9< said
  $ while read -r line <&9; do case $line in *'Epoch 2:'*) break ;; esac; done
  $ kill -TERM $pid; cat <&9 > rest; wait $pid 2> /dev/null
  [143]
  $ sed -n 's/call [0-9]*/call N/; /profile/p' rest
  mnist-pipeline: interrupted after call N; the profile is ./profile/training/report.html
  $ ls -A profile/training
  report.html
  schedule.txt
  summary.json
  trace.json
  $ parses profile/training/*.json
  $ tail -n 1 profile/training/trace.json
  }
  $ calls=$(sed -n 's/.*"calls": \([0-9]*\),/\1/p' profile/training/summary.json)
  $ [ "$calls" -ge 20 ] && [ "$calls" -lt 10000 ]
  $ grep -c "interrupted after call $calls of 10000: Terminated" profile/training/report.html profile/training/summary.json profile/training/trace.json
  profile/training/report.html:1
  profile/training/summary.json:1
  profile/training/trace.json:1
  $ grep '"complete"' profile/training/summary.json
      "complete": false,

One that is ignored stays ignored, and a whole run says nothing of all this:

  $ (trap '' HUP; exec mnist-pipeline --dataset generated --samples 1200 --batch-size 4 --device-iterations 3 --test-batch-size 2 --test-device-iterations 10 --profile --epochs 2) > /dev/null 2> said & pid=$!; exec 9< said
  $ while read -r line <&9; do case $line in *'Epoch 1:'*) break ;; esac; done
  $ kill -HUP $pid; cat <&9 > /dev/null; wait $pid
  $ cat profile/*/summary.json | grep -c '"complete": true'
  2
  $ grep -l '"interrupted"' profile/*/*
  [1]

An IPU with an error is a reason as well:

  $ GCDA_OPTIONS='{"simulateSOCError.errorList":"IPUSOFTERR","simulateSOCError.triggerCount":"3"}' train --epochs 1 > /dev/null 2> said.error
  [1]
  $ grep -c "interrupted after call 3 of 10: .*IPUSOFTERR" profile/training/report.html
  1

At any time: by a signal that can be taken, and by one that cannot, which leaves
nothing but whole files, and those of its run beside each page.

  $ whole() {
  >     for file in profile/*/*.json; do
  >         [ ! -f "$file" ] || parses "$file" || echo "$1: $file"
  >     done
  >     for file in profile/*/report.html; do
  >         [ ! -f "$file" ] || [ "$(tail -n 1 "$file")" = '</html>' ] || echo "$1: $file"
  >         [ ! -f "$file" ] || [ "$(ls "${file%/*}" | grep -c .)" = 4 ] || echo "$1: $file is alone"
  >     done
  > }
  $ for part in 05 1 15 2 25 3 4 5; do
  >     rm -rf profile; timeout -s TERM 0.$part mnist-pipeline --dataset generated --samples 1200 --batch-size 4 --device-iterations 3 --epochs 1 --test-batch-size 2 --test-device-iterations 10 --profile > /dev/null 2>&1; whole "TERM 0.$part"
  >     timeout -s KILL 0.$part mnist-pipeline --dataset generated --samples 1200 --batch-size 4 --device-iterations 3 --epochs 1 --test-batch-size 2 --test-device-iterations 10 --profile > /dev/null 2>&1; whole "KILL 0.$part"
  > done
  $ train --epochs 1 > /dev/null 2>&1; ls -A profile/inference profile/training | grep -c .
  10
