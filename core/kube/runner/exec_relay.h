/*
 * A command in another pod of the job for a process of a pod, as the launcher's
 * kubexec.sh: where a user namespace keeps the two apart, the job's runner is
 * asked, which stands outside of both.
 *
 * The command goes as one packet with four descriptors: its words, and what it
 * has as standard input, output and error; and then there are packets of
 * signals to it, and one of its end.
 */
#ifndef CORE_KUBE_RUNNER_EXEC_RELAY_H
#define CORE_KUBE_RUNNER_EXEC_RELAY_H

#include "core/base/error.h"

/* Where the runner is asked: a socket in the entry's directory. */
#define EXEC_RELAY_SOCKET	"exec"

/* What one command may have in words, and the descriptors of its packet. */
enum { EXEC_RELAY_BYTES_MAX = 2 * 1024 * 1024 };
enum exec_relay_file {
	EXEC_RELAY_SOCKET_END,		/* for all that follows */
	EXEC_RELAY_WORDS,		/* the pod's name, the command's words,
					   each with a NUL behind it */
	EXEC_RELAY_STDIN,
	EXEC_RELAY_STDOUT,
	EXEC_RELAY_STDERR,
	EXEC_RELAY_FILES
};

/*
 * Run it in the pod that has this directory, and wait for its end; signals that
 * end this process are passed on.  Its exit status as a shell has it, or -1:
 * there is no runner, or it is gone.
 */
int	exec_relay_run(const char *pod_directory, char *const *argv,
	    struct error *);

#endif
