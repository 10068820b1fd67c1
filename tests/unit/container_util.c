/*
 * Plans of containers in a pod that is the same for all tests, as texts.
 */
#include "tests/unit/container_util.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

#define CODED "aHVudGVyMg==" /* SECRET in base64 */

/* What pods refer to. */
static const char objects_text[] =
    "kind: ConfigMap\n"
    "metadata: {name: conf}\n"
    "data: {LR: '0.1', app.conf: \"a = 1\\n\", 9lives: cat, empty: }\n"
    "binaryData: {logo: AAH/}\n"
    "---\n"
    "kind: Secret\n"
    "metadata: {name: hf}\n"
    "stringData: {token: " SECRET ", both: plain-" SECRET "}\n"
    "data: {key: " CODED ", both: b2xk, raw: AAE=}\n"
    "---\n"
    "kind: Secret\n"
    "metadata: {name: odd}\n"
    "data: {bad: " SECRET "}\n"
    "---\n"
    "kind: ConfigMap\n"
    "metadata: {name: slashes}\n"
    "data: {a/b: c}\n"
    "---\n"
    "kind: ConfigMap\n"
    "metadata: {name: dots}\n"
    "data: {list: [a], map: {a: b}, .: c}\n"
    "---\n"
    "kind: ConfigMap\n"
    "metadata: {name: doubles}\n"
    "data: {..data: c}\n"
    "---\n"
    "kind: ConfigMap\n"
    "metadata: {name: nothing}\n";

static struct yaml_node **objects;
static long object_count;

/* They are read once. */
static void
read_objects(void)
{
	static struct yaml_arena *arena;

	if (arena != NULL)
		return;
	arena = yaml_arena_new();
	object_count = yaml_parse(arena, "objects", objects_text,
	    strlen(objects_text), &objects, NULL);
	is_int(object_count, 7, "objects");
}

static struct yaml_node *
test_find(void *context, enum pod_reference reference, const char *name,
    struct error *e)
{
	const char *kind = reference == POD_SECRET ? "Secret" : "ConfigMap";
	long i;

	read_objects();
	ok(context == &objects, "the context is handed on");
	if (strcmp(name, "broken") == 0) {
		(void)error_set_code(e, ERROR_DAMAGED, "cannot be read");
		return NULL;
	}
	for (i = 0; i < object_count; i++)
		if (strcmp(yaml_get_text(objects[i], "metadata/name"), name) ==
			0 &&
		    strcmp(yaml_get_text(objects[i], "kind"), kind) == 0)
			return objects[i];
	(void)error_set_code(e, ERROR_NOT_FOUND, "no such file");
	return NULL;
}

static char *
test_place(void *context, enum job_place place, const char *name,
    struct error *e)
{
	(void)context;
	if (strcmp(name, "gone") != 0)
		return xasprintf("/%s/%s",
		    place == JOB_PLACE_CLAIM ? "claims" : "served", name);
	(void)error_set_code(e, ERROR_NOT_FOUND, "not found");
	return NULL;
}

static const char *const host_variables[] = { "PATH=/bin", "IPUS=4",
	"no-variable", NULL };

struct pod_host
container_host(void)
{
	return (struct pod_host){ .directory = "/pod",
		.host_root = "/srv//data/",
		.address = "10.1.3.101",
		.processors = 8,
		.memory_bytes = 64LL << 30,
		.storage_bytes = 1LL << 40,
		.find = test_find,
		.place = test_place,
		.context = &objects,
		.environment = (char *const *)(uintptr_t)host_variables };
}

/* What surrounds the piece of a row. */
static const char pod_head[] =
    "metadata:\n"
    "  name: bert-worker-0\n"
    "  namespace: research\n"
    "  uid: 12-34\n"
    "  labels: {tier: gold, app: 'b\"e', graphcore.ai/job-name: bert}\n"
    "  annotations: {note: \"a\\tb\\\\\\n\\x01é\\x7f \"}\n"
    "spec:\n"
    "  nodeName: node1\n";

int
container_make(struct yaml_arena *arena, const char *spec,
    const struct pod_host *h, struct container_plan *plan, struct error *e)
{
	struct yaml_node **documents = NULL, *list;
	char *text = xasprintf("%s%s\n", pod_head, spec);
	long count = yaml_parse(arena, "pod", text, strlen(text), &documents,
	    e);

	free(text);
	memset(plan, 0, sizeof(*plan));
	if (count != 1)
		return -1;
	memset(plan, 0xa5, sizeof(*plan));
	list = yaml_path(documents[0], "spec/initContainers");
	if (list == NULL)
		list = yaml_path(documents[0], "spec/containers");
	return container_plan_make(documents[0], list->items[0].node, h, plan,
	    e);
}

static bool
is_host_variable(const char *item)
{
	size_t i;

	for (i = 0; host_variables[i] != NULL; i++)
		if (strcmp(host_variables[i], item) == 0)
			return true;
	return false;
}

void
container_show_environment(FILE *out, const struct container_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->environment.count; i++)
		if (!is_host_variable(plan->environment.items[i]))
			(void)fprintf(out, "[%s]", plan->environment.items[i]);
}

void
container_show_volumes(FILE *out, const struct container_plan *plan)
{
	const struct container_volume *v;
	size_t i;

	for (i = 0; i < plan->volume_count; i++) {
		v = &plan->volumes[i];
		(void)fprintf(out, "[%s ", v->name);
		if (v->kind == POD_MEMORY)
			(void)fprintf(out, "memory");
		else
			(void)fprintf(out, "%s", v->source);
		if (v->kind == POD_DIRECTORY &&
		    strcmp(v->source, v->directory) != 0)
			(void)fprintf(out, " of %s", v->directory);
		if (v->stands_for != NULL)
			(void)fprintf(out, " for %s", v->stands_for);
		(void)fprintf(out, " at %s", v->target);
		if (v->size_bytes > 0)
			(void)fprintf(out, " size %lld",
			    (long long)v->size_bytes);
		if (v->within != NULL)
			(void)fprintf(out, " within %s path %d", v->within,
			    (int)v->path);
		(void)fprintf(out, "%s%s%s]", v->has_files ? " files" : "",
		    v->is_read_only ? " ro" : "", v->is_made ? " made" : "");
	}
}

void
container_show_files(FILE *out, const struct container_plan *plan)
{
	const struct container_file *f;
	size_t i, j;

	for (i = 0; i < plan->file_count; i++) {
		f = &plan->files[i];
		(void)fprintf(out, "[%s %04o ", f->path, (unsigned)f->mode);
		for (j = 0; j < f->size; j++)
			if (f->bytes[j] < ' ' || f->bytes[j] == '\177')
				(void)fprintf(out, "\\x%02x",
				    (unsigned)(unsigned char)f->bytes[j]);
			else
				(void)fputc(f->bytes[j], out);
		(void)fputc(']', out);
	}
}

void
container_show_command(FILE *out, const struct container_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->argv.count; i++)
		(void)fprintf(out, "[%s]", plan->argv.items[i]);
	if (plan->working != NULL)
		(void)fprintf(out, " in %s", plan->working);
	if (plan->grace_s != 30)
		(void)fprintf(out, " grace %lld", (long long)plan->grace_s);
}

void
container_check(const struct container_row *row, const char *before,
    container_shower *show, const struct pod_host *h)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct error e = { .text = "", .code = ERROR_NONE };
	struct container_plan plan;
	struct memstream m;
	char name[160], *spec, *got;

	text_printable(row->yaml, name, sizeof(name));
	spec = before[0] != '\0' ?
	    xasprintf("  containers: [{%s%s}]", before, row->yaml) :
	    xstrdup(row->yaml);
	(void)memstream_open(&m);
	if (container_make(arena, spec, h, &plan, &e) == 0)
		show(m.file, &plan);
	else
		(void)fprintf(m.file, "%d %s", (int)e.code, e.text);
	got = memstream_close(&m, NULL);
	is_str(got, row->wanted, name);
	ok(strstr(e.text, SECRET) == NULL && strstr(e.text, CODED) == NULL,
	    "no secret in the message");
	container_plan_release(&plan);
	container_plan_release(&plan);
	free(got);
	free(spec);
	yaml_arena_free(arena);
}

void
container_check_rows(const struct container_row *rows, size_t count,
    const char *before, container_shower *show)
{
	const struct pod_host h = container_host();
	size_t i;

	for (i = 0; i < count; i++)
		container_check(&rows[i], before, show, &h);
}
