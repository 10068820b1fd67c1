/*
 * The thread that moves the instances' output: what it waits for, and how it
 * reacts.  Read mux_thread_run() at the end first, then tagger.h.
 */
#include "core/process/mux_internal.h"

#include <sys/epoll.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/process/process.h"

enum {
	EVENTS = 64,		      /* most streams read in a round */
	PIPE_BYTES_MAX = 1024 * 1024, /* Linux's limit for users */
	PIPE_BYTES_DEFAULT = 64 * 1024,
	ALL_PIPES_BYTES = 32 * 1024 * 1024
};

/* The order of descriptors for poll(2): the wake-up, the streams of each sink,
   the owner of each sink. */
enum {
	WAIT_WAKE,
	WAIT_STREAMS,
	WAIT_OWNER = WAIT_STREAMS + MUX_OUTPUTS,
	WAITS = WAIT_OWNER + MUX_OUTPUTS
};

void
mux_thread_enlarge_pipe(int fd, size_t pipes)
{
	size_t bytes = ALL_PIPES_BYTES / pipes;

	if (bytes > PIPE_BYTES_MAX)
		bytes = PIPE_BYTES_MAX;
	if (bytes > PIPE_BYTES_DEFAULT)
		(void)fcntl(fd, F_SETPIPE_SZ, (int)bytes);
}

void
mux_thread_signal(int fd)
{
	const uint64_t one = 1;

	(void)!write(fd, &one, sizeof(one));
}

/* Read the count of an eventfd, if any. */
void
mux_thread_clear(int fd)
{
	uint64_t count;

	(void)!read(fd, &count, sizeof(count));
}

/* Write a sink's bytes.  The first failure of each output is kept and
   announced; later ones are its consequences. */
static void
flush_sink(struct mux *o, int which)
{
	struct sink *s = &o->sinks[which];

	if (s->used > 0)
		(void)tagger_sink_flush(s);
	if (s->error != 0 && atomic_load(&o->errors[which]) == 0) {
		atomic_store(&o->errors[which], s->error);
		mux_thread_signal(o->news);
	}
}

/* Take the notes under the lock and write them without it, so that a blocked
   output never holds up mux_note(). */
void
mux_thread_put_notes(struct mux *o, int output)
{
	char *notes;
	size_t size;

	(void)pthread_mutex_lock(&o->lock);
	notes = o->notes[output];
	size = o->notes_size[output];
	o->notes[output] = NULL;
	o->notes_size[output] = 0;
	(void)pthread_mutex_unlock(&o->lock);
	if (size > 0)
		tagger_sink_put(&o->sinks[output], notes, size);
	flush_sink(o, output);
	free(notes);
}

/* Return true if text of poprun waits, as it does while a line is partly
   written. */
static bool
notes_wait(struct mux *o, int output)
{
	bool wait;

	(void)pthread_mutex_lock(&o->lock);
	wait = o->notes_size[output] > 0;
	(void)pthread_mutex_unlock(&o->lock);
	return wait;
}

void
mux_thread_close_copy(struct mux_stream *st, int copy)
{
	if (st->copies[copy] != -1)
		(void)close(st->copies[copy]);
	st->copies[copy] = -1;
}

void
mux_thread_end_copy(struct mux *o, struct mux_stream *st, int copy, int number)
{
	struct copy_error *error = &o->copy_errors[copy];

	mux_thread_close_copy(st, copy);
	(void)pthread_mutex_lock(&o->lock);
	if (error->number == 0) {
		error->number = number;
		error->stream = (size_t)(st - o->streams);
		mux_thread_signal(o->news);
	}
	(void)pthread_mutex_unlock(&o->lock);
}

/* Read a stream once and handle the bytes.  Returns the result of
   tagger_stream_read().  A pipe found half full is enlarged: only then does its
   size matter. */
static long
forward_once(struct mux *o, struct mux_stream *st)
{
	const char *data;
	long n;
	int i;

	if (tagger_stream_is_timed(&st->stream))
		tagger_stream_stamp(&st->stream, clock_real_ms());
	n = tagger_stream_read(&st->stream, &data);
	if (n == 0) {
		o->open--;
		for (i = 0; i < MUX_COPIES; i++)
			mux_thread_close_copy(st, i);
	}
	if (n <= 0)
		return n;
	if (atomic_exchange(&o->echoed, false))
		for (i = 0; i < MUX_OUTPUTS; i++)
			tagger_sink_echo(&o->sinks[i]);
	tail_add(&st->tail, data, (size_t)n);
	/* A failing file must not hold up the job. */
	for (i = 0; i < MUX_COPIES; i++)
		if (st->copies[i] != -1 &&
		    file_put(st->copies[i], data, (size_t)n) != 0)
			mux_thread_end_copy(o, st, i, errno);
	tagger_stream_take(&st->stream, (size_t)n, clock_monotonic_ms());
	if (n >= PIPE_BYTES_DEFAULT / 2 && !st->large) {
		mux_thread_enlarge_pipe(st->stream.fd, o->stream_count);
		st->large = true;
	}
	return n;
}

/*
 * Read a stream with waiting bytes, so that one read does not block.  If all
 * its writers are gone, the rest is read to the end.  epoll(7) forgets a pipe
 * that is closed here only if no other process has it open, and a starting
 * instance may.
 */
static void
read_stream(struct mux *o, struct mux_stream *st, uint32_t events)
{
	const int epoll = o->epoll[(st - o->streams) % MUX_OUTPUTS];

	if ((events & EPOLLIN) != 0) {
		(void)forward_once(o, st);
		return;
	}
	(void)epoll_ctl(epoll, EPOLL_CTL_DEL, st->stream.fd, NULL);
	while (forward_once(o, st) > 0)
		;
}

/* Read the owner of a sink that poll(2) reported. */
static void
read_owner(struct mux *o, struct sink *s, short events)
{
	struct mux_stream *st;

	for (st = o->streams; &st->stream != s->owner; st++)
		;
	read_stream(o, st, (events & POLLIN) != 0 ? EPOLLIN : EPOLLHUP);
}

/* Read a stream until it is empty, and end its line. */
static void
read_rest(struct mux *o, struct mux_stream *st)
{
	if (st->stream.fd == -1)
		return;
	(void)fcntl(st->stream.fd, F_SETFL, O_NONBLOCK);
	while (st->stream.fd != -1 && forward_once(o, st) > 0)
		;
	if (st->stream.fd != -1)
		tagger_stream_finish(&st->stream);
}

/* Read every stream; owners first, because the others wait for them. */
static void
read_everything(struct mux *o)
{
	struct mux_stream *st;

	for (st = o->streams; st < o->streams + o->stream_count; st++)
		if (st->stream.sink->owner == &st->stream)
			read_rest(o, st);
	for (st = o->streams; st < o->streams + o->stream_count; st++)
		read_rest(o, st);
}

/* Apply the size set by mux_resize(), if any. */
static void
resize_streams(struct mux *o)
{
	struct mux_stream *st = o->streams;

	(void)pthread_mutex_lock(&o->lock);
	/* This fails for pipes, which does no harm. */
	for (; o->resize && st < o->streams + o->stream_count; st++)
		if (st->stream.fd != -1)
			pty_set_size(st->stream.fd, &o->size);
	if (o->resize) {
		atomic_store(&o->resized, true);
		mux_thread_signal(o->news);
	}
	o->resize = false;
	(void)pthread_mutex_unlock(&o->lock);
}

/* Wait for work.  While a sink has an owner, only the owner is watched; after a
   silence of the owner, the others too. */
static void
wait_for_streams(struct mux *o, struct pollfd fds[WAITS])
{
	const int64_t now = clock_monotonic_ms();
	struct sink *s;
	int timeout = -1, patience, i;

	fds[WAIT_WAKE] = (struct pollfd){ .fd = o->wake, .events = POLLIN };
	for (i = 0; i < MUX_OUTPUTS; i++) {
		s = &o->sinks[i];
		patience = tagger_sink_patience(s, now);
		if (patience > 0 && (timeout == -1 || patience < timeout))
			timeout = patience;
		fds[WAIT_STREAMS + i] =
		    (struct pollfd){ .fd = patience > 0 ? -1 : o->epoll[i],
			    .events = POLLIN };
		fds[WAIT_OWNER + i] =
		    (struct pollfd){ .fd = s->owner != NULL ? s->owner->fd : -1,
			    .events = POLLIN };
	}
	(void)poll(fds, WAITS, timeout);
	if (fds[WAIT_WAKE].revents != 0)
		mux_thread_clear(o->wake);
}

/* Find the streams of a sink to read now, at most EVENTS.  A silent owner's
   line is broken here if another stream waits. */
static int
find_ready(struct mux *o, int which, const struct pollfd *fds,
    struct epoll_event *events)
{
	struct sink *s = &o->sinks[which];
	bool notes;
	int n;

	if (s->owner != NULL) {
		if (fds[WAIT_OWNER + which].revents != 0) {
			read_owner(o, s, fds[WAIT_OWNER + which].revents);
			return 0;
		}
		notes = notes_wait(o, which);
		if (tagger_sink_patience(s, clock_monotonic_ms()) != 0 ||
		    (fds[WAIT_STREAMS + which].revents == 0 && !notes))
			return 0;
		if (!s->prompts || notes)
			tagger_sink_break(s);
	}
	if (fds[WAIT_STREAMS + which].revents == 0)
		return 0;
	n = epoll_wait(o->epoll[which], events, EVENTS, 0);
	return n > 0 ? n : 0;
}

/* Read those streams, up to one that becomes the sink's owner. */
static void
read_ready(struct mux *o, int which, const struct epoll_event *events, int n)
{
	const struct sink *s = &o->sinks[which];
	int i;

	for (i = 0; i < n && (s->owner == NULL || s->prompts); i++)
		read_stream(o, events[i].data.ptr, events[i].events);
}

/* The thread ends when all streams have ended, or when mux_drain() says that
   all writers are gone: a process that kept a pipe open would otherwise keep
   the job open. */
void *
mux_thread_run(void *argument)
{
	struct mux *o = argument;
	struct epoll_event events[MUX_OUTPUTS][EVENTS];
	struct pollfd fds[WAITS];
	int n[MUX_OUTPUTS], i;

	while (o->open > 0 && !atomic_load(&o->draining)) {
		wait_for_streams(o, fds);
		resize_streams(o);
		for (i = 0; i < MUX_OUTPUTS; i++)
			n[i] = find_ready(o, i, fds, events[i]);
		/* Notes queued before a stream was added come first. */
		for (i = 0; i < MUX_OUTPUTS; i++)
			if (o->sinks[i].owner == NULL)
				mux_thread_put_notes(o, i);
		for (i = 0; i < MUX_OUTPUTS; i++)
			read_ready(o, i, events[i], n[i]);
		flush_sink(o, 0);
		flush_sink(o, 1);
	}
	read_everything(o);
	mux_thread_put_notes(o, 0);
	mux_thread_put_notes(o, 1);
	atomic_store(&o->ended, true);
	mux_thread_signal(o->news);
	return NULL;
}
