/*
 * PopDist's context: what POPDIST_* tell of this instance's share.  The checks
 * and the words of their errors are those of popdist-env(1).
 */
#include "popdist_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOTAL		"POPDIST_NUM_TOTAL_REPLICAS"
#define LOCAL		"POPDIST_NUM_LOCAL_REPLICAS"
#define OFFSET		"POPDIST_REPLICA_INDEX_OFFSET"
#define IPUS		"POPDIST_NUM_IPUS_PER_REPLICA"
#define LOCAL_INDEX	"POPDIST_LOCAL_INSTANCE_INDEX"
#define UNIFORM		"POPDIST_UNIFORM_REPLICAS_PER_INSTANCE"
#define RESTARTS	"POPRUN_RESTART_COUNT"
#define AUTOREPORT	"POPDIST_AUTOREPORT_DIRECTORY"
#define ENGINE_OPTIONS	"POPLAR_ENGINE_OPTIONS"
#define UNEVEN		"the replicas are not spread evenly over the instances"

int
popdist_read_variable(const char *name, int min, int otherwise, int *value)
{
	const char	*text = getenv(name), *digits;
	long		 number;

	if (text == NULL && otherwise == -1)
		return popdist_fail(POPDIST_INVALID, "%s is not set, but "
		    TOTAL " is; poprun sets both", name);
	*value = otherwise;
	if (text == NULL)
		return 0;
	digits = text + (*text == '-');
	if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
		return popdist_fail(POPDIST_INVALID, "%s '%s': not a whole "
		    "number", name, text);
	errno = 0;
	number = strtol(text, NULL, 10);
	if (errno != 0 || number < min || number > INT_MAX)
		return popdist_fail(POPDIST_INVALID, "%s '%s': too %s, must be "
		    "%d to %d", name, text, number < min ? "small" : "large",
		    min, INT_MAX);
	*value = (int)number;
	return 0;
}

/* By hand, because strtod(3) takes another decimal point in other places. */
int
popdist_read_timeout(const char *text, uint32_t *ms)
{
	const char	*at;
	uint64_t	 thousandths = 0, unit = 1000;
	int		 behind = 0, digits = 0;

	for (at = text + (*text == '-'); *at != '\0'; at++) {
		if (*at == '.' && !behind) {
			behind = 1;
			continue;
		}
		if (*at < '0' || *at > '9')
			break;
		digits++;
		unit = behind ? unit / 10 : unit;
		if (thousandths <= POPDIST_TIMEOUT_MAX_MS)
			thousandths = behind ?
			    thousandths + (uint64_t)(*at - '0') * unit :
			    thousandths * 10 + (uint64_t)(*at - '0') * unit;
	}
	if (digits == 0 || *at != '\0')
		return popdist_fail(POPDIST_INVALID, "POPDIST_TIMEOUT '%s': "
		    "not a number", text);
	if (*text == '-' || thousandths > POPDIST_TIMEOUT_MAX_MS)
		return popdist_fail(POPDIST_INVALID, "POPDIST_TIMEOUT '%s': "
		    "too %s, must be 0 to %u", text,
		    *text == '-' ? "small" : "large",
		    POPDIST_TIMEOUT_MAX_MS / 1000);
	*ms = (uint32_t)thousandths;
	return 0;
}

/* The local replicas lie within all: offset + local <= total. */
static int
check_replicas(const struct popdist_context *c)
{
	const int	total = c->num_total_replicas;
	const int	local = c->num_local_replicas;

	if (local > total)
		return popdist_fail(POPDIST_INVALID, LOCAL " is %d, more than "
		    TOTAL ", %d", local, total);
	if (c->replica_index_offset > total - local)
		return popdist_fail(POPDIST_INVALID, OFFSET " is %d, but "
		    "%d replicas from there on exceed " TOTAL ", %d",
		    c->replica_index_offset, local, total);
	return 0;
}

/* Index and number of instances follow from equal shares only. */
static int
derive_instances(struct popdist_context *c)
{
	const int	total = c->num_total_replicas;
	const int	local = c->num_local_replicas;

	if (total % local != 0)
		return popdist_fail(POPDIST_INVALID, TOTAL ", %d, is not a "
		    "multiple of " LOCAL ", %d, although " UNIFORM " is 1",
		    total, local);
	if (c->replica_index_offset % local != 0)
		return popdist_fail(POPDIST_INVALID, OFFSET ", %d, is not a "
		    "multiple of " LOCAL ", %d, although " UNIFORM " is 1",
		    c->replica_index_offset, local);
	c->num_instances = total / local;
	c->instance_index = c->replica_index_offset / local;
	if (c->local_instance_index > c->instance_index)
		return popdist_fail(POPDIST_INVALID, LOCAL_INDEX " is %d, but "
		    "this is instance %d", c->local_instance_index,
		    c->instance_index);
	return 0;
}

int
popdist_read_context(struct popdist_context *c)
{
	int	restarts;

	(void)memset(c, 0, sizeof(*c));
	c->uniform = c->num_total_replicas = c->num_local_replicas =
	    c->num_ipus_per_replica = c->num_instances = 1;
	c->is_set = getenv(TOTAL) != NULL;
	if (!c->is_set)
		return 0;
	if (popdist_read_variable(TOTAL, 1, -1, &c->num_total_replicas) != 0 ||
	    popdist_read_variable(LOCAL, 1, -1, &c->num_local_replicas) != 0 ||
	    popdist_read_variable(OFFSET, 0, -1,
	    &c->replica_index_offset) != 0 ||
	    popdist_read_variable(IPUS, 1, 1, &c->num_ipus_per_replica) != 0 ||
	    popdist_read_variable(LOCAL_INDEX, 0, 0,
	    &c->local_instance_index) != 0 ||
	    popdist_read_variable(RESTARTS, 0, 0, &restarts) != 0 ||
	    popdist_read_variable(UNIFORM, 0, 1, &c->uniform) != 0 ||
	    check_replicas(c) != 0)
		return -1;
	if (c->uniform)
		return derive_instances(c);
	c->num_instances = 0;
	return 0;
}

int
popdist_is_env_set(void)
{
	return getenv(TOTAL) != NULL;
}

int
popdist_num_total_replicas(void)
{
	struct popdist_context	c;

	return popdist_read_context(&c) != 0 ? -1 : c.num_total_replicas;
}

int
popdist_num_local_replicas(void)
{
	struct popdist_context	c;

	return popdist_read_context(&c) != 0 ? -1 : c.num_local_replicas;
}

int
popdist_replica_index_offset(void)
{
	struct popdist_context	c;

	return popdist_read_context(&c) != 0 ? -1 : c.replica_index_offset;
}

int
popdist_num_ipus_per_replica(void)
{
	struct popdist_context	c;

	return popdist_read_context(&c) != 0 ? -1 : c.num_ipus_per_replica;
}

int
popdist_check_num_ipus_per_replica(int ipus)
{
	struct popdist_context	c;

	return popdist_read_context(&c) != 0 ? -1 :
	    c.num_ipus_per_replica == ipus;
}

int
popdist_num_instances(void)
{
	struct popdist_context	c;

	if (popdist_read_context(&c) != 0)
		return -1;
	return c.uniform ? c.num_instances :
	    popdist_fail(POPDIST_INVALID, UNEVEN);
}

int
popdist_instance_index(void)
{
	struct popdist_context	c;

	if (popdist_read_context(&c) != 0)
		return -1;
	return c.uniform ? c.instance_index :
	    popdist_fail(POPDIST_INVALID, UNEVEN);
}

int
popdist_local_instance_index(void)
{
	struct popdist_context	c;

	return popdist_read_context(&c) != 0 ? -1 : c.local_instance_index;
}

/*
 * Whether engine options in the environment speak of autoReport.directory
 * (`directory` 1), or of any other profile (0).  The text is searched, not
 * parsed: as the guide writes it on a command line, the shell takes its quotes
 * away.
 */
static int
names_report(const char *options, int directory)
{
	static const char	group[] = "autoReport.", key[] = "directory";
	const char		*at = options;
	int			 is_directory;

	while (at != NULL && (at = strstr(at, group)) != NULL) {
		at += strlen(group);
		is_directory = strncmp(at, key, strlen(key)) == 0;
		if (is_directory == directory)
			return 1;
	}
	return 0;
}

int
popdist_engine_options(void (*set)(void *context, const char *name,
    const char *value), void *context)
{
	const char		*parent = getenv(AUTOREPORT);
	const char		*given = getenv(ENGINE_OPTIONS);
	struct popdist_context	 c;
	char			*path;
	size_t			 size;

	if (popdist_read_context(&c) != 0)
		return -1;
	if (!c.is_set || parent == NULL || *parent == '\0')
		return 0;
	size = strlen(parent) + sizeof("/2147483647");
	if ((path = (char *)malloc(size)) == NULL)
		return popdist_fail_errno(POPDIST_NO_ROOM, AUTOREPORT);
	(void)snprintf(path, size, "%s/%d", parent,
	    c.uniform ? c.instance_index : c.replica_index_offset);
	if (!names_report(given, 1))
		set(context, "autoReport.directory", path);
	if (!names_report(given, 0))
		set(context, "autoReport.all", "true");
	free(path);
	return 0;
}
