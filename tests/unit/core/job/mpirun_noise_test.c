/*
 * What mpirun says, text by text as Open MPI 4.1.4 prints it, and what a person
 * sees of it: "E" an error, "W" a warning, "P" passed on as it came.
 */
#include "core/job/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

#define DASHES \
	"------------------------------------------------------------" \
	"--------------\n"

#define UNRELIABLE \
	DASHES \
	"ORTE was unable to reliably start one or more daemons.\n" \
	"This usually is caused by:\n" \
	"\n" \
	"* not finding the required libraries and/or binaries on\n" \
	"  one or more nodes. Please check your PATH and " \
	"LD_LIBRARY_PATH\n" \
	"  settings, or configure OMPI with " \
	"--enable-orterun-prefix-by-default\n" DASHES

#define NO_ROUTE \
	DASHES \
	"ORTE does not know how to route a message to the specified " \
	"daemon\n" \
	"located on the indicated node:\n" \
	"\n" \
	"  my node:   vm\n" \
	"  target node:  n1\n" \
	"\n" \
	"This is usually an internal programming error that should be\n" \
	"reported to the developers. In the meantime, a workaround may\n" \
	"be to set the MCA param routed=direct on the command line or\n" \
	"in your environment. We apologize for the problem.\n" DASHES

static const struct {
	const char *name;
	const char *text;
	const char *seen;
} cases[] = {
	{ "an instance exited",
	    DASHES "Primary job  terminated normally, but 1 process returned\n"
		   "a non-zero exit code. Per user-direction, the job has been "
		   "aborted.\n" DASHES DASHES
		   "mpirun detected that one or more processes exited with "
		   "non-zero status, thus causing\n"
		   "the job to be terminated. The first process to do so was:\n"
		   "\n"
		   "  Process name: [[19948,1],0]\n"
		   "  Exit code:    3\n" DASHES,
	    "" },
	{ "an instance was killed",
	    DASHES "mpirun noticed that process rank 1 with PID 0 on node vm "
		   "exited on signal 9 (Killed).\n" DASHES,
	    "" },
	{ "MPI_Abort",
	    DASHES
	    "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\n"
	    "with errorcode 7.\n"
	    "\n"
	    "NOTE: invoking MPI_ABORT causes Open MPI to kill all MPI "
	    "processes.\n"
	    "You may or may not see output from other processes, depending on\n"
	    "exactly when Open MPI kills them.\n" DASHES,
	    "E MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD "
	    "with errorcode 7\n" },
	{ "no MPI_Finalize",
	    DASHES "mpirun has exited due to process rank 1 with PID 0 on\n"
		   "node vm exiting improperly. There are three reasons this "
		   "could occur:\n"
		   "\n"
		   "1. this process did not call \"init\" before exiting, but "
		   "others in\n"
		   "the job did.\n"
		   "3. this process called \"MPI_Abort\" or \"orte_abort\" and "
		   "the mca parameter\n"
		   "orte_create_session_dirs is set to false.\n" DASHES,
	    "E instance 1 called MPI_Init, and ended without MPI_Finalize\n" },
	{ "its own time limit",
	    DASHES
	    "The user-provided time limit for job execution has been reached:\n"
	    "\n"
	    "  Timeout: 1 seconds\n"
	    "\n"
	    "The job will now be aborted.  Please check your code "
	    "and/or\n" DASHES,
	    "E the job ran longer than the 1 s of --timeout, and was "
	    "stopped\n" },
	{ "the file is not there",
	    DASHES
	    "mpirun was unable to find the specified executable file, "
	    "and therefore\n"
	    "did not launch the job.  This error was first reported for "
	    "process\n"
	    "rank 0; it may have occurred for other processes as well.\n"
	    "\n"
	    "NOTE: A common cause for this error is misspelling a "
	    "mpirun command\n"
	    "      line parameter option (remember that mpirun "
	    "interprets the first\n"
	    "      unrecognized command line token as the executable).\n"
	    "\n"
	    "Node:       vm\n"
	    "Executable: /opt/ipubox\n" DASHES,
	    "E mpirun cannot find /opt/ipubox on vm: the file must have the "
	    "same path on all hosts\n" },
	{ "the file cannot be executed",
	    DASHES "mpirun was unable to launch the specified application as "
		   "it could not access\n"
		   "or execute an executable:\n"
		   "\n"
		   "Executable: /etc/passwd\n"
		   "Node: vm\n"
		   "\n"
		   "while attempting to start process rank 0.\n" DASHES,
	    "E mpirun cannot execute /etc/passwd on vm: check its permissions, "
	    "and that its file system is not mounted noexec\n" },
	{ "ipubox itself is missing on another host",
	    DASHES "mpirun was unable to launch the specified application as "
		   "it could not access\n"
		   "or execute an executable:\n"
		   "\n"
		   "Executable: /opt/own/ipubox\n"
		   "Node: n2\n"
		   "\n"
		   "while attempting to start process rank 1.\n" DASHES,
	    "E ipubox is missing on n2, or cannot be executed there: install "
	    "it as /opt/own/ipubox, or add --bring-ipubox yes\n" },
	{ "another file whose name begins in that way",
	    DASHES "mpirun was unable to launch the specified application as "
		   "it could not access\n"
		   "or execute an executable:\n"
		   "\n"
		   "Executable: /opt/own/ipubox-2\n"
		   "Node: n2\n"
		   "\n" DASHES,
	    "E mpirun cannot execute /opt/own/ipubox-2 on n2: check its "
	    "permissions, and that its file system is not mounted noexec\n" },
	{ "no such directory",
	    DASHES "mpirun was unable to launch the specified application as "
		   "it could not\n"
		   "change to the specified working directory:\n"
		   "\n"
		   "Working directory: /nonexist\n"
		   "Node: vm\n"
		   "\n"
		   "while attempting to start process rank 0.\n" DASHES,
	    "E mpirun cannot change to the directory /nonexist on vm: make it "
	    "there, or choose another with --wdir\n" },
	{ "slots",
	    DASHES "There are not enough slots available in the system to "
		   "satisfy the 64\n"
		   "slots that were requested by the application:\n"
		   "\n"
		   "  true\n" DASHES,
	    "E mpirun has too few slots for the 64 instances: add slots=N to "
	    "the host file, HOST:N to --host, or --oversubscribe to "
	    "--mpi-global-args\n" },
	{ "root",
	    DASHES "mpirun has detected an attempt to run as root.\n"
		   "\n"
		   "Running as root is *strongly* discouraged as any mistake "
		   "(e.g., in\n" DASHES,
	    "E mpirun does not run as root: add --allow-run-as-root=yes, or "
	    "use --launcher local\n" },
	{ "an option",
	    "mpirun: Error: unknown option \"--fnord\"\n"
	    "Type 'mpirun --help' for usage.\n",
	    "E mpirun does not know the option \"--fnord\": see "
	    "--mpi-global-args and --mpi-local-args\n" },
	{ "binding",
	    DASHES
	    "A request was made to bind to that would result in binding more\n"
	    "processes than cpus on a resource:\n"
	    "\n"
	    "   Bind to:     CORE\n"
	    "   Node:        vm\n"
	    "   #processes:  2\n"
	    "   #cpus:       1\n" DASHES,
	    "E mpirun would bind more instances than there are cores on vm: "
	    "use fewer instances, or --process-placement disabled\n" },
	{ "mapping",
	    DASHES "The specified mapping policy is not recognized:\n"
		   "\n"
		   "  Policy: fnord\n" DASHES,
	    "E mpirun does not know the mapping policy fnord\n" },
	{ "two policies",
	    DASHES
	    "Conflicting directives for mapping policy are causing the policy\n"
	    "to be redefined:\n"
	    "\n"
	    "  New policy:   oversubscribe\n"
	    "  Prior policy:  BYSOCKET:NOOVERSUBSCRIBE\n"
	    "\n"
	    "Please check that only one policy is defined.\n" DASHES,
	    "E mpirun is given two mapping policies that exclude each other: "
	    "oversubscribe and BYSOCKET:NOOVERSUBSCRIBE\n" },
	{ "a host file",
	    DASHES
	    "Open RTE was unable to open the hostfile:\n"
	    "    /nonexist\n"
	    "Check to make sure the path and filename are correct.\n" DASHES
		DASHES "An internal error has occurred in ORTE:\n"
	    "\n"
	    "[[15380,0],0] FORCE-TERMINATE AT (null):1 - error x.c(352)\n"
	    "\n"
	    "This is something that should be reported to the "
	    "developers.\n" DASHES,
	    "E mpirun cannot open the host file /nonexist\n" },
	{ "no ssh",
	    DASHES "The value of the MCA parameter \"plm_rsh_agent\" was set "
		   "to a path\n"
		   "that could not be found:\n"
		   "\n"
		   "  plm_rsh_agent: ssh : rsh\n" DASHES
		   "[vm:20708] [[INVALID],INVALID] FORCE-TERMINATE AT Not "
		   "found:-13 - error x.c(335)\n",
	    "E mpirun cannot find ssh (ssh : rsh): apt-get install "
	    "openssh-client\n" },
	{ "an interface",
	    DASHES "WARNING: An invalid value was given for "
		   "btl_tcp_if_include.  This\n"
		   "value will be ignored.\n"
		   "\n"
		   "  Local host: vm\n"
		   "  Value:      fnord0\n"
		   "  Message:    Unknown interface name\n" DASHES,
	    "W Open MPI ignores fnord0 in btl_tcp_if_include on vm: Unknown "
	    "interface name\n" },
	{ "no interface",
	    DASHES "None of the TCP networks specified to be included for "
		   "out-of-band communications\n"
		   "could be found:\n"
		   "\n"
		   "  Value given: fnord0\n" DASHES DASHES
		   "No network interfaces were found for out-of-band "
		   "communications. We require\n"
		   "at least one available network for out-of-band "
		   "messaging.\n" DASHES,
	    "E mpirun cannot find the network fnord0: check "
	    "oob_tcp_if_include\n" },
	{ "its directory",
	    DASHES
	    "A call to mkdir was unable to create the desired directory:\n"
	    "\n"
	    "  Directory: /proc/ompi.vm.0\n"
	    "  Error:     No such file or directory\n" DASHES
	    "[vm:20785] [[15823,0],0] ORTE_ERROR_LOG: Error in file s.c at "
	    "line 107\n" DASHES "It looks like orte_init failed for some "
	    "reason; your parallel process is\n" DASHES,
	    "E mpirun cannot make its directory /proc/ompi.vm.0: No such file "
	    "or directory; set TMPDIR to one that can be written\n" },
	{ "a component",
	    DASHES "A requested component was not found, or was unable to be "
		   "opened.  This\n"
		   "means that this component is either not installed or is "
		   "unable to be\n"
		   "\n"
		   "Host:      vm\n"
		   "Framework: btl\n"
		   "Component: fnord\n" DASHES DASHES
		   "It looks like MPI_INIT failed for some reason; your "
		   "parallel process is\n" DASHES,
	    "E Open MPI on vm has no component fnord of btl\n" },
	{ "only a consequence is told", UNRELIABLE NO_ROUTE,
	    "E mpirun could not start its daemon, orted, on another host, or "
	    "lost it: copy-ssh --verify tells why\n" },
	{ "a child that is faster than mpirun",
	    "[vm:1] plm:rsh: Warning: setpgid(2,2) failed in parent with "
	    "errno=Permission denied(13)\n",
	    "" },
	/* ssh */
	{ "messages that are not repeated",
	    "[vm:02822] 1 more process has sent help message a.txt / b\n"
	    "[vm:02822] 2 more processes have sent help message a.txt / b\n",
	    "" },
	{ "a host key", "Host key verification failed.\r\n" UNRELIABLE,
	    "E one of n1, n2: Host key verification failed: its key is not in "
	    "known_hosts: copy-ssh n1,n2\n" },
	{ "a host key, checked strictly",
	    "No ED25519 host key is known for n2 and you have requested strict "
	    "checking.\r\nHost key verification failed.\r\n" UNRELIABLE,
	    "E n2: Host key verification failed: its key is not in "
	    "known_hosts: copy-ssh n2\n" },
	{ "a host key that changed",
	    "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n"
	    "Host key for n2 has changed and you have requested strict "
	    "checking.\r\nHost key verification failed.\r\n" UNRELIABLE,
	    "P @    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n"
	    "E n2: Host key verification failed: its key is not the one in "
	    "known_hosts; if the host was reinstalled: copy-ssh "
	    "--accept-changed n2 n2\n" },
	{ "no permission",
	    "root@n1: Permission denied (publickey,password).\r\n"
	    "root@n2: Permission denied (publickey,password).\r\n"
	    "root@n1: Permission denied (publickey,password).\r\n" UNRELIABLE,
	    "E n1 (and n2): Permission denied: it does not accept this host's "
	    "key: copy-ssh n1,n2\n" },
	{ "refused",
	    "ssh: connect to host 127.0.0.7 port 22: Connection "
	    "refused\r\n" UNRELIABLE,
	    "E 127.0.0.7: nothing listens on the port of ssh: on that host, "
	    "apt-get install openssh-server and service ssh start\n" },
	{ "no name",
	    "ssh: Could not resolve hostname nosuch: Name or service not "
	    "known\r\n" UNRELIABLE,
	    "E nosuch: the name has no address: put it into /etc/hosts or the "
	    "DNS\n" },
	{ "two troubles",
	    "ssh: connect to host n1 port 22: No route to host\n"
	    "Connection closed by 10.0.0.2 port 22\n" UNRELIABLE,
	    "E n1: no answer from the port of ssh: check that the host is up "
	    "and that no firewall is in between\n"
	    "E 10.0.0.2: it closes the connection: see its log of sshd\n" },
	{ "no orted",
	    UNRELIABLE NO_ROUTE "bash: line 1: orted: command not found\r\n",
	    "E n1: Open MPI's orted is not on the PATH there: apt-get install "
	    "openmpi-bin\n" },
	/* Not known. */
	{ "a line", "one line\n", "P one line\n" },
	{ "no newline", "one line", "P one line" },
	{ "a paragraph", "before\n" DASHES "Who\nknows?\n" DASHES "behind\n",
	    "P before\nP " DASHES "Who\nknows?\n" DASHES "P behind\n" },
	{ "an open paragraph", DASHES "Who\n", "P " DASHES "Who\n" },
};

static void
collect(void *context, enum mpirun_noise_kind kind, const char *text,
    size_t size)
{
	FILE *out = context;

	fprintf(out, "%c %.*s%s", "PEW"[kind], (int)size, text,
	    kind == MPIRUN_NOISE_PASS ? "" : "\n");
}

/* What is seen of the text, with an agent or NULL; the caller frees it. */
static char *
see_by(const char *agent, const char *text, bool explained)
{
	struct memstream seen;
	struct mpirun_noise *m;
	struct strvec hosts;
	size_t size;

	strvec_init(&hosts);
	strvec_add(&hosts, "n1");
	strvec_add(&hosts, "n2");
	m = mpirun_noise_new(&hosts, collect, memstream_open(&seen));
	mpirun_noise_set_own(m, "/opt/own/ipubox");
	if (agent != NULL)
		mpirun_noise_set_agent(m, agent);
	for (; *text != '\0'; text += size) {
		size = strcspn(text, "\n");
		size += text[size] == '\n';
		mpirun_noise_line(m, text, size);
	}
	mpirun_noise_end(m, explained);
	mpirun_noise_free(m);
	strvec_release(&hosts);
	return memstream_close(&seen, NULL);
}

static char *
see(const char *text, bool explained)
{
	return see_by(NULL, text, explained);
}

static void
test_texts(void)
{
	size_t i;
	char *seen;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		seen = see(cases[i].text, false);
		is_str(seen, cases[i].seen, cases[i].name);
		free(seen);
	}
}

/* What an agent says is its own, and ssh has no part in it. */
static void
test_agent(void)
{
	char *seen = see_by("/etc/mpi/kubexec.sh",
	    "dial tcp: i/o timed out\n" UNRELIABLE, false);

	is_str(seen,
	    "P dial tcp: i/o timed out\n"
	    "E mpirun could not start its daemon, orted, on another host, or "
	    "lost it: /etc/mpi/kubexec.sh HOST true tells why\n",
	    "the words of an agent");
	free(seen);
}

/* Where an instance failed, mpirun's distress follows from it. */
static void
test_explained(void)
{
	char *seen = see(UNRELIABLE "[vm:1] ORTE_ERROR_LOG: x\n", true);

	is_str(seen, "", "no consequence");
	free(seen);
	seen = see("root@n1: Permission denied (publickey).\n", true);
	ok(strncmp(seen, "E n1: Permission denied", 23) == 0,
	    "a cause is told");
	free(seen);
}

/* Where mpirun crashed while it ended is nobody's business. */
static void
test_crash(void)
{
	char *seen =
	    see("\n"
		"[pod1:02376] *** Process received signal ***\n"
		"[pod1:02376] Signal: Segmentation fault (11)\n"
		"[pod1:02376] [ 0] /lib/libc.so.6(+0x3c050)[0x7f243f259050]\n"
		"[pod1:02376] *** End of error message ***\n"
		"mpirun: something else\n",
		true);

	is_str(seen, "P mpirun: something else\n", "mpirun's own crash");
	free(seen);
}

/* A paragraph that does not end is not kept for ever. */
static void
test_bound(void)
{
	struct memstream text;
	char *said, *seen;
	int i;

	(void)memstream_open(&text);
	fputs(DASHES, text.file);
	for (i = 0; i < 2000; i++)
		fprintf(text.file, "line %d of many\n", i);
	fputs(DASHES "mpirun: killing job...\n", text.file);
	said = memstream_close(&text, NULL);
	seen = see(said, false);
	ok(strncmp(seen, "P " DASHES "line 0", sizeof(DASHES) + 7) == 0,
	    "passed on");
	ok(strstr(seen, "\nP line 1999 of many\nP " DASHES) != NULL,
	    "to its end");
	ok(strstr(seen, "killing") == NULL, "and what is behind is read");
	free(said);
	free(seen);
}

int
main(void)
{
	test_texts();
	test_agent();
	test_explained();
	test_bound();
	test_crash();
	return tap_done();
}
