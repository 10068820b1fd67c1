/*
 * Finding and checking an SDK, and the variables that include it.
 */
#include "core/state/sdk/sdk.h"

#include <bsd/string.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/files/file_set.h"
#include "core/base/text.h"

const struct sdk_list sdk_lists[] = {
	{ "PYTHONPATH", "python", NULL },
	{ "CPATH", "include", NULL },
	{ "LIBRARY_PATH", "lib", NULL },
	{ "LD_LIBRARY_PATH", "lib", "lib/libpopdist.so" },
	{ "PKG_CONFIG_PATH", "lib/pkgconfig", NULL },
	{ NULL, NULL, NULL },
};

/* Read the marker of the directory; `path` is the user's name for it. */
static int
read_marker(struct sdk *s, const char *path, struct error *e)
{
	struct sdk_marker marker;
	struct error reason;
	char *file = xasprintf("%s/%s", s->directory, SDK_MARKER_NAME);
	size_t size;
	char *text = file_read(file, SDK_MARKER_SIZE_MAX, &size, &reason);
	int status = -1;

	free(file);
	if (text == NULL)
		return reason.code != ERROR_NOT_FOUND ?
		    error_copy(e, &reason) :
		    error_set_code(e, ERROR_NOT_FOUND,
			"%s is not an SDK of ipubox; ipubox --install-sdk DIR "
			"writes one",
			path);
	if (sdk_marker_parse(&marker, text, size, &reason) != 0)
		(void)error_set_code(e, ERROR_DAMAGED,
		    "%s/%s is damaged: %s; ipubox --install-sdk --force writes "
		    "it again",
		    path, SDK_MARKER_NAME, reason.text);
	else if (!marker.complete)
		(void)error_set_code(e, ERROR_DAMAGED,
		    "the SDK in %s is not complete; ipubox --install-sdk "
		    "completes it",
		    path);
	else
		status = 0;
	(void)strlcpy(s->version, marker.version, sizeof(s->version));
	sdk_marker_release(&marker);
	free(text);
	return status;
}

int
sdk_open(struct sdk *s, const char *path, struct error *e)
{
	if (realpath(path, s->directory) == NULL)
		return error_set_errno(e, "cannot find the SDK %s", path);
	if (strchr(s->directory, ':') != NULL)
		return error_set(e,
		    "'%s': variables such as PYTHONPATH cannot hold a path "
		    "with ':'; move the SDK",
		    s->directory);
	return read_marker(s, path, e);
}

bool
sdk_is_current(const struct sdk *s)
{
	return strcmp(s->version, IPUBOX_VERSION) == 0;
}

static void
put_part(FILE *out, const char *part, size_t len, bool *first)
{
	fprintf(out, "%s%.*s", *first ? "" : ":", (int)len, part);
	*first = false;
}

/* Write the parts of the value other than `own`; with `keep` all parts. */
static bool
sdk_put_others(FILE *out, const char *value, const char *own, bool keep,
    bool *first)
{
	const char *part = value;
	size_t len;
	bool is_own, found = false;

	for (; value != NULL && *value != '\0'; part += len + 1) {
		len = strcspn(part, ":");
		is_own = len == strlen(own) && strncmp(part, own, len) == 0;
		found = found || is_own;
		if (!is_own || keep)
			put_part(out, part, len, first);
		if (part[len] == '\0')
			break;
	}
	return found;
}

char *
sdk_list_put(const char *directory, const char *value, enum sdk_order order)
{
	struct memstream out;
	char *text;
	bool first = true, found;

	memstream_open(&out);
	if (order == SDK_FIRST)
		put_part(out.file, directory, strlen(directory), &first);
	found = sdk_put_others(out.file, value, directory, order == SDK_LAST,
	    &first);
	if (order == SDK_LAST && !found)
		put_part(out.file, directory, strlen(directory), &first);
	text = memstream_close(&out, NULL);
	if (first) {
		free(text);
		text = NULL;
	}
	return text;
}

char *
sdk_list_value(const struct sdk *s, const struct sdk_list *list,
    const char *value, enum sdk_order order)
{
	char *own = xasprintf("%s/%s", s->directory, list->below);
	char *needed = xasprintf("%s/%s", s->directory,
	    list->needs != NULL ? list->needs : "");
	char *text;

	if (list->needs != NULL && access(needed, F_OK) != 0)
		order = SDK_WITHOUT;
	text = sdk_list_put(own, value, order);
	free(needed);
	free(own);
	return text;
}

static const char opening[] = "ipubox-sdk ";
static const char whole[] = " complete";
static const char unfinished[] = " unfinished";

/* "ipubox-sdk VERSION complete" */
static int
parse_first_line(struct sdk_marker *m, char *line, struct error *e)
{
	char *version = line + strlen(opening), *state;

	if (strncmp(line, opening, strlen(opening)) != 0 ||
	    (state = strchr(version, ' ')) == NULL || state == version)
		return error_set(e, "its first line is not that of an SDK");
	m->complete = strcmp(state, whole) == 0;
	if (!m->complete && strcmp(state, unfinished) != 0)
		return error_set(e,
		    "its first line must say complete or unfinished");
	*state = '\0';
	if (strlcpy(m->version, version, sizeof(m->version)) >=
	    sizeof(m->version))
		return error_set(e, "its version is too long");
	return 0;
}

/* Parse whole lines without NUL bytes; modifies the text. */
static int
parse_lines(struct sdk_marker *m, char *text, struct error *e)
{
	char *line = text, *end;
	int number = 1;

	for (; (end = strchr(line, '\n')) != NULL; line = end + 1, number++) {
		*end = '\0';
		if (number == 1) {
			if (parse_first_line(m, line, e) != 0)
				return -1;
		} else if (!file_set_is_path(line)) {
			return error_set(e,
			    "line %d is not a path below its directory",
			    number);
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
	char *copy;
	int status;

	*m = (struct sdk_marker){ .complete = false };
	strvec_init(&m->paths);
	if (memchr(text, '\0', size) != NULL)
		return error_set(e, "it holds a NUL byte");
	copy = xasprintf("%.*s", (int)size, text);
	status = parse_lines(m, copy, e);
	free(copy);
	return status;
}

char *
sdk_marker_text(const struct sdk_marker *m, size_t *size)
{
	struct memstream out;
	size_t i;

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
