/*
 * Settings of a client from options, variables and a file.  The first source
 * that sets a key wins, and is kept for messages.
 */
#include "core/control/config.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/hcl.h"
#include "core/base/parse.h"

enum { HCL_FILE_MAX = 1 << 20 }; /* bytes of a file */

/* In the order of enum config_key. */
static const struct {
	const char *name; /* the option's, also used in a file */
	const char *variable;
} keys[CONFIG_KEYS] = {
	{ "api-host", "VIPU_CLI_API_HOST" },
	{ "api-port", "VIPU_CLI_API_PORT" },
	{ "api-user-id", "VIPU_CLI_API_USER_ID" },
	{ "api-access-key", "VIPU_CLI_API_ACCESS_KEY" },
	{ "ipuof-config-location", "VIPU_CLI_IPUOF_CONFIG_LOCATION" },
};

static const char config_system_file[] = "/etc/vipu/vipu-cli.hcl";
static const char home_file[] = ".vipu-cli.hcl";

/* Values in a file, and their lines. */
struct file {
	char values[CONFIG_KEYS][CONFIG_VALUE_SIZE];
	int lines[CONFIG_KEYS];
};

/* An access key must not be readable by others.  A directory must be absolute,
   because the file is used from any working directory. */
static int
config_check_file(const struct file *f, const char *path, const struct stat *st,
    struct error *e)
{
	const char *directory = f->values[CONFIG_IPUOF_LOCATION];

	if (f->values[CONFIG_ACCESS_KEY][0] != '\0' &&
	    (st->st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return error_set_code(e, ERROR_UNSAFE,
		    "%s holds an access key, so only its owner may have access "
		    "to the file; run chmod 600 %s",
		    path, path);
	if (directory[0] != '\0' && directory[0] != '/')
		return error_set_code(e, ERROR_INVALID,
		    "%s:%d: %s '%s': must begin with '/'", path,
		    f->lines[CONFIG_IPUOF_LOCATION],
		    keys[CONFIG_IPUOF_LOCATION].name, directory);
	return 0;
}

/* Read all keys of a file, and check the same open file. */
static int
read_values(struct file *f, const char *path, struct error *e)
{
	struct hcl_row rows[CONFIG_KEYS + 1];
	struct stat st;
	size_t size;
	char *text;
	int i, status;

	memset(f, 0, sizeof(*f));
	memset(rows, 0, sizeof(rows));
	for (i = 0; i < CONFIG_KEYS; i++)
		rows[i] = (struct hcl_row){ keys[i].name, f->values[i],
			sizeof(f->values[i]), &f->lines[i] };
	text = file_read_as(path, HCL_FILE_MAX, &size, &st, e);
	if (text == NULL)
		return -1;
	status = hcl_read_text(rows, path, text, size, e);
	free(text);
	if (status == 0)
		status = config_check_file(f, path, &st, e);
	return status;
}

/* Read a file's values.  Takes ownership of the path and returns it, or NULL if
   the file does not exist. */
static char *
read_present(struct file *f, char *path, const char *home, int *status,
    struct error *e)
{
	struct error reason;

	*status = read_values(f, path, &reason);
	if (*status == 0)
		return path;
	if (!file_is_missing(path, home)) {
		(void)error_copy(e, &reason);
		return path;
	}
	*status = 0;
	free(path);
	return NULL;
}

/* Return the path of the file that was read, to be freed, or NULL. */
static char *
choose_file(const char *option, struct file *f, int *status, struct error *e)
{
	const char *home = getenv("HOME");
	char *path;

	if (option == NULL)
		option = variable_get("VIPU_CLI_CONFIG");
	if (option != NULL) {
		*status = read_values(f, option, e);
		return xstrdup(option);
	}
	path = home != NULL && home[0] == '/' ?
	    read_present(f, xasprintf("%s/%s", home, home_file), home, status,
		e) :
	    NULL;
	return path != NULL ?
	    path :
	    read_present(f, xstrdup(config_system_file), NULL, status, e);
}

/* Set a value and its origin; too long a value is refused, never cut. */
static int
set(struct config *c, int key, const char *value, const char *origin,
    struct error *e)
{
	(void)strlcpy(c->origins[key], origin, sizeof(c->origins[key]));
	if (strlcpy(c->values[key], value, sizeof(c->values[key])) <
	    sizeof(c->values[key]))
		return 0;
	return error_set_code(e, ERROR_INVALID, "%s: longer than %d bytes",
	    origin, CONFIG_VALUE_SIZE - 1);
}

/* Option, then variable, then file. */
static int
set_key(struct config *c, int key, const char *option, const struct file *f,
    const char *path, struct error *e)
{
	const char *variable = getenv(keys[key].variable);
	char origin[CONFIG_ORIGIN_SIZE];

	c->values[key][0] = c->origins[key][0] = '\0';
	if (option != NULL) {
		(void)snprintf(origin, sizeof(origin), "--%s", keys[key].name);
		return set(c, key, option, origin, e);
	}
	if (variable != NULL && variable[0] != '\0')
		return set(c, key, variable, keys[key].variable, e);
	if (path == NULL || f->values[key][0] == '\0')
		return 0;
	(void)snprintf(origin, sizeof(origin), "%s:%d", path, f->lines[key]);
	return set(c, key, f->values[key], origin, e);
}

/* The message names the origin, because the port may come from a file. */
static int
check_port(const struct config *c, struct error *e)
{
	long long port;

	return c->values[CONFIG_API_PORT][0] == '\0' ?
	    0 :
	    parse_number(c->origins[CONFIG_API_PORT],
		c->values[CONFIG_API_PORT], 1, UINT16_MAX, &port, e);
}

int
config_read(struct config *c, const struct config_options *options,
    struct error *e)
{
	static const struct config_options nothing = { .file = NULL };
	struct file f;
	char *path;
	int i, status;

	if (options == NULL)
		options = &nothing;
	memset(c, 0, sizeof(*c));
	path = choose_file(options->file, &f, &status, e);
	for (i = 0; i < CONFIG_KEYS && status == 0; i++)
		status = set_key(c, i, options->values[i], &f, path, e);
	free(path);
	return status == 0 ? check_port(c, e) : -1;
}

int
config_read_file(struct config *c, struct error *e)
{
	struct file f;
	char *path;
	int i, status;

	memset(c, 0, sizeof(*c));
	path = choose_file(NULL, &f, &status, e);
	for (i = 0; path != NULL && i < CONFIG_KEYS && status == 0; i++)
		if (f.values[i][0] != '\0')
			status = set(c, i, f.values[i], path, e);
	free(path);
	return status;
}

const char *
config_variable(int key)
{
	return keys[key].variable;
}

struct server_request
config_server(const struct config *c)
{
	return (struct server_request){ .host = c->values[CONFIG_API_HOST],
		.port = c->values[CONFIG_API_PORT],
		.origin = c->origins[CONFIG_API_HOST] };
}

int
config_caller(const struct config *c, struct caller *caller, struct error *e)
{
	const char *user = c->values[CONFIG_USER_ID];
	const char *key = c->values[CONFIG_ACCESS_KEY];

	memset(caller, 0, sizeof(*caller));
	if (user[0] == '\0' && key[0] != '\0')
		return error_set_code(e, ERROR_INVALID,
		    "an access key (from %s) needs a user; name one with "
		    "--api-user-id",
		    c->origins[CONFIG_ACCESS_KEY]);
	if (user[0] != '\0' && name_check("user", user, e) != 0)
		return -1;
	(void)strlcpy(caller->user, user, sizeof(caller->user));
	if (strlcpy(caller->key, key, sizeof(caller->key)) >=
	    sizeof(caller->key))
		return error_set_code(e, ERROR_INVALID,
		    "the access key (from %s) is longer than %d bytes",
		    c->origins[CONFIG_ACCESS_KEY], SECRET_SIZE - 1);
	return 0;
}

int
config_read_caller(struct caller *caller, struct error *e)
{
	struct config config;

	return config_read(&config, NULL, e) == 0 ?
	    config_caller(&config, caller, e) :
	    -1;
}
