/*
 * Executable caches.  Temporary ones stand in one directory, which is removed
 * as that of the job is, also where poprun was killed.
 */
#include "applets/poprun/cache.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>

#include "applets/poprun/poprun_internal.h"
#include "core/base/array.h"
#include "core/process/parent_host.h"
#include "core/state/paths.h"

/* By which a framework is told of a cache of its own. */
static const char *const cache_frameworks[] = {
	"POPTORCH_CACHE_DIR", "POPART_CACHE_DIR", "POPXL_CACHE_DIR"
};

/* TensorFlow's stands within a variable of flags. */
static const char	cache_flags[] = "TF_POPLAR_FLAGS";
static const char	cache_flag[] = "--executable_cache_path";

void
cache_init(struct cache *c)
{
	job_directory_init(&c->directory);
	strvec_init(&c->paths);
}

void
cache_release(struct cache *c)
{
	job_directory_remove(&c->directory);
	job_directory_release(&c->directory);
	strvec_release(&c->paths);
}

/* The value that a word "NAME=VALUE" gives the variable, or NULL. */
static const char *
cache_value_of(const char *word, const char *name)
{
	size_t	length = strlen(name);

	return strncmp(word, name, length) == 0 && word[length] == '=' ?
	    word + length + 1 : NULL;
}

/* Whether a list of arguments for mpirun gives the variable that text. */
static bool
args_set(const struct strvec *args, const char *name, const char *text)
{
	const char	*value;
	size_t		 i;

	for (i = 0; i < args->count; i++) {
		value = cache_value_of(args->items[i], name);
		if (value != NULL && strstr(value, text) != NULL)
			return true;
	}
	return false;
}

/* In the environment or behind an -x. */
static bool
is_set(const struct poprun_settings *s, const char *name, const char *text)
{
	const char	*value = getenv(name);
	bool		 set = value != NULL && *value != '\0' &&
	    strstr(value, text) != NULL;
	int		 i;

	set = set || args_set(&s->global_args, name, text) ||
	    args_set(&s->local_args, name, text);
	for (i = 0; i < s->instance_args_count; i++)
		set = set || args_set(&s->instance_args[i], name, text);
	return set;
}

/* The variable by which a framework has a cache of its own, or NULL. */
static const char *
framework_setting(const struct poprun_settings *s)
{
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(cache_frameworks); i++)
		if (is_set(s, cache_frameworks[i], ""))
			return cache_frameworks[i];
	return is_set(s, cache_flags, cache_flag) ? cache_flags : NULL;
}

int
cache_check(const struct poprun_settings *s, struct error *e)
{
	const char	*framework = framework_setting(s);

	if (framework == NULL || s->cache_path == NULL ||
	    *s->cache_path == '\0')
		return 0;
	return error_set(e, "executable-cache-path command line argument "
	    "cannot be specified when %s sets an executable cache too: leave "
	    "one of them out", framework);
}

/*
 * One directory for each host, below one that is the job's.  Where there is no
 * place for it each instance compiles for itself.
 */
static int
cache_make_temporary(struct cache *c, int hosts, struct error *e)
{
	struct state_paths	 state;
	struct error		 reason;
	const char		*places[] = { getenv("TMPDIR"), "/tmp", NULL };
	char			*path;
	int			 i;

	if (paths_find(&state, NULL) == 0)
		places[2] = state.directory;
	if (job_directory_make(&c->directory, places, ARRAY_SIZE(places),
	    &reason) != 0) {
		log_line(LOG_INFO, "No executable cache: %s", reason.text);
		return 0;
	}
	for (i = 0; i < hosts; i++) {
		strvec_addf(&c->paths, "%s/executables-%d", c->directory.path,
		    i);
		path = c->paths.items[i];
		if (mkdir(path, 0700) != 0)
			return error_set_errno(e, "cannot make %s", path);
	}
	return 0;
}

int
cache_open(struct cache *c, const struct poprun_settings *s, int hosts,
    const char *host_directory, struct error *e)
{
	int	i;

	strvec_release(&c->paths);
	strvec_init(&c->paths);
	if (s->cache_path != NULL) {
		for (i = 0; i < hosts && *s->cache_path != '\0'; i++)
			strvec_add(&c->paths, s->cache_path);
		return 0;
	}
	/* A framework's own cache is used already. */
	if (s->layout.num_instances == 1 || framework_setting(s) != NULL)
		return 0;
	for (i = 0; i < hosts && host_directory != NULL; i++)
		strvec_addf(&c->paths, "%s/" PARENT_HOST_CACHE, host_directory);
	/* On this host the reaper removes it too, where all were killed. */
	if (host_directory != NULL) {
		if (!s->dry_run && c->directory.path == NULL)
			(void)job_directory_join(&c->directory, host_directory,
			    NULL);
		return 0;
	}
	if (!s->dry_run)
		return cache_make_temporary(c, hosts, e);
	for (i = 0; i < hosts; i++)
		strvec_addf(&c->paths, "(a temporary directory of host %d)", i);
	return 0;
}
