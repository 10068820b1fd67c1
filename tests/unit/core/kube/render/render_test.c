/*
 * Manifests for clusters: tests/golden/ipujob-render, where NAME.TARGET.ok has
 * what NAME.yaml becomes there, behind the remarks on it as comments, and
 * NAME.TARGET.err why it cannot.  The options stand in the comments that
 * NAME.yaml begins with: "# queue=team-a".  Whether an API server would take
 * what stands in the .ok files, tests/schemas/check.js looks at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/kube/render/render.h"
#include "core/kube/yaml/yaml.h"
#include "tests/unit/tap.h"

enum { TEXT_MAX = 1 << 20 };

static const char *const targets[] = { "mpijob", "job" };

/* The value of an option in the comments at the text's beginning, or NULL. */
static char *
option_of(const char *text, const char *name)
{
	const char *at;
	char *value = NULL;

	for (; *text == '#' && value == NULL; text++) {
		at = strstr(text, name);
		if (at != NULL && at < text + strcspn(text, "\n"))
			value = xasprintf("%.*s",
			    (int)strcspn(at + strlen(name), " \n"),
			    at + strlen(name));
		text += strcspn(text, "\n");
		if (*text == '\0')
			break;
	}
	return value;
}

/* The documents as they are printed. */
static char *
write_documents(const struct yaml_node *documents)
{
	struct memstream out;
	size_t i;

	memstream_open(&out);
	for (i = 0; i < documents->count; i++) {
		if (i > 0)
			fputs("---\n", out.file);
		yaml_write(out.file, documents->items[i].node);
	}
	return memstream_close(&out, NULL);
}

/* The remarks, each as a comment. */
static char *
write_remarks(struct remarks *lost)
{
	struct memstream out, lines;
	const char *line;
	char *text;
	size_t len;

	remarks_sort(lost);
	memstream_open(&lines);
	remarks_print(lines.file, lost);
	text = memstream_close(&lines, NULL);
	memstream_open(&out);
	for (line = text; *line != '\0'; line += len + 1) {
		len = strcspn(line, "\n");
		fprintf(out.file, "# %.*s\n", (int)len, line);
	}
	free(text);
	return memstream_close(&out, NULL);
}

/* What is printed reads back as it was, document by document. */
static void
test_reading(struct manifest *m, const struct yaml_node *documents,
    const char *text, const char *name)
{
	struct yaml_node **read;
	struct error e = { .text = "" };
	long i,
	    count = yaml_parse(m->arena, name, text, strlen(text), &read, &e);

	is_int(count, (long)documents->count, name);
	for (i = 0; i < count; i++)
		ok(yaml_equal(read[i], documents->items[i].node), name);
}

/* The rendered manifest as a golden file has it; *good: or why not. */
static char *
render(const char *name, const char *input, const struct render_options *o,
    bool *good)
{
	struct manifest m;
	struct remarks lost = { .items = NULL };
	struct yaml_node *documents;
	struct error e = { .text = "" };
	char *text, *before, *all;

	manifest_init(&m);
	*good = manifest_parse(&m, "FILE", input, strlen(input), &e) == 0 &&
	    render_manifest(&m, o, &documents, &lost, &e) == 0;
	if (!*good) {
		remarks_release(&lost);
		manifest_release(&m);
		return xasprintf("%s\n", e.text);
	}
	before = write_remarks(&lost);
	text = write_documents(documents);
	test_reading(&m, documents, text, name);
	all = xasprintf("%s%s", before, text);
	free(text);
	free(before);
	remarks_release(&lost);
	manifest_release(&m);
	return all;
}

/* With RENDER_OUT=DIR in the environment what comes out is left there, to be
   looked at, and to become a golden file. */
static void
keep(const char *name, const char *text)
{
	const char *dir = getenv("RENDER_OUT");

	if (dir != NULL)
		is_int(file_replace(dir, name, text, strlen(text), NULL), 0,
		    "kept");
}

static void
test_golden(const char *directory, const char *file)
{
	const int stem = (int)(strlen(file) - strlen(".yaml"));
	char *path = xasprintf("%s/%s", directory, file);
	size_t size, i;
	char *input = file_read(path, TEXT_MAX, &size, NULL);
	char *queue = option_of(input, "queue=");
	char *scheduler = option_of(input, "scheduler=");
	char *image = option_of(input, "image=");
	struct render_options o = { .queue = queue,
		.scheduler = scheduler,
		.image = image != NULL ? image : "ipubox:test" };
	char *name, *got, *wanted, *wanted_path;
	bool good;

	for (i = 0; i < ARRAY_SIZE(targets); i++) {
		o.target = (enum render_target)i;
		got = render(file, input, &o, &good);
		name = xasprintf("%.*s.%s.%s", stem, file, targets[i],
		    good ? "ok" : "err");
		wanted_path = xasprintf("%s/%s", directory, name);
		wanted = file_read(wanted_path, TEXT_MAX, &size, NULL);
		is_str(got, wanted != NULL ? wanted : "(no such file)", name);
		keep(name, got);
		free(wanted);
		free(wanted_path);
		free(name);
		free(got);
	}
	free(image);
	free(scheduler);
	free(queue);
	free(input);
	free(path);
}

static void
test_all_golden(void)
{
	const char *tests = getenv("TESTDIR");
	char *directory = xasprintf("%s/golden/ipujob-render",
	    tests != NULL ? tests : "tests");
	struct directory d = DIRECTORY_NONE;
	char **names;
	long i, count = -1;

	if (directory_open(&d, directory, NULL) == 0)
		count = directory_names(&d, ".yaml", &names, NULL);
	ok(count > 10, "golden files");
	for (i = 0; i < count; i++)
		test_golden(directory, names[i]);
	if (count != -1)
		directory_names_free(names, count);
	directory_close(&d);
	free(directory);
}

/* The image where no other one is named, and a file of no jobs. */
static void
test_defaults(void)
{
	static const char one[] =
	    "apiVersion: graphcore.ai/v1alpha1\n"
	    "kind: IPUJob\nmetadata: {name: one}\n"
	    "spec: {jobInstances: 1, ipusPerJobInstance: \"1\", workers: "
	    "{template: {spec: {containers: [{name: w, image: i, command: "
	    "[c]}]}}}}\n";
	const struct render_options o = { .target = RENDER_JOB };
	bool good;
	char *text = render("one", one, &o, &good);

	ok(good && strstr(text, "image: " RENDER_IMAGE "\n") != NULL,
	    "the image");
	free(text);
	text = render("none", "# nothing\n", &o, &good);
	ok(good, "no job");
	is_str(text, "", "no document");
	free(text);
}

int
main(void)
{
	test_all_golden();
	test_defaults();
	return tap_done();
}
