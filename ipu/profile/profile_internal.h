/*
 * The writers of a profile's files.  Where they take a stream, write errors are
 * the stream's: the caller looks.
 */
#ifndef IPU_PROFILE_PROFILE_INTERNAL_H
#define IPU_PROFILE_PROFILE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/base/files/file_set.h"
#include "ipu/profile/profile_data.h"

/* Make the directory and those above it, for users that the umask lets read. */
int profile_files_make_directory(const char *path, struct error *);

/* Refuse now what cannot be written at the end. */
int profile_files_check(const char *directory, const char *name,
    struct error *);

/* Remove the file of an earlier run, and what a killed one left of it.  What a
   user put there instead, as a FIFO or a link, stays and is written into. */
void profile_files_remove(const char *directory, const char *name);

/*
 * Write them all: regular files together (file_set.h), then what a user put
 * there.  The mode of the entries does not count: users that the umask lets
 * read may read.
 */
int profile_files_write(const char *directory, const struct file_set_entry *,
    size_t count, struct error *);

/* summary.json: one JSON object. */
void summary_print(FILE *, const struct profile_data *);

/* report.html, UTF-8; and its page with any data, JSON text. */
void report_print(FILE *, const struct profile_data *);
void report_page(FILE *, const char *json);

/* schedule.txt: the closed forms with their numbers, a line for each IPU, and
   the grid of schedule_view_print(). */
void schedule_text(FILE *, const struct profile_data *);

/* trace.json: Chrome's trace-event format, which Perfetto opens. */
enum {
	TRACE_CALLS = 10,   /* recorded in detail, and .. */
	TRACE_STEPS = 12000 /* .. steps, about 1 KiB each */
};

struct trace_json {
	FILE *file;
	const struct profile_data *data;
	int64_t epoch_ns; /* time zero */
	long records;
	long steps;	 /* that were written */
	int64_t last_ns; /* of the host's, since zero */
};

/* The stream stays the caller's. */
void trace_json_open(struct trace_json *, FILE *, const struct profile_data *,
    int64_t epoch_ns);
/* What the IPUs recorded in a call, the `call`th from 0: as
   profile_data_add() takes it. */
void trace_json_call(struct trace_json *, const struct trace *const *,
    long call);
/* Adds one call by the model's clock, and what was run. */
void trace_json_close(struct trace_json *);

/* A record of trace.json, an object of Chrome's trace-event format, under way.
   No text in it is longer than a few words. */
struct trace_record {
	char text[768];
	size_t size;
};

/* Begin one of that phase in the process; end it, which writes it. */
void trace_record_begin(struct trace_json *, struct trace_record *,
    const char *phase, const char *name, int process);
void trace_record_end(struct trace_json *, struct trace_record *);

/* Add text as it is, a number, `,"name":` and a number, and the same of a
   time: microseconds, which the format wants, of nanoseconds. */
void trace_record_put(struct trace_record *, const char *text);
void trace_record_number(struct trace_record *, int64_t);
void trace_record_field(struct trace_record *, const char *name, int64_t);
void trace_record_time(struct trace_record *, const char *name, int64_t ns);

/* A whole record of metadata: the name of a process (row 0) or of one of its
   rows; and where it stands among them. */
void trace_record_name(struct trace_json *, const char *what, int process,
    int row, const char *key, const char *name);
void trace_record_sort(struct trace_json *, const char *what, int process,
    int row);

#endif
