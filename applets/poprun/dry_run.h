/*
 * What poprun shows of a plan instead of running it, or before that.
 */
#ifndef APPLETS_POPRUN_DRY_RUN_H
#define APPLETS_POPRUN_DRY_RUN_H

struct plan;

/* Print the plan as text or JSON on stdout. */
void	dry_run_print(const struct plan *);

#endif
