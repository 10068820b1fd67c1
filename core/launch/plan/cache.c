/*
 * Executable caches.  Temporary ones are in one directory, which is removed
 * like the job's, even if poprun was killed.
 */
#include "core/launch/plan/plan.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/launch/parent.h"
#include "core/state/state.h"

/* The variables that set a framework's separate cache.  TensorFlow's also holds
   other flags. */
static const struct cache_framework {
	const char *variable;
	const char *flag; /* or "" */
} cache_frameworks[] = {
	{ "POPTORCH_CACHE_DIR", "" },
	{ "POPART_CACHE_DIR", "" },
	{ "POPXL_CACHE_DIR", "" },
	{ "TF_POPLAR_FLAGS", "--executable_cache_path" },
};

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

/* Return the value if a word is "NAME=VALUE", or NULL. */
static const char *
cache_value_of(const char *word, const char *name)
{
	size_t length = strlen(name);

	return strncmp(word, name, length) == 0 && word[length] == '=' ?
	    word + length + 1 :
	    NULL;
}

/* Return a list of arguments for mpirun by number; NULL after the last. */
static const struct strvec *
cache_args(const struct launch_settings *s, int number)
{
	if (number < 2)
		return number == 0 ? &s->global_args : &s->local_args;
	return number - 2 < s->instance_args_count ?
	    &s->instance_args[number - 2] :
	    NULL;
}

/* Return "NAME=DIRECTORY" with the flag; of a repeated flag the last one
   counts. */
static char *
cache_word(const struct cache_framework *f, const char *value,
    const char *directory)
{
	return *f->flag == '\0' ?
	    xasprintf("%s=%s", f->variable, directory) :
	    xasprintf("%s=%s %s=%s", f->variable, value, f->flag, directory);
}

/* Return true if the framework has a separate cache, in the environment or
   after an -x.  If `directory` is not NULL, it replaces each of them. */
static bool
cache_find(const struct launch_settings *s, const struct cache_framework *f,
    const char *directory)
{
	const char *value = getenv(f->variable);
	bool set = value != NULL && *value != '\0' &&
	    strstr(value, f->flag) != NULL;
	const struct strvec *args;
	char *word;
	int i;
	size_t n;

	if (set && directory != NULL) {
		word = cache_word(f, value, directory);
		(void)setenv(f->variable, word + strlen(f->variable) + 1, 1);
		free(word);
	}
	for (i = 0; (args = cache_args(s, i)) != NULL; i++) {
		for (n = 0; n < args->count; n++) {
			value = cache_value_of(args->items[n], f->variable);
			if (value == NULL || strstr(value, f->flag) == NULL)
				continue;
			set = true;
			if (directory == NULL)
				continue;
			word = cache_word(f, value, directory);
			free(args->items[n]);
			args->items[n] = word;
		}
	}
	return set;
}

/* Return true if any framework has a separate cache. */
static bool
is_set_up(const struct launch_settings *s)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cache_frameworks); i++)
		if (cache_find(s, &cache_frameworks[i], NULL))
			return true;
	return false;
}

int
cache_check(const struct launch_settings *s, struct error *e)
{
	const struct cache_framework *f;
	struct versions release;
	size_t i;

	if (s->cache_path == NULL || *s->cache_path == '\0' || !is_set_up(s))
		return 0;
	if (settings_emulate_sdk(NULL, &release, NULL, e) != 0 &&
	    e->code == ERROR_INVALID)
		return -1;
	for (i = 0; i < ARRAY_SIZE(cache_frameworks); i++) {
		f = &cache_frameworks[i];
		if (!cache_find(s, f, NULL))
			continue;
		if (release.one_cache)
			return error_set(e,
			    "executable-cache-path command line argument "
			    "cannot be specified when %s sets an executable "
			    "cache too: leave one of them out, or set "
			    "IPUBOX_EMULATE_SDK=3.x, where the option takes "
			    "precedence",
			    f->variable);
		(void)cache_find(s, f, s->cache_path);
		job_log_warning("%s sets an executable cache too; "
				"--executable-cache-path overrides it",
		    f->variable);
	}
	return 0;
}

/* Make one directory per host, below one of the job.  If no place allows it,
   each instance compiles for itself. */
static int
cache_make_temporary(struct cache *c, int hosts, struct error *e)
{
	struct state_paths state;
	struct error reason;
	/* Executables are small here.  On a disk the directory alone would take
	   a third of the time of a small job. */
	const char *places[] = { getenv("TMPDIR"), "/dev/shm", "/tmp", NULL };
	char *path;
	int i;

	if (paths_find(&state, NULL) == 0)
		places[3] = state.directory;
	if (job_directory_make(&c->directory, places, ARRAY_SIZE(places),
		&reason) != 0) {
		job_log_line(LOG_INFO, "No executable cache: %s", reason.text);
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
cache_open(struct cache *c, const struct launch_settings *s, int hosts,
    const char *host_directory, struct error *e)
{
	int i;

	strvec_release(&c->paths);
	strvec_init(&c->paths);
	if (s->cache_path != NULL) {
		for (i = 0; i < hosts && *s->cache_path != '\0'; i++)
			strvec_add(&c->paths, s->cache_path);
		return 0;
	}
	/* A framework's separate cache is used already. */
	if (s->layout.num_instances == 1 || is_set_up(s))
		return 0;
	for (i = 0; i < hosts && host_directory != NULL; i++)
		strvec_addf(&c->paths, "%s/" PARENT_HOST_CACHE, host_directory);
	/* On this host the reaper also removes it, if all others were
	   killed. */
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
