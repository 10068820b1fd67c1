What vipu-admin refuses, and that nothing has changed then.

  $ vipu-admin init --pod empty
  init pod (empty): success.
  $ vipu-admin create agent a1 --host 10.1.2.1; vipu-admin create agent a2 --host 10.1.2.2
  create agent (a1): success.
  create agent (a2): success.
  $ find "$IPUBOX_STATE_DIR" -type f ! -name lock | sort | tr '\n' '\0' | xargs -0 cat | md5sum > before

Names:

  $ long=$(printf '%0300d' 0)
  $ for name in ../x '' . .. a/b 'a b' "$(printf 'a\001b')" "$(printf 'caf\303\251')" a:b -; do
  >   vipu-admin create agent "$name" --host 10.1.2.3 2>&1
  >   vipu-admin create cluster "$name" --agents a1 2>&1
  >   vipu-admin create allocation "$name" --agents a1 2>&1
  > done | cut -c1-100
  create agent (../x): failed: agent name '../x': only letters, digits and . _ - are allowed, and the 
  create cluster (../x): failed: cluster name '../x': only letters, digits and . _ - are allowed, and 
  create allocation (../x): failed: allocation name '../x': only letters, digits and . _ - are allowed
  create agent (): failed: agent name: empty.
  create cluster (): failed: cluster name: empty.
  create allocation (): failed: allocation name: empty.
  create agent (.): failed: agent name '.': only letters, digits and . _ - are allowed, and the first 
  create cluster (.): failed: cluster name '.': only letters, digits and . _ - are allowed, and the fi
  create allocation (.): failed: allocation name '.': only letters, digits and . _ - are allowed, and 
  create agent (..): failed: agent name '..': only letters, digits and . _ - are allowed, and the firs
  create cluster (..): failed: cluster name '..': only letters, digits and . _ - are allowed, and the 
  create allocation (..): failed: allocation name '..': only letters, digits and . _ - are allowed, an
  create agent (a/b): failed: agent name 'a/b': only letters, digits and . _ - are allowed, and the fi
  create cluster (a/b): failed: cluster name 'a/b': only letters, digits and . _ - are allowed, and th
  create allocation (a/b): failed: allocation name 'a/b': only letters, digits and . _ - are allowed, 
  create agent (a b): failed: agent name 'a b': only letters, digits and . _ - are allowed, and the fi
  create cluster (a b): failed: cluster name 'a b': only letters, digits and . _ - are allowed, and th
  create allocation (a b): failed: allocation name 'a b': only letters, digits and . _ - are allowed, 
  create agent (a\x01b): failed: agent name 'a\x01b': only letters, digits and . _ - are allowed, and 
  create cluster (a\x01b): failed: cluster name 'a\x01b': only letters, digits and . _ - are allowed, 
  create allocation (a\x01b): failed: allocation name 'a\x01b': only letters, digits and . _ - are all
  create agent (café): failed: agent name 'café': only letters, digits and . _ - are allowed, and th
  create cluster (café): failed: cluster name 'café': only letters, digits and . _ - are allowed, an
  create allocation (café): failed: allocation name 'café': only letters, digits and . _ - are allow
  create agent (a:b): failed: agent name 'a:b': only letters, digits and . _ - are allowed, and the fi
  create cluster (a:b): failed: cluster name 'a:b': only letters, digits and . _ - are allowed, and th
  create allocation (a:b): failed: allocation name 'a:b': only letters, digits and . _ - are allowed, 
  create agent (-): failed: agent name '-': only letters, digits and . _ - are allowed, and the first 
  create cluster (-): failed: cluster name '-': only letters, digits and . _ - are allowed, and the fi
  create allocation (-): failed: allocation name '-': only letters, digits and . _ - are allowed, and 
  $ vipu-admin create agent "$long" --host 10.1.2.3 2>&1 | tail -c 70
  gent name '00000000000000000000...': 300 characters, the limit is 63.
  $ vipu-admin create cluster "$long" --agents a1 2>&1 | tail -c 70
  ster name '00000000000000000000...': 300 characters, the limit is 63.
  $ vipu-admin get agent "$long" 2>&1 | tail -c 80
  iled: the agent does not exist; vipu-admin list agents shows the existing ones.
  $ vipu-admin get agent "$(printf 'a\033[1m')"
  get agent (a\x1b[1m): failed: the agent does not exist; vipu-admin list agents shows the existing ones.
  [1]
  $ vipu-admin update agent "x:$long" --port 1 2>&1 | tail -c 70
  000000000000000000000000000000000): failed: the agent does not exist.
  $ vipu-admin get agent none:a1
  get agent (none:a1): failed: the agent does not exist; vipu-admin list agents shows the existing ones.
  [1]
  $ vipu-admin get cluster none
  get cluster (none): failed: the cluster does not exist; vipu-admin list clusters shows the existing ones.
  [1]
  $ vipu-admin get allocation none
  get allocation (none): failed: the allocation does not exist; vipu-admin list allocations shows the existing ones.
  [1]
  $ vipu-admin remove agent none
  remove agent (none): failed: the agent does not exist; vipu-admin list agents shows the existing ones.
  [1]
  $ vipu-admin remove cluster none
  remove cluster (none): failed: the cluster does not exist; vipu-admin list clusters shows the existing ones.
  [1]
  $ vipu-admin remove allocation none
  remove allocation (none): failed: the allocation does not exist; vipu-admin list allocations shows the existing ones.
  [1]
  $ vipu-admin update cluster none --topology mesh
  update cluster (none): failed: the cluster does not exist; vipu-admin list clusters shows the existing ones.
  [1]
  $ vipu-admin update allocation none --agents a1
  update allocation (none): failed: the allocation does not exist; vipu-admin list allocations shows the existing ones.
  [1]

Addresses and ports:

  $ for host in '' here 10.1.2.0 10.1.2.255 300.1.1.1 10.1.2.3.4 "$long"; do
  >   vipu-admin create agent x --host "$host" 2>&1 | head -1
  > done
  vipu-admin: --host: must be an IPv4 or IPv6 address
  create agent (x): failed: host: address 'here': must be an IPv4 or IPv6 address.
  create agent (x): failed: host: address '10.1.2.0': the last number must be 1 to 254.
  create agent (x): failed: host: address '10.1.2.255': the last number must be 1 to 254.
  create agent (x): failed: host: address '300.1.1.1': must be an IPv4 or IPv6 address.
  create agent (x): failed: host: address '10.1.2.3.4': must be an IPv4 or IPv6 address.
  vipu-admin: --host: must be an IPv4 or IPv6 address
  $ vipu-admin create agent x --host 10.1.2.3 --address 10.1.5.1
  create agent (x): failed: the data plane address 10.1.5.1 is already the address of agent a1.
  [1]
  $ vipu-admin create agent x --host 10.1.2.3 --address nowhere
  create agent (x): failed: data plane: address 'nowhere': must be an IPv4 or IPv6 address.
  [1]
  $ for port in 0 -1 65536 99999999999999999999 80x ''; do
  >   vipu-admin create agent x --host 10.1.2.3 --port "$port" 2>&1 | head -1
  > done
  vipu-admin: --port '0': too small, must be 1 to 65535
  vipu-admin: --port '-1': too small, must be 1 to 65535
  vipu-admin: --port '65536': too large, must be 1 to 65535
  vipu-admin: --port '99999999999999999999': too large, must be 1 to 65535
  vipu-admin: --port '80x': not a whole number
  vipu-admin: --port '': not a whole number
  $ vipu-admin create agent x --host 10.1.2.3 --type M1000
  vipu-admin: --type: must be M2000 or BOW-2000
  usage: vipu-admin create agent NAME --host H [option ...]
  [2]
  $ vipu-admin create agent x
  vipu-admin: create agent needs --host
  usage: vipu-admin create agent NAME --host H [option ...]
  [2]
  $ vipu-admin create agent
  vipu-admin: create agent: the name is missing
  usage: vipu-admin create agent NAME --host H [option ...]
  [2]
  $ vipu-admin update agent a1
  vipu-admin: update agent: nothing to change; give --host, --port, --address or --type
  usage: vipu-admin update agent NAME [option ...]
  [2]

Agents of a cluster:

  $ vipu-admin create cluster c
  vipu-admin: create cluster needs --agents
  usage: vipu-admin create cluster NAME --agents A,B [option ...]
  [2]
  $ for list in '' , a1, a1,a1 a1,none 'a[1-3]' 'a[2-1]' 'a[1-' "$long" 'a1 a2' 'a[1-999999999]'; do
  >   vipu-admin create cluster c --agents "$list" 2>&1 | cut -c1-110
  > done
  create cluster (c): failed: agents: a name is missing.
  create cluster (c): failed: agents: a name is missing.
  create cluster (c): failed: agents: a name is missing.
  create cluster (c): failed: agent a1 is named twice.
  create cluster (c): failed: agent none does not exist; vipu-admin list agents shows the existing ones.
  create cluster (c): failed: agent a3 does not exist; vipu-admin list agents shows the existing ones.
  create cluster (c): failed: agents: [2-1] counts down; write the lower number first.
  create cluster (c): failed: agents: 'a[1-': '[' and ']' do not match.
  create cluster (c): failed: agents: '00000000000000000000...': a name has at most 63 characters.
  create cluster (c): failed: agents: names must be separated by commas.
  create cluster (c): failed: agent a3 does not exist; vipu-admin list agents shows the existing ones.
  $ for n in 0 -1 3 16385 99999999999999999999; do
  >   vipu-admin create cluster c --agents a1,a2 --num-ipulink-domains $n 2>&1 | head -1
  > done
  vipu-admin: --num-ipulink-domains '0': too small, must be 1 to 16384
  vipu-admin: --num-ipulink-domains '-1': too small, must be 1 to 16384
  create cluster (c): failed: cluster c: 2 machines cannot be divided evenly among 3 ILDs.
  vipu-admin: --num-ipulink-domains '16385': too large, must be 1 to 16384
  vipu-admin: --num-ipulink-domains '99999999999999999999': too large, must be 1 to 16384
  $ vipu-admin create cluster c --agents a1,a2 --topology ring 2>&1 | head -1
  vipu-admin: --topology: must be mesh or torus
  $ vipu-admin create cluster c --agents a1,a2 --cluster-topology none 2>&1 | head -1
  vipu-admin: --cluster-topology: must be looped or switched
  $ vipu-admin create cluster c --agents a1,a2 --cluster-topology looped
  create cluster (c): failed: cluster c: gateway links join ILDs, but it has only one ILD.
  [1]
  $ vipu-admin update cluster c
  vipu-admin: update cluster: nothing to change; give at least one option
  usage: vipu-admin update cluster NAME [option ...]
  [2]
  $ vipu-admin create allocation x --agents a1
  create allocation (x): failed: agent a1 is in no cluster; vipu-admin create cluster puts it into one.
  [1]
  $ vipu-admin create allocation x
  vipu-admin: create allocation needs --agents or --cluster
  usage: vipu-admin create allocation NAME --agents A,B | --cluster C
  [2]
  $ vipu-admin create allocation x --cluster none
  create allocation (x): failed: cluster none does not exist; vipu-admin list clusters shows the existing ones.
  [1]
  $ vipu-admin update allocation x
  vipu-admin: update allocation: nothing to change; give --agents, --add-agents or --remove-agents
  usage: vipu-admin update allocation NAME [option ...]
  [2]
  $ vipu-admin update allocation x --agents a1 --add-agents a2 2>&1 | head -1
  vipu-admin: --agents names all machines: leave out --add-agents and --remove-agents
  $ vipu-admin discover agent --add -q 2>&1 | head -1
  vipu-admin: --add prints no list: leave out --format, --showjson and --quiet
  $ vipu-admin create agent a1 --host 10.1.2.7
  create agent (a1): failed: agent a1 already exists.
  [1]
  $ find "$IPUBOX_STATE_DIR" -type f ! -name lock | sort | tr '\n' '\0' | xargs -0 cat | md5sum | cmp - before
