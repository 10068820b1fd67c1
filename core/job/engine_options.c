/*
 * POPLAR_ENGINE_OPTIONS: known keys, parsing, and combining with PopDist's and
 * the program's settings.  Read engine_options_resolve() for the order of
 * precedence.
 */
#include "core/job/engine_options.h"

#include <bsd/string.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/alloc.h"

/* Keys with an effect here; PopRun's guide spells the last one this way. */
static const struct {
	const char *name;
	size_t setting; /* offset in engine_settings */
} booleans[] = {
	{ "autoReport.all", offsetof(struct engine_settings, all) },
	{ "autoReport.outputGraphProfile",
	    offsetof(struct engine_settings, graph) },
	{ "autoReport.outputExecutionProfile",
	    offsetof(struct engine_settings, execution) },
	{ "debug.allowOutOfMemory",
	    offsetof(struct engine_settings, out_of_memory) },
	{ "allowOutOfMemory", offsetof(struct engine_settings, out_of_memory) },
};

/* All keys with these prefixes are accepted as Poplar's. */
static const char *const groups[] = { "debug.", "exchange.", "opt.", "prng.",
	"profiler.", "streamCallbacks.", "target." };

/* A typo in this group would cost the profile, so all its keys are listed. */
static const char *const reports[] = {
	"autoReport.executionProfileProgramRunCount",
	"autoReport.outputArchive",
	"autoReport.outputDebugInfo",
	"autoReport.outputLoweredVars",
	"autoReport.outputPoplarMetadata",
	"autoReport.outputSerializedGraph",
	"autoReport.streamAtEachRun",
};

static const char directory_key[] = "autoReport.directory";

/* Whether it is an option of Poplar without effect here. */
static bool
is_known(const char *key)
{
	size_t i, prefix;

	for (i = 0; i < ARRAY_SIZE(reports); i++)
		if (strcmp(key, reports[i]) == 0)
			return true;
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		prefix = strlen(groups[i]);
		if (strncmp(key, groups[i], prefix) == 0 && key[prefix] != '\0')
			return true;
	}
	return false;
}

/* Poplar's options are text, so "true" and true are the same. */
static int
take_boolean(enum engine_setting *setting, const char *key, yyjson_val *value,
    struct error *e)
{
	const char *text = yyjson_get_str(value);

	if (yyjson_is_true(value) ||
	    (text != NULL && strcmp(text, "true") == 0))
		*setting = SETTING_TRUE;
	else if (yyjson_is_false(value) ||
	    (text != NULL && strcmp(text, "false") == 0))
		*setting = SETTING_FALSE;
	else
		return error_set(e, "%s: must be \"true\" or \"false\"", key);
	return 0;
}

/* The length is compared because JSON's \u0000 makes a NUL byte, which would
   cut the path. */
static int
take_directory(struct engine_settings *s, yyjson_val *value, struct error *e)
{
	const char *text = yyjson_get_str(value);

	if (text == NULL || *text == '\0' ||
	    strlen(text) != yyjson_get_len(value))
		return error_set(e, "%s: must name a directory", directory_key);
	if (strlcpy(s->directory, text, sizeof(s->directory)) >=
	    sizeof(s->directory))
		return error_set(e, "%s: longer than %zu bytes", directory_key,
		    sizeof(s->directory) - 1);
	return 0;
}

/* Take a pair of the object into the settings. */
static int
engine_options_take_option(struct engine_settings *s, const char *key,
    yyjson_val *value, struct error *e)
{
	size_t i;

	if (strncmp(key, "autoReport.", strlen("autoReport.")) == 0 &&
	    strcmp(key, directory_key) != 0)
		s->profiling = true;
	if (strcmp(key, directory_key) == 0)
		return take_directory(s, value, e);
	for (i = 0; i < ARRAY_SIZE(booleans); i++)
		if (strcmp(key, booleans[i].name) == 0)
			return take_boolean(
			    (enum engine_setting *)(void *)((char *)s +
				booleans[i].setting),
			    key, value, e);
	if (!is_known(key))
		return error_set(e,
		    "invalid_option: Unrecognised option '%.100s'", key);
	if (!yyjson_is_str(value) && !yyjson_is_bool(value) &&
	    !yyjson_is_num(value))
		return error_set(e, "%.100s: must be a string", key);
	return 0;
}

/* Take all pairs; the settings are only used if all are valid. */
static int
take_object(struct engine_settings *s, yyjson_val *object, struct error *e)
{
	yyjson_val *key, *value;
	size_t i, count;

	if (!yyjson_is_obj(object))
		return error_set(e,
		    "must be a JSON object, such as "
		    "{\"autoReport.all\":\"true\"}");
	yyjson_obj_foreach(object, i, count, key, value) {
		const char *name = yyjson_get_str(key);

		if (strlen(name) != yyjson_get_len(key))
			return error_set(e,
			    "the name of an option holds a NUL byte");
		/* The first of that name is another: the key is repeated. */
		if (yyjson_obj_get(object, name) != value)
			return error_set(e, "%.100s: is given twice", name);
		if (engine_options_take_option(s, name, value, e) != 0)
			return -1;
	}
	return 0;
}

/* Parse JSON, which the caller frees; NULL: not valid. */
static yyjson_doc *
engine_options_read_json(const char *text, struct error *e)
{
	yyjson_read_err reason;
	char *copy = xstrdup(text);
	yyjson_doc *doc = yyjson_read_opts(copy, strlen(copy), 0, NULL,
	    &reason);

	free(copy);
	if (doc != NULL)
		return doc;
	(void)error_set(e, "%s: is not valid JSON: %s at character %zu",
	    ENGINE_OPTIONS_VARIABLE, reason.msg, reason.pos + 1);
	return NULL;
}

int
engine_options_check(const char *text, struct error *e)
{
	yyjson_doc *doc;
	bool good;

	if (text == NULL || *text == '\0')
		return 0;
	if ((doc = engine_options_read_json(text, e)) == NULL)
		return -1;
	good = yyjson_is_obj(yyjson_doc_get_root(doc));
	yyjson_doc_free(doc);
	return good ?
	    0 :
	    error_set(e,
		"%s: must be a JSON object, such as "
		"{\"autoReport.all\":\"true\"}",
		ENGINE_OPTIONS_VARIABLE);
}

int
engine_options_parse_settings(struct engine_settings *s, const char *text,
    struct error *e)
{
	struct engine_settings found = { .all = SETTING_NONE };
	yyjson_doc *doc;
	int status;

	*s = found;
	if (text == NULL || *text == '\0')
		return 0;
	if ((doc = engine_options_read_json(text, e)) == NULL)
		return -1;
	status = take_object(&found, yyjson_doc_get_root(doc), e);
	yyjson_doc_free(doc);
	if (status == 0)
		*s = found;
	else
		(void)error_prefix(e, "%s", ENGINE_OPTIONS_VARIABLE);
	return status;
}

/* Return this instance's index or, with uneven shares, its first replica. */
static int
instance_of(const struct popdist *p)
{
	return p->num_instances > 0 ? p->instance_index :
				      p->replica_index_offset;
}

/* Set the directory, with a subdirectory per instance if `own`. */
static int
set_directory(struct engine_options *o, const char *parent, bool own,
    const struct popdist *p, struct error *e)
{
	int n;

	if (own)
		n = snprintf(o->directory, sizeof(o->directory), "%s/%d",
		    parent, instance_of(p));
	else
		n = snprintf(o->directory, sizeof(o->directory), "%s", parent);
	(void)snprintf(o->parent, sizeof(o->parent), "%s", own ? parent : "");
	if (n < 0 || (size_t)n >= sizeof(o->directory))
		return error_set(e,
		    "the directory of profiles has a name of more than %zu "
		    "bytes: %.100s...",
		    sizeof(o->directory) - 1, parent);
	return 0;
}

/* Return the setting or, if unset, the default. */
static bool
engine_options_choose(enum engine_setting setting, bool otherwise)
{
	return setting == SETTING_NONE ? otherwise : setting == SETTING_TRUE;
}

/*
 * The directory for profiles is the first one set: autoReport.directory
 * unchanged; the job's parent, with a directory per instance; the program's,
 * one per instance of several.
 */
int
engine_options_resolve(struct engine_options *o,
    const struct engine_settings *s, const char *asked, const char *parent,
    const struct popdist *p, struct error *e)
{
	const bool several = p->num_instances != 1;
	bool all;

	*o = (struct engine_options){ .graph_profile = false };
	/* PopDist changes nothing if the environment configures profiles. */
	all = engine_options_choose(s->all,
	    asked != NULL || (parent != NULL && !s->profiling));
	o->graph_profile = engine_options_choose(s->graph, all);
	o->execution_profile = engine_options_choose(s->execution, all);
	o->allow_out_of_memory = engine_options_choose(s->out_of_memory, true);
	o->overridden = asked != NULL &&
	    (s->all != SETTING_NONE || s->out_of_memory != SETTING_NONE ||
		s->directory[0] != '\0');
	if (s->directory[0] != '\0')
		return set_directory(o, s->directory, false, p, e);
	if (parent != NULL)
		return set_directory(o, parent, true, p, e);
	return set_directory(o, asked != NULL ? asked : ".", several, p, e);
}

int
engine_options_read(struct engine_options *o, const char *asked,
    const struct popdist *p, struct error *e)
{
	const char *parent = getenv(AUTOREPORT_VARIABLE);
	struct engine_settings s;

	/* Outside poprun, setEngineOptions() does nothing. */
	if (!p->is_set || (parent != NULL && *parent == '\0'))
		parent = NULL;
	if (engine_options_parse_settings(&s, getenv(ENGINE_OPTIONS_VARIABLE),
		e) != 0)
		return -1;
	return engine_options_resolve(o, &s, asked, parent, p, e);
}

const char *
engine_options_directory(const struct engine_options *o)
{
	return o->graph_profile || o->execution_profile ? o->directory : NULL;
}

bool
engine_options_set_directory(const char *text)
{
	return text != NULL && strstr(text, directory_key) != NULL;
}
