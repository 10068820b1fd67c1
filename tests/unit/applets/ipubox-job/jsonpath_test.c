/*
 * Templates of jsonpath.  What is wanted is what kubectl 1.30 printed of this
 * object, but for the last rows, in which more is understood.
 */
#include "applets/ipubox-job/jsonpath_walk.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memstream.h"
#include "tests/unit/tap.h"

static const char	object_text[] =
	    "{\"apiVersion\": \"graphcore.ai/v1alpha1\", \"kind\": \"IPUJ"
	    "ob\", \"metadata\": {\"labels\": {\"a.b/c\": \"dotted\", \"a"
	    "pp\": \"bert\", \"x\": \"\"}, \"name\": \"jp\", \"namespace"
	    "\": \"jp\", \"resourceVersion\": \"1\", \"uid\": \"u\"}, \"s"
	    "pec\": {\"empty\": [], \"f\": 0.5, \"list\": [{\"name\": \"a"
	    "\", \"on\": true, \"v\": 1}, {\"name\": \"b\", \"tags\": [\""
	    "x\", \"y\"], \"v\": 2}, {\"f\": 1.5, \"name\": \"c\", \"v\":"
	    " 10}], \"map\": {\"k1\": {\"name\": \"m1\"}, \"k2\": {\"name"
	    "\": \"m2\"}}, \"n\": 3, \"nested\": [[1, 2], [3]], \"no\": f"
	    "alse, \"nums\": [1, 2, 3, 4], \"text\": \"two\\nlines <&> \\"
	    "\"q\\\"\", \"yes\": true}, \"status\": {\"conditions\": [{\""
	    "status\": \"False\", \"type\": \"Running\"}, {\"status\": \""
	    "True\", \"type\": \"Succeeded\"}]}}";

static const struct {
	const char	*template;
	const char	*printed;
	const char	*refusal;
} rows[] = {
	{ "{.metadata.name}", "jp", NULL },
	{ ".metadata.name", ".metadata.name", NULL },
	{ "metadata {.metadata.name} text", "metadata jp text", NULL },
	{ "{}",
	    "{\"apiVersion\":\"graphcore.ai/v1alpha1\",\"kind\":\"IPUJob"
	    "\",\"metadata\":{\"labels\":{\"a.b/c\":\"dotted\",\"app\":\""
	    "bert\",\"x\":\"\"},\"name\":\"jp\",\"namespace\":\"jp\",\"re"
	    "sourceVersion\":\"1\",\"uid\":\"u\"},\"spec\":{\"empty\":[],"
	    "\"f\":0.5,\"list\":[{\"name\":\"a\",\"on\":true,\"v\":1},{\""
	    "name\":\"b\",\"tags\":[\"x\",\"y\"],\"v\":2},{\"f\":1.5,\"na"
	    "me\":\"c\",\"v\":10}],\"map\":{\"k1\":{\"name\":\"m1\"},\"k2"
	    "\":{\"name\":\"m2\"}},\"n\":3,\"nested\":[[1,2],[3]],\"no\":"
	    "false,\"nums\":[1,2,3,4],\"text\":\"two\\nlines \\u003c\\u00"
	    "26\\u003e \\\"q\\\"\",\"yes\":true},\"status\":{\"conditions"
	    "\":[{\"status\":\"False\",\"type\":\"Running\"},{\"status\":"
	    "\"True\",\"type\":\"Succeeded\"}]}}", NULL },
	{ "{.}", "", NULL },
	{ "{$.metadata.name}", "jp", NULL },
	{ "{@.metadata.name}", "jp", NULL },
	{ "{.metadata.labels.app}", "bert", NULL },
	{ "{.metadata.labels.a\\.b/c}", "dotted", NULL },
	{ "{.metadata.labels['a\\.b/c']}", "dotted", NULL },
	{ "{.metadata.labels['app']}", "bert", NULL },
	{ "{.metadata['name','namespace']}", "jp jp", NULL },
	{ "{.metadata.labels}",
	    "{\"a.b/c\":\"dotted\",\"app\":\"bert\",\"x\":\"\"}", NULL },
	{ "{.nosuch}", "", NULL },
	{ "{.nosuch.more}", "", NULL },
	{ "{.nosuch[0]}", "", NULL },
	{ "{.metadata.name}{\"\\n\"}{.metadata.namespace}{'\\t'}|",
	    "jp\njp\t|", NULL },
	{ "{\"a\\\\b\\\"c\"}{'it\\'s'}", "a\\b\"cit's", NULL },
	{ "{5}{-3}{2.5}{true}{false}", "5-32.5truefalse", NULL },
	{ "{.spec.n} {.spec.f} {.spec.yes} {.spec.no}",
	    "3 0.5 true false", NULL },
	{ "{.spec.text}", "two\nlines <&> \"q\"", NULL },
	{ "{.spec.list}",
	    "[{\"name\":\"a\",\"on\":true,\"v\":1},{\"name\":\"b\",\"tags"
	    "\":[\"x\",\"y\"],\"v\":2},{\"f\":1.5,\"name\":\"c\",\"v\":10"
	    "}]", NULL },
	{ "{.spec.list[*].name}", "a b c", NULL },
	{ "{.spec.list[0].name}", "a", NULL },
	{ "{.spec.list[-1].name}", "c", NULL },
	{ "{.spec.list[-1:].name}", "c", NULL },
	{ "{.spec.list[0:2].name}", "a b", NULL },
	{ "{.spec.list[:2].name}", "a b", NULL },
	{ "{.spec.list[1:].name}", "b c", NULL },
	{ "{.spec.list[:].name}", "a b c", NULL },
	{ "{.spec.list[::2].name}", "a c", NULL },
	{ "{.spec.list[0:3:2].name}", "a c", NULL },
	{ "{.spec.list[-2:-1].name}", "b", NULL },
	{ "{.spec.list[0,2].name}", "a c", NULL },
	{ "{.spec.list[0, 2].name}", "a c", NULL },
	{ "{.spec.list[2:1].name}", NULL,
	    "starting index 2 is greater than ending index 1" },
	{ "{.spec.list[1:1].name}", "", NULL },
	{ "{.spec.list[9].name}", NULL,
	    "array index out of bounds: index 9, length 3" },
	{ "{.spec.list[0:9].name}", NULL,
	    "array index out of bounds: index 8, length 3" },
	{ "{.spec.list[-9].name}", NULL,
	    "array index out of bounds: index -6, length 3" },
	{ "{.spec.list[::0].name}", NULL, "step must be > 0" },
	{ "{.spec.list[].name}", "a", NULL },
	{ "{.spec.empty}", "[]", NULL },
	{ "{.spec.empty[*]}", "", NULL },
	{ "{.spec.empty[0]}", NULL,
	    "array index out of bounds: index 0, length 0" },
	{ "{.spec.n[0]}", NULL, "int64 is not array or slice" },
	{ "{.spec.text[0]}", NULL, "string is not array or slice" },
	{ "{.spec.map[0]}", NULL,
	    "map[string]interface {} is not array or slice" },
	{ "{.spec.nested}", "[[1,2],[3]]", NULL },
	{ "{.spec.nested[*]}", "[1,2] [3]", NULL },
	{ "{.spec.nested[*][0]}", "1 3", NULL },
	{ "{.spec.nested[0][1]}", "2", NULL },
	{ "{.spec.nums[?(@>2)]}", "3 4", NULL },
	{ "{.spec.nums[?(@==2)]}", "2", NULL },
	{ "{.spec.list[?(@.name==\"b\")].v}", "2", NULL },
	{ "{.spec.list[?(@.name=='b')].v}", "2", NULL },
	{ "{.spec.list[?(@.name!=\"b\")].v}", "1 10", NULL },
	{ "{.spec.list[?(@.v>1)].name}", "b c", NULL },
	{ "{.spec.list[?(@.v>=2)].name}", "b c", NULL },
	{ "{.spec.list[?(@.v<2)].name}", "a", NULL },
	{ "{.spec.list[?(@.v<=2)].name}", "a b", NULL },
	{ "{.spec.list[?(@.on)].name}", "a", NULL },
	{ "{.spec.list[?(@.on==true)].name}", "a", NULL },
	{ "{.spec.list[?(@.tags)].name}", "b", NULL },
	{ "{.spec.list[?(@.tags[0]==\"x\")].name}", "b", NULL },
	{ "{.spec.list[?(@.nosuch)].name}", "", NULL },
	{ "{.spec.list[?(@.nosuch==\"x\")].name}", "", NULL },
	{ "{.spec.list[?(@.name==\"a)b\")].name}", "", NULL },
	{ "{.spec.list[?(@.v==\"1\")].name}", NULL,
	    "incompatible types for comparison" },
	{ "{.spec.list[?(@.name=~\"a\")].name}", NULL,
	    "unrecognized character in action: U+007E '~'" },
	{ "{.spec.list[?(@.name==\"a\" )].name}", "a", NULL },
	{ "{.spec.list[?( @.name == \"a\" )].name}", "a", NULL },
	{ "{.spec.map[?(@.name==\"m1\")]}", NULL,
	    "map[string]interface {} is not array or slice and cannot be "
	    "filtered" },
	{ "{.spec.n[?(@.x)]}", NULL,
	    "int64 is not array or slice and cannot be filtered" },
	{ "{.spec.list[?(@.name<\"b\")].name}", "a", NULL },
	{ "{.spec.list[?(\"a\"==@.name)].v}", "1", NULL },
	{ "{.status.conditions[?(@.type==\"Succeeded\")].status}",
	    "True", NULL },
	{ "{range .spec.list[*]}{.name}={.v}{\"\\n\"}{end}",
	    "a=1\nb=2\nc=10\n", NULL },
	{ "{range .spec.list[*]}[{.name}, {.v}] {end}done",
	    "[a, 1] [b, 2] [c, 10] done", NULL },
	{ "{range .spec.list[*]}{.name}:{range .tags[*]}<{@}>{end};{end}",
	    "a:;b:<x><y>;c:;", NULL },
	{ "{range .spec.empty[*]}{.name}{end}after", "after", NULL },
	{ "{range .spec.nosuch}{.name}{end}after", "after", NULL },
	{ "{range .spec.nosuch}x{range .y}z{end}w{end}after", "after", NULL },
	{ "{range .spec.nested[*]}{range [*]}{@},{end};{end}",
	    "1,2,;3,;", NULL },
	{ "{end}", NULL, "not in range, nothing to end" },
	{ "{range .spec.list[*]}{.name}{end}{end}", NULL,
	    "not in range, nothing to end" },
	{ "{..name}", "jp a b c m1 m2", NULL },
	{ "{.spec.list..v}", "1 2 10", NULL },
	{ "{....name}", NULL, "invalid multiple recursive descent" },
	{ "{.spec.nested.*}", "[1,2] [3]", NULL },
	{ "{.spec.nums.*}", "1 2 3 4", NULL },
	{ "{.spec.list[0]['name','v']}", "a 1", NULL },
	{ "{.spec.nums[0,1:3]}", "1 2 3", NULL },
	{ "{nosuch}", NULL, "unrecognized identifier nosuch" },
	{ "{.a b}", NULL, "unrecognized identifier b" },
	{ "{%}", NULL, "unrecognized character in action: U+0025 '%'" },
	{ "{.a[}", NULL, "unterminated array" },
	{ "{.a[x]}", NULL, "invalid array index x" },
	{ "{\"a}", NULL, "unterminated quoted string" },
	{ "{\"a\\q\"}", NULL, "unquote string \"a\\q\" error invalid syntax" },
	{ "{.a[?(@.x==]}", NULL, "unterminated filter" },
	{ "{.a[?(@.x==1)}", NULL, "unclosed array expect ]" },
	{ "{.a", NULL, "unclosed action" },
	{ "{", NULL, "unclosed action" },
	{ "{1.2.3}", NULL, "cannot parse number 1.2.3" },
	{ "{.spec.n}{.spec.list[5]}", NULL,
	    "array index out of bounds: index 5, length 3" },
	{ "a{.spec.n}b{.metadata.name}c", "a3bjpc", NULL },
	{ "{.spec.yes}{\"}\"}", "true}", NULL },
	{ "}{", NULL, "unclosed action" },
	{ "{.metadata.name}}", "jp}", NULL },
	{ "{.spec.list[*].name}{.spec.nums}", "a b c[1,2,3,4]", NULL },
	{ "{.metadata.labels['a.b/c']}", "dotted", NULL },
	{ "{.metadata.labels[\"app\"]}", "bert", NULL },
	{ "{.spec.list[?(@.f>1)].name}", "c", NULL },
	{ "{range .spec.nums[*]}{@};", "1;2;3;4;", NULL }
};

static const struct {
	const char	*path;
	const char	*complete;	/* NULL: it cannot be one */
} short_paths[] = {
	{ "status.phase", "{.status.phase}" },
	{ ".status.phase", "{.status.phase}" },
	{ "{status.phase}", "{.status.phase}" },
	{ "{.status.phase}", "{.status.phase}" },
	{ "{.a[?(@.b==\"c\")].d}", "{.a[?(@.b==\"c\")].d}" },
	{ ".", "{..}" },
	{ "{.status", NULL },
	{ "status}", NULL },
	{ "{.a}{.b}", NULL },
	{ "{}", NULL },
	{ "", NULL }
};

static void
test_template(const struct yaml_node *object, size_t row)
{
	struct jsonpath		 p;
	struct memstream	 m;
	struct error		 e = { .code = ERROR_NONE };
	char			*text;
	int			 status = jsonpath_read(rows[row].template,
	    &p, &e);

	(void)memstream_open(&m);
	if (status == 0)
		status = jsonpath_walk_print(&p, object, false, m.file, &e);
	text = memstream_close(&m, NULL);
	is_int(status, rows[row].refusal == NULL ? 0 : -1,
	    rows[row].template);
	is_str(e.text, rows[row].refusal != NULL ? rows[row].refusal : "",
	    "the refusal");
	is_str(text, rows[row].printed != NULL ? rows[row].printed : "",
	    "what is printed");
	free(text);
	jsonpath_free(&p);
}

static void
test_json(const struct yaml_node *object)
{
	struct jsonpath		 p;
	struct memstream	 m;
	char			*text;

	is_int(jsonpath_read("{.metadata.name}{.spec.nested[*]}{.nosuch}",
	    &p, NULL), 0, "jsonpath-as-json");
	is_int(jsonpath_walk_print(&p, object, true, memstream_open(&m),
	    NULL), 0, "is printed");
	text = memstream_close(&m, NULL);
	is_str(text, "[\n    \"jp\"\n]\n[\n    [\n        1,\n        2\n"
	    "    ],\n    [\n        3\n    ]\n]\n[]\n", "as arrays");
	free(text);
	jsonpath_free(&p);
}

static void
test_find(const struct yaml_node *object)
{
	struct jsonpath		p;
	struct jsonpath_found	found;
	char			deep[256];

	is_int(jsonpath_read("{.spec.nums[1:3]}", &p, NULL), 0, "a slice");
	is_int(jsonpath_walk_find(&p, object, &found, NULL), 0, "is found");
	is_int((long long)found.count, 2, "two values");
	is_int(found.items[1]->integer, 3, "the second one");
	jsonpath_walk_release(&found);
	jsonpath_free(&p);
	memset(deep, '[', sizeof(deep) - 1);
	deep[0] = '{';
	deep[sizeof(deep) - 1] = '\0';
	is_int(jsonpath_read(deep, &p, NULL), -1, "many brackets");
	jsonpath_free(&p);
}

/* Each step doubles what there is. */
static void
test_too_many(void)
{
	enum { LEVELS = 40, PART = 5 };
	struct yaml_arena	 *arena = yaml_arena_new();
	struct yaml_node	**documents;
	struct jsonpath		  p;
	struct jsonpath_found	  found;
	struct error		  e;
	char			  list[2 * LEVELS + 1];
	char			  template[PART * LEVELS + 3];
	int			  i;

	memset(list, '[', LEVELS);
	list[LEVELS] = '1';
	memset(list + LEVELS + 1, ']', LEVELS);
	template[0] = '{';
	for (i = 0; i < LEVELS; i++)
		memcpy(template + 1 + PART * i, "[:,:]", PART);
	memcpy(template + 1 + PART * LEVELS, "}", 2);
	is_int(yaml_parse(arena, "list", list, sizeof(list), &documents,
	    NULL), 1, "a number in lists");
	is_int(jsonpath_read(template, &p, NULL), 0, "and all of it");
	is_int(jsonpath_walk_find(&p, documents[0], &found, &e), -1,
	    "is too much");
	is_str(e.text, "more than 1000000 values", "which it says");
	jsonpath_walk_release(&found);
	jsonpath_free(&p);
	yaml_arena_free(arena);
}

int
main(void)
{
	struct yaml_arena	 *arena = yaml_arena_new();
	struct yaml_node	**documents;
	char			 *complete;
	size_t			  i;

	if (!ok(yaml_parse(arena, "object", object_text, strlen(object_text),
	    &documents, NULL) == 1, "the object"))
		return tap_done();
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		test_template(documents[0], i);
	for (i = 0; i < ARRAY_SIZE(short_paths); i++) {
		complete = jsonpath_complete(short_paths[i].path, NULL);
		is_str(complete, short_paths[i].complete,
		    short_paths[i].path);
		free(complete);
	}
	test_json(documents[0]);
	test_find(documents[0]);
	test_too_many();
	yaml_arena_free(arena);
	return tap_done();
}
