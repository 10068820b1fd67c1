/*
 * Output of many processes as one stream of lines, each with the tag of its
 * process: "[1,RANK]<stdout>:" and the text, as mpirun --tag-output writes it.
 *
 * A stream is what one process writes to one of its outputs; a sink is what
 * poprun writes to one of its own.  Only whole lines go out:
 *
 *  - a line ends at "\n"; an empty line is the tag alone;
 *  - a "\r" ends a piece that the next piece draws over, as progress bars do.
 *    A piece goes out like a line, tag first and "\r" last.  "\r\n" is the
 *    end of a line;
 *  - what stands at a stream's end without a newline gets one;
 *  - a line longer than TAGGER_LINE_MAX is broken there by a newline.
 */
#ifndef CORE_PROCESS_TAGGER_H
#define CORE_PROCESS_TAGGER_H

#include <stdbool.h>
#include <stddef.h>

enum {
	TAG_SIZE = 32,
	TAGGER_READ = 64 * 1024,	/* bytes per call of
					   tagger_stream_read() */
	TAGGER_LINE_MAX = 64 * 1024 * 1024
};

struct sink;

struct stream {
	char	 tag[TAG_SIZE];
	size_t	 tag_size;
	int	 fd;			/* read end, -1 once it has ended */
	char	*data;			/* what is held back, then new bytes;
					   NULL: never was anything */
	size_t	 held;
	size_t	 room;
	bool	 after_return;		/* the last piece ended with "\r" */
	bool	 hidden;		/* it is read, and not shown */
	int	 copy;			/* a file that gets the same bytes
					   without tags; -1: none */
	struct sink *sink;
};

struct sink {
	int	 fd;
	char	*data;
	size_t	 used;
	char	*input;			/* new bytes of a stream that holds
					   nothing back */
	int	 error;			/* errno of a failed write, then
					   everything is dropped */
	const struct stream *last;	/* who wrote the last line */
};

void	tagger_sink_init(struct sink *, int fd);
void	tagger_sink_release(struct sink *);
/* Write what is waiting. 0, or -1 and sink->error. */
int	tagger_sink_flush(struct sink *);
/* Bytes of poprun's own, whole lines. */
void	tagger_sink_put(struct sink *, const char *, size_t);

/* `name` is "stdout" or "stderr"; the stream owns the descriptor. */
void	tagger_stream_init(struct stream *, struct sink *, int rank,
	    const char *name, int fd);
void	tagger_stream_release(struct stream *);

/*
 * Read once and hand whole lines to the sink.  Returns the bytes read; 0 at
 * the end, when the rest has gone out and fd is closed; -1 when there is
 * nothing to read now.
 */
long	tagger_stream_read(struct stream *);

/* The stream ends here: what is held goes out as a line, fd is closed. */
void	tagger_stream_finish(struct stream *);

#endif
