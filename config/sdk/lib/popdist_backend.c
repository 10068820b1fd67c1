/*
 * Joining and leaving the job, the communicators, and which connection a thread
 * takes.  What all threads share is in `pool`, whose mutex is never held while
 * somebody waits for other instances.
 */
#include "popdist_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum state { APART, JOINED, LEFT };

struct communicator {
	struct communicator	*next;
	char			 name[POPDIST_NAME_MAX + 1];
	uint32_t		 members;
	uint32_t		 position;	/* of this instance; members:
						   it is not one */
};

static struct {
	pthread_mutex_t		 mutex;
	enum state		 state;
	pid_t			 pid;		/* who joined */
	char			*directory;	/* of the job; NULL: there is
						   one instance */
	int			 instance, instances;
	struct popdist_lane	*lanes;
	struct communicator	*communicators;
	int			 timeout_is_set;
	uint32_t		 timeout_ms;
	int			 handlers;	/* of fork and exit, are set */
} pool = { PTHREAD_MUTEX_INITIALIZER, APART, 0, NULL, 0, 1, NULL, NULL, 0, 0,
    0 };

static void
lock(void)
{
	(void)pthread_mutex_lock(&pool.mutex);
}

static void
unlock(void)
{
	(void)pthread_mutex_unlock(&pool.mutex);
}

/*
 * Asked before the mutex, which a thread of the parent may have held for ever.
 * A process that was forked before its parent joined may join itself.
 */
static int
check_fork(void)
{
	const pid_t	pid = __atomic_load_n(&pool.pid, __ATOMIC_ACQUIRE);

	if (pid == 0 || pid == getpid())
		return 0;
	return popdist_fail(POPDIST_INVALID, "this process was forked from "
	    "the process that joined the job's collectives, pid %ld; only that "
	    "process may use them", (long)pid);
}

/*
 * The copies of the connections that a fork makes would keep them open when
 * this process is gone.
 */
static void
close_in_child(void)
{
	struct popdist_lane	*lane;

	for (lane = pool.lanes; lane != NULL; lane = lane->next)
		if (lane->fd != -1)
			(void)close(lane->fd);
	unlock();
}

/* Leave by the connections that no thread uses, which are closed. */
static void
leave(int flags)
{
	struct popdist_lane	*lane;

	for (lane = pool.lanes; lane != NULL; lane = lane->next)
		if (!lane->busy && lane->fd != -1)
			popdist_lane_leave(lane, flags);
}

/* The program ends by exit(3): another process of the instance may follow. */
static void
leave_at_exit(void)
{
	if (__atomic_load_n(&pool.pid, __ATOMIC_ACQUIRE) != getpid())
		return;
	lock();
	if (pool.state == JOINED)
		leave(0);
	unlock();
}

/* Where the replicas are uneven, only the launcher's own variables tell. */
static int
find_uneven(int *instance, int *instances)
{
	static const char	rank[] = "OMPI_COMM_WORLD_RANK";
	static const char	size[] = "OMPI_COMM_WORLD_SIZE";

	if (getenv(rank) == NULL || getenv(size) == NULL)
		return popdist_fail(POPDIST_INVALID, "the replicas are not "
		    "spread evenly over the instances, but %s, which "
		    "identifies this instance, is not set",
		    getenv(rank) == NULL ? rank : size);
	if (popdist_read_variable(rank, 0, 0, instance) != 0 ||
	    popdist_read_variable(size, 1, 1, instances) != 0)
		return -1;
	if (*instance < *instances)
		return 0;
	return popdist_fail(POPDIST_INVALID, "%s is %d, but the job has %d "
	    "instances", rank, *instance, *instances);
}

/* Which instance of how many this is, and where they meet. */
static int
find_job(int *instance, int *instances, const char **directory)
{
	struct popdist_context	c;

	*directory = NULL;
	if (popdist_read_context(&c) != 0)
		return -1;
	*instance = c.instance_index;
	*instances = c.num_instances;
	if (!c.uniform && find_uneven(instance, instances) != 0)
		return -1;
	if (*instances == 1)
		return 0;
	*directory = getenv("IPUBOX_JOB_DIR");
	if (*directory == NULL || **directory == '\0')
		return popdist_fail(POPDIST_UNAVAILABLE, "the job has %d "
		    "instances, but IPUBOX_JOB_DIR, the directory where they "
		    "meet, is not set; start the job with poprun", *instances);
	return 0;
}

/* With the mutex: a connection for the calling thread, open or not. */
static struct popdist_lane *
take_lane(void)
{
	struct popdist_lane	*lane, *closed = NULL;

	for (lane = pool.lanes; lane != NULL; lane = lane->next) {
		if (lane->busy)
			continue;
		if (lane->fd != -1)
			break;
		closed = lane;
	}
	if (lane == NULL)
		lane = closed;
	if (lane == NULL) {
		lane = (struct popdist_lane *)calloc(1, sizeof(*lane));
		if (lane == NULL)
			return NULL;
		lane->fd = -1;
		lane->next = pool.lanes;
		pool.lanes = lane;
	}
	lane->busy = 1;
	return lane;
}

static void
give_lane(struct popdist_lane *lane)
{
	lock();
	lane->busy = 0;
	/* Its owner was waiting when another thread left the job. */
	if (pool.state != JOINED)
		popdist_lane_close(lane);
	unlock();
}

/* With the mutex.  The handlers are set once, whatever comes. */
static int
join_locked(void)
{
	struct popdist_lane	*lane = NULL;
	const char		*directory, *limit = getenv("POPDIST_TIMEOUT");

	if (pool.state == LEFT)
		return popdist_fail(POPDIST_LEFT, "this program has left the "
		    "job's collectives and cannot join them again");
	if (find_job(&pool.instance, &pool.instances, &directory) != 0)
		return -1;
	if (limit != NULL && !pool.timeout_is_set &&
	    popdist_read_timeout(limit, &pool.timeout_ms) != 0)
		return -1;
	free(pool.directory);
	pool.directory = directory == NULL ? NULL : strdup(directory);
	if (directory != NULL && (pool.directory == NULL ||
	    (lane = take_lane()) == NULL))
		return popdist_fail(POPDIST_NO_ROOM, "out of memory");
	if (lane != NULL) {
		lane->busy = 0;
		if (lane->fd == -1 && popdist_lane_open(lane, directory,
		    pool.instance, pool.instances) != 0)
			return -1;
	}
	if (!pool.handlers && directory != NULL) {
		if (pthread_atfork(lock, unlock, close_in_child) != 0 ||
		    atexit(leave_at_exit) != 0)
			return popdist_fail(POPDIST_NO_ROOM,
			    "out of memory");
		pool.handlers = 1;
	}
	pool.state = JOINED;
	__atomic_store_n(&pool.pid, getpid(), __ATOMIC_RELEASE);
	return 0;
}

int
popdist_register_default_backend(void)
{
	const char	*directory;
	int		 instance, instances;

	return find_job(&instance, &instances, &directory);
}

int
popdist_initialize_backend(void)
{
	int	status;

	if (check_fork() != 0)
		return -1;
	lock();
	status = pool.state == JOINED ? 0 : join_locked();
	unlock();
	return status;
}

int
popdist_is_backend_initialized(void)
{
	int	joined;

	if (__atomic_load_n(&pool.pid, __ATOMIC_ACQUIRE) != getpid())
		return 0;
	lock();
	joined = pool.state == JOINED;
	unlock();
	return joined;
}

int
popdist_finalize_backend(void)
{
	struct popdist_lane	*lane = NULL;

	if (check_fork() != 0)
		return -1;
	lock();
	if (pool.state == JOINED) {
		/* All may be in use; it is said by one that is not. */
		if (pool.directory != NULL)
			lane = take_lane();
		if (lane != NULL && lane->fd == -1)
			(void)popdist_lane_open(lane, pool.directory,
			    pool.instance, pool.instances);
		if (lane != NULL)
			lane->busy = 0;
		pool.state = LEFT;
		leave(POPDIST_FOR_GOOD);
	}
	unlock();
	return 0;
}

int
popdist_set_timeout(double seconds)
{
	const double	most = POPDIST_TIMEOUT_MAX_MS / 1000.0;

	if (!(seconds >= 0 && seconds <= most))
		return popdist_fail(POPDIST_INVALID, "time limit %g s: must be "
		    "a number from 0 to %.0f", seconds, most);
	if (check_fork() != 0)
		return -1;
	lock();
	pool.timeout_ms = (uint32_t)(seconds * 1000);
	if (pool.timeout_ms == 0 && seconds > 0)
		pool.timeout_ms = 1;	/* 0 would be none */
	pool.timeout_is_set = 1;
	unlock();
	return 0;
}

static struct communicator *
find_communicator(const char *name)
{
	struct communicator	*c;

	for (c = pool.communicators; c != NULL; c = c->next)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

int
popdist_is_communicator(const char *name)
{
	int	is_there;

	if (check_fork() != 0)
		return 0;
	lock();
	is_there = find_communicator(name) != NULL;
	unlock();
	return is_there;
}

/* With the mutex. */
static int
find_place(struct popdist_place *place, const char *name)
{
	struct communicator	*c;

	place->communicator = "";
	place->instance = pool.instance;
	place->instances = pool.instances;
	place->position = (uint32_t)pool.instance;
	place->members = (uint32_t)pool.instances;
	place->timeout_ms = pool.timeout_ms;
	c = find_communicator(name != NULL ? name : "default");
	if (c == NULL && name != NULL)
		return popdist_fail(POPDIST_NO_COMMUNICATOR, "communicator "
		    "'%s' has not been registered", name);
	if (c == NULL)
		return 0;
	if (c->position == c->members)
		return popdist_fail(POPDIST_NO_COMMUNICATOR, "instance %d is "
		    "not a member of communicator '%s'", pool.instance,
		    c->name);
	place->communicator = c->name;
	place->position = c->position;
	place->members = c->members;
	return 0;
}

/* A lane that is not open yet is opened without the mutex. */
static int
open_place(struct popdist_place *place)
{
	if (place->lane->fd != -1 || popdist_lane_open(place->lane,
	    pool.directory, pool.instance, pool.instances) == 0)
		return 0;
	give_lane(place->lane);
	return -1;
}

/* Of all instances, whatever communicators there are. */
static int
take(struct popdist_place *place, const char *communicator, int everyone)
{
	int	status = 0;

	(void)memset(place, 0, sizeof(*place));
	if (check_fork() != 0)
		return -1;
	lock();
	if (pool.state != JOINED)
		status = popdist_fail(pool.state == LEFT ? POPDIST_LEFT :
		    POPDIST_INVALID, pool.state == LEFT ? "this program has "
		    "left the job's collectives" : "the backend is not "
		    "initialised; call popdist_initialize_backend() first");
	else if (!everyone)
		status = find_place(place, communicator);
	if (status == 0 && pool.directory != NULL &&
	    (place->lane = take_lane()) == NULL)
		status = popdist_fail(POPDIST_NO_ROOM,
		    "out of memory");
	unlock();
	if (status == 0 && place->lane != NULL)
		status = open_place(place);
	return status;
}

int
popdist_take_place(struct popdist_place *place, const char *communicator)
{
	return take(place, communicator, 0);
}

void
popdist_give_place(struct popdist_place *place)
{
	if (place->lane != NULL)
		give_lane(place->lane);
}

static int
compare_numbers(const void *a, const void *b)
{
	const unsigned	x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

/* A sorted copy without those that stand there twice; *count is their number
   then.  The caller frees it. */
static unsigned *
sort_instances(const char *name, const unsigned *instances, size_t *count)
{
	unsigned	*set;
	size_t		 i, kept = 0;

	if (*count == 0) {
		(void)popdist_fail(POPDIST_INVALID, "communicator '%s' has no "
		    "instances", name);
		return NULL;
	}
	set = (unsigned *)calloc(*count, sizeof(*set));
	if (set == NULL) {
		(void)popdist_fail(POPDIST_NO_ROOM, "out of memory");
		return NULL;
	}
	(void)memcpy(set, instances, *count * sizeof(*set));
	qsort(set, *count, sizeof(*set), compare_numbers);
	for (i = 0; i < *count; i++)
		if (i == 0 || set[i] != set[i - 1])
			set[kept++] = set[i];
	*count = kept;
	if (set[kept - 1] < (unsigned)pool.instances)
		return set;
	(void)popdist_fail(POPDIST_INVALID, "communicator '%s': instance %u "
	    "does not exist", name, set[kept - 1]);
	free(set);
	return NULL;
}

/* COMMUNICATOR, which waits for all instances. */
static int
agree(struct popdist_lane *lane, const char *name, const unsigned *set,
    size_t count)
{
	const size_t		 name_bytes = strlen(name);
	const size_t		 body = 8 + name_bytes + 4 * count;
	struct popdist_message	 message;
	unsigned char		*bytes, *at;
	size_t			 i, answer;
	int			 status;

	bytes = (unsigned char *)malloc(POPDIST_HEAD_BYTES + body);
	if (bytes == NULL)
		return popdist_fail(POPDIST_NO_ROOM, "out of memory");
	at = popdist_put(bytes + POPDIST_HEAD_BYTES, name_bytes, 2);
	at = popdist_put(at, 0, 2);
	at = popdist_put(at, count, 4);
	(void)memcpy(at, name, name_bytes);
	at += name_bytes;
	for (i = 0; i < count; i++)
		at = popdist_put(at, set[i], 4);
	(void)memset(&message, 0, sizeof(message));
	message.kind = POPDIST_COMMUNICATOR;
	message.bytes = bytes;
	message.body_bytes = body;
	message.descriptor = -1;
	status = popdist_lane_ask(lane, &message, &answer);
	free(bytes);
	return status;
}

/* Known from here on by its name. */
static int
remember(const char *name, const unsigned *set, size_t count)
{
	struct communicator	*c;
	uint32_t		 i;

	lock();
	c = find_communicator(name);
	if (c == NULL) {
		c = (struct communicator *)calloc(1, sizeof(*c));
		if (c == NULL) {
			unlock();
			return popdist_fail(POPDIST_NO_ROOM,
			    "out of memory");
		}
		(void)memcpy(c->name, name, strlen(name));
		c->next = pool.communicators;
		pool.communicators = c;
	}
	c->members = (uint32_t)count;
	for (i = 0; i < count; i++)
		if (set[i] == (unsigned)pool.instance)
			break;
	c->position = i;
	unlock();
	return 0;
}

int
popdist_register_communicator(const char *name, const unsigned *instances,
    size_t count)
{
	struct popdist_place	 place;
	unsigned		*set = NULL;
	int			 status = -1;

	if (*name == '\0' || strlen(name) > POPDIST_NAME_MAX)
		return popdist_fail(POPDIST_INVALID, "the name of a "
		    "communicator must have 1 to %d bytes, not %lu",
		    POPDIST_NAME_MAX, (unsigned long)strlen(name));
	if (take(&place, NULL, 1) != 0)
		return -1;
	set = sort_instances(name, instances, &count);
	if (set != NULL && (place.lane == NULL ||
	    agree(place.lane, name, set, count) == 0))
		status = remember(name, set, count);
	popdist_give_place(&place);
	free(set);
	return status;
}
