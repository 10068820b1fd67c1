/*
 * Templates of jsonpath.  What is wanted is what kubectl 1.30 printed of this
 * object, but for what is refused by its name, and for the last rows, in which
 * more is understood.
 */
#include "applets/ipubox-job/jsonpath.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

static const char object_text[] =
    "{\"apiVersion\": \"graphcore.ai/v1alpha1\", \"kind\": \"IPUJob\", "
    "\"metadata\": {\"labels\": {\"a.b/c\": \"dotted\", \"app\": \"bert\", "
    "\"x\": \"\"}, \"name\": \"jp\", \"namespace\": \"jp\", "
    "\"resourceVersion\": \"1\", \"uid\": \"u\"}, \"spec\": {\"empty\": [], "
    "\"f\": 0.5, \"list\": [{\"name\": \"a\", \"on\": true, \"v\": 1}, "
    "{\"name\": \"b\", \"tags\": [\"x\", \"y\"], \"v\": 2}, {\"f\": 1.5, "
    "\"name\": \"c\", \"v\": 10}], \"map\": {\"k1\": {\"name\": \"m1\"}, "
    "\"k2\": {\"name\": \"m2\"}}, \"n\": 3, \"nested\": [[1, 2], [3]], \"no\": "
    "false, \"nums\": [1, 2, 3, 4], \"text\": \"two\\nlines <&> \\\"q\\\"\", "
    "\"yes\": true}, \"status\": {\"conditions\": [{\"status\": \"False\", "
    "\"type\": \"Running\"}, {\"status\": \"True\", \"type\": "
    "\"Succeeded\"}]}}";

#define REST \
	" is not supported; use .FIELD, ['FIELD'], [INDEX], [*] or " \
	"[?(@.FIELD==VALUE)], or print everything with -o json"
#define UNION "a union ([0,2])" REST
#define SLICE "a slice ([0:2])" REST
#define FILTER "this filter" REST
#define DESCENT "recursive descent (..)" REST

static const struct {
	const char *template;
	const char *printed;
	const char *refusal;
} rows[] = {
	{ "{.metadata.name}", "jp", NULL },
	{ ".metadata.name", ".metadata.name", NULL },
	{ "metadata {.metadata.name} text", "metadata jp text", NULL },
	{ "{}",
	    "{\"apiVersion\":\"graphcore.ai/"
	    "v1alpha1\",\"kind\":\"IPUJob\",\"metadata\":{\"labels\":{\"a.b/"
	    "c\":\"dotted\",\"app\":\"bert\",\"x\":\"\"},\"name\":\"jp\","
	    "\"namespace\":\"jp\",\"resourceVersion\":\"1\",\"uid\":\"u\"},"
	    "\"spec\":{\"empty\":[],\"f\":0.5,\"list\":[{\"name\":\"a\",\"on\":"
	    "true,\"v\":1},{\"name\":\"b\",\"tags\":[\"x\",\"y\"],\"v\":2},{"
	    "\"f\":1.5,\"name\":\"c\",\"v\":10}],\"map\":{\"k1\":{\"name\":"
	    "\"m1\"},\"k2\":{\"name\":\"m2\"}},\"n\":3,\"nested\":[[1,2],[3]],"
	    "\"no\":false,\"nums\":[1,2,3,4],\"text\":\"two\\nlines "
	    "\\u003c\\u0026\\u003e "
	    "\\\"q\\\"\",\"yes\":true},\"status\":{\"conditions\":[{\"status\":"
	    "\"False\",\"type\":\"Running\"},{\"status\":\"True\",\"type\":"
	    "\"Succeeded\"}]}}",
	    NULL },
	{ "{.}", "", NULL },
	{ "{$.metadata.name}", "jp", NULL },
	{ "{@.metadata.name}", "jp", NULL },
	{ "{.metadata.labels.app}", "bert", NULL },
	{ "{.metadata.labels.a\\.b/c}", "dotted", NULL },
	{ "{.metadata.labels['a\\.b/c']}", "dotted", NULL },
	{ "{.metadata.labels['app']}", "bert", NULL },
	{ "{.metadata['name','namespace']}", NULL, UNION },
	{ "{.metadata.labels}",
	    "{\"a.b/c\":\"dotted\",\"app\":\"bert\",\"x\":\"\"}", NULL },
	{ "{.nosuch}", "", NULL },
	{ "{.nosuch.more}", "", NULL },
	{ "{.nosuch[0]}", "", NULL },
	{ "{.metadata.name}{\"\\n\"}{.metadata.namespace}{'\\t'}|", "jp\njp\t|",
	    NULL },
	{ "{\"a\\\\b\\\"c\"}{'it\\'s'}", "a\\b\"cit's", NULL },
	{ "{5}", NULL, "unrecognized character in action: U+0035 '5'" },
	{ "{true}", NULL, "unrecognized identifier true" },
	{ "{.spec.n} {.spec.f} {.spec.yes} {.spec.no}", "3 0.5 true false",
	    NULL },
	{ "{.spec.text}", "two\nlines <&> \"q\"", NULL },
	{ "{.spec.list}",
	    "[{\"name\":\"a\",\"on\":true,\"v\":1},{\"name\":\"b\",\"tags\":["
	    "\"x\",\"y\"],\"v\":2},{\"f\":1.5,\"name\":\"c\",\"v\":10}]",
	    NULL },
	{ "{.spec.list[*].name}", "a b c", NULL },
	{ "{.spec.list[0].name}", "a", NULL },
	{ "{.spec.list[-1].name}", "c", NULL },
	{ "{.spec.list[-1:].name}", NULL, SLICE },
	{ "{.spec.list[0:2].name}", NULL, SLICE },
	{ "{.spec.list[:2].name}", NULL, SLICE },
	{ "{.spec.list[::2].name}", NULL, SLICE },
	{ "{.spec.list[0,2].name}", NULL, UNION },
	{ "{.spec.list[9].name}", NULL,
	    "array index out of bounds: index 9, length 3" },
	{ "{.spec.list[-9].name}", NULL,
	    "array index out of bounds: index -6, length 3" },
	{ "{.spec.list[].name}", NULL, "invalid array index " },
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
	{ "{.spec.nums[?(@>2)]}", NULL, FILTER },
	{ "{.spec.nums[?(@==2)]}", "2", NULL },
	{ "{.spec.list[?(@.name==\"b\")].v}", "2", NULL },
	{ "{.spec.list[?(@.name=='b')].v}", "2", NULL },
	{ "{.spec.list[?(@.v>1)].name}", NULL, FILTER },
	{ "{.spec.list[?(@.name!=\"b\")].v}", NULL, FILTER },
	{ "{.spec.list[?(@.on)].name}", NULL, FILTER },
	{ "{.spec.list[?(@.on==true)].name}", "a", NULL },
	{ "{.spec.list[?(@.tags[0]==\"x\")].name}", "b", NULL },
	{ "{.spec.list[?(@.nosuch==\"x\")].name}", "", NULL },
	{ "{.spec.list[?(@.name==\"a)b\")].name}", "", NULL },
	{ "{.spec.list[?(@.v==\"1\")].name}", NULL,
	    "incompatible types for comparison" },
	{ "{.spec.list[?(@.name=~\"a\")].name}", NULL, FILTER },
	{ "{.spec.list[?(@.v==2 && @.on==true)].name}", NULL,
	    "unterminated filter" },
	{ "{.spec.list[?(@.tags[?(@==1)]==1)].name}", NULL,
	    "a nested filter" REST },
	{ "{.spec.list[?(@.name==b)].name}", NULL,
	    "unrecognized identifier b" },
	{ "{.spec.list[?(@.tags[*]==\"x\")].name}", NULL,
	    "can only compare one element at a time" },
	{ "{.spec.list[?(@.f==1.5)].name}", "c", NULL },
	{ "{.spec.list[?(@.name==\"a\" )].name}", "a", NULL },
	{ "{.spec.list[?( @.name == \"a\" )].name}", "a", NULL },
	{ "{.spec.map[?(@.name==\"m1\")]}", NULL,
	    "map[string]interface {} is not array or slice and cannot be "
	    "filtered" },
	{ "{.spec.n[?(@.x==1)]}", NULL,
	    "int64 is not array or slice and cannot be filtered" },
	{ "{.spec.list[?(\"a\"==@.name)].v}", NULL, FILTER },
	{ "{.status.conditions[?(@.type==\"Succeeded\")].status}", "True",
	    NULL },
	{ "{range .spec.list[*]}{.name}={.v}{\"\\n\"}{end}", "a=1\nb=2\nc=10\n",
	    NULL },
	{ "{range .spec.list[*]}[{.name}, {.v}] {end}done",
	    "[a, 1] [b, 2] [c, 10] done", NULL },
	{ "{range .spec.list[*]}{.name}:{range .tags[*]}<{@}>{end};{end}",
	    "a:;b:<x><y>;c:;", NULL },
	{ "{range .spec.empty[*]}{.name}{end}after", "after", NULL },
	{ "{range .spec.nosuch}{.name}{end}after", "after", NULL },
	{ "{range .spec.nosuch}x{range .y}z{end}w{end}after", "after", NULL },
	{ "{range .spec.nested[*]}{range [*]}{@},{end};{end}", "1,2,;3,;",
	    NULL },
	{ "{end}", NULL, "not in range, nothing to end" },
	{ "{range .spec.list[*]}{.name}{end}{end}", NULL,
	    "not in range, nothing to end" },
	{ "{..name}", NULL, DESCENT },
	{ "{.spec.list..v}", NULL, DESCENT },
	{ "{.spec.nested.*}", NULL, "the wildcard .*" REST },
	{ "{nosuch}", NULL, "unrecognized identifier nosuch" },
	{ "{.a b}", NULL, "unrecognized character in action: U+0062 'b'" },
	{ "{%}", NULL, "unrecognized character in action: U+0025 '%'" },
	{ "{.a[}", NULL, "unterminated array" },
	{ "{.a[x]}", NULL, "invalid array index x" },
	{ "{\"a}", NULL, "unterminated quoted string" },
	{ "{.a[?(@.x==]}", NULL, "unrecognized identifier ]}" },
	{ "{.a[?(@.x", NULL, "unterminated filter" },
	{ "{.a[?(@.x==1", NULL, "unterminated filter" },
	{ "{.a[?(@.x==1)}", NULL, "unterminated filter" },
	{ "{.a", NULL, "unclosed action" },
	{ "{", NULL, "unclosed action" },
	{ "{.spec.n}{.spec.list[5]}", NULL,
	    "array index out of bounds: index 5, length 3" },
	{ "a{.spec.n}b{.metadata.name}c", "a3bjpc", NULL },
	{ "{.spec.yes}{\"}\"}", "true}", NULL },
	{ "}{", NULL, "unclosed action" },
	{ "{.metadata.name}}", "jp}", NULL },
	{ "{.spec.list[*].name}{.spec.nums}", "a b c[1,2,3,4]", NULL },
	{ "{.metadata.labels['a.b/c']}", "dotted", NULL },
	{ "{.metadata.labels[\"app\"]}", "bert", NULL },
	{ "{\"a\\q\"}", "aq", NULL },
	{ "{range .spec.nums[*]}{@};", "1;2;3;4;", NULL },
};

static void
test_template(const struct yaml_node *object, size_t row)
{
	struct jsonpath p;
	struct memstream m;
	struct error e = { .code = ERROR_NONE };
	char *text;
	int status = jsonpath_read(rows[row].template, &p, &e);

	(void)memstream_open(&m);
	if (status == 0)
		status = jsonpath_print(&p, object, m.file, &e);
	text = memstream_close(&m, NULL);
	is_int(status, rows[row].refusal == NULL ? 0 : -1, rows[row].template);
	is_str(e.text, rows[row].refusal != NULL ? rows[row].refusal : "",
	    "the refusal");
	is_str(text, rows[row].printed != NULL ? rows[row].printed : "",
	    "what is printed");
	free(text);
	jsonpath_free(&p);
}

static void
test_find(const struct yaml_node *object)
{
	struct jsonpath p;
	struct jsonpath_found found;
	char deep[256];

	is_int(jsonpath_read("{.spec.nums[*]}", &p, NULL), 0, "a path");
	is_int(jsonpath_find(&p, object, &found, NULL), 0, "is found");
	is_int((long long)found.count, 4, "four values");
	is_int(found.items[1]->integer, 2, "the second one");
	jsonpath_release(&found);
	jsonpath_free(&p);
	memset(deep, '[', sizeof(deep) - 1);
	deep[0] = '{';
	deep[sizeof(deep) - 1] = '\0';
	is_int(jsonpath_read(deep, &p, NULL), -1, "many brackets");
	jsonpath_free(&p);
}

static void
test_ranges(void)
{
	enum { RANGES = 17, SIZE = sizeof("{range}") - 1 };
	struct jsonpath p;
	struct error e;
	char text[RANGES * SIZE + 1];
	int i;

	for (i = 0; i < RANGES; i++)
		memcpy(text + SIZE * i, "{range}", SIZE + 1);
	is_int(jsonpath_read(text, &p, &e), -1, "many ranges");
	is_str(e.text, "more than 16 nested ranges", "are too many");
	jsonpath_free(&p);
	is_int(jsonpath_read(text + SIZE, &p, &e), 0, "one less is fine");
	jsonpath_free(&p);
}

int
main(void)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;
	size_t i;

	if (!ok(yaml_parse(arena, "object", object_text, strlen(object_text),
		    &documents, NULL) == 1,
		"the object"))
		return tap_done();
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		test_template(documents[0], i);
	test_find(documents[0]);
	test_ranges();
	yaml_arena_free(arena);
	return tap_done();
}
