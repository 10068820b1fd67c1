#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
poprun: what the instances print, and where it cannot be written.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias run='poprun --offline-mode=yes --launcher $launcher'

Empty lines, redraws, no newline at the end:

  $ run printf 'a\n\nb\rc\nlast' | od -An -c | tr -s ' \n' ' '; echo
   [ 1 , 0 ] < s t d o u t > : a \n [ 1 , 0 ] < s t d o u t > : \n [ 1 , 0 ] < s t d o u t > : b \r [ 1 , 0 ] < s t d o u t > : c \n [ 1 , 0 ] < s t d o u t > : l a s t \n 

A line of 10,000 bytes, and one of 3 MB, have one tag:

  $ run sh -c 'head -c 10000 /dev/zero | tr "\0" x' | wc -lc | tr -s ' '
   1 10015
  $ run --num-replicas 2 --num-instances 2 sh -c 'head -c 3000000 /dev/zero | tr "\0" x; echo' | awk '{ print length($0) }'
  3000014
  3000014

Bytes come out as they went in:

  $ awk 'BEGIN { for (i = 1; i < 256; i++) if (i != 10 && i != 13) printf "%c", i; print "" }' > bytes
  $ run cat bytes | sed 's/^\[1,0\]<stdout>://' | cmp - bytes
  $ run head -c 100 /dev/zero | tr -d '\0'
  [1,0]<stdout>:

Many lines of several instances, each whole and none lost:

  $ run --num-replicas 4 --num-instances 4 seq 100000 > log
  $ wc -l < log
  400000
  $ grep -Evc '^\[1,[0-3]\]<stdout>:[0-9]+$' log
  0
  [1]
  $ for i in 0 1 2 3; do sed -n "s/^\[1,$i\]<stdout>://p" log > got; seq 100000 | cmp - got; done

A line of 100 MB is whole, in less memory than it takes (mpirun alone takes more);
and one of NUL bytes:

  $ zeros() { head -c 100000000 /dev/zero; }
  $ (ldd "$IPUBOX" > lib 2>&1 || [ $launcher = mpirun ] || ulimit -v 65536; run --num-replicas 2 --num-instances 2 sh -c 'head -c 100000000 /dev/zero | tr "\0" x; echo') | wc -lc | tr -s ' '
   2 200000030
  $ run sh -c 'head -c 100000000 /dev/zero; echo' | { head -c 14; echo; cmp - /dev/zero; }
  [1,0]<stdout>:
  - /dev/zero differ: char 100000001, line 1
  [1]

Bytes one by one, of two writers:

  $ cat > bytes.sh <<'END'
  > i=0
  > while [ $i -lt 200 ]; do
  > 	i=$((i + 1))
  > 	printf a; printf b; printf '\n'
  > done
  > END
  $ run --num-replicas 2 --num-instances 2 sh bytes.sh | sort | uniq -c | tr -s ' '
   200 [1,0]<stdout>:ab
   200 [1,1]<stdout>:ab

A reader that does not read makes the writers wait, and gets all of it:

  $ mkfifo slow
  $ run --num-replicas 4 --num-instances 4 seq 100000 > slow & job=$!
  $ exec 7<slow; dd bs=1 count=14 <&7 2> /dev/null; echo
  \[1,[0-3]\]<stdout>: (re)
  $ cat <&7 | sed '1s/^/[1,0]<stdout>:/;s/.*://' | awk '{ sum += $0 } END { printf "%d %.0f\n", NR, sum }'; wait $job
  400000 20000200000

Standard error is kept apart:

  $ run sh -c 'seq 1000; seq 1000 >&2' 2> err | grep -vc '<stdout>:'
  0
  [1]
  $ grep -c '<stderr>:' err
  1000

A reader that goes away ends the job as quietly as it ends other tools; so does
one that is gone before poprun writes.  A full disk is an error:

  $ { run yes 2> err; echo "status $?" >> err; } | head -1; cat err
  [1,0]<stdout>:y
  status 141
  $ mkfifo gone; exec 7<>gone 8>gone 7<&-
  $ run --num-replicas 2 --num-instances 2 yes >&8
  [141]
  $ run yes >&8 2>&8
  [141]
  $ run sh -c 'yes >&2' 2>&8
  [141]
  $ run -v yes 2> err | head -1 > out; grep reader err
  * POPRUN [I] Standard output has no reader any more, the job was stopped (glob)
  $ run --dry-run true >&8
  [141]
  $ run --print-topology=yes true >&8
  [141]
  $ vipu create partition p --size 4 > /dev/null
  $ { poprun --launcher $launcher --vipu-partition p --ipus-per-replica 4 mnist-pipeline --dataset generated --samples 8000 --epochs 100000 2> err; echo "status $?" >> err; } | head -1; cat err
  [1,0]<stdout>:Dataset: 8000 + 1333 generated digits (not MNIST)
  status 141
  $ gc-monitor | grep -c 'No attached processes'; vipu remove partition p
  1
  remove partition (p): success
  $ run echo x > /dev/full
  POPRUN ERROR: cannot write to standard output: No space left on device; the job was stopped
  [1]
  $ run --print-topology=yes echo x > /dev/full
  poprun: cannot write to standard output
  [1]

256 instances at once:

  $ run --num-replicas 256 --num-instances 256 sh -c 'echo $OMPI_COMM_WORLD_RANK' | sort -u | wc -l
  256

A program that closes one of its outputs is heard on the other until it ends:

  $ mkfifo go said
  $ poprun --offline-mode=yes --launcher $launcher sh -c 'exec 2>&-; echo first; read -r line < go; echo late' > said & job=$!
  $ exec 8<said; read -r line <&8; echo "$line"; echo > go; cat <&8; wait $job
  [1,0]<stdout>:first
  [1,0]<stdout>:late

Descriptors are too few for the pipes, which poprun makes, or mpirun:

  $ (ulimit -n 64; run --num-replicas 64 --num-instances 64 sleep 60) > few 2>&1; echo $?
  1
  $ sed 's/need [0-9]*/need N/' few
  POPRUN ERROR: 64 files may be open, 64 instances need N: raise ulimit -Hn, or use fewer instances
