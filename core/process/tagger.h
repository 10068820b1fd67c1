/*
 * Merges the output of many processes into one stream of lines, each with the
 * tag of its process: "[1,RANK]<stdout>:" and the text, as mpirun --tag-output
 * does, or another tag (tag_format.h).
 *
 * A stream is one output of one process; a sink is one output of poprun.  Only
 * whole lines are written:
 *
 *  - a line ends at "\n"; an empty line is the tag alone;
 *  - a "\r" ends a piece that the next piece overwrites, as in progress bars.
 *    A piece is written like a line, tag first and "\r" last.  "\r\n" ends a
 *    line;
 *  - text at a stream's end without a newline gets one;
 *  - a line longer than hold_max is not held: from there on the stream owns the
 *    sink and its bytes are written as they come, until the line ends.  The
 *    caller reads no other stream of that sink meanwhile.  If the owner is
 *    silent while others wait, its line may be broken: tagger_sink_break().
 *
 * On a terminal a line is cleared ("ESC [ K") before a piece overwrites it.
 */
#ifndef CORE_PROCESS_TAGGER_H
#define CORE_PROCESS_TAGGER_H

#include <stdbool.h>

#include "core/process/tag_format.h"

enum {
	TAGGER_READ = 64 * 1024,       /* bytes per call of
					  tagger_stream_read() */
	TAGGER_HOLD_MAX = 1024 * 1024, /* at least TAGGER_READ */
	TAGGER_SILENCE_MS = 1000       /* of an owner: tagger_sink_patience() */
};

struct sink;

struct stream {
	char *tag; /* expanded, not NUL-terminated */
	size_t tag_size;
	const char *format; /* the tag's */
	struct tag_values values;
	int tick_ms;  /* how long the tag stays the same; 0: for ever */
	int64_t tick; /* the tag's time in ticks; -1: not set */
	int fd;	      /* read end, -1 once it has ended */
	char *data;   /* held bytes, then new bytes; NULL: never used */
	size_t held;  /* bytes of an incomplete line */
	size_t hold_max;
	size_t room;	   /* allocated bytes of data */
	bool after_return; /* the last piece ended with "\r" */
	bool hidden;	   /* read but not shown */
	struct sink *sink;
};

/* A terminal that two sinks may share. */
struct screen {
	struct sink *writer; /* last writer, or NULL */
	bool after_return;   /* a piece will be overwritten */
	bool dumb;	     /* it cannot clear a line */
};

struct sink {
	int fd;
	char *data;
	size_t used;		   /* bytes of data that wait to be written */
	char *input;		   /* new bytes of a stream that holds none;
				      allocated with data */
	int error;		   /* errno of a failed write, after which all
				      bytes are dropped; or 0 */
	const struct stream *last; /* writer of the last line */
	struct stream *owner;	   /* has a partly written line; or NULL */
	int64_t heard_ms;	   /* when the owner last wrote */
	struct screen *screen;	   /* NULL: not a terminal */
	bool prompts;		   /* incomplete lines are written at once:
				      only one stream is shown */
};

/* Begin a sink; free it with its unwritten bytes.  fd stays the caller's. */
void tagger_sink_init(struct sink *, int fd);
void tagger_sink_release(struct sink *);
/* Write the waiting bytes.  -1: sink->error is set, and they are lost. */
int tagger_sink_flush(struct sink *);
/* Add whole lines of poprun to the waiting bytes.  No owner may exist. */
void tagger_sink_put(struct sink *, const char *, size_t);

/* Return for how many ms the owner may stay silent; 0: its time is over, or the
   sink has prompts; -1: no owner.  tagger_sink_break() breaks its line; the
   rest begins with a tag again.  tagger_sink_echo() ends the line of a prompt,
   after which the terminal has begun a new one. */
int tagger_sink_patience(const struct sink *, int64_t now_ms);
void tagger_sink_break(struct sink *);
void tagger_sink_echo(struct sink *);

/* Begin a stream, which takes over the descriptor (-1: set `fd` later).  The
   checked format and the texts of the values must outlive it.
   tagger_stream_release() closes fd and drops held bytes. */
void tagger_stream_init(struct stream *, struct sink *, const char *format,
    const struct tag_values *, int fd);
void tagger_stream_release(struct stream *);

/* Return true if the tag has the time; then call _stamp before each read. */
bool tagger_stream_is_timed(const struct stream *);
void tagger_stream_stamp(struct stream *, int64_t real_ms);

/*
 * Read once; *data points to the new bytes until a stream of the same sink is
 * read.  Returns their count, to be passed to tagger_stream_take() before that;
 * 0 at the end or after an error, when it has called tagger_stream_finish(); -1
 * when a non-blocking fd has no bytes.  No other stream may own the sink.
 */
long tagger_stream_read(struct stream *, const char **data);

/* Pass the bytes that tagger_stream_read() counted to the sink, as far as lines
   are complete, and hold the rest; drop those of a hidden stream. */
void tagger_stream_take(struct stream *, size_t, int64_t now_ms);

/* End and release the stream: pass held bytes as a line, and close fd. */
void tagger_stream_finish(struct stream *);

#endif
