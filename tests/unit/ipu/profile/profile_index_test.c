/*
 * The page of a job's instances: rows of what is there, of what is missing, of
 * what is not a summary; many writers at once.
 */
#include "tests/unit/tap.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "ipu/profile/profile.h"
#include "ipu/profile/profile_internal.h"
#include "tests/unit/report_util.h"

enum { WRITERS = 8 };

static const char summary[] =
    "{\"model\":\"a<b>\",\"command\":\"run \\u0007 "
    "it\",\"run\":{\"calls\":7,\"samples\":1234,\"complete\":false,"
    "\"interrupted\":\"interrupted after call 7: "
    "<why>\",\"host_samples_per_second\":10.4,\"modelled_samples_per_second\":"
    "2000},\"utilisation\":{\"host\":0.5,\"modelled\":0.125},\"findings\":[{"
    "\"level\":\"warning\"},{\"level\":\"good\"},{\"level\":\"warning\"},7]}";

static void
put_summary(int instance, const char *engine, const char *text)
{
	char *directory = xasprintf("job/%d/%s", instance, engine);
	const struct file_set_entry file = { .path = "summary.json",
		.text = text,
		.size = strlen(text) };

	if (profile_files_make_directory(directory, NULL) != 0 ||
	    profile_files_write(directory, &file, 1, NULL) != 0)
		abort();
	free(directory);
}

/* The data of the page, or NULL. */
static yyjson_doc *
index_data(int count, bool gaps)
{
	const struct profile_index index = { "job", count, gaps };
	struct error error = { .text = "" };
	size_t size;
	char *page;
	yyjson_doc *doc;

	ok(profile_index_write(&index, &error) == 0, error.text);
	page = file_read("job/index.html", 1 << 20, &size, NULL);
	doc = report_data(page == NULL ? "" : page);
	ok(doc != NULL, "the page has its data");
	free(page);
	return doc;
}

static yyjson_val *
data_at(yyjson_doc *doc, const char *path)
{
	return yyjson_ptr_get(yyjson_doc_get_root(doc), path);
}

static void
test_add(void)
{
	static const char *const wrong[] = { "", "{", "[]", "7", "{}",
		"{\"run\":7}" };
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *list = yyjson_mut_obj(doc);
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ok(!profile_index_add(doc, list, "0.training", wrong[i],
		       strlen(wrong[i])),
		    wrong[i]);
	is_int((long)yyjson_mut_obj_size(list), 0, "nothing is added");
	ok(profile_index_add(doc, list, "0.training", summary, strlen(summary)),
	    "a summary is");
	is_int((long)yyjson_mut_obj_size(list), 1, "under its name");
	yyjson_mut_doc_free(doc);
}

static void
test_page(void)
{
	yyjson_doc *doc, *whole = yyjson_read(summary, strlen(summary), 0);

	put_summary(0, "training", summary);
	put_summary(0, "inference", "not JSON");
	put_summary(3, "training", summary);
	put_summary(7, "training", summary);
	doc = index_data(4, false);
	is_int((long)yyjson_obj_size(data_at(doc, "/job/summaries")), 2,
	    "two profiles; one of another job is not shown");
	ok(yyjson_equals(data_at(doc, "/job/summaries/3.training"),
	       yyjson_doc_get_root(whole)),
	    "each as it is");
	is_int(yyjson_get_int(data_at(doc, "/job/count")), 4, "instances");
	ok(yyjson_is_false(data_at(doc, "/job/gaps")), "of all numbers");
	yyjson_doc_free(doc);
	yyjson_doc_free(whole);
	doc = index_data(8, true);
	is_int((long)yyjson_obj_size(data_at(doc, "/job/summaries")), 3,
	    "of uneven instances those that are there");
	ok(yyjson_is_true(data_at(doc, "/job/gaps")), "others are no gaps");
	yyjson_doc_free(doc);
	doc = index_data(0, false);
	is_int((long)yyjson_obj_size(data_at(doc, "/job/summaries")), 0,
	    "none at all");
	yyjson_doc_free(doc);
}

/* Each makes a summary and then the page: the last page has all of them. */
static void
test_writers(void)
{
	const struct profile_index index = { "job", WRITERS, false };
	int i, status, failed = 0;
	char *page;
	yyjson_doc *doc;
	size_t size;

	for (i = 0; i < WRITERS; i++) {
		if (fork() != 0)
			continue;
		put_summary(i, "training", summary);
		_exit(profile_index_write(&index, NULL) == 0 ? 0 : 1);
	}
	while (wait(&status) != -1)
		failed += status != 0;
	is_int(failed, 0, "all could write it");
	page = file_read("job/index.html", 1 << 20, &size, NULL);
	doc = report_data(page == NULL ? "" : page);
	is_int((long)yyjson_obj_size(data_at(doc, "/job/summaries")), WRITERS,
	    "all are there");
	yyjson_doc_free(doc);
	free(page);
}

int
main(void)
{
	const struct profile_index nowhere = { "nowhere", 1, false };
	struct error error = { .text = "" };

	test_add();
	test_page();
	test_writers();
	is_int(profile_index_write(&nowhere, &error), -1, "no such folder");
	ok(strstr(error.text, "nowhere") != NULL, "is named");
	return tap_done();
}
