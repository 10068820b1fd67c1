/*
 * The marker of an SDK's directory, as text and back.
 */
#include "core/state/sdk/sdk_marker.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file_set.h"
#include "core/base/text.h"

static const char	opening[] = "ipubox-sdk ";
static const char	whole[] = " complete";
static const char	unfinished[] = " unfinished";

/* "ipubox-sdk VERSION complete" */
static int
parse_first_line(struct sdk_marker *m, char *line, struct error *e)
{
	char	*version = line + strlen(opening), *state;

	if (strncmp(line, opening, strlen(opening)) != 0 ||
	    (state = strchr(version, ' ')) == NULL || state == version)
		return error_set(e, "its first line is not that of an SDK");
	m->complete = strcmp(state, whole) == 0;
	if (!m->complete && strcmp(state, unfinished) != 0)
		return error_set(e, "its first line says neither complete nor "
		    "unfinished");
	*state = '\0';
	if (strlcpy(m->version, version, sizeof(m->version)) >=
	    sizeof(m->version))
		return error_set(e, "its version is too long");
	return 0;
}

/* A text without NUL bytes, of whole lines; it is written into. */
static int
parse_lines(struct sdk_marker *m, char *text, struct error *e)
{
	char	*line = text, *end;
	int	 number = 1;

	for (; (end = strchr(line, '\n')) != NULL; line = end + 1, number++) {
		*end = '\0';
		if (number == 1) {
			if (parse_first_line(m, line, e) != 0)
				return -1;
		} else if (!file_set_is_path(line)) {
			return error_set(e, "line %d is not a path below its "
			    "folder", number);
		} else {
			strvec_add(&m->paths, line);
		}
	}
	if (number == 1 || *line != '\0')
		return error_set(e, "its last line is cut off");
	return 0;
}

int
sdk_marker_parse(struct sdk_marker *m, const char *text, size_t size,
    struct error *e)
{
	char	*copy;
	int	 status;

	*m = (struct sdk_marker){ .complete = false };
	strvec_init(&m->paths);
	if (memchr(text, '\0', size) != NULL)
		return error_set(e, "there is a NUL byte in it");
	copy = xasprintf("%.*s", (int)size, text);
	status = parse_lines(m, copy, e);
	free(copy);
	return status;
}

char *
sdk_marker_text(const struct sdk_marker *m, size_t *size)
{
	struct memstream	out;
	size_t			i;

	memstream_open(&out);
	fprintf(out.file, "%s%s%s\n", opening, m->version,
	    m->complete ? whole : unfinished);
	for (i = 0; i < m->paths.count; i++)
		fprintf(out.file, "%s\n", m->paths.items[i]);
	return memstream_close(&out, size);
}

void
sdk_marker_release(struct sdk_marker *m)
{
	strvec_release(&m->paths);
}
