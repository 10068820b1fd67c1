/*
 * The addresses and host keys of all hosts: collecting them and distributing
 * them.
 */
#ifndef APPLETS_COPY_SSH_HOSTKEYS_H
#define APPLETS_COPY_SSH_HOSTKEYS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Find the addresses of all hosts.  A host without one is marked as failed. */
void addresses_learn(struct copy_ssh_run *);
/* Find the host keys of all hosts, and call hostkeys_update_known() unless this
   is a dry run.  A host without a key is marked as failed. */
void hostkeys_learn(struct copy_ssh_run *);
/* Find the keys of this host's own sshd, at the addresses by which the other
   hosts see this host.  A missing sshd is reported. */
void hostkeys_learn_own(struct copy_ssh_run *);

/* For hosts that were given by their addresses: add the names that they report
   to their aliases if a name leads to that address from here.  Returns true if
   any host has an alias. */
bool addresses_find_aliases(struct copy_ssh_run *);

/* Add the keys of the hosts that have not failed to this host's known_hosts,
   under all names collected so far.  Replace changed keys of the hosts of
   --accept-changed if the user agrees or with --yes.  Any other changed key
   marks its host as failed.  If known_hosts cannot be changed, the run is
   marked. */
void hostkeys_update_known(struct copy_ssh_run *);

/* Return a text of lines HOST NAME TYPE BLOB for the hosts that have not
   failed; the caller frees it. */
char *hostkeys_of_all(const struct copy_ssh_run *);
/* Return the names of --accept-changed, each followed by a blank, without those
   that hostkeys_update_known() refused.  The caller frees the text. */
char *hostkeys_accepted(const struct copy_ssh_run *);

/* Read a host's report, the child's output, about the keys that its script was
   given.  A different key in the host's known_hosts fails its check "back". */
void hostkeys_read(struct copy_ssh_run *, struct host *, const struct child *);

#endif
