/*
 * Devices of the program.  One child holds them all, also the one that
 * popdist_device_id() has taken, which a later attach takes over.
 */
#include "popdist_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ipubox_device {
	unsigned	 generation;	/* of the child that holds it */
	int		 id, count, gcd;
	char		**names, **values;
	int		 attributes;	/* -1: none were read */
};

static struct {
	pthread_mutex_t		mutex;
	struct ipubox_child	child;
	unsigned		generation;	/* how many children there
						   were; 0: none */
	int			attached;	/* devices that it holds */
	int			is_kept;	/* for popdist_device_id() */
	int			handlers;	/* of fork, are set */
} shared = { PTHREAD_MUTEX_INITIALIZER, { -1, 0, 0, 0, 0, { 0 } }, 0, 0, 0,
    0 };

static void
lock(void)
{
	(void)pthread_mutex_lock(&shared.mutex);
}

static void
unlock(void)
{
	(void)pthread_mutex_unlock(&shared.mutex);
}

static void
forget_attributes(struct ipubox_device *d)
{
	int	i;

	for (i = 0; i < d->attributes; i++) {
		free(d->names[i]);
		free(d->values[i]);
	}
	free(d->names);
	free(d->values);
	d->names = d->values = NULL;
	d->attributes = -1;
}

static void
free_device(struct ipubox_device *d)
{
	forget_attributes(d);
	free(d);
}

/*
 * With the mutex: there is a child of this very process.  What another one
 * holds, from which this was forked, is not touched.
 */
static int
need_child(void)
{
	/* So that no process is forked with a mutex that nobody gives back. */
	if (!shared.handlers && pthread_atfork(lock, unlock, unlock) != 0)
		return popdist_fail(POPDIST_NO_ROOM, "out of memory");
	shared.handlers = 1;
	if (shared.generation > 0 && shared.child.fd != -1 &&
	    shared.child.owner == getpid())
		return 0;
	if (shared.generation > 0)
		ipubox_child_end(&shared.child);
	shared.generation++;
	shared.attached = shared.is_kept = 0;
	return ipubox_child_start(&shared.child);
}

/* With the mutex: a child that holds nothing need not stay. */
static void
end_idle_child(void)
{
	if (shared.attached == 0 && !shared.is_kept)
		ipubox_child_end(&shared.child);
}

/* With the mutex: the child holds that device still, for this process. */
static int
need_device(const struct ipubox_device *d)
{
	if (shared.child.owner != getpid())
		return popdist_fail(POPDIST_INVALID, "this process was forked "
		    "from the process that holds the device, pid %ld; only "
		    "that process may use it", (long)shared.child.owner);
	if (shared.child.fd == -1 || d->generation != shared.generation)
		return popdist_fail_word(POPDIST_UNAVAILABLE, "unavailable",
		    "the ipubox that held the device has ended");
	return 0;
}

/* With the mutex: a request of two words, and up to three numbers of the
   answer behind its "ok". */
static int
ask(const char *verb, int first, int second, int wanted, int numbers[3])
{
	char	request[64], *answer;

	if (second == -2)
		(void)snprintf(request, sizeof(request), "%s %d\n", verb,
		    first);
	else
		(void)snprintf(request, sizeof(request), "%s %d %d\n", verb,
		    first, second);
	if (ipubox_child_ask(&shared.child, request, &answer) != 0)
		return -1;
	if (wanted == 0 || sscanf(answer, "%d %d %d", &numbers[0], &numbers[1],
	    &numbers[2]) == wanted)
		return 0;
	return popdist_fail(POPDIST_UNAVAILABLE, "ipubox answered "
	    "'ok%.100s', which is not a valid answer", answer);
}

/* With the mutex. */
static int
attach(struct ipubox_device *d, int ipus, int device_id)
{
	int	numbers[3] = { 0, 0, 0 }, status;

	if (need_child() != 0)
		return -1;
	status = ask("attach", ipus, device_id, 3, numbers);
	if (status == 0) {
		d->generation = shared.generation;
		d->id = numbers[0];
		d->count = numbers[1];
		d->gcd = numbers[2];
		shared.attached++;
	}
	end_idle_child();
	return status;
}

struct ipubox_device *
ipubox_attach(int ipus, int device_id)
{
	struct ipubox_device	*d;
	int			 status;

	if (ipus < 0 || device_id < -1) {
		(void)popdist_fail(POPDIST_INVALID, "a device with %d IPUs "
		    "and id %d does not exist", ipus, device_id);
		return NULL;
	}
	d = (struct ipubox_device *)calloc(1, sizeof(*d));
	if (d == NULL) {
		(void)popdist_fail(POPDIST_NO_ROOM, "out of memory");
		return NULL;
	}
	d->attributes = -1;
	lock();
	status = attach(d, ipus, device_id);
	unlock();
	if (status == 0)
		return d;
	free_device(d);
	return NULL;
}

int
ipubox_detach(struct ipubox_device *d)
{
	int	status;

	if (d == NULL)
		return 0;
	lock();
	status = need_device(d);
	if (status == 0) {
		status = ask("detach", d->id, -2, 0, NULL);
		shared.attached--;
		end_idle_child();
	}
	unlock();
	free_device(d);
	return status;
}

int
ipubox_device_id(const struct ipubox_device *d)
{
	return d->id;
}

int
ipubox_ipu_count(const struct ipubox_device *d)
{
	return d->count;
}

int
ipubox_gcd(const struct ipubox_device *d)
{
	return d->gcd;
}

/* A "NAME: VALUE"; names have no colon. */
static int
take_attribute(struct ipubox_device *d, char *line)
{
	char	*colon = strstr(line, ": ");

	if (colon == NULL)
		return popdist_fail(POPDIST_UNAVAILABLE, "ipubox answered "
		    "'%.100s'", line);
	*colon = '\0';
	d->names[d->attributes] = strdup(line);
	d->values[d->attributes] = strdup(colon + 2);
	d->attributes++;
	if (d->names[d->attributes - 1] == NULL ||
	    d->values[d->attributes - 1] == NULL)
		return popdist_fail(POPDIST_NO_ROOM, "out of memory");
	return 0;
}

/* With the mutex. */
static int
read_attributes(struct ipubox_device *d)
{
	enum { MOST = 1000 };
	int	numbers[3] = { 0, 0, 0 }, i;
	char	*line;

	forget_attributes(d);
	if (need_device(d) != 0 ||
	    ask("attributes", d->id, -2, 1, numbers) != 0)
		return -1;
	if (numbers[0] >= 0 && numbers[0] <= MOST) {
		d->names = (char **)calloc(MOST, sizeof(char *));
		d->values = (char **)calloc(MOST, sizeof(char *));
	}
	d->attributes = 0;
	for (i = 0; i < numbers[0]; i++)
		if (d->names == NULL || d->values == NULL ||
		    ipubox_child_line(&shared.child, &line) != 0 ||
		    take_attribute(d, line) != 0) {
			/* What is left of the answer is not for the next. */
			ipubox_child_end(&shared.child);
			forget_attributes(d);
			return -1;
		}
	return d->attributes;
}

int
ipubox_read_attributes(struct ipubox_device *d)
{
	int	count;

	lock();
	count = read_attributes(d);
	unlock();
	return count;
}

const char *
ipubox_attribute_name(const struct ipubox_device *d, int index)
{
	return index < 0 || index >= d->attributes ? NULL : d->names[index];
}

const char *
ipubox_attribute_value(const struct ipubox_device *d, int index)
{
	return index < 0 || index >= d->attributes ? NULL : d->values[index];
}

const char *
ipubox_attribute(struct ipubox_device *d, const char *name)
{
	int	i;

	if (d->attributes < 0 && ipubox_read_attributes(d) < 0)
		return NULL;
	for (i = 0; i < d->attributes; i++)
		if (strcmp(d->names[i], name) == 0)
			return d->values[i];
	(void)popdist_fail_word(POPDIST_INVALID, "not-found",
	    "the device has no such attribute");
	return NULL;
}

int
ipubox_check(struct ipubox_device *d)
{
	int	status;

	lock();
	status = need_device(d);
	if (status == 0)
		status = ask("check", d->id, -2, 0, NULL);
	unlock();
	return status;
}

int
popdist_device_id(int ipus)
{
	int	numbers[3] = { -1, 0, 0 }, status;

	if (ipus < 0)
		return popdist_fail(POPDIST_INVALID, "a device with %d IPUs "
		    "does not exist", ipus);
	lock();
	status = need_child();
	if (status == 0)
		status = ask("id", ipus, -2, 1, numbers);
	if (status == 0 && !popdist_is_env_set())
		shared.is_kept = 1;
	end_idle_child();
	unlock();
	return status == 0 ? numbers[0] : -1;
}
