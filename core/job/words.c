#include "core/job/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

void
words_init(struct words *w)
{
	memset(w, 0, sizeof(*w));
}

void
words_release(struct words *w)
{
	size_t	i;

	for (i = 0; i < w->count; i++)
		free(w->items[i]);
	free(w->items);
	words_init(w);
}

void
words_take(struct words *w, char *word)
{
	if (w->count + 1 >= w->room) {
		w->room = w->room == 0 ? 16 : 2 * w->room;
		w->items = xreallocarray(w->items, w->room,
		    sizeof(*w->items));
	}
	w->items[w->count++] = word;
	w->items[w->count] = NULL;
}

void
words_add(struct words *w, const char *word)
{
	words_take(w, xstrdup(word));
}

void
words_addf(struct words *w, const char *fmt, ...)
{
	char	*word = NULL;
	int	 n;
	va_list	 ap;

	va_start(ap, fmt);
	n = vasprintf(&word, fmt, ap);
	va_end(ap);
	words_take(w, n == -1 ? xstrdup("") : word);
}

void
words_add_all(struct words *w, char *const *items)
{
	for (; items != NULL && *items != NULL; items++)
		words_add(w, *items);
}

/* Copy what stands in quotes; *p is behind the opening one. -1: no end. */
static int
copy_quoted(const char **p, char quote, FILE *word)
{
	for (; **p != '\0' && **p != quote; (*p)++) {
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
			char	quote = *(*p)++;

			if (copy_quoted(p, quote, word) != 0)
				return -1;
			continue;
		}
		if (**p == '\\' && (*p)[1] != '\0')
			(*p)++;
		(void)fputc(*(*p)++, word);
	}
	return 0;
}

int
words_split(struct words *w, const char *text, struct error *e)
{
	struct words	 found;
	const char	*p = text;
	char		*word;
	size_t		 size;
	FILE		*stream;
	int		 status = 0;

	words_init(&found);
	while (status == 0) {
		p += strspn(p, " \t\n");
		if (*p == '\0')
			break;
		if ((stream = open_memstream(&word, &size)) == NULL) {
			status = error_set_errno(e, "cannot split '%s'", text);
			break;
		}
		status = copy_word(&p, stream);
		(void)fclose(stream);
		words_take(&found, word);
		if (status != 0)
			(void)error_set(e, "'%s': a quote is left open", text);
	}
	if (status == 0)
		words_add_all(w, found.items);
	words_release(&found);
	return status;
}

char *
words_quoted(char *const *items)
{
	const char	*c;
	char		*text = NULL;
	size_t		 size, i;
	FILE		*out = open_memstream(&text, &size);

	if (out == NULL)
		return xstrdup("");
	for (i = 0; items[i] != NULL; i++) {
		if (i == 0) {
			(void)fputs(items[i], out);
			continue;
		}
		(void)fputs(" '", out);
		for (c = items[i]; *c != '\0'; c++) {
			if (*c == '\'')
				(void)fputs("'\\''", out);
			else
				(void)fputc(*c, out);
		}
		(void)fputc('\'', out);
	}
	(void)fclose(out);
	return text;
}
