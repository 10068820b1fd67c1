/*
 * Output of many processes as one stream of lines, each with the tag of its
 * process: "[1,RANK]<stdout>:" and the text, as mpirun --tag-output writes it,
 * or in another form (tag_format.h).
 *
 * A stream is what one process writes to one of its outputs; a sink is what
 * poprun writes to one of its own.  Only whole lines go out:
 *
 *  - a line ends at "\n"; an empty line is the tag alone;
 *  - a "\r" ends a piece that the next piece draws over, as progress bars do.
 *    A piece goes out like a line, tag first and "\r" last.  "\r\n" is the
 *    end of a line;
 *  - what stands at a stream's end without a newline gets one;
 *  - a line longer than hold_max is not held: the stream owns the sink from
 *    there on and its bytes go out as they come, until the line ends.  The
 *    caller reads no other stream of that sink meanwhile.  The line of an owner
 *    that is silent while others wait may be broken: tagger_sink_break().
 *
 * On a terminal what is drawn over a piece is cleared first ("ESC [ K"), so
 * that nothing of a longer piece is left.
 */
#ifndef CORE_PROCESS_TAGGER_H
#define CORE_PROCESS_TAGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/process/tag_format.h"

enum {
	TAGGER_READ = 64 * 1024,       /* bytes per call of
					  tagger_stream_read() */
	TAGGER_HOLD_MAX = 1024 * 1024, /* at least TAGGER_READ */
	TAGGER_SILENCE_MS = 1000
};

struct sink;

struct stream {
	char *tag; /* see make_tag() */
	size_t tag_size;
	const char *format; /* of it */
	struct tag_values values;
	int tick_ms;  /* how long it stays, 0: for ever */
	int64_t tick; /* of its time; -1: it has had none */
	int fd;	      /* read end, -1 once it has ended */
	char *data;   /* what is held back, then new bytes; NULL: never was
			 anything */
	size_t held;
	size_t hold_max;
	size_t room;
	bool after_return; /* the last piece ended with "\r" */
	bool hidden;	   /* it is read, and not shown */
	struct sink *sink;
};

/* A terminal, which two sinks may share. */
struct screen {
	struct sink *writer; /* the last that wrote; or NULL */
	bool after_return;   /* a piece is to be drawn over */
};

struct sink {
	int fd;
	char *data;
	size_t used;
	char *input;		   /* new bytes of a stream that holds nothing
				      back */
	int error;		   /* errno of a failed write, then everything
				      is dropped */
	const struct stream *last; /* who wrote the last line */
	struct stream *owner;	   /* whose line is out in part, or NULL */
	int64_t heard_ms;	   /* when the owner last wrote */
	struct screen *screen;	   /* NULL: it is not a terminal */
};

void tagger_sink_init(struct sink *, int fd);
void tagger_sink_release(struct sink *);
/* Write what is waiting. 0, or -1 and sink->error. */
int tagger_sink_flush(struct sink *);
/* Bytes of poprun's own, whole lines; not while the sink has an owner. */
void tagger_sink_put(struct sink *, const char *, size_t);

/*
 * For how many ms the owner may be silent still, 0: no more; -1: the sink has
 * no owner.  And break its line, whose rest begins with a tag again.
 */
int tagger_sink_patience(const struct sink *, int64_t now_ms);
void tagger_sink_break(struct sink *);

/*
 * The stream owns the descriptor; the format, which was checked, and the texts
 * of the values have to last as long as it does.
 */
void tagger_stream_init(struct stream *, struct sink *, const char *format,
    const struct tag_values *, int fd);
void tagger_stream_release(struct stream *);

/* Whether its tag tells the time; then, before each read: what time it is. */
bool tagger_stream_is_timed(const struct stream *);
void tagger_stream_stamp(struct stream *, int64_t real_ms);

/*
 * Read once: *data is what is new, until the next call.  Returns the bytes
 * read, to be handed on by tagger_stream_take(); 0 at the end, when what was
 * held has gone out and fd is closed (EIO of a pseudo terminal is an end too);
 * -1 when there is nothing to read now.  Not while another stream owns the
 * sink.
 */
long tagger_stream_read(struct stream *, const char **data);

/* Hand the bytes that were just read to the sink, as far as lines are whole. */
void tagger_stream_take(struct stream *, size_t, int64_t now_ms);

/* The stream ends here: what is held goes out as a line, fd is closed. */
void tagger_stream_finish(struct stream *);

#endif
