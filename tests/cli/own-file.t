Applets are found without links: a program that the PATH does not have, and
that is an applet, is ipubox's own file.

  $ mkdir lone other && cp "$IPUBOX" lone/ipubox
  $ PATH=/usr/bin:/bin; alias poprun='lone/ipubox poprun --launcher local'
  $ lone/ipubox vipu create partition p --size 4
  create partition (p): success
  $ lone/ipubox vipu exec p -- gc-info -l | grep -c Fabric
  4
  $ lone/ipubox vipu exec p -- ipubox gc-info -l | grep -c Fabric
  4
  $ poprun --ipus-per-replica 4 mnist-pipeline --dataset generated --samples 840 --epochs 1 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4 | sed 's/Accuracy.*/Accuracy/' | tail -1
  [1,0]<stdout>:Accuracy
  $ poprun --ipus-per-replica 4 ipubox train mnist --dataset generated --samples 840 --epochs 1 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4 | sed 's/Accuracy.*/Accuracy/' | tail -1
  [1,0]<stdout>:Accuracy
  $ poprun --offline-mode=yes ipubox --version | sed 's/ .*//'
  [1,0]<stdout>:ipubox

The dry run shows the command, and so does the one for mpirun (a stand-in
prints its arguments and ends, which is too early):

  $ poprun --offline-mode=yes --dry-run -v popdist-env get getNumInstances 2> /dev/null | sed -n "s|$PWD|HERE|; /command/p; /program/p"
  program: HERE/lone/ipubox popdist-env get getNumInstances
  command: HERE/lone/ipubox popdist-env get getNumInstances
  $ poprun --offline-mode=yes --dry-run --format json ipubox train x | sed -n "s|$PWD|HERE|; /\"command/,/]/p" | tr -d ' \n'
  "command":["HERE/lone/ipubox","train","x"], (no-eol)
  $ printf '#!/bin/sh\nprintf "%%s\\n" "$@"\n' > other/mpirun && chmod +x other/mpirun
  $ PATH=$PWD/other:$PATH lone/ipubox poprun --launcher mpirun --offline-mode=yes ipubox train x 2>&1 | sed "1,/SECRET/d; s|$PWD|HERE|; s/pid [0-9]*/pid N/"
  HERE/lone/ipubox
  __ipubox
  __parent
  0
  HERE/lone/ipubox
  train
  x
  POPRUN ERROR: mpirun (pid N) ended when 0 of 1 instances had been started and 0 had ended

By the PATH too, and one that starts another:

  $ (PATH=$PWD/lone:$PATH && ipubox poprun --offline-mode=yes poprun --offline-mode=yes popdist-env get getNumInstances)
  [1,0]<stdout>:[1,0]<stdout>:1

Where the file has an applet's name, as hard links and copies do:

  $ mkdir tools && cp "$IPUBOX" tools/poprun && ln tools/poprun tools/vipu
  $ tools/poprun --launcher local --offline-mode=yes popdist-env get getNumInstances
  [1,0]<stdout>:1
  $ tools/poprun --launcher local --offline-mode=yes ipubox popdist-env get getNumInstances
  [1,0]<stdout>:1
  $ tools/poprun --launcher local --offline-mode=yes poprun --launcher local --offline-mode=yes --dry-run -v ipubox train 2> /dev/null | sed -n "s|$PWD|HERE|; /command/p"
  [1,0]<stdout>:command: HERE/tools/poprun __ipubox train
  $ tools/vipu exec p -- gc-info -l | grep -c Fabric
  4

The PATH wins where it has one, also one that cannot be executed:

  $ printf '#!/bin/sh\necho the other one\n' > other/popdist-env
  $ (PATH=$PWD/other:$PATH && poprun --offline-mode=yes popdist-env 2>&1) | sed "s|$PWD|HERE|"
  POPRUN ERROR: cannot execute HERE/other/popdist-env: Permission denied
  $ chmod +x other/popdist-env
  $ (PATH=$PWD/other:$PATH && poprun --offline-mode=yes popdist-env)
  [1,0]<stdout>:the other one
  $ (PATH=$PWD/other:$PATH && lone/ipubox vipu exec p -- popdist-env)
  the other one

Only the applets' own names, and no path:

  $ poprun --offline-mode=yes train
  POPRUN ERROR: program 'train' not found in PATH
  [127]
  $ poprun --offline-mode=yes ./popdist-env
  POPRUN ERROR: program './popdist-env' not found
  [127]
  $ lone/ipubox vipu exec p -- ipubox-0.1
  vipu: program 'ipubox-0.1' not found in PATH
  [127]
