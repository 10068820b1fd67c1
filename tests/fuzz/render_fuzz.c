/*
 * Manifests from anybody, made into those of a cluster: each target refuses
 * with file:line, or gives documents that print, and read back as they were.
 */
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/render/render.h"
#include "core/kube/yaml/yaml.h"
#include "tests/fuzz/fuzz.h"

/* What every document has. */
static void
check_document(const struct yaml_node *document)
{
	require(document->kind == YAML_MAP);
	require(yaml_get_text(document, "apiVersion") != NULL);
	require(yaml_get_text(document, "kind") != NULL);
}

static void
check_written(const struct yaml_node *document)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **read;
	struct memstream out;
	struct error e = { .text = "" };
	char *text;
	size_t size;

	memstream_open(&out);
	yaml_write(out.file, document);
	text = memstream_close(&out, &size);
	/* What is added may carry it over the limits of what is read. */
	if (size < YAML_BYTES_MAX &&
	    yaml_parse(arena, "out", text, size, &read, &e) == 1)
		require(yaml_equal(read[0], document));
	else
		require(size >= YAML_BYTES_MAX ||
		    strstr(e.text, "more than") != NULL);
	free(text);
	yaml_arena_free(arena);
}

static void
check_target(const char *text, size_t size, enum render_target target)
{
	const struct render_options o = { .target = target,
		.queue = "q",
		.scheduler = target == RENDER_JOB ? "volcano" : NULL };
	struct manifest m;
	struct remarks lost = { .items = NULL };
	struct yaml_node *documents;
	struct error e = { .text = "" };
	size_t i;

	manifest_init(&m);
	if (manifest_parse(&m, "x.yaml", text, size, &e) != 0)
		goto out;
	if (render_manifest(&m, &o, &documents, &lost, &e) != 0) {
		require(strncmp(e.text, "x.yaml:", 7) == 0);
		require(e.code == ERROR_INVALID);
		goto out;
	}
	require(documents->kind == YAML_LIST);
	require(documents->count >= m.count);
	require(lost.found[REMARK_ERROR] == 0);
	for (i = 0; i < documents->count; i++) {
		check_document(documents->items[i].node);
		check_written(documents->items[i].node);
	}
out:
	remarks_release(&lost);
	manifest_release(&m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	int target;

	for (target = RENDER_MPIJOB; target <= RENDER_JOB; target++)
		check_target(text, size, (enum render_target)target);
	free(text);
	return 0;
}
