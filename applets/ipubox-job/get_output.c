/*
 * Printing objects in a form: names, YAML, JSON, templates.
 */
#include "applets/ipubox-job/get_output.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/yaml_write.h"

static const struct {
	const char	*name;
	enum get_form	 form;
} forms[] = {
	{ "json", GET_JSON },
	{ "jsonpath", GET_JSONPATH },
	{ "name", GET_NAME },
	{ "wide", GET_WIDE },
	{ "yaml", GET_YAML }
};

static int
read_template(const char *text, struct get_output *o, struct error *e)
{
	struct error	reason;

	o->template = text;
	if (*text == '\0')
		return error_set(e, "template format specified but no "
		    "template given");
	return jsonpath_read(text, &o->path, &reason) == 0 ? 0 :
	    error_set(e, "error parsing jsonpath %s, %s", text,
	    reason.text);
}

/* Forms that kubectl has and this has not, or that it has not either. */
static int
refuse_form(const char *text, struct error *e)
{
	static const char *const	elsewhere[] = { "custom-columns",
	    "go-template", "jsonpath-as-json", "jsonpath-file", "template" };
	size_t				i, length;

	for (i = 0; i < ARRAY_SIZE(elsewhere); i++) {
		length = strlen(elsewhere[i]);
		if (strncmp(text, elsewhere[i], length) == 0 &&
		    strchr("=-", text[length]) != NULL)
			return error_set(e, "output format '%s' is not here: "
			    "use -o jsonpath='{range .items[*]}"
			    "{.metadata.name}{\"\\n\"}{end}', or -o json",
			    elsewhere[i]);
	}
	(void)error_set(e, "unable to match a printer suitable for the output "
	    "format \"%s\", allowed formats are: ", text);
	for (i = 0; i < ARRAY_SIZE(forms); i++)
		(void)error_append(e, "%s%s", i > 0 ? "," : "",
		    forms[i].name);
	return -1;
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
		    (text[length] == '=' && forms[i].form != GET_JSONPATH))
			continue;
		o->form = forms[i].form;
		return o->form == GET_JSONPATH ? read_template(text + length +
		    (text[length] == '='), o, e) : 0;
	}
	return refuse_form(text, e);
}

void
get_output_release(struct get_output *o)
{
	jsonpath_free(&o->path);
}

bool
get_output_is_table(const struct get_output *o)
{
	return o->form == GET_TABLE || o->form == GET_WIDE;
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
	else if (jsonpath_print(&o->path, object, out, e) != 0)
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
