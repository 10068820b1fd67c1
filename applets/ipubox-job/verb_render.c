/*
 * Manifests for a cluster without the operator: render.
 */
#include <stdio.h>

#include "applets/applet.h"
#include "applets/ipubox-job/job_call.h"
#include "applets/ipubox-job/verbs.h"
#include "core/base/suggest.h"
#include "core/kube/render/render.h"
#include "core/kube/yaml/yaml.h"

/* One document is itself; of several YAML has "---" between, JSON a List. */
static void
print_documents(struct manifest *m, struct yaml_node *documents, bool json)
{
	struct yaml_node	*list;
	size_t			 i;

	if (!json) {
		for (i = 0; i < documents->count; i++) {
			if (i > 0)
				printf("---\n");
			yaml_write(stdout, documents->items[i].node);
		}
		return;
	}
	if (documents->count == 1) {
		yaml_write_json(stdout, documents->items[0].node);
		return;
	}
	list = yaml_new_map(m->arena);
	yaml_set_text(m->arena, list, "apiVersion", "v1");
	yaml_set_text(m->arena, list, "kind", "List");
	(void)yaml_set(m->arena, list, "items", documents);
	yaml_write_json(stdout, list);
}

int
verb_render(struct job_call *c)
{
	struct manifest		 m;
	struct render_options	 options = { .queue = c->queue,
	    .scheduler = c->scheduler, .image = c->image };
	struct remarks		 lost = { .items = NULL };
	struct yaml_node	*documents;
	struct error		 e;
	int			 target, json = 0, status = EXIT_DONE;

	if (c->target == NULL)
		return job_call_misuse(c, "--to is missing: %s",
		    RENDER_TARGETS);
	if (suggest_choose("--to", c->target, RENDER_TARGETS, &target,
	    &e) != 0 || (c->output != NULL && suggest_choose("-o", c->output,
	    "yaml or json", &json, &e) != 0))
		return job_call_misuse(c, "%s", e.text);
	if (c->files.count == 0)
		return job_call_misuse(c, "which file?");
	options.target = (enum render_target)target;
	manifest_init(&m);
	if (job_call_read_files(c, &m, &e) != 0 || render_manifest(&m, &options,
	    &documents, &lost, &e) != 0) {
		status = job_call_failed(&e);
	} else {
		remarks_sort(&lost);
		remarks_print(stderr, &lost);
		if (c->strict && remarks_count(&lost, REMARK_WARNING) > 0)
			status = EXIT_FAILED;
		else
			print_documents(&m, documents, json == 1);
	}
	remarks_release(&lost);
	manifest_release(&m);
	return status;
}

