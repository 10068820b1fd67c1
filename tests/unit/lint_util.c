/*
 * What lint says of a manifest that stands in a test.
 */
#include "tests/unit/lint_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/lint/lint.h"
#include "tests/unit/tap.h"

static char *
dump_remarks(const struct remarks *r)
{
	struct memstream m;
	size_t i;

	memstream_open(&m);
	for (i = 0; i < r->count; i++) {
		if (strncmp(r->items[i].text, "no effect here:", 15) == 0)
			continue;
		fprintf(m.file, "%s%s: %s%s%s\n",
		    r->items[i].is_local ? "local " : "",
		    remarks_level_name(r->items[i].level), r->items[i].path,
		    *r->items[i].path == '\0' ? "" : ": ", r->items[i].text);
	}
	return memstream_close(&m, NULL);
}

static char *
lint_text(const char *text)
{
	struct manifest m;
	struct remarks r = { .items = NULL };
	struct error e;
	char *got;

	manifest_init(&m);
	if (manifest_parse(&m, "f", text, strlen(text), &e) != 0) {
		got = xstrdup(e.text);
	} else {
		lint_manifest(&m, &r);
		got = dump_remarks(&r);
	}
	remarks_release(&r);
	manifest_release(&m);
	return got;
}

void
lint_util_check(const char *what, const struct lint_vector *vectors,
    size_t count)
{
	char *got, name[64];
	size_t i;

	for (i = 0; i < count; i++) {
		got = lint_text(vectors[i].text);
		(void)snprintf(name, sizeof(name), "%s %zu", what, i);
		is_str(got, vectors[i].wanted, name);
		free(got);
	}
}
