#skip-unless [ "$(id -u)" = 0 ] # chroot(8) is root's
#skip-unless ! ldd "$IPUBOX" # the static build
poprun in an empty root: no /proc, no /dev/null, no other program.

  $ mkdir root && cp "$IPUBOX" root/ipubox && cd root
  $ alias run='chroot . /ipubox poprun --offline-mode=yes --launcher local'
  $ run /ipubox popdist-env get getNumInstances
  [1,0]<stdout>:1
  $ run popdist-env get getNumInstances
  [1,0]<stdout>:1
  $ run poprun --offline-mode=yes ipubox popdist-env get getNumInstances
  [1,0]<stdout>:[1,0]<stdout>:1

A failure is told as elsewhere:

  $ run /ipubox no-such-applet 2>&1 | tail -1
  POPRUN ERROR: instance 0 \(pid [0-9]+\) exited with status 127 (re)
