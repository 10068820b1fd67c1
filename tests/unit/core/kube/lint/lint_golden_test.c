/*
 * Whole manifests: tests/golden/ipujob, where NAME.ok is what is said of NAME
 * that has no error, and NAME.err of one that has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/kube/lint/lint.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/tap.h"

enum { TEXT_MAX = 1 << 20 };

/* What is said of a text, and whether it has an error. */
static char *
lint_golden(const char *file, const char *text, size_t size, bool *good)
{
	struct manifest m;
	struct remarks r = { .items = NULL };
	struct memstream s;
	struct error e;

	memstream_open(&s);
	manifest_init(&m);
	*good = manifest_parse(&m, file, text, size, &e) == 0;
	if (*good) {
		lint_manifest(&m, &r);
		remarks_print(s.file, &r);
		*good = r.found[REMARK_ERROR] == 0;
	} else {
		fprintf(s.file, "%s\n", e.text);
	}
	remarks_release(&r);
	manifest_release(&m);
	return memstream_close(&s, NULL);
}

static void
test_golden(const char *directory, const char *file)
{
	char *path = xasprintf("%s/%s", directory, file), *wanted_path;
	char *text, *wanted, *got;
	size_t size;
	bool good;

	text = file_read(path, TEXT_MAX, &size, NULL);
	got = lint_golden(file, text, size, &good);
	wanted_path = xasprintf("%.*s.%s", (int)(strrchr(path, '.') - path),
	    path, good ? "ok" : "err");
	wanted = file_read(wanted_path, TEXT_MAX, &size, NULL);
	is_str(got, wanted == NULL ? "" : wanted, file);
	ok(wanted != NULL, wanted_path);
	free(wanted);
	free(wanted_path);
	free(got);
	free(text);
	free(path);
}

static long
test_all(const char *directory, const char *suffix)
{
	char **names;
	long i, count;

	count = directory_names(directory_at(directory), suffix, &names, NULL);
	for (i = 0; i < count; i++)
		test_golden(directory, names[i]);
	if (count != -1)
		directory_names_free(names, count);
	return count;
}

int
main(void)
{
	const char *tests = getenv("TESTDIR");
	char *directory = xasprintf("%s/golden/ipujob",
	    tests != NULL ? tests : "tests");

	ok(test_all(directory, ".yaml") > 15, "manifests of YAML");
	ok(test_all(directory, ".json") > 0, "and of JSON");
	free(directory);
	return tap_done();
}
