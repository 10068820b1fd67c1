/*
 * The fields of gc-monitor --query, from a sample.  Read struct query_row
 * first, then the table of fields, which is in the order of --list-fields.
 */
#include "applets/gc-monitor/query.h"

#include <bsd/string.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/base/table.h"
#include "ipu/device/device.h"

#define MIB (1024.0 * 1024.0)

enum { TEXT_SIZE = 256 };

/* The values of an IPU; those of other kinds are made when they are asked. */
struct query_row {
	const struct sample *sample;
	/* Counts; -1: it does not exist, as the pid without a program. */
	int64_t index, ipu, pci, gcd, routing, clock_mhz, pid, seconds;
	/* Readings; NAN: not measured. */
	double recent, minute, session, used_mib, total_mib;
	double power_w, board_w, die_c, board_c;
	/* Texts; "": it does not exist. */
	const char *partition, *state, *machine, *address, *model,
	    *machine_state, *user, *program, *command, *host, *job, *name_space;
};

enum query_kind {
	TEXT,
	COUNT,
	REAL,
	PERCENT,
	MOMENT,
	NAME,
	CHIP,
	SERIAL,
	ERRORS,
	CONDITION
};

struct query_field {
	const char *name;
	const char *unit; /* NULL: none */
	const char *help;
	enum query_kind kind;
	size_t at; /* offset in struct query_row */
};

#define AT(member) offsetof(struct query_row, member)

static const struct query_field fields[] = {
	{ "timestamp", NULL, "moment of the look, UTC", MOMENT, 0 },
	{ "index", NULL, "device id, as gc-info lists it", COUNT, AT(index) },
	{ "ipu", NULL, "number in the pod", COUNT, AT(ipu) },
	{ "name", NULL, "machine and number in it, as V-IPU has it", NAME, 0 },
	{ "chip", NULL, "chip id", CHIP, 0 },
	{ "pci", NULL, "PCI id, which is the IPU# in its machine", COUNT,
	    AT(pci) },
	{ "serial", NULL, "serial number of the board", SERIAL, 0 },
	{ "partition", NULL, "name of the partition", TEXT, AT(partition) },
	{ "partition.state", NULL, "ACTIVE, PENDING, ERROR or REMOVED", TEXT,
	    AT(state) },
	{ "gcd", NULL, "graph compilation domain in the partition", COUNT,
	    AT(gcd) },
	{ "routing", NULL, "routing id in the partition", COUNT, AT(routing) },
	{ "machine", NULL, "agent of the machine", TEXT, AT(machine) },
	{ "machine.address", NULL, "address of the machine", TEXT,
	    AT(address) },
	{ "machine.model", NULL, "M2000 or Bow-2000", TEXT, AT(model) },
	{ "machine.state", NULL, "up, down or rebooting", TEXT,
	    AT(machine_state) },
	{ "utilisation", "%", "time at work in the last second", PERCENT,
	    AT(recent) },
	{ "utilisation.minute", "%", "time at work in the last minute", PERCENT,
	    AT(minute) },
	{ "utilisation.session", "%", "time at work of the program", PERCENT,
	    AT(session) },
	{ "memory.used", "MiB", "memory that the program uses", REAL,
	    AT(used_mib) },
	{ "memory.total", "MiB", "memory of the tiles", REAL, AT(total_mib) },
	{ "power", "W", "power of the IPU", REAL, AT(power_w) },
	{ "power.board", "W", "power of its board", REAL, AT(board_w) },
	{ "temperature", "C", "temperature of the die", REAL, AT(die_c) },
	{ "temperature.board", "C", "temperature of its board", REAL,
	    AT(board_c) },
	{ "clock", "MHz", "clock of the tiles", COUNT, AT(clock_mhz) },
	{ "errors", NULL, "errors, or why they cannot be read", ERRORS, 0 },
	{ "condition", NULL, "available, in use, or the trouble", CONDITION,
	    0 },
	{ "pid", NULL, "process of the program, on this host", COUNT, AT(pid) },
	{ "user", NULL, "user of the program", TEXT, AT(user) },
	{ "program", NULL, "name of the program", TEXT, AT(program) },
	{ "command", NULL, "its command line, for its user and root", TEXT,
	    AT(command) },
	{ "host", NULL, "host of the program", TEXT, AT(host) },
	{ "time", "s", "time since it attached", COUNT, AT(seconds) },
	{ "job", NULL, "job of Slurm, or IPUJob", TEXT, AT(job) },
	{ "namespace", NULL, "namespace of the IPUJob", TEXT, AT(name_space) },
};

_Static_assert(ARRAY_SIZE(fields) <= QUERY_FIELDS_MAX, "room for all fields");

/* ---- values ---- */

/* Write the moment with milliseconds instead of the "Z". */
static void
put_moment(int64_t now_ns, char text[TEXT_SIZE])
{
	size_t end;

	clock_text(now_ns / 1000000000, text);
	end = strlen(text);
	if (end > 0)
		(void)snprintf(text + end - 1, TEXT_SIZE - end + 1, ".%03dZ",
		    (int)(now_ns / 1000000 % 1000));
}

/* Set the values of the IPU and of its place. */
static void
read_place(struct query_row *r, const struct sample *s)
{
	const int ipu = (int)r->ipu;
	const struct partition *p = sample_partition(s, s->ipus[ipu].partition);
	const struct agent *machine = sample_machine(s, ipu);

	r->pci = listing_ipu_number(ipu);
	r->partition = p->name;
	r->state = partition_state_name(p->state);
	r->gcd = s->ipus[ipu].gcd;
	r->routing = s->ipus[ipu].routing_id;
	r->machine = machine->name;
	r->address = machine->address;
	r->model = pod_machine_words[machine->model];
	r->machine_state = status_machine_word(machine, s->now_ns / 1000000);
}

/* Set the values of its sensors.  Many programs do not say how much memory they
   use. */
static void
read_work(struct query_row *r, const struct sample *s)
{
	const struct sample_ipu *ipu = &s->ipus[r->ipu];
	const struct sensors *sensors = &ipu->sensors;

	r->recent = r->minute = r->session = NAN;
	if (sensors->measured) {
		r->recent = 100.0 * sensors->recent;
		r->minute = 100.0 * sensors->minute;
		r->session = 100.0 * sensors->session;
	}
	r->used_mib = ipu->holder != SAMPLE_NONE && ipu->memory_bytes == 0 ?
	    NAN :
	    (double)ipu->memory_bytes / MIB;
	r->total_mib = (double)TILE_COUNT * TILE_BYTES / MIB;
	r->power_w = r->board_w = r->die_c = r->board_c = NAN;
	if (ipu->monitored) {
		r->power_w = sensors->power_w;
		r->board_w = ipu->board_w;
		r->die_c = sensors->die_c;
		r->board_c = ipu->board_c;
	}
	r->clock_mhz = sensors->clock_mhz;
}

/* Set the values of the program that holds it. */
static void
read_holder(struct query_row *r, const struct sample *s)
{
	static const struct sample_holder none;
	const struct sample_holder *h = sample_holder(s, (int)r->ipu);

	if (h == NULL)
		h = &none;
	r->pid = h->is_here ? h->pid : -1;
	r->user = h->user;
	r->program = h->program;
	r->command = h->command;
	r->host = h->host;
	r->seconds = h->is_known ? h->attached_ns / 1000000000 : -1;
	r->job = h->job.name;
	r->name_space = h->job.name_space;
}

/* ---- the command line ---- */

/* Return the field of that name, or NULL; "utilization" is the same word. */
static const struct query_field *
find_field(const char *typed)
{
	const char *a, *b;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		a = fields[i].name;
		b = typed;
		while (*a != '\0' && (*a == *b || (*a == 's' && *b == 'z'))) {
			a++;
			b++;
		}
		if (*a == *b)
			return &fields[i];
	}
	return NULL;
}

static int
add_field(struct query *q, const char *typed, struct error *e)
{
	const struct query_field *field = find_field(typed);
	struct suggestion s;
	int i;

	if (field == NULL) {
		(void)error_set_code(e, ERROR_INVALID,
		    "--query: field '%s' does not exist; --list-fields shows "
		    "all",
		    typed);
		suggest_begin(&s, typed);
		for (field = fields; field < fields + ARRAY_SIZE(fields);
		     field++)
			suggest_offer(&s, field->name);
		return suggest_append(&s, "", e);
	}
	for (i = 0; i < q->field_count; i++)
		if (q->fields[i] == field)
			return error_set_code(e, ERROR_INVALID,
			    "--query: field '%s' is named twice", typed);
	q->fields[q->field_count++] = field;
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

/* Kinds of texts. */
enum form { WORD, NUMBER, UNKNOWN, NOTHING };

static enum form
put_real(double value, int decimals, char text[TEXT_SIZE])
{
	(void)snprintf(text, TEXT_SIZE, "%.*f", decimals, value);
	return isnan(value) ? UNKNOWN : NUMBER;
}

/* Write one of the texts that are made from the sample. */
static void
put_made(const struct query_row *r, enum query_kind kind, char text[TEXT_SIZE])
{
	const struct sample *s = r->sample;
	const int ipu = (int)r->ipu;
	struct condition c;

	switch (kind) {
	case MOMENT:
		put_moment(s->now_ns, text);
		break;
	case NAME:
		pod_ipu_name(sample_pod(s), ipu, text, TEXT_SIZE);
		break;
	case CHIP:
		ipuof_chip_id(sample_pod(s), ipu, text);
		break;
	case SERIAL:
		status_serial(sample_machine(s, ipu), listing_ipu_number(ipu),
		    text);
		break;
	default:
		sample_condition(s, ipu, &c);
		(void)strlcpy(text, kind == ERRORS ? c.error_state : c.word,
		    TEXT_SIZE);
	}
}

static enum form
put_value(const struct query_row *r, const struct query_field *f,
    char text[TEXT_SIZE])
{
	const void *at = (const char *)r + f->at;
	int64_t count;

	switch (f->kind) {
	case COUNT:
		count = *(const int64_t *)at;
		(void)snprintf(text, TEXT_SIZE, "%" PRId64, count);
		return count < 0 ? NOTHING : NUMBER;
	case REAL:
		return put_real(*(const double *)at, 1, text);
	case PERCENT:
		return put_real(*(const double *)at, 2, text);
	case TEXT:
		(void)strlcpy(text, *(const char *const *)at, TEXT_SIZE);
		break;
	default:
		put_made(r, f->kind, text);
	}
	return text[0] == '\0' ? NOTHING : WORD;
}

/* Write a value with its unit, which makes a number a word; "N/A" for one that
   is unknown, "" for one that does not exist. */
static enum form
put_field(const struct query *q, const struct query_row *r,
    const struct query_field *f, char text[TEXT_SIZE])
{
	const enum form form = put_value(r, f, text);

	if (form == UNKNOWN || form == NOTHING)
		(void)strlcpy(text, form == UNKNOWN ? "N/A" : "", TEXT_SIZE);
	if (form != NUMBER || f->unit == NULL || q->no_units)
		return form;
	(void)strlcat(text, " ", TEXT_SIZE);
	(void)strlcat(text, f->unit, TEXT_SIZE);
	return WORD;
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

/* Print a row of values, or the names if it is NULL. */
static void
put_csv_row(FILE *out, const struct query *q, const struct query_row *r)
{
	char text[TEXT_SIZE];
	const struct query_field *field;
	int i;

	for (i = 0; i < q->field_count; i++) {
		field = q->fields[i];
		if (r != NULL)
			(void)put_field(q, r, field, text);
		else
			(void)snprintf(text, sizeof(text),
			    field->unit == NULL ? "%s" : "%s [%s]", field->name,
			    field->unit);
		fputs(i > 0 ? ", " : "", out);
		put_cell(out, text);
	}
	fputc('\n', out);
}

/* Add the row to the array; a value that is unknown or missing is null. */
static void
add_json_row(yyjson_mut_doc *doc, const struct query *q,
    const struct query_row *r)
{
	yyjson_mut_val *object = yyjson_mut_arr_add_obj(doc,
	    yyjson_mut_doc_get_root(doc));
	yyjson_mut_val *value;
	char text[TEXT_SIZE];
	enum form form;
	int i;

	for (i = 0; i < q->field_count; i++) {
		form = put_field(q, r, q->fields[i], text);
		value = form == WORD ? yyjson_mut_strcpy(doc, text) :
		    form == NUMBER   ? yyjson_mut_rawcpy(doc, text) :
				       yyjson_mut_null(doc);
		(void)yyjson_mut_obj_add(object,
		    yyjson_mut_str(doc, q->fields[i]->name), value);
	}
}

int
query_print(FILE *out, const struct query *q, const struct sample *s, bool all,
    bool header, struct error *e)
{
	yyjson_mut_doc *doc = NULL;
	struct query_row row = { .sample = s };
	int *ipus, i;
	const int count = sample_list(s, all, &ipus);

	if (q->ids != NULL && q->last_id >= count) {
		free(ipus);
		return error_set_code(e, ERROR_NOT_FOUND,
		    "-i %d: no IPU has this id; %d %s listed, numbered from 0",
		    q->last_id, count, count == 1 ? "is" : "are");
	}
	if (q->json) {
		doc = yyjson_mut_doc_new(NULL);
		yyjson_mut_doc_set_root(doc, yyjson_mut_arr(doc));
	} else if (header && !q->no_header)
		put_csv_row(out, q, NULL);
	for (i = 0; i < count; i++) {
		if (q->ids != NULL && !q->ids[i])
			continue;
		row.index = i;
		row.ipu = ipus[i];
		read_place(&row, s);
		read_work(&row, s);
		read_holder(&row, s);
		if (q->json)
			add_json_row(doc, q, &row);
		else
			put_csv_row(out, q, &row);
	}
	if (q->json)
		(q->by_line ? json_print_line : json_print)(out, doc);
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

	table_init(&t, headers);
	for (field = fields; field < fields + ARRAY_SIZE(fields); field++) {
		table_add(&t, "%s", field->name);
		table_add(&t, "%s", field->unit != NULL ? field->unit : "");
		table_add(&t, "%s", field->help);
	}
	table_show(out, &t, 0, NULL);
	table_release(&t);
}
