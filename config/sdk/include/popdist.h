/*
 * PopDist for C: a program that poprun(1) started reads its share of the job
 * here, and exchanges data with the other instances in collectives.  See
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
	POPDIST_BOOL		/* a byte, 0 or 1; has no sums */
};

/* The reasons why a function fails. */
enum popdist_code {
	POPDIST_OK,
	POPDIST_INVALID,	/* an argument, or the environment */
	POPDIST_OTHER_VERSION,	/* poprun speaks another protocol */
	POPDIST_MISMATCH,	/* sizes, types or operations differ */
	POPDIST_TWICE,		/* the id is already in use */
	POPDIST_TIMED_OUT,
	POPDIST_GONE,		/* a needed instance has died */
	POPDIST_LEFT,		/* this or a needed instance has left */
	POPDIST_NO_COMMUNICATOR, /* not registered, or without this instance */
	POPDIST_NO_ROOM,
	POPDIST_UNAVAILABLE	/* poprun has ended, or did not start this
				   program; or a device is not available */
};

/* Return the last error of the calling thread; "" if it had none.  The text
   belongs to the library and is valid until the thread's next error. */
const char	*popdist_error_text(void);
/* Return its enum popdist_code. */
int		 popdist_error_code(void);

/*
 * The context.  Without poprun there is one instance with one replica.  Each
 * function fails if poprun's variables contradict each other or are not
 * numbers.
 */

/* Return 1 under poprun, else 0.  Does not fail. */
int	popdist_is_env_set(void);
/* Return the number of replicas of the job, the number of those of this
   instance, and the index of its first one. */
int	popdist_num_total_replicas(void);
int	popdist_num_local_replicas(void);
int	popdist_replica_index_offset(void);
/* Return the number of IPUs of each replica; 1 if it is `ipus`, else 0. */
int	popdist_num_ipus_per_replica(void);
int	popdist_check_num_ipus_per_replica(int ipus);
/* Return the number of instances of the job, and the index of this one.  Both
   fail if the replicas are not spread evenly over the instances. */
int	popdist_num_instances(void);
int	popdist_instance_index(void);
/* Return its index among the instances of this host. */
int	popdist_local_instance_index(void);
/*
 * Return the id of the device for this instance, with local replicas x `ipus`
 * IPUs.  If `ipus` is 0, each replica gets as many as poprun says.  Outside
 * poprun the first free device of this size is taken.  The program holds it
 * until it ends or detaches from it (ipubox.h).
 */
int	popdist_device_id(int ipus);
/*
 * Call set(context, name, value) for each option of Poplar's engine that
 * `poprun --autoreport-dir` asks for, unless POPLAR_ENGINE_OPTIONS says
 * otherwise.  Without --autoreport-dir, set() is not called.
 */
int	popdist_engine_options(void (*set)(void *context, const char *name,
	    const char *value), void *context);

/*
 * The backend joins the job.  Collectives need it, also in a job of one
 * instance, where they return at once.
 */

/* Check that a job can be joined from here.  Optional. */
int	popdist_register_default_backend(void);
/* Join the job without waiting for the others.  Another call does nothing. */
int	popdist_initialize_backend(void);
/* Return 1 or 0.  Does not fail. */
int	popdist_is_backend_initialized(void);
/*
 * Leave for good: instances that wait for this one, now or later, get an error.
 * Does nothing if the backend is not initialised.  A program that ends without
 * this call also leaves, but another process of its instance may join after it.
 */
int	popdist_finalize_backend(void);

/*
 * Give a set of instances a name.  Every instance of the job must call this,
 * also those outside the set, and waits for the others.  A name that is already
 * in use gets the new set.  Names have 1 to 255 bytes.
 */
int	popdist_register_communicator(const char *communicator,
	    const unsigned *instances, size_t count);
/* Return 1 if this process has registered it, else 0.  Does not fail. */
int	popdist_is_communicator(const char *communicator);

/*
 * Collectives wait until all instances of the communicator (NULL: of the job,
 * unless "default" is registered) have called the same one with the same id (1
 * to 255 bytes; NULL: "default").  Collectives with different ids are
 * independent, and may be called in any order and by several threads at once.
 */

int	popdist_synchronize(const char *communicator, const char *id);
/*
 * Replace `count` elements by the sum over all instances: ((v0 + v1) + v2) and
 * so on.  All instances get the same bits.
 */
int	popdist_all_reduce_sum(void *data, size_t count, int type,
	    const char *communicator, const char *id);
/*
 * Write `count` elements of each instance to `all`, in the order of the
 * instances.  If `data` is NULL, this instance's are already in `all`.
 */
int	popdist_all_gather(const void *data, void *all, size_t count, int type,
	    const char *communicator, const char *id);
/* Send the elements of the instance with the index `root` to all. */
int	popdist_broadcast(void *data, size_t count, int type, int root,
	    const char *communicator, const char *id);

/*
 * Set how many seconds a collective waits for the others; 0: without limit.
 * The default is POPDIST_TIMEOUT, or 0 if that is not set.
 */
int	popdist_set_timeout(double seconds);

#ifdef __cplusplus
}
#endif

#endif
