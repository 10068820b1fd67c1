Large partitions: in a pipe each IPU stands alone on one line, as the guide has
it (tests/cli/screen.t has the ranges of a terminal); and the groups of GS1.

  $ get() { vipu get partition p "$@" | grep "$lines"; }
  $ lines='^IPUs  \|^GS1 G'
  $ vipu create partition p --size 8 --total-num-replicas 2
  create partition (p): success
  $ get --verbose; get
  IPUs                 | 0=ag01:0 1=ag01:1 2=ag01:2 3=ag01:3 4=ag02:0 5=ag02:1 6=ag02:2 7=ag02:3
  GS1 Groups           | 0-3 4-7
  IPUs                 | 0=ag01:0 1=ag01:1 2=ag01:2 3=ag01:3 4=ag02:0 5=ag02:1 6=ag02:2 7=ag02:3
  $ vipu get partition p --showjson | sed -n '/gs1_groups/,/gs2/p' | tr -d ' \n'; echo
  "gs1_groups":[[0,1,2,3],[4,5,6,7]],"gs2":"UNDEFINED",
  $ vipu remove partition p
  remove partition (p): success
  $ vipu create partition p --size 16 --num-gcds 2
  create partition (p): success
  $ get --verbose
  IPUs                 | 0=ag01:0 1=ag01:1 2=ag01:2 3=ag01:3 4=ag02:0 5=ag02:1 6=ag02:2 7=ag02:3 8=ag03:0 9=ag03:1 10=ag03:2 11=ag03:3 12=ag04:0 13=ag04:1 14=ag04:2 15=ag04:3
  GS1 Groups           | 0-7 8-15
  $ vipu get partition p --format csv | grep -o 'ag01:0 .*'
  ag01:0 ag01:1 ag01:2 ag01:3 ag02:0 ag02:1 ag02:2 ag02:3 ag03:0 ag03:1 ag03:2 ag03:3 ag04:0 ag04:1 ag04:2 ag04:3
  $ vipu remove partition p
  remove partition (p): success
  $ vipu create partition p --size 16 --options | sed -n 3p
   0           | cl0     | 1    | UNDEFINED  | DNC         | 16   | 0.0=ag01:0 0.1=ag01:1 0.2=ag01:2 0.3=ag01:3 0.4=ag02:0 0.5=ag02:1 0.6=ag02:2 0.7=ag02:3 0.8=ag03:0 0.9=ag03:1 0.10=ag03:2 0.11=ag03:3 0.12=ag04:0 0.13=ag04:1 0.14=ag04:2 0.15=ag04:3
  $ vipu create partition p --size 64 --total-num-replicas 64
  create partition (p): success
  $ get | wc; get --wide | wc -w
        1      66     653
  66
  $ get --wide --verbose | sed -n 's/GS1 Groups  *| //p' | wc -w
  64
  $ get --wide --verbose | grep -c '| 0 1 2 .* 62 63$'
  1

One that begins within a machine:

  $ vipu remove partition p && vipu create partition p --size 2 --total-num-replicas 2
  remove partition (p): success
  create partition (p): success
  $ vipu create partition q --size 1 2> /dev/null && vipu get partition q | grep '^IPUs  '
  create partition (q): success
  IPUs                 | 0=ag01:2
  $ get --verbose
  IPUs                 | 0=ag01:0 1=ag01:1
  GS1 Groups           | 0 1
