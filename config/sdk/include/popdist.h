/*
 * PopDist for C: what a program that poprun(1) started knows of its share of
 * the job, and the collectives by which the instances of a job meet.  See
 * popdist(3).
 *
 * All functions may be called by several threads at the same time.  A function
 * that fails returns -1; popdist_error_text() says why.  None of them prints
 * or ends the program.
 */
#ifndef POPDIST_H
#define POPDIST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of elements. */
enum popdist_type {
	POPDIST_HALF = 1,	/* IEEE 754, 16 bits; a sum is rounded once */
	POPDIST_FLOAT,
	POPDIST_DOUBLE,
	POPDIST_INT8,
	POPDIST_INT16,
	POPDIST_INT32,
	POPDIST_INT64,		/* sums of integers wrap around */
	POPDIST_BOOL		/* a byte, 0 or 1; cannot be added up */
};

/* Why a function failed. */
enum popdist_code {
	POPDIST_OK,
	POPDIST_INVALID,	/* an argument, or the environment */
	POPDIST_OTHER_VERSION,	/* poprun speaks another protocol */
	POPDIST_MISMATCH,	/* sizes, types or operations differ */
	POPDIST_TWICE,		/* the id is in use already */
	POPDIST_TIMED_OUT,
	POPDIST_GONE,		/* an instance that is needed has died */
	POPDIST_LEFT,		/* ... or takes part no more */
	POPDIST_NO_COMMUNICATOR, /* not registered, or not with this one */
	POPDIST_NO_ROOM,
	POPDIST_UNAVAILABLE	/* poprun has ended, or not started this; no
				   device */
};

/* The last error of the calling thread: "" where there was none yet.  The text
   is the library's, good until the thread's next error. */
const char	*popdist_error_text(void);
/* Its enum popdist_code. */
int		 popdist_error_code(void);

/*
 * The context.  Without poprun there is one instance with one replica.  Each
 * fails where the variables of poprun contradict each other or are not
 * numbers.
 */

/* 1 under poprun, else 0; does not fail. */
int	popdist_is_env_set(void);
/* Replicas of the job; of this instance; the index of its first one. */
int	popdist_num_total_replicas(void);
int	popdist_num_local_replicas(void);
int	popdist_replica_index_offset(void);
/* IPUs of each replica, and whether there are so many: 1 or 0. */
int	popdist_num_ipus_per_replica(void);
int	popdist_check_num_ipus_per_replica(int ipus);
/* Instances of the job and the index of this one.  Both fail where the
   replicas are not spread evenly over the instances. */
int	popdist_num_instances(void);
int	popdist_instance_index(void);
/* Its index among the instances of this host. */
int	popdist_local_instance_index(void);
/*
 * The id of the device for this instance, with local replicas x `ipus` IPUs; 0:
 * as many as poprun says.  Outside poprun that is the first free one of this
 * size, which the program then holds until it ends or detaches from it
 * (ipubox.h).
 */
int	popdist_device_id(int ipus);
/*
 * Call set(context, name, value) for each option of Poplar's engine that
 * `poprun --autoreport-dir` asks for, unless POPLAR_ENGINE_OPTIONS says
 * otherwise.  Outside of that there are none.
 */
int	popdist_engine_options(void (*set)(void *context, const char *name,
	    const char *value), void *context);

/*
 * The backend joins the job.  Collectives need it, also in a job of one
 * instance, where nobody is asked.
 */

/* Whether a job can be joined from here.  Need not be called. */
int	popdist_register_default_backend(void);
/* Join; does not wait for the others.  Calling it again does nothing. */
int	popdist_initialize_backend(void);
/* 1 or 0; does not fail. */
int	popdist_is_backend_initialized(void);
/*
 * Leave for good: whoever waits for this instance, now or later, gets an error.
 * Nothing where the backend is not initialised.  A program that ends without it
 * leaves too, but another process of its instance may come after it.
 */
int	popdist_finalize_backend(void);

/*
 * Give a set of instances a name.  Every instance of the job calls this, also
 * those that are not in it, and waits for the others.  A name that is in use
 * gets the new set.  Names have 1 to 255 bytes.
 */
int	popdist_register_communicator(const char *communicator,
	    const unsigned *instances, size_t count);
/* Whether this process has registered it: 1 or 0; does not fail. */
int	popdist_is_communicator(const char *communicator);

/*
 * Collectives wait until all instances of the communicator (NULL: of the job,
 * unless "default" is registered) have called the same one with the same id (1
 * to 255 bytes; NULL: "default").  Those with different ids are independent,
 * and may be called in any order and by several threads at once.
 */

int	popdist_synchronize(const char *communicator, const char *id);
/*
 * Replace `count` elements by the sum over all instances: ((v0 + v1) + v2) and
 * so on, the same bits everywhere.
 */
int	popdist_all_reduce_sum(void *data, size_t count, int type,
	    const char *communicator, const char *id);
/*
 * `all` gets `count` elements of each instance, in the order of the instances.
 * `data` NULL: this instance's are in their place in `all`.
 */
int	popdist_all_gather(const void *data, void *all, size_t count, int type,
	    const char *communicator, const char *id);
/* All get the elements of `root`, the index of an instance. */
int	popdist_broadcast(void *data, size_t count, int type, int root,
	    const char *communicator, const char *id);

/*
 * How long a collective waits for the others: in seconds, 0: as long as it
 * takes.  At first that is what POPDIST_TIMEOUT says, else 0.
 */
int	popdist_set_timeout(double seconds);

#ifdef __cplusplus
}
#endif

#endif
