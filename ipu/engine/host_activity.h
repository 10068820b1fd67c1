/*
 * What a program that computes a model itself did on this host, and when: what
 * happens once, and the parts of its calls.
 */
#ifndef IPU_ENGINE_HOST_ACTIVITY_H
#define IPU_ENGINE_HOST_ACTIVITY_H

enum host_activity_kind {
	HOST_COMPILE,
	HOST_ATTACH,
	HOST_WEIGHTS_IN,	/* to the device */
	HOST_WEIGHTS_OUT,
	HOST_DETACH,
	/* Of a call from here on. */
	HOST_INPUT,
	HOST_RUN,
	HOST_OUTPUT,
	HOST_ITERATION,		/* of the device, within the run */
	HOST_ACTIVITIES
};

struct host_activity {
	enum host_activity_kind	kind;
	long			call;		/* from 0; -1: of none */
	int			iteration;	/* from 0; -1: it is none */
	double			from_s, to_s;	/* since any beginning */
};

/* The words of a document, "compile"; they end with NULL. */
extern const char *const	host_activity_words[];
/* What a person reads, "weights to the device". */
extern const char *const	host_activity_names[];

/* Those of a program, of its calls, and the device's iterations stand in a row
   each: 0 to 2. */
enum { HOST_ACTIVITY_ROWS = 3 };
extern const char *const	host_activity_row_names[];
int	host_activity_row(enum host_activity_kind);

#endif
