vipu-cli: the one program that vipu and vipu-admin were made of.

  $ vipu-cli --help
  usage: vipu-cli [-a] VERB ENTITY [NAME] [option ...]
  
  the old name of vipu and, with -a, of vipu-admin
  
    -a                            do the work of vipu-admin, not of vipu
    -h, --help                    print this help, or the help of a command
  
  Examples:
  
    vipu-cli create partition p --size 4
    vipu-cli -a --showjson list cluster
  $ vipu-cli create partition p --size 4 --num-gcds 2 --gcd-sync-replicas 4
  create partition (p): success
  $ vipu list partitions -q
  p
  $ vipu-cli -a --showjson list partition > json; vipu-admin list partition --showjson | cmp - json
  $ vipu-cli --showjson list cluster -a | grep -c '^    "id": "cl0"'
  1
  $ IPUBOX_EMULATE_SDK=2.x vipu-cli list partition | sed -n 3p | cut -d '|' -f 1 | tr -d ' '
  p
  $ IPUBOX_EMULATE_SDK=2.x vipu-cli -a list partition | sed -n 3p | cut -d '|' -f 2 | tr -d ' '
  p
  $ vipu-cli delete partition p
  remove partition (p): success

Its messages have its name, and its commands their help.

  $ vipu-cli list cluster
  vipu-cli: * (glob)
  usage: vipu-cli * (glob)
  [2]
  $ vipu-cli list partition --help | head -1
  usage: vipu-cli list partitions [-v] [-w] [--style STYLE] [--format FORM]
  $ vipu-cli get partition no
  get partition (no): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ vipu-cli 2> help; sed -n 1p help
  usage: vipu-cli [-a] VERB ENTITY [NAME] [option ...]
  $ vipu-cli 2> help
  [2]
