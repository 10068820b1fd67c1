/*
 * A finding as a command: the user's own one with the options that make the
 * difference.
 */
#ifndef IPU_PROFILE_ADVICE_COMMAND_H
#define IPU_PROFILE_ADVICE_COMMAND_H

#include <stdbool.h>

#include "core/base/strvec.h"
#include "ipu/engine/engine.h"

/*
 * Add the words of the run's command, its operand first, where the run's file
 * is changed to that one: options that say otherwise are left out, those that
 * differ stand at the end.  Options that are in the table alone count.
 */
void	advice_command(struct strvec *, const struct trial_run *,
	    const struct model_file *changed, bool auto_round);

/* Those that differ alone: "--strategy", "sharded". */
void	advice_command_changes(struct strvec *, const struct trial_run *,
	    const struct model_file *changed, bool auto_round);

/* "B1,B2/B3,B4@0": what stages_parse() reads.  The caller frees it. */
char	*advice_command_stages(const struct model_file *);

#endif
