/*
 * Manifests from anybody: read or refused with file:line, checked with a
 * bounded number of remarks that print as lines, and what has no error is a job
 * that can be read.
 */
#include <string.h>

#include "core/base/text.h"
#include "core/kube/lint/lint.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/schema/schema.h"
#include "tests/fuzz/fuzz.h"

/* One line each, and nothing in it that a terminal would obey. */
static void
check_print(const struct remarks *r)
{
	struct memstream m;
	char *text;
	size_t size, i, lines = 0, more = 0;

	memstream_open(&m);
	remarks_print(m.file, r);
	text = memstream_close(&m, &size);
	require(strlen(text) == size);
	for (i = 0; i < size; i++) {
		lines += text[i] == '\n';
		require(text[i] == '\n' || (unsigned char)text[i] >= ' ');
	}
	for (i = 0; i < REMARK_LEVELS; i++)
		more += r->found[i] > REMARKS_MAX;
	require(lines == r->count + more);
	free(text);
}

static void
check_remarks(const struct remarks *r)
{
	size_t kept[REMARK_LEVELS] = { 0 }, i;

	for (i = 0; i < r->count; i++) {
		require(r->items[i].file_number == 0);
		require(strcmp(r->items[i].file, "x.yaml") == 0);
		require(i == 0 || r->items[i].line >= r->items[i - 1].line);
		kept[r->items[i].level]++;
	}
	for (i = 0; i < REMARK_LEVELS; i++)
		require(kept[i] ==
		    (r->found[i] > REMARKS_MAX ? REMARKS_MAX : r->found[i]));
	require(r->local <= r->found[REMARK_ERROR]);
	check_print(r);
}

/* A job without errors has its numbers, and names that fit. */
static void
check_job(const struct manifest_object *object)
{
	struct ipujob job;
	struct error e = { .text = "" };
	char name[IPUJOB_NAME_SIZE];

	require(ipujob_read(object->node, "default", &job, &e) == 0);
	require(job.instances >= 1 && job.instances <= IPUJOB_COUNT_MAX);
	require(job.ipus >= 1 && job.ipus <= IPUJOB_IPUS_MAX);
	require(job.workers >= 1 && job.workers <= IPUJOB_COUNT_MAX);
	require(job.template != NULL && job.template->kind == YAML_MAP);
	ipujob_worker_name(&job, job.instances - 1, job.workers - 1, name);
	require(strlen(name) < sizeof(name) - 1);
	ipujob_partition_name(&job, job.instances - 1, name);
	require(strlen(name) <= 63 + 3);
	(void)ipujob_is_retried(&job, 1);
	require(job_gcds_count(&job) == JOB_GCDS_RECONFIGURABLE ||
	    job.ipus % job_gcds_count(&job) == 0);
}

static void
check_objects(struct manifest *m)
{
	struct remarks r = { .items = NULL };
	size_t i;

	lint_manifest(m, &r);
	check_remarks(&r);
	for (i = 0; i < m->count; i++) {
		if (r.found[REMARK_ERROR] == 0 &&
		    m->objects[i].kind == MANIFEST_IPUJOB)
			check_job(&m->objects[i]);
		require(m->objects[i].resource != NULL);
	}
	remarks_release(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct manifest m;
	struct error e = { .text = "" };
	char *text = fuzz_text(data, size);
	int64_t value;

	manifest_init(&m);
	if (manifest_parse(&m, "x.yaml", text, size, &e) == 0)
		check_objects(&m);
	else
		require(strncmp(e.text, "x.yaml", 6) == 0 &&
		    e.code == ERROR_INVALID);
	manifest_release(&m);
	if (quantity_parse_whole(text, &value, &e) == 0)
		require(value >= 0);
	free(text);
	return 0;
}
