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

enum { WRITERS = 8, TURNS = 10 };

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
	const struct popdist p = {
		.num_instances = gaps ? 0 : count,
		.num_total_replicas = count,
	};
	struct error error = { .text = "" };
	size_t size;
	char *page;
	yyjson_doc *doc;

	ok(profile_index_write("job", &p, &error) == 0, error.text);
	page = file_read("job/0/index.html", 1 << 20, &size, NULL);
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
	put_summary(3, "encoder-2.0", summary);
	put_summary(3, "two words", summary);
	put_summary(7, "training", summary);
	doc = index_data(4, false);
	is_int((long)yyjson_obj_size(data_at(doc, "/job/summaries")), 3,
	    "three profiles; one of another job is not shown");
	ok(data_at(doc, "/job/summaries/3.encoder-2.0") != NULL,
	    "the name of an engine is the program's");
	ok(yyjson_equals(data_at(doc, "/job/summaries/3.training"),
	       yyjson_doc_get_root(whole)),
	    "each as it is");
	is_int(yyjson_get_int(data_at(doc, "/job/count")), 4, "instances");
	ok(yyjson_is_false(data_at(doc, "/job/gaps")), "of all numbers");
	yyjson_doc_free(doc);
	yyjson_doc_free(whole);
	doc = index_data(8, true);
	is_int((long)yyjson_obj_size(data_at(doc, "/job/summaries")), 4,
	    "of uneven instances those that are there");
	ok(yyjson_is_true(data_at(doc, "/job/gaps")), "others are no gaps");
	yyjson_doc_free(doc);
	doc = index_data(0, false);
	is_int((long)yyjson_obj_size(data_at(doc, "/job/summaries")), 0,
	    "none at all");
	yyjson_doc_free(doc);
}

/* Under poprun --autoreport-dir, and outside of it. */
static void
test_job(void)
{
	static const char *const variables[][2] = {
		{ "POPDIST_NUM_TOTAL_REPLICAS", "2" },
		{ "POPDIST_NUM_LOCAL_REPLICAS", "1" },
		{ "POPDIST_REPLICA_INDEX_OFFSET", "1" },
		{ "POPDIST_UNIFORM_REPLICAS_PER_INSTANCE", "1" },
	};
	struct error error = { .text = "" };
	size_t i;

	(void)unlink("job/0/index.html");
	(void)setenv("POPDIST_AUTOREPORT_DIRECTORY", "job", 1);
	is_int(profile_index_write_job("job/0", &error), 0, "without poprun");
	for (i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		(void)setenv(variables[i][0], variables[i][1], 1);
	is_int(profile_index_write_job("job/0", &error), 0,
	    "another instance's directory");
	ok(access("job/0/index.html", F_OK) != 0, "no page");
	is_int(profile_index_write_job("job/1", &error), 0, "its directory");
	ok(access("job/0/index.html", F_OK) == 0, "the page");
	(void)setenv("POPDIST_NUM_LOCAL_REPLICAS", "x", 1);
	is_int(profile_index_write_job("job/1", &error), -1, "no number");
	(void)unsetenv("POPDIST_AUTOREPORT_DIRECTORY");
	is_int(profile_index_write_job("job/1", &error), 0, "no profiles");
}

/* Each makes a summary and then the page: the last page has all of them. */
static void
test_writers(void)
{
	const struct popdist p = { .num_instances = WRITERS };
	int i, status, failed = 0;
	char *page;
	yyjson_doc *doc;
	size_t size;

	for (i = 0; i < WRITERS; i++) {
		if (fork() != 0)
			continue;
		put_summary(i, "training", summary);
		_exit(profile_index_write("job", &p, NULL) == 0 ? 0 : 1);
	}
	while (wait(&status) != -1)
		failed += status != 0;
	is_int(failed, 0, "all could write it");
	page = file_read("job/0/index.html", 1 << 20, &size, NULL);
	doc = report_data(page == NULL ? "" : page);
	is_int((long)yyjson_obj_size(data_at(doc, "/job/summaries")),
	    WRITERS + 1, "all are there, with the engine of another name");
	yyjson_doc_free(doc);
	free(page);
}

/* Instances that share a directory do not take each other's files. */
static void
test_shared(void)
{
	const struct file_set_entry files[] = {
		{ .path = "trace.json", .text = "{}", .size = 2 },
		{ .path = "summary.json", .text = "{}", .size = 2 },
	};
	int i, turn, status, failed = 0;

	for (i = 0; i < WRITERS; i++) {
		if (fork() != 0)
			continue;
		for (turn = 0, status = 0; turn < TURNS && status == 0;
		     turn++) {
			profile_files_remove("job/0", "summary.json");
			status = profile_files_write("job/0", files, 2, NULL);
		}
		_exit(status == 0 ? 0 : 1);
	}
	while (wait(&status) != -1)
		failed += status != 0;
	is_int(failed, 0, "all could write into one directory");
}

int
main(void)
{
	const struct popdist one = { .num_instances = 1 };
	struct error error = { .text = "" };

	test_add();
	test_page();
	test_writers();
	test_shared();
	test_job();
	is_int(profile_index_write("nowhere", &one, &error), 0,
	    "no first instance");
	ok(access("nowhere", F_OK) != 0, "is made");
	(void)unlink("job/0/index.html");
	ok(mkdir("job/0/index.html", 0700) == 0, "a directory of that name");
	is_int(profile_index_write("job", &one, &error), -1, "is in the way");
	ok(strstr(error.text, "job/0") != NULL, "and is named");
	return tap_done();
}
