/*
 * What would help a run, found by trying: each kind of advice changes one thing
 * of it, a few ways, and keeps the best by the modelled clock.  What the
 * program would refuse is not kept, nor what fills a tile too far.
 */
#ifndef IPU_PROFILE_ADVICE_H
#define IPU_PROFILE_ADVICE_H

#include "ipu/engine/engine.h"
#include "ipu/profile/profile_data.h"

/* Where a tile is too full for comfort, and a column too idle. */
#define ADVICE_TILE_FULL	0.9
#define ADVICE_IDLE_AIM		0.1
/* What gains less than this is not worth another command. */
#define ADVICE_LEAST_GAIN	1.03
/* And this much is as fast. */
#define ADVICE_SAME_GAIN	0.995

enum advice_kind {
	ADVICE_CUT,		/* the blocks, on the IPUs that it reserves */
	ADVICE_ACCUMULATION,	/* more micro-batches before a flush */
	ADVICE_STRATEGY,
	ADVICE_IPUS,		/* fewer or more of them, cut anew */
	ADVICE_FEWER_IPUS,	/* that are as fast: others would be free */
	ADVICE_MICRO_BATCH,	/* of another size, the product as it is */
	ADVICE_KEEP,		/* not to recompute */
	ADVICE_ON_CHIP,		/* not to off-load the optimiser */
	ADVICE_ROOM		/* what empties the fullest tile */
};

struct advice {
	struct model_file	file;	/* the run's, changed */
	bool			auto_round;
	struct trial		trial;
	double			gain;	/* cycles of a sample now, over those
					   then */
	double			other;	/* the same of the other engine */
};

struct advisor {
	const struct profile_data	*data;
	const struct trial_run		*run;
	struct trial_device		 device;
	int				 ipus;	/* that it reserves now */
	double				 cycles;	/* of a sample now */
	size_t				 fullest_tile;
	int				 tried;
};

/* -1: the profile does not know its run, so that nothing can be tried. */
int	advice_begin(struct advisor *, const struct profile_data *);

/* Whether there is advice of that kind, and which. */
bool	advice_find(struct advisor *, enum advice_kind, struct advice *);

#endif
