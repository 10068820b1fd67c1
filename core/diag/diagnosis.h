/*
 * What was found wrong, and what remedies it: what the checks of the doctor
 * fill and vipu doctor prints.
 */
#ifndef CORE_DIAG_DIAGNOSIS_H
#define CORE_DIAG_DIAGNOSIS_H

#include "core/base/terminal.h"
#include "core/diag/probes.h"

enum verdict { VERDICT_OK, VERDICT_WARN, VERDICT_FAIL };

extern const char *const diagnosis_verdict_words[];	/* "ok", "warn",
							   "FAIL" */

/* Green, yellow, red. */
enum terminal_tone	diagnosis_tone(enum verdict);

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
	int		 failures;	/* findings of VERDICT_FAIL */
	const char	*checking;	/* the name of the check at work */
};

/* A check: it judges the probes, and adds what it finds. */
struct check {
	const char	*name;
	void		(*run)(const struct probes *, struct diagnosis *);
};

/*
 * Add what the check at work found: the text says what is wrong and, behind a
 * tab, what remedies it.  Bytes that are not printable are made so, for the
 * texts quote files; a text that is too long is cut.
 */
void	diagnosis_add(struct diagnosis *, enum verdict, const char *, ...)
	    __attribute__((format(printf, 3, 4)));

/* Free the findings; a diagnosis of zeros is empty. */
void	diagnosis_release(struct diagnosis *);

#endif
