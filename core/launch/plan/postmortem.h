/*
 * Why a job failed, behind the one line that says so: the first cause in full,
 * the others counted.
 */
#ifndef CORE_LAUNCH_PLAN_POSTMORTEM_H
#define CORE_LAUNCH_PLAN_POSTMORTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/launch/launch_instance.h"

enum { POSTMORTEM_TAIL_LINES = 10 };

/* What the records do not say of the instance that failed. */
struct postmortem_cause {
	int		 instance;	/* its index */
	const char	*host;		/* NULL: not worth a word */
	const char	*tail;		/* the end of what it wrote, NULL:
					   nothing */
	size_t		 tail_size;
	const char	*logs;		/* the directory of --log-dir, or
					   NULL */
	bool		 seen;		/* it was shown as it came */
};

/*
 * The instance's time and host, what became of the others, what a half sentence
 * of advice may help, and its last lines: some 14 lines, each indented by two.
 * The output of a single instance that was seen stands right above, and is not
 * repeated.
 */
void	postmortem_print(FILE *, const struct launch_instance *, int count,
	    const struct postmortem_cause *);

/* Behind a time that was over: which instances had not ended by themselves,
   or had not started; not where all of them had not. */
void	postmortem_print_running(FILE *, const struct launch_instance *,
	    int count);
void	postmortem_print_waiting(FILE *, const struct launch_instance *,
	    int count);

#endif
