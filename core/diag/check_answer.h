/*
 * The request of poprun --check to another host, and the answer: its findings
 * and its clock.  Both are JSON; the answer is one line among the shell's
 * output.
 */
#ifndef CORE_DIAG_CHECK_ANSWER_H
#define CORE_DIAG_CHECK_ANSWER_H

#include <yyjson.h>

#include "core/base/formats/encoding.h"
#include "core/diag/diag.h"

/* A file's size, -1: unknown, and the SHA-512 of its first 64 MiB. */
struct check_sum {
	int64_t size;
	char text[DIGEST_SIZE];
};

/* Read the sum of a file; it is unknown for NULL and for a file that is not
   regular or cannot be read. */
void check_sum_read(const char *path, struct check_sum *);

/* Whether two sums are known and equal. */
bool check_sum_is_same(const struct check_sum *, const struct check_sum *);

enum { CHECK_REQUEST_MAX_BYTES = 4 << 20, CHECK_REQUEST_WORDS_MAX = 65536 };

/* All texts are owned; NULL: unknown, or not requested. */
struct check_request {
	struct strvec program; /* and its arguments, as a host starts it */
	struct strvec present; /* the absolute paths in `program` and `rooms`
				  that exist on poprun's host */
	struct strvec rooms;   /* directories to be written: option, path,
				  option, path ... */
	char *search;	       /* PATH of the instances */
	char *directory;       /* start directory */
	char *path;	       /* path of the program on poprun's host */
	char *network;	       /* an interface or subnet to look for, or "" */
	char *mpirun;	       /* path of mpirun on poprun's host */
	char *mpirun_version;
	char *version;	      /* version of this program on poprun's host */
	bool directory_said;  /* `directory` is from --wdir */
	bool pipes;	      /* --pty no: without pseudo terminals */
	int instances;	      /* on that host */
	struct check_sum own; /* sum of this program's file */
	struct check_sum program_sum;
	struct check_sum script_sum;
};

/* Make an empty request; free its contents. */
void check_request_init(struct check_request *);
void check_request_release(struct check_request *);

/* Return JSON, which the caller frees. */
char *check_request_text(const struct check_request *);

/* Parse into an empty request.  -1: not valid or without a program; release the
   request all the same. */
int check_request_read(struct check_request *, const char *text, size_t size,
    struct error *);

enum { CHECK_ANSWER_MAX_BYTES = 1 << 20, CHECK_ANSWER_FINDINGS_MAX = 256 };

struct check_answer {
	int64_t began_ms; /* begin of the checks, in ms since the epoch by the
			     other host's clock */
	int64_t ended_ms; /* their end */
	struct diagnosis diagnosis;
};

/* Names of all checks in the table's order; ends with NULL. */
extern const char *const check_answer_rows[];

/* Add the findings to an array; texts are not copied, so the diagnosis must
   live as long as the document. */
void check_answer_add_findings(yyjson_mut_doc *, yyjson_mut_val *array,
    const struct diagnosis *);

/* Return an answer's line with its newline; the caller frees it. */
char *check_answer_text(const struct check_answer *);

/* Find the answer in a host's output, a string of `size` bytes: set the times
   and add the findings to the diagnosis, which must be initialised.  -1,
   without findings: the output is too long, or the answer is missing or has
   contents that this version does not produce. */
int check_answer_read(struct check_answer *, const char *text, size_t size,
    struct error *);

/* Return the other clock minus ours at the middle of the round trip; `sent_ms`
   and `received_ms` are by our real clock.  *sure_ms is the least amount by
   which the clocks differ: the size of that difference minus half the travel
   time, at least 0.  The time from began_ms to ended_ms is not travel time. */
int64_t check_answer_clock(const struct check_answer *, int64_t sent_ms,
    int64_t received_ms, int64_t *sure_ms);

/* Add the finding of the check "clock". */
void check_answer_judge_clock(const struct check_answer *, int64_t sent_ms,
    int64_t received_ms, struct diagnosis *);

#endif
