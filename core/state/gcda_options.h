/*
 * GCDA_OPTIONS: a JSON object in the environment that says how programs and
 * tools reach their IPUs, and the variables with the same meanings.  Values are
 * strings, as in the real tools; numbers and booleans are accepted as well.
 *
 * ipubox-device(7) lists them.  configFile, discoverUSBDevices and
 * forceHSPPosted concern hardware that is not emulated; only their form is
 * checked.  So is that of simulateSOCError.rearmOnReset: every program ends at
 * its first error, and each begins armed.
 *
 * Source: Graphcore command line tools, chapter 2, runtime options.
 */
#ifndef CORE_STATE_GCDA_OPTIONS_H
#define CORE_STATE_GCDA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum { GCDA_PROBLEMS_MAX = 16, GCDA_WHAT_SIZE = 640, GCDA_REMEDY_SIZE = 128 };

struct gcda_options {
	bool monitoring;
	bool monitoring_set; /* `monitoring` was set by the environment, so
				ipubox.conf is not asked */
	bool unmeasured;     /* utilisation is not measured */
	uint32_t soc_errors; /* a set (core/pod/pod.h) */
	uint32_t trigger_count;
};

/* A malformed option: where it is, why, and the remedy. */
struct gcda_problem {
	char what[GCDA_WHAT_SIZE];
	char remedy[GCDA_REMEDY_SIZE];
	bool refused; /* programs refuse to start; all other problems are
			 ignored, as by the real tools */
};

struct gcda_problems {
	struct gcda_problem rows[GCDA_PROBLEMS_MAX];
	int count;
};

/* Zero the options and read those of the text.  Well-formed ones take effect
   even where others are malformed.  Problems are appended to the list, which
   begins zeroed or is NULL; those beyond its end are dropped. */
void gcda_options_parse(struct gcda_options *, const char *text,
    struct gcda_problems *);

/*
 * Read the options of the environment: the text and the variables.  A variable
 * that is 1 wins over the text; 0 does not.  If neither sets monitoring, not
 * even to 0, ipubox.conf does.  Problems are appended as above.  An empty
 * variable counts as unset.
 */
void gcda_options_read(struct gcda_options *, struct gcda_problems *);

/* Check the text of a card file.  Returns 0, or -1 with the reason. */
int gcda_options_check_cards(const char *text, size_t size, struct error *);

#endif
