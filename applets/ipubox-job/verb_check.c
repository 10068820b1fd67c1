/*
 * Verbs that use manifests without running anything: lint, explain, render.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yyjson.h>

#include "applets/applet.h"
#include "applets/ipubox-job/ipubox-job.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/base/text.h"

static yyjson_mut_val *
remark_json(yyjson_mut_doc *doc, const struct remark *r)
{
	yyjson_mut_val *v = yyjson_mut_obj(doc);

	(void)yyjson_mut_obj_add_str(doc, v, "level",
	    remarks_level_name(r->level));
	(void)yyjson_mut_obj_add_str(doc, v, "file", r->file);
	(void)yyjson_mut_obj_add_int(doc, v, "line", r->line);
	(void)yyjson_mut_obj_add_int(doc, v, "column", r->column);
	(void)yyjson_mut_obj_add_str(doc, v, "path", r->path);
	(void)yyjson_mut_obj_add_str(doc, v, "text", r->text);
	return v;
}

static void
verb_check_print_json(const struct remarks *r)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *list;
	size_t i;

	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_uint(doc, root, "errors",
	    r->found[REMARK_ERROR]);
	(void)yyjson_mut_obj_add_uint(doc, root, "warnings",
	    r->found[REMARK_WARNING]);
	(void)yyjson_mut_obj_add_uint(doc, root, "notes",
	    r->found[REMARK_NOTE]);
	list = yyjson_mut_arr(doc);
	for (i = 0; i < r->count; i++)
		(void)yyjson_mut_arr_append(list,
		    remark_json(doc, &r->items[i]));
	(void)yyjson_mut_obj_add_val(doc, root, "remarks", list);
	json_print(stdout, doc);
}

static void
print_sums(const struct remarks *r, size_t objects)
{
	printf("%zu object%s: %zu error%s, %zu warning%s, %zu note%s\n",
	    objects, objects == 1 ? "" : "s", r->found[REMARK_ERROR],
	    r->found[REMARK_ERROR] == 1 ? "" : "s", r->found[REMARK_WARNING],
	    r->found[REMARK_WARNING] == 1 ? "" : "s", r->found[REMARK_NOTE],
	    r->found[REMARK_NOTE] == 1 ? "" : "s");
}

/*
 * Read all files.  An unreadable file becomes an error among the remarks, so
 * that the JSON output has it too.
 */
static void
read_all(const struct job_call *c, struct manifest *m, struct remarks *r)
{
	struct error e;
	size_t i;

	for (i = 0; i < c->files.count; i++)
		if (manifest_read(m, c->files.items[i], c->recursive, &e) != 0)
			remarks_add_error(r, e.text);
}

/* Check the manifests.  Errors that only this host causes become warnings,
   because the manifest is right elsewhere. */
int
verb_lint(struct job_call *c)
{
	struct manifest m;
	struct remarks r = { .items = NULL };
	int status;

	if (c->files.count == 0)
		return job_call_misuse(c,
		    "FILE is missing; name a manifest, a directory or -");
	manifest_init(&m);
	read_all(c, &m, &r);
	lint_manifest(&m, &r);
	remarks_yield_local(&r);
	remarks_sort(&r);
	if (c->form == FORM_JSON || (c->json && c->output == NULL)) {
		verb_check_print_json(&r);
	} else {
		remarks_print(stdout, &r);
		print_sums(&r, m.count);
	}
	status = r.found[REMARK_ERROR] > 0 ||
		(c->strict && r.found[REMARK_WARNING] > 0) ?
	    EXIT_FAILED :
	    EXIT_DONE;
	remarks_release(&r);
	manifest_release(&m);
	return status;
}

/* Print the fields with their types and notes, like kubectl explain; with
   `recursive` also the fields below each. */
static void
print_fields(const struct schema_field *f, int depth, bool recursive)
{
	char type[64];

	for (; f != NULL && f->name != NULL; f++) {
		schema_type_text(f, type, sizeof(type));
		printf("%*s%s\t<%s>%s %s", 2 + 2 * depth, "", f->name, type,
		    f->is_required ? " -required-" : "",
		    schema_effect_name(f->effect));
		if (recursive && f->note != NULL)
			printf(": %s", f->note);
		printf("\n");
		if (f->note != NULL && !recursive) {
			printf("%*s", 4 + 2 * depth, "");
			text_wrap(stdout, f->note, 4 + 2 * depth,
			    4 + 2 * depth);
			printf("\n");
		}
		if (recursive)
			print_fields(f->fields, depth + 1, true);
	}
}

int
verb_explain(struct job_call *c)
{
	const struct schema_field *fields = schema_find("IPUJob"), *f;
	const char *path;
	char type[64];
	struct error e;

	if (c->count > 1)
		return job_call_misuse(c,
		    "We accept only this format: explain RESOURCE");
	path = c->count == 1 ? c->operands[0] : "ipujob";
	printf("GROUP:      graphcore.ai\nKIND:       IPUJob\n"
	       "VERSION:    v1alpha1\n\n");
	if (strncasecmp(path, "ipujobs", 7) == 0)
		path += 7;
	else if (strncasecmp(path, "ipujob", 6) == 0)
		path += 6;
	path += *path == '.';
	if (*path != '\0') {
		if ((f = schema_field_find(fields, path, &e)) == NULL)
			return job_call_failed(&e);
		schema_type_text(f, type, sizeof(type));
		printf("FIELD: %s <%s> %s\n\n", f->name, type,
		    schema_effect_name(f->effect));
		if (f->note != NULL) {
			printf("DESCRIPTION:\n    ");
			text_wrap(stdout, f->note, 4, 4);
			printf("\n\n");
		}
		fields = f->fields;
	}
	if (fields != NULL) {
		printf("FIELDS:\n");
		print_fields(fields, 0, c->recursive);
	}
	return EXIT_DONE;
}

/* Print the documents: as YAML with "---" between them, or as JSON, where
   several become one List. */
static void
print_documents(struct manifest *m, struct yaml_node *documents, bool json)
{
	struct yaml_node *list;
	size_t i;

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
	struct manifest m;
	struct render_options options = { .queue = c->queue,
		.scheduler = c->scheduler,
		.image = c->image };
	struct remarks lost = { .items = NULL };
	struct yaml_node *documents;
	struct error e;
	int status = EXIT_DONE;

	if (c->target == NULL)
		return job_call_misuse(c, "--to is missing; use %s",
		    RENDER_TARGETS);
	if (c->files.count == 0)
		return job_call_misuse(c,
		    "FILE is missing; name a manifest, a directory or -");
	options.target = (enum render_target)c->target_index;
	manifest_init(&m);
	if (job_call_read_files(c, &m, &e) != 0 ||
	    render_manifest(&m, &options, &documents, &lost, &e) != 0) {
		status = job_call_failed(&e);
	} else {
		remarks_sort(&lost);
		remarks_print(stderr, &lost);
		if (c->strict && lost.found[REMARK_WARNING] > 0)
			status = EXIT_FAILED;
		else
			print_documents(&m, documents, c->form == FORM_JSON);
	}
	remarks_release(&lost);
	manifest_release(&m);
	return status;
}
