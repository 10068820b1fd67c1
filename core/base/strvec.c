/*
 * Lists that own their words, and their form as one line for a shell.
 */
#include "core/base/strvec.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

void
strvec_init(struct strvec *w)
{
	memset(w, 0, sizeof(*w));
}

void
strvec_release(struct strvec *w)
{
	size_t i;

	for (i = 0; i < w->count; i++)
		free(w->items[i]);
	free(w->items);
	strvec_init(w);
}

void
strvec_free_array(struct strvec *all, int count)
{
	int i;

	for (i = 0; all != NULL && i < count; i++)
		strvec_release(&all[i]);
	free(all);
}

/* The room doubles, so that adding n words costs n steps.  The NULL after the
   last word always fits: count + 1 items. */
void
strvec_take(struct strvec *w, char *word)
{
	if (w->count + 1 >= w->room) {
		w->room = w->room == 0 ? 16 : 2 * w->room;
		w->items = xreallocarray(w->items, w->room, sizeof(*w->items));
	}
	w->items[w->count++] = word;
	w->items[w->count] = NULL;
}

void
strvec_add(struct strvec *w, const char *word)
{
	strvec_take(w, xstrdup(word));
}

void
strvec_addf(struct strvec *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strvec_take(w, xvasprintf(fmt, ap));
	va_end(ap);
}

void
strvec_add_all(struct strvec *w, char *const *items)
{
	for (; items != NULL && *items != NULL; items++)
		strvec_add(w, *items);
}

/* Return true for a backslash before a line end, which continues the line as in
   a shell. */
static bool
is_continuation(const char *p)
{
	return p[0] == '\\' && p[1] == '\n';
}

/* Copy quoted text; *p is after the opening quote.  -1: no closing quote. */
static int
copy_quoted(const char **p, char quote, FILE *word)
{
	for (; **p != '\0' && **p != quote; (*p)++) {
		if (quote == '"' && is_continuation(*p)) {
			(*p)++;
			continue;
		}
		if (quote == '"' && **p == '\\' && (*p)[1] != '\0' &&
		    strchr("$`\"\\", (*p)[1]) != NULL)
			(*p)++;
		(void)fputc(**p, word);
	}
	if (**p == '\0')
		return -1;
	(*p)++;
	return 0;
}

static int
copy_word(const char **p, FILE *word)
{
	while (**p != '\0' && strchr(" \t\n", **p) == NULL) {
		if (**p == '\'' || **p == '"') {
			char quote = *(*p)++;

			if (copy_quoted(p, quote, word) != 0)
				return -1;
			continue;
		}
		if (is_continuation(*p)) {
			*p += 2;
			continue;
		}
		if (**p == '\\' && (*p)[1] != '\0')
			(*p)++;
		(void)fputc(*(*p)++, word);
	}
	return 0;
}

/* Collect the words separately, so that an open quote adds none. */
int
strvec_split(struct strvec *w, const char *text, struct error *e)
{
	struct strvec found;
	struct memstream word;
	const char *p = text;
	int status = 0;

	strvec_init(&found);
	while (status == 0) {
		while (is_continuation(p) ||
		    (*p != '\0' && strchr(" \t\n", *p) != NULL))
			p += is_continuation(p) ? 2 : 1;
		if (*p == '\0')
			break;
		status = copy_word(&p, memstream_open(&word));
		strvec_take(&found, memstream_close(&word, NULL));
		if (status != 0)
			(void)error_set(e, "'%s': a quote is left open", text);
	}
	if (status == 0)
		strvec_add_all(w, found.items);
	strvec_release(&found);
	return status;
}

/* A ' within single quotes ends them, is written as \', and begins them again:
   'it'\''s'. */
static void
put_quoted(FILE *out, const char *word)
{
	const char *c;

	(void)fputc('\'', out);
	for (c = word; *c != '\0'; c++) {
		if (*c == '\'')
			(void)fputs("'\\''", out);
		else
			(void)fputc(*c, out);
	}
	(void)fputc('\'', out);
}

char *
strvec_quoted(char *const *items)
{
	struct memstream m;
	size_t i;
	FILE *out = memstream_open(&m);

	for (i = 0; items[i] != NULL; i++) {
		if (i == 0) {
			(void)fputs(items[i], out);
			continue;
		}
		(void)fputc(' ', out);
		put_quoted(out, items[i]);
	}
	return memstream_close(&m, NULL);
}

/* Return true if no shell changes the word, anywhere in a command's
   arguments. */
static bool
is_plain_word(const char *word)
{
	return *word != '\0' &&
	    word[strspn(word,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
		"%+,-./:=@_")] == '\0';
}

char *
strvec_typed(char *const *items)
{
	struct memstream m;
	size_t i;
	FILE *out = memstream_open(&m);

	for (i = 0; items[i] != NULL; i++) {
		if (i > 0)
			(void)fputc(' ', out);
		if (is_plain_word(items[i]))
			(void)fputs(items[i], out);
		else
			put_quoted(out, items[i]);
	}
	return memstream_close(&m, NULL);
}
