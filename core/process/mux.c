/*
 * One thread moves what all instances write to poprun's outputs.  The rest of
 * poprun talks to it through two eventfds, a mutex for the notes and atomics
 * for its state.
 *
 *	pipes of the instances -> tagger streams -> sinks -> stdout, stderr
 *	mux_note(), mux_drain()  -- wake -->  thread  -- news -->
     mux_event_fd()
 *
 * Read mux_forward() first, then tagger.h.
 */
#include "core/process/mux.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/process/program.h"
#include "core/process/output_copy.h"
#include "core/process/tagger.h"

enum {
	EVENTS = 64,			/* streams looked at in one round */
	PIPE_BYTES_MAX = 1024 * 1024,	/* what Linux lets everyone ask for */
	PIPE_BYTES_DEFAULT = 64 * 1024,
	ALL_PIPES_BYTES = 32 * 1024 * 1024
};

/*
 * Streams and sinks belong to the thread while it runs; what is atomic or below
 * the lock is shared.
 */
struct mux {
	struct stream	*streams;
	bool		*large;		/* each one's pipe was enlarged */
	size_t		 stream_count;
	size_t		 open;		/* not ended, or not begun */
	struct sink	 sinks[MUX_OUTPUTS];
	int		 only;		/* shown, -1: all */
	const char	*directory;	/* of copies, or NULL */
	int		 epoll;
	int		 wake;		/* to the thread: a note, or drain */
	int		 news;		/* from the thread */
	atomic_bool	 draining;
	atomic_bool	 ended;
	atomic_int	 errors[MUX_OUTPUTS];
	pthread_t	 thread;
	bool		 running;
	pthread_mutex_t	 lock;		/* of the notes */
	char		*notes[MUX_OUTPUTS];
	size_t		 notes_size[MUX_OUTPUTS];
};

static const char *const stream_names[MUX_OUTPUTS] = { "stdout", "stderr" };

/* Large pipes keep the writers going, but a user's pipes have a budget. */
static void
enlarge_pipe(int fd, size_t pipes)
{
	size_t	bytes = ALL_PIPES_BYTES / pipes;

	if (bytes > PIPE_BYTES_MAX)
		bytes = PIPE_BYTES_MAX;
	if (bytes > PIPE_BYTES_DEFAULT)
		(void)fcntl(fd, F_SETPIPE_SZ, (int)bytes);
}

/* Everything but the thread, which has ended or never ran. */
static void
mux_release(struct mux *o)
{
	size_t	i;

	for (i = 0; i < o->stream_count; i++)
		tagger_stream_release(&o->streams[i]);
	for (i = 0; i < MUX_OUTPUTS; i++)
		tagger_sink_release(&o->sinks[i]);
	if (o->epoll != -1)
		(void)close(o->epoll);
	if (o->wake != -1)
		(void)close(o->wake);
	if (o->news != -1)
		(void)close(o->news);
	free(o->streams);
	free(o->large);
	for (i = 0; i < MUX_OUTPUTS; i++)
		free(o->notes[i]);
	(void)pthread_mutex_destroy(&o->lock);
	free(o);
}

struct mux *
mux_new(int instances, int only, const char *directory)
{
	struct mux	*o = xcalloc(1, sizeof(*o));
	size_t		 i, count = (size_t)instances * MUX_OUTPUTS;

	o->streams = xcalloc(count, sizeof(*o->streams));
	o->large = xcalloc(count, sizeof(*o->large));
	o->stream_count = o->open = count;
	o->only = only;
	o->directory = directory;
	o->epoll = o->wake = o->news = -1;
	(void)pthread_mutex_init(&o->lock, NULL);
	for (i = 0; i < count; i++)
		tagger_stream_init(&o->streams[i], &o->sinks[i % MUX_OUTPUTS],
		    (int)(i / MUX_OUTPUTS), stream_names[i % MUX_OUTPUTS], -1);
	return o;
}

/* Adds one to an eventfd: it is readable until somebody clears it. */
static void
signal_event(int fd)
{
	const uint64_t	one = 1;

	(void)!write(fd, &one, sizeof(one));
}

/* Takes what is there; nothing is there where nobody signalled. */
static void
clear_event(int fd)
{
	uint64_t	count;

	(void)!read(fd, &count, sizeof(count));
}

/*
 * Write what a sink holds.  The first failure of each output is kept and
 * announced; later ones are its consequences.
 */
static void
mux_flush(struct mux *o, int which)
{
	struct sink	*s = &o->sinks[which];

	if (s->used > 0)
		(void)tagger_sink_flush(s);
	if (s->error != 0 && atomic_load(&o->errors[which]) == 0) {
		atomic_store(&o->errors[which], s->error);
		signal_event(o->news);
	}
}

/*
 * The notes are taken out under the lock and written without it, so that a
 * blocked output never holds up mux_note().
 */
static void
put_notes(struct mux *o)
{
	char	*notes[MUX_OUTPUTS];
	size_t	 sizes[MUX_OUTPUTS], i;

	(void)pthread_mutex_lock(&o->lock);
	memcpy(notes, o->notes, sizeof(notes));
	memcpy(sizes, o->notes_size, sizeof(sizes));
	memset(o->notes, 0, sizeof(o->notes));
	memset(o->notes_size, 0, sizeof(o->notes_size));
	(void)pthread_mutex_unlock(&o->lock);
	for (i = 0; i < MUX_OUTPUTS; i++) {
		if (sizes[i] > 0)
			tagger_sink_put(&o->sinks[i], notes[i], sizes[i]);
		free(notes[i]);
	}
}

/*
 * One read of a stream that has something, so that it does not wait; at the end
 * there is no EPOLLIN.  epoll(7) forgets a pipe that we close only when nobody
 * else has it open, and an instance that is being started may have.  A pipe
 * that is found half full gets larger: only then does its size matter.
 */
static void
read_stream(struct mux *o, struct stream *st, uint32_t events)
{
	const size_t	which = (size_t)(st - o->streams);
	long		n;

	if ((events & EPOLLIN) == 0)
		(void)epoll_ctl(o->epoll, EPOLL_CTL_DEL, st->fd, NULL);
	n = tagger_stream_read(st);
	if (n == 0)
		o->open--;
	if (n < PIPE_BYTES_DEFAULT / 2 || o->large[which])
		return;
	enlarge_pipe(st->fd, o->stream_count);
	o->large[which] = true;
}

/* Read every stream until it has nothing to give. */
static void
read_everything(struct mux *o)
{
	struct stream	*st;

	for (st = o->streams; st < o->streams + o->stream_count; st++) {
		if (st->fd == -1)
			continue;
		(void)fcntl(st->fd, F_SETFL, O_NONBLOCK);
		while (st->fd != -1 && tagger_stream_read(st) > 0)
			;
	}
}

/*
 * The thread.  It ends when all streams have ended, or when mux_drain() says
 * that no writer is left: a process that kept its pipe open would otherwise
 * keep the job open.
 */
static void *
mux_forward(void *argument)
{
	struct mux		*o = argument;
	struct epoll_event	 events[EVENTS];
	int			 n, i;

	while (o->open > 0 && !atomic_load(&o->draining)) {
		n = epoll_wait(o->epoll, events, EVENTS, -1);
		for (i = 0; i < n; i++)
			if (events[i].data.ptr == NULL)
				clear_event(o->wake);
		/* What was noted before a stream was added comes first. */
		put_notes(o);
		mux_flush(o, 0);
		mux_flush(o, 1);
		for (i = 0; i < n; i++)
			if (events[i].data.ptr != NULL)
				read_stream(o, events[i].data.ptr,
				    events[i].events);
		mux_flush(o, 0);
		mux_flush(o, 1);
	}
	read_everything(o);
	/* A stream that ends with its line open gets its newline. */
	for (i = 0; (size_t)i < o->stream_count; i++)
		if (o->streams[i].fd != -1)
			tagger_stream_finish(&o->streams[i]);
	put_notes(o);
	mux_flush(o, 0);
	mux_flush(o, 1);
	atomic_store(&o->ended, true);
	signal_event(o->news);
	return NULL;
}

/* `what` comes back in the event: the stream, NULL for the wake-up. */
static int
mux_watch(const struct mux *o, int fd, void *what)
{
	struct epoll_event	event = {
		.events = EPOLLIN, .data.ptr = what
	};

	return epoll_ctl(o->epoll, EPOLL_CTL_ADD, fd, &event);
}

int
mux_start(struct mux *o, int out, int err, struct error *e)
{
	int	code;

	tagger_sink_init(&o->sinks[0], out);
	tagger_sink_init(&o->sinks[1], err);
	/* No effect on what is no pipe. */
	enlarge_pipe(out, MUX_OUTPUTS);
	enlarge_pipe(err, MUX_OUTPUTS);
	o->epoll = epoll_create1(EPOLL_CLOEXEC);
	o->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	o->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (o->epoll == -1 || o->wake == -1 || o->news == -1 ||
	    mux_watch(o, o->wake, NULL) != 0)
		return error_set_errno(e, "cannot watch the output");
	code = pthread_create(&o->thread, NULL, mux_forward, o);
	if (code != 0)
		return program_fork_error(e, code, "a thread");
	o->running = true;
	return 0;
}

/* The thread looks at the stream when epoll(7) tells it to. */
int
mux_add(struct mux *o, int instance, int output, int fd)
{
	struct stream	*st = &o->streams[instance * MUX_OUTPUTS + output];

	st->fd = fd;
	st->hidden = o->only != -1 && o->only != instance;
	if (o->directory != NULL) {
		st->copy = output_copy_open(o->directory, instance,
		    (int)(o->stream_count / MUX_OUTPUTS),
		    stream_names[output]);
		if (st->copy == -1)
			return errno;
	}
	return mux_watch(o, fd, st) == 0 ? 0 : errno;
}

int
mux_event_fd(const struct mux *o)
{
	return o->news;
}

int
mux_error(struct mux *o, int *which)
{
	for (*which = 0; *which < MUX_OUTPUTS; ++*which)
		if (atomic_load(&o->errors[*which]) != 0)
			return atomic_load(&o->errors[*which]);
	return 0;
}

bool
mux_ended(struct mux *o)
{
	clear_event(o->news);
	return atomic_load(&o->ended);
}

void
mux_note(struct mux *o, int output, const char *text, size_t size)
{
	size_t	*const	used = &o->notes_size[output];

	(void)pthread_mutex_lock(&o->lock);
	o->notes[output] = xreallocarray(o->notes[output], *used + size + 1,
	    1);
	memcpy(o->notes[output] + *used, text, size);
	*used += size;
	(void)pthread_mutex_unlock(&o->lock);
	signal_event(o->wake);
}

void
mux_drain(struct mux *o)
{
	atomic_store(&o->draining, true);
	signal_event(o->wake);
}

/*
 * pthread_join(3) comes first: from then on the sinks are this thread's to
 * write.
 */
void
mux_free(struct mux *o)
{
	if (o->running) {
		(void)pthread_join(o->thread, NULL);
		/* Notes that came when the thread was through. */
		put_notes(o);
		mux_flush(o, 0);
		mux_flush(o, 1);
	}
	mux_release(o);
}
