/*
 * The writers of a profile's files.  The caller checks streams for errors.
 */
#ifndef IPU_PROFILE_PROFILE_INTERNAL_H
#define IPU_PROFILE_PROFILE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/base/files/file_set.h"
#include "ipu/profile/profile_data.h"

/* Make the directory and its parents, readable as the umask allows. */
int profile_files_make_directory(const char *path, struct error *);

/* Refuse early a file that could not be written at the end. */
int profile_files_check(const char *directory, const char *name,
    struct error *);

/* Remove the file of an earlier run and the remains of a killed one.  A FIFO or
   link that a user put there stays, and is written into. */
void profile_files_remove(const char *directory, const char *name);

/* Write all files: regular ones together (file_set.h), then the user's FIFOs
   and links.  The files are readable as the umask allows. */
int profile_files_write(const char *directory, const struct file_set_entry *,
    size_t count, struct error *);

/* Print summary.json, one JSON object. */
void summary_print(FILE *, const struct profile_data *);

/* Print report.html, UTF-8; and its page with any data, which is JSON text. */
void report_print(FILE *, const struct profile_data *);
void report_page(FILE *, const char *json);

/* Print schedule.txt: the closed forms with their numbers, a line for each IPU,
   and the grid of schedule_view_print(). */
void schedule_text(FILE *, const struct profile_data *);

/* trace.json: Chrome's trace-event format, which Perfetto opens. */
enum {
	TRACE_CALLS = 10,   /* recorded in detail */
	TRACE_STEPS = 12000 /* detailed steps, about 1 KiB each */
};

struct trace_json {
	FILE *file;
	const struct profile_data *data;
	int64_t epoch_ns; /* time zero */
	long records;
	long steps;	 /* written so far */
	int64_t last_ns; /* host time since zero */
};

/* Begin.  The caller keeps the stream. */
void trace_json_open(struct trace_json *, FILE *, const struct profile_data *,
    int64_t epoch_ns);
/* Add the traces of the call (from 0), as profile_data_add() takes them. */
void trace_json_call(struct trace_json *, const struct trace *const *,
    long call);
/* Add one call by the model's clock and the record of the run, and end. */
void trace_json_close(struct trace_json *);

/* A record of trace.json, under construction: an object of Chrome's trace-event
   format.  Its texts are a few words long. */
struct trace_record {
	char text[768];
	size_t size;
};

/* Begin a record of that phase in the process; end and write it. */
void trace_record_begin(struct trace_json *, struct trace_record *,
    const char *phase, const char *name, int process);
void trace_record_end(struct trace_json *, struct trace_record *);

/* Append text unchanged; a number; `,"name":` and a number; the same with a
   time in ns, converted to the format's microseconds. */
void trace_record_put(struct trace_record *, const char *text);
void trace_record_number(struct trace_record *, int64_t);
void trace_record_field(struct trace_record *, const char *name, int64_t);
void trace_record_time(struct trace_record *, const char *name, int64_t ns);

/* Write a name, or a position, of a process (row 0) or one of its rows. */
void trace_record_name(struct trace_json *, const char *what, int process,
    int row, const char *key, const char *name);
void trace_record_sort(struct trace_json *, const char *what, int process,
    int row);

#endif
