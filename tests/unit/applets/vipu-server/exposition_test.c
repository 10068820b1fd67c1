/* The text of metrics: labels of jobs and of hostile programs, values that are
   missing, and the two formats. */
#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu-server/exposition.h"
#include "core/base/text.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { IPU = 4, NOW_S = 1700000000 };

/* An image of a pod: partition "p" on IPUs 4 to 7, of which 4 is held. */
struct image {
	struct snapshot snapshot;
	struct registry registry;
};

static void
open_image(struct image *m, const char *owner, uint64_t flags)
{
	struct registry_image_ipu held = { .ipu = IPU, .is_held = true };
	struct ipu_slot *slot = &held.slot;
	struct snapshot s;
	struct partition p = make_partition("p", 4, 4);
	struct registry r;
	struct state st;
	struct error e = { .text = "" };
	static int number;
	char name[16];

	(void)snprintf(name, sizeof(name), "pod%d", number++);
	make_state(name);
	(void)strlcpy(p.owner_text, owner, sizeof(p.owner_text));
	must(state_open(&st, &e), &e);
	must(state_lock(&st, &e), &e);
	must(state_add_partition(&st, &p, &e), &e);
	state_unlock(&st);
	state_close(&st);
	open_registry(&r);
	must(snapshot_take(&r, &s, &e), &e);
	registry_close(&r);
	slot->pid = 42;
	slot->flags = flags;
	slot->busy_ns = 1500000000;
	slot->soc_error = 6;
	(void)strlcpy(slot->user, "ann", sizeof(slot->user));
	(void)strlcpy(slot->host, "bert-worker-0", sizeof(slot->host));
	(void)strlcpy(slot->command, "sh -c \"a\\b\n\033[2J\xff\"",
	    sizeof(slot->command));
	must(registry_image_open(&m->registry, "far:8090", &s, &held, 1, &e),
	    &e);
	snapshot_release(&s);
	must(snapshot_take(&m->registry, &m->snapshot, &e), &e);
	snapshot_freeze(&m->snapshot, &m->registry,
	    NOW_S * INT64_C(1000000000));
}

static void
close_image(struct image *m)
{
	snapshot_release(&m->snapshot);
	registry_close(&m->registry);
}

/* Return the whole text of a machine, which the caller frees. */
static char *
text_of(const struct image *m, bool is_trusted, bool is_openmetrics)
{
	struct exposition x = { .snapshot = &m->snapshot,
		.registry = &m->registry,
		.now_ns = NOW_S * INT64_C(1000000000),
		.agent = IPU / IPUS_PER_MACHINE,
		.is_trusted = is_trusted,
		.is_openmetrics = is_openmetrics,
		.place.host = "bert-worker-0" };
	struct memstream out;

	exposition_print(&x, memstream_open(&out));
	return memstream_close(&out, NULL);
}

/* Copy the labels of the metric's first line from "partition" on, with its
   value; "": it has none. */
static void
labels_of(const char *text, const char *name, char out[512])
{
	char start[64];
	const char *line;

	(void)snprintf(start, sizeof(start), "\n%s{", name);
	line = strstr(text, start);
	line = line == NULL ? NULL : strstr(line, "partition=");
	(void)snprintf(out, 512, "%.*s",
	    line == NULL ? 0 : (int)strcspn(line, "\n"),
	    line == NULL ? "" : line);
}

static void
test_holder(void)
{
	struct image m;
	char *text, line[512];

	open_image(&m, "ipujob team/bert", 0);
	text = text_of(&m, false, false);
	labels_of(text, "ipu_attached", line);
	is_str(line,
	    "partition=\"p\",user=\"ann\",pid=\"\",command=\"\","
	    "namespace=\"team\",job=\"bert\",pod=\"bert-worker-0\"} 1",
	    "a stranger sees the user and the job");
	labels_of(text, "ipu_busy_seconds_total", line);
	ok(strstr(line, "} 1.5") != NULL, "the work of the IPU");
	labels_of(text, "ipu_soc_errors", line);
	ok(strstr(line, "} 2") != NULL, "two errors");
	labels_of(text, "ipu_utilisation_ratio", line);
	ok(strstr(line, "} 0") != NULL, "utilisation is measured");
	ok(strstr(text, "# TYPE ipu_busy_seconds_total counter\n") != NULL &&
		strstr(text, "# EOF") == NULL,
	    "the older format names the lines");
	free(text);
	text = text_of(&m, true, true);
	labels_of(text, "ipu_attached", line);
	ok(strstr(line,
	       "command=\"sh -c \\\"a\\\\b\\\\x0a\\\\x1b[2J\\\\xff\\\"\",") !=
		NULL,
	    "an administrator sees the command, escaped");
	ok(strstr(text, "# TYPE ipu_busy_seconds counter\n") != NULL &&
		strcmp(text + strlen(text) - 6, "# EOF\n") == 0,
	    "OpenMetrics names the family and has an end");
	free(text);
	close_image(&m);
}

/* The power of the machine depends on all of its IPUs. */
static void
test_unmeasured(void)
{
	struct image m;
	char *text, line[512];

	open_image(&m, "", SLOT_UNMEASURED);
	text = text_of(&m, false, false);
	labels_of(text, "ipu_utilisation_ratio", line);
	ok(strncmp(line, "partition=\"p\",user=\"\",", 22) == 0,
	    "the first line is of another IPU");
	ok(strstr(text, "\nchassis_power{") == NULL, "no power of the machine");
	free(text);
	close_image(&m);
}

static void
test_jobs(void)
{
	static const struct {
		const char *owner, *labels;
	} rows[] = {
		{ "job 42 of ann", "namespace=\"\",job=\"42\",pod=\"\"} 1" },
		{ "job 7 of bob, 0123",
		    "namespace=\"\",job=\"7\",pod=\"\"} 1" },
		{ "ipujob a/b, 0123",
		    "namespace=\"a\",job=\"b\",pod=\"bert-worker-0\"} 1" },
		{ "ipujob ab", "namespace=\"\",job=\"\",pod=\"\"} 1" },
		{ "poprun, pid 4 of 5 on h, user u",
		    "namespace=\"\",job=\"\",pod=\"\"} 1" },
	};
	struct image m;
	char *text, line[512];
	const char *found;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		open_image(&m, rows[i].owner, 0);
		text = text_of(&m, false, false);
		labels_of(text, "ipu_attached", line);
		found = strstr(line, "namespace=");
		is_str(found == NULL ? "" : found, rows[i].labels,
		    rows[i].owner);
		free(text);
		close_image(&m);
	}
}

int
main(void)
{
	test_holder();
	test_unmeasured();
	test_jobs();
	return tap_done();
}
