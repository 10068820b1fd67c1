/*
 * What poprun --check asks another host to look at, and what that answers: what
 * it found, and when by its clock.  Both are JSON; the answer is one line among
 * what a shell there may print.
 */
#ifndef CORE_DIAG_CHECK_ANSWER_H
#define CORE_DIAG_CHECK_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yyjson.h>

#include "core/base/error.h"
#include "core/base/formats/encoding.h"
#include "core/base/strvec.h"
#include "core/diag/diag.h"

/* A file's size, -1 where it is not known, and the digest of its first
   64 MiB. */
struct check_sum {
	int64_t size;
	char text[DIGEST_SIZE];
};

/* That of the file; NULL and one that cannot be read are not known. */
void check_sum_read(const char *path, struct check_sum *);

/* Whether both are known, and the same. */
bool check_sum_is_same(const struct check_sum *, const struct check_sum *);

enum { CHECK_REQUEST_MAX_BYTES = 4 << 20, CHECK_REQUEST_WORDS_MAX = 65536 };

/* All texts are owned; one that is NULL is not known, or not asked for. */
struct check_request {
	struct strvec program; /* its words, as a parent gets them */
	struct strvec present; /* absolute paths, of them and of the rooms, that
				  poprun's host has */
	struct strvec rooms;   /* option, path, option, path ... */
	char *search;	       /* PATH of the instances */
	char *directory;       /* where they begin */
	char *path;	       /* of the program, on poprun's host */
	char *network;	       /* an interface or a subnet; "": there is none to
				  look for */
	char *mpirun;	       /* path of mpirun on poprun's host */
	char *mpirun_version;
	char *version;	      /* of this program on poprun's host */
	bool directory_said;  /* by --wdir */
	bool pipes;	      /* no pseudo terminals: --pty no */
	int instances;	      /* on that host */
	struct check_sum own; /* of this program's file */
	struct check_sum program_sum;
	struct check_sum script_sum;
};

/* One that asks for nothing, and the end of one. */
void check_request_init(struct check_request *);
void check_request_release(struct check_request *);

/* As JSON, which the caller frees. */
char *check_request_text(const struct check_request *);

/* Back into an empty request; -1: it is not such a text. */
int check_request_read(struct check_request *, const char *text, size_t size,
    struct error *);

enum {
	CHECK_ANSWER_MAX_BYTES = 1 << 20,
	CHECK_ANSWER_FINDINGS_MAX = 256,
	CHECK_CLOCK_WARN_MS = 1000,
	CHECK_CLOCK_FAIL_MS = 5000
};

struct check_answer {
	int64_t began_ms; /* by the clock there */
	int64_t ended_ms;
	struct diagnosis diagnosis;
};

/* All checks that there are, in the order of the table; ends with NULL. */
extern const char *const check_answer_rows[];

/* The findings as elements of an array; texts are not copied. */
void check_answer_add_findings(yyjson_mut_doc *, yyjson_mut_val *array,
    const struct diagnosis *);

/* The line of an answer, with its end; the caller frees it. */
char *check_answer_text(const struct check_answer *);

/*
 * Read the answer out of what a host wrote; its findings are added.  -1: there
 * is none in it, or there is something in it that no check finds: then none is
 * added.
 */
int check_answer_read(struct check_answer *, const char *text, size_t size,
    struct error *);

/*
 * The time of the clock there less that of the clock here, by the middle of the
 * way there and back: `sent_ms` and `received_ms` are of this clock.
 * *sure_ms is that difference less half the time of that way: so far they are
 * apart whatever the way there took, and whatever the way back.
 */
int64_t check_answer_clock(const struct check_answer *, int64_t sent_ms,
    int64_t received_ms, int64_t *sure_ms);

/* What the row "clock" says of it. */
void check_answer_judge_clock(const struct check_answer *, int64_t sent_ms,
    int64_t received_ms, struct diagnosis *);

#endif
