/*
 * How a command on a host ended, and what the script reports of the host.
 */
#ifndef APPLETS_COPY_SSH_OUTCOME_H
#define APPLETS_COPY_SSH_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

#include "applets/copy-ssh/copy-ssh_internal.h"

/*
 * Reports of a script that runs elsewhere: lines "MARK WORD REST" among
 * whatever else a login shell prints.
 *
 * They come from another host: what is handed out has no control character
 * and is UTF-8, so that it may be shown.
 */
struct reply {
	const char *next; /* of the text, which is the caller's */
	char *line;	  /* owned until the next one */
	char *word;	  /* both within the line */
	char *rest;
};

/* With what the lines of the script begin, before a space. */
#define MARK "copy-ssh"

/* The lines of `text` (NULL: none) that begin so. */
void reply_begin(struct reply *, const char *text);
void reply_release(struct reply *);

/* The next one; false: there is none, and nothing to release. */
bool reply_next(struct reply *);

/* Cut the next word off, "" at the end. */
char *reply_word(char **rest);

/* The last line that has any text, as it may be shown. */
void reply_last_line(const char *text, char *out, size_t size);

/*
 * Whether the text begins as an OpenSSH public key does: TYPE BLOB, of the
 * characters that these have, and then nothing or a space.
 */
bool reply_is_key(const char *);

/*
 * How a command ended: where not well, the check that failed, why, and the
 * remedy.  `name` is the host's.
 */
enum ssh_outcome { OUTCOME_DONE, OUTCOME_DENIED, OUTCOME_FAILED };
enum situation { WHILE_SETTING_UP, WHEN_AUTHORISED, WHILE_VERIFYING };
enum ssh_outcome outcome_judge(const struct copy_ssh_run *, const char *name,
    const struct child *, enum situation, enum host_check *, struct error *);

/* Read what the script says of the host: its name, key, changes. */
void outcome_read_host(struct copy_ssh_run *, struct host *,
    const struct child *);
/* Whether the line is one of those, which was read then. */
bool outcome_read_line(struct copy_ssh_run *, struct host *,
    const struct reply *);

#endif
