/*
 * The process that becomes a container or joins one.  It follows the sheet, a
 * file that the runner writes into the pod's directory.
 */
#include "core/kube/runner/runner_parts.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/kube/sandbox/sandbox.h"
#include "core/process/process.h"

enum {
	SHEET_BYTES_MAX = 4 * 1024 * 1024,
	STAT_BYTES_MAX = 4096,
	CONTAINER_UMASK = 022,
	CANNOT_BECOME = 128 /* Kubernetes' status for a container that could not
			       be created */
};

static const char sheet_file[] = "sheet.json";

/* File with "PID START" of the container, once it has entered its place. */
static const char process_file[] = "process";

/* A parsed sheet: the place to enter and the program to execute. */
struct read_sheet {
	struct yaml_arena *arena;
	struct yaml_node *node;
	char **argv;
	char **environment;
	char *upper;
	struct sandbox_volume *volumes;
	struct sandbox_volume *kept;
	struct sandbox_plan place;
};

/* ---- the sheet ---- */

static struct yaml_node *
list_of_words(struct yaml_arena *arena, char *const *words)
{
	struct yaml_node *list = yaml_new_list(arena);

	for (; *words != NULL; words++)
		yaml_add(arena, list, yaml_new_text(arena, *words));
	return list;
}

static void
add_volume(struct yaml_arena *arena, struct yaml_node *list, const char *name,
    const char *source, const char *target)
{
	struct yaml_node *v = yaml_new_map(arena);

	yaml_set_text(arena, v, "name", name);
	yaml_set_text(arena, v, "source", source);
	yaml_set_text(arena, v, "target", target);
	yaml_add(arena, list, v);
}

static struct yaml_node *
sheet_volumes(struct yaml_arena *arena, const struct container_plan *plan)
{
	struct yaml_node *list = yaml_new_list(arena), *v;
	const struct container_volume *volume = plan->volumes;
	size_t i;

	for (i = 0; i < plan->volume_count; i++, volume++) {
		add_volume(arena, list, volume->name, volume->source,
		    volume->target);
		v = list->items[i].node;
		yaml_set_text(arena, v, "work", volume->work);
		yaml_set_bool(arena, v, "readOnly", volume->is_read_only);
		yaml_set_integer(arena, v, "size", volume->size_bytes);
	}
	return list;
}

/* Return the files that an image or a volume may cover, but the container
   needs. */
static struct yaml_node *
sheet_kept(struct yaml_arena *arena, const struct job_runner *r)
{
	struct yaml_node *list = yaml_new_list(arena);
	char *shm = path_directory_name(r->registry);
	char *inside = xasprintf("%s/shm", r->entry->directory.path);

	add_volume(arena, list, "the registry", shm, inside);
	add_volume(arena, list, "the state directory", r->state, r->state);
	add_volume(arena, list, "ipubox", r->own_file, r->own_file);
	free(inside);
	free(shm);
	return list;
}

/* Whether the container only waits, for commands that others start in it. */
static bool
is_waiting(const struct job_runner *r, const struct runner_pod *p)
{
	return p->step >= p->state.steps &&
	    (r->job.ttl_seconds >= 0 ||
		(p->role == POD_WORKER && r->job.launcher != NULL));
}

int
pod_process_write_sheet(const struct job_runner *r, const struct runner_pod *p,
    const char *hostname, const char *root, struct error *e)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *sheet = yaml_new_map(arena);
	struct memstream m;
	char *text;
	size_t size;
	int status;

	(void)yaml_set(arena, sheet, "argv",
	    list_of_words(arena, p->plan.argv.items));
	(void)yaml_set(arena, sheet, "environment",
	    list_of_words(arena, p->plan.environment.items));
	yaml_set_text(arena, sheet, "working", p->plan.working);
	yaml_set_text(arena, sheet, "hostname", hostname);
	yaml_set_text(arena, sheet, "root", root[0] != '\0' ? root : NULL);
	yaml_set_bool(arena, sheet, "isolated", r->may_mount);
	yaml_set_bool(arena, sheet, "waiting", is_waiting(r, p));
	(void)yaml_set(arena, sheet, "volumes", sheet_volumes(arena, &p->plan));
	(void)yaml_set(arena, sheet, "kept", sheet_kept(arena, r));
	yaml_write_json(memstream_open(&m), sheet);
	text = memstream_close(&m, &size);
	status = file_replace(p->directory, sheet_file, text, size, e);
	free(text);
	yaml_arena_free(arena);
	return status;
}

/* Return words that execve(2) accepts and does not change. */
static char **
read_words(const struct yaml_node *list)
{
	size_t count = list != NULL ? list->count : 0, i;
	char **words = xcalloc(count + 1, sizeof(*words));

	for (i = 0; i < count; i++)
		words[i] = xstrdup(list->items[i].node->text);
	return words;
}

static struct sandbox_volume *
read_volumes(const struct yaml_node *list, size_t *count)
{
	const struct yaml_node *v;
	struct sandbox_volume *volumes;
	size_t i;

	*count = list != NULL ? list->count : 0;
	volumes = xcalloc(*count + 1, sizeof(*volumes));
	for (i = 0; i < *count; i++) {
		v = list->items[i].node;
		volumes[i] = (struct sandbox_volume){
			.kind = yaml_get(v, "source") != NULL ?
			    SANDBOX_DIRECTORY :
			    SANDBOX_MEMORY,
			.name = yaml_get_text(v, "name"),
			.source = yaml_get_text(v, "source"),
			.target = yaml_get_text(v, "target"),
			.work = yaml_get_text(v, "work"),
			.is_read_only = yaml_get_bool(v, "readOnly", false),
			.size_bytes = (uint64_t)yaml_get_integer(v, "size", 0)
		};
	}
	return volumes;
}

static int
read_sheet(const char *directory, struct read_sheet *r, struct error *e)
{
	struct yaml_node **documents;
	char *path = xasprintf("%s/%s", directory, sheet_file), *text;
	size_t size;

	memset(r, 0, sizeof(*r));
	r->arena = yaml_arena_new();
	text = file_read(path, SHEET_BYTES_MAX, &size, e);
	if (text != NULL &&
	    yaml_parse(r->arena, path, text, size, &documents, e) > 0)
		r->node = documents[0];
	free(text);
	free(path);
	if (r->node == NULL)
		return -1;
	r->argv = read_words(yaml_get(r->node, "argv"));
	r->environment = read_words(yaml_get(r->node, "environment"));
	r->upper = xasprintf("%s/upper", directory);
	r->place.directory = directory;
	r->place.root = yaml_get_text(r->node, "root");
	r->place.upper = r->place.root != NULL ? r->upper : NULL;
	r->place.hostname = yaml_get_text(r->node, "hostname");
	r->place.working = yaml_get_text(r->node, "working");
	r->place.volumes = r->volumes =
	    read_volumes(yaml_get(r->node, "volumes"), &r->place.volume_count);
	r->place.kept = r->kept = read_volumes(yaml_get(r->node, "kept"),
	    &r->place.kept_count);
	return 0;
}

static void
free_words(char **words)
{
	size_t i;

	for (i = 0; words != NULL && words[i] != NULL; i++)
		free(words[i]);
	free(words);
}

static void
release_sheet(struct read_sheet *r)
{
	free_words(r->argv);
	free_words(r->environment);
	free(r->upper);
	free(r->volumes);
	free(r->kept);
	yaml_arena_free(r->arena);
}

/* ---- the process ---- */

/* Return the start time of a process, field 22 of proc(5)'s stat, to detect
   reused numbers. */
static int64_t
process_start(pid_t pid)
{
	char path[64], *text, *at;
	size_t size;
	long long start = 0;
	int field;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	text = file_read(path, STAT_BYTES_MAX, &size, NULL);
	at = text != NULL ? strrchr(text, ')') : NULL;
	for (field = 2; at != NULL && field < 22; field++)
		if ((at = strchr(at + 1, ' ')) == NULL)
			break;
	if (at != NULL) {
		at[1 + strcspn(at + 1, " \n")] = '\0';
		(void)parse_number("start", at + 1, 0, INT64_MAX, &start, NULL);
	}
	free(text);
	return start;
}

/*
 * Record the process only once it has entered its place: other processes join
 * it then, and the runner learns that it can be joined.
 */
static int
record_process(int fd, int waker, struct error *e)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "%d %" PRId64 "\n", (int)getpid(),
	    process_start(getpid()));
	if (ftruncate(fd, 0) != 0 || file_put(fd, text, strlen(text)) != 0)
		return error_set_errno(e, "cannot write the pod's file %s",
		    process_file);
	(void)!write(waker, "", 1);
	return 0;
}

/* Enter the place, or its substitute if mounting is not allowed. */
static int
enter_place(const struct read_sheet *r, struct error *e)
{
	if (yaml_get_bool(r->node, "isolated", false))
		return sandbox_enter(&r->place, e);
	if (chdir(r->place.working) == 0)
		return 0;
	return error_set_errno(e, "workingDir %s", r->place.working);
}

/*
 * Execute the program by the container's PATH, in its place.  New files get the
 * modes of other container runtimes, whatever the umask of the runner or the
 * caller of exec.
 */
static int
execute(char *const *argv, char *const *environment, struct error *e)
{
	const char *search = NULL;
	char *path;
	size_t i;
	int status;

	for (i = 0; environment[i] != NULL; i++)
		if (strncmp(environment[i], "PATH=", 5) == 0)
			search = environment[i] + 5;
	status = program_find(argv[0], search, &path, e);
	if (status != 0)
		return status;
	(void)umask(CONTAINER_UMASK);
	(void)execve(path, argv, environment);
	free(path);
	(void)error_set_errno(e, "cannot execute %s", argv[0]);
	return PROGRAM_CANNOT_EXECUTE;
}

/* Start the container; returns only on failure. */
static int
enter_and_go(const char *directory, const struct read_sheet *r, int waker,
    struct error *e)
{
	struct directory d = DIRECTORY_NONE;
	int fd = -1, status = CANNOT_BECOME;

	if (directory_open(&d, directory, e) == 0)
		fd = file_open(&d, process_file, O_WRONLY | O_CREAT, e);
	directory_close(&d);
	if (fd != -1 && enter_place(r, e) == 0 &&
	    record_process(fd, waker, e) == 0)
		status = 0;
	if (fd != -1)
		(void)close(fd);
	if (status != 0)
		return status;
	if (!yaml_get_bool(r->node, "waiting", false))
		return execute(r->argv, r->environment, e);
	title_set("ipubox-pause");
	for (;;)
		(void)pause();
}

int
pod_process_run(const char *directory, struct error *e)
{
	struct read_sheet r;
	int waker = job_entry_open_waker(directory);
	int status = CANNOT_BECOME;

	if (read_sheet(directory, &r, e) == 0)
		status = enter_and_go(directory, &r, waker, e);
	release_sheet(&r);
	if (waker != -1)
		(void)close(waker);
	return status;
}

pid_t
pod_process_find(const char *directory)
{
	char *path = xasprintf("%s/%s", directory, process_file);
	char *text, *space;
	size_t size;
	long long pid = 0, start = 0;

	text = file_read(path, STAT_BYTES_MAX, &size, NULL);
	free(path);
	if (text != NULL && (space = strchr(text, ' ')) != NULL) {
		*space++ = '\0';
		space[strcspn(space, "\n")] = '\0';
		if (parse_number("pid", text, 1, INT32_MAX, &pid, NULL) != 0 ||
		    parse_number("start", space, 1, INT64_MAX, &start, NULL) !=
			0 ||
		    process_start((pid_t)pid) != start)
			pid = 0;
	}
	free(text);
	return (pid_t)pid;
}

/* Open its pidfd first, then check that it is the right process. */
static int
join(const char *directory, const struct read_sheet *r, struct error *e)
{
	pid_t pid = pod_process_find(directory);
	int fd, status;

	if (pid == 0)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "its container is not running");
	if (!yaml_get_bool(r->node, "isolated", false))
		return 0;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd == -1 || pod_process_find(directory) != pid) {
		if (fd != -1)
			(void)close(fd);
		return error_set_code(e, ERROR_NOT_FOUND,
		    "its container has just ended");
	}
	status = sandbox_join(fd, e);
	(void)close(fd);
	return status;
}

static int
join_and_go(const char *directory, const struct read_sheet *r, struct error *e)
{
	if (join(directory, r, e) != 0)
		return -1;
	return chdir(r->place.working) == 0 ?
	    0 :
	    error_set_errno(e, "workingDir %s", r->place.working);
}

int
pod_process_exec(const char *directory, char *const *argv, struct error *e)
{
	struct read_sheet r;
	int status = CANNOT_BECOME;

	if (read_sheet(directory, &r, e) == 0 &&
	    join_and_go(directory, &r, e) == 0)
		status = execute(argv, r.environment, e);
	release_sheet(&r);
	return status;
}

int
pod_process_visit(const char *directory, struct error *e)
{
	struct read_sheet r;
	int status = read_sheet(directory, &r, e);

	if (status == 0)
		status = pod_process_find(directory) == 0 ?
		    enter_place(&r, e) :
		    join_and_go(directory, &r, e);
	release_sheet(&r);
	return status;
}
