/*
 * The table of releases, and how one is named.
 */
#include "core/pod/versions.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/suggest.h"

static const struct versions versions_rows[] = {
	{ .name = "guide", .sdk = "3.1.0", .vipu = NULL, .driver = "1.0.56",
	    .firmware = "2.4.4", .gateway = "2.4.2", .machine = "2.5.0",
	    .ipuof_server = "1.9.0", .partitions = VERSIONS_NEW,
	    .gc_info = VERSIONS_OLD, .gc_monitor = VERSIONS_NEW },
	{ .name = "2.x", .sdk = "2.6.0", .vipu = "1.16.1", .driver = "1.0.58",
	    .firmware = "2.4.4", .gateway = "2.4.2", .machine = "2.5.0",
	    .ipuof_server = "1.9.0", .partitions = VERSIONS_MID,
	    .gc_info = VERSIONS_NEW, .gc_monitor = VERSIONS_NEW },
	{ .name = "3.x", .sdk = "3.4.0", .vipu = "1.18.0", .driver = "1.3.0",
	    .firmware = "2.4.4", .gateway = "2.4.2", .machine = "2.6.0",
	    .ipuof_server = "1.9.0", .partitions = VERSIONS_NEW,
	    .gc_info = VERSIONS_NEW, .gc_monitor = VERSIONS_NEW }
};

const char *const versions_layout_words[] = { "old", "mid", "new", NULL };

const struct versions *
versions_at(int index)
{
	return index >= 0 && (size_t)index < ARRAY_SIZE(versions_rows) ?
	    &versions_rows[index] : NULL;
}

void
versions_guide(struct versions *v)
{
	*v = versions_rows[0];
}

/* The end of one or two digits, or NULL. */
static const char *
skip_number(const char *text)
{
	int	n = 0;

	while (n < 2 && isdigit((unsigned char)text[n]))
		n++;
	return n > 0 ? text + n : NULL;
}

/* "3.3" or "3.3.0", and nothing else. */
static bool
is_release(const char *text)
{
	const char	*at = skip_number(text);

	if (at == NULL || *at != '.' || (at = skip_number(at + 1)) == NULL)
		return false;
	return *at == '\0' || (*at == '.' &&
	    (at = skip_number(at + 1)) != NULL && *at == '\0');
}

/* Whether the release is of the line that the row "3.x" stands for. */
static bool
is_of_line(const char *release, const char *row)
{
	size_t	len = strcspn(row, ".");

	return row[len] == '.' && strncmp(release, row, len + 1) == 0;
}

int
versions_find(const char *what, const char *name, struct versions *v,
    struct error *e)
{
	struct suggestion	s;
	size_t			i;
	bool			release = is_release(name);

	suggest_begin(&s, name);
	for (i = 0; i < ARRAY_SIZE(versions_rows); i++) {
		suggest_offer(&s, versions_rows[i].name);
		if (strcmp(name, versions_rows[i].name) != 0 &&
		    !(release && is_of_line(name, versions_rows[i].name)))
			continue;
		*v = versions_rows[i];
		/* "3.3" is the release 3.3.0. */
		if (release)
			(void)snprintf(v->sdk, sizeof(v->sdk), "%s%s", name,
			    strchr(name, '.') == strrchr(name, '.') ? ".0" :
			    "");
		return 0;
	}
	(void)error_set_code(e, ERROR_INVALID, "%s '%s': must be guide, 2.x, "
	    "3.x, or a version of these lines, as 3.3.0", what, name);
	return suggest_append(&s, "", e);
}
