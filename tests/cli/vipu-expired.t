A partition whose time has ended, as its file says.

  $ vipu create partition stays --size 4 > out && vipu create partition brief --size 4 --ttl 2h
  create partition (brief): success
  vipu: warning: .* (re)
  $ sed -i 's/^expires-ms.*/expires-ms = 1000000000000/' "$IPUBOX_STATE_DIR/partitions/brief.ini"
  $ touch "$IPUBOX_STATE_DIR/partitions"
  $ vipu list partitions | grep -c brief
  0
  [1]
  $ ls ~/.ipuof.conf.d; ls "$IPUBOX_STATE_DIR/partitions"
  stays.conf
  stays.ini
