#skip-unless [ -n "${IPUBOX_FAULTY:-}" ] # a build with fault points
ipubox --install-sdk, killed at each point where it touches the disk: a file is
whole or not there, an SDK that is not complete is not used, and the next run
leaves it as if nothing had happened.

  $ ipubox --install-sdk whole > /dev/null
  $ whole() { diff -r whole "$1" && (cd "$1" && find . -printf '%p %m\n' | sort) > got; }
  $ whole whole && mv got wanted
  $ n=0; while n=$((n + 1)); do
  >   rm -rf sdk
  >   IPUBOX_FAULT=$n "$IPUBOX_FAULTY" --install-sdk sdk > out 2>&1 && break
  >   test -d sdk || continue
  >   if ipubox sdk-env sdk > env 2>&1; then
  >     whole sdk || echo "point $n: complete, and is not"
  >   fi
  >   find sdk -type f ! -name '.*' | while read -r file; do
  >     cmp "$file" "whole/${file#sdk/}" || echo "point $n: $file"
  >   done
  >   ipubox --install-sdk sdk > /dev/null && whole sdk && cmp wanted got || echo "point $n"
  > done
  $ test $n -gt 20 || echo "only $n points"

The same over an older SDK:

  $ n=0; while n=$((n + 1)); do
  >   rm -rf sdk; mkdir -p sdk/old sdk/examples; touch sdk/old/file; echo older > sdk/examples/hello.sh
  >   printf 'ipubox-sdk 0.0.1 complete\nold/file\nexamples/hello.sh\n' > sdk/.ipubox-sdk
  >   IPUBOX_FAULT=$n "$IPUBOX_FAULTY" --install-sdk sdk > out 2>&1 && break
  >   ipubox --install-sdk sdk > /dev/null || echo "point $n: refused"
  >   whole sdk && cmp wanted got || echo "point $n"
  > done
  $ test $n -gt 20 || echo "only $n points"
