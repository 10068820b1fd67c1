/*
 * The addresses and host keys of all hosts: collecting them and distributing
 * them.
 */
#ifndef APPLETS_COPY_SSH_HOSTKEYS_H
#define APPLETS_COPY_SSH_HOSTKEYS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Find the addresses of all hosts.  A host without one fails. */
void addresses_learn(struct copy_ssh_run *);
/* Find the host keys of all hosts, and call hostkeys_update_known() unless this
   is a dry run.  A host without a key fails. */
void hostkeys_learn(struct copy_ssh_run *);
/* Find this host's keys, at the addresses by which the hosts call it. */
void hostkeys_learn_own(struct copy_ssh_run *);

/* Give hosts that were given by their addresses the names that they report, as
   far as these lead to them.  Returns whether any host has such a name. */
bool addresses_find_aliases(struct copy_ssh_run *);

/* Add the hosts' keys to known_hosts here, under all names collected so far.
   Replace changed keys of the hosts of --accept-changed if the user agrees or
   with --yes.  Other changed keys fail their host. */
void hostkeys_update_known(struct copy_ssh_run *);

/* Return lines HOST NAME TYPE BLOB of all hosts that have not failed; the
   caller frees them. */
char *hostkeys_of_all(const struct copy_ssh_run *);
/* Return the names of the hosts with allowed changes of keys, each before a
   blank, as hostkeys_update_known() left them; the caller frees them. */
char *hostkeys_accepted(const struct copy_ssh_run *);

/* Read a host's report about the keys that its script was given.  If it knows
   another key, its check "back" fails. */
void hostkeys_read(struct copy_ssh_run *, struct host *, const struct child *);

#endif
