/*
 * $(NAME), as Kubernetes expands it: no shell is there, and no value is
 * expanded twice.
 */
#include "core/kube/runtime/container_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

size_t
container_expand_find(const struct strvec *environment, const char *name,
    size_t length)
{
	size_t	i;

	if (memchr(name, '=', length) != NULL)
		return environment->count;
	for (i = 0; i < environment->count; i++)
		if (strncmp(environment->items[i], name, length) == 0 &&
		    environment->items[i][length] == '=')
			break;
	return i;
}

/* What one reference becomes; `text` is behind its "$(". */
static void
expand_name(const struct strvec *environment, const char *text, size_t length,
    struct strvec *unknown, FILE *out)
{
	const size_t	i = container_expand_find(environment, text, length);

	if (i < environment->count) {
		(void)fputs(environment->items[i] + length + 1, out);
		return;
	}
	(void)fprintf(out, "$(%.*s)", (int)length, text);
	if (unknown != NULL)
		strvec_addf(unknown, "%.*s", (int)length, text);
}

/*
 * What stands at a '$', and how many bytes of it were read; `last` is the last
 * ')' of the text, or NULL:
 *
 *	$(NAME)	the value
 *	$$	$
 *	$x $( $	themselves: no reference, or one without an end
 */
static size_t
expand_dollar(const struct strvec *environment, const char *text,
    const char *last, struct strvec *unknown, FILE *out)
{
	const char	*end = text[1] == '(' && last != NULL && text < last ?
	    strchr(text, ')') : NULL;

	if (end != NULL) {
		expand_name(environment, text + 2, (size_t)(end - text) - 2,
		    unknown, out);
		return (size_t)(end - text) + 1;
	}
	(void)fputc('$', out);
	return text[1] == '$' ? 2 : 1;
}

char *
container_expand_text(const struct strvec *environment, const char *text,
    struct strvec *unknown, struct error *e)
{
	struct memstream	 m;
	const char		*last = strrchr(text, ')');
	char			*expanded;
	size_t			 plain, size;

	(void)memstream_open(&m);
	/* Values that name each other grow without end: only so far. */
	while (*text != '\0' && ftell(m.file) <= POD_TEXT_MAX) {
		plain = strcspn(text, "$");
		(void)fwrite(text, 1, plain, m.file);
		text += plain;
		if (*text == '$')
			text += expand_dollar(environment, text, last,
			    unknown, m.file);
	}
	expanded = memstream_close(&m, &size);
	if (*text == '\0' && size <= POD_TEXT_MAX)
		return expanded;
	free(expanded);
	(void)error_set_code(e, ERROR_INVALID, "is longer than %d bytes, "
	    "which no program is given", POD_TEXT_MAX);
	return NULL;
}
