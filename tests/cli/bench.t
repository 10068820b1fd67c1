tests/bench/run: a line that could not be measured says so, and the whole fails.

The peers and our own server are stand-ins here; h2load prints the rate that a
file has, and nothing where there is none, as for a server that does not answer.

  $ mkdir bin helpers; mkfifo quiet
  $ printf '#!/bin/sh\necho 1 100\ncat > /dev/null\n' > helpers/rpc
  $ printf '#!/bin/sh\nexec cat %s\n' "$PWD/quiet" > bin/nghttpd
  $ cat > bin/h2load <<END
  > #!/bin/sh
  > for address; do :; done
  > echo "finished in 1.00s, \$(cat "$PWD/\${address##*/}" 2> /dev/null) req/s, 1MB/s"
  > END
  $ chmod +x bin/* helpers/*
  $ bench() { PATH=$PWD/bin:$PATH LIMIT=1 "$TESTDIR/bench/run" "$IPUBOX" helpers "$@"; }
  $ echo 2000.00 > ListPartitions; echo 4000.00 > Kept; bench transport
  call, an encoded answer            250.0 us   nghttpd                    500.0 us     0.500  <= 2      ok
  call, 16 partitions                500.0 us   nghttpd                    500.0 us     1.000  <= 2      ok
  $ echo 0.00 > Kept; bench transport
  call, an encoded answer      not measured: the server did not answer within 1 s
  call, 16 partitions                500.0 us   nghttpd                    500.0 us     1.000  <= 2      ok
  bench: lines that are not measured: 1
  [1]
  $ rm ListPartitions Kept; bench transport
  call, an encoded answer      not measured: the server did not answer within 1 s
  call, 16 partitions          not measured: the server did not answer within 1 s
  bench: lines that are not measured: 2
  [1]
