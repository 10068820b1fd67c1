/*
 * What the engines will need of the IPUs' memory, before anything runs.
 */
#include <stdlib.h>

#include "applets/train/parts.h"
#include "core/base/file.h"
#include "core/base/text.h"

void
plan_memory(struct session *s)
{
	const struct memory_target	target =
	    memory_target(s->options->ipu_memory);

	memory_init(&s->training_memory, &s->training, &target);
	memory_init(&s->inference_memory, &s->inference, &target);
}

/* Both as one object; the file is whole or as it was. */
static int
write_json(const struct session *s, const char *path, struct error *e)
{
	char		*folder = folder_name(path), *text = NULL;
	size_t		 size;
	FILE		*f = open_memstream(&text, &size);
	int		 status;

	if (f == NULL)
		abort();	/* as at xmalloc(): no memory */
	fputs("{\"training\":", f);
	memory_json(&s->training_memory, f);
	fputs(",\"inference\":", f);
	memory_json(&s->inference_memory, f);
	fputs("}\n", f);
	(void)fclose(f);
	status = file_replace(folder, base_name(path), text, size, e);
	free(text);
	free(folder);
	return status;
}

int
report_memory(const struct session *s, struct error *e)
{
	const struct train_options	*o = s->options;

	if (o->memory_report && s->out != NULL) {
		memory_print(&s->training_memory, s->out);
		fputc('\n', s->out);
		memory_print(&s->inference_memory, s->out);
		fputc('\n', s->out);
		(void)fflush(s->out);
	}
	if (o->memory_json != NULL && s->out != NULL &&
	    write_json(s, o->memory_json, e) == -1)
		return -1;
	if (memory_check(&s->training_memory, NULL, e) == -1)
		return -1;
	return memory_check(&s->inference_memory, NULL, e);
}
