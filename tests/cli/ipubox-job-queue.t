Jobs that wait for IPUs are served in the order in which they were made.

  $ job() { ipubox-job "$@"; }
  $ manifest() { cat <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: $1}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "16"
  >   workers:
  >     template:
  >       spec:
  >         containers:
  >         - {name: main, image: x, command: [sh, -c], args: ["$2"]}
  > END
  > }
  $ count=$(test "$FULL${SERVED-}" = 1 && echo 200 || echo 12)
  $ vipu-admin init --pod pod16 > /dev/null
  $ mkfifo gate; manifest gate "read -r line < $PWD/gate" | job create -f -
  ipujob.graphcore.ai/gate created
  $ for i in $(seq $count); do manifest "n$i" "echo $i >> $PWD/order" | job create -f -; done | grep -c created
  [0-9]+ (re)
  $ job get ipujobs -o jsonpath='{range .items[*]}{.status.launcherStatus}{"\n"}{end}' | sort | uniq -c | sed "s/ $count / ALL /;s/^ *//"
  ALL Pending
  1 Running
  $ job get ipujob n2 -o jsonpath='{.status.lastMessage}{"\n"}'
  waiting for 16 IPUs; 0 IPUs are free; taken by p-gate-default-0 (16); 1 waits before this one
  $ echo go > gate
  $ job wait --for=condition=Succeeded ipujobs --all --timeout=500s | grep -c met | sed "s/^$((count + 1))\$/ALL/"
  ALL
  $ seq $count | cmp - order
  $ vipu list partitions -q
