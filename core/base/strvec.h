/*
 * A growing list of words: an argument vector, an environment.  items[count]
 * is always NULL, so that items is an argv once a word is in it.
 */
#ifndef CORE_BASE_STRVEC_H
#define CORE_BASE_STRVEC_H

#include <stddef.h>
#include <stdio.h>

#include "core/base/error.h"

struct strvec {
	char **items; /* owned, each word too */
	size_t count;
	size_t room;
};

/* An empty list, and the end of one: it is empty again. */
void strvec_init(struct strvec *);
void strvec_release(struct strvec *);

/* The end of an allocated array of so many lists, or of NULL. */
void strvec_free_array(struct strvec *, int count);

/* Add a copy, a formatted word, copies of all words of another list. */
void strvec_add(struct strvec *, const char *);
void strvec_addf(struct strvec *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void strvec_add_all(struct strvec *, char *const *items);

/* Add a word that the list frees from now on. */
void strvec_take(struct strvec *, char *);

/*
 * Add the words of a text as a shell splits it: spaces separate, 'all is
 * literal', "a backslash keeps its meaning before $ ` \" \\", and outside of
 * quotes a backslash makes the next character literal.  Nothing is expanded.
 * An open quote is an error, and then no word is added.
 */
int strvec_split(struct strvec *, const char *text, struct error *);

/*
 * The words as one line that a shell would split in the same way: the first
 * as it is, the others in single quotes.  The caller frees it.
 */
char *strvec_quoted(char *const *items);
/* The same as a person types it: quotes only where a word needs them. */
char *strvec_typed(char *const *items);

/*
 * Commands that a shell reads by its eval: variables set and taken away.
 * Returns the family of the shell, or NULL: "bash" reads what sh does.
 */
#define SHELL_WORDS "sh, csh or fish" /* for a person */
struct shell;
const struct shell *shell_find(const char *name);

/* One command that sets the variable, or takes it away (value NULL). */
void shell_put_variable(FILE *, const struct shell *, const char *name,
    const char *value);

#endif
