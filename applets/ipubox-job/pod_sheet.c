/*
 * What becomes a container's process, written by the runner and read by the
 * process.
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
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/kube/runtime/job_entry.h"
#include "core/kube/sandbox/sandbox.h"
#include "core/kube/yaml/yaml_write.h"
#include "core/process/process.h"

enum { SHEET_BYTES_MAX = 4 * 1024 * 1024 };

static const char	sheet_file[] = "sheet.json";
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

int
pod_sheet_read(const char *directory, struct read_sheet *r, struct error *e)
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

static void
pod_sheet_free_words(char **words)
{
	size_t	i;

	for (i = 0; words != NULL && words[i] != NULL; i++)
		free(words[i]);
	free(words);
}

void
pod_sheet_release(struct read_sheet *r)
{
	pod_sheet_free_words(r->argv);
	pod_sheet_free_words(r->environment);
	free(r->home);
	free(r->upper);
	free(r->volumes);
	free(r->kept);
	yaml_arena_free(r->arena);
}
