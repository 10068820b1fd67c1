/*
 * gc-monitor's JSON and CSV, with the real tool's names and words, from one
 * table of fields.
 */
#include "applets/gc-monitor/section.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/formats/json.h"
#include "core/base/table.h"
#include "core/base/text.h"
#include "ipu/device/device.h"

/* An IPU, its card and its holder; "" is what does not exist. */
struct texts {
	const char *partition, *active, *state, *address, *card_serial, *type;
	const char *machine_state, *model, *software, *server, *firmware;
	const char *id, *number, *serial, *routing, *gcd, *clock;
	const char *die_c, *board_c, *power_w, *board_w;
	const char *recent, *session, *minute, *errors, *condition, *trouble;
	/* The pid has a meaning only if the holder runs here; if not,
	   `elsewhere` says where. */
	const char *pid, *command, *line, *user, *host, *time;
	const char *elsewhere, *elsewhere_host, *from, *claims;
	/* Room for some of them. */
	struct tables_process row;
	struct condition c;
	char serials[2][SERIAL_SIZE], numbers[4][16], readings[3][READING_SIZE];
	char whole[SLOT_COMMAND_SIZE];
};

/* The place of a field in JSON: an object of the card, or of the IPU always, if
   it is held, or if the text is not empty. */
enum format_place { NOWHERE, CARD, IPU, IF_HELD, IF_SET };

enum {
	CSV_NONE = -1,
	CSV_FIRST_SENSOR = 15, /* without -s the columns end before it */
	CSV_COLUMNS = 33
};

/* Programs know the real tool's columns of CSV by number; those after 25 are
   ours. */
struct format_field {
	const char *json; /* name */
	enum format_place place;
	size_t at;  /* offset in struct texts */
	int column; /* index in CSV, or CSV_NONE */
	const char *csv;
};

#define AT(member) offsetof(struct texts, member)

static const struct format_field fields[] = {
	{ "Partition", CARD, AT(partition), 0, "partition" },
	{ "Active", CARD, AT(active), 1, "active" },
	{ "Partition state", CARD, AT(state), 26, "partition state" },
	{ "Machine state", CARD, AT(machine_state), 27, "machine state" },
	{ "IPU-M", CARD, AT(address), 2, "ipu-m" },
	{ "Serial", CARD, AT(card_serial), 3, "serial" },
	{ "Type", CARD, AT(type), 5, "type" },
	{ "Model", CARD, AT(model), CSV_NONE, NULL },
	{ "IPU-M SW", CARD, AT(software), 4, "ipu-m sw" },
	{ "Server version", CARD, AT(server), 10, "server version" },
	{ "ICU FW", CARD, AT(firmware), 11, "icu fw" },
	{ "Board temp", CARD, AT(board_c), CSV_NONE, NULL },
	{ "Board power", CARD, AT(board_w), CSV_NONE, NULL },
	{ "ID", IPU, AT(id), 6, "id" },
	{ "IPU#", IPU, AT(number), 7, "ipu#" },
	{ "Serial", IPU, AT(serial), 21, "board serial" },
	{ "Routing", IPU, AT(routing), 8, "routing" },
	{ "GCD", IPU, AT(gcd), 9, "gcd" },
	{ "Clock", IPU, AT(clock), 15, "clock" },
	{ "IPU temp", IPU, AT(die_c), 16, "ipu temp" },
	{ "IPU power", IPU, AT(power_w), 25, "ipu power" },
	{ "Board temp", IPU, AT(board_c), 17, "board temp" },
	{ "Board power", IPU, AT(board_w), 18, "board power" },
	{ "IPU utilisation", IPU, AT(recent), 23, "ipu utilisation" },
	{ "IPU utilisation session", IPU, AT(session), 24,
	    "ipu utilisation session" },
	{ "IPU utilisation minute", IPU, AT(minute), 31,
	    "ipu utilisation minute" },
	{ "Error state", IPU, AT(errors), 22, "error state" },
	{ "Condition", IPU, AT(condition), 28, "condition" },
	{ "Trouble", IF_SET, AT(trouble), CSV_NONE, NULL },
	{ "PID", IF_SET, AT(pid), 12, "pid" },
	{ "Command", IF_HELD, AT(command), 14, "command" },
	{ "Command line", IF_SET, AT(line), 30, "command line" },
	{ "User", IF_HELD, AT(user), 13, "user" },
	{ "Host", IF_HELD, AT(host), 19, "host" },
	{ "Time", IF_HELD, AT(time), 20, "time" },
	{ "Application host", IF_SET, AT(elsewhere_host), CSV_NONE, NULL },
	{ "Attached from", IF_SET, AT(elsewhere), CSV_NONE, NULL },
	{ NULL, NOWHERE, AT(from), 29, "attached from" },
	{ "Said by client", IF_SET, AT(claims), 32, "said by client" },
};

/* ---- texts ---- */

static const char *
put_number(char text[16], int number)
{
	(void)snprintf(text, 16, "%d", number);
	return text;
}

static void
read_place(struct texts *t, const struct monitor_reader *h,
    const struct section *section, int index)
{
	const struct partition *p = section->partition;
	const int ipu = section->ipus[index].ipu;
	const struct agent *agent = &h->pod->agents[listing_ipu_machine(ipu)];

	status_serial(agent, -1, t->serials[0]);
	status_serial(agent, listing_ipu_number(ipu), t->serials[1]);
	t->partition = p->name;
	t->active = section->active ? "true" : "false";
	t->state = partition_state_name(p->state);
	t->routing = partition_link_routing_name(p->routing);
	t->address = agent->address;
	t->machine_state = status_machine_word(agent, h->now_ns / 1000000);
	t->card_serial = t->serials[0];
	t->serial = t->serials[1];
	t->type = STATUS_BOARD_TYPE;
	t->model = pod_machine_words[agent->model];
	t->software = h->versions->machine;
	t->server = h->versions->ipuof_server;
	t->firmware = h->versions->firmware;
	t->id = put_number(t->numbers[0], section->first_id + index);
	t->number = put_number(t->numbers[1], listing_ipu_number(ipu));
	t->gcd = put_number(t->numbers[2],
	    (section->first + index) / partition_gcd_size(p));
}

/* Read the sensors; the row has most of their texts. */
static void
read_sensors(struct texts *t, const struct monitor_reader *h,
    const struct section *section, const struct ipu_status *s)
{
	section_process(&t->row, h, s, 0);
	condition_of_ipu(&t->c, s, section->partition, h->pod,
	    h->now_ns / 1000000);
	status_reading(s, s->sensors.power_w, "W", t->readings[0]);
	status_utilisation(s, s->sensors.session, t->readings[1]);
	status_utilisation(s, s->sensors.minute, t->readings[2]);
	t->clock = t->row.clock;
	t->die_c = t->row.die_temp;
	t->board_c = t->row.board_temp;
	t->board_w = t->row.power;
	t->power_w = t->readings[0];
	t->recent = t->row.utilisation;
	t->session = t->readings[1];
	t->minute = t->readings[2];
	t->errors = t->c.error_state;
	t->condition = t->c.word;
	t->trouble = t->c.kind > CONDITION_BUSY ? t->c.text : "";
}

/* Read the holder, after the sensors. */
static void
read_holder(struct texts *t, const struct monitor_reader *h,
    const struct ipu_status *s)
{
	const struct ipu_slot *holder = &s->holder;

	t->pid = t->command = t->line = t->user = t->host = t->time = "";
	t->elsewhere = t->elsewhere_host = t->from = t->claims = "";
	if (!s->attached)
		return;
	section_program(holder, t->row.command);
	t->command = t->row.command;
	t->user = t->row.user;
	t->host = t->row.host;
	t->time = t->row.time;
	t->claims = holder_claims(holder);
	if (holder_may_read(holder, h->place.reader)) {
		text_printable(holder->command, t->whole, sizeof(t->whole));
		t->line = t->whole;
	}
	if (holder_is_here(&h->place, holder)) {
		t->pid = put_number(t->numbers[3], t->row.pid);
		t->from = "here";
		return;
	}
	if (!holder_is_known(holder))
		t->elsewhere = "not known";
	else if (strcmp(holder->host, h->place.host) == 0)
		t->elsewhere = "another pid namespace";
	else
		t->elsewhere = "another host";
	t->from = t->elsewhere;
	t->elsewhere_host = t->host;
}

static void
read_texts(struct texts *t, const struct monitor_reader *h,
    const struct section *section, int index)
{
	read_place(t, h, section, index);
	read_sensors(t, h, section, &section->ipus[index]);
	read_holder(t, h, &section->ipus[index]);
}

static const char *
text_of(const struct texts *t, const struct format_field *f)
{
	return *(const char *const *)((const char *)t + f->at);
}

/* ---- JSON ---- */

/* Add the object of a card or of an IPU to the array. */
static yyjson_mut_val *
add_object(yyjson_mut_doc *doc, yyjson_mut_val *array, const struct texts *t,
    bool is_card, bool held)
{
	yyjson_mut_val *object = yyjson_mut_arr_add_obj(doc, array);
	const struct format_field *f;

	for (f = fields; f < fields + ARRAY_SIZE(fields); f++)
		if (is_card ?
			f->place == CARD :
			f->place == IPU || (f->place == IF_HELD && held) ||
			    (f->place == IF_SET && *text_of(t, f) != '\0'))
			(void)yyjson_mut_obj_add_strcpy(doc, object, f->json,
			    text_of(t, f));
	return object;
}

/* Goes section by section; a card is a machine, and a new one begins where the
   machine changes. */
void
format_json(const struct monitor_reader *h, const struct section *sections,
    int count, bool by_line)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *cards, *ipus = NULL;
	const struct section *s;
	struct texts t;
	int i;

	yyjson_mut_doc_set_root(doc, root);
	cards = yyjson_mut_obj_add_arr(doc, root, "cards");
	for (s = sections; s < sections + count; s++)
		for (i = 0; i < s->count; i++) {
			read_texts(&t, h, s, i);
			if (i == 0 ||
			    listing_ipu_machine(s->ipus[i].ipu) !=
				listing_ipu_machine(s->ipus[i - 1].ipu))
				ipus = yyjson_mut_obj_add_arr(doc,
				    add_object(doc, cards, &t, true, false),
				    "ipus");
			(void)add_object(doc, ipus, &t, false,
			    s->ipus[i].attached);
		}
	(by_line ? json_print_line : json_print)(stdout, doc);
}

/* ---- CSV ---- */

void
format_csv(const struct monitor_reader *h, const struct section *sections,
    int count, bool sensors, bool headers)
{
	const struct format_field *columns[CSV_COLUMNS] = { NULL }, *f;
	const char *names[CSV_COLUMNS + 1] = { NULL };
	const int column_count = sensors ? CSV_COLUMNS : CSV_FIRST_SENSOR;
	const struct section *s;
	struct texts t;
	struct table table;
	int i, k;

	for (f = fields; f < fields + ARRAY_SIZE(fields); f++)
		if (f->column != CSV_NONE)
			columns[f->column] = f;
	for (k = 0; k < column_count; k++)
		names[k] = columns[k]->csv;
	table_init(&table, names);
	for (s = sections; s < sections + count; s++)
		for (i = 0; i < s->count; i++) {
			read_texts(&t, h, s, i);
			for (k = 0; k < column_count; k++)
				table_add(&table, "%s",
				    text_of(&t, columns[k]));
		}
	if (!headers)
		table.headers = NULL;
	table_print_csv(stdout, &table);
	table_release(&table);
}
