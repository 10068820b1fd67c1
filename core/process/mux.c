/*
 * A thread moves the output of all instances to poprun's outputs.  The rest of
 * poprun talks to it through two eventfds, a mutex for the notes and atomics
 * for its state.
 *
 *	pipes of the instances -> tagger streams -> sinks -> stdout, stderr
 *	mux_note(), mux_drain() ... -- wake -->  thread
 *	                               thread -- news --> mux_event_fd()
 *
 * Each sink has a separate epoll(7), which is not waited for while a stream
 * owns the sink, so the other streams' writers wait.  Read mux_thread.c first.
 */
#include "core/process/mux_internal.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/process/process.h"

enum { ALL_HELD_BYTES = 64 * 1024 * 1024 };

static const char *const stream_names[MUX_OUTPUTS] = { "stdout", "stderr" };

/* Free everything but the thread, which has ended or never ran. */
static void
mux_release(struct mux *o)
{
	struct mux_stream *st;
	int i;

	for (st = o->streams; st < o->streams + o->stream_count; st++) {
		tagger_stream_release(&st->stream);
		tail_release(&st->tail);
		for (i = 0; i < MUX_COPIES; i++)
			mux_thread_close_copy(st, i);
	}
	for (i = 0; i < MUX_OUTPUTS; i++) {
		tagger_sink_release(&o->sinks[i]);
		if (o->epoll[i] != -1)
			(void)close(o->epoll[i]);
	}
	if (o->wake != -1)
		(void)close(o->wake);
	if (o->news != -1)
		(void)close(o->news);
	free(o->streams);
	strvec_release(&o->texts);
	free(o->notes[0]);
	free(o->notes[1]);
	(void)pthread_mutex_destroy(&o->lock);
	free(o);
}

/* Return how much each stream may hold, so that the total is bounded. */
static size_t
hold_max(size_t streams)
{
	const size_t share = ALL_HELD_BYTES / streams;

	return share < TAGGER_READ  ? TAGGER_READ :
	    share < TAGGER_HOLD_MAX ? share :
				      TAGGER_HOLD_MAX;
}

static const char *
mux_tag_format(const struct mux_options *options)
{
	return options->tag_format != NULL ?
	    options->tag_format :
	    TAG_FORMAT_DEFAULT;
}

/* Return the tag values of one output of an instance. */
static struct tag_values
mux_tag_values(const struct mux_options *options, int instance, int output)
{
	struct tag_values values = { .host = "" };

	if (options->tags != NULL)
		values = options->tags[instance];
	values.instance = instance;
	values.stream = stream_names[output];
	return values;
}

int
mux_tag_columns(int instances, const struct mux_options *options)
{
	struct tag_values values;
	int widest = 0, columns, i;

	for (i = 0; i < instances; i++) {
		values = mux_tag_values(options, i, 0);
		columns = tag_format_columns(mux_tag_format(options), &values);
		widest = columns > widest ? columns : widest;
	}
	return widest;
}

bool
mux_terminal_size(int instances, const struct mux_options *options, int fd,
    struct winsize *size)
{
	return pty_size_after(fd, mux_tag_columns(instances, options), size);
}

/* Copy a text for the mux's lifetime; equal consecutive texts share a copy. */
static const char *
mux_keep(struct mux *o, const char *text)
{
	if (o->texts.count == 0 ||
	    strcmp(o->texts.items[o->texts.count - 1], text) != 0)
		strvec_add(&o->texts, text);
	return o->texts.items[o->texts.count - 1];
}

struct mux *
mux_new(int instances, const struct mux_options *options)
{
	struct mux *o = xcalloc(1, sizeof(*o));
	struct mux_stream *st;
	struct tag_values tag;
	const char *format;
	size_t i;
	int instance;

	o->options = *options;
	o->stream_count = o->open = (size_t)instances * MUX_OUTPUTS;
	o->streams = xcalloc(o->stream_count, sizeof(*o->streams));
	o->epoll[0] = o->epoll[1] = o->wake = o->news = -1;
	(void)pthread_mutex_init(&o->lock, NULL);
	strvec_init(&o->texts);
	format = mux_keep(o, mux_tag_format(options));
	for (i = 0; i < o->stream_count; i++) {
		st = &o->streams[i];
		instance = (int)(i / MUX_OUTPUTS);
		tag = mux_tag_values(options, instance, (int)(i % MUX_OUTPUTS));
		tag.host = mux_keep(o, tag.host);
		tagger_stream_init(&st->stream, &o->sinks[i % MUX_OUTPUTS],
		    format, &tag, -1);
		st->stream.hold_max = hold_max(o->stream_count);
		st->stream.hidden = options->shown != NULL &&
		    !options->shown[instance];
		st->copies[0] = st->copies[1] = -1;
	}
	return o;
}

static int
mux_watch(int epoll, struct mux_stream *st)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = st };

	return epoll_ctl(epoll, EPOLL_CTL_ADD, st->stream.fd, &event);
}

/* Find the terminals, on which overwritten lines are cleared, unless they are
   dumb.  Both outputs may be the same terminal. */
static void
find_screens(struct mux *o)
{
	const char *kind = getenv("TERM");
	struct stat st[MUX_OUTPUTS];
	int i;

	for (i = 0; i < MUX_OUTPUTS; i++) {
		o->screens[i].dumb = kind == NULL || strcmp(kind, "dumb") == 0;
		if (isatty(o->sinks[i].fd) &&
		    fstat(o->sinks[i].fd, &st[i]) == 0)
			o->sinks[i].screen = &o->screens[i];
	}
	if (o->sinks[0].screen != NULL && o->sinks[1].screen != NULL &&
	    st[0].st_rdev == st[1].st_rdev)
		o->sinks[1].screen = o->sinks[0].screen;
}

/* Show lines that are not complete on a terminal, such as prompts, if the
   streams of one instance alone are shown. */
static void
find_prompts(struct mux *o)
{
	size_t i, shown = 0;

	for (i = 0; i < o->stream_count; i++)
		shown += !o->streams[i].stream.hidden;
	for (i = 0; i < MUX_OUTPUTS; i++)
		o->sinks[i].prompts = shown == MUX_OUTPUTS &&
		    o->sinks[i].screen != NULL;
}

int
mux_start(struct mux *o, int out, int err, struct error *e)
{
	int code;

	tagger_sink_init(&o->sinks[0], out);
	tagger_sink_init(&o->sinks[1], err);
	find_screens(o);
	find_prompts(o);
	/* This only affects pipes. */
	mux_thread_enlarge_pipe(out, MUX_OUTPUTS);
	mux_thread_enlarge_pipe(err, MUX_OUTPUTS);
	o->epoll[0] = epoll_create1(EPOLL_CLOEXEC);
	o->epoll[1] = epoll_create1(EPOLL_CLOEXEC);
	o->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	o->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (o->epoll[0] == -1 || o->epoll[1] == -1 || o->wake == -1 ||
	    o->news == -1)
		return error_set_errno(e, "cannot watch the output");
	code = pthread_create(&o->thread, NULL, mux_thread_run, o);
	if (code != 0)
		return program_fork_error(e, code, "a thread");
	o->running = true;
	return 0;
}

/* The thread reads the stream when epoll(7) reports it. */
int
mux_add(struct mux *o, int instance, int output, int fd)
{
	struct mux_stream *st;
	int i, number;

	st = &o->streams[instance * MUX_OUTPUTS + output];
	(void)pthread_mutex_lock(&o->lock);
	st->stream.fd = fd;
	(void)pthread_mutex_unlock(&o->lock);
	for (i = 0; i < MUX_COPIES; i++) {
		if (o->options.copies[i] == NULL)
			continue;
		st->copies[i] = output_copy_open(o->options.copies[i], instance,
		    output, &number);
		if (st->copies[i] == -1)
			mux_thread_end_copy(o, st, i, number);
	}
	return mux_watch(o->epoll[output], st) == 0 ? 0 : errno;
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

char *
mux_copy_error(struct mux *o, int *number)
{
	struct copy_error *error = o->copy_errors, *found = NULL;

	(void)pthread_mutex_lock(&o->lock);
	for (; error < o->copy_errors + MUX_COPIES && found == NULL; error++)
		if (error->number != 0 && !error->reported)
			found = error;
	if (found != NULL)
		found->reported = true;
	(void)pthread_mutex_unlock(&o->lock);
	if (found == NULL)
		return NULL;
	*number = found->number;
	return output_copy_path(o->options.copies[found - o->copy_errors],
	    (int)(found->stream / MUX_OUTPUTS),
	    (int)(found->stream % MUX_OUTPUTS));
}

bool
mux_ended(struct mux *o)
{
	mux_thread_clear(o->news);
	return atomic_load(&o->ended);
}

void
mux_note(struct mux *o, int output, const char *text, size_t size)
{
	size_t *const used = &o->notes_size[output];

	(void)pthread_mutex_lock(&o->lock);
	o->notes[output] = xreallocarray(o->notes[output], *used + size + 1, 1);
	memcpy(o->notes[output] + *used, text, size);
	*used += size;
	(void)pthread_mutex_unlock(&o->lock);
	mux_thread_signal(o->wake);
}

void
mux_resize(struct mux *o, const struct winsize *size)
{
	(void)pthread_mutex_lock(&o->lock);
	o->size = *size;
	o->resize = true;
	(void)pthread_mutex_unlock(&o->lock);
	mux_thread_signal(o->wake);
}

bool
mux_resized(struct mux *o)
{
	return atomic_exchange(&o->resized, false);
}

void
mux_echoed(struct mux *o)
{
	atomic_store(&o->echoed, true);
}

void
mux_drain(struct mux *o)
{
	atomic_store(&o->draining, true);
	mux_thread_signal(o->wake);
}

char *
mux_tail(const struct mux *o, int instance, size_t *size)
{
	const struct mux_stream *st = &o->streams[instance * MUX_OUTPUTS];
	char *text;

	if (!atomic_load(&o->ended))
		return NULL;
	text = tail_text(&st[1].tail, size);
	return text != NULL ? text : tail_text(&st[0].tail, size);
}

/* After pthread_join(3) this thread may write the sinks. */
void
mux_free(struct mux *o)
{
	if (o->running) {
		(void)pthread_join(o->thread, NULL);
		/* These notes came after the thread had ended. */
		mux_thread_put_notes(o, 0);
		mux_thread_put_notes(o, 1);
	}
	mux_release(o);
}
