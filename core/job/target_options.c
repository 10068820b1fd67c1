/*
 * POPLAR_TARGET_OPTIONS as text, and merging two such objects: the user's
 * values win.
 */
#include "core/job/job.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"

/*
 * The words of the published logs: a sliding window is SWNC, "barleyTwist" is
 * BTNC, all others are "default".  RINGSWNC and BTNC need the loop-back cables
 * (V-IPU user guide, table of routing types): their links are a torus.
 */
void
target_options_set_routing(struct target_options *o, int routing)
{
	o->link_configuration = "default";
	o->link_topology = "mesh";
	if (routing == IRT_SWNC || routing == IRT_RINGSWNC)
		o->link_configuration = "slidingWindow";
	if (routing == IRT_RINGSWNC || routing == IRT_BTNC)
		o->link_topology = "torus";
	if (routing == IRT_BTNC)
		o->link_configuration = "barleyTwist";
}

char *
target_options_text(const struct target_options *o)
{
	return xasprintf(
	    "{\"ipuLinkDomainSize\":\"%ld\",\"ipuLinkConfiguration\":\"%s\","
	    "\"ipuLinkTopology\":\"%s\",\"gatewayMode\":\"true\","
	    "\"instanceSize\":\"%ld\"}",
	    o->link_domain_ipus, o->link_configuration, o->link_topology,
	    o->instance_ipus);
}

char *
target_options_device_text(const struct target_options *o)
{
	return xasprintf(
	    "ipuLinkDomainSize=%ld, ipuLinkConfiguration=%c%s, "
	    "ipuLinkTopology=%c%s, gatewayMode=true, instanceSize=%ld",
	    o->link_domain_ipus,
	    toupper((unsigned char)o->link_configuration[0]),
	    o->link_configuration + 1,
	    toupper((unsigned char)o->link_topology[0]), o->link_topology + 1,
	    o->instance_ipus);
}

/* Return the value as text for Poplar; a number or boolean becomes one: 64 is
   "64". */
static yyjson_mut_val *
text_value(yyjson_mut_doc *doc, yyjson_val *value)
{
	yyjson_mut_val *copy;
	char *text;

	if (!yyjson_is_num(value) && !yyjson_is_bool(value))
		return yyjson_val_mut_copy(doc, value);
	text = yyjson_val_write(value, 0, NULL);
	copy = yyjson_mut_strcpy(doc, text);
	free(text);
	return copy;
}

/* Set a key of the object; copies of key and value belong to `doc`. */
static void
target_options_put(yyjson_mut_doc *doc, yyjson_mut_val *object, yyjson_val *key,
    yyjson_val *value)
{
	yyjson_mut_val *k = yyjson_val_mut_copy(doc, key);
	yyjson_mut_val *v = text_value(doc, value);

	if (!yyjson_mut_obj_replace(object, k, v))
		(void)yyjson_mut_obj_add(object, k, v);
}

/* Put all keys of the text into the object.  An existing key keeps its place
   and gets the new value. */
static int
put_all(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *what,
    const char *text, struct error *e)
{
	yyjson_read_err reason;
	yyjson_doc *source;
	yyjson_val *key, *value;
	size_t i, count;
	int status = 0;
	char *copy;

	if (text == NULL || *text == '\0')
		return 0;
	copy = xstrdup(text);
	source = yyjson_read_opts(copy, strlen(copy), 0, NULL, &reason);
	if (source == NULL)
		status = error_set(e,
		    "%s is not valid JSON: %s at character %zu of %s", what,
		    reason.msg, reason.pos + 1, text);
	else if (!yyjson_is_obj(yyjson_doc_get_root(source)))
		status = error_set(e,
		    "%s must be a JSON object, such as "
		    "{\"ipuLinkDomainSize\":\"64\"}: %s",
		    what, text);
	else
		yyjson_obj_foreach(yyjson_doc_get_root(source), i, count, key,
		    value)
			target_options_put(doc, object, key, value);
	yyjson_doc_free(source);
	free(copy);
	return status;
}

char *
target_options_merge(const char *low, const char *what, const char *high,
    struct error *e)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *object = yyjson_mut_obj(doc);
	char *text = NULL;

	yyjson_mut_doc_set_root(doc, object);
	if (put_all(doc, object, what, low, e) == 0 &&
	    put_all(doc, object, what, high, e) == 0)
		text = yyjson_mut_write(doc, 0, NULL);
	yyjson_mut_doc_free(doc);
	return text;
}
