/*
 * Speed matters here: a job's log has millions of short lines.  Bytes are
 * copied to the sink a word at a time while the end of the line is searched, so
 * each is touched once.  An incomplete line is moved back out of the sink and
 * held.
 */
#include "core/process/tagger.h"

#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

enum {
	WORD = sizeof(uint64_t),
	SINK_SIZE = 4 * TAGGER_READ,
	TAG_STEP = 32,		    /* bytes of a tag copied at once */
	SLACK = TAG_STEP + WORD,    /* bytes that a copy may write beyond its
				       end */
	KEEP_ROOM = 4 * TAGGER_READ /* larger buffers are freed */
};

/* Erase to the end of the line: ECMA-48, 8.3.41. */
static const char clear_line[] = "\033[K";

void
tagger_sink_init(struct sink *s, int fd)
{
	memset(s, 0, sizeof(*s));
	s->fd = fd;
	s->data = xmalloc(SINK_SIZE + SLACK + TAGGER_READ + WORD);
	s->input = s->data + SINK_SIZE + SLACK;
}

void
tagger_sink_release(struct sink *s)
{
	free(s->data);
	memset(s, 0, sizeof(*s));
}

/* Write all bytes.  After an error everything is dropped, so that the writers
   are not held up. */
static int
sink_write(struct sink *s, const char *data, size_t size)
{
	ssize_t n;

	while (size > 0 && s->error == 0) {
		n = write(s->fd, data, size);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1) {
			s->error = errno;
			break;
		}
		data += n;
		size -= (size_t)n;
	}
	return s->error != 0 ? -1 : 0;
}

int
tagger_sink_flush(struct sink *s)
{
	size_t size = s->used;

	s->used = 0;
	return sink_write(s, s->data, size);
}

static void
sink_append(struct sink *s, const char *data, size_t size)
{
	if (size > SINK_SIZE - s->used)
		(void)tagger_sink_flush(s);
	if (size > SINK_SIZE) {
		(void)sink_write(s, data, size);
		return;
	}
	memcpy(s->data + s->used, data, size);
	s->used += size;
}

/* Begin a line on a terminal: first flush its other sink, then overwrite the
   last line if needed. */
static void
begin_on_screen(struct sink *s)
{
	struct screen *screen = s->screen;

	if (screen->writer != NULL && screen->writer != s) {
		tagger_sink_break(screen->writer);
		(void)tagger_sink_flush(screen->writer);
		screen->writer->last = NULL;
	}
	screen->writer = s;
	if (screen->after_return && !screen->dumb)
		sink_append(s, clear_line, sizeof(clear_line) - 1);
	screen->after_return = false;
}

/* Write "\n" after bytes that were written before. */
static void
end_line(struct sink *s)
{
	sink_append(s, "\n", 1);
	if (s->screen != NULL)
		s->screen->after_return = false;
}

/* poprun's own text.  `last` becomes NULL, so that a "\n" that follows a piece
   ending in "\r" gets its tag again. */
void
tagger_sink_put(struct sink *s, const char *data, size_t size)
{
	if (s->screen != NULL)
		begin_on_screen(s);
	sink_append(s, data, size);
	s->last = NULL;
}

int
tagger_sink_patience(const struct sink *s, int64_t now_ms)
{
	int64_t left;

	if (s->owner == NULL)
		return -1;
	left = s->heard_ms + TAGGER_SILENCE_MS - now_ms;
	return left > 0 && !s->prompts ? (int)left : 0;
}

void
tagger_sink_echo(struct sink *s)
{
	if (s->prompts)
		s->owner = NULL;
}

void
tagger_sink_break(struct sink *s)
{
	if (s->owner == NULL)
		return;
	end_line(s);
	s->owner = NULL;
	s->last = NULL;
}

/* The tag's memory has a multiple of TAG_STEP bytes, so that it can be copied
   in steps. */
static void
make_tag(struct stream *st, int64_t real_ms)
{
	char tag[TAG_FORMAT_SIZE];

	st->tag_size = tag_format_expand(st->format, &st->values, real_ms, tag);
	st->tag = xreallocarray(st->tag, st->tag_size / TAG_STEP + 1, TAG_STEP);
	memcpy(st->tag, tag, st->tag_size);
}

/* Copy the tag.  Like copy_line() it may write beyond the end: up to TAG_STEP
   bytes. */
static inline void
copy_tag(char *to, const struct stream *st)
{
	size_t done;

	for (done = 0; done < st->tag_size; done += TAG_STEP)
		memcpy(to + done, st->tag + done, TAG_STEP);
}

void
tagger_stream_init(struct stream *st, struct sink *sink, const char *format,
    const struct tag_values *values, int fd)
{
	memset(st, 0, sizeof(*st));
	st->format = format;
	st->values = *values;
	st->tick_ms = tag_format_tick_ms(format);
	st->tick = -1;
	make_tag(st, 0);
	st->fd = fd;
	st->hold_max = TAGGER_HOLD_MAX;
	st->sink = sink;
}

bool
tagger_stream_is_timed(const struct stream *st)
{
	return st->tick_ms != 0;
}

void
tagger_stream_stamp(struct stream *st, int64_t real_ms)
{
	if (st->tick_ms == 0 || real_ms / st->tick_ms == st->tick)
		return;
	st->tick = real_ms / st->tick_ms;
	make_tag(st, real_ms);
}

void
tagger_stream_release(struct stream *st)
{
	if (st->fd != -1)
		(void)close(st->fd);
	free(st->data);
	free(st->tag);
	st->data = st->tag = NULL;
	st->tag_size = 0;
	st->fd = -1;
}

/*
 * Set the highest bit of each byte of the word that is "\n" or "\r".
 *
 * A byte of `newline` is 0 if the word has "\n" there, and (b - 0x01) & ~b &
 * 0x80 is set for b = 0: the usual test for a zero byte, eight at a time.
 */
static inline uint64_t
find_ends(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101, tops = ones << 7;
	uint64_t newline = word ^ ones * '\n';
	uint64_t ret = word ^ ones * '\r';

	/* The lowest set bit is exact; higher ones may come from a carry. */
	return ((newline - ones) & ~newline & tops) |
	    ((ret - ones) & ~ret & tops);
}

/* Copy up to and including the first "\n" or "\r", at most `size` bytes.  May
   read and write up to WORD bytes more.  Returns the bytes copied; *complete:
   the end was among them. */
static inline size_t
copy_line(char *to, const char *from, size_t size, bool *complete)
{
	uint64_t word, ends;
	size_t done = 0;

	for (; done < size; done += WORD) {
		memcpy(&word, from + done, WORD);
		memcpy(to + done, &word, WORD);
		ends = find_ends(le64toh(word));
		if (ends != 0) {
			done += (size_t)__builtin_ctzll(ends) / 8 + 1;
			*complete = done <= size;
			return *complete ? done : size;
		}
	}
	*complete = false;
	return size;
}

/* Return the position after the first end in data[from..size), or 0. */
static size_t
find_line(const char *data, size_t from, size_t size)
{
	const char *newline, *ret;

	newline = memchr(data + from, '\n', size - from);
	if (newline != NULL)
		size = (size_t)(newline - data) + 1;
	ret = memchr(data + from, '\r', size - from);
	if (ret != NULL)
		return (size_t)(ret - data) + 1;
	return newline != NULL ? size : 0;
}

/* Handle a "\n" directly after a "\r" that was written before.  If no other
   stream wrote meanwhile, it ends that same line. */
static size_t
finish_return(struct stream *st, const char *data, size_t size)
{
	struct sink *sink = st->sink;

	if (!st->after_return || size == 0)
		return 0;
	st->after_return = false;
	if (*data != '\n' || sink->last != st)
		return 0;
	end_line(sink);
	return 1;
}

/* Note that a line or piece was written, with its last byte. */
static void
after_line(struct stream *st, char last)
{
	st->after_return = last == '\r';
	st->sink->last = st;
	if (st->sink->screen != NULL)
		st->sink->screen->after_return = st->after_return;
}

/* Write a line or piece, or the beginning of one. */
static void
put_line(struct stream *st, const char *data, size_t size)
{
	struct sink *sink = st->sink;

	if (sink->screen != NULL)
		begin_on_screen(sink);
	sink_append(sink, st->tag, st->tag_size);
	sink_append(sink, data, size);
	after_line(st, data[size - 1]);
}

/* Write all complete lines of `data` to a terminal.  Returns their bytes. */
static size_t
put_lines_on_screen(struct stream *st, const char *data, size_t size)
{
	size_t done = 0, end;

	while (done < size) {
		if (finish_return(st, data + done, size - done) != 0) {
			done++;
			continue;
		}
		end = find_line(data, done, size);
		if (end == 0)
			break;
		put_line(st, data + done, end - done);
		done = end;
	}
	return done;
}

/* Write all complete lines of `data` to the sink, each copied once.  Returns
   their bytes. */
static size_t
put_lines(struct stream *st, const char *data, size_t size)
{
	struct sink *sink = st->sink;
	size_t done = 0, n;
	bool complete = true;

	if (sink->screen != NULL)
		return put_lines_on_screen(st, data, size);
	while (done < size) {
		if (st->after_return &&
		    (n = finish_return(st, data + done, size - done)) != 0) {
			done += n;
			continue;
		}
		if (sink->used + (size - done) + st->tag_size > SINK_SIZE)
			(void)tagger_sink_flush(sink);
		copy_tag(sink->data + sink->used, st);
		n = copy_line(sink->data + sink->used + st->tag_size,
		    data + done, size - done, &complete);
		if (!complete)
			break;
		sink->used += st->tag_size + n;
		done += n;
		st->after_return = data[done - 1] == '\r';
		sink->last = st;
	}
	return done;
}

/* The room includes WORD bytes more for copy_line() to read. */
static void
make_room(struct stream *st, size_t held)
{
	if (st->room >= held + TAGGER_READ + WORD)
		return;
	st->room = (held < st->hold_max / 2 ? 2 * held : st->hold_max) +
	    TAGGER_READ + WORD;
	st->data = xreallocarray(st->data, st->room, 1);
}

/* Hold the rest without an end of line.  It is in st->data already if bytes
   were held before. */
static void
tagger_hold(struct stream *st, const char *data, size_t size)
{
	if (size > 0 && st->held == 0)
		make_room(st, size);
	if (size > 0)
		memmove(st->data, data, size);
	st->held = size;
	if (size == 0 && st->room > KEEP_ROOM) {
		free(st->data);
		st->data = NULL;
		st->room = 0;
	}
}

/* Write bytes of a partly written line.  Returns how many belong to it. */
static size_t
continue_line(struct stream *st, const char *data, size_t size)
{
	size_t end = find_line(data, 0, size);

	if (end == 0) {
		sink_append(st->sink, data, size);
		return size;
	}
	sink_append(st->sink, data, end);
	after_line(st, data[end - 1]);
	st->sink->owner = NULL;
	return end;
}

/* The first `held` bytes have no end of line.  The output of the rest is less
   than a read and fits into the sink. */
void
tagger_stream_take(struct stream *st, size_t size, int64_t now_ms)
{
	const char *data = st->held > 0 ? st->data : st->sink->input;
	const size_t total = st->held + size;
	size_t done = 0;

	if (st->hidden)
		return;
	st->sink->heard_ms = now_ms;
	if (st->sink->owner == st)
		done = continue_line(st, data, total);
	else if (st->held > 0) {
		done = find_line(data, st->held, total);
		if (done == 0 && total <= st->hold_max) {
			st->held = total;
			return;
		}
		if (done == 0) {
			done = total;
			st->sink->owner = st;
		}
		put_line(st, data, done);
	}
	done += put_lines(st, data + done, total - done);
	if (st->sink->prompts && done < total) {
		put_line(st, data + done, total - done);
		st->sink->owner = st;
		done = total;
	}
	tagger_hold(st, data + done, total - done);
}

/* A line without its newline gets one, because the next text begins a line. */
void
tagger_stream_finish(struct stream *st)
{
	struct sink *sink = st->sink;

	if (st->held > 0)
		put_line(st, st->data, st->held);
	if (st->held > 0 || (st->after_return && sink->last == st))
		end_line(sink);
	if (sink->owner == st)
		tagger_sink_break(sink);
	st->held = 0;
	tagger_stream_release(st);
}

/* Read new bytes after the held ones, so that a line is contiguous.  Usually
   none are held: then all streams read into the sink's buffer, which stays in
   the processor's cache. */
long
tagger_stream_read(struct stream *st, const char **data)
{
	char *to = st->sink->input;
	ssize_t n;

	if (st->held > 0) {
		make_room(st, st->held);
		to = st->data + st->held;
	}
	do {
		n = read(st->fd, to, TAGGER_READ);
	} while (n == -1 && errno == EINTR);
	if (n == -1 && errno == EAGAIN)
		return -1;
	if (n <= 0) {
		tagger_stream_finish(st);
		return 0;
	}
	*data = to;
	return n;
}
