/*
 * vipu-admin create, get, list, update and remove user.
 *
 * Source of the words: V-IPU administrator guide, users and allocations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "applets/vipu/output.h"
#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/hcl.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/control/control.h"

const struct option_row user_commands_create_options[] = {
	{ KEY_ALLOCATIONS, "allocations", "LIST",
	    "let the user use these allocations: A,B (default: none)" },
	{ 0 },
};

const struct option_row user_commands_update_options[] = {
	{ KEY_ALLOCATIONS, "allocations", "LIST",
	    "let the user use only these allocations: A,B" },
	{ KEY_ADD_ALLOCATIONS, "add-allocations", "LIST",
	    "let the user use these allocations too" },
	{ KEY_REMOVE_ALLOCATIONS, "remove-allocations", "LIST",
	    "take these allocations from the user" },
	{ KEY_NEW_KEY, "new-key", NULL,
	    "make a new access key; the old one stops working" },
	{ 0 },
};

/* ---- the forms ---- */

/* The source of the views: some users. */
struct user_range {
	const struct user *users;
	int count;
};

/* Add a row for each user, for the table and the CSV. */
static void
user_commands_fill(const struct user_range *r, struct table *t)
{
	char list[USER_LIST_SIZE];
	int i;

	for (i = 0; i < r->count; i++) {
		user_list(&r->users[i], ' ', list);
		table_add(t, "%s", r->users[i].name);
		table_add(t, "%s", list);
	}
}

static void
user_commands_lines(const void *source, struct table *t)
{
	static const char *const headers[] = { "User ID", "Allocations", NULL };
	static const struct fit_rule rules[] = { { 2, 16, 0, FIT_KEEP_END },
		{ 1, 24, 0, FIT_WRAP } };

	table_init(t, headers);
	t->rules = rules;
	user_commands_fill(source, t);
}

static void
user_commands_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "id", "allocation_ids", NULL };

	table_init(t, headers);
	user_commands_fill(source, t);
}

static void
user_commands_page(const void *source, struct table *t)
{
	const struct user_range *r = source;
	char list[USER_LIST_SIZE];

	user_list(r->users, ' ', list);
	table_init(t, NULL);
	table_add(t, "User ID");
	table_add(t, "%s", r->users->name);
	table_add(t, "Allocations");
	table_add(t, "%s", list);
}

static void
user_commands_json(const void *source, yyjson_mut_doc *doc,
    yyjson_mut_val *array)
{
	const struct user_range *r = source;
	const struct user *u = r->users;
	yyjson_mut_val *o, *ids;
	int i;

	for (; u < r->users + r->count; u++) {
		o = yyjson_mut_arr_add_obj(doc, array);
		yyjson_mut_obj_add_str(doc, o, "id", u->name);
		ids = yyjson_mut_obj_add_arr(doc, o, "allocation_ids");
		for (i = 0; i < u->allocation_count; i++)
			yyjson_mut_arr_add_str(doc, ids, u->allocations[i]);
	}
}

int
user_commands_list(const struct call *call)
{
	static const struct output_view l = { user_commands_lines,
		TABLE_SPACE | TABLE_TOP_RULE, user_commands_json,
		user_commands_csv };
	struct user_range all = { NULL, 0 };
	enum output_format format;
	struct controller *c;
	struct user *users = NULL;
	struct error error;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	c = call_open(call, &error);
	if (c != NULL)
		all.count = users_list(c, &users, &error);
	call_close(call, c);
	if (c == NULL || all.count == -1)
		return call_failed(call, &error);
	all.users = users;
	output_list(call, format, &l, &all);
	free(users);
	return EXIT_DONE;
}

/* The key is not shown: only its hash is stored. */
int
user_commands_get(const struct call *call)
{
	static const struct output_view l = { user_commands_page,
		TABLE_SPACE | TABLE_TOP_RULE, user_commands_json,
		user_commands_csv };
	struct user_range one = { NULL, 1 };
	enum output_format format;
	struct controller *c;
	struct user user;
	struct error error;
	int status = -1;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	c = call_open(call, &error);
	if (c != NULL)
		status = users_get(c, call->name, &user, &error);
	call_close(call, c);
	if (status != 0)
		return call_failed(call, &error);
	one.users = &user;
	output_get(call, format, &l, &one);
	return EXIT_DONE;
}

/* ---- the changes ---- */

static void
put_row(FILE *out, const char *key, const char *value)
{
	char *quoted = hcl_quote(value);

	if (value[0] != '\0')
		fprintf(out, "%s=%s\n", key, quoted);
	free(quoted);
}

/*
 * Write the file for --config; it also names the server if that was found by
 * its address.  It is written before the change: a failure afterwards would
 * lose the key, and the file alone gives no rights.
 */
static int
user_commands_write_file(const struct call *call, const struct controller *c,
    const char *path, const char *key, struct error *e)
{
	const struct config *config = &call->config;
	struct memstream m;
	FILE *out = memstream_open(&m);
	char *text;
	size_t size;
	int status;

	if (controller_where(c) != NULL) {
		put_row(out, "api-host", config->values[CONFIG_API_HOST]);
		put_row(out, "api-port", config->values[CONFIG_API_PORT]);
	}
	put_row(out, "api-user-id", call->name);
	put_row(out, "api-access-key", key);
	text = memstream_close(&m, &size);
	status = file_create(path, text, size, e);
	free(text);
	return status;
}

/* Print the words of the guide, with the command that uses the file. */
static int
print_key(const char *verb, const char *user, const char *key, const char *path)
{
	printf("%s user (%s): success. Access key is '%s'.\n"
	       "vipu configuration file for the user '%s' written: %s\n"
	       "Use 'vipu --config %s' to switch to the user context.\n",
	    verb, user, key, user, path, path);
	return EXIT_DONE;
}

/* Make a change with a new key, which is written to NAME.vipu-cli.hcl here. */
static int
change_with_key(const struct call *call, struct controller *c,
    struct user_change *change,
    int (*store)(struct controller *, const char *, const struct user_change *,
	struct error *))
{
	char key[ACCESS_KEY_SIZE];
	char *path = xasprintf("%s.vipu-cli.hcl", call->name);
	struct error error;
	int status;

	user_make_key(key);
	change->key = key;
	status = user_commands_write_file(call, c, path, key, &error);
	if (status == 0) {
		status = store(c, call->name, change, &error);
		if (status != 0)
			(void)unlink(path);
	}
	status = status != 0 ?
	    call_failed(call, &error) :
	    print_key(call->command->verb, call->name, key, path);
	free(path);
	return status;
}

/* Check that the user exists, or does not exist, as the command requires. */
static int
user_commands_check_user(const struct call *call, struct controller *c,
    bool wanted, struct error *e)
{
	struct user user;

	if (name_check("user", call->name, e) != 0)
		return -1;
	if (wanted)
		return users_get(c, call->name, &user, e);
	return users_get(c, call->name, &user, NULL) != 0 ?
	    0 :
	    error_set_code(e, ERROR_EXISTS, "user %s already exists",
		call->name);
}

int
user_commands_create(const struct call *call)
{
	struct user_change change = {
		.allocations = call->values[KEY_ALLOCATIONS]
	};
	struct controller *c;
	struct error error;
	int status;

	c = call_open(call, &error);
	if (c == NULL || user_commands_check_user(call, c, false, &error) != 0)
		status = call_failed(call, &error);
	else
		status = change_with_key(call, c, &change, users_create);
	call_close(call, c);
	return status;
}

/* A new key is printed with its file; other changes get a plain answer. */
int
user_commands_update(const struct call *call)
{
	struct user_change change = {
		.allocations = call->values[KEY_ALLOCATIONS],
		.add = call->values[KEY_ADD_ALLOCATIONS],
		.remove = call->values[KEY_REMOVE_ALLOCATIONS],
	};
	bool key = call->values[KEY_NEW_KEY] != NULL;
	struct controller *c;
	struct error error;
	int status;

	if (change.allocations == NULL && change.add == NULL &&
	    change.remove == NULL && !key)
		return call_misuse(call,
		    "update user: nothing to change; give at least one option");
	if (change.allocations != NULL &&
	    (change.add != NULL || change.remove != NULL))
		return call_misuse(call,
		    "--allocations names all allocations: leave out "
		    "--add-allocations and --remove-allocations");
	c = call_open(call, &error);
	if (c == NULL || user_commands_check_user(call, c, true, &error) != 0)
		status = call_failed(call, &error);
	else if (key)
		status = change_with_key(call, c, &change, users_update);
	else if (users_update(c, call->name, &change, &error) != 0)
		status = call_failed(call, &error);
	else
		status = call_success(call);
	call_close(call, c);
	return status;
}

int
user_commands_remove(const struct call *call)
{
	struct controller *c;
	struct error error;
	int status = -1;

	c = call_open(call, &error);
	if (c != NULL)
		status = users_remove(c, call->name, &error);
	call_close(call, c);
	return status == 0 ? call_success(call) : call_failed(call, &error);
}
