/*
 * poprun --check: the files that a job needs.
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/diag/diag.h"
#include "core/launch/plan/hosts.h"
#include "core/launch/plan/notes.h"
#include "core/launch/plan/plan.h"
#include "core/process/process.h"

enum {
	ROOM_MIN_BYTES = 1 << 20,
	ROOM_LOW_BYTES = 64 << 20,
	MEBIBYTE = 1 << 20,
	VERSION_MS = 10000
};

/* Return the path that an instance in that directory uses for a file. */
static char *
seen_from(const char *directory, const char *path)
{
	return directory == NULL || path[0] == '/' ?
	    xstrdup(path) :
	    xasprintf("%s/%s", directory, path);
}

static const char *
working_directory(const char *directory)
{
	return directory != NULL ? directory : "this directory";
}

static void
check_program(struct plan *p, struct diagnosis *d)
{
	struct error e;
	const int before = d->count;

	d->checking = "program";
	if (own_program_find(p->settings->program, &p->path, &p->program, &e) !=
	    0) {
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\tname the file, or add its directory to PATH", e.text);
		return;
	}
	if (program_check_interpreter(p->path, &e) != 0)
		diagnosis_add(d, VERDICT_FAIL, "%s", e.text);
	if (d->count == before)
		diagnosis_add(d, VERDICT_OK, "%s", p->path);
}

/* The script is the first word that is not an option, unless -c or -m takes its
   place. */
const char *
check_files_find_script(char *const *program)
{
	const char *name = path_base_name(program[0]);

	if (strncmp(name, "python", 6) != 0 && strcmp(name, "sh") != 0 &&
	    strcmp(name, "bash") != 0)
		return NULL;
	for (program++; *program != NULL && **program == '-'; program++)
		if (strcmp(*program, "-") == 0 ||
		    strchr(*program, 'c') != NULL ||
		    strchr(*program, 'm') != NULL)
			return NULL;
	return *program;
}

static void
check_script(const char *directory, const char *script, bool elsewhere,
    struct diagnosis *d)
{
	char *path;

	d->checking = "script";
	if (script == NULL) {
		diagnosis_add(d, VERDICT_OK, "the program needs none");
		return;
	}
	path = seen_from(directory, script);
	if (access(path, R_OK) != 0 && elsewhere)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s: %s\tcopy it there, or keep it on a file system that "
		    "all hosts share",
		    script, strerror(errno));
	else if (access(path, R_OK) != 0)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s: %s\tgive its full path, or its path from %s", script,
		    strerror(errno), working_directory(directory));
	else
		diagnosis_add(d, VERDICT_OK, "%s", script);
	free(path);
}

/* The part of "--data=DIR/x" or "DIR/x" that looks like a path, or NULL. */
const char *
check_files_find_path(const char *argument)
{
	const char *value = argument;

	if (*argument == '-' && (value = strchr(argument, '=')) != NULL)
		value++;
	return value == NULL || *value == '-' || strchr(value, '/') == NULL ||
		strstr(value, "://") != NULL || strchr(value, ' ') != NULL ?
	    NULL :
	    value;
}

static bool
check_is_among(const struct strvec *list, const char *word)
{
	size_t i;

	for (i = 0; list != NULL && i < list->count; i++)
		if (strcmp(list->items[i], word) == 0)
			return true;
	return false;
}

/* A missing path may be the program's output: a failure only if it exists on
   poprun's host. */
static void
check_paths(char *const *word, const char *directory,
    const struct strvec *present, struct diagnosis *d)
{
	const char *script = check_files_find_script(word), *value;
	char *path;
	int found = 0, missing = 0;

	d->checking = "paths";
	for (word++; word[-1] != NULL && *word != NULL; word++) {
		if (*word == script ||
		    (value = check_files_find_path(*word)) == NULL)
			continue;
		path = seen_from(directory, value);
		if (access(path, F_OK) == 0)
			found++;
		else if (check_is_among(present, value))
			diagnosis_add(d, VERDICT_FAIL,
			    "%s: %s; it exists on poprun's host\tcopy it "
			    "there, or keep it on a file system that all hosts "
			    "share",
			    value, strerror(errno));
		else
			diagnosis_add(d, VERDICT_WARN,
			    "%s: %s\tif the program reads it, give its full "
			    "path, or its path from %s",
			    value, strerror(errno),
			    working_directory(directory));
		missing += access(path, F_OK) != 0;
		free(path);
	}
	if (missing == 0)
		diagnosis_add(d, VERDICT_OK,
		    found == 0 ? "the arguments name none" :
				 "all paths in the arguments exist");
}

void
check_files_look_at_words(char *const *program, const char *directory,
    const struct strvec *present, struct diagnosis *d)
{
	check_script(directory, check_files_find_script(program),
	    present != NULL, d);
	check_paths(program, directory, present, d);
}

/* Return the nearest existing directory above a path. */
static char *
nearest_directory(const char *path)
{
	char *at = xstrdup(path), *above;

	while (access(at, F_OK) != 0 && errno == ENOENT) {
		above = path_directory_name(at);
		if (strcmp(above, at) == 0) {
			free(above);
			break;
		}
		free(at);
		at = above;
	}
	return at;
}

void
check_files_check_room(struct diagnosis *d, const char *what, const char *path)
{
	struct room room;
	struct stat st;
	char *at = nearest_directory(path);

	probes_look_at_room(&room, at);
	if (stat(at, &st) != 0)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s: %s: %s\tname another directory", what, at,
		    strerror(errno));
	else if (!S_ISDIR(st.st_mode))
		diagnosis_add(d, VERDICT_FAIL,
		    "%s: %s is not a directory\tname another one", what, at);
	else if (faccessat(AT_FDCWD, at, W_OK | X_OK, AT_EACCESS) != 0)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s: cannot write into %s: %s\tname another directory",
		    what, at, strerror(errno));
	else if (room.free_bytes >= 0 && room.free_bytes < ROOM_LOW_BYTES)
		diagnosis_add(d,
		    room.free_bytes < ROOM_MIN_BYTES ? VERDICT_FAIL :
						       VERDICT_WARN,
		    "%s: the file system of %s has %" PRId64
		    " MiB left\tmake room",
		    what, at, room.free_bytes / MEBIBYTE);
	else
		diagnosis_add(d, VERDICT_OK, "%s: %s%s, %" PRId64 " MiB free",
		    what, path, strcmp(at, path) == 0 ? "" : " can be created",
		    room.free_bytes / MEBIBYTE);
	free(at);
}

/* Whether instances run on this host. */
static bool
check_has_instances(const struct plan *p)
{
	return p->far == NULL || hosts_find_own(p) != -1;
}

/* Directories that only instances elsewhere use are checked there. */
static void
check_directories(const struct plan *p, struct diagnosis *d)
{
	const struct launch_settings *s = p->settings;
	const bool here = check_has_instances(p);
	const int before = d->count;

	d->checking = "directories";
	if (s->log_dir != NULL)
		check_files_check_room(d, "--log-dir", s->log_dir);
	if (here && s->autoreport_dir != NULL)
		check_files_check_room(d, "--autoreport-dir",
		    s->autoreport_dir);
	if (here && s->cache_path != NULL && *s->cache_path != '\0')
		check_files_check_room(d, "--executable-cache-path",
		    s->cache_path);
	if (p->local != NULL && p->local[0].output_filename != NULL)
		check_files_check_room(d, "--output-filename",
		    p->local[0].output_filename);
	if (here && p->local != NULL && p->local[0].wdir != NULL)
		check_files_check_room(d, "--wdir", p->local[0].wdir);
	if (d->count == before)
		diagnosis_add(d, VERDICT_OK, "no option names a directory");
}

/* mpirun prints "mpirun (Open MPI) 4.1.4". */
char *
check_files_find_version(const char *file)
{
	struct strvec argv;
	struct child child = { .limit_ms = VERSION_MS };
	char *line = NULL;

	strvec_init(&argv);
	strvec_add(&argv, file);
	strvec_add(&argv, "--version");
	child.argv = argv.items;
	if (children_run(&child, 1, 1, NULL) == 0 && child.status == 0) {
		line = xstrdup(child.out.text);
		line[strcspn(line, "\n")] = '\0';
	}
	children_release(&child);
	strvec_release(&argv);
	return line;
}

static void
check_mpirun(const struct plan *p, struct diagnosis *d)
{
	char *version = check_files_find_version(p->mpirun);

	if (!plan_may_run_as_root(p->settings))
		diagnosis_add(d, VERDICT_FAIL,
		    "%s refuses root\t--allow-run-as-root yes lets it run",
		    p->mpirun);
	else if (version == NULL)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s does not report its version\tinstall Open MPI again, "
		    "or use --launcher local",
		    p->mpirun);
	else
		diagnosis_add(d, VERDICT_OK, "%s, %s", p->mpirun, version);
	free(version);
}

static void
check_launcher(struct plan *p, struct diagnosis *d)
{
	struct error e = { .text = "" };
	const char *rank;
	size_t at = 0;

	d->checking = "launcher";
	if (plan_choose_launcher(p, &e) != 0)
		diagnosis_add(d, VERDICT_FAIL, "%s", e.text);
	else if (p->launcher == LAUNCHER_MPIRUN)
		check_mpirun(p, d);
	else
		diagnosis_add(d, VERDICT_OK,
		    "local: poprun starts the instances itself");
	while ((rank = notes_replaced_rank(p, &at)) != NULL)
		diagnosis_add(d, VERDICT_WARN,
		    "%s is set, but each instance gets its own value\tunset "
		    "it, or pass it by -x",
		    rank);
}

/* An invalid SDK was refused before; without an SDK nothing is checked. */
static void
check_sdk(const struct plan *p, struct diagnosis *d)
{
	if (!p->has_sdk)
		return;
	d->checking = "sdk";
	if (sdk_is_current(&p->sdk))
		diagnosis_add(d, VERDICT_OK, "%s, version %s", p->sdk.directory,
		    p->sdk.version);
	else
		diagnosis_add(d, VERDICT_WARN,
		    "%s is of ipubox %s, and this is %s\tipubox --install-sdk "
		    "brings it up to date",
		    p->sdk.directory, p->sdk.version, IPUBOX_VERSION);
}

void
check_files_run(struct plan *p, struct diagnosis *d)
{
	check_program(p, d);
	check_launcher(p, d);
	if (check_has_instances(p))
		check_files_look_at_words(p->settings->program,
		    p->working != NULL ? p->working[0] : NULL, NULL, d);
	check_directories(p, d);
	check_sdk(p, d);
}
