/*
 * Running the ssh programs and the script applets/copy-ssh/remote.sh, here and
 * on the hosts.
 */
#ifndef APPLETS_COPY_SSH_PROGRAMS_H
#define APPLETS_COPY_SSH_PROGRAMS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Set the run's paths of ssh, ssh-keyscan, sh and getent.  Only getent may be
   missing; its path is NULL then.  -1: another of these, or ssh-keygen, is
   missing; the reason says how to install an ssh program. */
int programs_find(struct copy_ssh_run *, struct error *);

/* The variables of remote.sh.  A text has one item per line; only `actions` and
   `accept` separate items by blanks.  NULL: none. */
struct script_request {
	const char *actions; /* words: the parts of the script to run */
	bool make_key;	     /* make and report the user's key */
	bool here;	     /* runs on this host: use the key's path */
	const char *keys;
	const char *hostkeys;
	const char *names;  /* to remove from known_hosts */
	const char *accept; /* host names, separated by blanks */
	const char *stanzas;
	const char *mapping;
	const char *peers; /* NAME ADDRESS; -: unknown; @: this host's */
};

/* Return the script with these values, for `sh -s`; the caller frees it. */
char *programs_script(const struct copy_ssh_run *,
    const struct script_request *);

/* How to call ssh.  SSH_BATCH: without prompts.  SSH_ASK: with prompts on the
   terminal.  SSH_PLAIN: without prompts, and without the port, user and key of
   the options, as other programs call it. */
enum ssh_kind { SSH_BATCH, SSH_ASK, SSH_PLAIN };

/* Run the script by ssh on each host that has not failed and for which `wants`
   is true (NULL: on all).  --jobs at a time run, but with SSH_ASK only one.
   `make` returns a host's script, which is freed here; `ended` gets its
   finished child, which is released here.  Waits until all have ended.  With
   --dry-run only prints the commands, and does not call `ended`.  A signal that
   interrupts the run ends this process. */
typedef char *host_script(struct copy_ssh_run *, struct host *);
typedef bool host_filter(const struct host *);
typedef void host_ended(struct copy_ssh_run *, struct host *, struct child *);
void programs_run_on_hosts(struct copy_ssh_run *, enum ssh_kind, host_filter *,
    host_script *, host_ended *);

/* Do the same with commands on this host, one for each host that has not
   failed.  `make` adds the words; a host for which it adds none is skipped. */
typedef void host_command(const struct copy_ssh_run *, const struct host *,
    struct strvec *);
void programs_run_for_hosts(struct copy_ssh_run *, host_command *,
    host_ended *);

/* Run a script or a command on this host, also in a dry run.  Overwrites *c,
   which the caller releases. */
void programs_run_here(const struct copy_ssh_run *,
    const struct script_request *, struct child *c);
void programs_run_text_here(const struct copy_ssh_run *, const char *script,
    struct child *c);
void programs_run_command(const struct strvec *argv, struct child *c);

#endif
