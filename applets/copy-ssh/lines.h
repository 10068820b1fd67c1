/*
 * The names and addresses of hosts, and the lines made of them for known_hosts,
 * ~/.ssh/config and /etc/hosts, in the form of the script's requests.
 */
#ifndef APPLETS_COPY_SSH_LINES_H
#define APPLETS_COPY_SSH_LINES_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Whether the word is in the list, ignoring case. */
bool lines_is_among(const struct strvec *, const char *);

/* Whether the text is an IPv4 or IPv6 address. */
bool lines_is_address(const char *);

/* Find the addresses of this host's interfaces; none if the kernel reports
   none.  _is_own: whether an address is one of them, or a loopback address. */
void lines_find_own_addresses(struct copy_ssh_run *);
bool lines_is_own_address(const struct copy_ssh_run *, const char *);

/* Whether a host that was given by its address reports a name that no other
   host has. */
bool lines_has_own_name(const struct copy_ssh_run *, const struct host *);

/* Write HOST NAME TYPE BLOB lines: a host's keys under each of its names. */
void lines_write_hostkeys(FILE *, const struct copy_ssh_run *,
    const struct host *);
/* Write this host's keys, under the names by which `child` knows it. */
void lines_write_parent_hostkeys(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* Write the names in the form of known_hosts, one per line. */
void lines_write_known_names(FILE *, const struct copy_ssh_run *,
    const struct host *);
void lines_write_parent_known_names(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* Write NAMES PORT USER IDENTITY; nothing if ssh's defaults suffice, except
   when removing.  here: for ~/.ssh/config of this host, not of a host. */
void lines_write_stanza(FILE *, const struct copy_ssh_run *,
    const struct host *, bool here);
void lines_write_parent_stanza(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* Write ADDRESS NAME ...; nothing if the address or the name is missing. */
void lines_write_mapping(FILE *, const struct host *);
void lines_write_parent_mapping(FILE *, const struct copy_ssh_run *,
    const struct host *child);

#endif
