/* Streams that come while the thread runs, and how each of them ends. */
#include "core/process/mux.h"

#include <sys/mman.h>

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "tests/unit/tap.h"

enum { INSTANCES = 20, TEXT_MAX = 1024 * 1024 };

/* A pipe to an output of an instance: its write end, and a copy of the other
   end, as a process that is being started has one. */
static int
add(struct mux *o, int instance, int output, int *copy)
{
	int	fds[2];

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
	char	path[64];
	size_t	size;
	char	*text;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	text = file_read(path, TEXT_MAX, &size, NULL);
	(void)close(file);
	return text;
}

static void
wait_for_end(struct mux *o)
{
	struct pollfd	p = { .fd = mux_event_fd(o), .events = POLLIN };

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
	const int	out = memfd_create("out", 0);
	const int	err = memfd_create("err", 0);
	struct mux	*o = mux_new(&(struct mux_options){
	    .instances = INSTANCES });
	char		wanted[INSTANCES * 32] = "", *text;
	struct error	e;
	int		copies[2 * INSTANCES], fd, i;

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
	const int	out = memfd_create("out", 0);
	const int	err = memfd_create("err", 0);
	struct mux	*o = mux_new(&(struct mux_options){
	    .instances = 2 });
	struct error	e;
	char		*text;
	int		fd, copy;

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

int
main(void)
{
	(void)alarm(60);
	test_turns();
	test_drain();
	return tap_done();
}
