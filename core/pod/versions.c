/*
 * The table of releases, and finding one by name.
 */
#include "core/pod/pod.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

/* In order of release, after the guide. */
static const struct versions versions_rows[] = {
	{ .name = "guide",
	    .sdk = "3.1.0",
	    .vipu = NULL,
	    .driver = "1.0.56",
	    .firmware = "2.4.4",
	    .gateway = "2.4.2",
	    .machine = "2.5.0",
	    .ipuof_server = "1.9.0",
	    .partitions = VERSIONS_NEW,
	    .admin_partitions = VERSIONS_NEW,
	    .gc_info = VERSIONS_OLD,
	    .attributes = VERSIONS_MID,
	    .gc_monitor = VERSIONS_NEW,
	    .process_columns = 117,
	    .gcd_title = true,
	    .one_cache = true },
	{ .name = "2.0",
	    .sdk = "2.0.0",
	    .vipu = "1.12.0",
	    .driver = "1.0.45",
	    .firmware = "2.1.3",
	    .gateway = "2.0.5",
	    .machine = "2.0.5",
	    .ipuof_server = "1.3.3",
	    .partitions = VERSIONS_OLD,
	    .admin_partitions = VERSIONS_MID,
	    .gc_info = VERSIONS_OLD,
	    .attributes = VERSIONS_MID,
	    .gc_monitor = VERSIONS_MID,
	    .process_columns = 100 },
	{ .name = "2.1",
	    .sdk = "2.1.0",
	    .vipu = "1.12.0",
	    .driver = "1.0.51",
	    .firmware = "2.1.3",
	    .gateway = "2.0.5",
	    .machine = "2.0.5",
	    .ipuof_server = "1.3.3",
	    .partitions = VERSIONS_OLD,
	    .admin_partitions = VERSIONS_MID,
	    .gc_info = VERSIONS_MID,
	    .attributes = VERSIONS_MID,
	    .gc_monitor = VERSIONS_MID,
	    .process_columns = 100 },
	{ .name = "2.3",
	    .sdk = "2.3.0",
	    .vipu = "1.14.3",
	    .driver = "1.0.55",
	    .firmware = "2.1.3",
	    .gateway = "2.0.10",
	    .machine = "2.0.5",
	    .ipuof_server = "1.5.4",
	    .partitions = VERSIONS_OLD,
	    .admin_partitions = VERSIONS_MID,
	    .gc_info = VERSIONS_MID,
	    .attributes = VERSIONS_MID,
	    .gc_monitor = VERSIONS_MID,
	    .process_columns = 100 },
	{ .name = "2.4",
	    .sdk = "2.4.0",
	    .vipu = "1.15.1",
	    .driver = "1.0.56",
	    .firmware = "2.3.5",
	    .gateway = "2.0.10",
	    .machine = "2.0.5",
	    .ipuof_server = "1.8.1",
	    .partitions = VERSIONS_OLD,
	    .admin_partitions = VERSIONS_MID,
	    .gc_info = VERSIONS_NEW,
	    .attributes = VERSIONS_MID,
	    .gc_monitor = VERSIONS_NEW,
	    .process_columns = 100,
	    .machine_hidden = true },
	{ .name = "2.x",
	    .sdk = "2.6.0",
	    .vipu = "1.16.1",
	    .driver = "1.0.58",
	    .firmware = "2.4.4",
	    .gateway = "2.4.2",
	    .machine = "2.5.0",
	    .ipuof_server = "1.9.0",
	    .partitions = VERSIONS_OLD,
	    .admin_partitions = VERSIONS_MID,
	    .gc_info = VERSIONS_NEW,
	    .attributes = VERSIONS_MID,
	    .gc_monitor = VERSIONS_LATEST,
	    .process_columns = 100,
	    .machine_hidden = true },
	{ .name = "3.x",
	    .sdk = "3.4.0",
	    .vipu = "1.18.0",
	    .driver = "1.3.0",
	    .firmware = "2.5.9",
	    .gateway = "2.4.2",
	    .machine = "2.6.0",
	    .ipuof_server = "1.11.0",
	    .partitions = VERSIONS_NEW,
	    .admin_partitions = VERSIONS_NEW,
	    .gc_info = VERSIONS_NEW,
	    .attributes = VERSIONS_NEW,
	    .gc_monitor = VERSIONS_LATEST,
	    .process_columns = 117 },
};

/* Row 2.x begins with release 2.6, the newest of its line. */
static const int versions_newest_2_minor = 6;

const char *const versions_layout_words[] = { "old", "mid", "new", "latest",
	NULL };
const char *const versions_key_words[] = { "machine-software", "server-version",
	"firmware", "driver", "gateway", NULL };

const struct versions *
versions_at(int index)
{
	return index >= 0 && (size_t)index < ARRAY_SIZE(versions_rows) ?
	    &versions_rows[index] :
	    NULL;
}

void
versions_guide(struct versions *v)
{
	*v = versions_rows[0];
}

/* Return the end of one or two digits, or NULL. */
static const char *
skip_number(const char *text)
{
	int n = 0;

	while (n < 2 && isdigit((unsigned char)text[n]))
		n++;
	return n > 0 ? text + n : NULL;
}

/* Whether the text is exactly "3.3" or "3.3.0". */
static bool
is_release(const char *text)
{
	const char *at = skip_number(text);

	if (at == NULL || *at != '.' || (at = skip_number(at + 1)) == NULL)
		return false;
	return *at == '\0' ||
	    (*at == '.' && (at = skip_number(at + 1)) != NULL && *at == '\0');
}

/* Whether the row is of the release's line, and not later: "2.3" began with
   2.3.0, "2.x" with 2.6.0, "3.x" with 3.0.0. */
static bool
is_begun(const char *release, const char *row)
{
	size_t len = strcspn(row, ".");
	const char *at = release + len + 1;
	int minor, first;

	if (row[len] != '.' || strncmp(release, row, len + 1) != 0)
		return false;
	minor = at[0] - '0';
	if (isdigit((unsigned char)at[1]))
		minor = 10 * minor + at[1] - '0';
	first = row[len + 1] != 'x' ? row[len + 1] - '0' :
	    row[0] == '2'	    ? versions_newest_2_minor :
				      0;
	return minor >= first;
}

/* Return the row of a name or release, or NULL. */
static const struct versions *
versions_row(const char *name, bool release)
{
	const struct versions *found = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(versions_rows); i++)
		if (release ? is_begun(name, versions_rows[i].name) :
			      strcmp(name, versions_rows[i].name) == 0)
			found = &versions_rows[i];
	return found;
}

int
versions_find(const char *what, const char *name, struct versions *v,
    struct error *e)
{
	static const char *const words[] = { "guide", "2.x", "3.x" };
	bool release = is_release(name);
	const struct versions *row = versions_row(name, release);
	struct suggestion s;
	size_t i;

	if (row != NULL) {
		*v = *row;
		/* "3.3" is the release 3.3.0. */
		if (release)
			(void)snprintf(v->sdk, sizeof(v->sdk), "%s%s", name,
			    strchr(name, '.') == strrchr(name, '.') ? ".0" :
								      "");
		return 0;
	}
	suggest_begin(&s, name);
	for (i = 0; i < ARRAY_SIZE(words); i++)
		suggest_offer(&s, words[i]);
	(void)error_set_code(e, ERROR_INVALID,
	    "%s '%s': must be guide, 2.x, 3.x, or a version of these lines "
	    "such as 3.3.0",
	    what, name);
	return suggest_append(&s, "", e);
}

/* One to four numbers with dots between them: "2.5.0". */
static bool
is_version(const char *text)
{
	int parts = 0;

	if (strlen(text) >= VERSIONS_SIZE)
		return false;
	do {
		if (!isdigit((unsigned char)*text) || ++parts > 4)
			return false;
		text += strspn(text, "0123456789");
	} while (*text++ == '.');
	return text[-1] == '\0';
}

int
versions_parse(enum versions_key key, const char *text,
    char value[VERSIONS_SIZE], struct error *e)
{
	bool none = strcmp(text, "none") == 0;

	if (!none && !is_version(text))
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': must be a version such as 2.5.0, or none",
		    versions_key_words[key], text);
	(void)snprintf(value, VERSIONS_SIZE, "%s", none ? "" : text);
	return 0;
}

void
versions_set(struct versions *v, enum versions_key key, const char *value)
{
	char *const texts[VERSIONS_KEYS] = { v->machine, v->ipuof_server,
		v->firmware, v->driver, v->gateway };

	(void)snprintf(texts[key], VERSIONS_SIZE, "%s", value);
	if (key == VERSIONS_MACHINE)
		v->machine_hidden = false;
}
