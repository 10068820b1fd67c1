/*
 * Selectors of labels and fields: what they take, and how they are refused.
 */
#include "applets/ipubox-job/ipubox-job.h"

#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static const char object_text[] =
    "{\"metadata\": {\"name\": \"bert-worker-0\", \"namespace\": \"default\", "
    "\"labels\": {\"app\": \"bert\", \"tier\": \"\", \"n\": \"10\", "
    "\"graphcore.ai/job-name\": \"bert\", \"in\": \"x\"}}, \"spec\": "
    "{\"nodeName\": \"a,b\"}, \"status\": {\"phase\": \"Running\"}, "
    "\"source\": {\"component\": \"kubelet\"}}";

static const struct {
	const char *labels;
	const char *fields;
	bool takes;
} rows[] = {
	{ NULL, NULL, true },
	{ "", "", true },
	{ "app=bert", NULL, true },
	{ "app == bert", NULL, true },
	{ "app=mnist", NULL, false },
	{ "app!=bert", NULL, false },
	{ "app!=mnist", NULL, true },
	{ "nosuch!=x", NULL, true },
	{ "nosuch=", NULL, false },
	{ "tier=", NULL, true },
	{ "tier=,app=bert", NULL, true },
	{ "app", NULL, true },
	{ "nosuch", NULL, false },
	{ "!nosuch", NULL, true },
	{ "! app", NULL, false },
	{ "app in (mnist, bert)", NULL, true },
	{ "app in (mnist)", NULL, false },
	{ "app notin (mnist,bert)", NULL, false },
	{ "nosuch notin (x)", NULL, true },
	{ "nosuch in (x,)", NULL, false },
	{ "tier in (x,)", NULL, true },
	{ "tier in (,x)", NULL, true },
	{ "app in (mnist,bert),tier,!x", NULL, true },
	{ "app in (mnist,bert),x", NULL, false },
	{ "graphcore.ai/job-name=bert", NULL, true },
	{ "in", NULL, true },
	{ "in in (x)", NULL, true },
	{ "n>9", NULL, true },
	{ "n>10", NULL, false },
	{ "n<11", NULL, true },
	{ "app>1", NULL, false },
	{ "nosuch<1", NULL, false },
	{ NULL, "status.phase=Running", true },
	{ NULL, "status.phase==Running", true },
	{ NULL, "status.phase!=Running", false },
	{ NULL, "status.phase=Failed", false },
	{ NULL, "status.nosuch=", true },
	{ NULL, "status.nosuch!=x", true },
	{ NULL, "status.phase=Running,metadata.name=bert-worker-0", true },
	{ NULL, "status.phase=Running,metadata.name=x", false },
	{ NULL, "metadata.name=x,status.phase=Running", false },
	{ NULL, "spec.nodeName=a\\,b", true },
	{ NULL, "spec.nodeName=a\\,b,status.phase=Running", true },
	{ NULL, "source=kubelet", true },
	{ "app=bert", "status.phase=Failed", false },
	{ "app=x", "status.phase=Running", false },
};

static const struct {
	const char *labels;
	const char *fields;
	const char *refusal;
} bad[] = {
	{ "a b", NULL,
	    "unable to parse requirement: found 'b', expected: in, notin, =, "
	    "==, !=, gt, lt" },
	{ "a in", NULL,
	    "unable to parse requirement: found '', expected: '('" },
	{ "a in b", NULL,
	    "unable to parse requirement: found 'b', expected: '('" },
	{ "a in (b", NULL,
	    "unable to parse requirement: found '', expected: ',' or ')'" },
	{ "a in (b=c)", NULL,
	    "unable to parse requirement: found '=', expected: ',' or ')'" },
	{ "a in (=)", NULL,
	    "unable to parse requirement: found '=', expected: ',', ')' or "
	    "identifier" },
	{ "a in ()", NULL,
	    "unable to parse requirement: values: Invalid value: []: for 'in', "
	    "'notin' operators, values set can't be empty" },
	{ "=b", NULL,
	    "unable to parse requirement: found '=', expected: identifier" },
	{ "!", NULL,
	    "unable to parse requirement: found '', expected: identifier" },
	{ "a=b c", NULL, "found 'c', expected: ',' or 'end of string'" },
	{ "a=!", NULL,
	    "unable to parse requirement: found '!', expected: identifier" },
	{ "a,", NULL, "found '', expected: identifier after ','" },
	{ "a,,b", NULL, "found ',', expected: identifier after ','" },
	{ "a>x", NULL,
	    "unable to parse requirement: values[0]: Invalid value: \"x\": for "
	    "'Gt', 'Lt' operators, the value must be an integer" },
	{ "/a", NULL,
	    "unable to parse requirement: key: Invalid value: \"/a\": the "
	    "prefix part must be a DNS name" },
	{ "-a", NULL,
	    "unable to parse requirement: key: Invalid value: \"-a\": name "
	    "part must consist of alphanumeric characters" },
	{ "a=b/c", NULL,
	    "unable to parse requirement: values[0]: Invalid value: \"b/c\": a "
	    "valid label must be an empty string or" },
	{ NULL, "abc", "invalid selector: 'abc'; can't understand 'abc'" },
	{ NULL, "a=b,abc",
	    "invalid selector: 'a=b,abc'; can't understand 'abc'" },
	{ NULL, "a!b", "invalid selector: 'a!b'; can't understand 'a'" },
};

static const struct {
	const char *fields;
	enum resource_type type;
	const char *unsupported;
} typed[] = {
	{ NULL, RESOURCE_IPUJOB, NULL },
	{ "metadata.name=a,metadata.namespace!=b", RESOURCE_IPUJOB, NULL },
	{ "status.phase=x", RESOURCE_POD, NULL },
	{ "status.phase=x", RESOURCE_IPUJOB, "status.phase" },
	{ "metadata.name=a,x=y", RESOURCE_POD, "x" },
	{ "type=Opaque", RESOURCE_SECRET, NULL },
	{ "type=Opaque", RESOURCE_CONFIG_MAP, "type" },
	{ "involvedObject.name=a,reason!=b", RESOURCE_EVENT, NULL },
};

static void
test_taken(const struct yaml_node *object)
{
	struct job_call c;
	struct error e;
	char name[160];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		c = (struct job_call){ .selector = rows[i].labels,
			.field_selector = rows[i].fields };
		(void)snprintf(name, sizeof(name), "-l '%s' fields '%s'",
		    rows[i].labels != NULL ? rows[i].labels : "",
		    rows[i].fields != NULL ? rows[i].fields : "");
		is_int(selector_check(c.selector, c.field_selector, &e), 0,
		    name);
		is_int(selector_matches(&c, object), rows[i].takes, name);
	}
}

static void
test_refused(void)
{
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		e.text[0] = '\0';
		is_int(selector_check(bad[i].labels, bad[i].fields, &e), -1,
		    bad[i].refusal);
		if (strlen(e.text) > strlen(bad[i].refusal))
			e.text[strlen(bad[i].refusal)] = '\0';
		is_str(e.text, bad[i].refusal, "and why");
	}
	for (i = 0; i < ARRAY_SIZE(typed); i++) {
		e = (struct error){ .text = "field label not supported: " };
		is_int(selector_check_type(typed[i].fields, typed[i].type, &e),
		    typed[i].unsupported != NULL ? -1 : 0, "of a type");
		is_str(e.text + strlen("field label not supported: "),
		    typed[i].unsupported != NULL ? typed[i].unsupported : "",
		    "the field that is not supported");
	}
}

int
main(void)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;

	if (!ok(yaml_parse(arena, "object", object_text, strlen(object_text),
		    &documents, NULL) == 1,
		"the object"))
		return tap_done();
	test_taken(documents[0]);
	test_refused();
	yaml_arena_free(arena);
	return tap_done();
}
