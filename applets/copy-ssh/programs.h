/*
 * Running the ssh programs and the script applets/copy-ssh/remote.sh, here and
 * on the hosts.
 */
#ifndef APPLETS_COPY_SSH_PROGRAMS_H
#define APPLETS_COPY_SSH_PROGRAMS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Find the ssh programs; -1: the reason says how to install them. */
int programs_find(struct copy_ssh_run *, struct error *);

/* The actions for the script; texts are lines, NULL: none. */
struct script_request {
	const char *actions;
	bool make_key;
	bool here; /* on this host */
	const char *keys;
	const char *hostkeys;
	const char *names;
	const char *accept;
	const char *stanzas;
	const char *mapping;
	const char *peers;
};

/* Return the script with these values, for `sh -s`; the caller frees it. */
char *programs_script(const struct copy_ssh_run *,
    const struct script_request *);

/* How to call ssh: without prompts; with prompts on the terminal; or as a
   program would, without the port, user and key of the options. */
enum ssh_kind { SSH_BATCH, SSH_ASK, SSH_PLAIN };

/* Run a command for each host that has not failed and for which `wants` is true
   (NULL: all), as many at a time as --jobs allows.  `make` returns the script
   for one host; `ended` reads the output.  --dry-run prints the commands. */
typedef char *host_script(struct copy_ssh_run *, struct host *);
typedef bool host_filter(const struct host *);
typedef void host_ended(struct copy_ssh_run *, struct host *, struct child *);
void programs_run_on_hosts(struct copy_ssh_run *, enum ssh_kind, host_filter *,
    host_script *, host_ended *);

/* Run any commands, with one argv for each host. */
typedef void host_command(const struct copy_ssh_run *, const struct host *,
    struct strvec *);
void programs_run_for_hosts(struct copy_ssh_run *, host_command *,
    host_ended *);

/* Run the script, or another command, here.  The caller releases `c`. */
void programs_run_here(const struct copy_ssh_run *,
    const struct script_request *, struct child *c);
void programs_run_text_here(const struct copy_ssh_run *, const char *script,
    struct child *c);
void programs_run_command(const struct strvec *argv, struct child *c);

#endif
