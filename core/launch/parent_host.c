/*
 * A job's directory on one of its hosts, and the variables that its programs do
 * not inherit there.
 */
#include "core/launch/parent.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/collective/collective.h"
#include "core/job/job.h"
#include "core/process/process.h"

/* Make or find the cache, which another parent may have made.  Returns true if
   it can be used. */
static bool
parent_host_make_cache(struct job_directory *d, const char *path)
{
	return job_directory_join(d, path, NULL) == 0 &&
	    (mkdirat(d->fd, PARENT_HOST_CACHE, 0700) == 0 || errno == EEXIST);
}

/* Return true if the job's cache is in this directory; a cache elsewhere is the
   user's. */
static bool
parent_host_is_cache_in(const char *path)
{
	const char *cache = getenv(JOB_CACHE_VARIABLE);
	const size_t length = strlen(path);

	return cache != NULL && strncmp(cache, path, length) == 0 &&
	    cache[length] == '/';
}

void
parent_host_enter(struct job_directory *d)
{
	char *path = variable_take(PARENT_HOST_VARIABLE);

	job_directory_init(d);
	(void)unsetenv("IPUOF_CONFIG_PATH");
	if (path != NULL && !parent_host_make_cache(d, path) &&
	    parent_host_is_cache_in(path))
		(void)unsetenv(JOB_CACHE_VARIABLE);
	free(path);
}

void
parent_host_start_relay(const struct job_directory *d, int instance,
    const char *address, const char *digits)
{
	const char *meet = getenv(JOB_DIRECTORY_VARIABLE);
	unsigned char secret[LINK_SECRET_BYTES];
	struct collective_relay relay = { .chained = true,
		.address = address,
		.secret = secret,
		.instance = instance };
	char *directory;

	if (d->path == NULL || meet == NULL || strcmp(meet, d->path) != 0 ||
	    address == NULL || digits == NULL ||
	    hex_parse(digits, secret, sizeof(secret)) != 0)
		return;
	directory = xasprintf("%s/%d", d->path, instance);
	relay.directory = directory;
	/* It exists if the job was started before. */
	if ((mkdir(directory, 0700) == 0 || errno == EEXIST) &&
	    collective_relay_start(&relay, NULL) != -1)
		(void)setenv(JOB_DIRECTORY_VARIABLE, directory, 1);
	else
		(void)unsetenv(JOB_DIRECTORY_VARIABLE);
	explicit_bzero(secret, sizeof(secret));
	free(directory);
}

void
parent_host_tell_address(int link_fd)
{
	char text[LINK_ADDRESS_HOST_SIZE];

	if (link_address_own(link_fd, text))
		(void)setenv(JOB_HOST_ADDRESS_VARIABLE, text, 1);
}
