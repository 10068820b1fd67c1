vipu doctor: what is wrong, and what mends it; it changes nothing.

Before there is anything, all is well but one: there is no partition.

  $ vipu doctor | sed "s|$IPUBOX_STATE_DIR|STATE|"
  ok    settings: nothing is wrong
  ok    state-folder: STATE (IPUBOX_STATE_DIR) does not exist yet; the first command creates it
  ok    state-files: nothing is wrong
  ok    registry: nothing is wrong
  ok    lock: nothing is wrong
  ok    disk: nothing is wrong
  ok    shared-memory: nothing is wrong
  ok    machines: nothing is wrong
  ok    ipus: nothing is wrong
  FAIL  partitions: no partition exists in STATE (IPUBOX_STATE_DIR); vipu create partition NAME --size N creates one
  ok    clock: nothing is wrong
  ok    waiting: nothing is wrong
  ok    config: nothing is wrong
  ok    ipuof-folders: nothing is wrong
  ok    ipuof-files: nothing is wrong
  ok    api-host: nothing is wrong
  ok    environment: nothing is wrong
  ok    conflicts: nothing is wrong
  ok    gcda-options: nothing is wrong
  $ vipu doctor > /dev/null
  [1]
  $ test -e "$IPUBOX_STATE_DIR" || test -e "$IPUBOX_REGISTRY"
  [1]

All is well with a partition of two GCDs; its files are one configuration.

  $ vipu create partition p --size 4 --num-gcds 2
  create partition (p): success
  $ alias ills='vipu doctor | grep -v "^ok"'
  $ ills
  [1]
  $ eval "$(vipu env p --gcd 1)"; ills
  [1]

What programs are told, and what is wrong with it:

  $ IPUOF_VIPU_API_GCD_ID=2 vipu doctor | grep -v ^ok
  FAIL  environment: IPUOF_VIPU_API_GCD_ID=2: partition p has 2 GCDs, counted from 0; choose one of them
  $ IPUOF_VIPU_API_PARTITION_ID=gone vipu doctor > out
  [1]
  $ grep -v ^ok out
  FAIL  environment: IPUOF_VIPU_API_PARTITION_ID=gone: the partition does not exist; eval "$(vipu env NAME)" chooses another, eval "$(vipu env --unset)" unsets it
  warn  conflicts: IPUOF_VIPU_API_PARTITION_ID=gone takes precedence over the file in .*/.ipuof.conf.d, which is of partition p; eval "\$\(vipu env --unset\)" selects the file's partition (re)
  $ IPUOF_VIPU_API_GCD_ID= vipu doctor | grep -v ^ok
  warn  environment: partition p has 2 GCDs, and a program uses one; set IPUOF_VIPU_API_GCD_ID to a number from 0 to 1
  $ IPUOF_VIPU_API_HOST=127.0.0.2 IPUOF_VIPU_API_PORT=1 vipu doctor | grep -v ^ok
  FAIL  api-host: IPUOF_VIPU_API_HOST=127.0.0.2 cannot be reached: no connection to port 1: (Connection refused|Network unreachable|Network is unreachable); set it to local for the pod of this host (re)
  $ eval "$(vipu env --unset)"
  $ vipu create partition q --size 4 2> /dev/null
  create partition (q): success
  $ ills | sed "s|$HOME|HOME|"
  FAIL  ipuof-folders: programs ignore HOME/.ipuof.conf.d, because it has files of several partitions: p_gcd0.conf of p, p_gcd1.conf of p, q.conf of q; eval "$(vipu env NAME)" chooses one; or remove files
  $ cp ~/.ipuof.conf.d/q.conf q.conf; vipu remove partition q
  remove partition (q): success
  $ IPUOF_CONFIG_PATH=q.conf vipu doctor | grep -v ^ok
  FAIL  ipuof-files: q.conf describes partition q, which does not exist; remove the file
  $ sed -i 's/10.1.5.1/10.1.5.9/' ~/.ipuof.conf.d/p_gcd1.conf; ills | sed "s|$HOME|HOME|"
  warn  ipuof-files: HOME/.ipuof.conf.d/p_gcd1.conf is out of date for partition p; vipu get partition p --ipuof-configs --gcd 1 prints the right contents
  $ vipu get partition p --ipuof-configs --gcd 1 > ~/.ipuof.conf.d/p_gcd1.conf; ills
  [1]

The options of the graph compilation domain's tools, each with its remedy; what
programs do not begin with is a failure:

  $ GCDA_MONITOR=yes GCDA_OPTIONS='{"enableMonitring":"true"}' vipu doctor | grep -v ^ok
  warn  gcda-options: GCDA_OPTIONS: enableMonitring: unknown (did you mean enableMonitoring?); correct its name, or remove it
  warn  gcda-options: GCDA_MONITOR 'yes': must be 0 or 1; set it to 1 or 0, or unset it
  $ GCDA_OPTIONS='{"simulateSOCError.triggerCount":"-1"}' vipu doctor | grep -v ^ok
  FAIL  gcda-options: GCDA_OPTIONS: simulateSOCError.triggerCount: must be a number from 0 to 4294967295; write a number such as "1"
  $ echo '{"ipu_card_mapping":["0000:0f:00.0"]}' > cards.json
  $ GCDA_CONFIG_FILE=cards.json vipu doctor | grep -v ^ok
  [1]
  $ echo '{"ipu_card_mapping":["0f:00.0"]}' > cards.json
  $ GCDA_CONFIG_FILE=cards.json vipu doctor | grep -v ^ok
  warn  gcda-options: GCDA_CONFIG_FILE: cards.json: ipu_card_mapping: entry 1, '0f:00.0', is not a PCI address such as 0000:0f:00.0; name a file that holds {"ipu_card_mapping":["0000:0f:00.0"]}

A configuration that no other command works with:

  $ echo 'api-host = "10.1.3.101' > ~/.vipu-cli.hcl
  $ vipu list partitions 2>&1 | cut -d: -f1
  vipu
  $ vipu doctor | grep -v ^ok | sed "s|$HOME|HOME|"
  FAIL  config: HOME/.vipu-cli.hcl:1: .*; correct the file or the variable; until then, all commands fail (re)
  $ echo 'api-host = "local"' > ~/.vipu-cli.hcl
  $ VIPU_CLI_API_HOST=127.0.0.1 VIPU_CLI_API_PORT=1 vipu doctor | grep -v ^ok | sed "s|$HOME|HOME|"
  FAIL  config: VIPU_CLI_API_HOST: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:1: context deadline exceeded; set it to local, or remove it
  warn  config: VIPU_CLI_API_HOST overrides HOME/.vipu-cli.hcl, which has another value; unset VIPU_CLI_API_HOST, or change the file
  $ rm ~/.vipu-cli.hcl

A state that is damaged, and a registry that is none, stay as they are:

  $ vipu create partition r --size 4 --relocatable
  create partition (r): success
  $ sed -i 's/^ilds = .*/ilds = x/' "$IPUBOX_STATE_DIR"/partitions/r.ini
  $ sed 's/^name = .*/name = s/; s/^ilds = .*/ilds = 1/' "$IPUBOX_STATE_DIR"/partitions/p.ini > "$IPUBOX_STATE_DIR"/partitions/s.ini
  $ : > "$IPUBOX_STATE_DIR"/partitions/.s.ini.abcdef.tmp
  $ mkdir "$IPUBOX_STATE_DIR"/waiting; : > "$IPUBOX_STATE_DIR"/waiting/0000000001.ini
  $ echo nonsense > "$IPUBOX_REGISTRY"
  $ sums() { find "$IPUBOX_STATE_DIR" "$IPUBOX_REGISTRY" ~ -type f ! -name 'sums*' -exec cksum {} + | sort; }
  $ sums > sums.before
  $ ills | sed "s|$IPUBOX_STATE_DIR|STATE|g; s|$IPUBOX_REGISTRY|REGISTRY|"
  FAIL  state-files: STATE/partitions/r.ini:[0-9]+: .*; repair or remove the file; until then, no partition can be created (re)
  FAIL  state-files: STATE/partitions/s.ini:1: its IPUs belong to partition p; repair or remove the file; until then, no partition can be created
  warn  registry: registry REGISTRY: damaged (too short); the next command creates it anew once no program uses IPUs
  warn  waiting: 1 ticket in STATE/waiting is left by programs that were killed; no harm is done; the next vipu create --wait removes them
  $ sums | cmp - sums.before
  $ vipu doctor --format json | head -6
  [
    {
      "check": "settings",
      "verdict": "ok",
      "what": "nothing is wrong",
      "mend": ""
  $ vipu doctor --showjson | grep -c '"FAIL"'
  2
  $ vipu doctor --format csv | sed -n '1,2p'
  check,verdict,what,mend
  settings,ok,nothing is wrong,
  $ rm "$IPUBOX_STATE_DIR"/partitions/[rs].ini "$IPUBOX_STATE_DIR"/waiting/*

Even the pod may be damaged, or there may be no place at all:

  $ echo '[pod' > "$IPUBOX_STATE_DIR"/pod.ini
  $ ills | cut -c1-40 | sed 's|: .*||'
  FAIL  state-files
  warn  registry
  warn  machines
  warn  ipus
  warn  partitions
  $ rm -r "${IPUBOX_STATE_DIR:?}"; : > "$IPUBOX_STATE_DIR"
  $ ills | sed "s|$IPUBOX_STATE_DIR|STATE|g" | grep state-folder
  FAIL  state-folder: STATE: Not a directory; let uid [0-9]+ use it, or set IPUBOX_STATE_DIR (re)
  $ env -u IPUBOX_STATE_DIR -u IPUBOX_REGISTRY -u HOME vipu doctor | wc -l
  19

Faults that were injected, rights that every command refuses, and a pod for
users only:

  $ rm "$IPUBOX_STATE_DIR" "$IPUBOX_REGISTRY"
  $ unset IPUOF_VIPU_API_PARTITION_ID IPUOF_VIPU_API_GCD_ID; rm -f .ipuof.conf.d/*
  $ vipu create partition q --size 1
  create partition (q): success
  $ vipu-admin inject ag09:1 soc-error IPUSOFTERR,NMLINKDN0
  inject IPU (ag09:1): success.
  $ ills
  warn  ipus: IPU ag09:1 has IPUSOFTERR, NMLINKDN0; it needs PARTITION_RESET, see ipubox(7); vipu-admin inject ag09:1 soc-error clear ends it
  $ vipu-admin inject all up
  inject agent (all): success.
  $ chmod 777 "$IPUBOX_STATE_DIR"; ills | sed "s|$IPUBOX_STATE_DIR|STATE|g"
  FAIL  state-folder: state directory STATE: other users may write it; chmod 700 reserves it for its owner, chmod 2770 shares it with its group
  $ chmod 700 "$IPUBOX_STATE_DIR"; ills
  [1]
  $ vipu-admin init --secure --force --default-user-id admin 2> /dev/null | head -1
  init pod (pod64): success.
  $ ills | sed "s|$IPUBOX_STATE_DIR|STATE|g"
  FAIL  partitions: no partition exists in STATE (IPUBOX_STATE_DIR); vipu create partition NAME --size N creates one
  FAIL  config: the pod is in secure mode, and no user is named; give the file NAME.vipu-cli.hcl to --config, or set VIPU_CLI_CONFIG to it

Who may use no partition of those there are, and who is not let in:

  $ vipu-admin create user ann --allocations default > /dev/null
  $ vipu-admin create user bob > /dev/null
  $ vipu --config ann.vipu-cli.hcl create partition p --size 4
  create partition (p): success
  $ vipu --config ann.vipu-cli.hcl doctor | grep -v ^ok
  [1]
  $ vipu --config bob.vipu-cli.hcl doctor | grep -v ^ok
  FAIL  partitions: user bob may use none of the existing partitions (1); vipu create partition NAME --size N creates one
  $ vipu --api-user-id ann --api-access-key wrong doctor | grep -v ^ok
  FAIL  config: user ann is unknown, or this is not its access key; give the user's file NAME.vipu-cli.hcl to --config, or set VIPU_CLI_CONFIG to it
  $ vipu --api-user-id ann doctor | grep -c '^FAIL  config: user ann needs an access key'
  1
  $ vipu --config ann.vipu-cli.hcl doctor > /dev/null
  $ vipu --config bob.vipu-cli.hcl doctor > /dev/null
  [1]

A file of settings with a mistake: no command works, and the doctor does.

  $ printf '[state]\ndirectory = there\n' > bad.conf
  $ IPUBOX_CONFIG=bad.conf vipu --config ann.vipu-cli.hcl doctor | grep -v '^ok\|ipuof-files'
  FAIL  settings: bad.conf:2: directory 'there': must begin with '/'; correct the file, or name another in IPUBOX_CONFIG; until then, all commands that use the pod fail
  warn  state-folder: unknown; correct the settings first
  warn  machines: unknown, because the pod cannot be read; correct the faults above
  warn  ipus: unknown, because the pod cannot be read; correct the faults above
  warn  partitions: unknown, because the pod cannot be read; correct the faults above

Misuse:

  $ vipu doctor x
  vipu: doctor: unexpected argument 'x'
  usage: vipu doctor [--format FORM]
  [2]
  $ vipu doctor --format xml
  vipu: --format 'xml': must be table, json or csv
  usage: vipu doctor [--format FORM]
  [2]
