/*
 * What the figures of a profile mean for whoever cuts the model: the trade-offs
 * of a partition (memory, balance, exchange) and of a schedule (bubble), each
 * as one sentence with its numbers.
 */
#ifndef IPU_ENGINE_PROFILE_FINDINGS_H
#define IPU_ENGINE_PROFILE_FINDINGS_H

#include "ipu/engine/profile/profile_data.h"

enum finding_level { FINDING_GOOD, FINDING_NOTE, FINDING_WARNING };

enum { FINDINGS_MAX = 16, FINDING_SIZE = 640 };

struct profile_finding {
	enum finding_level	level;
	const char		*topic;		/* "balance" ... */
	char			 text[FINDING_SIZE];
};

struct findings {
	int		count;
	struct profile_finding	list[FINDINGS_MAX];
};

void		findings_init(struct findings *, const struct profile_data *);
/* "good", "note", "warning" */
const char	*findings_level_name(enum finding_level);

#endif
