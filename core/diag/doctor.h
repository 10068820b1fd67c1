/*
 * What is wrong, and what mends it, judged from facts alone.
 *
 * Source: the warnings of the V-IPU user guide 5.7 to 5.9 and of its
 * troubleshooting; the ways in which our own state can be spoilt.
 */
#ifndef CORE_DIAG_DOCTOR_H
#define CORE_DIAG_DOCTOR_H

#include "core/diag/probes.h"

enum verdict { VERDICT_OK, VERDICT_WARN, VERDICT_FAIL };

extern const char *const doctor_verdict_words[];	/* "ok", "warn",
							   "FAIL" */

enum { FINDING_SIZE = 768, REMEDY_SIZE = 256 };

struct finding {
	const char	*name;			/* of the check */
	enum verdict	 verdict;
	char		 what[FINDING_SIZE];
	char		 remedy[REMEDY_SIZE];	/* "" where all is well */
};

/* What the checks found; a check that found nothing wrong has one "ok". */
struct diagnosis {
	struct finding	*findings;
	int		 count;
	int		 failures;
	const char	*checking;	/* the name of the check at work */
};

struct check {
	const char	*name;
	void		(*run)(const struct probes *, struct diagnosis *);
};

/*
 * doctor_program.c: the checks of what programs are told, which come last;
 * ends with a NULL name.
 */
extern const struct check doctor_program_checks[];

/*
 * Add what the check at work found: the text says what is wrong and, behind a
 * tab, what mends it.
 */
void	doctor_find(struct diagnosis *, enum verdict, const char *, ...)
	    __attribute__((format(printf, 3, 4)));

/* Run all of them. */
void	doctor_diagnose(const struct probes *, struct diagnosis *);
void	doctor_release(struct diagnosis *);

#endif
