/*
 * The records of trace.json: objects of Chrome's trace-event format.
 */
#ifndef IPU_PROFILE_TRACE_RECORD_H
#define IPU_PROFILE_TRACE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "ipu/profile/trace_json.h"

/* A record under way. No text in it is longer than a few words. */
struct trace_record {
	char	text[768];
	size_t	size;
};

/* Begin one of that phase in the process; end it, which writes it. */
void	trace_record_begin(struct trace_json *, struct trace_record *,
	    const char *phase, const char *name, int process);
void	trace_record_end(struct trace_json *, struct trace_record *);

/* Add text as it is, a number, `,"name":` and a number, and the same of a
   time: microseconds, which the format wants, of nanoseconds. */
void	trace_record_put(struct trace_record *, const char *text);
void	trace_record_number(struct trace_record *, int64_t);
void	trace_record_field(struct trace_record *, const char *name, int64_t);
void	trace_record_time(struct trace_record *, const char *name,
	    int64_t ns);

/* A whole record of metadata: the name of a process (row 0) or of one of its
   rows; and where it stands among them. */
void	trace_record_name(struct trace_json *, const char *what, int process,
	    int row, const char *key, const char *name);
void	trace_record_sort(struct trace_json *, const char *what, int process,
	    int row);

#endif
