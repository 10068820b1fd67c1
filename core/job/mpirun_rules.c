/*
 * The table of messages, by mpirun's activity.  The words avoid Open MPI's line
 * breaks.
 */
#include "core/job/mpirun_noise.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

enum { VALUE_MAX = 200 }; /* limit of a quotation in a sentence, in bytes */

#define DROP MPIRUN_RULE_DROP
#define ERROR MPIRUN_RULE_ERROR
#define WARNING MPIRUN_RULE_WARNING
#define LAST MPIRUN_RULE_LAST

/* The first match counts. */
static const struct mpirun_rule rules[] = {
	/* How instances ended: poprun reports it itself. */
	{ DROP, "Per user-direction, the job has been aborted", NULL },
	{ DROP, "processes exited with non-zero status", NULL },
	{ DROP, "noticed that process rank", NULL },
	{ DROP, "noticed that the job aborted", NULL },
	{ DROP, "calling \"abort\"", NULL },
	{ ERROR, "MPI_ABORT was invoked on rank",
	    "MPI_ABORT was invoked on rank {was invoked on rank} in "
	    "communicator {in communicator} with errorcode {with errorcode}" },
	{ LAST, "exiting improperly",
	    "instance {process rank} called MPI_Init, and ended without "
	    "MPI_Finalize" },
	{ LAST, "but has no info as to the process that caused",
	    "an instance called MPI_Init, and ended without MPI_Finalize" },
	{ ERROR, "time limit for job execution has been reached",
	    "the job ran longer than the {Timeout: } s of --timeout, and was "
	    "stopped" },
	/* poprun has warned of it. */
	{ DROP, "could not find environment variable", NULL },
	/* The job is being ended, or has ended. */
	{ DROP, "has exited before it received notification", NULL },
	{ DROP, "is in the process of killing a job", NULL },
	{ DROP, ": killing job...", NULL },
	{ DROP, "abort is already in progress", NULL },
	{ DROP, ": Forwarding signal", NULL },
	{ DROP, "sent help message", NULL },
	{ DROP, "to see all help / error messages", NULL },
	/* The program cannot be executed: below mpirun it is ipubox's file. */
	{ ERROR, "was unable to find the specified executable file",
	    "mpirun cannot find {Executable:} on {Node:}: the file must have "
	    "the same path on all hosts" },
	{ ERROR, "it could not access\nor execute an executable",
	    "mpirun cannot execute {Executable:} on {Node:}: check its "
	    "permissions, and that its file system is not mounted noexec" },
	{ ERROR, "change to the specified working directory",
	    "mpirun cannot change to the directory {Working directory:} on "
	    "{Node:}: make it there, or choose another with --wdir" },
	{ ERROR, "limit exceeded on number of pipes",
	    "too many open files on {Node:}: raise ulimit -n there or use "
	    "fewer instances" },
	{ ERROR, "system limit on number of pipes",
	    "mpirun cannot make the pipes of all instances: raise ulimit -n or "
	    "use fewer instances" },
	{ ERROR, "limit exceeded on number of network connections",
	    "too many open files for mpirun: raise ulimit -n or use fewer "
	    "hosts" },
	{ ERROR, "limit exceeded on number of processes",
	    "too many processes on {Node:}: raise ulimit -u there or use fewer "
	    "instances" },
	{ ERROR, "was unable to start the specified application as it",
	    "mpirun cannot start a process on {Node:}: {Error name:}" },
	/* Permission, slots, placement. */
	{ ERROR, "has detected an attempt to run as root",
	    "mpirun does not run as root: add --allow-run-as-root=yes, or use "
	    "--launcher local" },
	{ ERROR, "There are not enough slots available in the system",
	    "mpirun has too few slots for the {to satisfy the} instances: add "
	    "slots=N to the host file, HOST:N to --host, or --oversubscribe to "
	    "--mpi-global-args" },
	{ ERROR, "There are not enough slots on the nodes",
	    "mpirun has too few slots for {launch on a} instances per host: "
	    "add --oversubscribe to --mpi-global-args" },
	{ ERROR, "result in binding more\nprocesses than cpus",
	    "mpirun would bind more instances than there are cores on {Node:}: "
	    "use fewer instances, or --process-placement disabled" },
	{ ERROR, "than cpus on a resource",
	    "mpirun would bind more instances than there are cores on {Node:}: "
	    "use fewer instances, or --process-placement disabled" },
	{ DROP, "does NOT support binding memory", NULL },
	{ ERROR, "mapping policy is not recognized",
	    "mpirun does not know the mapping policy {Policy:}" },
	{ ERROR, "binding policy is not recognized",
	    "mpirun does not know the binding policy {Policy:}" },
	{ ERROR, "Conflicting directives for mapping policy",
	    "mpirun is given two mapping policies that exclude each other: "
	    "{New policy:} and {Prior policy:}" },
	{ ERROR, "level that has less cpus than",
	    "mpirun cannot give an instance {cpus-per-proc:} cores: the object "
	    "that it maps by has {number of cpus:}" },
	{ WARNING, "command line options and corresponding MCA parameter have",
	    "mpirun calls {Deprecated:} deprecated: write {Replacement:}" },
	/* Its command line. */
	{ ERROR, "Error: unknown option",
	    "mpirun does not know the option {unknown option}: see "
	    "--mpi-global-args and --mpi-local-args" },
	{ ERROR, "unrecognized argument",
	    "mpirun does not know the argument {unrecognized argument}: see "
	    "--mpi-global-args and --mpi-local-args" },
	{ ERROR, "did not have enough parameters",
	    "mpirun's option {option} needs more values: see --mpi-global-args "
	    "and --mpi-local-args" },
	{ DROP, "--help' for usage", NULL },
	{ ERROR, "was unable to open the hostfile",
	    "mpirun cannot open the host file {open the hostfile:}" },
	/* Other hosts.  A child that is faster than mpirun is harmless. */
	{ DROP, "plm:rsh: Warning: setpgid(", NULL },
	{ ERROR, "\"plm_rsh_agent\" was set to a path",
	    "mpirun cannot find ssh ({plm_rsh_agent:}): apt-get install "
	    "openssh-client" },
	{ ERROR, "orted: error while loading shared libraries",
	    "orted cannot run on a host: it cannot find {loading shared "
	    "libraries:}" },
	{ ERROR, "has lost communication with a remote daemon",
	    "mpirun lost the connection to {Remote daemon:}: check that the "
	    "host is up" },
	{ ERROR, "mismatch in versions between two processes",
	    "{Local host:} has Open MPI {Local Open MPI version:} and {Peer "
	    "host:} has {Peer Open MPI version:}: all hosts need the same" },
	{ LAST, "unable to reliably start one or more daemons",
	    "mpirun could not start its daemon, orted, on another host, or "
	    "lost it: {} tells why" },
	{ LAST, "daemon has unexpectedly failed after launch",
	    "mpirun's daemon, orted, failed on another host before it could "
	    "call back: check that no firewall is in between" },
	{ LAST, "A daemon died unexpectedly",
	    "mpirun's daemon, orted, died on another host: {} tells whether "
	    "the host can be reached" },
	{ LAST, "does not know how to route a message",
	    "mpirun cannot reach its daemon on {target node:}: {} tells why" },
	{ LAST, "unable to establish a communication connection",
	    "mpirun has no connection to its daemon on {target node:}: check "
	    "that no firewall is in between" },
	/* The network and files of this host. */
	{ ERROR, "networks specified to be included",
	    "mpirun cannot find the network {Value given:}: check "
	    "oob_tcp_if_include" },
	{ LAST, "No network interfaces were found",
	    "mpirun needs a network interface and finds none: use --launcher "
	    "local" },
	{ WARNING, "An invalid value was given for",
	    "Open MPI ignores {Value:} in {value was given for} on {Local "
	    "host:}: {Message:}" },
	{ ERROR, "A call to mkdir was unable to create",
	    "mpirun cannot make its directory {Directory:}: {Error:}; set "
	    "TMPDIR to one that can be written" },
	{ WARNING, "as if there is not enough space for",
	    "too little space for {enough space for} on {Local host:}: Open "
	    "MPI keeps shared memory there" },
	{ ERROR, "requested component was not found",
	    "Open MPI on {Host:} has no component {Component:} of "
	    "{Framework:}" },
	{ DROP, "kernel CMA support was requested", NULL },
	{ DROP, "No protocol specified", NULL },
	{ DROP, "no authorization protocol specified", NULL },
	/* Internal failures. */
	{ LAST, "It looks like MPI_INIT failed", "MPI_INIT failed" },
	{ LAST, "It looks like orte_init failed",
	    "mpirun could not start its work: poprun -v shows all its output" },
	{ LAST, "An internal error has occurred in ORTE",
	    "mpirun failed with an internal error: poprun -v shows all its "
	    "output" },
	{ LAST, "ORTE_ERROR_LOG:", "mpirun failed: {ORTE_ERROR_LOG:}" },
	{ LAST, "FORCE-TERMINATE AT",
	    "mpirun failed: poprun -v shows all its output" },
	{ LAST, "PMIX ERROR:", "mpirun failed: {PMIX ERROR:}" },
};

/* Replaces the table's sentence about other files. */
static const struct mpirun_rule own_rule = { ERROR, "Executable:",
	"ipubox is missing on {Node:}, or cannot be executed there: install it "
	"as {Executable:}, or add --bring-ipubox yes" };

/* Whether that file is what could not be executed. */
static bool
rules_is_about(const char *text, const char *own)
{
	const char *value = strstr(text, own_rule.words);
	const size_t length = strlen(own);

	if (value == NULL || strstr(text, "Node:") == NULL)
		return false;
	value += strlen(own_rule.words);
	value += strspn(value, " \t");
	return strncmp(value, own, length) == 0 &&
	    strchr("\r\n", value[length]) != NULL;
}

const struct mpirun_rule *
mpirun_rules_find(const char *text, const char *own)
{
	size_t i;

	if (own != NULL && rules_is_about(text, own))
		return &own_rule;
	for (i = 0; i < ARRAY_SIZE(rules); i++)
		if (strstr(text, rules[i].words) != NULL)
			return &rules[i];
	return NULL;
}

/* Print what follows the words in the text.  It may be on the next line, and a
   trailing full stop belongs to the sentence. */
static void
rules_print_value(FILE *out, const char *words, size_t size, const char *text)
{
	char key[64];
	const char *value;
	size_t length;

	(void)snprintf(key, sizeof(key), "%.*s", (int)size, words);
	value = strstr(text, key);
	if (value == NULL) {
		fputc('?', out);
		return;
	}
	value += strlen(key);
	value += strspn(value, " \t\r\n");
	length = strcspn(value, words[size - 1] == ':' ? "\r\n" : " \t\r\n");
	while (length > 0 && strchr(" .,;", value[length - 1]) != NULL)
		length--;
	fprintf(out, "%.*s", length > VALUE_MAX ? VALUE_MAX : (int)length,
	    value);
}

char *
mpirun_rules_sentence(const struct mpirun_rule *rule, const char *text,
    const char *verify)
{
	struct memstream m;
	const char *p = rule->sentence;
	size_t size;

	(void)memstream_open(&m);
	while (*p != '\0') {
		size = strcspn(p, "{");
		(void)fwrite(p, 1, size, m.file);
		p += size;
		if (*p == '\0')
			break;
		size = strcspn(++p, "}");
		if (size == 0)
			fputs(verify, m.file);
		else
			rules_print_value(m.file, p, size, text);
		p += size + 1;
	}
	return memstream_close(&m, NULL);
}
