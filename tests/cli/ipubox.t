ipubox, the file that holds the applets.

  $ ipubox --version
  ipubox [0-9]+[.][0-9]+[.][0-9]+ (re)

A name that it does not know:

  $ ipubox no-such-applet
  ipubox: no applet 'no-such-applet' (ipubox alone lists them)
  [127]

A failed write is a failure:

  $ ipubox > /dev/full
  ipubox: cannot write to standard output: No space left on device
  [1]
