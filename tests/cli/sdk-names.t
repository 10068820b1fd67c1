PopDist's names: C, C++, Python, popdist-env and the manuals have those of the
one table, core/job/popdist_names.c, and no others.

The table as lines: the name, C's name, the kind, the places, the value without
poprun.

  $ top=$TESTDIR/..
  $ sed -n '/popdist_names\[\] = {$/,/^};/p' "$top/core/job/popdist_names.c" | sed '1d;$d' | tr -d '\n\t"' | sed 's/ *{ *//g; s/ },*/\n/g; s/}$/\n/' | sed 's/    */ /g; s/, */,/g' > table
  $ sed -n 2p table
  getNumTotalReplicas,popdist_num_total_replicas,POPDIST_NUMBER,EVERYWHERE,1,replicas of the whole job
  $ test $(grep -c . table) = $(sed -n '/popdist_names\[\] = {$/,/^};/p' "$top/core/job/popdist_names.c" | grep -c '	{')
  $ offered() { awk -F, -v field=$1 -v place="$2" '$4 ~ "EVERYWHERE|" place { print $field }' table | sort; }
  $ compare() { diff wanted found | sed -n 's/^</missing:/p; s/^>/not in the table:/p'; wc -l < wanted | sed 's/ //g'; }
  $ cut -d , -f 1 table | grep -v NULL | sort | uniq -d
  $ cut -d , -f 2 table | grep -v NULL | sort | uniq -d

C, and its manual:

  $ offered 2 'PROGRAMS|IN_C( |$)' > wanted
  $ sed 's|/\*.*\*/||; /\/\*/,/\*\//d' "$top/config/sdk/include/popdist.h" | grep -o 'popdist_[a-z_]*(' | tr -d '(' | sort > found
  $ compare
  24
  $ sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/s/^\.Fn \(popdist_[a-z_]*\).*/\1/p' "$top/man/popdist.3" | sort > found; compare
  24
  $ sed -n '/^\.Sh DESCRIPTION/,$p' "$top/man/popdist.3" | grep -o 'Fn popdist_[a-z_]*' | cut -c 4- | sort -u > found; compare
  24

C++: what stands in its namespaces, but for the one that is internal.

  $ offered 1 'PROGRAMS|IN_CPP' > wanted
  $ for f in context backend collectives; do sed '/^namespace internal {/,/^}.*namespace internal/d; s|/\*.*\*/||; /\/\*/,/\*\//d' "$top/config/sdk/include/popdist/$f.hpp" | grep -o '^[a-zA-Z_]*(' | tr -d '(' | sed "s/^/$f./; s/^context\.//; s/^backend\.//"; done | sort -u > found
  $ compare
  24

Python; popdist_core offers what popdist does, as sdk-python.t sees:

  $ all() { sed -n '/__all__ = \[/,/\]/p' "$top/config/sdk/python/popdist/$1.py" | grep -o '"[^"]*"' | tr -d '"'; }
  $ offered 1 'PROGRAMS|IN_PYTHON' > wanted
  $ { all __init__ | grep -v -e Error -e error -e '^collectives$'; all collectives | sed 's/^/collectives./'; } | sort > found
  $ compare
  25

The shell, its manual and its help:

  $ offered 1 'IN_SHELL' > wanted
  $ popdist-env --help | sed -n '/^Names:/,$s/^  \([A-Za-z]*\) .*/\1/p' | sort > found; compare
  10
  $ sed -n '/^The names are/,/^\.El/s/^\.It Cm \([A-Za-z]*\).*/\1/p' "$top/man/popdist-env.1" | sort > found; compare
  10
  $ { popdist-env | cut -d ' ' -f 1; echo checkNumIpusPerReplica; } | sort > found; compare
  10

And their values without poprun:

  $ awk -F, '$3 !~ /CALL/ && $5 != "NULL" { print $1, $5 }' table | sort > wanted
  $ popdist-env | grep -v getDeviceId | tr -s ' ' | sort > found; compare
  8
