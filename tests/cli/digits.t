ipubox __digits: the digits of mnist-pipeline --dataset generated, for programs
of the SDK: labels, then images of 28 x 28 bytes.

  $ ipubox __ipubox __digits test 9 0 | head -c 9 | od -An -tu1
     9   3   6   2   9   2   6   7   6
  $ ipubox __digits train 9 0 > nine; wc -c < nine
  7065
  $ ipubox __digits train 5 0 > five
  $ tail -c +6 five > five.images; tail -c +10 nine | head -c 3920 | cmp - five.images
  $ head -c 5 nine | od -An -tu1; head -c 5 five | od -An -tu1
     7   8   9   1   3
     7   8   9   1   3
  $ ipubox __digits train 5 1 | cmp -s - five
  [1]

Misuse, and a disk that is full:

  $ ipubox __digits train 0 0
  ipubox: count '0': too small, must be 1 to 1000000
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox __digits train 1 x
  ipubox: seed 'x': not a whole number
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox __digits digits 1 0
  ipubox: the arguments must be train or test, the number of digits, and the seed
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox __digits
  ipubox: the arguments must be train or test, the number of digits, and the seed
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox __digits test 1 0 > /dev/full
  ipubox: cannot write to standard output: No space left on device
  [1]
