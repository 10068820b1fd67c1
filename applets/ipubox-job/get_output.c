/*
 * Printing objects in a form: names, YAML, JSON, templates, own columns.
 */
#include "applets/ipubox-job/get_output.h"

#include <stdlib.h>
#include <string.h>

#include "applets/ipubox-job/jsonpath_walk.h"
#include "applets/ipubox-job/kube_table.h"
#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/memstream.h"
#include "core/base/strvec.h"
#include "core/base/yaml_write.h"

static const struct {
	const char	*name;
	enum get_form	 form;
	bool		 has_template;
} forms[] = {
	{ "custom-columns", GET_COLUMNS, true },
	{ "json", GET_JSON, false },
	{ "jsonpath", GET_JSONPATH, true },
	{ "jsonpath-as-json", GET_JSONPATH_JSON, true },
	{ "name", GET_NAME, false },
	{ "wide", GET_WIDE, false },
	{ "yaml", GET_YAML, false }
};

/* "HEADER:PATH" */
static int
read_column(const char *text, size_t length, struct get_column *column,
    struct error *e)
{
	char		*spec = xasprintf("%.*s", (int)length, text);
	char		*colon = strchr(spec, ':'), *complete = NULL;
	int		 status = -1;

	if (colon == NULL)
		(void)error_set(e, "unexpected custom-columns spec: %s, "
		    "expected <header>:<json-path-expr>", spec);
	else
		complete = jsonpath_complete(colon + 1, e);
	if (complete != NULL) {
		status = jsonpath_read(complete, &column->path, e);
		column->header = xasprintf("%.*s", (int)(colon - spec),
		    spec);
	}
	free(complete);
	free(spec);
	return status;
}

static int
read_columns(const char *text, struct get_output *o, struct error *e)
{
	size_t	length;

	if (*text == '\0')
		return error_set(e, "custom-columns format specified but no "
		    "custom columns given");
	for (;; text += length + 1) {
		length = strcspn(text, ",");
		o->columns = xreallocarray(o->columns, o->column_count + 1,
		    sizeof(*o->columns));
		o->columns[o->column_count] = (struct get_column){
		    .header = NULL };
		if (read_column(text, length, &o->columns[o->column_count++],
		    e) != 0)
			return -1;
		if (text[length] == '\0')
			return 0;
	}
}

static int
read_template(const char *text, struct get_output *o, struct error *e)
{
	struct error	reason;

	o->template = text;
	if (o->form == GET_COLUMNS)
		return read_columns(text, o, e);
	if (*text == '\0')
		return error_set(e, "template format specified but no "
		    "template given");
	return jsonpath_read(text, &o->path, &reason) == 0 ? 0 :
	    error_set(e, "error parsing jsonpath %s, %s", text,
	    reason.text);
}

int
get_output_read(const char *text, struct get_output *o, struct error *e)
{
	size_t	length, i;

	*o = (struct get_output){ .form = GET_TABLE };
	if (text == NULL || *text == '\0')
		return 0;
	length = strcspn(text, "=");
	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		if (strlen(forms[i].name) != length ||
		    strncmp(forms[i].name, text, length) != 0 ||
		    (text[length] == '=' && !forms[i].has_template))
			continue;
		o->form = forms[i].form;
		return forms[i].has_template ? read_template(text + length +
		    (text[length] == '='), o, e) : 0;
	}
	(void)error_set(e, "unable to match a printer suitable for the output "
	    "format \"%s\", allowed formats are: ", text);
	for (i = 0; i < ARRAY_SIZE(forms); i++)
		(void)error_append(e, "%s%s", i > 0 ? "," : "",
		    forms[i].name);
	return -1;
}

void
get_output_release(struct get_output *o)
{
	size_t	i;

	for (i = 0; i < o->column_count; i++) {
		free(o->columns[i].header);
		jsonpath_free(&o->columns[i].path);
	}
	free(o->columns);
	jsonpath_free(&o->path);
}

bool
get_output_is_table(const struct get_output *o)
{
	return o->form == GET_TABLE || o->form == GET_WIDE ||
	    o->form == GET_COLUMNS;
}

static int
get_output_put_object(const struct get_output *o,
    const struct yaml_node *object,
    FILE *out, struct error *e)
{
	if (o->form == GET_YAML)
		yaml_write(out, object);
	else if (o->form == GET_JSON)
		yaml_write_json(out, object);
	else if (jsonpath_walk_print(&o->path, object,
	    o->form == GET_JSONPATH_JSON, out, e) != 0)
		return error_prefix(e, "error executing jsonpath \"%s\": "
		    "Error executing template", o->template);
	return 0;
}

int
get_output_put(const struct get_output *o, const struct resource_found *found,
    FILE *out, struct error *e)
{
	if (o->form != GET_NAME)
		return get_output_put_object(o, found->object, out, e);
	fprintf(out, "%s/%s\n", resource_word(found->type), found->name);
	return 0;
}

int
get_output_put_all(const struct get_output *o, const struct founds *f,
    bool is_list, FILE *out, struct error *e)
{
	struct yaml_node	*list, *items, *metadata;
	size_t			 i;

	if (o->form == GET_NAME || !is_list) {
		for (i = 0; i < f->count; i++)
			if (get_output_put(o, &f->items[i], out, e) != 0)
				return -1;
		return 0;
	}
	list = yaml_new_map(f->arena);
	yaml_set_text(f->arena, list, "apiVersion", "v1");
	items = yaml_set(f->arena, list, "items", yaml_new_list(f->arena));
	for (i = 0; i < f->count; i++)
		yaml_add(f->arena, items, f->items[i].object);
	yaml_set_text(f->arena, list, "kind", "List");
	metadata = yaml_set(f->arena, list, "metadata",
	    yaml_new_map(f->arena));
	yaml_set_text(f->arena, metadata, "resourceVersion", "");
	return get_output_put_object(o, list, out, e);
}

void
get_output_put_header(const struct get_output *o, FILE *out)
{
	size_t	i;

	for (i = 0; i < o->column_count; i++) {
		if (i > 0)
			fputc('\v', out);
		kube_table_put_cell(out, o->columns[i].header);
	}
	fputc('\n', out);
}

/* As Go prints it: map[a:b c:d], [1 2]. */
static void
put_go(FILE *out, const struct yaml_node *n)
{
	const bool	map = n->kind == YAML_MAP;
	size_t		i;

	if (!map && n->kind != YAML_LIST) {
		if (n->kind == YAML_NULL)
			fputs("<nil>", out);
		else
			jsonpath_walk_put(out, n);
		return;
	}
	fputs(map ? "map[" : "[", out);
	for (i = 0; i < n->count; i++) {
		if (i > 0)
			fputc(' ', out);
		if (map)
			fprintf(out, "%s:", n->items[i].key);
		put_go(out, n->items[i].node);
	}
	fputc(']', out);
}

static int
put_column(const struct get_column *column, const struct yaml_node *object,
    FILE *out, struct error *e)
{
	struct jsonpath_found	 found;
	struct memstream	 m;
	char			*text;
	size_t			 i;
	int			 status = jsonpath_walk_find(&column->path,
	    object, &found, e);

	(void)memstream_open(&m);
	if (found.count == 0)
		fputs("<none>", m.file);
	for (i = 0; i < found.count; i++) {
		if (i > 0)
			fputc(',', m.file);
		put_go(m.file, found.items[i]);
	}
	text = memstream_close(&m, NULL);
	kube_table_put_cell(out, text);
	free(text);
	jsonpath_walk_release(&found);
	return status;
}

int
get_output_put_row(const struct get_output *o,
    const struct resource_found *found,
    FILE *out, struct error *e)
{
	size_t	i;

	for (i = 0; i < o->column_count; i++) {
		if (i > 0)
			fputc('\v', out);
		if (put_column(&o->columns[i], found->object, out, e) != 0)
			return -1;
	}
	fputc('\n', out);
	return 0;
}
