/*
 * container_log: what is written, kept in turns, and seen.
 */
#include <sys/resource.h>
#include <sys/stat.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/runtime/runtime.h"
#include "tests/unit/tap.h"

#define SECOND 1000000000LL
#define BEGIN (1795447175LL * SECOND) /* 2026-11-23T15:19:35Z */

static char *path;

static const struct container_view whole = { .tail = -1, .limit = -1 };

static void
put(struct container_log *l, enum container_stream stream, const char *text,
    long long seconds)
{
	struct error e;

	if (container_log_add(l, stream, text, strlen(text),
		BEGIN + seconds * SECOND, &e) != 0) {
		printf("# %s\n", e.text);
		abort();
	}
}

/* All that a view shows, from a place on; the caller frees it. */
static char *
show_from(const struct container_view *view, struct container_place *place,
    int *status)
{
	struct memstream m;
	struct error e;

	*status = container_log_print(path, view, place, memstream_open(&m),
	    &e);
	return memstream_close(&m, NULL);
}

static void
is_shown(const struct container_view *view, const char *wanted,
    const char *name)
{
	struct container_place place = { .inode = 0 };
	int status;
	char *text = show_from(view, &place, &status);

	is_str(text, wanted, name);
	free(text);
}

static struct container_log *
begin(void)
{
	struct container_log *l;

	container_log_remove(path);
	l = container_log_open(path, NULL);
	if (l == NULL)
		abort();
	return l;
}

static void
test_views(void)
{
	struct container_log *l = begin();
	struct container_view view = whole;

	is_shown(&whole, "", "nothing was written");
	put(l, CONTAINER_STDOUT, "one\ntwo\n", 0);
	put(l, CONTAINER_STDERR, "three", 1);
	put(l, CONTAINER_STDERR, " and more\n\nfive\n", 2);
	is_shown(&whole, "one\ntwo\nthree and more\n\nfive\n",
	    "all lines, one that came in two pieces and an empty one");
	view.tail = 2;
	is_shown(&view, "\nfive\n", "the last two");
	view.tail = 0;
	is_shown(&view, "", "none of them");
	view.tail = 99;
	is_shown(&view, "one\ntwo\nthree and more\n\nfive\n",
	    "more than there are");
	view = whole;
	view.since_ns = BEGIN + 2 * SECOND;
	is_shown(&view, " and more\n\nfive\n", "what is so new");
	view = whole;
	view.timestamps = true;
	view.tail = 1;
	is_shown(&view, "2026-11-23T15:19:37.000000000Z five\n",
	    "with its time");
	view = whole;
	view.prefix = "[pod/a/b] ";
	view.tail = 1;
	is_shown(&view, "[pod/a/b] five\n", "with whose it is");
	view = whole;
	view.limit = 5;
	is_shown(&view, "one\nt", "so many bytes");
	container_log_close(l);
	l = container_log_open(path, NULL);
	put(l, CONTAINER_STDOUT, "six\n", 3);
	view = whole;
	view.tail = 2;
	is_shown(&view, "five\nsix\n", "one that is opened again goes on");
	container_log_close(l);
}

static void
test_following(void)
{
	struct container_log *l = begin();
	struct container_place place = { .inode = 0 };
	struct container_view view = whole;
	int status;
	char *text;

	view.tail = 1;
	put(l, CONTAINER_STDOUT, "old\nnew\n", 0);
	text = show_from(&view, &place, &status);
	is_str(text, "new\n", "the tail at the beginning");
	free(text);
	put(l, CONTAINER_STDOUT, "next\nand ", 1);
	text = show_from(&view, &place, &status);
	is_str(text, "next\nand ", "then all that comes, also part of a line");
	free(text);
	put(l, CONTAINER_STDOUT, "on\n", 1);
	text = show_from(&view, &place, &status);
	is_str(text, "on\n", "and its rest");
	free(text);
	text = show_from(&view, &place, &status);
	is_str(text, "", "nothing twice");
	free(text);
	container_log_close(l);
}

/* Lines of a megabyte fill a file in ten; a reader crosses from file to file,
   also where they take turns between two looks. */
static void
test_turns(void)
{
	enum { LINE = 1024 * 1024, LINES = 75 };
	struct container_log *l = begin();
	struct container_place place = { .inode = 0 };
	char *line = xmalloc(LINE + 1), *text, *turn;
	struct stat st;
	long seen = 0, first = -1;
	int status, i;

	memset(line, 'x', LINE);
	line[LINE - 1] = '\n';
	line[LINE] = '\0';
	for (i = 0; i < LINES; i++) {
		line[0] = (char)('0' + i % 10);
		put(l, CONTAINER_STDOUT, line, i);
		if (i == 4 || i == 12 || i == LINES - 1) {
			text = show_from(&whole, &place, &status);
			if (first == -1)
				first = text[0] - '0';
			seen += (long)(strlen(text) / LINE);
			free(text);
		}
	}
	is_int(first, 0, "the reader began with the first line");
	ok(seen >= 13 + 40 && seen < LINES, "and saw what was kept");
	is_int(stat(path, &st), 0, "there is a newest file");
	turn = xasprintf("%s.%d", path, CONTAINER_LOG_FILES - 1);
	is_int(stat(turn, &st), 0, "and an oldest one");
	ok(st.st_size <= CONTAINER_LOG_BYTES + LINE + 64,
	    "of the size that is allowed");
	free(turn);
	turn = xasprintf("%s.%d", path, CONTAINER_LOG_FILES);
	is_int(stat(turn, &st), -1, "and none behind it");
	free(turn);
	free(line);
	container_log_close(l);
	container_log_remove(path);
	is_int(stat(path, &st), -1, "all of them are removed");
}

static void
set_limit(int resource, rlim_t value)
{
	struct rlimit l;

	if (getrlimit(resource, &l) != 0)
		abort();
	l.rlim_cur = value < l.rlim_max ? value : l.rlim_max;
	if (setrlimit(resource, &l) != 0)
		abort();
}

/* A disk that has room for a part of the line, and later for more. */
static void
test_full(void)
{
	struct container_log *l = begin();
	struct error e;
	struct rlimit before;
	struct stat st;
	int status;

	put(l, CONTAINER_STDOUT, "one\n", 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	if (stat(path, &st) != 0 || getrlimit(RLIMIT_FSIZE, &before) != 0)
		abort();
	set_limit(RLIMIT_FSIZE, (rlim_t)st.st_size + 10);
	status = container_log_add(l, CONTAINER_STDOUT, "lost\n", 5, BEGIN, &e);
	set_limit(RLIMIT_FSIZE, before.rlim_cur);
	is_int(status, -1, "a line for which there is no room is lost");
	put(l, CONTAINER_STDOUT, "two\n", 1);
	is_shown(&whole, "one\ntwo\n", "and not in part before the next");
	container_log_close(l);
}

/* No new file can be had for a while. */
static void
test_no_file(void)
{
	char *large = xmalloc(CONTAINER_LOG_BYTES);
	struct container_log *l = begin();
	struct container_view view = whole;
	struct rlimit before;
	int i, failed = 0;

	memset(large, 'x', CONTAINER_LOG_BYTES);
	large[CONTAINER_LOG_BYTES - 1] = '\n';
	put(l, CONTAINER_STDOUT, "old\n", 0);
	if (container_log_add(l, CONTAINER_STDOUT, large, CONTAINER_LOG_BYTES,
		BEGIN, NULL) != 0 ||
	    getrlimit(RLIMIT_NOFILE, &before) != 0)
		abort();
	set_limit(RLIMIT_NOFILE, 0);
	for (i = 0; i < 2 * CONTAINER_LOG_FILES; i++)
		failed += container_log_add(l, CONTAINER_STDOUT, "lost\n", 5,
			      BEGIN, NULL) == -1;
	set_limit(RLIMIT_NOFILE, before.rlim_cur);
	is_int(failed, 2 * CONTAINER_LOG_FILES, "no line without a new file");
	put(l, CONTAINER_STDOUT, "new\n", 1);
	view.limit = 4;
	is_shown(&view, "old\n", "what was kept before is there still");
	view = whole;
	view.tail = 1;
	is_shown(&view, "new\n", "and what comes when one can be had again");
	container_log_close(l);
	free(large);
}

/* What is in the file is not what a log has: it is passed over. */
static void
test_foreign(void)
{
	FILE *f;

	container_log_remove(path);
	f = fopen(path, "we");
	if (f == NULL)
		abort();
	fputs("not a line of a log\n\n2026 stdout F x\n"
	      "2026-11-23T15:19:35.1Z stdout F good\n"
	      "2026-11-23T15:19:35.1Z stdout F no end",
	    f);
	(void)fclose(f);
	is_shown(&whole, "good\n", "only what is a whole line of a log");
}

/* A reader to whom another line is written with each that it gets. */
struct growing {
	struct container_log *log;
	char got[64];
	size_t count; /* of bytes */
};

static ssize_t
grow(void *context, const char *bytes, size_t size)
{
	struct growing *g = context;
	size_t i;

	put(g->log, CONTAINER_STDOUT, "more\n", 9);
	for (i = 0; i < size && g->count + 1 < sizeof(g->got); i++)
		g->got[g->count++] = bytes[i];
	return (ssize_t)size;
}

static void
test_growing(void)
{
	struct growing g = { .log = begin(), .count = 0 };
	struct container_view view = whole;
	struct container_place place = { .inode = 0 };
	FILE *out = fopencookie(&g, "w",
	    (cookie_io_functions_t){ .write = grow });

	put(g.log, CONTAINER_STDOUT, "one\ntwo\nthree\n", 0);
	if (out == NULL || setvbuf(out, NULL, _IONBF, 0) != 0)
		abort();
	view.tail = 2;
	is_int(container_log_print(path, &view, &place, out, NULL), 0,
	    "a log that grows is read to where it was");
	is_str(g.got, "two\nthree\n", "and no further");
	g.count = 0;
	memset(g.got, 0, sizeof(g.got));
	is_int(container_log_print(path, &view, &place, out, NULL), 0,
	    "the rest is read next time");
	ok(strncmp(g.got, "more\nmore\n", 10) == 0, "all of it");
	(void)fclose(out);
	container_log_close(g.log);
}

int
main(void)
{
	path = xasprintf("%s/log", tap_directory());
	test_views();
	test_following();
	test_turns();
	test_full();
	test_no_file();
	test_foreign();
	test_growing();
	container_log_remove(path);
	free(path);
	return tap_done();
}
