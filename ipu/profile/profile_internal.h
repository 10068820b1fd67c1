/*
 * The writers of a profile's files.  The caller checks streams for errors.
 */
#ifndef IPU_PROFILE_PROFILE_INTERNAL_H
#define IPU_PROFILE_PROFILE_INTERNAL_H

#include "core/base/files/file_set.h"
#include "ipu/profile/profile_data.h"

/* Lock the directory against other instances that write files of profiles.
   Returns a descriptor, and closing it ends the lock.  Where locks do not work
   or take too long, the directory is not locked.  -1: it cannot be opened. */
int profile_files_lock(const char *directory);

/* Make the directory and its parents, if missing, readable as the umask
   allows. */
int profile_files_make_directory(const char *path, struct error *);

/* Before the run: return -1 if the file could not be written at its end. */
int profile_files_check(const char *directory, const char *name,
    struct error *);

/* Remove the file of an earlier run and the remains of a killed one.  A FIFO or
   link that a user put there stays, and is written into. */
void profile_files_remove(const char *directory, const char *name);

/* Write all files: regular ones together (file_set.h), then the user's FIFOs
   and links.  The files are readable as the umask allows.  If several instances
   share the directory, the last one to write replaces all files. */
int profile_files_write(const char *directory, const struct file_set_entry *,
    size_t count, struct error *);

/* Print summary.json, one JSON object. */
void summary_print(FILE *, const struct profile_data *);

/* Print report.html, in UTF-8. */
void report_print(FILE *, const struct profile_data *);
/* Print the page of report.html with any data, which is JSON text. */
void report_page(FILE *, const char *json);

/* trace.json: Chrome's trace-event format, which Perfetto opens. */
enum {
	TRACE_CALLS = 10, /* calls recorded in detail, at most */
	/* Steps recorded in detail, at most; about 1 KiB each. */
	TRACE_STEPS = 12000
};

struct trace_json {
	FILE *file;
	const struct profile_data *data;
	int64_t epoch_ns; /* host time that counts as 0 */
	long records;	  /* written so far */
	long steps;	  /* written so far */
	int64_t last_ns;  /* end of the last host event, since zero */
};

/* Begin the document.  The caller keeps the stream. */
void trace_json_open(struct trace_json *, FILE *, const struct profile_data *,
    int64_t epoch_ns);
/* Add the traces of the call (from 0), as profile_data_add() takes them, as far
   as TRACE_CALLS and TRACE_STEPS allow. */
void trace_json_call(struct trace_json *, const struct trace *const *,
    long call);
/* Add one call by the modelled clock, the host's activities and the record of
   the run, and end the document. */
void trace_json_close(struct trace_json *);

/* A record of trace.json, under construction: an object of Chrome's trace-event
   format.  Nothing checks its size, so its texts must be a few words long. */
struct trace_record {
	char text[768];
	size_t size;
};

/* Begin a record with that phase of Chrome's format ("X") in the process. */
void trace_record_begin(struct trace_json *, struct trace_record *,
    const char *phase, const char *name, int process);
/* End the record and write it. */
void trace_record_end(struct trace_json *, struct trace_record *);

/* Append text unchanged; a number; `,"name":` and a number; `,"name":` and a
   time, given in ns and written in microseconds. */
void trace_record_put(struct trace_record *, const char *text);
void trace_record_number(struct trace_record *, int64_t);
void trace_record_field(struct trace_record *, const char *name, int64_t);
void trace_record_time(struct trace_record *, const char *name, int64_t ns);

/* Write a whole record that sets a name, or a position, of a process (row 0) or
   of one of its rows; `what` is Chrome's word, such as "thread_name". */
void trace_record_name(struct trace_json *, const char *what, int process,
    int row, const char *key, const char *name);
void trace_record_sort(struct trace_json *, const char *what, int process,
    int row);

#endif
