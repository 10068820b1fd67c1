/*
 * The names and addresses of hosts, and the lines of known_hosts, ~/.ssh/config
 * and /etc/hosts that are made of them, as the script's requests have them.
 */
#ifndef APPLETS_COPY_SSH_LINES_H
#define APPLETS_COPY_SSH_LINES_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Whether the word is one of these, in any case. */
bool lines_is_among(const struct strvec *, const char *);

/* Whether the text is an IPv4 or IPv6 address. */
bool lines_is_address(const char *);

/*
 * Learn the addresses of this host's interfaces, none where the kernel does
 * not tell.  Then: whether an address is one of them, or a loopback.
 */
void lines_find_own_addresses(struct copy_ssh_run *);
bool lines_is_own_address(const struct copy_ssh_run *, const char *);

/*
 * Hosts given by their addresses get the names that they call themselves, as
 * far as these tell them apart.  Whether any host got one.
 */
bool lines_find_aliases(struct copy_ssh_run *);

/* HOST NAME TYPE BLOB: a host's keys under each of its names. */
void lines_write_hostkeys(FILE *, const struct copy_ssh_run *,
    const struct host *);
/* This host's, under the names by which `child` knows it. */
void lines_write_parent_hostkeys(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* The names as known_hosts has them, one per line. */
void lines_write_known_names(FILE *, const struct copy_ssh_run *,
    const struct host *);
void lines_write_parent_known_names(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* NAMES PORT USER IDENTITY: nothing where ssh's defaults do. */
void lines_write_stanza(FILE *, const struct copy_ssh_run *,
    const struct host *, bool here);
void lines_write_parent_stanza(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* ADDRESS NAME ...: nothing where there is no address or no name. */
void lines_write_mapping(FILE *, const struct host *);
void lines_write_parent_mapping(FILE *, const struct copy_ssh_run *,
    const struct host *child);

#endif
