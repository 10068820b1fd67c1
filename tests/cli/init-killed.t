vipu-admin init, killed at each point of its changes of the state.

  $ vipu-admin init --pod pod16 > out && vipu-admin export > from.ini
  $ { sed 's/ag\[01-04\]/ag[01-08]/; s/^topology = .*/topology = torus/' from.ini; printf '[partition y]\nsize = 4\nrelocatable = yes\n[partition z]\nsize = 16\nrelocatable = yes\n'; } > to.ini
  $ printf '[partition x]\nsize = 4\nrelocatable = yes\n' >> from.ini
  $ vipu-admin init --force --pod to.ini > out && vipu-admin export to.all

A kill at any point leaves what the next init --force replaces (every fourth,
with FULL=1 all):

  $ kills=0 n=1 step=4; [ -z "$FULL" ] || step=1
  > while vipu-admin init --force --pod from.ini > out || cat out; do
  >   IPUBOX_FAULT=$n "$IPUBOX_FAULTY" vipu-admin init --force --pod to.ini > out 2>&1
  >   status=$?
  >   [ $status -eq 0 ] || [ $status -eq 137 ] || { echo "point $n: status $status"; cat out; }
  >   vipu list partitions > out 2>&1 || { echo "point $n:"; cat out; }
  >   vipu-admin init --force --pod to.ini > out 2>&1 || { echo "point $n:"; cat out; }
  >   vipu-admin export | cmp - to.all || echo "point $n"
  >   [ $status -ne 0 ] || break
  >   kills=$((kills + 1)) n=$((n + step))
  > done 2> /dev/null
  > [ $((kills * step)) -gt 30 ] || echo "only $kills kills"
