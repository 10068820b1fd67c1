Findings of a profile, followed: each command that one gives is run, and the
modelled clock of its own profile is what was promised, within 5 %.

  $ vipu create partition p --size 8 --reconfigurable
  create partition (p): success
  $ cat > follow <<'E'
  > # COMMAND: of each finding with advice its engine, its topic and "kept", or
  > # "broken" with the gain that was promised and the one that came.
  > number() { sed -n 's/^ *"per_sample": *\([0-9.e+]*\).*/\1/p' "$1"; }
  > rm -rf first
  > eval "$1 --profile --profile-dir first" > out 2>&1 || [ -d first ] || cat out
  > for engine in training inference; do
  >     [ -d first/$engine ] || continue
  >     awk '/"topic":/ { gsub(/[",]/, ""); topic = $2 }
  >         /"command_line":/ { sub(/.*": "/, ""); sub(/",$/, ""); line = $0 }
  >         /"gain":/ { gain = $2 + 0 }
  >         /"cycles_per_sample":/ { print topic "|" gain "|" $2 + 0 "|" line }' first/$engine/summary.json > advice
  >     now=$(number first/$engine/summary.json)
  >     while IFS='|' read -r topic gain promised line; do
  >         rm -rf then
  >         eval "$line --profile-dir then" > out 2>&1 || { echo "$line"; cat out; continue; }
  >         echo "$engine $topic $gain $promised $now $(number then/$engine/summary.json)"
  >     done < advice
  > done | awk '{
  >     gain = $5 / $6; off = gain / $3; far = $4 / $6
  >     kept = off > 0.95 && off < 1.05 && far > 0.95 && far < 1.05
  >     print $1, $2, kept ? "kept" : "broken: " $3 " " gain }'
  > E
  $ few='--dataset generated --samples 1200 --device-iterations 2 --epochs 1'
  $ sh follow "mnist-pipeline $few"
  training IPUs kept
  training strategy kept
  training balance kept
  training bubble kept
  inference IPUs kept
  inference balance kept
  inference micro-batch kept

Other models, strategies and memories, with FULL=1 all of them; at least two
findings each, of which none is broken:

  $ each() {
  >     for command; do
  >         sh follow "$command" | awk -v command="$command" '{ n++ }
  >             $3 != "kept" { print command ": " $0 } END { if (n < 2) print command ": " n + 0 " findings" }'
  >     done
  > }
  $ each "mnist-pipeline $few --strategy sharded" "ipubox-train mnist $few --ipu-memory 36M --batch-size 60 --device-iterations 1"
  $ [ -z "$FULL" ] || each "ipubox-train lenet5 $few --strategy interleaved --recompute --replicas 2 --device-iterations 1" "ipubox-train mlp $few --strategy one-ipu --offload-optimiser"

From a check-point, which keeps the order of the data:

  $ eval "mnist-pipeline $few --save half" > /dev/null
  $ sh follow "mnist-pipeline $few --load half --epochs 2 --strategy one-ipu"
  training IPUs kept
  inference IPUs kept
  inference micro-batch kept

A tile that is too small: that run is refused, but has a profile, whose finding
makes it fit.

  $ sh follow "ipubox-train mnist $few --ipu-memory 34M --batch-size 60 --device-iterations 1"
  training memory kept

Under poprun, which says how many IPUs there are:

  $ alias pair='poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2'
  $ pair --ipus-per-replica 4 mnist-pipeline $few --device-iterations 1 --profile --profile-dir pair > out 2>&1 || cat out
  $ sed -n 's/.*"text": "This model.*\(Also pass .*\)",$/\1/p' pair/0/training/summary.json
  Also pass --ipus-per-replica 2 to poprun.
  $ sed -n 's/.*"command_line": "\(.*\)",$/\1/p' pair/0/training/summary.json | head -1 > line
  $ pair --ipus-per-replica 2 $(cat line) --profile-dir after > out 2>&1 || cat out
  $ gain=$(sed -n 's/.*"gain": \([0-9.]*\).*/\1/p' pair/0/training/summary.json | head -1)
  $ cat pair/0/training/summary.json after/0/training/summary.json | awk -v gain=$gain '/"modelled_samples_per_second":/ { rate[n++] = $2 + 0 } END { off = rate[1] / rate[0] / gain; print (off > 0.95 && off < 1.05) ? "kept" : "broken" }'
  kept
