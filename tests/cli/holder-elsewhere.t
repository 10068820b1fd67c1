#skip-unless unshare -p -f true
A program in another pid namespace, as in a container: its pid is 1 or 2 there,
and means nothing here, so no message gives it.

  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ mkfifo in out
  $ unshare -p -f sh -c 'ipubox __device' < in > out & exec 3> in 4< out; read -r line <&4
  $ echo attach 1 2 >&3; read -r line <&4; echo "$line"
  ok 2 1 0
  $ plain() { sed 's/user [^ ]* (.* on [^,]*, in/user USER (COMMAND on HOST, in/'; }
  $ vipu remove partition p 2>&1 | plain
  remove partition (p): failed: partition p is in use: user USER (COMMAND on HOST, in another pid namespace) is attached to ag01:2; end it first, or use --force.
  $ vipu reset partition p 2>&1 | grep -c 'in another pid namespace'
  1
  $ gc-reset -d 2 2>&1 | plain
  Resetting device 2... failed
  gc-reset: device 2: IPU 2 of partition p is held by user USER (COMMAND on HOST, in another pid namespace)
  $ printf 'attach 1 2\n' | ipubox __device | sed 1d | plain
  error busy Failed to acquire device Id 2\nIPU 2 of partition p is held by user USER (COMMAND on HOST, in another pid namespace)
  $ vipu-admin test cluster cl0 2>&1 | plain
  test cluster (cl0): failed: it is in use: user USER (COMMAND on HOST, in another pid namespace) is attached to ag01:2; end it first, or use --force.
  $ { vipu remove partition p; gc-reset -d 2; } 2>&1 | grep -c '\<pid [0-9]'
  0
  [1]

In its own namespace it is given:

  $ exec 3>&- 4<&-; wait
  $ ipubox __device < in > out & exec 3> in 4< out; read -r line <&4
  $ echo attach 1 2 >&3; read -r line <&4; vipu remove partition p 2>&1 | grep -c ", pid $$ ("
  1
  $ exec 3>&- 4<&-; wait
