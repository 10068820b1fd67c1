/*
 * The fields of gc-monitor --query, from a sample.  Read query_field.c for
 * their values.
 */
#include "applets/gc-monitor/query.h"

#include <bsd/string.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "applets/gc-monitor/query_field.h"
#include "core/base/alloc.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/base/table.h"

/* ---- the command line ---- */

/* Refuse a field that does not exist, with the nearest name. */
static int
refuse_field(const char *word, struct error *e)
{
	struct suggestion s;
	int i;

	suggest_begin(&s, word);
	for (i = 0; query_field_at(i) != NULL; i++)
		suggest_offer(&s, query_field_at(i)->name);
	(void)error_set_code(e, ERROR_INVALID,
	    "--query: field '%s' does not exist; --list-fields shows all",
	    word);
	return suggest_append(&s, "", e);
}

static int
add_field(struct query *q, const char *word, struct error *e)
{
	const int index = query_field_find(word);
	int i;

	if (index == -1)
		return refuse_field(word, e);
	for (i = 0; i < q->field_count; i++)
		if (q->fields[i] == query_field_at(index))
			return error_set_code(e, ERROR_INVALID,
			    "--query: field '%s' is named twice", word);
	assert(q->field_count < QUERY_FIELDS_MAX);
	q->fields[q->field_count++] = query_field_at(index);
	return 0;
}

/* Call `take` with each word of a list with commas, without spaces around it;
   an empty word is passed too. */
static int
take_words(struct query *q, const char *list,
    int (*take)(struct query *, const char *, struct error *), struct error *e)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	int status = 0;

	while (status == 0 && (word = strsep(&rest, ",")) != NULL) {
		word += strspn(word, " ");
		word[strcspn(word, " ")] = '\0';
		status = take(q, word, e);
	}
	free(copy);
	return status;
}

int
query_take_fields(struct query *q, const char *list, struct error *e)
{
	q->field_count = 0;
	return take_words(q, list, add_field, e);
}

static int
add_format(struct query *q, const char *word, struct error *e)
{
	int index;

	if (suggest_choose("--format", word, "csv, json, noheader or nounits",
		&index, e) != 0)
		return -1;
	if (index <= 1)
		q->json = index == 1;
	q->no_header |= index == 2;
	q->no_units |= index == 3;
	return 0;
}

int
query_take_format(struct query *q, const char *list, struct error *e)
{
	return take_words(q, list, add_format, e);
}

/* Add "4" or "4-7". */
static int
add_ids(struct query *q, const char *word, struct error *e)
{
	char first[24];
	const char *dash = strchr(word, '-');
	long long from, to;

	(void)strlcpy(first, word, sizeof(first));
	first[strcspn(first, "-")] = '\0';
	if (parse_number("-i", first, 0, POD_IPUS_MAX - 1, &from, e) != 0)
		return -1;
	to = from;
	if (dash != NULL &&
	    parse_number("-i", dash + 1, from, POD_IPUS_MAX - 1, &to, e) != 0)
		return -1;
	memset(q->ids + from, true, (size_t)(to - from + 1));
	if (to > q->last_id)
		q->last_id = (int)to;
	return 0;
}

int
query_take_ids(struct query *q, const char *list, struct error *e)
{
	free(q->ids);
	q->ids = xcalloc(POD_IPUS_MAX, sizeof(*q->ids));
	q->last_id = -1;
	return take_words(q, list, add_ids, e);
}

void
query_release(struct query *q)
{
	free(q->ids);
	q->ids = NULL;
}

/* ---- output ---- */

/* Find the value; what is unknown is "N/A", what does not exist is "". */
static enum query_value
value_of(const struct query_row *row, const struct query_field *field,
    char text[QUERY_TEXT_SIZE])
{
	enum query_value kind = field->read(row, text);

	if (kind == QUERY_UNKNOWN)
		(void)strlcpy(text, "N/A", QUERY_TEXT_SIZE);
	else if (kind == QUERY_NOTHING)
		text[0] = '\0';
	return kind;
}

/* Print a cell; quoted as by RFC 4180 if it needs to be. */
static void
put_cell(FILE *out, const char *text)
{
	if (text[strcspn(text, ",\"")] == '\0') {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void
put_csv_row(FILE *out, const struct query *q, const struct query_row *row)
{
	char text[QUERY_TEXT_SIZE];
	const struct query_field *field;
	int i;

	for (i = 0; i < q->field_count; i++) {
		field = q->fields[i];
		if (value_of(row, field, text) == QUERY_NUMBER &&
		    field->unit != NULL && !q->no_units)
			fprintf(out, "%s%s %s", i > 0 ? ", " : "", text,
			    field->unit);
		else {
			fputs(i > 0 ? ", " : "", out);
			put_cell(out, text);
		}
	}
	fputc('\n', out);
}

static void
put_csv_names(FILE *out, const struct query *q)
{
	const struct query_field *field;
	int i;

	for (i = 0; i < q->field_count; i++) {
		field = q->fields[i];
		fprintf(out, "%s%s", i > 0 ? ", " : "", field->name);
		if (field->unit != NULL)
			fprintf(out, " [%s]", field->unit);
	}
	fputc('\n', out);
}

/* Add a member: a text with its unit or, without units, a number.  NULL is a
   value that is unknown or does not exist. */
static void
add_json_value(yyjson_mut_doc *doc, yyjson_mut_val *object,
    const struct query *q, const struct query_row *row,
    const struct query_field *field)
{
	char text[QUERY_TEXT_SIZE], whole[QUERY_TEXT_SIZE + 16];
	const enum query_value kind = value_of(row, field, text);
	yyjson_mut_val *key = yyjson_mut_str(doc, field->name), *value;

	if (kind == QUERY_UNKNOWN || kind == QUERY_NOTHING)
		value = yyjson_mut_null(doc);
	else if (kind == QUERY_TEXT)
		value = yyjson_mut_strcpy(doc, text);
	else if (field->unit == NULL || q->no_units)
		value = yyjson_mut_rawcpy(doc, text);
	else {
		(void)snprintf(whole, sizeof(whole), "%s %s", text,
		    field->unit);
		value = yyjson_mut_strcpy(doc, whole);
	}
	(void)yyjson_mut_obj_add(object, key, value);
}

/* The rows of a query, one after another. */
struct rows {
	const struct query *query;
	FILE *out;
	yyjson_mut_doc *doc; /* NULL: CSV */
	yyjson_mut_val *array;
};

static void
put_row(struct rows *r, const struct query_row *row)
{
	yyjson_mut_val *object;
	int i;

	if (r->doc == NULL) {
		put_csv_row(r->out, r->query, row);
		return;
	}
	object = yyjson_mut_arr_add_obj(r->doc, r->array);
	for (i = 0; i < r->query->field_count; i++)
		add_json_value(r->doc, object, r->query, row,
		    r->query->fields[i]);
}

static void
rows_begin(struct rows *r, FILE *out, const struct query *q, bool header)
{
	memset(r, 0, sizeof(*r));
	r->query = q;
	r->out = out;
	if (q->json) {
		r->doc = yyjson_mut_doc_new(NULL);
		r->array = yyjson_mut_arr(r->doc);
		yyjson_mut_doc_set_root(r->doc, r->array);
	} else if (header && !q->no_header)
		put_csv_names(out, q);
}

static void
rows_end(struct rows *r)
{
	if (r->doc != NULL)
		(r->query->by_line ? json_print_line : json_print)(r->out,
		    r->doc);
}

int
query_print(FILE *out, const struct query *q, const struct sample *s, bool all,
    bool header, struct error *e)
{
	struct query_row row = { .sample = s };
	struct rows rows;
	int *ipus, i;
	const int count = sample_list(s, all, &ipus);

	if (q->ids != NULL && q->last_id >= count) {
		free(ipus);
		return error_set_code(e, ERROR_NOT_FOUND,
		    "-i %d: no IPU has this id; %d %s listed, numbered from 0",
		    q->last_id, count, count == 1 ? "is" : "are");
	}
	rows_begin(&rows, out, q, header);
	for (i = 0; i < count; i++) {
		if (q->ids != NULL && !q->ids[i])
			continue;
		row.id = i;
		row.ipu = ipus[i];
		put_row(&rows, &row);
	}
	rows_end(&rows);
	free(ipus);
	return 0;
}

void
query_list_fields(FILE *out)
{
	static const char *const headers[] = { "Field", "Unit", "Meaning",
		NULL };
	const struct query_field *field;
	struct table t;
	int i;

	table_init(&t, headers);
	for (i = 0; (field = query_field_at(i)) != NULL; i++) {
		table_add(&t, "%s", field->name);
		table_add(&t, "%s", field->unit != NULL ? field->unit : "");
		table_add(&t, "%s", field->help);
	}
	table_show(out, &t, 0, NULL);
	table_release(&t);
}
