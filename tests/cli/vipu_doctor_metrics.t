#skip-unless unshare -rn true
vipu doctor says whether a program listens at the port that get agent names for
a machine's metrics; here in networks of their own, where none does.

  $ mkfifo log; vipu-server --listen 127.0.0.1:0 2> log & server=$!
  $ exec 3< log; while read -r line <&3; do case $line in *confined*) break;; esac; done
  $ unshare -rn vipu doctor | grep machines:
  ok    machines: nothing on this host listens at port 2112, which vipu-admin get agent names for metrics; vipu-server --metrics ADDR serves them
  $ cat > listen.py <<'X'
  > import socket, subprocess
  > with socket.create_server(('0.0.0.0', 2112)):
  >     subprocess.run(['vipu', 'doctor'])
  > with socket.create_server(('::', 2112), family=socket.AF_INET6):
  >     subprocess.run(['vipu', 'doctor'])
  > X
  $ unshare -rn python3 listen.py | grep machines:
  ok    machines: nothing is wrong
  ok    machines: nothing is wrong
  $ kill $server; cat <&3 > /dev/null; wait $server

Without a server there is nothing to say:

  $ unshare -rn vipu doctor | grep machines:
  ok    machines: nothing is wrong
