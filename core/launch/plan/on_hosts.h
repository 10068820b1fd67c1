/*
 * Runs a command on several hosts at the same time, through ssh or the job's
 * agent; on this host, if it is in the list, without either.  ssh never prompts
 * and accepts no unknown host key.
 */
#ifndef CORE_LAUNCH_PLAN_ON_HOSTS_H
#define CORE_LAUNCH_PLAN_ON_HOSTS_H

#include "core/launch/plan/remote_hosts.h"
#include "core/process/process.h"

/* A host, and the result of the last command there. */
struct on_hosts_one {
	const char *host; /* a label of the job */
	bool skipped;	  /* set by the caller: run nothing there */
	struct strvec argv;
	struct child child; /* its output and status */
	bool good;	    /* status 0, in time, and the mark was printed */
};

struct on_hosts {
	struct on_hosts_one *all;
	size_t count;
	const struct remote_agent *agent; /* without words: ssh */
	struct strvec way;    /* words of the agent or ssh; a host follows */
	char *sh;	      /* path of the shell */
	const sigset_t *mask; /* signal mask of the commands */
};

/* A command for the hosts. */
struct on_hosts_work {
	/* Script for sh -c, in which $1 and so on are `words`.  It has no
	   single quotes, line breaks, ! or backslashes, because a user's other
	   shell may read it. */
	const char *script;
	struct strvec words;
	/* Instead of a script: make the argv of a command of this host for each
	   host. */
	void (*make_argv)(const struct on_hosts *, const char *host,
	    const void *context, struct strvec *argv);
	const void *context;
	const char *input;	/* text for its standard input, */
	const char *input_file; /* or a file for it; NULL: empty */
	int limit_s;		/* 0: no limit */
	const char *mark; /* line that a successful command prints; NULL: status
			     0 is enough */
	const char *success_note; /* logged with the host on success, or NULL */
};

/*
 * Begin with the hosts of the list; without `with_own` this host is left out.
 * The agent, the list and the mask must outlive it.  `mask` is the commands'
 * signal mask; NULL: the caller's.  Returns -1 if the agent has no words and
 * ssh is missing, or sh is missing.  Call on_hosts_release() in any case.
 */
int on_hosts_init(struct on_hosts *, const struct remote_agent *,
    const struct strvec *hosts, bool with_own, const sigset_t *mask,
    struct error *);
void on_hosts_release(struct on_hosts *);

/* Add the words that run a shell's command on another host.  Takes over the
   command, which was allocated. */
void on_hosts_add_command(const struct on_hosts *, const char *host,
    char *command, struct strvec *argv);

/* Add the words that run a script on a host, on this one without ssh or the
   agent; for `make_argv`. */
void on_hosts_add_script(const struct on_hosts *, const char *host,
    const char *script, const struct strvec *words, struct strvec *argv);

/* Run a command on all hosts that are not skipped, and wait.  Returns 0 if it
   ended on each, well or not: `good` tells (false where skipped).  Else returns
   the number of the signal that came to this process, is no longer pending, and
   ended the commands. */
int on_hosts_run(struct on_hosts *, const struct on_hosts_work *);

/* Return the identity of a file here, as stat -L -c %d:%i prints it, or "-" if
   stat(2) fails.  The caller frees it. */
char *on_hosts_identity(const char *path);

/* Return true if the last command on that host printed exactly this line. */
bool on_hosts_printed(const struct on_hosts_one *, const char *line);

/* Set the error to the reason why the last command on that host failed, and
   what helps. */
void on_hosts_explain(const struct on_hosts *, const struct on_hosts_one *,
    struct error *);

/* Copy the last line of an agent's output that may give a reason, safe for a
   terminal; "": none.  `text` may be NULL. */
void on_hosts_last_line(const char *text, char *out, size_t size);

/* Log an error for each host that is neither good nor skipped: `what`, the
   host, the reason and what helps.  Returns how many these are. */
size_t on_hosts_tell(const struct on_hosts *, const char *what);

#endif
