/*
 * A growing list of words: an argument vector, an environment.  items[count]
 * is always NULL, so that items is an argv once a word is in it.
 */
#ifndef CORE_JOB_WORDS_H
#define CORE_JOB_WORDS_H

#include <stddef.h>

#include "core/base/error.h"

struct words {
	char	**items;	/* owned, each word too */
	size_t	 count;
	size_t	 room;
};

void	words_init(struct words *);
void	words_release(struct words *);

/* Add a copy, a formatted word, copies of all words of another list. */
void	words_add(struct words *, const char *);
void	words_addf(struct words *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));
void	words_add_all(struct words *, char *const *items);

/* Add a word that the list frees from now on. */
void	words_take(struct words *, char *);

/*
 * Add the words of a text as a shell splits it: blanks separate, 'all is
 * literal', "a backslash keeps its meaning before $ ` \" \\", and outside of
 * quotes a backslash makes the next character literal.  Nothing is expanded.
 * An open quote is an error, and then no word is added.
 */
int	words_split(struct words *, const char *text, struct error *);

/*
 * The words as one line that a shell would split in the same way: the first
 * as it is, the others in single quotes.  The caller frees it.
 */
char	*words_quoted(char *const *items);

#endif
