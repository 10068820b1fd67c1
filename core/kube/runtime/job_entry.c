/*
 * The directory of one IPUJob.
 */
#include "core/kube/runtime/job_entry.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/files/file_set.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/kube/yaml/yaml.h"

enum {
	EVENTS_MAX = 256 * 1024, /* bytes of events kept */
	NUMBER_SIZE = 32	 /* of the order, as a text */
};

static const char record_file[] = "record.json";
static const char order_file[] = "order";
static const char lock_file[] = "lock";
static const char wake_file[] = "wake";
static const char over_file[] = "over";
static const char events_file[] = "events";
static const char pods_directory[] = "pods";
static const char pod_file[] = "pod.json";

static int
entry_open_in(const struct directory *above, const char *space,
    const char *name, struct job_entry *entry, struct error *e)
{
	struct yaml_arena *arena = yaml_arena_new();

	*entry = (struct job_entry){ .directory = DIRECTORY_NONE,
		.space = xstrdup(space),
		.name = xstrdup(name) };
	if (name_check("name", name, e) != 0 ||
	    directory_open_below(above, name, &entry->directory, e) != 0) {
		yaml_arena_free(arena);
		return -1;
	}
	/* A damaged entry comes first, so that it is handled at all. */
	entry->order = yaml_get_integer(job_store_read_in(&entry->directory,
					    arena, record_file, NULL),
	    "order", 0);
	yaml_arena_free(arena);
	return 0;
}

int
job_entry_open(const struct job_store *s, const char *space, const char *name,
    struct job_entry *entry, struct error *e)
{
	struct directory above;
	int status;

	*entry = (struct job_entry){ .directory = DIRECTORY_NONE };
	status = job_store_directory(s, space, JOB_IPUJOB, false, &above, e);
	if (status == 0)
		status = entry_open_in(&above, space, name, entry, e);
	directory_close(&above);
	return status;
}

void
job_entry_close(struct job_entry *entry)
{
	directory_close(&entry->directory);
	free(entry->space);
	free(entry->name);
	entry->space = entry->name = NULL;
}

/* Draw the next number of the store, which is synced to disk first. */
static int
draw_order(const struct job_store *s, int64_t *order, struct error *e)
{
	char *text, line[NUMBER_SIZE];
	struct error reason;
	size_t size;
	long long last = 0;

	text = file_read_at(&s->directory, order_file, NUMBER_SIZE, &size,
	    &reason);
	if (text == NULL && reason.code != ERROR_NOT_FOUND)
		return error_copy(e, &reason);
	if (text != NULL) {
		text[strcspn(text, "\n")] = '\0';
		/* A damaged file counts from the beginning. */
		(void)parse_number(order_file, text, 0, INT64_MAX - 1, &last,
		    NULL);
	}
	free(text);
	*order = last + 1;
	(void)snprintf(line, sizeof(line), "%" PRId64 "\n", *order);
	return file_replace_at(&s->directory, order_file, line, strlen(line),
	    e);
}

/* Fill the directory before it gets its final name. */
static int
fill_entry(const struct directory *d, int64_t order,
    const struct yaml_node *object, struct error *e)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *record = yaml_new_map(arena);
	struct directory pods;
	int status;

	yaml_set_integer(arena, record, "order", order);
	status = job_store_write_in(d, record_file, record, e);
	if (status == 0)
		status = job_store_write_in(d, JOB_OBJECT, object, e);
	if (status == 0)
		status = directory_make_below(d, pods_directory, &pods, e);
	if (status == 0)
		directory_close(&pods);
	yaml_arena_free(arena);
	return status;
}

int
job_entry_make(struct job_store *s, const char *space, const char *name,
    const struct yaml_node *object, struct job_entry *entry, struct error *e)
{
	struct directory above, d = DIRECTORY_NONE;
	struct stat st;
	char *made = xasprintf(".%s", name);
	int64_t order = 0;
	int status;

	*entry = (struct job_entry){ .directory = DIRECTORY_NONE };
	status = name_check("name", name, e);
	if (status == 0)
		status = job_store_directory(s, space, JOB_IPUJOB, true, &above,
		    e);
	else
		above = DIRECTORY_NONE;
	if (status == 0 &&
	    fstatat(above.fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		status = error_set_code(e, ERROR_EXISTS, "%s already exists",
		    name);
	if (status == 0)
		status = draw_order(s, &order, e);
	if (status == 0) {
		/* Remove leftovers of a killed creation or removal. */
		(void)directory_tree_remove(above.fd, made);
		status = directory_make_below(&above, made, &d, e);
	}
	if (status == 0)
		status = fill_entry(&d, order, object, e);
	directory_close(&d);
	if (status == 0 && renameat(above.fd, made, above.fd, name) != 0)
		status = error_set_errno(e, "cannot make %s/%s", above.path,
		    name);
	if (status == 0)
		status = directory_sync(&above, e);
	if (status == 0)
		status = entry_open_in(&above, space, name, entry, e);
	directory_close(&above);
	free(made);
	return status;
}

int
job_entry_remove(const struct job_store *s, struct job_entry *entry,
    struct error *e)
{
	struct directory above;
	char *gone = xasprintf(".%s", entry->name);
	int status, number;

	status = job_store_directory(s, entry->space, JOB_IPUJOB, false, &above,
	    e);
	if (status == 0) {
		/* The pods go first: once the entry is missing, everything is
		   removed. */
		(void)directory_tree_remove(entry->directory.fd,
		    pods_directory);
		(void)directory_tree_remove(above.fd, gone);
		if (renameat(above.fd, entry->name, above.fd, gone) != 0)
			status = error_set_errno(e, "cannot remove %s",
			    entry->directory.path);
	}
	if (status == 0 &&
	    (number = directory_tree_remove(above.fd, gone)) != 0)
		status = error_set_number(e, number, "cannot remove all of %s",
		    entry->directory.path);
	directory_close(&above);
	free(gone);
	return status;
}

/* qsort(3) */
static int
compare_entries(const void *a, const void *b)
{
	const struct job_entry *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

/* List the entries of one namespace; one that is removed meanwhile is
   skipped. */
static int
list_space(const struct job_store *s, const char *space,
    struct job_entry **list, long *count, struct error *e)
{
	char **names;
	long found = job_store_names(s, space, JOB_IPUJOB, &names, e), i;

	if (found == -1)
		return -1;
	*list = xreallocarray(*list, (size_t)(*count + found) + 1,
	    sizeof(**list));
	for (i = 0; i < found; i++) {
		if (job_entry_open(s, space, names[i], &(*list)[*count],
			NULL) == 0)
			(*count)++;
		else
			job_entry_close(&(*list)[*count]);
	}
	directory_names_free(names, found);
	return 0;
}

long
job_entry_list(const struct job_store *s, const char *space,
    struct job_entry **out, struct error *e)
{
	char **spaces;
	long spaces_count, i, count = 0;
	int status = 0;

	*out = NULL;
	if (space != NULL) {
		status = list_space(s, space, out, &count, e);
	} else {
		spaces_count = job_store_spaces(s, &spaces, e);
		if (spaces_count == -1)
			return -1;
		for (i = 0; i < spaces_count && status == 0; i++)
			status = list_space(s, spaces[i], out, &count, e);
		directory_names_free(spaces, spaces_count);
	}
	if (status != 0) {
		job_entry_free_list(*out, count);
		*out = NULL;
		return -1;
	}
	if (count > 0)
		qsort(*out, (size_t)count, sizeof(**out), compare_entries);
	return count;
}

void
job_entry_free_list(struct job_entry *list, long count)
{
	while (count > 0)
		job_entry_close(&list[--count]);
	free(list);
}

struct yaml_node *
job_entry_read(const struct job_entry *entry, struct yaml_arena *arena,
    const char *file, struct error *e)
{
	return job_store_read_in(&entry->directory, arena, file, e);
}

int
job_entry_write(const struct job_entry *entry, const char *file,
    const struct yaml_node *node, struct error *e)
{
	return job_store_write_in(&entry->directory, file, node, e);
}

/* Open the directory of a pod; the caller closes it in any case. */
static int
open_pod(const struct job_entry *entry, const char *pod, struct directory *d,
    struct error *e)
{
	struct directory pods;
	int status;

	*d = DIRECTORY_NONE;
	if (name_check("name", pod, e) != 0)
		return -1;
	status = directory_open_below(&entry->directory, pods_directory, &pods,
	    e);
	if (status == 0)
		status = directory_open_below(&pods, pod, d, e);
	directory_close(&pods);
	return status;
}

struct yaml_node *
job_entry_read_pod(const struct job_entry *entry, struct yaml_arena *arena,
    const char *pod, struct error *e)
{
	struct directory d;
	struct yaml_node *node = NULL;

	if (open_pod(entry, pod, &d, e) == 0)
		node = job_store_read_in(&d, arena, pod_file, e);
	directory_close(&d);
	return node;
}

int
job_entry_write_pod(const struct job_entry *entry, const char *pod,
    const struct yaml_node *node, struct error *e)
{
	struct directory d;
	int status = open_pod(entry, pod, &d, e);

	if (status == 0)
		status = job_store_write_in(&d, pod_file, node, e);
	directory_close(&d);
	return status;
}

int
job_entry_remove_pod(const struct job_entry *entry, const char *pod,
    struct error *e)
{
	struct directory pods;
	int status, number;

	status = directory_open_below(&entry->directory, pods_directory, &pods,
	    e);
	if (status == 0 && (number = directory_tree_remove(pods.fd, pod)) != 0)
		status = error_set_number(e, number, "cannot remove pod %s",
		    pod);
	directory_close(&pods);
	return status;
}

char *
job_entry_pod_path(const struct job_entry *entry, const char *pod)
{
	return xasprintf("%s/%s/%s", entry->directory.path, pods_directory,
	    pod);
}

long
job_entry_pods(const struct job_entry *entry, char ***names, struct error *e)
{
	struct directory d;
	long count = -1;

	if (directory_open_below(&entry->directory, pods_directory, &d, e) == 0)
		count = directory_names(&d, "", names, e);
	directory_close(&d);
	return count;
}

/* The lock belongs to the open file description, so it ends with the runner. */
static int
entry_lock_call(int fd, int command, struct flock *l)
{
	int status;

	*l = (struct flock){ .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_len = 1 };
	do {
		status = fcntl(fd, command, l);
	} while (status != 0 && errno == EINTR);
	return status;
}

int
job_entry_lock(const struct job_entry *entry, struct error *e)
{
	struct flock l;
	int fd = file_open(&entry->directory, lock_file, O_RDWR | O_CREAT, e);

	if (fd == -1)
		return error_prefix(e, "cannot open %s/%s",
		    entry->directory.path, lock_file);
	if (entry_lock_call(fd, F_OFD_SETLK, &l) == 0)
		return fd;
	(void)close(fd);
	return error_set_code(e, ERROR_BUSY, "ipujob %s already has a runner",
	    entry->name);
}

bool
job_entry_is_locked(const struct job_entry *entry)
{
	struct flock l;
	bool taken;
	/* Open it read-only: inotify(7) would otherwise report each closing as
	   the end of a runner, which closes a lock opened for writing. */
	int fd = file_open(&entry->directory, lock_file, O_RDONLY, NULL);

	if (fd == -1)
		return false;
	taken = entry_lock_call(fd, F_OFD_GETLK, &l) != 0 ||
	    l.l_type != F_UNLCK;
	(void)close(fd);
	return taken;
}

/* Open it for reading and writing, so that it never reports an end of file. */
int
job_entry_listen(const struct job_entry *entry, struct error *e)
{
	const int above = entry->directory.fd;
	int fd;

	if (mkfifoat(above, wake_file, 0600) != 0 && errno != EEXIST)
		return error_set_errno(e, "cannot make %s/%s",
		    entry->directory.path, wake_file);
	fd = openat(above, wake_file,
	    O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	return fd != -1 ?
	    fd :
	    error_set_errno(e, "cannot open %s/%s", entry->directory.path,
		wake_file);
}

static int
open_waker(int above, const char *path)
{
	return openat(above, path,
	    O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
}

int
job_entry_open_waker(const char *pod_directory)
{
	char *path = xasprintf("%s/../../%s", pod_directory, wake_file);
	int fd = open_waker(AT_FDCWD, path);

	free(path);
	return fd;
}

/* Ignore a missing reader and a full FIFO. */
void
job_entry_wake(const struct job_entry *entry)
{
	int fd = open_waker(entry->directory.fd, wake_file);

	if (fd == -1)
		return;
	(void)!write(fd, "", 1);
	(void)close(fd);
}

bool
job_entry_is_over(const struct job_entry *entry)
{
	return faccessat(entry->directory.fd, over_file, F_OK, 0) == 0;
}

void
job_entry_set_over(const struct job_entry *entry, bool over)
{
	int fd;

	if (!over) {
		(void)unlinkat(entry->directory.fd, over_file, 0);
		return;
	}
	fd = file_open(&entry->directory, over_file, O_WRONLY | O_CREAT, NULL);
	if (fd != -1)
		(void)close(fd);
}

/* Drop the first half if the events are too many. */
static void
shorten_events(const struct job_entry *entry)
{
	char *text, *from;
	size_t size;

	text = file_read_at(&entry->directory, events_file, 2 * EVENTS_MAX,
	    &size, NULL);
	if (text == NULL)
		return;
	from = strchr(text + size / 2, '\n');
	if (from != NULL)
		(void)file_replace_at(&entry->directory, events_file, from + 1,
		    size - (size_t)(from + 1 - text), NULL);
	free(text);
}

void
job_entry_add_event(const struct job_entry *entry,
    const struct yaml_node *event)
{
	struct memstream m;
	struct stat st;
	char *text;
	size_t size;
	int fd;

	(void)memstream_open(&m);
	yaml_write_json_line(m.file, event);
	(void)fputc('\n', m.file);
	text = memstream_close(&m, &size);
	fd = file_open(&entry->directory, events_file,
	    O_WRONLY | O_APPEND | O_CREAT, NULL);
	if (fd != -1) {
		(void)file_put(fd, text, size);
		if (fstat(fd, &st) == 0 && st.st_size > EVENTS_MAX)
			shorten_events(entry);
		(void)close(fd);
	}
	free(text);
}

struct yaml_node *
job_entry_events(const struct job_entry *entry, struct yaml_arena *arena)
{
	struct yaml_node **documents, *list = yaml_new_list(arena);
	char *text, *line, *end;
	size_t size;

	text = file_read_at(&entry->directory, events_file, 2 * EVENTS_MAX,
	    &size, NULL);
	for (line = text; line != NULL && *line != '\0'; line = end + 1) {
		if ((end = strchr(line, '\n')) == NULL)
			break; /* incomplete line */
		if (yaml_parse(arena, events_file, line, (size_t)(end - line),
			&documents, NULL) == 1)
			yaml_add(arena, list, documents[0]);
	}
	free(text);
	return list;
}
