/*
 * Stored command lines, to text and back; poprun(1) describes the format.
 * All values survive a round trip unchanged, byte for byte.
 */
#include "applets/poprun/poprun.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

static const char config_file_program[] = "[program]";

void
config_file_init(struct stored_command *c)
{
	memset(c, 0, sizeof(*c));
	strvec_init(&c->program);
}

void
config_file_release(struct stored_command *c)
{
	size_t i;

	for (i = 0; i < c->count; i++) {
		free(c->options[i].name);
		free(c->options[i].value);
	}
	free(c->options);
	strvec_release(&c->program);
	config_file_init(c);
}

void
config_file_add(struct stored_command *c, const char *name, const char *value,
    int line)
{
	c->options = xreallocarray(c->options, c->count + 1,
	    sizeof(*c->options));
	c->options[c->count++] = (struct stored_option){ .name = xstrdup(name),
		.value = xstrdup(value),
		.line = line };
}

/* Whether a byte needs no escape in a value. */
static bool
is_plain(unsigned char c)
{
	return c >= ' ' && c < 127;
}

static bool
config_file_needs_quotes(const char *value)
{
	size_t length = strlen(value);
	size_t i;

	if (length == 0 || value[0] == ' ' || value[length - 1] == ' ' ||
	    strchr("\"#[", value[0]) != NULL)
		return true;
	for (i = 0; i < length; i++)
		if (!is_plain((unsigned char)value[i]))
			return true;
	return false;
}

/* Write a value.  UTF-8 is escaped byte by byte too, so that the visible text
   is the exact value. */
static void
write_value(FILE *out, const char *value)
{
	const unsigned char *c = (const unsigned char *)value;

	if (!config_file_needs_quotes(value)) {
		fputs(value, out);
		return;
	}
	fputc('"', out);
	for (; *c != '\0'; c++) {
		if (*c == '"' || *c == '\\')
			fprintf(out, "\\%c", *c);
		else if (*c == '\n')
			fputs("\\n", out);
		else if (*c == '\t')
			fputs("\\t", out);
		else if (is_plain(*c))
			fputc(*c, out);
		else
			fprintf(out, "\\x%02x", *c);
	}
	fputc('"', out);
}

char *
config_file_text(const struct stored_command *c, size_t *size)
{
	struct memstream text;
	FILE *out = memstream_open(&text);
	size_t i;

	fputs("# poprun options; poprun --import-config FILE runs the job "
	      "again.\n",
	    out);
	for (i = 0; i < c->count; i++) {
		fprintf(out, "%s = ", c->options[i].name);
		write_value(out, c->options[i].value);
		fputc('\n', out);
	}
	if (c->program.count > 0)
		fprintf(out, "\n%s\n", config_file_program);
	for (i = 0; i < c->program.count; i++) {
		write_value(out, c->program.items[i]);
		fputc('\n', out);
	}
	return memstream_close(&text, size);
}

/* Return the value of a hexadecimal digit, or -1. */
static int
hexadecimal(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found;

	if (c >= 'A' && c <= 'F')
		c = (char)(c - 'A' + 'a');
	found = c == '\0' ? NULL : strchr(digits, c);
	return found == NULL ? -1 : (int)(found - digits);
}

/*
 * Return the escaped byte after the backslash at *from, and move *from after
 * it; -1: the escape is invalid.
 */
static int
escaped(const char **from)
{
	const char *c = *from;
	int high, low;

	*from = c + 1;
	switch (*c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case '"':
	case '\\':
		return *c;
	case 'x':
		high = hexadecimal(c[1]);
		low = high == -1 ? -1 : hexadecimal(c[2]);
		*from = c + 3;
		/* A word of a command line cannot contain a NUL byte. */
		return low == -1 || high * 16 + low == 0 ? -1 : high * 16 + low;
	default:
		return -1;
	}
}

/* Remove the quotes in place. */
static int
unquote(char *value, struct error *e)
{
	const char *from = value + 1;
	char *to = value;
	int c;

	while (*from != '"') {
		if (*from == '\0')
			return error_set(e, "the closing quote is missing");
		c = (unsigned char)*from++;
		if (c == '\\' && (c = escaped(&from)) == -1)
			return error_set(e,
			    "a backslash must be followed by n, t, \\, \" or "
			    "xNN (not x00)");
		*to++ = (char)c;
	}
	if (from[1] != '\0')
		return error_set(e, "text follows the closing quote");
	*to = '\0';
	return 0;
}

/* Remove the spaces at both ends in place. */
static char *
trim(char *line)
{
	char *end;

	line += strspn(line, " \t\r");
	end = line + strlen(line);
	while (end > line && strchr(" \t\r", end[-1]) != NULL)
		end--;
	*end = '\0';
	return line;
}

/* Read one line that is neither empty nor a comment. */
static int
config_file_read_line(struct stored_command *c, char *line, int number,
    bool *in_program, struct error *e)
{
	char *equals, *value;

	if (strcmp(line, config_file_program) == 0) {
		if (*in_program)
			return error_set(e, "section %s appears twice",
			    config_file_program);
		*in_program = true;
		return 0;
	}
	if (*line == '[')
		return error_set(e, "unknown section; the only one is %s",
		    config_file_program);
	if (*in_program) {
		if (*line == '"' && unquote(line, e) != 0)
			return -1;
		strvec_add(&c->program, line);
		return 0;
	}
	equals = strchr(line, '=');
	if (equals == NULL)
		return error_set(e, "must be OPTION = VALUE");
	*equals = '\0';
	value = trim(equals + 1);
	if (*value == '"' && unquote(value, e) != 0)
		return -1;
	config_file_add(c, trim(line), value, number);
	return 0;
}

int
config_file_parse(struct stored_command *c, const char *path, const char *text,
    size_t size, struct error *e)
{
	char *copy, *rest, *line;
	int number = 0, status = 0;
	bool in_program = false;

	if (memchr(text, '\0', size) != NULL)
		return error_set(e,
		    "%s: contains a NUL byte, which a command line cannot hold",
		    path);
	copy = rest = xstrdup(text);
	while (status == 0 && (line = strsep(&rest, "\n")) != NULL) {
		number++;
		line = trim(line);
		if (*line == '\0' || *line == '#')
			continue;
		status = config_file_read_line(c, line, number, &in_program, e);
	}
	free(copy);
	return status == 0 ? 0 : error_prefix(e, "%s:%d", path, number);
}
