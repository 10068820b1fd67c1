/*
 * One command on each of several hosts, through ssh or the job's agent and at
 * the same time; on this host, where it is one of them, by itself.  ssh asks
 * nobody, and takes no host key that is not known.
 */
#ifndef CORE_LAUNCH_PLAN_ON_HOSTS_H
#define CORE_LAUNCH_PLAN_ON_HOSTS_H

#include <signal.h>
#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/launch/plan/remote_hosts.h"
#include "core/process/process.h"

#define ON_HOSTS_HERE "here"

/* A host, and what the last command did there. */
struct on_hosts_one {
	const char *host; /* a label of the job */
	bool passed_over; /* by the commands that follow */
	struct strvec argv;
	struct child child; /* its output */
	bool good;
};

struct on_hosts {
	struct on_hosts_one *all;
	size_t count;
	const struct remote_agent *agent;
	struct strvec way;    /* words of it, or of ssh, to which a host is
				 added */
	char *sh;	      /* path */
	const sigset_t *mask; /* of the commands */
};

/* A command. */
struct on_hosts_work {
	/* A script for sh -c, without quotes of the kind ', line breaks, ! and
	   backslashes, which other shells of a user may read; its words are
	   $1 and so on, and $0 is ON_HOSTS_HERE on this host. */
	const char *script;
	struct strvec words;
	/* In place of these: a command of this host, made for each. */
	void (*make)(const struct on_hosts *, const char *host,
	    const void *context, struct strvec *argv);
	const void *context;
	const char *input;	/* its standard input, a text; */
	const char *input_file; /* or a file; NULL: none */
	int limit_s;
	const char *mark; /* where it is done well it prints such a line; NULL:
			     status 0 is enough */
	const char *told; /* then logged, behind the host's name; NULL: nothing
			     is */
};

/*
 * The hosts of the list, with this one or without; both must last.  The mask is
 * that of the commands, NULL: the caller's.  -1: there is no ssh, where the
 * agent is none, or no sh.
 */
int on_hosts_init(struct on_hosts *, const struct remote_agent *,
    const struct strvec *hosts, bool with_own, const sigset_t *mask,
    struct error *);
void on_hosts_release(struct on_hosts *);

/* The words that run a shell's command, which is freed, on another host. */
void on_hosts_add_command(const struct on_hosts *, const char *host,
    char *command, struct strvec *argv);

/* The words that run a script there; for `make`. */
void on_hosts_add_script(const struct on_hosts *, const char *host,
    const char *script, const struct strvec *words, struct strvec *argv);

/*
 * Run it on all that are not passed over.  0: it ended everywhere, and `good`
 * tells where it was done; else the signal that ended it.
 */
int on_hosts_run(struct on_hosts *, const struct on_hosts_work *);

/* Which file or directory that path is here, as stat -L -c %d:%i prints it, to
   be freed; "-": it is not there. */
char *on_hosts_identity(const char *path);

/* Whether it printed a line of that text there. */
bool on_hosts_said(const struct on_hosts_one *, const char *line);

/* Why it was not done there, and what helps. */
void on_hosts_explain(const struct on_hosts *, const struct on_hosts_one *,
    struct error *);

/* What an agent that is not ssh said last, in one line of a terminal; "":
   nothing. */
void on_hosts_last_line(const char *text, char *out, size_t size);

/*
 * An error line for each host where it was not done, behind `what`, with the
 * reason and what helps.  How many there are.
 */
size_t on_hosts_tell(const struct on_hosts *, const char *what);

#endif
