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

/* Write ADDRESS NAME of a host, or of this host for `child`; nothing without a
   name or an address that is not loopback, or if `child` has the same name. */
void lines_write_mapping(FILE *, const struct host *);
void lines_write_parent_mapping(FILE *, const struct copy_ssh_run *,
    const struct host *child);

/* In a dry run, the functions that ask about other hosts print their commands
   instead: they find nothing and mark no host. */

/* Find the addresses of all hosts.  A host without one is marked as failed. */
void addresses_learn(struct copy_ssh_run *);
/* Find the host keys of all hosts, and call hostkeys_update_known() unless this
   is a dry run.  A host without a key is marked as failed. */
void hostkeys_learn(struct copy_ssh_run *);
/* Find the keys of this host's own sshd, also in a dry run, at the addresses by
   which the other hosts see this host.  Reports a missing sshd. */
void hostkeys_learn_own(struct copy_ssh_run *);

/* For hosts that were given by their addresses: add the names that they report
   to their aliases if a name leads to that address from here.  Returns true if
   any host has an alias. */
bool addresses_find_aliases(struct copy_ssh_run *);

/* Add the keys of the hosts that have not failed to this host's known_hosts,
   under all names collected so far.  Replace changed keys of the hosts of
   --accept-changed if the user agrees or with --yes.  Any other changed key,
   and a revoked one, marks its host as failed.  If known_hosts cannot be
   changed, the run is marked. */
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
