#needs g++
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
The C and C++ library of the SDK: every compiler takes it, and it works without
poprun.

  $ ipubox --install-sdk sdk > /dev/null
  $ eval "$(ipubox sdk-env "$PWD/sdk")"
  $ cp "$TESTDIR"/sdk/*.c* . && mkdir -p config && ln -s ../sdk config/sdk
  $ strict='-Wall -Wextra -pedantic -Werror'

With FULL=1 each compiler that is here, without a warning.  The library is C99,
and C++11 (make lint tries the headers one by one):

  $ check() { compiler=$1; shift; command -v "${compiler%% *}" > /dev/null || return 0; $compiler $strict -fsyntax-only "$@" || echo "FAILED $compiler"; }
  $ [ -z "$FULL" ] || for c in 'gcc -std=c99' 'clang -std=c99' 'musl-gcc -std=c99' 'g++ -std=c++11 -x c++' 'clang++ -std=c++11 -x c++'; do
  >     check "$c" sdk/lib/*.c sdk/examples/hello.c
  > done
  $ for c in ${FULL:+'g++ -std=c++17' 'clang++ -std=c++11'}; do
  >     check "$c" sdk_names.cpp sdk/examples/hello.cpp
  > done

A program in one line, in C, in C++, and with musl where it is here:

  $ cc $strict sdk/examples/hello.c sdk/lib/*.c -o hello && ./hello
  instance 0 of 1: the sum is 1
  $ g++ $strict sdk/examples/hello.cpp sdk/lib/*.c -o hello && ./hello
  instance 0 of 1: the sum is 1
  $ ! command -v musl-gcc > /dev/null || { musl-gcc -static -I sdk/include sdk/examples/hello.c sdk/lib/*.c -o hello && ./hello | grep -v '^instance 0 of 1: the sum is 1$'; }
  [1]

The libraries, and what a program sees of them.  No other names are in the way:

  $ make -s -C sdk/lib
  $ nm -D --defined-only sdk/lib/libpopdist.so | awk '$3 !~ /^(popdist|ipubox)_/'
  $ nm --defined-only sdk/lib/libpopdist.a | awk 'NF == 3 && $2 ~ /[A-Z]/ && $3 !~ /^(popdist|ipubox)_/'
  $ flags='-I sdk/include -L sdk/lib -lpopdist -pthread'
  $ ! command -v pkg-config > /dev/null || flags=$(pkg-config --cflags --libs popdist)
  $ cc sdk/examples/hello.c $flags -o hello && LD_LIBRARY_PATH=sdk/lib ./hello
  instance 0 of 1: the sum is 1

What pkg-config says is enough: the program finds the library, and the library
the ipubox that wrote the SDK.

  $ cc -g -I. $strict sdk_device.c $flags -o linked
  $ if command -v pkg-config > /dev/null; then env -i PATH=/nowhere IPUBOX_STATE_DIR="$IPUBOX_STATE_DIR" IPUBOX_REGISTRY="$IPUBOX_REGISTRY" ./linked id 1; else echo 'id: Failed to acquire 1 IPU(s)'; fi 2>&1 | head -1
  id: Failed to acquire 1 IPU(s)
  $ cp sdk/lib/libpopdist.a .
  $ rm sdk/lib/libpopdist.so; cc sdk/examples/hello.c $flags -o hello && ./hello
  instance 0 of 1: the sum is 1
  $ make -s -C sdk/lib clean; ls sdk/lib
  Makefile
  ipubox_child.c
  ipubox_device.c
  ipubox_file.h
  pkgconfig
  popdist_backend.c
  popdist_call.c
  popdist_collectives.c
  popdist_context.c
  popdist_error.c
  popdist_internal.h
  popdist_lane.c
  popdist_mailbox.c

All names of C++.  Poplar's own headers win where they stand behind ours:

  $ g++ -std=c++11 $strict sdk_names.cpp libpopdist.a -pthread -o names && ./names
  $ mkdir -p real/poplar && for name in Type OptionFlags; do echo "#error the real $name.hpp" > real/poplar/$name.hpp; done
  $ CPATH=$CPATH:$PWD/real g++ -std=c++11 $strict -fsyntax-only sdk_names.cpp 2>&1 | grep -o 'the real.*' | sort -u
  the real OptionFlags.hpp
  the real Type.hpp

Devices.  One child holds them all, and the program is shown:

  $ gcc -g -I. $strict sdk_device.c libpopdist.a -pthread -o device
  $ ./device id 1 | sed 1q
  id: Failed to acquire 1 IPU(s)
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ ./device id 1 id 2 id 1 attach 0 1 show
  id 0
  id 5
  id 0
  device 1: 1 IPUs in GCD 0
  $ ./device attach 4 -1 show count first get id check threads get nothing detach
  device 6: 4 IPUs in GCD 0
  more than 20 attributes: 1
  id is 6
  6
  threads: 0 failed
  get: the device has no such attribute (not-found)
  $ ./device id 2 attach 2 -1 show detach attach 4 -1 show
  id 4
  device 4: 2 IPUs in GCD 0
  device 6: 4 IPUs in GCD 0
  $ ./device attach 1 0 attach 1 0 attach 3 77 attach 9 -1 attach -1 2
  attach: device 0 is already attached; detach it first, with detachFromDevice() in PopTorch (busy)
  attach: Failed to acquire device Id 77
  partition p has no such device; `gc-info -l` lists them (not-found)
  attach: Failed to acquire 9 IPU(s)
  No device found on the system with 9 IPUs: the configuration needs changing
  the number of IPUs in a device is a power of two; for 9 use 16 (invalid)
  attach: a device with -1 IPUs and id 2 does not exist (invalid)

Who was forked from it cannot use the device, and its end does not free it:

  $ ./device attach 4 -1 fork check show
  this process was forked from the process that holds the device
  device 6: 4 IPUs in GCD 0

Others are told who holds it; when the program is killed, the IPUs are free:

  $ mkfifo in out
  $ ./device attach 4 -1 show wait < in > out & holder=$!
  $ exec 3> in 4< out; read -r line <&4; echo "$line"
  device 6: 4 IPUs in GCD 0
  $ ./device attach 4 -1 | sed "s/pid $holder on .*:/pid PID on HOST:/"
  attach: Failed to acquire 4 IPU(s)
  IPU 0 of partition p is held by *, pid PID on HOST: device attach 4 -1 show wait (busy) (glob)
  $ gc-monitor --no-card-info -v | grep -c "$holder .*device attach 4 -1 show wait"
  4
  $ kill -KILL $holder; wait $holder 2> /dev/null; cat <&4
  $ until ./device attach 4 -1 show | grep '^device'; do :; done
  device 6: 4 IPUs in GCD 0

There is no ipubox, or not one that can:

  $ IPUBOX_FILE=/nonexistent ./device id 1
  id: cannot start IPUBOX_FILE, /nonexistent: No such file or directory (unavailable)
  $ IPUBOX_FILE=/bin/true ./device id 1
  id: ipubox __device ended at once; it may be older than this library (unavailable)
  $ IPUBOX_FILE= PATH=/nonexistent ./device id 1
  id 0
  $ sed -i 's|WRITTEN_BY .*|WRITTEN_BY "/nonexistent"|' sdk/lib/ipubox_file.h
  $ gcc -g -I. $strict sdk_device.c sdk/lib/*.c -pthread -o device
  $ IPUBOX_FILE= ./device id 1
  id 0
  $ IPUBOX_FILE= PATH=/nonexistent ./device id 1
  id: ipubox, which holds the devices, was not found: put it into a directory of PATH, or set IPUBOX_FILE to its path (unavailable)
