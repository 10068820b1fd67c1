/*
 * From a view to the output: choosing the form, and printing it.
 */
#include "applets/vipu/output.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu/keys.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/base/text.h"

const struct option_row output_options[] = {
	OUTPUT_OPTIONS,
	{ 0 },
};

/* Accept one of --format, --showjson and --quiet; the default is the table. */
int
output_format(const struct call *call, enum output_format *format)
{
	static const char *const words[] = { "table", "json", "csv", NULL };
	const char *word = call->values[KEY_FORMAT];
	bool json = call->values[KEY_SHOWJSON] != NULL;
	int i = json ? FORMAT_JSON : FORMAT_TABLE;
	struct error error;

	if (word != NULL)
		for (i = 0; words[i] != NULL && strcmp(words[i], word) != 0;
		     i++)
			;
	if (words[i] == NULL) {
		(void)suggest_refuse("--format", word, values_words(KEY_FORMAT),
		    &error);
		(void)call_misuse(call, "%s", error.text);
		return -1;
	}
	*format = (enum output_format)i;
	if ((json && i != FORMAT_JSON) ||
	    (call->values['q'] != NULL && (json || word != NULL))) {
		(void)call_misuse(call,
		    "--format, --showjson and --quiet exclude each other");
		return -1;
	}
	if (call->values['q'] != NULL)
		*format = FORMAT_NAMES;
	return 0;
}

/*
 * The id is the first column of the CSV.  Lines with the same id, such as those
 * of an IPU's attributes, are consecutive.
 */
static void
print_names(const struct table *t)
{
	size_t step = (size_t)t->columns, i;

	for (i = 0; i < t->count; i += step)
		if (i == 0 || strcmp(t->cells[i], t->cells[i - step]) != 0)
			puts(t->cells[i]);
}

/* Print an array for a list, but a plain object for one entity. */
static void
output_print_json(const struct output_view *l, const void *source, bool one)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *list = yyjson_mut_arr(doc);

	l->json(source, doc, list);
	assert(!one || yyjson_mut_arr_size(list) == 1);
	yyjson_mut_doc_set_root(doc,
	    one ? yyjson_mut_arr_get_first(list) : list);
	json_print(stdout, doc);
}

void
output_screen(const struct call *call, struct table_screen *screen)
{
	table_screen_init(screen, STDOUT_FILENO, call->values[KEY_WIDE] != NULL,
	    call->colour);
}

/* Print the CSV, or the names that begin its lines. */
static void
print_lines(enum output_format format, const struct output_view *l,
    const void *source, bool headers)
{
	struct table t;

	l->csv(source, &t);
	if (!headers)
		t.headers = NULL;
	if (format == FORMAT_CSV)
		table_print_csv(stdout, &t);
	else
		print_names(&t);
	table_release(&t);
}

static void
output(const struct call *call, enum output_format format,
    const struct output_view *l, const void *source, bool one)
{
	struct table_screen screen;
	struct table t;

	if (format == FORMAT_JSON) {
		output_print_json(l, source, one);
	} else if (format == FORMAT_TABLE) {
		l->table(source, &t);
		output_screen(call, &screen);
		table_show(stdout, &t, l->flags, &screen);
		table_release(&t);
	} else
		print_lines(format, l, source, true);
}

void
output_list(const struct call *call, enum output_format format,
    const struct output_view *l, const void *source)
{
	output(call, format, l, source, false);
}

void
output_get(const struct call *call, enum output_format format,
    const struct output_view *l, const void *source)
{
	output(call, format, l, source, true);
}

/* Print each entity as an object of its own. */
static void
stream_json(FILE *out, const struct output_view *l, const void *source)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *list = yyjson_mut_arr(doc);
	yyjson_mut_doc *one;
	size_t i;

	l->json(source, doc, list);
	for (i = 0; i < yyjson_mut_arr_size(list); i++) {
		one = yyjson_mut_doc_new(NULL);
		yyjson_mut_doc_set_root(one,
		    yyjson_mut_val_mut_copy(one, yyjson_mut_arr_get(list, i)));
		json_print(out, one);
	}
	yyjson_mut_doc_free(doc);
}

/* Later rows may widen columns, but the head is not printed again. */
static void
stream_table(const struct call *call, struct output_stream *s,
    const struct table *t)
{
	struct table_screen screen;
	struct table_form fitted;

	output_screen(call, &screen);
	if (!s->has_begun)
		table_form_init(&s->form, t->headers, t->first_width,
		    s->view->flags | TABLE_OPEN);
	table_form_measure_all(&s->form, t);
	fitted = s->form;
	table_form_fit(&fitted, t->rules, &screen);
	if (!s->has_begun)
		table_form_begin(stdout, &fitted);
	table_form_rows(stdout, &fitted, t);
}

void
output_stream_put(const struct call *call, struct output_stream *s,
    const void *source)
{
	struct table t;

	if (s->format == FORMAT_JSON) {
		stream_json(stdout, s->view, source);
	} else if (s->format == FORMAT_TABLE) {
		s->view->table(source, &t);
		stream_table(call, s, &t);
		table_release(&t);
	} else
		print_lines(s->format, s->view, source, !s->has_begun);
	s->has_begun = true;
	(void)fflush(stdout);
}

char *
output_stream_text(const struct output_stream *s, const void *source)
{
	struct memstream m;
	struct table t;

	(void)memstream_open(&m);
	if (s->format == FORMAT_JSON) {
		stream_json(m.file, s->view, source);
	} else {
		(s->format == FORMAT_TABLE ? s->view->table :
					     s->view->csv)(source, &t);
		table_print_csv(m.file, &t);
		table_release(&t);
	}
	return memstream_close(&m, NULL);
}

/* The time is UTC, to the second, like the contract's timestamps (RFC 3339). */
const char *
output_time(int64_t time_ms, char text[OUTPUT_TIME_SIZE])
{
	text[0] = '\0';
	if (time_ms != 0)
		clock_text(time_ms / 1000, text);
	return text;
}

int
output_of_pod(const struct call *call, const struct output_part *part)
{
	const char *entity = call->command->entity;
	struct output_range r = { .count = 1 };
	enum output_format format;
	struct snapshot s;
	struct error error;
	int status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if ((status = call_read_state(call, &s)) != EXIT_DONE)
		return status;
	r.snapshot = &s;
	r.pod = &s.pod;
	if (call->name == NULL) {
		memcpy(&r.count, (const char *)r.pod + part->count,
		    sizeof(r.count));
		output_list(call, format, &part->list, &r);
	} else if ((r.first = part->find(r.pod, call->name)) != -1) {
		output_get(call, format, &part->get, &r);
	} else {
		(void)error_set(&error,
		    "the %s does not exist; %s list %ss shows the existing "
		    "ones",
		    entity, call->applet->name, entity);
		(void)part->nearest(r.pod, call->name, &error);
		status = call_failed(call, &error);
	}
	snapshot_release(&s);
	return status;
}
