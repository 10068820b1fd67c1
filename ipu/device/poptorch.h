/*
 * What the environment tells a PopTorch program: how much it says, and which
 * IPUs it runs on.
 *
 * Source: PopTorch user guide, environment variables; poptorch's logger and
 * device selection.
 */
#ifndef IPU_DEVICE_POPTORCH_H
#define IPU_DEVICE_POPTORCH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/gcda_options.h"

/* The numbers of poptorch.setLogLevel(). */
enum poptorch_level {
	POPTORCH_TRACE = 0, /* TRACE_ALL too */
	POPTORCH_DEBUG = 1, /* DEBUG_IR too */
	POPTORCH_INFO = 2,
	POPTORCH_WARN = 3, /* the default */
	POPTORCH_ERR = 4,
	POPTORCH_OFF = 6
};

struct poptorch {
	enum poptorch_level level; /* POPTORCH_LOG_LEVEL */
	bool wait;		   /* POPTORCH_WAIT_FOR_IPU */
	bool wait_is_set;
	bool ipu_model; /* POPTORCH_IPU_MODEL */
};

/* Read the variables.  Refused: a level that there is not, what should be a
   number and is not; any number but 0 means yes. */
int poptorch_read(struct poptorch *, struct error *);

/* Whether what is of that level is said. */
bool poptorch_logs(const struct poptorch *, enum poptorch_level);

/*
 * Read GCDA_OPTIONS (core/state/gcda_options.h lists them).  -1 with the first
 * problem that a program must not begin with: not a JSON object, an error that
 * does not exist, a count that is not a number.  The options that could be read
 * are set even then.
 */
int gcda_read(struct gcda_options *, struct error *);
/* Whether they ask for sensors to be read, wrong as they may be otherwise. */
bool gcda_monitoring(void);

/* The errors that come when the program has made `calls` calls of an engine. */
uint32_t gcda_soc_errors(const struct gcda_options *, uint32_t calls);

/*
 * What a running program says when its IPUs fail it, in the words of PopTorch
 * and Poplar (failure.c has the sources).  Each sets the error and returns -1.
 */

/* An IPU as the failing program knows it, and as the pod does. */
struct failed_ipu {
	int index;		    /* in the program's device */
	int id;			    /* as a device of the partition */
	int number;		    /* IPU# in its machine */
	char name[NAME_SIZE + 4];   /* "ag01:0" */
	char agent[NAME_SIZE];	    /* "ag01" */
	char address[ADDRESS_SIZE]; /* data plane */
	char partition[NAME_SIZE];
};

/* What the pod knows of that IPU of its own; index and id are the caller's. */
void failure_describe(struct failed_ipu *, const struct pod *,
    const char *partition, int ipu);

/* Its machine went away; now_ns is CLOCK_REALTIME.  Or it has that set of
   errors (core/pod/soc_error.h), in a program that runs or wants to attach. */
int failure_of_fabric(const struct failed_ipu *, int64_t now_ns,
    struct error *);
int failure_of_soc(const struct failed_ipu *, uint32_t soc_errors,
    struct error *);
int failure_to_attach(const struct failed_ipu *, uint32_t soc_errors,
    struct error *);

/* The error of a program that cannot attach, as it stands in *e, in the form
   that it has where nobody caught it: with PopTorch's class, and its calls. */
int failure_uncaught(struct error *);

#endif
