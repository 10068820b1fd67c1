/*
 * The names and addresses of hosts, and the lines made of them for known_hosts,
 * ~/.ssh/config and /etc/hosts, in the form of the script's requests.  The
 * parent is this host; a child is one of the hosts.
 */
#ifndef APPLETS_COPY_SSH_LINES_H
#define APPLETS_COPY_SSH_LINES_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Whether the word is in the list, ignoring case. */
bool lines_is_among(const struct strvec *, const char *);

/* Whether the text is an IPv4 or IPv6 address. */
bool lines_is_address(const char *);

/* Add the addresses of this host's interfaces to the run's own_addresses; none
   if they cannot be listed. */
void lines_find_own_addresses(struct copy_ssh_run *);
/* Whether the address is in own_addresses, or is a loopback address. */
bool lines_is_own_address(const struct copy_ssh_run *, const char *);

/* Whether the host was given by its address, and reports a name that neither
   this host nor another one has. */
bool lines_has_own_name(const struct copy_ssh_run *, const struct host *);

/* Write HOST NAME TYPE BLOB lines: a host's keys under each of its names. */
void lines_write_hostkeys(FILE *, const struct copy_ssh_run *,
    const struct host *);
/* Write this host's keys, under the names by which `child` may call it. */
void lines_write_parent_hostkeys(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* Write the names of a host, or of this host as `child` may call it, in the
   form of known_hosts, one per line. */
void lines_write_known_names(FILE *, const struct copy_ssh_run *,
    const struct host *);
void lines_write_parent_known_names(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* Write NAMES PORT USER IDENTITY of a host, or of this host for `child`, with
   "-" for a default.  Without --remove, nothing if all three are defaults.
   `here`: for this host's ~/.ssh/config, with the user of --user; else for
   another host's. */
void lines_write_stanza(FILE *, const struct copy_ssh_run *,
    const struct host *, bool here);
void lines_write_parent_stanza(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* Write ADDRESS NAME of a host, or of this host for `child`; nothing if its
   address or its name is missing, or if it has only loopback addresses. */
void lines_write_mapping(FILE *, const struct host *);
void lines_write_parent_mapping(FILE *, const struct copy_ssh_run *,
    const struct host *child);

#endif
