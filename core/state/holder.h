/*
 * The program that holds an IPU, as described to other users.  The source is
 * the IPU's slot (core/state/ipu_slot.h).
 *
 * A process id is only meaningful in its own pid namespace on its own host, so
 * it is shown only there.  A command line may hold secrets: only root and the
 * holder's user see it; others see the program's name.
 */
#ifndef CORE_STATE_HOLDER_H
#define CORE_STATE_HOLDER_H

#include <sys/types.h>

#include "core/pod/pod.h"
#include "core/state/ipu_slot.h"

enum {
	HOLDER_TEXT_SIZE = SLOT_USER_SIZE + SLOT_COMMAND_SIZE + SLOT_HOST_SIZE +
	    104
};

/* The reader's host and user. */
struct holder_place {
	uint64_t pid_namespace; /* 0: unknown */
	char host[SLOT_HOST_SIZE];
	uid_t reader;
};

/* Fill in this process: its namespace from /proc, the host name ("?" if
   unnamed), and the effective user. */
void holder_place_init(struct holder_place *);

struct registry;

/* Do the same for the reader of that registry: this process or, if the registry
   comes from a recording, the recorder. */
void holder_place_of(struct holder_place *, const struct registry *);

/* Return the inode of this process's pid namespace, 0 without /proc. */
uint64_t holder_pid_namespace(void);

/* Return true if the slot's pid means the same process for the reader: same
   host and same, known pid namespace. */
bool holder_is_here(const struct holder_place *, const struct ipu_slot *);

/* Return true if the slot describes a program (its user is set).  A program
   that has just taken the lock has not described itself yet. */
bool holder_is_known(const struct ipu_slot *);

/*
 * Describe the holder, safe for a terminal: "user mia, pid 4711 (python3
 * train.py on host1)".  On another host, or in an unknown namespace, the pid is
 * left out: "user mia (python3 on host2)".  In another namespace, on any host:
 * "user mia (python3 on host1, in another pid namespace)".  For a client over
 * TCP: "user mia, unproved (python3 on host2, as its client says)", without
 * "unproved" if a key proved the user.  If not holder_is_known(): "a program
 * that left no record".
 */
void holder_text(const struct holder_place *, const struct ipu_slot *,
    char text[HOLDER_TEXT_SIZE]);

/*
 * Write, and show to a reader, the record of a partition's owner.  The record
 * is "poprun, pid 4242 of 4026531836 on HOST, user U"; the second number is the
 * pid namespace.  In that namespace of that host the reader sees "poprun, pid
 * 4242 on HOST, user U", elsewhere "poprun on HOST, user U".  Other records are
 * shown unchanged.
 */
void holder_owner_record(char text[OWNER_TEXT_SIZE], const char *program,
    const struct holder_place *owner, pid_t, const char *user);
void holder_owner_text(const struct holder_place *, const char *record,
    char text[OWNER_TEXT_SIZE]);

/* Write the name of a user of this host, or else its number. */
void holder_user_name(uid_t, char *, size_t);

/* Copy the program's name from a command line: "sh" from "/bin/sh x.sh". */
void holder_program(const char *command, char *, size_t);

/* Copy the command as the reader may see it, safe for a terminal: the whole
   line, or only the name. */
void holder_command(const struct ipu_slot *, uid_t reader,
    char text[SLOT_COMMAND_SIZE]);

/* Return the names of the texts that are only the client's claim: "", "command,
   host" or "user, command, host". */
const char *holder_claims(const struct ipu_slot *);

/* Return true if `reader` may see the command line: root, the holder's user. */
bool holder_may_read(const struct ipu_slot *, uid_t reader);

#endif
