/*
 * Settings of ipubox.conf for the pods of IPUJobs.
 */
#include "core/kube/runtime/runtime.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/state/state.h"

enum { RESTART_DELAY_MS = 10000 }; /* the kubelet's */

/* Load the settings, which are too large for a stack; NULL: refused. */
static struct file_settings *
load_settings(struct error *e)
{
	struct file_settings *s = xcalloc(1, sizeof(*s));

	if (settings_load(s, e) == 0)
		return s;
	free(s);
	return NULL;
}

/* Return 2 for the exact name, 1 for the name without a tag, 0 otherwise. */
static int
match_image(const char *name, size_t length, const char *image)
{
	const char *slash = strrchr(image, '/');
	const char *tag = strpbrk(slash != NULL ? slash : image, ":@");

	if (strncmp(image, name, length) != 0)
		return 0;
	return image[length] == '\0' ? 2 : image + length == tag;
}

/* Choose the best match, and of equal matches the last. */
static void
choose_image(const char *lines, const char *image, char root[PATH_MAX],
    bool *is_mapped)
{
	const char *end, *place;
	int best = 1, match;

	for (; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
		match = match_image(lines, strcspn(lines, " \t"), image);
		if (match < best)
			continue;
		best = match;
		place = lines + strcspn(lines, " \t");
		place += strspn(place, " \t");
		*is_mapped = true;
		root[0] = '\0';
		if (*place == '/')
			(void)strlcpy(root, place,
			    (size_t)(end - place) < PATH_MAX ?
				(size_t)(end - place) + 1 :
				PATH_MAX);
	}
}

int
job_settings_image(const char *image, char root[PATH_MAX], bool *is_mapped,
    struct error *e)
{
	struct file_settings *s = load_settings(e);

	root[0] = '\0';
	*is_mapped = false;
	if (s == NULL)
		return -1;
	if (image != NULL)
		choose_image(s->images, image, root, is_mapped);
	free(s);
	return 0;
}

int
job_settings_host_root(char root[PATH_MAX], struct error *e)
{
	struct file_settings *s = load_settings(e);

	root[0] = '\0';
	if (s == NULL)
		return -1;
	(void)strlcpy(root, s->jobs_host_paths, PATH_MAX);
	free(s);
	return 0;
}

int
job_settings_restart_delay(int64_t *ms, struct error *e)
{
	struct file_settings *s = load_settings(e);

	*ms = RESTART_DELAY_MS;
	if (s == NULL)
		return -1;
	if (s->jobs_restart_delay_ms != 0)
		*ms = s->jobs_restart_delay_ms;
	free(s);
	return 0;
}
