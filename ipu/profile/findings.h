/*
 * What the figures of a profile mean for whoever cuts the model: the trade-offs
 * of a partition (memory, balance, exchange) and of a schedule (bubble), each
 * in a sentence with its numbers; and what would help, which advice.h has
 * tried: the command that does it and what it gains.
 */
#ifndef IPU_PROFILE_FINDINGS_H
#define IPU_PROFILE_FINDINGS_H

#include "ipu/profile/profile_data.h"

enum finding_level { FINDING_GOOD, FINDING_NOTE, FINDING_WARNING };

enum { FINDINGS_MAX = 16, FINDING_SIZE = 640 };

struct profile_finding {
	enum finding_level	level;
	const char		*topic;		/* "balance" ... */
	char			 text[FINDING_SIZE];
	/* The user's command with the options that do it, as a shell takes it,
	   owned; NULL: this finding has no advice. */
	char			*command;
	/* Of that command. */
	double			 gain;		/* modelled cycles of a sample
						   now, over those then */
	double			 cycles;	/* modelled, of a sample */
	int			 ipus;		/* to reserve for a replica */
	size_t			 fullest_tile;	/* bytes */
};

struct findings {
	int		count;
	struct profile_finding	list[FINDINGS_MAX];
};

/* What is found, tried where the profile knows its run; and the end of it. */
void		findings_init(struct findings *, const struct profile_data *);
void		findings_release(struct findings *);
/* "good", "note", "warning" */
const char	*findings_level_name(enum finding_level);

#endif
