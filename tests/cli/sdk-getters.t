#needs c++
#skip-unless python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'
PopDist's getters in C, C++ and Python give what popdist-env gives, values and
errors, in all the environments of sdk-getters.txt.

  $ sdk=$TESTDIR/../config/sdk
  $ export PYTHONPATH=$sdk/python PYTHONDONTWRITEBYTECODE=1 IPUBOX_FILE=$IPUBOX
  $ names='isPopdistEnvSet getNumTotalReplicas getNumLocalReplicas getReplicaIndexOffset getNumIpusPerReplica getNumInstances getInstanceIndex getLocalInstanceIndex getDeviceId'
  $ vipu create partition p --size 8 --reconfigurable
  create partition (p): success

The programs print a getter per line, its value or why there is none:

  $ cat > getters.c <<'X'
  > #include <popdist.h>
  > #include <stdio.h>
  > #include <string.h>
  > static void show(const char *name, int value, int is_truth) {
  > 	if (value == -1)
  > 		printf("%s - (%.*s)\n", name,
  > 		    (int)strcspn(popdist_error_text(), "\n"),
  > 		    popdist_error_text());
  > 	else if (is_truth)
  > 		printf("%s %s\n", name, value ? "true" : "false");
  > 	else
  > 		printf("%s %d\n", name, value);
  > }
  > int main(void) {
  > 	show("isPopdistEnvSet", popdist_is_env_set(), 1);
  > 	show("getNumTotalReplicas", popdist_num_total_replicas(), 0);
  > 	show("getNumLocalReplicas", popdist_num_local_replicas(), 0);
  > 	show("getReplicaIndexOffset", popdist_replica_index_offset(), 0);
  > 	show("getNumIpusPerReplica", popdist_num_ipus_per_replica(), 0);
  > 	show("getNumInstances", popdist_num_instances(), 0);
  > 	show("getInstanceIndex", popdist_instance_index(), 0);
  > 	show("getLocalInstanceIndex", popdist_local_instance_index(), 0);
  > 	show("getDeviceId", popdist_device_id(0), 0);
  > 	show("checkNumIpusPerReplica",
  > 	    popdist_check_num_ipus_per_replica(2), 1);
  > 	show("getDeviceId", popdist_device_id(2), 0);
  > 	return 0;
  > }
  > X
  $ cat > getters.cpp <<'X'
  > #include <popdist/context.hpp>
  > #include <iostream>
  > template <typename F> static void show(const char *name, F get) {
  > 	try {
  > 		auto value = get();
  > 		std::cout << name << " " << value << "\n";
  > 	} catch (const popdist::popdist_error &e) {
  > 		const std::string text = e.what();
  > 		std::cout << name << " - (" << text.substr(0, text.find('\n'))
  > 		    << ")\n";
  > 	}
  > }
  > int main() {
  > 	using namespace popdist;
  > 	std::cout << std::boolalpha;
  > 	show("isPopdistEnvSet", isPopdistEnvSet);
  > 	show("getNumTotalReplicas", getNumTotalReplicas);
  > 	show("getNumLocalReplicas", getNumLocalReplicas);
  > 	show("getReplicaIndexOffset", getReplicaIndexOffset);
  > 	show("getNumIpusPerReplica", getNumIpusPerReplica);
  > 	show("getNumInstances", getNumInstances);
  > 	show("getInstanceIndex", getInstanceIndex);
  > 	show("getLocalInstanceIndex", getLocalInstanceIndex);
  > 	show("getDeviceId", [] { return getDeviceId(); });
  > 	show("checkNumIpusPerReplica", [] { return checkNumIpusPerReplica(2); });
  > 	show("getDeviceId", [] { return getDeviceId(2); });
  > }
  > X
  $ cat > getters.py <<'X'
  > import os, popdist, shlex, sys
  > def show(name, *arguments):
  >     try:
  >         value = getattr(popdist, name)(*arguments)
  >         print(name, str(value).lower() if value is True or value is False
  >               else value)
  >     except popdist.popdist_error as error:
  >         print(f"{name} - ({str(error).splitlines()[0]})")
  > for number, line in enumerate(open("environments"), 1):
  >     sys.stdout.flush()
  >     child = os.fork()
  >     if child:
  >         os.waitpid(child, 0)
  >         continue
  >     sys.stdout = open(f"python.{number}", "w")
  >     os.environ.update(word.split("=", 1) for word in shlex.split(line))
  >     for name in sys.argv[1:]:
  >         show(name)
  >     show("checkNumIpusPerReplica", 2)
  >     show("getDeviceId", 2)
  >     sys.exit()
  > X
  $ cc -I "$sdk/include" -c getters.c "$sdk"/lib/*.c && cc *.o -o getters-c -pthread
  $ rm getters.o
  $ c++ -std=c++11 -I "$sdk/include" getters.cpp *.o -o getters-cpp -pthread

popdist-env refuses a bad environment as a whole, where in a program each getter
but the first does:

  $ wanted() {
  >     if popdist-env > list 2> why; then
  >         tr -s ' ' < list
  >         echo "checkNumIpusPerReplica $(popdist-env get checkNumIpusPerReplica 2)"
  >         popdist-env get getDeviceId 2 > value 2> why || sed 's/^popdist-env: /- (/; s/$/)/; q' why > value
  >         echo "getDeviceId $(cat value)"
  >     else
  >         echo isPopdistEnvSet true
  >         reason=$(sed 's/^popdist-env: //; q' why)
  >         printf "%s - ($reason)\n" ${names#* } checkNumIpusPerReplica getDeviceId
  >     fi
  > }

Outside poprun the program holds what it has asked for, so the second device is
another one there:

  $ sed '/^#/d; s/T=/POPDIST_NUM_TOTAL_REPLICAS=/; s/L=/POPDIST_NUM_LOCAL_REPLICAS=/; s/O=/POPDIST_REPLICA_INDEX_OFFSET=/; s/I=/POPDIST_NUM_IPUS_PER_REPLICA=/; s/N=/POPDIST_LOCAL_INSTANCE_INDEX=/; s/U=/POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=/; s/R=/POPRUN_RESTART_COUNT=/' "$TESTDIR/cli/sdk-getters.txt" > environments
  $ python3 getters.py $names
  $ number=0; while read -r line; do number=$((number + 1)); (
  >     eval "export IPUBOX_FILE $line"
  >     wanted > want
  >     case $line in *TOTAL*) ;; *) sed -i '$s/8/9/' want ;; esac
  >     ./getters-c > got-c; ./getters-cpp > got-cpp; mv python.$number got-python
  >     for got in got-c got-cpp got-python; do
  >         cmp -s want $got || { echo "$line, $got:"; diff want $got; }
  >     done
  > ); done < environments
  $ grep -c . environments
  41
