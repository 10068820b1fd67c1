/*
 * Users as INI files, one each.  They are read on demand and never stored in
 * the registry, because hashes of keys are private.
 */
#include "core/state/state.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/ini.h"
#include "core/base/parse.h"
#include "core/state/state_internal.h"

static int
parse_allocations(void *target, const char *value, struct error *e)
{
	return user_set_allocations(target, value, e);
}

static const struct ini_row user_store_rows[] = {
	{ .section = "user",
	    .key = "name",
	    .type = INI_NAME,
	    .required = true,
	    INI_FIELD(struct user, name) },
	{ .section = "user",
	    .key = "key-hash",
	    .type = INI_TEXT,
	    .required = true,
	    INI_FIELD(struct user, hash) },
	{ .section = "user",
	    .key = "allocations",
	    .type = INI_CUSTOM,
	    .parse = parse_allocations },
	{ 0 },
};

char *
user_store_text(const struct user *u)
{
	char list[USER_LIST_SIZE];

	user_list(u, ',', list);
	return xasprintf("[user]\nname = %s\nkey-hash = %s\n%s%s%s", u->name,
	    u->hash, list[0] != '\0' ? "allocations = " : "", list,
	    list[0] != '\0' ? "\n" : "");
}

static const char users_directory[] = "users";

/* Read a user from users/, which is open. */
static int
read_user(const struct directory *d, const char *name, struct user *u,
    struct error *e)
{
	char *file = xasprintf("%s.ini", name);
	char *path = xasprintf("%s/%s", d->path, file);
	int status;

	memset(u, 0, sizeof(*u));
	status = ini_read_section(user_store_rows, d, file, u, e);
	if (status == 0 && strcmp(u->name, name) != 0)
		status = ini_refuse(e, path, 1,
		    "the file must be named after its user, '%s'", u->name);
	free(path);
	free(file);
	return status;
}

int
user_store_get(const struct state *st, const char *name, struct user *u,
    struct error *e)
{
	struct directory d;
	int status;

	if (name_check("user", name, e) != 0)
		return -1;
	memset(u, 0, sizeof(*u));
	status = directory_open_below(&st->directory, users_directory, &d, e);
	if (status == 0)
		status = read_user(&d, name, u, e);
	directory_close(&d);
	return status;
}

/* A file that vanishes during the listing is left out.  directory_names() sorts
   the names. */
int
user_store_list(const struct state *st, struct user **out, struct error *e)
{
	struct directory d;
	struct error reason;
	char **names, name[NAME_SIZE];
	long i, count = -1;
	int found = 0;

	*out = NULL;
	if (directory_open_below(&st->directory, users_directory, &d,
		&reason) == 0)
		count = directory_names(&d, ".ini", &names, &reason);
	if (count == -1) {
		directory_close(&d);
		return reason.code == ERROR_NOT_FOUND ?
		    0 :
		    error_copy(e, &reason);
	}
	*out = xcalloc((size_t)count + 1, sizeof(**out));
	for (i = 0; i < count; i++) {
		(void)strlcpy(name, names[i], sizeof(name));
		if (strlen(names[i]) < sizeof(name) + strlen(".ini"))
			name[strlen(names[i]) - strlen(".ini")] = '\0';
		if (name_check("user", name, &reason) == 0 &&
		    read_user(&d, name, &(*out)[found], &reason) == 0)
			found++;
		else if (reason.code != ERROR_NOT_FOUND)
			break;
	}
	directory_names_free(names, count);
	directory_close(&d);
	if (i == count)
		return found;
	free(*out);
	*out = NULL;
	return error_copy(e, &reason);
}

/* Write the user or, with NULL, remove the one of that name. */
static int
user_store_change(const struct state *st, const char *name,
    const struct user *u, struct error *e)
{
	struct directory d;
	char *file = xasprintf("%s.ini", name);
	char *text = u != NULL ? user_store_text(u) : NULL;
	int status;

	status = u != NULL ?
	    directory_make_below(&st->directory, users_directory, &d, e) :
	    directory_open_below(&st->directory, users_directory, &d, e);
	if (status == 0) {
		directory_clean(&d);
		status = u == NULL ?
		    file_remove(&d, file, e) :
		    file_replace_at(&d, file, text, strlen(text), e);
	}
	directory_close(&d);
	free(text);
	free(file);
	return status;
}

/* Undo a change that is not certain, so that the caller can say that nothing
   has changed: the old file is written again, or the new one removed. */
static int
change_or_undo(struct state *st, const char *name, const struct user *u,
    struct error *e)
{
	struct error reason;
	struct user old;
	bool was = user_store_get(st, name, &old, &reason) == 0;

	if (!was && reason.code != ERROR_NOT_FOUND && u != NULL)
		return error_copy(e, &reason);
	if (user_store_change(st, name, u, &reason) == 0)
		return 0;
	if (reason.code == ERROR_UNCONFIRMED) {
		(void)user_store_change(st, name, was ? &old : NULL, NULL);
		reason.code = ERROR_IO;
	}
	return error_copy(e, &reason);
}

int
user_store_put(struct state *st, const struct user *u, struct error *e)
{
	if (name_check("user", u->name, e) != 0)
		return -1;
	return change_or_undo(st, u->name, u, e);
}

int
user_store_remove(struct state *st, const char *name, struct error *e)
{
	if (name_check("user", name, e) != 0)
		return -1;
	return change_or_undo(st, name, NULL, e);
}
