/*
 * The program that holds an IPU, as it is told to others, from the words of
 * the IPU's slot (core/state/ipu_slot.h).
 *
 * A process id means a process only in its own pid namespace and on its own
 * host, so it is given to nobody else.  A command line may hold what is not
 * for others: who is neither root nor the holder's user learns the program's
 * name alone.
 */
#ifndef CORE_STATE_HOLDER_H
#define CORE_STATE_HOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/pod/pod.h"
#include "core/state/ipu_slot.h"

enum {
	HOLDER_TEXT_SIZE = SLOT_USER_SIZE + SLOT_COMMAND_SIZE + SLOT_HOST_SIZE +
	    64
};

/* Where, and who, the reader is. */
struct holder_place {
	uint64_t pid_namespace; /* 0: not known */
	char host[SLOT_HOST_SIZE];
	uid_t reader;
};

/* This process's: by /proc, the host's name ("?" where it has none), and its
   effective user. */
void holder_place_init(struct holder_place *);

/* The inode of this process's pid namespace, 0 without /proc. */
uint64_t holder_pid_namespace(void);

/* Whether the slot's pid means that process here: the same host and the same
   pid namespace, which is known. */
bool holder_is_here(const struct holder_place *, const struct ipu_slot *);

/* Whether the slot has the words of a program, which names its user: one that
   has the lock and has not said yet who it is has none. */
bool holder_is_known(const struct ipu_slot *);

/*
 * "user mia, pid 4711 (python3 train.py on host1)".  Elsewhere without the pid:
 * "user mia (python3 on host2)", and where the namespace is another one "user
 * mia (python3 on host1, in another pid namespace)".  Of a slot without words
 * "a program that left no record".  Fit for a terminal.
 */
void holder_text(const struct holder_place *, const struct ipu_slot *,
    char text[HOLDER_TEXT_SIZE]);

/*
 * What a partition's record of its owner says to a reader: "poprun, pid 4242 of
 * 4026531836 on HOST, user U", where the second number is the pid namespace, is
 * "poprun, pid 4242 on HOST, user U" in that namespace of that host, and
 * "poprun on HOST, user U" elsewhere.  Other records are told as they are.
 */
void holder_owner_record(char text[OWNER_TEXT_SIZE], const char *program,
    const struct holder_place *owner, pid_t, const char *user);
void holder_owner_text(const struct holder_place *, const char *record,
    char text[OWNER_TEXT_SIZE]);

/* The program's name of a command line: "python3" of "/usr/bin/python3 train.py
   --x 1". */
void holder_program(const char *command, char *, size_t);

/* What that reader may see of the command: the whole line, or the name. */
void holder_command(const struct ipu_slot *, uid_t reader,
    char text[SLOT_COMMAND_SIZE]);

/* Whether this user may read the command line: root, or the holder's own. */
bool holder_may_read(const struct ipu_slot *, uid_t reader);

#endif
