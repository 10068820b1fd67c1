/*
 * ipubox.conf: first the host's file, then the user's over it.
 */
#include "core/state/settings.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/ini.h"
#include "core/base/parse.h"
#include "core/state/paths.h"

enum { SETTINGS_FILE_MAX = 1 << 20 }; /* bytes */

static const char settings_system_file[] = "/etc/ipubox.conf";
static const char no_file[] = "/dev/null";

static int parse_sdk(void *, const char *, struct error *);
static int parse_restart_delay(void *, const char *, struct error *);
static int parse_image(void *, const char *, struct error *);

#define LINE(key) .line = offsetof(struct file_settings, lines[key])
/* Plain text first: only check_values() knows the key. */
#define VERSION(word, index) \
	{ \
		.section = "emulate", .key = word, .type = INI_TEXT, \
		INI_FIELD(struct file_settings, versions[index]), \
		LINE(SETTINGS_VERSIONS + (index)) \
	}

/* In the order of enum settings_key; then the sections without their keys. */
static const struct ini_row settings_rows[] = {
	{ .section = "state",
	    .key = "directory",
	    .type = INI_TEXT,
	    INI_FIELD(struct file_settings, state_directory),
	    LINE(SETTINGS_STATE_DIRECTORY) },
	{ .section = "emulate",
	    .key = "hosts",
	    .type = INI_BOOL,
	    INI_FIELD(struct file_settings, emulate_hosts),
	    LINE(SETTINGS_EMULATE_HOSTS) },
	{ .section = "emulate",
	    .key = "sdk",
	    .type = INI_CUSTOM,
	    .parse = parse_sdk,
	    LINE(SETTINGS_EMULATE_SDK) },
	{ .section = "emulate",
	    .key = "strict",
	    .type = INI_BOOL,
	    INI_FIELD(struct file_settings, emulate_strict),
	    LINE(SETTINGS_EMULATE_STRICT) },
	{ .section = "sdk",
	    .key = "directory",
	    .type = INI_TEXT,
	    INI_FIELD(struct file_settings, sdk_directory),
	    LINE(SETTINGS_SDK_DIRECTORY) },
	VERSION("machine-software", VERSIONS_MACHINE),
	VERSION("server-version", VERSIONS_SERVER),
	VERSION("firmware", VERSIONS_FIRMWARE),
	VERSION("driver", VERSIONS_DRIVER),
	VERSION("gateway", VERSIONS_GATEWAY),
	{ .section = "monitor",
	    .key = "sensors",
	    .type = INI_BOOL,
	    INI_FIELD(struct file_settings, monitor_sensors),
	    LINE(SETTINGS_MONITOR_SENSORS) },
	{ .section = "jobs",
	    .key = "host-paths",
	    .type = INI_TEXT,
	    INI_FIELD(struct file_settings, jobs_host_paths),
	    LINE(SETTINGS_JOBS_HOST_PATHS) },
	{ .section = "jobs",
	    .key = "restart-delay",
	    .type = INI_CUSTOM,
	    .parse = parse_restart_delay,
	    LINE(SETTINGS_JOBS_RESTART_DELAY) },
	{ .section = "users",
	    .key = "share-partitions",
	    .type = INI_BOOL,
	    INI_FIELD(struct file_settings, users_share_partitions),
	    LINE(SETTINGS_USERS_SHARE_PARTITIONS) },
	{ .section = "images",
	    .key = "image",
	    .type = INI_CUSTOM,
	    .repeated = true,
	    .parse = parse_image },
	{ .section = "emulate", .key = NULL },
	{ .section = "images", .key = NULL },
	{ .section = "jobs", .key = NULL },
	{ .section = "monitor", .key = NULL },
	{ .section = "users", .key = NULL },
	{ 0 },
};

/* Parse a file's release; the caller adds the line. */
static int
parse_sdk(void *target, const char *value, struct error *e)
{
	struct file_settings *s = target;

	return versions_find("sdk", value, &s->emulate_sdk, e);
}

static int
parse_restart_delay(void *target, const char *value, struct error *e)
{
	struct file_settings *s = target;

	return parse_duration("restart-delay", value, &s->jobs_restart_delay_ms,
	    e);
}

/* "NAME DIRECTORY" or "NAME host". */
static int
parse_image(void *target, const char *value, struct error *e)
{
	struct file_settings *s = target;
	const char *place = value + strcspn(value, " \t");
	const size_t used = strlen(s->images);

	place += strspn(place, " \t");
	if (place == value + strlen(value))
		return error_set(e,
		    "image '%s': must be a name, a space, and a directory or "
		    "the word host",
		    value);
	if (place[0] != '/' && strcmp(place, "host") != 0)
		return error_set(e,
		    "image '%s': the directory must begin with '/'; the word "
		    "host means the files of this host",
		    value);
	if (used + strlen(value) + 2 > sizeof(s->images))
		return error_set(e,
		    "too many images: their lines together may have %d bytes",
		    (int)SETTINGS_IMAGES_SIZE);
	(void)snprintf(s->images + used, sizeof(s->images) - used, "%s\n",
	    value);
	return 0;
}

/* All sections fill the same struct. */
static void *
settings_begin(void *context, const struct ini_section *section,
    struct error *e)
{
	(void)section;
	(void)e;
	return context;
}

/* The file decides where root's tools write, so only the caller and root may be
   able to write it. */
static int
check_owner(const char *path, const struct stat *st, struct error *e)
{
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return error_set(e,
		    "%s belongs to uid %lu, not to %sroot; give it to root, or "
		    "name another file in IPUBOX_CONFIG",
		    path, (unsigned long)st->st_uid,
		    geteuid() == 0 ? "" : "you or ");
	if ((st->st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return error_set(e,
		    "%s: only its owner may have write access; run chmod go-w "
		    "%s",
		    path, path);
	return 0;
}

/* "none" becomes "". */
static int
check_versions(struct file_settings *s, const char *path, struct error *e)
{
	struct error reason;
	char value[VERSIONS_SIZE];
	int i, line;

	for (i = 0; i < VERSIONS_KEYS; i++) {
		line = s->lines[SETTINGS_VERSIONS + i];
		if (line == 0)
			continue;
		if (versions_parse((enum versions_key)i, s->versions[i], value,
			&reason) != 0)
			return ini_refuse(e, path, line, "%s", reason.text);
		(void)strlcpy(s->versions[i], value, sizeof(s->versions[i]));
	}
	return 0;
}

/* Check what the rows cannot express. */
static int
check_values(struct file_settings *s, const char *path, struct error *e)
{
	const struct {
		const char *directory;
		int line;
	} given[] = {
		{ s->state_directory, s->lines[SETTINGS_STATE_DIRECTORY] },
		{ s->sdk_directory, s->lines[SETTINGS_SDK_DIRECTORY] },
		{ s->jobs_host_paths, s->lines[SETTINGS_JOBS_HOST_PATHS] },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(given); i++)
		if (given[i].line != 0 && given[i].directory[0] != '/')
			return ini_refuse(e, path, given[i].line,
			    "directory '%s': must begin with '/'",
			    given[i].directory);
	return check_versions(s, path, e);
}

/* Merge the file over the present settings.  *opened: it was readable, and is
   refused for its contents or owner. */
static int
read_over(struct file_settings *s, const char *path, bool *opened,
    struct error *e)
{
	const struct ini_schema schema = { .rows = settings_rows,
		.begin = settings_begin,
		.context = s };
	struct stat st;
	size_t size;
	char *text;
	int i, status;

	memset(s->lines, 0, sizeof(s->lines));
	text = file_read_as(path, SETTINGS_FILE_MAX, &size, &st, e);
	*opened = text != NULL;
	if (text == NULL)
		return -1;
	status = check_owner(path, &st, e);
	if (status == 0)
		status = ini_read_text(&schema, path, text, size, e);
	if (status == 0)
		status = check_values(s, path, e);
	for (i = 0; i < SETTINGS_KEYS && status == 0; i++)
		if (s->lines[i] != 0)
			(void)snprintf(s->origins[i], sizeof(s->origins[i]),
			    "%s:%d", path, s->lines[i]);
	free(text);
	return status;
}

/* The same for an optional file in that directory. */
static int
read_if_there(struct file_settings *s, const char *directory, const char *path,
    struct error *e)
{
	struct error reason;
	bool opened;

	if (read_over(s, path, &opened, &reason) == 0 ||
	    (!opened && file_is_missing(path, directory)))
		return 0;
	return error_copy(e, &reason);
}

/* Return the directory of the user's file, to be freed, or NULL. */
static char *
user_directory(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	/* The XDG rule for base directories: a relative one is ignored. */
	if (xdg != NULL && xdg[0] == '/')
		return xstrdup(xdg);
	return home != NULL && home[0] == '/' ?
	    xasprintf("%s/.config", home) :
	    NULL;
}

int
settings_load(struct file_settings *s, struct error *e)
{
	const char *named = getenv("IPUBOX_CONFIG");
	char *directory, *path;
	bool opened;
	int status;

	memset(s, 0, offsetof(struct file_settings, images) + 1);
	if (named != NULL && strcmp(named, no_file) == 0)
		return 0;
	if (named != NULL && named[0] != '\0') {
		status = read_over(s, named, &opened, e);
		/* The reason already names the file. */
		return status == 0 || opened ? status :
					       error_prefix(e, "IPUBOX_CONFIG");
	}
	if (read_if_there(s, NULL, settings_system_file, e) != 0)
		return -1;
	directory = user_directory();
	if (directory == NULL)
		return 0;
	path = xasprintf("%s/ipubox/ipubox.conf", directory);
	status = read_if_there(s, directory, path, e);
	free(path);
	free(directory);
	return status;
}

/* Return the setting for this run: the option, else the variable, or NULL.  The
   origin is its name. */
static const char *
settings_override(const char *option, const char *option_name,
    const char *variable_name, const char **origin)
{
	*origin = option != NULL ? option_name : variable_name;
	return option != NULL ? option : variable_get(variable_name);
}

/* The files are always read, so that mistakes in them are always refused.
   *counts: their value of the key applies. */
static int
settings_choose(struct file_settings *s, enum settings_key key,
    const char *given_by, bool *counts, char origin[STATE_ORIGIN_SIZE],
    struct error *e)
{
	int status = settings_load(s, e);

	if (status != 0 && e != NULL && e->code == ERROR_INVALID)
		(void)error_recode(e, ERROR_DAMAGED);
	*counts = given_by == NULL && status == 0 && s->origins[key][0] != '\0';
	if (origin != NULL)
		(void)strlcpy(origin,
		    given_by != NULL ? given_by :
			*counts	     ? s->origins[key] :
				       "default",
		    STATE_ORIGIN_SIZE);
	return status;
}

int
settings_emulate_hosts(const char *option, bool *emulated,
    char origin[STATE_ORIGIN_SIZE], struct error *e)
{
	struct file_settings s;
	const char *by;
	const char *given = settings_override(option, "--emulate-hosts",
	    "IPUBOX_EMULATE_HOSTS", &by);
	bool counts;
	int status;

	*emulated = false;
	if (given != NULL && parse_bool(by, given, emulated, e) != 0)
		return -1;
	status = settings_choose(&s, SETTINGS_EMULATE_HOSTS,
	    given != NULL ? by : NULL, &counts, origin, e);
	if (counts)
		*emulated = s.emulate_hosts;
	return status;
}

int
settings_emulate_sdk(const char *option, struct versions *v,
    char origin[STATE_ORIGIN_SIZE], struct error *e)
{
	struct file_settings s;
	const char *by;
	const char *given = settings_override(option, "--emulate-sdk",
	    "IPUBOX_EMULATE_SDK", &by);
	bool counts;
	int status, i;

	versions_guide(v);
	if (given != NULL && versions_find(by, given, v, e) != 0)
		return -1;
	status = settings_choose(&s, SETTINGS_EMULATE_SDK,
	    given != NULL ? by : NULL, &counts, origin, e);
	if (counts)
		*v = s.emulate_sdk;
	for (i = 0; i < VERSIONS_KEYS && status == 0; i++)
		if (s.origins[SETTINGS_VERSIONS + i][0] != '\0')
			versions_set(v, (enum versions_key)i, s.versions[i]);
	return status;
}

int
settings_strict(bool *strict, char origin[STATE_ORIGIN_SIZE], struct error *e)
{
	struct file_settings s;
	bool counts;
	int status;

	status = settings_choose(&s, SETTINGS_EMULATE_STRICT, NULL, &counts,
	    origin, e);
	*strict = counts && s.emulate_strict;
	return status;
}

int
settings_sensors(bool *read, char origin[STATE_ORIGIN_SIZE], struct error *e)
{
	struct file_settings s;
	bool counts;
	int status;

	status = settings_choose(&s, SETTINGS_MONITOR_SENSORS, NULL, &counts,
	    origin, e);
	*read = counts && s.monitor_sensors;
	return status;
}

int
settings_share_partitions(bool *share, struct error *e)
{
	struct file_settings s;
	bool counts;
	int status;

	status = settings_choose(&s, SETTINGS_USERS_SHARE_PARTITIONS, NULL,
	    &counts, NULL, e);
	*share = counts && s.users_share_partitions;
	return status;
}

int
settings_sdk(const char *option, char directory[PATH_MAX],
    char origin[STATE_ORIGIN_SIZE], struct error *e)
{
	struct file_settings s;
	const char *by;
	const char *given = settings_override(option, "--sdk", "IPUBOX_SDK",
	    &by);
	bool counts;
	int status;

	directory[0] = '\0';
	if (given != NULL && strlcpy(directory, given, PATH_MAX) >= PATH_MAX) {
		directory[0] = '\0';
		return error_set_code(e, ERROR_INVALID,
		    "%s: the path is too long", by);
	}
	status = settings_choose(&s, SETTINGS_SDK_DIRECTORY,
	    given != NULL ? by : NULL, &counts, origin, e);
	if (counts)
		(void)strlcpy(directory, s.sdk_directory, PATH_MAX);
	return status;
}
