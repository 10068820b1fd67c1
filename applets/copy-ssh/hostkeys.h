/*
 * The host keys of all hosts: learnt from them, made known to them.
 */
#ifndef APPLETS_COPY_SSH_HOSTKEYS_H
#define APPLETS_COPY_SSH_HOSTKEYS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/*
 * Of all hosts the addresses; then the host keys, which become known here; then
 * this host's own keys, at the addresses by which the hosts call it.
 */
void hostkeys_learn_addresses(struct copy_ssh_run *);
void hostkeys_learn(struct copy_ssh_run *);
void hostkeys_learn_own(struct copy_ssh_run *);

/* Make them known here again, under all names that a host has by now. */
void hostkeys_know(struct copy_ssh_run *);

/*
 * For the scripts on the hosts, which the caller frees: the lines of all host
 * keys, and the names of the hosts whose keys may have changed.
 */
char *hostkeys_of_all(const struct copy_ssh_run *);
char *hostkeys_accepted(const struct copy_ssh_run *);

/* What a host's script said of the keys that it was given. */
void hostkeys_read(struct copy_ssh_run *, struct host *, const struct child *);

#endif
