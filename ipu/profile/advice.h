/*
 * What would help a run, found by trying: each kind of advice changes one thing
 * of it, a few ways, and keeps the best by the modelled clock.  What the
 * program would refuse is not kept, nor what fills a tile too far.
 */
#ifndef IPU_PROFILE_ADVICE_H
#define IPU_PROFILE_ADVICE_H

#include <stdbool.h>

#include "core/base/strvec.h"
#include "ipu/engine/engine.h"
#include "ipu/profile/profile_data.h"

/* Where a tile is too full for comfort, and a column too idle. */
#define ADVICE_TILE_FULL 0.9
#define ADVICE_IDLE_AIM 0.1
/* What gains less than this is not worth another command. */
#define ADVICE_LEAST_GAIN 1.03
/* And this much is as fast. */
#define ADVICE_SAME_GAIN 0.995

enum advice_kind {
	ADVICE_CUT,	     /* the blocks, on the IPUs that it reserves */
	ADVICE_ACCUMULATION, /* more micro-batches before a flush */
	ADVICE_STRATEGY,
	ADVICE_IPUS,	    /* fewer or more of them, cut anew */
	ADVICE_FEWER_IPUS,  /* that are as fast: others would be free */
	ADVICE_MICRO_BATCH, /* of another size, the product as it is */
	ADVICE_KEEP,	    /* not to recompute */
	ADVICE_ON_CHIP,	    /* not to off-load the optimiser */
	ADVICE_ROOM	    /* what empties the fullest tile */
};

struct advice {
	struct model_file file; /* the run's, changed */
	bool auto_round;
	struct trial trial;
	double gain;  /* cycles of a sample now, over those then */
	double other; /* the same of the other engine */
};

struct advisor {
	const struct profile_data *data;
	const struct trial_run *run;
	struct trial_device device;
	int ipus;      /* that it reserves now */
	double cycles; /* of a sample now */
	size_t fullest_tile;
	int tried;
};

/* -1: the profile does not know its run, so that nothing can be tried. */
int advice_begin(struct advisor *, const struct profile_data *);

/* Whether there is advice of that kind, and which. */
bool advice_find(struct advisor *, enum advice_kind, struct advice *);

/*
 * Add the words of the run's command, its operand first, for the changed file:
 * without options that say otherwise, and with those that differ at the end.
 * Only options of the table count.
 */
void advice_command(struct strvec *, const struct trial_run *,
    const struct model_file *changed, bool auto_round);

/* Those that differ alone: "--strategy", "sharded". */
void advice_command_changes(struct strvec *, const struct trial_run *,
    const struct model_file *changed, bool auto_round);

/*
 * What the figures of a profile mean: the trade-offs of a partition (memory,
 * balance, exchange) and of a schedule (bubble), each in a sentence with its
 * numbers; and the command that would help, and what it gains.
 */
enum finding_level { FINDING_GOOD, FINDING_NOTE, FINDING_WARNING };

enum { FINDINGS_MAX = 16, FINDING_SIZE = 640 };

struct profile_finding {
	enum finding_level level;
	const char *topic; /* "balance" ... */
	char text[FINDING_SIZE];
	/* The user's command with the options that do it, as a shell takes it,
	   owned; NULL: this finding has no advice. */
	char *command;
	/* Of that command. */
	double gain;	     /* cycles now over those then */
	double cycles;	     /* modelled, of a sample */
	int ipus;	     /* to reserve for a replica */
	size_t fullest_tile; /* bytes */
};

struct findings {
	int count;
	struct profile_finding list[FINDINGS_MAX];
};

/* What is found, tried where the profile knows its run; and the end of it. */
void findings_init(struct findings *, const struct profile_data *);
void findings_release(struct findings *);
/* "good", "note", "warning" */
const char *findings_level_name(enum finding_level);

#endif
