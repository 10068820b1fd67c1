Files that a user names: check-points, the memory's JSON, profiles, a pod.

  $ vipu create partition p --size 4 --reconfigurable > /dev/null
  $ few='--dataset generated --samples 1200 --batch-size 10 --gradient-accumulation 7 --device-iterations 2 --test-batch-size 20 --test-device-iterations 5'
  $ train() { ipubox train mlp $few --epochs 1 "$@" > log; }
  $ left() { find . -name '.*.tmp' | sort; }

A check-point is read again, so it goes into a regular file; that is known
before the training begins:

  $ mkfifo fifo
  $ mkdir directory
  $ ln -s loop loop; ln -s /proc/self/fd/1 stdout
  $ train --save fifo; cat log
  ipubox-train: --save fifo: that is a FIFO, which keeps nothing; name a regular file
  $ train --save directory
  ipubox-train: --save directory: that is a directory
  [1]
  $ train --save loop
  ipubox-train: --save loop: .*link.* (re)
  [1]
  $ train --save stdout
  ipubox-train: --save stdout: that is a file that a program has open; name the file itself
  [1]
  $ train --save no/such; cat log
  ipubox-train: --save no/such: cannot write into its directory: No such file or directory
  $ train --save ''
  ipubox-train: --save : that is a directory
  [1]
  $ train --save "$(printf '%0300d' 0)" 2>&1 | sed 's/0\{300\}/NAME/'
  ipubox-train: --save NAME: cannot write into its directory: File ?name too long (re)
  $ test -p fifo && left

A link stays, and its target is replaced, with its mode and under its long name:

  $ long=$(printf '%0250d' 0)
  $ echo old > $long; chmod 640 $long
  $ mkdir links; ln -s ../$long links/link; ln -s links/link link
  $ train --save link; readlink link links/link | sed 's/0\{250\}/NAME/'
  links/link
  ../NAME
  $ stat -c '%a' $long; head -1 $long
  640
  ipubox checkpoint 1
  $ ln -s directory/new dangling
  $ train --save dangling; stat -c '%F %a' directory/new
  regular file 600
  $ ls directory; left
  new

One that was killed while it saved left a temporary file; the next one removes
it, but not one that somebody writes, nor what only looks like it:

  $ touch .a.ck.dead12.tmp .a.ck.dead123.tmp .b.ck.dead12.tmp .a.ck.link12.tmp
  $ ln .a.ck.link12.tmp other-name
  $ ln -s other-name .a.ck.soft12.tmp
  $ mkfifo .a.ck.fifo12.tmp
  $ train --save a.ck; left
  ./.a.ck.dead123.tmp
  ./.a.ck.fifo12.tmp
  ./.a.ck.link12.tmp
  ./.a.ck.soft12.tmp
  ./.b.ck.dead12.tmp
  $ rm .*.tmp

The JSON goes into whatever can be written; behind what is there already where
that is the standard output:

  $ timeout 60 cat fifo > piped & train --memory-json fifo; wait $!
  $ ipubox train mlp $few --epochs 0 --memory-json link > /dev/null
  $ cmp piped $long; stat -c '%a' $long; test -p fifo; readlink link
  640
  links/link
  $ ipubox train mlp $few --epochs 0 --memory-report --memory-json stdout > both
  $ grep -c '^Memory' both; sed -n '/^{/,$p' both | grep -c '"fits": true'; tail -1 both
  2
  2
  Accuracy on test set: [0-9.]*% (re)
  $ ipubox train mlp $few --epochs 0 --memory-json stdout | sed -n '1p; $p' | cut -c 1-12
  {"training":
  Accuracy on 
  $ train --memory-json directory
  ipubox-train: cannot write directory: that is a directory
  [1]
  $ train --memory-json loop
  ipubox-train: cannot write loop: .*link.* (re)
  [1]

So does a pod:

  $ vipu-admin export stdout | head -1 > direct; vipu-admin export | head -1 | cmp - direct
  $ vipu-admin export link; readlink link; head -1 $long | cmp - direct
  links/link

A profile leaves what is not a regular file where it is:

  $ mkdir -p profile/training profile/inference
  $ ln -s ../../kept profile/training/summary.json; echo > kept
  $ mkfifo profile/training/report.html
  $ timeout 60 cat profile/training/report.html > page & train --profile; wait $!
  $ test -p profile/training/report.html; grep -c '</html>' page
  1
  $ head -c 1 kept; readlink profile/training/summary.json
  {../../kept
  $ rm -f profile/training/schedule.txt; mkdir profile/training/schedule.txt
  $ train --profile; grep -c Training log
  ipubox-train: cannot write ./profile/training/schedule.txt: that is a directory
  0
  [1]
