/*
 * Any YAML as a pod, and what it refers to behind it: refused with a reason,
 * or a plan that can be carried out below the pod's directory.
 */
#include <stdint.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file_set.h"
#include "core/kube/runtime/container_internal.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/yaml/yaml.h"
#include "tests/fuzz/fuzz.h"

struct documents {
	struct yaml_node **items;
	long count;
};

static struct yaml_node *
find_document(void *context, enum pod_reference reference, const char *name,
    struct error *e)
{
	const struct documents *d = context;
	const char *text;
	long i;

	for (i = 1; i < d->count; i++) {
		text = yaml_get_text(d->items[i],
		    reference == POD_SECRET ? "secret" : "config");
		if (text != NULL && strcmp(text, name) == 0)
			return d->items[i];
	}
	(void)error_set_code(e, ERROR_NOT_FOUND, "none");
	return NULL;
}

static char *
find_place(void *context, enum job_place place, const char *name,
    struct error *e)
{
	(void)context;
	(void)place;
	if (strlen(name) % 2 == 0)
		return xstrdup("/claims/c");
	(void)error_set_code(e, ERROR_NOT_FOUND, "none");
	return NULL;
}

/* Absolute, and no part of it leads up. */
static void
require_path(const char *path)
{
	require(path[0] == '/');
	require(path[1] == '\0' || file_set_is_path(path + 1));
}

static void
require_volume(const struct container_volume *v)
{
	require_path(v->target);
	if (v->kind == POD_MEMORY) {
		require(v->directory == NULL && v->source == NULL);
		return;
	}
	require_path(v->directory);
	require_path(v->source);
	require(strncmp(v->source, v->directory, strlen(v->directory)) == 0);
	require(strncmp(v->directory, "/pod/volumes/", 13) == 0 ||
	    strcmp(v->directory, "/claims/c") == 0 ||
	    (strncmp(v->directory, "/srv", 4) == 0 && v->within != NULL));
}

static void
require_plan(const struct container_plan *plan)
{
	const char *item;
	size_t i, k, length;

	require(plan->argv.count > 0 && plan->argv.items[0][0] != '\0');
	require(plan->grace_s >= 0);
	for (i = 0; i < plan->environment.count; i++) {
		item = plan->environment.items[i];
		length = strcspn(item, "=");
		require(item[length] == '=' && length > 0);
		require(strlen(item) <= POD_TEXT_MAX);
		for (k = 0; k < i; k++)
			require(strncmp(plan->environment.items[k], item,
				    length + 1) != 0);
	}
	for (i = 0; i < plan->volume_count; i++)
		require_volume(&plan->volumes[i]);
	for (i = 0; i < plan->file_count; i++) {
		item = plan->files[i].path;
		require(strncmp(item, "volumes/", 8) == 0);
		require(file_set_is_path(item));
		require((plan->files[i].mode & ~(mode_t)0777) == 0);
		require(plan->files[i].bytes[plan->files[i].size] == '\0');
	}
}

/* Each container, and what is none. */
static void
try_pod(struct documents *d)
{
	static const char *const variables[] = { "A=1", "B=$(A)", NULL };
	const struct pod_host h = { .directory = "/pod",
		.host_root = "/srv",
		.address = "127.0.0.1",
		.processors = 4,
		.memory_bytes = 1 << 30,
		.storage_bytes = 1 << 30,
		.find = find_document,
		.place = find_place,
		.context = d,
		.environment = (char *const *)(uintptr_t)variables };
	static const char *const lists[] = { "spec/containers",
		"spec/initContainers" };
	const struct yaml_node *list;
	struct container_plan plan;
	struct error e = { .text = "" };
	size_t i, j;

	for (i = 0; i < 2; i++) {
		list = yaml_path(d->items[0], lists[i]);
		if (list == NULL || list->kind != YAML_LIST)
			list = d->items[0];
		for (j = 0; j < list->count && j < 4; j++) {
			e.text[0] = '\0';
			if (container_plan_make(d->items[0],
				list->items[j].node, &h, &plan, &e) == 0)
				require_plan(&plan);
			else
				require(e.text[0] != '\0');
			container_plan_release(&plan);
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct documents d = { .items = NULL, .count = 0 };
	struct error e = { .text = "" };
	char *text = fuzz_text(data, size);

	d.count = yaml_parse(arena, "x.yaml", text, strlen(text), &d.items, &e);
	if (d.count > 0)
		try_pod(&d);
	yaml_arena_free(arena);
	free(text);
	return 0;
}
