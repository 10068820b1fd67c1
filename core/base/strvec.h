/*
 * A growing list of words: an argument vector or an environment.  items[count]
 * is NULL, so that items is an argv; before the first word items is NULL.
 */
#ifndef CORE_BASE_STRVEC_H
#define CORE_BASE_STRVEC_H

#include <stddef.h>
#include <stdio.h>

#include "core/base/error.h"

struct strvec {
	char **items; /* owned, like each word */
	size_t count;
	size_t room;
};

void strvec_init(struct strvec *);
/* Free the words; the list is empty again. */
void strvec_release(struct strvec *);

/* Free an allocated array of `count` lists; NULL is fine. */
void strvec_free_array(struct strvec *, int count);

/* Add a copy of a word, or a formatted word. */
void strvec_add(struct strvec *, const char *);
void strvec_addf(struct strvec *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
/* Add copies of all words of a list that ends with NULL, or is NULL. */
void strvec_add_all(struct strvec *, char *const *items);

/* Add a word that the list takes over. */
void strvec_take(struct strvec *, char *);

/*
 * Add the words of a text, split as in a shell: spaces, tabs and newlines
 * separate, 'all is literal', "a backslash keeps its meaning before $ ` \" \\",
 * and outside of quotes a backslash makes the next character literal; before a
 * newline it continues the line.  Nothing is expanded.  An open quote is an
 * error, and then no word is added.
 */
int strvec_split(struct strvec *, const char *text, struct error *);

/* Return the words, of which there is one at least, as one line that a shell
   splits into the same words: the first as it is, the others in single quotes.
   The caller frees it. */
char *strvec_quoted(char *const *items);
/* Do the same as a person types it: quotes only if a word needs them. */
char *strvec_typed(char *const *items);

/* Commands for a shell's eval, which set or unset variables.  shell_find()
   returns the family of a shell by its name without a directory, or NULL:
   "bash" is of the family "sh". */
#define SHELL_WORDS "sh, csh or fish" /* in messages */
struct shell;
const struct shell *shell_find(const char *name);

/* Print one command that sets the variable, or unsets it (value NULL). */
void shell_put_variable(FILE *, const struct shell *, const char *name,
    const char *value);

#endif
