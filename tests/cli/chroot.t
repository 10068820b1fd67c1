#skip-unless [ "$(id -u)" = 0 ] # chroot(8) is root's
#skip-unless ! ldd "$IPUBOX" # the static build
The one file needs no other: it runs in an empty folder as its root.

  $ ldd "$IPUBOX"
  	not a dynamic executable
  [1]
  $ mkdir root && cp "$IPUBOX" root/ipubox
  $ chroot root /ipubox --version
  ipubox [0-9.]+ (re)
  $ chroot root /ipubox > list; ipubox | cmp - list

There is no /proc in it, but a path will do for the links:

  $ mkdir root/bin
  $ chroot root /ipubox --install -s /bin
  $ chroot root /ipubox --install /bin
  $ test "$(ls root/bin | wc -l)" -gt 0
  $ find root/bin -type l
  $ cd root
  $ chroot . /bin/../ipubox no-such-applet
  ipubox: no applet is called 'no-such-applet' (ipubox --help lists them)
  [127]

A program runs there on a partition; the state is inside as well:

  $ cd ..; export HOME=/ IPUBOX_STATE_DIR=/state IPUBOX_REGISTRY=/registry
  $ chroot root /ipubox vipu create partition p --size 2
  create partition (p): success
  $ chroot root /ipubox vipu exec p -- /ipubox gc-info -l | grep -c Fabric
  2
  $ rm -r root/bin
  $ chroot root /ipubox vipu exec p -- gc-info -l | grep -c Fabric
  2
  $ PATH=/:$PATH chroot root ipubox vipu exec p -- gc-info -l | grep -c Fabric
  2
  $ chroot root /ipubox vipu exec p -- ls
  vipu: program 'ls' not found in PATH
  [127]

The child of a program there cannot learn its command without /proc:

  $ printf 'attach 2 -1\nattributes\n' | chroot root /ipubox __device | sed -n '2p;/^user exec/p'
  ok 3 2 0
  user executable: ?
