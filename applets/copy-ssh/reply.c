/*
 * Taking the script's lines out of what a login shell prints, made fit to be
 * shown; the contract is in the header.
 */
#include "applets/copy-ssh/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

void
reply_begin(struct reply *p, const char *text)
{
	memset(p, 0, sizeof(*p));
	p->next = text != NULL ? text : "";
}

void
reply_release(struct reply *p)
{
	free(p->line);
	p->line = NULL;
}

char *
reply_word(char **rest)
{
	char	*word = *rest + strspn(*rest, " ");
	size_t	 length = strcspn(word, " ");

	*rest = word + length;
	if (**rest != '\0')
		*(*rest)++ = '\0';
	return word;
}

/* A copy of so much of the text, fit for a terminal. */
static char *
shown(const char *text, size_t length)
{
	char	*raw = xasprintf("%.*s", (int)length, text);
	char	*line = xmalloc(4 * length + 1);

	text_printable(raw, line, 4 * length + 1);
	free(raw);
	return line;
}

bool
reply_next(struct reply *p)
{
	const char	*line;
	size_t		 length, mark = strlen(MARK);

	reply_release(p);
	while (*p->next != '\0') {
		line = p->next;
		length = strcspn(line, "\n");
		p->next += length + (line[length] == '\n');
		if (length <= mark || strncmp(line, MARK, mark) != 0 ||
		    line[mark] != ' ')
			continue;
		p->line = shown(line + mark + 1, length - mark - 1);
		p->rest = p->line;
		p->word = reply_word(&p->rest);
		return true;
	}
	return false;
}

void
reply_last_line(const char *text, char *out, size_t size)
{
	const char	*last = "";
	char		*line;
	size_t		 length;

	for (; text != NULL && *text != '\0'; text += length +
	    (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (strspn(text, " \t\r") < length)
			last = text;
	}
	line = shown(last, strcspn(last, "\r\n"));
	text_printable(line, out, size);
	free(line);
}

bool
reply_is_key(const char *text)
{
	static const char	base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789+/=";
	static const char	types[] = "abcdefghijklmnopqrstuvwxyz"
	    "0123456789-@.";
	size_t			type = strspn(text, types), blob;

	if (text[type] != ' ' || (strncmp(text, "ssh-", 4) != 0 &&
	    strncmp(text, "ecdsa-", 6) != 0 && strncmp(text, "sk-", 3) != 0))
		return false;
	text += type + 1;
	blob = strspn(text, base64);
	return blob > 16 && (text[blob] == '\0' || text[blob] == ' ');
}
