/*
 * The variables of an instance, in the order of the published log, and its
 * whole environment.
 */
#include "core/job/job.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/job/engine_options.h"

/* Add how the device's driver finds the partition.  Each instance attaches to
   the GCD of its index; a single GCD is shared by all. */
static void
add_controller(const struct environment *env, int instance, struct strvec *out)
{
	strvec_addf(out, "IPUOF_VIPU_API_HOST=%s", env->server_host);
	strvec_addf(out, "IPUOF_VIPU_API_PORT=%d", env->server_port);
	strvec_addf(out, "IPUOF_VIPU_API_PARTITION_ID=%s", env->partition);
	strvec_addf(out, "IPUOF_VIPU_API_TIMEOUT=%d", env->server_timeout_s);
	strvec_addf(out, "IPUOF_VIPU_API_GCD_ID=%d",
	    env->one_gcd ? 0 : instance);
}

/* A NAME without a value may be among `forwarded`: mpirun's -x then takes the
   caller's value. */
void
environment_add(const struct environment *env, int index, struct strvec *out)
{
	const struct layout *l = env->layout;
	struct instance instance = layout_instance(l, index);

	strvec_addf(out, "POPDIST_NUM_TOTAL_REPLICAS=%d", l->num_replicas);
	strvec_addf(out, "POPDIST_NUM_IPUS_PER_REPLICA=%d",
	    l->ipus_per_replica);
	strvec_addf(out, "POPDIST_NUM_LOCAL_REPLICAS=%d",
	    instance.num_replicas);
	strvec_add(out, "POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=1");
	strvec_addf(out, "POPDIST_REPLICA_INDEX_OFFSET=%d",
	    instance.first_replica);
	strvec_addf(out, "POPDIST_LOCAL_INSTANCE_INDEX=%d",
	    instance.local_index);
	if (env->partition != NULL)
		add_controller(env, index, out);
	strvec_addf(out, "IPUOF_LOG_LEVEL=%s", env->log_level);
	strvec_add_all(out, env->forwarded);
	if (env->target_options != NULL)
		strvec_addf(out, "POPLAR_TARGET_OPTIONS=%s",
		    env->target_options);
	if (env->autoreport_dir != NULL)
		strvec_addf(out, AUTOREPORT_VARIABLE "=%s",
		    env->autoreport_dir);
	if (env->cache_paths != NULL)
		strvec_addf(out, "POPDIST_EXECUTABLE_CACHE_PATH=%s",
		    env->cache_paths[instance.host]);
}

/* Open MPI's names, because programs read their rank from these without MPI. */
void
environment_add_ranks(const struct layout *l, int index, struct strvec *out)
{
	struct instance instance = layout_instance(l, index);

	strvec_addf(out, "OMPI_COMM_WORLD_SIZE=%d", l->num_instances);
	strvec_addf(out, "OMPI_COMM_WORLD_RANK=%d", index);
	strvec_addf(out, "OMPI_COMM_WORLD_LOCAL_SIZE=%d",
	    layout_host_instances(l, instance.host));
	strvec_addf(out, "OMPI_COMM_WORLD_LOCAL_RANK=%d", instance.local_index);
	strvec_addf(out, "OMPI_COMM_WORLD_NODE_RANK=%d", instance.local_index);
	strvec_addf(out, "OMPI_UNIVERSE_SIZE=%d", l->num_instances);
}

void
environment_add_torch(const struct layout *l,
    const struct environment_torch *torch, struct strvec *out)
{
	if (getenv("MASTER_ADDR") == NULL)
		strvec_addf(out, "MASTER_ADDR=%s", torch->master_address);
	if (getenv("MASTER_PORT") == NULL)
		strvec_addf(out, "MASTER_PORT=%d", torch->master_port);
	strvec_addf(out, "WORLD_SIZE=%d", l->num_instances);
	if (l->shares == NULL)
		strvec_addf(out, "LOCAL_WORLD_SIZE=%d",
		    layout_host_instances(l, 0));
}

void
environment_add_torch_ranks(const struct layout *l, int index,
    struct strvec *out)
{
	struct instance instance = layout_instance(l, index);

	strvec_addf(out, "RANK=%d", index);
	strvec_addf(out, "LOCAL_RANK=%d", instance.local_index);
	strvec_addf(out, "NODE_RANK=%d", instance.host);
	if (l->shares != NULL)
		strvec_addf(out, "LOCAL_WORLD_SIZE=%d",
		    layout_host_instances(l, instance.host));
}

/* Whether the word sets the same variable; either may be a bare NAME.  Calls no
   function, because it compares thousands of pairs. */
static bool
is_same_name(const char *variable, const char *word)
{
	for (; *variable == *word && *variable != '\0'; variable++, word++)
		if (*variable == '=')
			return true;
	return *variable == '\0' && *word == '=';
}

/* Whether a later variable, in this list or the next ones, has the name. */
static bool
is_replaced(const char *variable, char *const *later)
{
	for (; later != NULL && *later != NULL; later++)
		if (is_same_name(variable, *later))
			return true;
	return false;
}

static size_t
count_words(char *const *words)
{
	size_t n = 0;

	while (words != NULL && words[n] != NULL)
		n++;
	return n;
}

/* Whether the variable begins with one of the texts. */
static bool
begins_with(const char *variable, const char *const *texts, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (*variable == *texts[i] &&
		    strncmp(variable, texts[i], strlen(texts[i])) == 0)
			return true;
	return false;
}

bool
environment_is_rank(const char *variable)
{
	static const char *const names[] = { "RANK=", "LOCAL_RANK=",
		"NODE_RANK=", "WORLD_SIZE=", "LOCAL_WORLD_SIZE=" };

	return begins_with(variable, names, ARRAY_SIZE(names));
}

/* Whether the variable is left from another job or partition: a program would
   find the wrong IPUs or instances by it. */
static bool
is_stale(const char *variable)
{
	static const char *const names[] = { "IPUOF_CONFIG_PATH=",
		"IPUOF_VIPU_API_HOST=", "IPUOF_VIPU_API_PORT=",
		"IPUOF_VIPU_API_PARTITION_ID=", "IPUOF_VIPU_API_TIMEOUT=",
		"IPUOF_VIPU_API_GCD_ID=", "POPDIST_", "OMPI_COMM_WORLD_" };

	return begins_with(variable, names, ARRAY_SIZE(names));
}

char **
environment_merge(char *const *caller, char *const *common, char *const *own)
{
	char **out;
	size_t n = 0;

	out = xcalloc(count_words(caller) + count_words(common) +
		count_words(own) + 1,
	    sizeof(*out));
	for (; *caller != NULL; caller++)
		if (!is_stale(*caller) && !is_replaced(*caller, common) &&
		    !is_replaced(*caller, own))
			out[n++] = *caller;
	for (; common != NULL && *common != NULL; common++)
		if (strchr(*common, '=') != NULL &&
		    !is_replaced(*common, common + 1) &&
		    !is_replaced(*common, own))
			out[n++] = *common;
	for (; own != NULL && *own != NULL; own++)
		if (strchr(*own, '=') != NULL && !is_replaced(*own, own + 1))
			out[n++] = *own;
	return out;
}
