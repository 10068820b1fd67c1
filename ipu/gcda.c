/*
 * Reading GCDA_OPTIONS, one JSON object; gcda.h lists its keys.
 */
#include "ipu/gcda.h"

#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/pod/soc_error.h"

static const char	group[] = "simulateSOCError.";

/* The reason begins behind the key, which take_all() puts before it. */
static int
take_errors(struct gcda_options *o, yyjson_val *value, struct error *e)
{
	if (!yyjson_is_str(value))
		return error_set(e, "no text");
	return soc_error_parse(yyjson_get_str(value), &o->soc_errors, e);
}

static int
gcda_take_count(struct gcda_options *o, yyjson_val *value, struct error *e)
{
	const uint64_t	number = yyjson_get_uint(value);
	long long	parsed;

	if (yyjson_is_uint(value) && number <= UINT32_MAX) {
		o->trigger_count = (uint32_t)number;
		return 0;
	}
	if (!yyjson_is_str(value) || parse_number("", yyjson_get_str(value), 0,
	    UINT32_MAX, &parsed, NULL) != 0)
		return error_set(e, "no number from 0 to 4294967295");
	o->trigger_count = (uint32_t)parsed;
	return 0;
}

static int
take_flag(bool *flag, yyjson_val *value, struct error *e)
{
	*flag = yyjson_is_true(value) || yyjson_equals_str(value, "true");
	if (*flag || yyjson_is_false(value) ||
	    yyjson_equals_str(value, "false"))
		return 0;
	return error_set(e, "neither true nor false");
}

/* One member; the reason begins behind its key. */
static int
take_member(struct gcda_options *o, const char *key, yyjson_val *value,
    struct error *e)
{
	bool	rearm;

	if (strcmp(key, "simulateSOCError.errorList") == 0)
		return take_errors(o, value, e);
	if (strcmp(key, "simulateSOCError.triggerCount") == 0)
		return gcda_take_count(o, value, e);
	if (strcmp(key, "simulateSOCError.rearmOnReset") == 0)
		return take_flag(&rearm, value, e);
	/* The rest is of hardware that is not here. */
	if (strncmp(key, group, sizeof(group) - 1) == 0)
		return error_set(e, "unknown; there are errorList, "
		    "triggerCount and rearmOnReset");
	return 0;
}

static int
take_all(struct gcda_options *o, yyjson_val *root, struct error *e)
{
	yyjson_obj_iter	 iterator = yyjson_obj_iter_with(root);
	yyjson_val	*key;
	char		 name[64];

	while ((key = yyjson_obj_iter_next(&iterator)) != NULL) {
		text_printable(yyjson_get_str(key), name, sizeof(name));
		if (take_member(o, yyjson_get_str(key),
		    yyjson_obj_iter_get_val(key), e) == 0)
			continue;
		return error_prefix(e, "GCDA_OPTIONS: %s", name);
	}
	if (o->soc_errors != 0 &&
	    yyjson_obj_get(root, "simulateSOCError.triggerCount") == NULL)
		return error_set(e, "GCDA_OPTIONS: simulateSOCError.errorList "
		    "needs simulateSOCError.triggerCount");
	return 0;
}

/* Monitoring is read first: a mistake elsewhere does not turn it off. */
int
gcda_parse(struct gcda_options *o, const char *text, struct error *e)
{
	yyjson_doc	*doc;
	yyjson_val	*root;
	int		 status;

	memset(o, 0, sizeof(*o));
	doc = yyjson_read(text, strlen(text), 0);
	root = yyjson_doc_get_root(doc);
	(void)take_flag(&o->monitoring, yyjson_obj_get(root,
	    "enableMonitoring"), NULL);
	status = yyjson_is_obj(root) ? take_all(o, root, e) : error_set(e,
	    "GCDA_OPTIONS is no JSON object such as "
	    "{\"enableMonitoring\":\"true\"}");
	yyjson_doc_free(doc);
	return status;
}

int
gcda_read(struct gcda_options *o, struct error *e)
{
	const char	*monitor = getenv("GCDA_MONITOR");
	const char	*text = getenv("GCDA_OPTIONS");
	int		 status;

	status = gcda_parse(o, text != NULL && text[0] != '\0' ? text : "{}",
	    e);
	if (monitor != NULL && strcmp(monitor, "1") == 0)
		o->monitoring = true;
	return status;
}

bool
gcda_monitoring(void)
{
	struct gcda_options	o;

	(void)gcda_read(&o, NULL);
	return o.monitoring;
}

/* Once, at that call: a program does not go on after it. */
uint32_t
gcda_soc_errors(const struct gcda_options *o, uint32_t calls)
{
	return calls == o->trigger_count ? o->soc_errors : 0;
}
