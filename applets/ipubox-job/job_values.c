/*
 * The values of the options that take one of several words, and printing an
 * object in the form that -o names.
 */
#include "applets/ipubox-job/ipubox-job.h"

#include <stdio.h>
#include <string.h>

#include "applets/applet.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

static const char template_form[] = "jsonpath=";

static const struct {
	const char *name;
	enum job_form form;
} forms[] = {
	{ "json", FORM_JSON },
	{ "jsonpath", FORM_JSONPATH },
	{ "name", FORM_NAME },
	{ "wide", FORM_WIDE },
	{ "yaml", FORM_YAML },
};

/* Set the form that a word of -o names; others, as lint's "text", are
   FORM_DEFAULT. */
static int
set_form(struct job_call *c, const char *word)
{
	struct error reason;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++)
		if (strcmp(forms[i].name, word) == 0)
			c->form = forms[i].form;
	if (c->form != FORM_JSONPATH)
		return EXIT_DONE;
	c->template = c->output + strlen("jsonpath");
	c->template += *c->template == '=';
	if (*c->template == '\0')
		return job_call_refuse(
		    "template format specified but no template given");
	return jsonpath_read(c->template, &c->path, &reason) == 0 ?
	    EXIT_DONE :
	    job_call_refuse("error parsing jsonpath %s, %s", c->template,
		reason.text);
}

/* Refuse a value in the words of the row.  Of -o of a list, forms that only
   kubectl has are named with what to use instead. */
static int
refuse_value(const struct job_call *c, const struct job_values *row,
    const char *value, const struct error *e)
{
	static const char *const elsewhere[] = { "custom-columns",
		"go-template", "jsonpath-as-json", "jsonpath-file",
		"template" };
	size_t i, length;

	if (row->before == NULL)
		return job_call_misuse(c, "%s", e->text);
	for (i = 0; row->instead != NULL && i < ARRAY_SIZE(elsewhere); i++) {
		length = strlen(elsewhere[i]);
		if (strncmp(value, elsewhere[i], length) == 0 &&
		    strchr("=-", value[length]) != NULL)
			return job_call_refuse(
			    "output format '%s' is not supported; use %s",
			    elsewhere[i], row->instead);
	}
	return job_call_refuse("%s%s%s", row->before, value, row->after);
}

/* Check the value of one option, and set what it chooses. */
static int
read_value(struct job_call *c, const struct job_values *row)
{
	const struct {
		int key;
		const char *what;
		const char *value;
		int *index;
	} options[] = { { 'o', "-o", c->output, NULL },
		{ KEY_DRY_RUN, "--dry-run", c->dry_run, NULL },
		{ KEY_TO, "--to", c->target, &c->target_index },
		{ KEY_VALIDATE, "--validate", c->validate, &c->validation } };
	const char *value, *word;
	struct error e;
	size_t i = 0;
	int index;

	while (options[i].key != row->key)
		i++;
	value = options[i].value;
	if (value == NULL || (row->key == 'o' && *value == '\0'))
		return EXIT_DONE;
	word = strncmp(value, template_form, strlen(template_form)) == 0 ?
	    "jsonpath" :
	    value;
	if (suggest_choose(options[i].what, word, row->words, &index, &e) != 0)
		return refuse_value(c, row, value, &e);
	if (options[i].index != NULL)
		*options[i].index = index;
	if (row->key == KEY_DRY_RUN && strcmp(value, "none") == 0)
		c->dry_run = NULL;
	return row->key == 'o' ? set_form(c, word) : EXIT_DONE;
}

int
job_values_read(struct job_call *c)
{
	const struct job_values *row = c->verb->values;
	int status = EXIT_DONE;

	for (; row != NULL && row->key != 0 && status == EXIT_DONE; row++)
		status = read_value(c, row);
	return status;
}

int
job_values_print(const struct job_call *c, const char *resource,
    const char *name, const struct yaml_node *object, struct error *e)
{
	if (c->form == FORM_NAME)
		printf("%s/%s\n", resource, name);
	else if (c->form == FORM_YAML)
		yaml_write(stdout, object);
	else if (c->form == FORM_JSON)
		yaml_write_json(stdout, object);
	else if (jsonpath_print(&c->path, object, stdout, e) != 0)
		return error_prefix(e,
		    "error executing jsonpath \"%s\": Error executing template",
		    c->template);
	return 0;
}
