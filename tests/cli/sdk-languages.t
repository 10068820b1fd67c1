#needs c++
A Python program, a C and a C++ program and a shell script are one job: the
examples of the SDK, as it was installed.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PYTHONDONTWRITEBYTECODE=1
  $ launchers=local; ! command -v mpirun > /dev/null || launchers='local mpirun'
  $ ipubox --install-sdk sdk > /dev/null; eval "$(ipubox sdk-env sdk)"
  $ cc -Wall -Wextra -Werror "$IPUBOX_SDK"/examples/hello.c "$IPUBOX_SDK"/lib/*.c -pthread -o hello
  $ c++ -x c++ -Wall -Wextra -Werror "$IPUBOX_SDK"/examples/hello.cpp "$IPUBOX_SDK"/lib/*.c -pthread -o hello++
  $ cat > one <<'X'
  > #!/bin/sh
  > # Each instance is a program of another language.
  > case $(popdist-env get getInstanceIndex) in
  > 0) exec /usr/bin/python3 "$IPUBOX_SDK"/examples/hello.py ;;
  > 1) exec ./hello ;;
  > 2) exec ./hello++ ;;
  > *) exec "$IPUBOX_SDK"/examples/hello.sh ;;
  > esac
  > X
  $ chmod +x one
  $ for launcher in $launchers; do
  >   poprun --offline-mode yes --launcher $launcher --num-instances 4 --num-replicas 4 ./one | sort > got.$launcher
  >   diff got.local got.$launcher
  > done; cat got.local
  [1,0]<stdout>:instance 0 of 4: the sum is 10
  [1,1]<stdout>:instance 1 of 4: the sum is 10
  [1,2]<stdout>:instance 2 of 4: the sum is 10
  [1,3]<stdout>:instance 3 of 4: the sum is 10

Each of them alone, and without poprun:

  $ ./one; ./hello; ./hello++; "$IPUBOX_SDK"/examples/hello.sh
  instance 0 of 1: the sum is 1
  instance 0 of 1: the sum is 1
  instance 0 of 1: the sum is 1
  instance 0 of 1: the sum is 1

With the library made, the variables are all that a compiler, the linker and the
program need:

  $ make -s -C "$IPUBOX_SDK"/lib && eval "$(ipubox sdk-env)"
  $ cc "$IPUBOX_SDK"/examples/hello.c -lpopdist -pthread -o linked && ./linked
  instance 0 of 1: the sum is 1
  $ ldd linked | grep -c "popdist.so => $PWD/sdk/lib/"
  1
