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
#include "core/base/file.h"
#include "ipu/engine/profile/profile_files.h"
#include "ipu/engine/profile/profile_index.h"
#include "tests/unit/report_util.h"

enum { WRITERS = 8 };

static const char	summary[] = "{\"model\":\"a<b>\","
    "\"command\":\"run \\u0007 it\","
    "\"run\":{\"calls\":7,\"samples\":1234,\"complete\":false,"
    "\"interrupted\":\"interrupted after call 7: <why>\","
    "\"host_samples_per_second\":10.4,"
    "\"modelled_samples_per_second\":2000},\"utilisation\":{\"host\":0.5,"
    "\"modelled\":0.125},\"findings\":[{\"level\":\"warning\"},"
    "{\"level\":\"good\"},{\"level\":\"warning\"},7]}";

static void
put_summary(int instance, const char *engine, const char *text)
{
	char	*directory = xasprintf("job/%d/%s", instance, engine);
	const struct file_set_entry	file = { .path = "summary.json",
	    .text = text, .size = strlen(text) };

	if (profile_files_make_directory(directory, NULL) != 0 ||
	    profile_files_write(directory, &file, 1, NULL) != 0)
		abort();
	free(directory);
}

static char *
index_page(int count, bool gaps)
{
	const struct profile_index	index = { "job", count, gaps };
	struct error			error = { .text = "" };
	size_t				size;

	ok(profile_index_write(&index, &error) == 0, error.text);
	return file_read("job/index.html", 1 << 20, &size, NULL);
}

static void
test_read(void)
{
	static const char *const	wrong[] = { "", "{", "[]", "7", "{}",
					    "{\"run\":7}" };
	static const char		odd[] = "{\"run\":{\"calls\":-3,"
	    "\"samples\":1e300}}";
	struct profile_index_row	r;
	size_t				i;

	is_int(profile_index_read(&r, summary, strlen(summary)), 0, "read");
	is_str(r.model, "a<b>", "model");
	ok(strchr(r.command, '\a') == NULL, "printable");
	is_str(r.state, "interrupted after call 7: <why>", "state");
	ok(!r.complete && r.calls == 7 && r.samples == 1234 &&
	    r.host_rate == 10.4 && r.modelled_rate == 2000 &&
	    r.host_used == 0.5 && r.modelled_used == 0.125, "figures");
	is_int((long)r.warnings, 2, "warnings");
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		is_int(profile_index_read(&r, wrong[i], strlen(wrong[i])), -1,
		    wrong[i]);
	is_int(profile_index_read(&r, odd, strlen(odd)), 0, "odd numbers");
	ok(r.calls == 0 && r.samples == 0, "are 0");
	is_str(r.state, "not complete", "state is not known");
}

static void
test_page(void)
{
	char	*page;

	put_summary(0, "training", summary);
	put_summary(0, "inference", "not JSON");
	put_summary(3, "training", summary);
	put_summary(7, "training", summary);
	page = index_page(4, false);
	is_int(report_count_text(page, "<tr><th scope=\"row\"><a href="), 2,
	    "two profiles");
	is_int(report_count_text(page, "no profile"), 2, "two have none");
	ok(strstr(page, "<a href=\"3/training/report.html\">instance 3") !=
	    NULL && strstr(page, "7/training") == NULL,
	    "one of another job is not shown");
	ok(strstr(page, "a&lt;b&gt;: instances") != NULL &&
	    strstr(page, "&lt;why&gt;") != NULL && strstr(page, "<why") ==
	    NULL, "escaped");
	ok(strstr(page, "2 of 4") != NULL && strstr(page, ">4,000<") != NULL,
	    "sums");
	free(page);
	page = index_page(8, true);
	is_int(report_count_text(page, "<tr><th scope=\"row\">"), 3,
	    "of uneven instances those that are there");
	free(page);
	page = index_page(0, false);
	ok(strstr(page, "0 of 0") != NULL, "none at all");
	free(page);
}

/* Each makes a summary and then the page: the last page has all of them. */
static void
test_writers(void)
{
	const struct profile_index	index = { "job", WRITERS, false };
	int				i, status, failed = 0;
	char				*page;
	size_t				size;

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
	is_int(report_count_text(page == NULL ? "" : page,
	    "/training/report.html\">"), WRITERS, "all are there");
	free(page);
}

int
main(void)
{
	const struct profile_index	nowhere = { "nowhere", 1, false };
	struct error			error = { .text = "" };

	test_read();
	test_page();
	test_writers();
	is_int(profile_index_write(&nowhere, &error), -1, "no such folder");
	ok(strstr(error.text, "nowhere") != NULL, "is named");
	return tap_done();
}
