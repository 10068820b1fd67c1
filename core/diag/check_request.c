/*
 * A request as JSON and back, by the same tables of fields.
 */
#include "core/diag/check_answer.h"

#include <bsd/string.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/formats/json.h"

enum { REQUEST_FORMAT = 1 };

static const char request_key[] = "ipubox_check";

struct request_field {
	const char *key;
	size_t offset;
};

static const struct request_field request_texts[] = {
	{ "search", offsetof(struct check_request, search) },
	{ "directory", offsetof(struct check_request, directory) },
	{ "path", offsetof(struct check_request, path) },
	{ "network", offsetof(struct check_request, network) },
	{ "mpirun", offsetof(struct check_request, mpirun) },
	{ "mpirun_version", offsetof(struct check_request, mpirun_version) },
	{ "version", offsetof(struct check_request, version) },
};

static const struct request_field request_lists[] = {
	{ "program", offsetof(struct check_request, program) },
	{ "present", offsetof(struct check_request, present) },
	{ "rooms", offsetof(struct check_request, rooms) },
};

static const struct request_field request_sums[] = {
	{ "own", offsetof(struct check_request, own) },
	{ "program_sum", offsetof(struct check_request, program_sum) },
	{ "script_sum", offsetof(struct check_request, script_sum) },
};

static void *
request_at(struct check_request *q, const struct request_field *f)
{
	return (char *)q + f->offset;
}

static const void *
request_in(const struct check_request *q, const struct request_field *f)
{
	return (const char *)q + f->offset;
}

void
check_request_init(struct check_request *q)
{
	size_t i;

	memset(q, 0, sizeof(*q));
	for (i = 0; i < ARRAY_SIZE(request_lists); i++)
		strvec_init(request_at(q, &request_lists[i]));
	for (i = 0; i < ARRAY_SIZE(request_sums); i++)
		check_sum_read(NULL, request_at(q, &request_sums[i]));
}

void
check_request_release(struct check_request *q)
{
	char **text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(request_lists); i++)
		strvec_release(request_at(q, &request_lists[i]));
	for (i = 0; i < ARRAY_SIZE(request_texts); i++) {
		text = request_at(q, &request_texts[i]);
		free(*text);
		*text = NULL;
	}
}

static void
request_add_list(yyjson_mut_doc *doc, yyjson_mut_val *root, const char *key,
    const struct strvec *list)
{
	yyjson_mut_val *array = yyjson_mut_obj_add_arr(doc, root, key);
	size_t i;

	for (i = 0; i < list->count; i++)
		(void)yyjson_mut_arr_add_strcpy(doc, array, list->items[i]);
}

static void
request_add_sum(yyjson_mut_doc *doc, yyjson_mut_val *root, const char *key,
    const struct check_sum *sum)
{
	yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, root, key);

	(void)yyjson_mut_obj_add_sint(doc, one, "size", sum->size);
	(void)yyjson_mut_obj_add_strcpy(doc, one, "sha512", sum->text);
}

char *
check_request_text(const struct check_request *q)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);
	char *const *text;
	size_t i;

	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_int(doc, root, request_key, REQUEST_FORMAT);
	(void)yyjson_mut_obj_add_int(doc, root, "instances", q->instances);
	(void)yyjson_mut_obj_add_bool(doc, root, "directory_said",
	    q->directory_said);
	(void)yyjson_mut_obj_add_bool(doc, root, "pipes", q->pipes);
	for (i = 0; i < ARRAY_SIZE(request_texts); i++) {
		text = request_in(q, &request_texts[i]);
		if (*text != NULL)
			(void)yyjson_mut_obj_add_strcpy(doc, root,
			    request_texts[i].key, *text);
	}
	for (i = 0; i < ARRAY_SIZE(request_lists); i++)
		request_add_list(doc, root, request_lists[i].key,
		    request_in(q, &request_lists[i]));
	for (i = 0; i < ARRAY_SIZE(request_sums); i++)
		request_add_sum(doc, root, request_sums[i].key,
		    request_in(q, &request_sums[i]));
	return json_text(doc);
}

/* Return a text without NUL bytes, or NULL. */
static const char *
request_text_of(yyjson_val *value)
{
	const char *text = yyjson_get_str(value);

	return text != NULL && strlen(text) == yyjson_get_len(value) ?
	    text :
	    NULL;
}

static int
request_read_list(yyjson_val *array, struct strvec *list)
{
	yyjson_val *one;
	size_t i, max;

	if (!yyjson_is_arr(array) ||
	    yyjson_arr_size(array) > CHECK_REQUEST_WORDS_MAX)
		return -1;
	yyjson_arr_foreach(array, i, max, one) {
		if (request_text_of(one) == NULL)
			return -1;
		strvec_add(list, request_text_of(one));
	}
	return 0;
}

static int
request_read_sum(yyjson_val *object, struct check_sum *sum)
{
	yyjson_val *size = yyjson_obj_get(object, "size");
	const char *text = request_text_of(yyjson_obj_get(object, "sha512"));

	if (!yyjson_is_int(size) || text == NULL ||
	    strlcpy(sum->text, text, sizeof(sum->text)) >= sizeof(sum->text))
		return -1;
	sum->size = yyjson_get_sint(size);
	return 0;
}

static int
request_read_fields(struct check_request *q, yyjson_val *root)
{
	yyjson_val *value;
	char **text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(request_texts); i++) {
		value = yyjson_obj_get(root, request_texts[i].key);
		if (value == NULL)
			continue;
		if (request_text_of(value) == NULL)
			return -1;
		text = request_at(q, &request_texts[i]);
		*text = xstrdup(request_text_of(value));
	}
	for (i = 0; i < ARRAY_SIZE(request_lists); i++)
		if (request_read_list(yyjson_obj_get(root,
					  request_lists[i].key),
			request_at(q, &request_lists[i])) != 0)
			return -1;
	for (i = 0; i < ARRAY_SIZE(request_sums); i++)
		if (request_read_sum(yyjson_obj_get(root, request_sums[i].key),
			request_at(q, &request_sums[i])) != 0)
			return -1;
	return q->program.count > 0 && q->rooms.count % 2 == 0 ? 0 : -1;
}

int
check_request_read(struct check_request *q, const char *text, size_t size,
    struct error *e)
{
	yyjson_doc *doc = size > CHECK_REQUEST_MAX_BYTES ?
	    NULL :
	    yyjson_read(text, size, YYJSON_READ_NOFLAG);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *format = yyjson_obj_get(root, request_key);
	yyjson_val *count = yyjson_obj_get(root, "instances");
	int status = -1;

	if (yyjson_get_int(format) == REQUEST_FORMAT && yyjson_is_uint(count) &&
	    yyjson_get_uint(count) <= INT_MAX / 64) {
		q->instances = (int)yyjson_get_uint(count);
		q->directory_said =
		    yyjson_get_bool(yyjson_obj_get(root, "directory_said"));
		q->pipes = yyjson_get_bool(yyjson_obj_get(root, "pipes"));
		status = request_read_fields(q, root);
	}
	yyjson_doc_free(doc);
	return status == 0 ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"standard input is not a request of poprun --check");
}
