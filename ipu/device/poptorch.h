/*
 * The environment of a PopTorch program: its log level and its IPUs.
 *
 * Source: PopTorch user guide, environment variables; poptorch's logger and
 * device selection.
 */
#ifndef IPU_DEVICE_POPTORCH_H
#define IPU_DEVICE_POPTORCH_H

#include "core/pod/pod.h"
#include "core/state/gcda_options.h"

/* The numbers of poptorch.setLogLevel(). */
enum poptorch_level {
	POPTORCH_TRACE = 0, /* also TRACE_ALL */
	POPTORCH_DEBUG = 1, /* also DEBUG_IR */
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

/* Read the variables; unset ones have their defaults.  -1: an unknown level, or
   a switch that is not a number. */
int poptorch_read(struct poptorch *, struct error *);

/* Whether messages of that level are logged. */
bool poptorch_logs(const struct poptorch *, enum poptorch_level);

/* Read GCDA_OPTIONS (core/state/gcda_options.h lists them).  -1: the first
   problem that must stop a program (not a JSON object, an unknown error, a
   count that is not a number).  Valid options are set even then. */
int gcda_read(struct gcda_options *, struct error *);
/* Whether GCDA_OPTIONS, its variable or else ipubox.conf asks for sensors. */
bool gcda_monitoring(void);

/* Return the errors that the options request for the engine call that follows
   `calls` earlier ones; 0: none. */
uint32_t gcda_soc_errors(const struct gcda_options *, uint32_t calls);

/* Messages of a program with failing IPUs, in the words of PopTorch and Poplar
   (failure.c has the sources).  Each function that takes an error sets it and
   returns -1. */

/* An IPU as the failing program and the pod know it. */
struct failed_ipu {
	int index;		    /* in the program's device */
	int id;			    /* device id in the partition */
	int number;		    /* IPU# in its machine */
	char name[NAME_SIZE + 4];   /* "ag01:0" */
	char agent[NAME_SIZE];	    /* "ag01" */
	char address[ADDRESS_SIZE]; /* on the data plane */
	char partition[NAME_SIZE];
};

/* Fill in the fields that the pod knows, for an IPU of the pod; index and id
   become 0, and the caller sets them. */
void failure_describe(struct failed_ipu *, const struct pod *,
    const char *partition, int ipu);

/* Report a lost machine at now_ns (CLOCK_REALTIME). */
int failure_of_fabric(const struct failed_ipu *, int64_t now_ns,
    struct error *);
/* Report a set of errors (core/pod/pod.h) in a running program. */
int failure_of_soc(const struct failed_ipu *, uint32_t soc_errors,
    struct error *);
/* Report a set of errors that keeps a program from attaching. */
int failure_to_attach(const struct failed_ipu *, uint32_t soc_errors,
    struct error *);

/* Change the error of a program that cannot attach to the form of an uncaught
   exception: with PopTorch's class and calls. */
int failure_uncaught(struct error *);

#endif
