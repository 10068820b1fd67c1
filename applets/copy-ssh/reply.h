/*
 * Reports of a script that runs elsewhere: lines "MARK WORD REST" among
 * whatever else a login shell prints.
 *
 * They come from another host: what is handed out has no control character
 * and is UTF-8, so that it may be shown.
 */
#ifndef APPLETS_COPY_SSH_REPLY_H
#define APPLETS_COPY_SSH_REPLY_H

#include <stdbool.h>
#include <stddef.h>

struct reply {
	const char	*mark;
	const char	*next;		/* of the text, which is the caller's */
	char		*line;		/* owned until the next one */
	char		*word;		/* both within the line */
	char		*rest;
};

/* The lines of `text` (NULL: none) that begin with `mark` and a space. */
void	reply_begin(struct reply *, const char *mark, const char *text);
void	reply_release(struct reply *);

/* The next one; false: there is none, and nothing to release. */
bool	reply_next(struct reply *);

/* Cut the next word off, "" at the end. */
char	*reply_word(char **rest);

/* The last line that has any text, as it may be shown. */
void	reply_last_line(const char *text, char *out, size_t size);

/*
 * Whether the text begins as an OpenSSH public key does: TYPE BLOB, of the
 * characters that these have, and then nothing or a space.
 */
bool	reply_is_key(const char *);

#endif
