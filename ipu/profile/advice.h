/*
 * Advice for a run, found by trials: each kind of advice changes one thing in a
 * few ways and keeps the best by the modelled clock.  A change that the program
 * would refuse, or that fills a tile too far, is dropped.
 */
#ifndef IPU_PROFILE_ADVICE_H
#define IPU_PROFILE_ADVICE_H

#include "ipu/profile/profile_data.h"

/* Share of a tile's memory that advice may fill, unless more is in use now. */
#define ADVICE_TILE_FULL 0.9
/* Least gain (present cycles / new cycles) of advice; ADVICE_ROOM has none. */
#define ADVICE_LEAST_GAIN 1.03
/* Least gain of ADVICE_FEWER_IPUS: nearly as fast. */
#define ADVICE_SAME_GAIN 0.995

enum advice_kind {
	ADVICE_CUT,	     /* the blocks, on the same IPUs */
	ADVICE_ACCUMULATION, /* more micro-batches before a flush */
	ADVICE_STRATEGY,
	ADVICE_IPUS,	    /* another number, cut anew */
	ADVICE_FEWER_IPUS,  /* as fast on fewer IPUs */
	ADVICE_MICRO_BATCH, /* other size, same product */
	ADVICE_KEEP,	    /* do not recompute */
	ADVICE_ON_CHIP,	    /* do not off-load the optimiser */
	ADVICE_ROOM	    /* empty the fullest tile */
};

struct advice {
	struct model_file file; /* the run's, with the change */
	bool auto_round;	/* with --auto-round */
	struct trial trial;
	double gain;  /* cycles per sample: present / changed */
	double other; /* the same of the other engine (test or training) */
};

struct advisor {
	const struct profile_data *data;
	const struct trial_run *run;
	struct trial_device device;
	int ipus;	     /* reserved at present */
	double cycles;	     /* per sample at present */
	size_t fullest_tile; /* bytes at present */
	int tried;	     /* number of trials so far */
};

/* Begin; the data must outlive the advisor.  -1: nothing can be tried, because
   the profile does not know its run or has no cycles, or the run cannot be
   planned. */
int advice_begin(struct advisor *, const struct profile_data *);

/* Find the best advice of that kind.  Returns whether one is worth giving; only
   then *advice is valid.  It holds pointers into itself: do not copy it. */
bool advice_find(struct advisor *, enum advice_kind, struct advice *);

/* Append the words of the run's command for the changed file: the program, the
   operand, the options that stay, then the changed options. */
void advice_command(struct strvec *, const struct trial_run *,
    const struct model_file *changed, bool auto_round);

/* Append only the changed options: "--strategy", "sharded". */
void advice_command_changes(struct strvec *, const struct trial_run *,
    const struct model_file *changed, bool auto_round);

/* The meaning of a profile's figures: the trade-offs of a partition (memory,
   balance, exchange) and of a schedule (bubble), each as a sentence with
   numbers, and a command that would help with its gain. */
enum finding_level { FINDING_GOOD, FINDING_NOTE, FINDING_WARNING };

enum { FINDINGS_MAX = 16, FINDING_SIZE = 640 };

struct profile_finding {
	enum finding_level level;
	const char *topic; /* such as "balance" */
	char text[FINDING_SIZE];
	/* The user's command with the changes, quoted for a shell; owned, or
	   NULL. */
	char *command;
	/* Predicted results of that command; 0 without one. */
	double gain;	     /* present cycles / new cycles */
	double cycles;	     /* modelled, per sample */
	int ipus;	     /* to reserve per replica */
	size_t fullest_tile; /* bytes */
};

struct findings {
	int count;
	struct profile_finding list[FINDINGS_MAX];
};

/* Collect the findings, with trials if possible. */
void findings_init(struct findings *, const struct profile_data *);
/* Free the commands of the findings. */
void findings_release(struct findings *);
/* Return "good", "note" or "warning". */
const char *findings_level_name(enum finding_level);

#endif
