Control characters that come from elsewhere never reach the terminal: whatever
is quoted shows them as "\x1b" and the like.  ESC, BEL, a line break, CSI as a
byte and as a character of UTF-8, and a byte that is no UTF-8:

  $ evil=$(printf 'a\033[31m\007\nb\2331m\302\233\377z')
  $ few='--dataset generated --samples 1200 --batch-size 10 --gradient-accumulation 7 --device-iterations 2 --test-batch-size 20 --test-device-iterations 5'
  $ raw() { LC_ALL=C sed 's/█//g' | LC_ALL=C grep -a -c "$(printf '[\001-\010\013-\037\177-\237]')" | grep -v '^0'; }
  $ shown='a\\x1b\[31m\\x07\\x0ab\\x9b1m\\xc2\\x9b\\xffz'
  $ check() { "$@" > out 2>&1; raw < out; grep -q "$shown" out || { echo "not shown: $2"; cat -v out; }; }
  $ printf 'a\033' | raw
  1
  $ vipu create partition p --size 2 --reconfigurable > /dev/null

Arguments:

  $ check ipubox "$evil"
  $ check vipu "$evil" list
  $ check vipu get partition "$evil"
  $ check vipu list partitions "--$evil"
  $ check gc-info "--$evil"
  $ check gc-info -d "$evil"
  $ check poprun "--$evil" true
  $ check poprun "$evil"
  $ check poprun --vipu-partition "$evil" true
  $ check poprun --launcher "$evil" true
  $ check poprun --vipu-partition p --num-replicas 1 --num-instances 1 --dry-run true "$evil"
  $ check copy-ssh "$evil"
  $ check vipu-admin inject "$evil" down
  $ check ipubox train "$evil"
  $ check ipubox train mlp $few --save "no/$evil"
  $ check ipubox train mlp --memory-json "no/$evil"
  $ check ipubox train mlp $few --load "$evil"
  $ check ipubox train mlp $few --epochs 0 --profile --profile-dir "$evil"
  $ check vipu create partition q --size 1 --ipuof-config-location "$PWD/$evil"
  $ vipu remove partition q > /dev/null
  $ mkdir -p "ipuof$evil" && touch "ipuof$evil/1.conf"
  $ check vipu create partition q --size 1 --ipuof-config-location "$PWD/ipuof$evil"

JSON has escapes of its own, and what an instance prints is not changed:

  $ poprun --vipu-partition p --num-replicas 1 --num-instances 1 --dry-run --format json true "$(printf '\033\007\nx')" | grep -o 'u001B.*x'
  u001B\u0007\nx
  $ poprun --vipu-partition p --num-replicas 1 --num-instances 1 printf '%s\n' "$evil" > out
  $ printf '%s\n' "$evil" | sed 's/^/[1,0]<stdout>:/' | cmp - out

The environment:

  $ POPLAR_ENGINE_OPTIONS="$evil" ipubox train mlp $few --epochs 0 2>&1 | raw
  [1]
  $ POPLAR_ENGINE_OPTIONS="{\"$(printf 'x\302\233y')\":\"1\"}" ipubox train mlp $few --epochs 0 2>&1 | raw
  [1]
  $ variable() { export "$1=$evil"; shift; check "$@"; }
  $ (variable POPDIST_NUM_TOTAL_REPLICAS ipubox train mlp $few)
  $ (variable IPUOF_VIPU_API_PARTITION_ID gc-info -l)
  $ (variable IPUOF_VIPU_API_PARTITION_ID gc-monitor)
  $ (variable IPUBOX_CONFIG vipu list partitions)
  $ IPUBOX_STATE_DIR="no/$evil" vipu list partitions 2>&1 | raw
  [1]
  $ (variable GCDA_OPTIONS ipubox train mlp $few --epochs 0 2>&1 | raw)
  [1]

Files: settings, a pod, a model, and a partition of the state.

  $ for first in "a$evil = b" "[a$evil]" "[emulate]${nl-
  > }sdk = $evil" "[pod]${nl-
  > }name = $evil"; do
  >     printf '%s\n' "$first" > file
  >     IPUBOX_CONFIG=$PWD/file vipu list partitions 2>&1 | raw
  >     vipu --config file list partitions 2>&1 | raw
  >     vipu-admin init --force --pod ./file 2>&1 | raw
  >     ipubox train ./file 2>&1 | raw
  > done
  [1]
  $ (variable none vipu-admin init --force --pod "./$evil")
  $ printf '%s\n' "[a$evil]" > "$IPUBOX_STATE_DIR/partitions/bad.ini"
  $ rm "$IPUBOX_REGISTRY"; vipu list partitions > out 2>&1; raw < out; grep -c 'bad.ini:1: .*' out
  1
  $ rm "$IPUBOX_STATE_DIR/partitions/bad.ini" "$IPUBOX_REGISTRY"

Every text of an agent and of a partition, where a line break would also begin a
row of its own:

  $ coded=$(printf '%s' "$evil" | LC_ALL=C sed ':a; N; $!ba; s/\n/%0A/g; s/\x1b/%1B/; s/\x07/%07/')
  $ first=$(echo "$IPUBOX_STATE_DIR"/agents/*1.ini | cut -d ' ' -f 1); cp "$first" "$IPUBOX_STATE_DIR/partitions/p.ini" .
  $ LC_ALL=C sed -i "s/^host = .*/host = $coded/; s/^address = .*/address = $coded%0D/" "$first"
  $ LC_ALL=C sed -i "s/^ipuof-folder = .*/ipuof-folder = $coded/; \$a last-error = $coded%0Dx" "$IPUBOX_STATE_DIR/partitions/p.ini"
  $ rm -f "$IPUBOX_REGISTRY"; agent=$(sed -n 's/^name = //p' "$first")
  $ for command in 'list agents' 'list agents --format csv' "get agent $agent" "get agent $agent --format csv" 'get partition p' 'get partition p --format csv' 'list partitions --format csv'; do
  >     check vipu-admin $command; grep '^[xb]' out
  > done
  [1]
  $ for command in 'vipu list ipu-attrs' 'vipu list ipu-attrs --format csv' 'gc-info -d 0 -i' gc-inventory; do check $command; grep '^b' out; done
  [1]
  $ gc-monitor > out; raw < out; grep -c 'ffz' out
  2
  $ vipu-admin export > out; raw < out; grep -c '^address = a%1B\[31m%07%0Ab%9B1m%C2%9B%FFz%0D$' out
  1
  $ mv "${first##*/}" "$first"; mv p.ini "$IPUBOX_STATE_DIR/partitions"; rm "$IPUBOX_REGISTRY"; vipu get partition p --format csv | grep -c x1b
  0
  [1]

A check-point whose digest is right, with another model in its lines:

  $ ipubox train mlp $few --epochs 1 --save good.ck > /dev/null
  $ head -c -32 good.ck | LC_ALL=C sed "s/^seed 0/seed $(printf '\033[31m\007\233\302\233\377')/" > evil.ck
  $ for byte in $(sha256sum < evil.ck | cut -c 1-64 | sed 's/../& /g'); do printf "\\$(printf %o 0x$byte)"; done >> evil.ck
  $ ipubox train mlp $few --load evil.ck
  ipubox-train: evil.ck is from another run: it has "seed \\x1b\[31m\\x07\\x9b\\xc2\\x9b\\xff", but this run has "seed 0" (re)
  [1]

A neighbour who writes into the registry: the command of a holder, and its user.

  $ mkfifo pipe
  $ ipubox train mlp $few --epochs 1000000 > pipe & job=$!
  $ exec 8< pipe
  $ until read -r line <&8; case $line in *Loss*) ;; *) false ;; esac; do :; done
  $ word=$(id -un | cut -c 1-8)
  $ for place in $(LC_ALL=C grep -abo -e 'ipubox-train' -e "$word" "$IPUBOX_REGISTRY.slots" | cut -d : -f 1); do printf '\033\007\233\377' | dd of="$IPUBOX_REGISTRY.slots" bs=1 seek=$place conv=notrunc 2> /dev/null; done
  $ for command in gc-monitor 'gc-monitor --csv' 'gc-monitor --json' 'gc-info -i -d 0' 'gc-info -l' "ipubox train mlp $few"; do $command > out 2>&1; raw < out; grep -q 'x1b.*x07.*x9b.*xff' out && echo "$command"; done
  gc-monitor
  gc-monitor --csv
  gc-monitor --json
  gc-info -i -d 0
  gc-info -l
  ipubox train mlp --dataset .* (re)
  $ { kill $job; cat <&8 > rest; exec 8<&-; wait $job; } 2> /dev/null
  [143]
