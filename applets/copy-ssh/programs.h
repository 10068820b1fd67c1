/*
 * Running the ssh programs and the script applets/copy-ssh/remote.sh, here and
 * on the hosts.
 */
#ifndef APPLETS_COPY_SSH_PROGRAMS_H
#define APPLETS_COPY_SSH_PROGRAMS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Set the run's paths of ssh, ssh-keyscan, sh and getent (NULL: missing).  -1:
   one of the others, or ssh-keygen, is missing; the reason says how to install
   an ssh program. */
int programs_find(struct copy_ssh_run *, struct error *);

/* The variables of remote.sh.  All texts but two consist of lines; NULL:
   none. */
struct script_request {
	const char *actions; /* words */
	bool make_key;	     /* make and report the user's key */
	bool here;	     /* on this host */
	const char *keys;
	const char *hostkeys;
	const char *names;  /* to remove from known_hosts */
	const char *accept; /* host names, separated by blanks */
	const char *stanzas;
	const char *mapping;
	const char *peers; /* NAME ADDRESS, NAME - or NAME @ */
};

/* Return the script with these values, for `sh -s`; the caller frees it. */
char *programs_script(const struct copy_ssh_run *,
    const struct script_request *);

/* How to call ssh: without prompts; with prompts on the terminal; or without
   prompts and as a program would, without the port, user and key of the
   options. */
enum ssh_kind { SSH_BATCH, SSH_ASK, SSH_PLAIN };

/* Run the script by ssh on each host that has not failed and for which `wants`
   is true (NULL: all).  --jobs at a time run, but with SSH_ASK only one.
   `make` returns the script for one host, which is freed afterwards; `ended`
   reads the output.  --dry-run prints the commands instead. */
typedef char *host_script(struct copy_ssh_run *, struct host *);
typedef bool host_filter(const struct host *);
typedef void host_ended(struct copy_ssh_run *, struct host *, struct child *);
void programs_run_on_hosts(struct copy_ssh_run *, enum ssh_kind, host_filter *,
    host_script *, host_ended *);

/* Run other commands so, with one argv for each host.  A host for which `make`
   adds no words is skipped. */
typedef void host_command(const struct copy_ssh_run *, const struct host *,
    struct strvec *);
void programs_run_for_hosts(struct copy_ssh_run *, host_command *,
    host_ended *);

/* Run a script or a command here, also in a dry run.  The caller releases
   `c`. */
void programs_run_here(const struct copy_ssh_run *,
    const struct script_request *, struct child *c);
void programs_run_text_here(const struct copy_ssh_run *, const char *script,
    struct child *c);
void programs_run_command(const struct strvec *argv, struct child *c);

#endif
