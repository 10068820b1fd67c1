/*
 * A process that becomes a container, or joins one, by a file that the runner
 * wrote.
 */
#include "applets/ipubox-job/pod_sheet.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/directory.h"
#include "core/base/file.h"
#include "core/base/memstream.h"
#include "core/base/parse.h"
#include "core/base/path.h"
#include "core/base/title.h"
#include "core/base/yaml_write.h"
#include "core/process/program.h"
#include "core/process/sandbox.h"
#include "core/state/job_entry.h"

enum {
	SHEET_BYTES_MAX = 4 * 1024 * 1024,
	CANNOT_BECOME = 128	/* as Kubernetes has it of a container that
				   could not be made */
};

static const char	sheet_file[] = "sheet.json";
/* "PID START": who the container is, once it is where it belongs. */
static const char	process_file[] = "process";
static const char	scratch[] = "home";

static struct yaml_node *
list_of_words(struct yaml_arena *arena, char *const *words)
{
	struct yaml_node	*list = yaml_new_list(arena);

	for (; *words != NULL; words++)
		yaml_add(arena, list, yaml_new_text(arena, *words));
	return list;
}

static void
pod_sheet_add_volume(struct yaml_arena *arena, struct yaml_node *list,
    const char *name, const char *source, const char *target)
{
	struct yaml_node	*v = yaml_new_map(arena);

	yaml_set_text(arena, v, "name", name);
	yaml_set_text(arena, v, "source", source);
	yaml_set_text(arena, v, "target", target);
	yaml_add(arena, list, v);
}

static struct yaml_node *
sheet_volumes(struct yaml_arena *arena, const struct container_plan *plan)
{
	struct yaml_node	*list = yaml_new_list(arena), *v;
	const struct container_volume	*volume = plan->volumes;
	size_t			 i;

	for (i = 0; i < plan->volume_count; i++, volume++) {
		pod_sheet_add_volume(arena, list, volume->name, volume->source,
		    volume->target);
		v = list->items[i].node;
		yaml_set_bool(arena, v, "readOnly", volume->is_read_only);
		yaml_set_integer(arena, v, "size", volume->size_bytes);
	}
	return list;
}

/* What an image or a volume may cover, and the container needs. */
static struct yaml_node *
sheet_kept(struct yaml_arena *arena, const struct pod_sheet *s)
{
	struct yaml_node	*list = yaml_new_list(arena);

	pod_sheet_add_volume(arena, list, "the registry", s->shm,
	    s->shm_inside);
	pod_sheet_add_volume(arena, list, "the state directory", s->state,
	    s->state);
	pod_sheet_add_volume(arena, list, "ipubox", s->own_file, s->own_file);
	return list;
}

int
pod_sheet_write(const struct pod_sheet *s, struct error *e)
{
	struct yaml_arena	*arena = yaml_arena_new();
	struct yaml_node	*sheet = yaml_new_map(arena);
	struct memstream	 m;
	char			*text;
	size_t			 size;
	int			 status;

	(void)yaml_set(arena, sheet, "argv", list_of_words(arena,
	    s->plan->argv.items));
	(void)yaml_set(arena, sheet, "environment", list_of_words(arena,
	    s->plan->environment.items));
	yaml_set_text(arena, sheet, "working", s->plan->working);
	yaml_set_text(arena, sheet, "hostname", s->hostname);
	yaml_set_text(arena, sheet, "root", s->root);
	yaml_set_bool(arena, sheet, "isolated", s->is_isolated);
	yaml_set_bool(arena, sheet, "waiting", s->is_waiting);
	(void)yaml_set(arena, sheet, "volumes", sheet_volumes(arena,
	    s->plan));
	(void)yaml_set(arena, sheet, "kept", sheet_kept(arena, s));
	yaml_write_json(memstream_open(&m), sheet);
	text = memstream_close(&m, &size);
	status = file_replace(s->directory, sheet_file, text, size, e);
	free(text);
	yaml_arena_free(arena);
	return status;
}

/* A sheet that was read; all is the arena's, but the arrays. */
struct read_sheet {
	struct yaml_arena	*arena;
	struct yaml_node	*node;
	char			**argv;
	char			**environment;
	char			*home;
	char			*upper;
	struct sandbox_volume	*volumes;
	struct sandbox_volume	*kept;
	struct sandbox_plan	 place;
};

/* Words that execve(2) takes, and does not change. */
static char **
pod_sheet_read_words(const struct yaml_node *list)
{
	size_t	 count = list != NULL ? list->count : 0, i;
	char	**words = xcalloc(count + 1, sizeof(*words));

	for (i = 0; i < count; i++)
		words[i] = xstrdup(list->items[i].node->text);
	return words;
}

static struct sandbox_volume *
read_volumes(const struct yaml_node *list, size_t *count)
{
	const struct yaml_node	*v;
	struct sandbox_volume	*volumes;
	size_t			 i;

	*count = list != NULL ? list->count : 0;
	volumes = xcalloc(*count + 1, sizeof(*volumes));
	for (i = 0; i < *count; i++) {
		v = list->items[i].node;
		volumes[i] = (struct sandbox_volume){
			.kind = yaml_get(v, "source") != NULL ?
			    SANDBOX_DIRECTORY : SANDBOX_MEMORY,
			.name = yaml_get_text(v, "name"),
			.source = yaml_get_text(v, "source"),
			.target = yaml_get_text(v, "target"),
			.is_read_only = yaml_get_bool(v, "readOnly", false),
			.size_bytes = (uint64_t)yaml_get_integer(v, "size",
			    0)
		};
	}
	return volumes;
}

static int
read_sheet(const char *directory, struct read_sheet *r, struct error *e)
{
	struct yaml_node	**documents;
	char			*path = xasprintf("%s/%s", directory,
	    sheet_file), *text;
	size_t			 size;

	memset(r, 0, sizeof(*r));
	r->arena = yaml_arena_new();
	text = file_read(path, SHEET_BYTES_MAX, &size, e);
	if (text != NULL && yaml_parse(r->arena, path, text, size,
	    &documents, e) > 0)
		r->node = documents[0];
	free(text);
	free(path);
	if (r->node == NULL)
		return -1;
	r->argv = pod_sheet_read_words(yaml_get(r->node, "argv"));
	r->environment = pod_sheet_read_words(yaml_get(r->node, "environment"));
	r->home = xasprintf("%s/%s", directory, scratch);
	r->upper = xasprintf("%s/upper", directory);
	r->place.directory = directory;
	r->place.root = yaml_get_text(r->node, "root");
	r->place.upper = r->place.root != NULL ? r->upper : NULL;
	r->place.hostname = yaml_get_text(r->node, "hostname");
	r->place.working = yaml_get_text(r->node, "working");
	if (r->place.working == NULL)
		r->place.working = r->home;
	r->place.volumes = r->volumes = read_volumes(yaml_get(r->node,
	    "volumes"), &r->place.volume_count);
	r->place.kept = r->kept = read_volumes(yaml_get(r->node, "kept"),
	    &r->place.kept_count);
	return 0;
}

/* Where a process is whose start is compared: field 22 of proc(5)'s stat. */
static int64_t
process_start(pid_t pid)
{
	char		path[64], *text, *at;
	size_t		size;
	long long	start = 0;
	int		field;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	text = file_read(path, SHEET_BYTES_MAX, &size, NULL);
	at = text != NULL ? strrchr(text, ')') : NULL;
	for (field = 2; at != NULL && field < 22; field++)
		if ((at = strchr(at + 1, ' ')) == NULL)
			break;
	if (at != NULL) {
		at[1 + strcspn(at + 1, " \n")] = '\0';
		(void)parse_number("start", at + 1, 0, INT64_MAX, &start,
		    NULL);
	}
	free(text);
	return start;
}

/*
 * Said when it is where it belongs, and not before: others join it then, and
 * the runner hears that there is one to join.
 */
static int
tell_process(int fd, int waker, struct error *e)
{
	char	text[64];

	(void)snprintf(text, sizeof(text), "%d %" PRId64 "\n", (int)getpid(),
	    process_start(getpid()));
	if (ftruncate(fd, 0) != 0 || file_put(fd, text, strlen(text)) != 0)
		return error_set_errno(e, "cannot write the pod's file %s",
		    process_file);
	(void)!write(waker, "", 1);
	return 0;
}

/* Enter the place, or what stands for it where nobody may mount. */
static int
enter_place(const struct read_sheet *r, struct error *e)
{
	if (yaml_get_bool(r->node, "isolated", false))
		return sandbox_enter(&r->place, e);
	if (chdir(r->place.working) == 0)
		return 0;
	return error_set_errno(e, "workingDir %s", r->place.working);
}

/* The program by the container's own PATH, in the place where it runs. */
static int
execute(char *const *argv, char *const *environment, struct error *e)
{
	const char	*search = NULL;
	char		*path;
	size_t		 i;
	int		 status;

	for (i = 0; environment[i] != NULL; i++)
		if (strncmp(environment[i], "PATH=", 5) == 0)
			search = environment[i] + 5;
	status = program_find(argv[0], search, &path, e);
	if (status != 0)
		return status;
	(void)execve(path, argv, environment);
	free(path);
	(void)error_set_errno(e, "cannot execute %s", argv[0]);
	return PROGRAM_CANNOT_EXECUTE;
}

int
pod_sheet_run(const char *directory, struct error *e)
{
	struct read_sheet	r;
	struct directory	d = DIRECTORY_NONE;
	int			waker = job_entry_open_waker(directory);
	int			fd = -1;

	if (read_sheet(directory, &r, e) != 0)
		return CANNOT_BECOME;
	if (directory_open(&d, directory, e) != 0 ||
	    (fd = file_open(&d, process_file, O_WRONLY | O_CREAT, e)) == -1)
		return CANNOT_BECOME;
	directory_close(&d);
	if (enter_place(&r, e) != 0 || tell_process(fd, waker, e) != 0)
		return CANNOT_BECOME;
	(void)close(fd);
	(void)close(waker);
	if (!yaml_get_bool(r.node, "waiting", false))
		return execute(r.argv, r.environment, e);
	title_set("ipubox-pause");
	for (;;)
		(void)pause();
}

pid_t
pod_sheet_process(const char *directory)
{
	char		*path = xasprintf("%s/%s", directory, process_file);
	char		*text, *space;
	size_t		 size;
	long long	 pid = 0, start = 0;

	text = file_read(path, SHEET_BYTES_MAX, &size, NULL);
	free(path);
	if (text != NULL && (space = strchr(text, ' ')) != NULL) {
		*space++ = '\0';
		space[strcspn(space, "\n")] = '\0';
		if (parse_number("pid", text, 1, INT32_MAX, &pid, NULL) != 0 ||
		    parse_number("start", space, 1, INT64_MAX, &start,
		    NULL) != 0 || process_start((pid_t)pid) != start)
			pid = 0;
	}
	free(text);
	return (pid_t)pid;
}

/* Its pidfd first, then the look whether it is the one. */
static int
join(const char *directory, const struct read_sheet *r, struct error *e)
{
	pid_t	pid = pod_sheet_process(directory);
	int	fd, status;

	if (pid == 0)
		return error_set_code(e, ERROR_NOT_FOUND, "its container does "
		    "not run");
	if (!yaml_get_bool(r->node, "isolated", false))
		return 0;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd == -1 || pod_sheet_process(directory) != pid) {
		if (fd != -1)
			(void)close(fd);
		return error_set_code(e, ERROR_NOT_FOUND, "its container has "
		    "just ended");
	}
	status = sandbox_join(fd, e);
	(void)close(fd);
	return status;
}

int
pod_sheet_exec(const char *directory, char *const *argv, struct error *e)
{
	struct read_sheet	r;

	if (read_sheet(directory, &r, e) != 0 || join(directory, &r, e) != 0)
		return CANNOT_BECOME;
	if (chdir(r.place.working) != 0) {
		(void)error_set_errno(e, "workingDir %s", r.place.working);
		return CANNOT_BECOME;
	}
	return execute(argv, r.environment, e);
}

int
pod_sheet_visit(const char *directory, struct error *e)
{
	struct read_sheet	r;

	if (read_sheet(directory, &r, e) != 0)
		return -1;
	if (pod_sheet_process(directory) == 0)
		return enter_place(&r, e);
	if (join(directory, &r, e) != 0)
		return -1;
	if (chdir(r.place.working) != 0)
		return error_set_errno(e, "workingDir %s", r.place.working);
	return 0;
}
