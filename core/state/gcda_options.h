/*
 * GCDA_OPTIONS, a JSON object in the environment that says how programs and
 * tools reach their IPUs, and the variables that say the same.  Values are
 * texts, as for all these tools; numbers and booleans count as well.
 *
 *	configFile                      a file, as GCDA_CONFIG_FILE: an object
 *	                                {"ipu_card_mapping":["0000:0f:00.0"]}
 *	discoverUSBDevices              (true); GCDA_NO_USB_IPU_DISCOVERY=1 is
 *	                                false
 *	enableMonitoring                have the sensors read (false, or what
 *	                                ipubox.conf says), as GCDA_MONITOR=1
 *	forceHSPPosted                  (false), as GCDA_HSP_POSTED=1
 *	monitorUtilisation              have the work measured (true);
 *	                                GCDA_SUPPRESS_UTILISATION_MEASUREMENT=1
 *	                                is false
 *	simulateSOCError.errorList      "IPUSOFTERR,...": the errors to make
 *	simulateSOCError.triggerCount   after so many calls of the engine;
 *	                                needed where there is a list
 *	simulateSOCError.rearmOnReset   again after a reset (false); only
 *	                                checked: no program here goes on
 *	                                after an error, and each begins armed
 *
 * Three of them are of hardware that is not here, and are only checked in form:
 * configFile, discoverUSBDevices and forceHSPPosted.
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
	bool monitoring_said; /* by the environment: files do not count */
	bool unmeasured;      /* utilisation is not measured */
	uint32_t soc_errors;  /* a set (core/pod/soc_error.h) */
	uint32_t trigger_count;
};

/* Something that is malformed: where, why, and what mends it. */
struct gcda_problem {
	char what[GCDA_WHAT_SIZE];
	char remedy[GCDA_REMEDY_SIZE];
	bool refused; /* programs do not begin with it; all others are passed
			 over, as by the real tools */
};

struct gcda_problems {
	struct gcda_problem rows[GCDA_PROBLEMS_MAX];
	int count;
};

/*
 * The options of that text.  What is well formed counts, whatever else is
 * malformed; the problems, which may be NULL, are added to those there are.
 */
void gcda_options_parse(struct gcda_options *, const char *text,
    struct gcda_problems *);

/*
 * Those of the environment: the text and the variables, and of the sensors
 * ipubox.conf where neither says anything.  A variable that is empty says
 * nothing.
 */
void gcda_options_read(struct gcda_options *, struct gcda_problems *);

/* The text of a file of cards, for who reads it; -1 with the reason. */
int gcda_options_check_cards(const char *text, size_t size, struct error *);

#endif
