/*
 * Streams that come while the thread runs, and how each of them ends; copies,
 * tails, a reader that does not read, an owner that is silent, and tags.
 */
#include "core/process/process.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "tests/unit/tap.h"

enum { INSTANCES = 20, TEXT_MAX = 1024 * 1024 };

/* A pipe to an output of an instance: its write end, and a copy of the other
   end, as a process that is being started has one. */
static int
add(struct mux *o, int instance, int output, int *copy)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0 || (*copy = dup(fds[0])) == -1 ||
	    mux_add(o, instance, output, fds[0]) != 0)
		abort();
	return fds[1];
}

static void
put(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
}

/* All that went to a memfd, which is closed. */
static char *
take(int file)
{
	char path[64];
	size_t size;
	char *text;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	text = file_read(path, TEXT_MAX, &size, NULL);
	(void)close(file);
	return text;
}

static void
wait_for_end(struct mux *o)
{
	struct pollfd p = { .fd = mux_event_fd(o), .events = POLLIN };

	while (!mux_ended(o))
		(void)poll(&p, 1, -1);
}

/*
 * One instance after the other comes, writes and ends, and its read end is open
 * elsewhere until the last has ended.  Then the thread ends without being
 * told to by mux_drain().
 */
static void
test_turns(void)
{
	const int out = memfd_create("out", 0);
	const int err = memfd_create("err", 0);
	struct mux *o = mux_new(INSTANCES,
	    &(struct mux_options){ .shown = NULL });
	char wanted[INSTANCES * 32] = "", *text;
	struct error e;
	int copies[2 * INSTANCES], fd, i;

	is_int(mux_start(o, out, err, &e), 0, "it runs");
	for (i = 0; i < INSTANCES; i++) {
		fd = add(o, i, 0, &copies[2 * i]);
		put(fd, "line\n");
		(void)close(fd);
		(void)close(add(o, i, 1, &copies[2 * i + 1]));
	}
	wait_for_end(o);
	ok(true, "it has ended with the last stream");
	mux_free(o);
	for (i = 0; i < 2 * INSTANCES; i++)
		(void)close(copies[i]);
	text = take(out);
	for (i = 0; i < INSTANCES; i++) {
		(void)snprintf(wanted, sizeof(wanted), "[1,%d]<stdout>:line\n",
		    i);
		ok(strstr(text, wanted) != NULL, wanted);
	}
	free(text);
	text = take(err);
	is_str(text, "", "and nothing as errors");
	free(text);
}

/* A writer that stays, and an instance that never came. */
static void
test_drain(void)
{
	const int out = memfd_create("out", 0);
	const int err = memfd_create("err", 0);
	struct mux *o = mux_new(2, &(struct mux_options){ .shown = NULL });
	struct error e;
	char *text;
	int fd, copy;

	is_int(mux_start(o, out, err, &e), 0, "it runs");
	fd = add(o, 0, 0, &copy);
	put(fd, "one\ntwo");
	mux_note(o, 1, "a note\n", 7);
	mux_drain(o);
	wait_for_end(o);
	mux_free(o);
	(void)close(fd);
	(void)close(copy);
	text = take(out);
	is_str(text, "[1,0]<stdout>:one\n[1,0]<stdout>:two\n",
	    "what was there when it was drained");
	free(text);
	text = take(err);
	is_str(text, "a note\n", "and the note");
	free(text);
}

/* A mux that shows instance 1 alone and copies all; what was told of copies. */
static void
run_copies(const struct output_copy *files, const char *text, char **shown,
    char **error_path, int *error_number)
{
	const bool one[] = { false, true };
	const int out = memfd_create("out", 0);
	const int err = memfd_create("err", 0);
	struct mux *o = mux_new(2,
	    &(struct mux_options){ .shown = one, .copies = { NULL, files } });
	struct error e;
	int i, output, fd, copy, ignored;

	is_int(mux_start(o, out, err, &e), 0, "it runs");
	for (i = 0; i < 2; i++)
		for (output = 0; output < 2; output++) {
			fd = add(o, i, output, &copy);
			put(fd, text);
			(void)close(fd);
			(void)close(copy);
		}
	wait_for_end(o);
	*error_path = mux_copy_error(o, error_number);
	ok(mux_copy_error(o, &ignored) == NULL, "a failure is told once");
	mux_free(o);
	*shown = take(out);
	(void)close(err);
}

/* The bytes of one file in the directory. */
static void
is_file(const char *directory, const char *name, const char *wanted)
{
	char path[512], *text;
	size_t size;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	text = file_read(path, TEXT_MAX, &size, NULL);
	is_str(text, wanted, name);
	free(text);
}

static void
test_copies(void)
{
	struct output_copy files;
	struct error e;
	char directory[256], *shown, *path;
	int number;

	(void)snprintf(directory, sizeof(directory), "%s/a/b", tap_directory());
	is_int(output_copy_init(&files, OUTPUT_COPY_INSTANCES, directory, 2,
		   &e),
	    0, "a directory that is made");
	is_int(output_copy_make_files(&files, &e), 0, "and its files");
	run_copies(&files, "one\r\ntwo", &shown, &path, &number);
	is_str(shown, "[1,1]<stdout>:one\r\n[1,1]<stdout>:two\n",
	    "one is shown");
	ok(path == NULL, "nothing failed");
	free(shown);
	is_file(directory, "instance.0.out", "one\r\ntwo");
	is_file(directory, "instance.0.err", "one\r\ntwo");
	is_file(directory, "instance.1.out", "one\r\ntwo");
	is_file(directory, "instance.1.err", "one\r\ntwo");
	output_copy_close(&files);

	is_int(output_copy_init(&files, OUTPUT_COPY_JOB_RANKS, directory, 11,
		   &e),
	    0, "in the way of Open MPI");
	is_int(output_copy_make_files(&files, &e), 0, "with directories");
	is_file(directory, "1/rank.00/stdout", "");
	is_file(directory, "1/rank.10/stderr", "");
	output_copy_close(&files);
}

/* What can be refused before, and a file that goes away meanwhile. */
static void
test_copy_failures(void)
{
	struct output_copy files;
	struct error e;
	char path[512], *shown, *failed;
	int number = 0;

	is_int(output_copy_init(&files, OUTPUT_COPY_INSTANCES, tap_directory(),
		   2, &e),
	    0, "a directory that is there");
	(void)snprintf(path, sizeof(path), "%s/instance.1.out",
	    tap_directory());
	ok(symlink("/dev/null", path) == 0, "a link");
	is_int(output_copy_make_files(&files, &e), -1, "is refused");
	is_str(e.text, "instance.1.out is a symbolic link; remove it",
	    "in these words");
	run_copies(&files, "text\n", &shown, &failed, &number);
	is_str(shown, "[1,1]<stdout>:text\n", "the job goes on");
	is_str(failed, path, "which file it was");
	is_int(number, ELOOP, "and why");
	free(shown);
	free(failed);
	(void)unlink(path);
	ok(mkfifo(path, 0600) == 0, "a FIFO");
	is_int(output_copy_make_files(&files, &e), -1, "is refused");
	is_str(e.text, "instance.1.out is not a regular file",
	    "and not waited for");
	(void)unlink(path);
	output_copy_close(&files);
}

/* The last lines, of stderr before stdout. */
static void
test_tails(void)
{
	const int out = memfd_create("out", 0);
	const int err = memfd_create("err", 0);
	const bool nobody[2] = { false, false };
	struct mux *o = mux_new(2, &(struct mux_options){ .shown = nobody });
	struct error e;
	size_t size;
	char *text;
	int i, output, fd, copy;

	is_int(mux_start(o, out, err, &e), 0, "it runs");
	for (i = 0; i < 2; i++)
		for (output = 0; output < 2; output++) {
			fd = add(o, i, output, &copy);
			if (i == 0 || output == 0)
				put(fd, output == 0 ? "said\n" : "1%\r2%");
			(void)close(fd);
			(void)close(copy);
		}
	wait_for_end(o);
	text = mux_tail(o, 0, &size);
	is_str(text, "2%\n", "errors");
	is_int((long long)size, 3, "their size");
	free(text);
	text = mux_tail(o, 1, &size);
	is_str(text, "said\n", "where there are none, what was said");
	free(text);
	mux_free(o);
	(void)close(out);
	(void)close(err);
}

enum { WRITERS = 100, LINE = 700000, TAG = sizeof("[1,0]<stderr>:") - 1 };

struct writer {
	int fd;
	size_t written;
};

/* What each pipe takes now of its writer's one line, which has no end yet. */
static size_t
write_all(struct writer *writers)
{
	static char block[16384];
	struct writer *w;
	size_t sum = 0, n;
	ssize_t put_bytes;

	for (w = writers; w < writers + WRITERS; w++) {
		memset(block, 'a' + (int)(w - writers) % 26, sizeof(block));
		while (w->fd != -1) {
			n = LINE - w->written < sizeof(block) ?
			    LINE - w->written :
			    sizeof(block);
			put_bytes = write(w->fd, block, n);
			if (put_bytes <= 0)
				break;
			w->written += (size_t)put_bytes;
			sum += (size_t)put_bytes;
			if (w->written == LINE) {
				(void)close(w->fd);
				w->fd = -1;
			}
		}
	}
	return sum;
}

/* Count what comes out of each writer's letter.  Those of the tags are not
   counted: a tag ends with a colon and a line with its newline. */
struct counter {
	size_t counts[26];
	bool in_line;
};

static void
count_output(struct counter *c, const char *data, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (!c->in_line)
			c->in_line = data[i] == ':';
		else if (data[i] == '\n')
			c->in_line = false;
		else if (data[i] >= 'a' && data[i] <= 'z')
			c->counts[data[i] - 'a']++;
}

/*
 * Nobody reads the output at first: a hundred writers of long lines come to a
 * stand, and what poprun has taken of them is bounded.  Then all of it comes.
 */
static void
test_slow_reader(void)
{
	struct writer writers[WRITERS] = { { .fd = -1 } };
	struct mux *o = mux_new(WRITERS,
	    &(struct mux_options){ .shown = NULL });
	struct pollfd p[WRITERS];
	struct counter counter = { .in_line = false };
	size_t wanted[26] = { 0 }, sum = 0, n;
	struct error e;
	char buffer[65536];
	int out[2], err = memfd_create("err", 0), i, copy;
	ssize_t got;
	bool open = true;

	if (pipe2(out, O_CLOEXEC) != 0)
		abort();
	is_int(mux_start(o, out[1], err, &e), 0, "it runs");
	for (i = 0; i < WRITERS; i++) {
		writers[i] = (struct writer){ .fd = add(o, i, 0, &copy) };
		(void)fcntl(writers[i].fd, F_SETFL, O_NONBLOCK);
		(void)close(copy);
		(void)close(add(o, i, 1, &copy));
		(void)close(copy);
		wanted[i % 26] += LINE;
	}
	/* Until no pipe takes more for some time. */
	do {
		sum += n = write_all(writers);
		for (i = 0; i < WRITERS; i++)
			p[i] = (struct pollfd){ .fd = writers[i].fd,
				.events = POLLOUT };
	} while (n > 0 || poll(p, WRITERS, 300) > 0);
	/* What the streams hold, a third of a MiB each, and the pipes. */
	ok(sum < (size_t)WRITERS * LINE, "the writers wait");
	(void)fcntl(out[0], F_SETFL, O_NONBLOCK);
	while (open) {
		struct pollfd q[2] = {
			{ .fd = out[0], .events = POLLIN },
			{ .fd = mux_event_fd(o), .events = POLLIN },
		};

		(void)write_all(writers);
		(void)poll(q, 2, 10);
		open = q[1].revents == 0 || !mux_ended(o);
		while ((got = read(out[0], buffer, sizeof(buffer))) > 0)
			count_output(&counter, buffer, (size_t)got);
	}
	mux_free(o);
	for (i = 0; i < 26; i++)
		is_int((long long)counter.counts[i], (long long)wanted[i],
		    "each byte has come");
	(void)close(out[0]);
	(void)close(out[1]);
	(void)close(err);
}

/*
 * An owner that is silent keeps the others waiting for a while, and no longer:
 * a note and a line of another instance come, and then its own rest.
 */
static void
test_silent_owner(void)
{
	const int out = memfd_create("out", 0);
	const int err = memfd_create("err", 0);
	struct mux *o = mux_new(2, &(struct mux_options){ .shown = NULL });
	struct error e;
	char *text, *block = malloc(TEXT_MAX);
	int owner, other, copies[2];
	size_t size;
	struct stat st = { .st_size = 0 };

	memset(block, 'x', TEXT_MAX);
	is_int(mux_start(o, out, err, &e), 0, "it runs");
	owner = add(o, 0, 1, &copies[0]);
	other = add(o, 1, 1, &copies[1]);
	ok(write(owner, block, TEXT_MAX) == TEXT_MAX, "a long line");
	ok(write(owner, block, 1000) == 1000, "too long");
	/* It is out in part. */
	while (st.st_size < TEXT_MAX)
		if (fstat(err, &st) != 0)
			abort();
	put(other, "other\n");
	mux_note(o, 1, "note\n", 5);
	/* All is out but the owner's end. */
	while (st.st_size < TEXT_MAX + 1000 + TAG + 1 + TAG + 6 + 5)
		if (fstat(err, &st) != 0)
			abort();
	put(owner, "rest\n");
	mux_drain(o);
	wait_for_end(o);
	mux_free(o);
	(void)close(owner);
	(void)close(other);
	(void)close(copies[0]);
	(void)close(copies[1]);
	(void)lseek(err, 0, SEEK_SET);
	text = malloc(2 * TEXT_MAX);
	size = (size_t)read(err, text, 2 * TEXT_MAX - 1);
	text[size] = '\0';
	is_str(text + TAG + TEXT_MAX + 1000,
	    "\nnote\n[1,1]<stderr>:other\n"
	    "[1,0]<stderr>:rest\n",
	    "the others, and the rest of the line");
	free(text);
	free(block);
	(void)close(out);
	(void)close(err);
}

/* What two instances print with such tags, one after the other. */
static char *
run_tags(const struct mux_options *options)
{
	const int out = memfd_create("out", 0);
	struct mux *o = mux_new(2, options);
	struct stat st = { .st_size = 0 };
	off_t before;
	struct error e;
	int i, output, fd, copy;

	is_int(mux_start(o, out, out, &e), 0, "it runs");
	for (i = 0; i < 2; i++)
		for (output = 0; output < 2; output++) {
			fd = add(o, i, output, &copy);
			put(fd, "line\n");
			(void)close(fd);
			(void)close(copy);
			for (before = st.st_size; st.st_size == before;)
				if (fstat(out, &st) != 0)
					abort();
		}
	wait_for_end(o);
	mux_free(o);
	return take(out);
}

static void
test_tags(void)
{
	const struct tag_values values[2] = {
		{ .local_index = 4, .restarts = 1, .host = "pod1" },
		{ .local_index = 5, .restarts = 1, .host = "longer-pod2" },
	};
	struct mux_options options = { .tags = values };
	const int64_t before_ms = clock_real_ms();
	char *text, wanted[TAG_FORMAT_SIZE];
	int64_t ms;
	bool found = false;

	is_int(mux_tag_columns(2, &options), 14, "columns of the usual tag");
	is_int(mux_tag_columns(101, &(struct mux_options){ .shown = NULL }), 16,
	    "of the widest index");
	options.tag_format = "%i %l %r %s@%h|";
	text = run_tags(&options);
	is_str(text,
	    "0 4 1 stdout@pod1|line\n0 4 1 stderr@pod1|line\n"
	    "1 5 1 stdout@longer-pod2|line\n1 5 1 stderr@longer-pod2|line\n",
	    "each word");
	is_int(mux_tag_columns(2, &options), 6 + 6 + 1 + 11 + 1,
	    "columns of the widest host");
	free(text);
	options.tag_format = "";
	text = run_tags(&options);
	is_str(text, "line\nline\nline\nline\n", "no tag");
	is_int(mux_tag_columns(2, &options), 0, "of no columns");
	free(text);
	options.tag_format = "%T ";
	text = run_tags(&options);
	text[strcspn(text, "l")] = '\0';
	for (ms = before_ms; ms <= clock_real_ms() && !found; ms++) {
		(void)tag_format_expand("%T ", values, ms, wanted);
		found = strcmp(text, wanted) == 0;
	}
	ok(found, "the time at which it came");
	free(text);
}

int
main(void)
{
	(void)alarm(60);
	(void)signal(SIGPIPE, SIG_IGN);
	test_turns();
	test_drain();
	test_copies();
	test_copy_failures();
	test_tails();
	test_slow_reader();
	test_silent_owner();
	test_tags();
	return tap_done();
}
