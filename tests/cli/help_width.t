Help and misuse fit a screen: no line of them is wider than 80 columns.

  $ wide() { awk -v what="$*" 'length($0) > 80 { print what ": " $0 }'; }
  $ ipubox --help | wide ipubox
  $ for name in $(ipubox __complete '' | grep -vx help); do ipubox $name --help | wide $name; done
  $ for name in $(ipubox __complete '' | grep -vx help); do ipubox $name --no-such 2>&1 | wide $name; done

A misuse has one usage line; where it has no room for all options, it says where
they are:

  $ mnist-pipeline --no-such
  mnist-pipeline: unrecognised option '--no-such'
  usage: mnist-pipeline [option ...] (--help lists them)
  [2]
  $ ipubox-train --no-such
  ipubox-train: unrecognised option '--no-such'
  usage: ipubox-train MODEL [option ...] (--help lists them)
  [2]
  $ gc-info --no-such
  gc-info: unrecognised option '--no-such'
  usage: gc-info [option ...] (--help lists them)
  [2]
  $ popdist-env --no-such
  popdist-env: unrecognised option '--no-such'
  usage: popdist-env [--json] [get NAME [N] | shard N]
  [2]
  $ vipu get partition p --gcd 0
  vipu: --gcd needs --ipuof-configs
  usage: vipu get partition NAME [option ...] (--help lists them)
  [2]

The help names all of them, an option and its argument on one line:

  $ mnist-pipeline --help | sed '/^$/,$d'
  usage: mnist-pipeline [--batch-size N] [--device-iterations N]
                        [--gradient-accumulation N] [--test-batch-size N]
                        [--epochs N] [--learning-rate RATE] [--profile]
                        [--profile-dir DIR] [--strategy NAME]
                        [--offload-optimiser[=BOOL]] [--debug] [--data-dir DIR]
                        [--dataset NAME] [--seed N] [--samples N]
                        [--test-device-iterations N] [--recompute[=BOOL]]
                        [--output-mode NAME] [--output-return-period N]
                        [--replicas N] [--stages LIST] [--auto-stage NAME]
                        [--auto-round] [--ipu-memory BYTES] [--memory-report]
                        [--wide] [--memory-json FILE] [--dump-schedule]
                        [--save FILE] [--load FILE]

So do the commands of vipu and vipu-admin, each alone:

  $ commands() { $1 --help | sed -n '/^Commands/,/^Options/s/^  \([a-z]\)/\1/p' | awk '{ print $1, $2 ~ /^[a-z]+$/ ? $2 : "" }'; }
  $ vipu get partition --help | head -3
  usage: vipu get partition NAME
              [--verbose | --format FORM | --ipuof-configs [--gcd G]]
  
  $ test "$(commands vipu | wc -l)" -gt 10
  $ for name in vipu vipu-admin; do commands $name | while read -r c; do $name $c --help < /dev/null | wide $name $c; $name $c --no-such -- < /dev/null 2>&1 | wide $name $c; done; done
  $ vipu create partition --help | sed -n '/--sync-type/,/write no/p'
        --sync-type T             set the sync type: c2-compatible,
                                  pod-native-default or
                                  pod-native-replicated-pipeline (default:
                                  c2-compatible)
        --relocatable             allow the partition to move to other IPUs, and
                                  write no IPUoF file
