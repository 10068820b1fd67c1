/* core/ipujob/lint_command: poprun, mpirun and shells in jobs. */
#include <string.h>

#include "core/base/array.h"
#include "core/ipujob/lint_command.h"
#include "tests/unit/lint_util.h"
#include "tests/unit/tap.h"

/* Of the remarks on a command the note on memory is left out: ipus is 1, or
   the container has what it speaks of. */
#define BIG(ipus, more, text) \
	SPEC(ipus) more "workers: {template: {spec: {hostIPC: true, "	\
	"containers: [{name: a, image: i, command: [bash, -c], args: [\"" \
	text "\"], securityContext: {capabilities: {add: [IPC_LOCK]}}, " \
	"volumeMounts: [{name: m, mountPath: /dev/shm}]}], volumes: "	\
	"[{name: m, emptyDir: {}}]" END_POD

static void
test_poprun(void)
{
	static const struct lint_vector	vectors[] = {
		{ BIG("64", "modelReplicasPerWorker: \"16\", ",
		    "cd /x;\\nA=1 \\\\\\npoprun \\\\\\n--vv \\\\\\n"
		    "--num-instances 1 \\\\\\n--num-replicas 16 \\\\\\n"
		    "--mpi-global-args='--tag-output' \\\\\\n"
		    "--ipus-per-replica 4 \\\\\\npython3 x --config y\\n"),
		    "" },
		{ BIG("64", "", "cd /x;\\npoprun --num-replicas=16 "
		    "--ipus-per-replica 2 python3 x.py\\n"),
		    "warning: " CMD "line 2 of it: poprun asks for 32 IPUs "
		    "(--num-replicas 16, --ipus-per-replica 2), and "
		    "spec.ipusPerJobInstance is \"64\": "
		    "say --ipus-per-replica 4, or ipusPerJobInstance: "
		    "\"32\"\n" },
		{ BIG("4", "", "poprun --num-replicas 3 x"),
		    "warning: " CMD "poprun asks for 3 IPUs (--num-replicas 3, "
		    "--ipus-per-replica 1), and spec.ipusPerJobInstance is "
		    "\"4\"\n" },
		{ BIG("4", "", "poprun --num-replicas 8 x"),
		    "warning: " CMD "poprun asks for 8 IPUs (--num-replicas 8, "
		    "--ipus-per-replica 1), and spec.ipusPerJobInstance is "
		    "\"4\": say "
		    "ipusPerJobInstance: \"8\"\n" },
		{ BIG("4", "", "poprun --ipus-per-replica 2 x"),
		    "warning: " CMD "poprun asks for 2 IPUs (--num-replicas 1, "
		    "--ipus-per-replica 2), and spec.ipusPerJobInstance is "
		    "\"4\": say "
		    "--ipus-per-replica 4, or ipusPerJobInstance: \"2\"\n" },
		{ BIG("64", "", "poprun --num-replicas 64 --ipus-per-replica "
		    "2 x"), "warning: " CMD "poprun asks for 128 IPUs "
		    "(--num-replicas 64, --ipus-per-replica 2), and "
		    "spec.ipusPerJobInstance is \"64\": say "
		    "--ipus-per-replica 1\n" },
		/* what cannot be known, or is another partition */
		{ BIG("4", "", "poprun x"), "" },
		{ BIG("4", "", "poprun --num-replicas $N x"), "" },
		{ BIG("4", "", "poprun --num-replicas 2 --ipus-per-replica "
		    "$M x"), "" },
		{ BIG("4", "", "poprun --num-replicas 2 --vipu-partition p x"),
		    "" },
		{ BIG("4", "", "which poprun --num-replicas 9; echo poprun "
		    "--num-replicas 9"), "" },
		{ BIG("4", "", "poprun --num-replicas 4 python3 x "
		    "--num-replicas 9"), "" },
		{ BIG("4", "", "# poprun --num-replicas 9\\n"), "" },
		/* replicas and instances */
		{ BIG("4", "modelReplicasPerWorker: \"2\", ", "poprun "
		    "--num-replicas 4 x"), "warning: " CMD "poprun starts 4 "
		    "replicas, and modelReplicasPerWorker of 1 worker makes "
		    "2\n" },
		{ BIG("4", "", "poprun --num-replicas 4 --num-instances 3 x"),
		    "warning: " CMD "3 instances of poprun cannot share 4 "
		    "replicas evenly\n" },
		{ BIG("4", "", "poprun -H a,b --num-replicas 4 "
		    "--num-instances 2 x"), "" },
		{ BIG("4", "workersPerJobInstance: \"2\", ", "poprun "
		    "--num-replicas 4 x"), "warning: spec.workers: 2 of them, "
		    "and no spec.launcher: each runs the command for itself\n"
		    "warning: " CMD "each of the 2 workers runs a poprun of "
		    "its own; spec.launcher runs one over all of them\n" },
		{ SPEC("4") "workersPerJobInstance: \"2\", launcher: "
		    "{command: [poprun, --num-replicas=4, --num-instances, "
		    "\"1\", x]}, workers: {template: " WAITING "}}}",
		    "warning: spec.launcher.command[0]: 1 instance of "
		    "poprun on 2 workers: some get more of them than others\n"
		    "note: spec.launcher.command[0]: in a cluster, workers "
		    "find each other only with --mpi-global-args \"--mca "
		    "btl_tcp_if_include INTERFACE\"\n"
		    "warning: spec.launcher.command[0]: the mpirun of poprun "
		    "refuses to run as root, as containers do: add "
		    "--allow-run-as-root=yes\n" MEMORY_NOTE },
	};

	lint_util_check("poprun", vectors, ARRAY_SIZE(vectors));
}

static void
test_commands(void)
{
	static const struct lint_vector	vectors[] = {
		/* mpirun: as root, and its network */
		{ SCRIPT("1", "", "mpirun -np 2 x"), "warning: " CMD "mpirun "
		    "refuses to run as root, as containers do: add "
		    "--allow-run-as-root\n" },
		{ SCRIPT("1", "", "mpirun --allow-run-as-root x"), "" },
		{ SCRIPT("1", "", "export OMPI_ALLOW_RUN_AS_ROOT=1\\n"
		    "/usr/bin/mpirun x"), "" },
		{ CONTAINER "command: [mpirun, x], env: [{name: "
		    "OMPI_ALLOW_RUN_AS_ROOT, value: \"1\"}]" END, "" },
		{ CONTAINER "command: [mpirun, x], securityContext: "
		    "{runAsUser: 1000}" END, "" },
		{ CONTAINER "command: [mpirun, x]" END, "warning: " PS
		    ".containers[0].command[0]: mpirun refuses to run as "
		    "root, as containers do: add --allow-run-as-root\n" },
		{ SPEC("4") "workersPerJobInstance: \"2\", launcher: "
		    "{command: [mpirun, --allow-run-as-root, x]}, workers: "
		    "{template: " WAITING "}}}", "note: spec.launcher."
		    "command[0]: in a cluster, workers find each other only "
		    "with --mca btl_tcp_if_include INTERFACE\n" MEMORY_NOTE },
		{ SPEC("4") "workersPerJobInstance: \"2\", launcher: "
		    "{command: [mpirun, --allow-run-as-root, --mca, "
		    "btl_tcp_if_include, eth0, x]}, workers: {template: "
		    WAITING "}}}", MEMORY_NOTE },
		/* texts of a shell */
		{ CONTAINER "command: [/bin/bash, -c, --], args: [x]" END,
		    "" },
		{ CONTAINER "command: [bash, -c, --]" END, "warning: " PS
		    ".containers[0].command: bash runs nothing: there is no "
		    "text behind --\n" },
		{ CONTAINER "command: [bash], args: [-c]" END, "warning: " PS
		    ".containers[0].command: bash runs nothing: there is no "
		    "text behind -c\n" },
		{ CONTAINER "command: [sh, -ec, python3, train.py]" END,
		    "warning: " PS ".containers[0].command[2]: sh runs "
		    "'python3' alone: put it and what follows into one "
		    "text\n" },
		{ CONTAINER "command: [sh, -c, \"echo $1\", x, z]" END, "" },
		{ CONTAINER "command: [sh, script.sh, -c]" END, "" },
		{ CONTAINER "command: [bash]" END, "" },
		{ SCRIPT("1", "", "python3 x \\\\ \\n  --epochs 1\\n"),
		    "warning: " CMD "line 1 of it ends with a space behind "
		    "its \\, so the command ends there\n" },
		{ SCRIPT("1", "", "sleep infinity\\ncd /x\\n"), "note: " CMD
		    "line 1 of it: it sleeps for ever here, with its IPUs, "
		    "and does not come to what follows; delete the job when "
		    "it is no longer needed\n" },
		{ SCRIPT("1", "", "cd /x\\nsleep infinity\\n"), "" },
		{ SCRIPT("1", "", "apt update\\nX=y apt-get -y install z && "
		    "pip3 install w"), "note: " CMD "as root, line 2 of it: "
		    "apt-get changes what is installed on this host, unless "
		    "ipubox.conf maps the image to a directory\n" },
		{ CONTAINER "command: [pip, install, x]" END,
		    "note: " PS ".containers[0].command[0]: as root, pip "
		    "changes what is installed on this host, unless "
		    "ipubox.conf maps the image to a directory\n" },
		{ SCRIPT("1", "", "pip list; apt-cache install; apt -h\\n"),
		    "" },
		{ SCRIPT("1", "", "sleep 10\\ncd /x\\n"), "" },
		{ CONTAINER "command: [python3 train.py, --epochs=1]" END,
		    "warning: " PS ".containers[0].command[0]: no program is "
		    "called 'python3 train.py': make each word an item of its "
		    "own\n" },
		/* what is no command at all */
		{ CONTAINER "command: [1, [a], {b: c}]" END,
		    "error: " PS ".containers[0].command[0]: must be a "
		    "string, quoted: \"1\"\n"
		    "error: " PS ".containers[0].command[1]: must be a "
		    "string, not a list\n"
		    "error: " PS ".containers[0].command[2]: must be a "
		    "string, not an object: quote it, for it has a \": \" in "
		    "it\n" },
	};

	lint_util_check("command", vectors, ARRAY_SIZE(vectors));
}

static void
test_instances(void)
{
	static const struct { const char *container; int instances; } rows[] = {
		{ "{command: [poprun, --num-instances, '2', a]}", 2 },
		{ "{command: [bash, -c], args: [\"cd x; A=1 poprun -vv "
		    "--num-instances=16 --num-replicas 16 a\"]}", 16 },
		{ "{command: [sh, -c, 'poprun --num-replicas 4 a']}", 1 },
		{ "{command: [sh, -c, 'python a --num-instances 4']}", 0 },
		{ "{command: [sh, -c, 'poprun --num-instances 2 a; poprun "
		    "--num-instances 2 b']}", 2 },
		{ "{command: [sh, -c, 'poprun --num-instances 2 a; poprun "
		    "b']}", LINT_COMMAND_UNKNOWN },
		{ "{command: [sh, -c, 'poprun --num-instances $N a']}",
		    LINT_COMMAND_UNKNOWN },
		{ "{command: [sh, -c]}", 0 },
		{ "{command: poprun}", 0 },
		{ "{}", 0 },
	};
	struct yaml_arena	*arena = yaml_arena_new();
	struct yaml_node	**documents;
	size_t			 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		is_int(yaml_parse(arena, "row", rows[i].container,
		    strlen(rows[i].container), &documents, NULL) == 1 ?
		    lint_command_instances(documents[0]) : -2,
		    rows[i].instances, rows[i].container);
	yaml_arena_free(arena);
}

int
main(void)
{
	test_poprun();
	test_commands();
	test_instances();
	return tap_done();
}
