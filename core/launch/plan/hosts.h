/*
 * The hosts of a job: choosing them, and preparing the other hosts before each
 * start.
 */
#ifndef CORE_LAUNCH_PLAN_HOSTS_H
#define CORE_LAUNCH_PLAN_HOSTS_H

#include <signal.h>
#include <stdbool.h>

#include "core/base/strvec.h"

struct plan;

/* Return this host's label in the topology: its name in a Slurm job. */
const char *hosts_name_own(void);

/* Set plan->named and plan->slots to the hosts of the settings.  Without any,
   and unless the launcher is local, use the file that mpirun would read (its
   parameter orte_default_hostfile); a file without hosts or with a wrong number
   of slots counts as empty.  -1: the file cannot be read, or a line is
   malformed in another way. */
int hosts_find(struct plan *, struct error *);

/*
 * Choose the hosts that the job uses: the named ones without the absent ones,
 * at most as many as instances.  Without named hosts it is this host.  With
 * emulated hosts each name is this machine; without, all names of this host are
 * one host.  Fills plan->hosts, the hosts and shares of plan->layout, and
 * plan->far, the first one that is another machine, or NULL.  -1: no host is
 * left, or the instances do not fit their slots.
 */
int hosts_choose(struct plan *, struct error *);

/* Say how to emulate hosts, if the job failed (`status` is not 0) before its
   first instance started and the user named another machine, reached by ssh. */
void hosts_advise(const struct plan *, int status);

/* Return the index of this host among the job's hosts, or -1; 0 if all of them
   are this machine. */
int hosts_find_own(const struct plan *);

/*
 * Check --distribute-ssh-key, --synchronise-python-venv,
 * --synchronise-poplar-sdk and --bring-ipubox before anything is done.  `would`
 * gets a sentence for each option that is given; nothing without other hosts.
 * -1: a directory may not be copied, or the agent does not pass on standard
 * input, which copies need.
 */
int prepare_hosts_check(const struct plan *, struct strvec *would,
    struct error *);

/*
 * Do what these options ask for, in this order; nothing without other hosts or
 * in a dry run.  For --bring-ipubox it only asks the hosts: bring_place()
 * copies.  The caller must have blocked the signals that end a job; one of them
 * ends this, and *mask is the mask before the blocking.  Returns 0; 128 + n
 * after signal n; or another exit status after an error was logged.
 */
int prepare_hosts_run(struct plan *, const sigset_t *mask);

/* Return the directory that the --synchronise option copies, which the caller
   frees.  NULL: none may be copied; the error says what to set. */
char *synchronise_venv(struct error *);
char *synchronise_sdk(const struct plan *, struct error *);

/* Refuse a path that is not absolute or not a directory, "/", and `home` (NULL:
   none) or a directory above it.  `what` begins the message. */
int synchronise_check_path(const char *what, const char *path, const char *home,
    struct error *);

/*
 * Copy a directory to the same path on the other hosts, except those that see
 * the same one on a shared file system: by rsync if both sides have it, else by
 * tar beside the old directory, which is replaced when the copy is whole.
 * Other files in the directory there are lost.  `option` begins the messages.
 * Returns as prepare_hosts_run() does.
 */
int synchronise_directory(const struct plan *, const char *option,
    const char *path, const sigset_t *mask);

#endif
