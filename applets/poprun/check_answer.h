/*
 * What another host answers poprun --check: what it found, and by its clock
 * when.  On the way it is JSON on one line, among what a shell there may print.
 */
#ifndef APPLETS_POPRUN_CHECK_ANSWER_H
#define APPLETS_POPRUN_CHECK_ANSWER_H

#include <stddef.h>
#include <stdint.h>
#include <yyjson.h>

#include "core/base/error.h"
#include "core/diag/diagnosis.h"

enum {
	CHECK_ANSWER_MAX_BYTES = 1 << 20,
	CHECK_ANSWER_FINDINGS_MAX = 256,
	CHECK_CLOCK_WARN_MS = 1000,
	CHECK_CLOCK_FAIL_MS = 5000
};

struct check_answer {
	int64_t		 began_ms;	/* by the clock there */
	int64_t		 ended_ms;
	struct diagnosis diagnosis;
};

/* All checks that there are, in the order of the table; ends with NULL. */
extern const char *const check_answer_rows[];

/* The findings as elements of an array; texts are not copied. */
void	check_answer_add_findings(yyjson_mut_doc *, yyjson_mut_val *array,
	    const struct diagnosis *);

/* The line of an answer, with its end; the caller frees it. */
char	*check_answer_text(const struct check_answer *);

/*
 * Read the answer out of what a host wrote; its findings are added.  -1: there
 * is none in it, or there is something in it that no check finds: then none is
 * added.
 */
int	check_answer_read(struct check_answer *, const char *text, size_t size,
	    struct error *);

/*
 * The time of the clock there less that of the clock here, by the middle of the
 * way there and back: `sent_ms` and `received_ms` are of this clock.
 * *sure_ms is that difference less half the time of that way: so far they are
 * apart whatever the way there took, and whatever the way back.
 */
int64_t	check_answer_clock(const struct check_answer *, int64_t sent_ms,
	    int64_t received_ms, int64_t *sure_ms);

/* What the row "clock" says of it. */
void	check_answer_judge_clock(const struct check_answer *, int64_t sent_ms,
	    int64_t received_ms, struct diagnosis *);

#endif
