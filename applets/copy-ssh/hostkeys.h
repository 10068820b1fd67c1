/*
 * The addresses and host keys of all hosts: collecting them and distributing
 * them.
 */
#ifndef APPLETS_COPY_SSH_HOSTKEYS_H
#define APPLETS_COPY_SSH_HOSTKEYS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Find the addresses of all hosts; then their host keys, which become known
   here; then this host's keys, at the addresses by which the hosts call it. */
void addresses_learn(struct copy_ssh_run *);
void hostkeys_learn(struct copy_ssh_run *);
void hostkeys_learn_own(struct copy_ssh_run *);

/* Give hosts that were given by their addresses the names that they report, as
   far as these lead to them.  Returns whether any host has such a name. */
bool addresses_find_aliases(struct copy_ssh_run *);

/* Add the hosts' keys here, under all names collected so far.  Ask the user
   about changed keys of --accept-changed; other changed keys fail their
   host. */
void hostkeys_update_known(struct copy_ssh_run *);

/* Return the lines of all host keys, and the names of the hosts with changed
   keys allowed, for the scripts on the hosts; the caller frees them. */
char *hostkeys_of_all(const struct copy_ssh_run *);
char *hostkeys_accepted(const struct copy_ssh_run *);

/* Read a host's report about the keys that its script was given. */
void hostkeys_read(struct copy_ssh_run *, struct host *, const struct child *);

#endif
