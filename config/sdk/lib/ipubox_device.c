/*
 * Devices of the program: each has a child that holds it.  Outside poprun
 * popdist_device_id() has one too, whose device a later attach takes over.
 */
#include "popdist_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ipubox_device {
	pthread_mutex_t		mutex;	/* one conversation at a time */
	struct ipubox_child	child;
	int			id, count, gcd;
	char			**names, **values;
	int			attributes;	/* -1: none were read */
};

/* What popdist_device_id() holds; NULL: nothing. */
static struct {
	pthread_mutex_t		 mutex;
	struct ipubox_device	*device;
} held = { PTHREAD_MUTEX_INITIALIZER, NULL };

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
	ipubox_child_end(&d->child);
	forget_attributes(d);
	(void)pthread_mutex_destroy(&d->mutex);
	free(d);
}

static struct ipubox_device *
new_device(void)
{
	struct ipubox_device	*d;

	d = (struct ipubox_device *)calloc(1, sizeof(*d));
	if (d == NULL) {
		(void)popdist_fail(POPDIST_NO_ROOM, "there is no more memory");
		return NULL;
	}
	(void)pthread_mutex_init(&d->mutex, NULL);
	d->id = d->attributes = -1;
	if (ipubox_child_start(&d->child) == 0)
		return d;
	free_device(d);
	return NULL;
}

/* Up to three numbers of an answer, " ID COUNT GCD". */
static int
read_numbers(const char *answer, int wanted, int numbers[3])
{
	if (sscanf(answer, "%d %d %d", &numbers[0], &numbers[1],
	    &numbers[2]) == wanted)
		return 0;
	return popdist_fail(POPDIST_UNAVAILABLE, "ipubox answered 'ok%.100s'",
	    answer);
}

static int
attach(struct ipubox_device *d, int ipus, int device_id)
{
	char	request[64], *answer;
	int	numbers[3];

	(void)snprintf(request, sizeof(request), "attach %d %d\n", ipus,
	    device_id);
	if (ipubox_child_ask(&d->child, request, &answer) != 0 ||
	    read_numbers(answer, 3, numbers) != 0)
		return -1;
	d->id = numbers[0];
	d->count = numbers[1];
	d->gcd = numbers[2];
	return 0;
}

/*
 * With the mutex of `held`: what popdist_device_id() has is taken from there
 * where it may be meant; its child refuses what does not fit.
 */
static struct ipubox_device *
take_held(int device_id)
{
	struct ipubox_device	*d = held.device;

	if (d == NULL || d->child.owner != getpid() ||
	    (device_id != -1 && device_id != d->id))
		return NULL;
	held.device = NULL;
	return d;
}

struct ipubox_device *
ipubox_attach(int ipus, int device_id)
{
	struct ipubox_device	*d;

	if (ipus < 0 || device_id < -1) {
		(void)popdist_fail(POPDIST_INVALID, "%d IPUs of device %d: "
		    "there are no such", ipus, device_id);
		return NULL;
	}
	(void)pthread_mutex_lock(&held.mutex);
	d = take_held(device_id);
	(void)pthread_mutex_unlock(&held.mutex);
	if (d == NULL)
		d = new_device();
	if (d == NULL || attach(d, ipus, device_id) == 0)
		return d;
	free_device(d);
	return NULL;
}

/* Whether a device is held in the end does not depend on the answer. */
int
ipubox_detach(struct ipubox_device *d)
{
	char	*answer;
	int	 status;

	if (d == NULL)
		return 0;
	if (d->child.owner != getpid())
		return popdist_fail(POPDIST_INVALID, "this process was forked "
		    "from one that holds the device, pid %ld; only that one "
		    "may give it back", (long)d->child.owner);
	status = ipubox_child_ask(&d->child, "detach\n", &answer);
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
		return popdist_fail(POPDIST_NO_ROOM, "there is no more memory");
	return 0;
}

/* With the device's mutex. */
static int
read_attributes(struct ipubox_device *d)
{
	enum { MOST = 1000 };
	int	numbers[3], i;
	char	*line;

	forget_attributes(d);
	if (ipubox_child_ask(&d->child, "attributes\n", &line) != 0 ||
	    read_numbers(line, 1, numbers) != 0)
		return -1;
	if (numbers[0] < 0 || numbers[0] > MOST)
		return popdist_fail(POPDIST_UNAVAILABLE, "ipubox says that "
		    "there are %d attributes", numbers[0]);
	d->names = (char **)calloc((size_t)numbers[0] + 1, sizeof(char *));
	d->values = (char **)calloc((size_t)numbers[0] + 1, sizeof(char *));
	d->attributes = 0;
	for (i = 0; i < numbers[0]; i++)
		if (d->names == NULL || d->values == NULL ||
		    ipubox_child_line(&d->child, &line) != 0 ||
		    take_attribute(d, line) != 0) {
			/* What is left of the answer is not for the next. */
			ipubox_child_end(&d->child);
			forget_attributes(d);
			return -1;
		}
	return d->attributes;
}

int
ipubox_read_attributes(struct ipubox_device *d)
{
	int	count;

	(void)pthread_mutex_lock(&d->mutex);
	count = read_attributes(d);
	(void)pthread_mutex_unlock(&d->mutex);
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
	(void)popdist_fail(POPDIST_INVALID, "device %d has no attribute '%s'",
	    d->id, name);
	return NULL;
}

int
ipubox_check(struct ipubox_device *d)
{
	char	*answer;
	int	 status;

	(void)pthread_mutex_lock(&d->mutex);
	status = ipubox_child_ask(&d->child, "check\n", &answer);
	(void)pthread_mutex_unlock(&d->mutex);
	return status;
}

/* With the mutex of `held`. */
static int
ask_id(int ipus)
{
	char	request[64], *answer;
	int	numbers[3];

	/* A process that was forked from the holder has none of its own. */
	if (held.device != NULL && held.device->child.owner != getpid())
		held.device = NULL;
	if (held.device != NULL && held.device->child.fd == -1) {
		free_device(held.device);
		held.device = NULL;
	}
	if (held.device == NULL && (held.device = new_device()) == NULL)
		return -1;
	(void)snprintf(request, sizeof(request), "id %d\n", ipus);
	if (ipubox_child_ask(&held.device->child, request, &answer) != 0 ||
	    read_numbers(answer, 1, numbers) != 0)
		return -1;
	held.device->id = numbers[0];
	return numbers[0];
}

int
popdist_device_id(int ipus)
{
	int	id;

	if (ipus < 0)
		return popdist_fail(POPDIST_INVALID, "%d IPUs: there is no "
		    "such device", ipus);
	(void)pthread_mutex_lock(&held.mutex);
	id = ask_id(ipus);
	/* Under poprun nothing is held, so no child need stay. */
	if (held.device != NULL && (held.device->id == -1 ||
	    popdist_is_env_set())) {
		free_device(held.device);
		held.device = NULL;
	}
	(void)pthread_mutex_unlock(&held.mutex);
	return id;
}
