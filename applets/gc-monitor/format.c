/*
 * gc-monitor's JSON and CSV, with the real tool's names and words.
 */
#include "applets/gc-monitor/section.h"

#include <stdio.h>
#include <string.h>

#include <yyjson.h>

#include "core/base/formats/json.h"
#include "core/base/table.h"
#include "core/base/text.h"
#include "ipu/device/device.h"

/* ---- JSON ---- */

/* Add a copy: most texts are in a buffer of the caller's. */
static void
format_add_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
    const char *text)
{
	(void)yyjson_mut_obj_add_strcpy(doc, object, key, text);
}

/* Return the holder's host or container, "" if it runs here.  Only then its pid
   has a meaning and is given. */
static const char *
format_elsewhere(const struct monitor_reader *h, const struct ipu_slot *holder)
{
	if (holder_is_here(&h->place, holder))
		return "";
	if (!holder_is_known(holder))
		return "not known";
	return strcmp(holder->host, h->place.host) == 0 ?
	    "another pid namespace" :
	    "another host";
}

/* Get the whole command line if it may be read, or "". */
static void
format_command_line(const struct monitor_reader *h,
    const struct ipu_slot *holder, char text[SLOT_COMMAND_SIZE])
{
	text[0] = '\0';
	if (holder_may_read(holder, h->place.reader))
		text_printable(holder->command, text, SLOT_COMMAND_SIZE);
}

/* Add the texts of the table; the card and the IPU have those of board and
   clock. */
static void
format_add_process(yyjson_mut_doc *doc, yyjson_mut_val *ipu,
    const struct monitor_reader *h, const struct ipu_status *s)
{
	const char *elsewhere = format_elsewhere(h, &s->holder);
	struct tables_process row;
	char line[SLOT_COMMAND_SIZE];

	section_process(&row, h, s, 0);
	section_program(&s->holder, row.command);
	format_command_line(h, &s->holder, line);
	if (elsewhere[0] == '\0')
		json_add_number_text(doc, ipu, "PID", row.pid);
	format_add_text(doc, ipu, "Command", row.command);
	if (line[0] != '\0')
		format_add_text(doc, ipu, "Command line", line);
	format_add_text(doc, ipu, "User", row.user);
	format_add_text(doc, ipu, "Host", row.host);
	format_add_text(doc, ipu, "Time", row.time);
	if (elsewhere[0] != '\0') {
		format_add_text(doc, ipu, "Application host", row.host);
		format_add_text(doc, ipu, "Attached from", elsewhere);
	}
	if (holder_claims(&s->holder)[0] != '\0')
		format_add_text(doc, ipu, "Said by client",
		    holder_claims(&s->holder));
}

/* Add the condition; the sentence only if something is wrong. */
static void
format_add_condition(yyjson_mut_doc *doc, yyjson_mut_val *ipu,
    const struct monitor_reader *h, const struct section *section,
    const struct ipu_status *s)
{
	struct condition c;

	condition_of_ipu(&c, s, section->partition, h->pod,
	    h->now_ns / 1000000);
	format_add_text(doc, ipu, "Error state", c.error_state);
	format_add_text(doc, ipu, "Condition", c.word);
	if (c.kind > CONDITION_BUSY)
		format_add_text(doc, ipu, "Trouble", c.text);
}

/* Add an IPU of a card; the process's fields only if one exists. */
static void
format_add_ipu(yyjson_mut_doc *doc, yyjson_mut_val *ipus,
    const struct monitor_reader *h, const struct section *section, int index)
{
	const struct ipu_status *s = &section->ipus[index];
	const struct agent *agent =
	    &h->pod->agents[listing_ipu_machine(s->ipu)];
	yyjson_mut_val *ipu = yyjson_mut_arr_add_obj(doc, ipus);
	char text[READING_SIZE], serial[SERIAL_SIZE];

	status_serial(agent, listing_ipu_number(s->ipu), serial);
	json_add_number_text(doc, ipu, "ID", section->first_id + index);
	json_add_number_text(doc, ipu, "IPU#", listing_ipu_number(s->ipu));
	format_add_text(doc, ipu, "Serial", serial);
	format_add_text(doc, ipu, "Routing",
	    partition_link_routing_name(section->partition->routing));
	json_add_number_text(doc, ipu, "GCD",
	    (section->first + index) / partition_gcd_size(section->partition));
	(void)snprintf(text, sizeof(text), "%dMHz", s->sensors.clock_mhz);
	format_add_text(doc, ipu, "Clock", text);
	status_reading(s, s->sensors.die_c, "C", text);
	format_add_text(doc, ipu, "IPU temp", text);
	status_reading(s, s->sensors.power_w, "W", text);
	format_add_text(doc, ipu, "IPU power", text);
	status_reading(s, s->board_c, "C", text);
	format_add_text(doc, ipu, "Board temp", text);
	status_reading(s, s->board_w, "W", text);
	format_add_text(doc, ipu, "Board power", text);
	status_utilisation(s, s->sensors.recent, text);
	format_add_text(doc, ipu, "IPU utilisation", text);
	status_utilisation(s, s->sensors.session, text);
	format_add_text(doc, ipu, "IPU utilisation session", text);
	status_utilisation(s, s->sensors.minute, text);
	format_add_text(doc, ipu, "IPU utilisation minute", text);
	format_add_condition(doc, ipu, h, section, s);
	if (s->attached)
		format_add_process(doc, ipu, h, s);
}

/* Add a card, which is an IPU-Machine; return its array of IPUs. */
static yyjson_mut_val *
add_card(yyjson_mut_doc *doc, yyjson_mut_val *cards,
    const struct monitor_reader *h, const struct section *section,
    const struct ipu_status *s)
{
	const struct agent *agent =
	    &h->pod->agents[listing_ipu_machine(s->ipu)];
	yyjson_mut_val *card = yyjson_mut_arr_add_obj(doc, cards);
	char text[READING_SIZE], serial[SERIAL_SIZE];

	status_serial(agent, -1, serial);
	format_add_text(doc, card, "Partition", section->partition->name);
	format_add_text(doc, card, "Active",
	    section->active ? "true" : "false");
	format_add_text(doc, card, "Partition state",
	    partition_state_name(section->partition->state));
	format_add_text(doc, card, "Machine state",
	    status_machine_word(agent, h->now_ns / 1000000));
	format_add_text(doc, card, "IPU-M", agent->address);
	format_add_text(doc, card, "Serial", serial);
	format_add_text(doc, card, "Type", STATUS_BOARD_TYPE);
	format_add_text(doc, card, "Model", pod_machine_words[agent->model]);
	format_add_text(doc, card, "IPU-M SW", h->versions->machine);
	format_add_text(doc, card, "Server version", h->versions->ipuof_server);
	format_add_text(doc, card, "ICU FW", h->versions->firmware);
	status_reading(s, s->board_c, "C", text);
	format_add_text(doc, card, "Board temp", text);
	status_reading(s, s->board_w, "W", text);
	format_add_text(doc, card, "Board power", text);
	return yyjson_mut_obj_add_arr(doc, card, "ipus");
}

/* Goes section by section; a new card begins where the machine changes. */
void
format_json(const struct monitor_reader *h, const struct section *sections,
    int count, bool by_line)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *cards;
	yyjson_mut_val *ipus = NULL;
	const struct section *s;
	int i;

	yyjson_mut_doc_set_root(doc, root);
	cards = yyjson_mut_obj_add_arr(doc, root, "cards");
	for (s = sections; s < sections + count; s++) {
		for (i = 0; i < s->count; i++) {
			if (i == 0 ||
			    listing_ipu_machine(s->ipus[i].ipu) !=
				listing_ipu_machine(s->ipus[i - 1].ipu))
				ipus = add_card(doc, cards, h, s, &s->ipus[i]);
			format_add_ipu(doc, ipus, h, s, i);
		}
	}
	(by_line ? json_print_line : json_print)(stdout, doc);
}

/* ---- CSV ---- */

/*
 * The columns of CSV.  Programs know the real tool's by number: counted from 0,
 * ID is 6, the clock 15, die 16, board 17 and 18, the utilisation 23 and the
 * IPU's power 25.  Without -s the sensors are left out, and so are our columns
 * after 25.
 */
enum { CSV_FIRST_SENSOR = 15, CSV_COLUMNS = 33 };

static const char *const csv_names[CSV_COLUMNS] = { "partition", "active",
	"ipu-m", "serial", "ipu-m sw", "type", "id", "ipu#", "routing", "gcd",
	"server version", "icu fw", "pid", "user", "command", "clock",
	"ipu temp", "board temp", "board power", "host", "time", "board serial",
	"error state", "ipu utilisation", "ipu utilisation session",
	"ipu power", "partition state", "machine state", "condition",
	"attached from", "command line", "ipu utilisation minute",
	"said by client" };

static void
csv_ipu(struct table *t, const struct monitor_reader *h,
    const struct section *section, int index)
{
	const struct ipu_status *s = &section->ipus[index];
	const struct agent *agent =
	    &h->pod->agents[listing_ipu_machine(s->ipu)];
	struct tables_process row;
	char serial[SERIAL_SIZE];

	section_process(&row, h, s, 0);
	section_program(&s->holder, row.command);
	status_serial(agent, -1, serial);
	table_add(t, "%s", section->partition->name);
	table_add(t, "%s", section->active ? "true" : "false");
	table_add(t, "%s", agent->address);
	table_add(t, "%s", serial);
	table_add(t, "%s", h->versions->machine);
	table_add(t, "%s", STATUS_BOARD_TYPE);
	table_add(t, "%d", section->first_id + index);
	table_add(t, "%d", listing_ipu_number(s->ipu));
	table_add(t, "%s",
	    partition_link_routing_name(section->partition->routing));
	table_add(t, "%d",
	    (section->first + index) / partition_gcd_size(section->partition));
	table_add(t, "%s", h->versions->ipuof_server);
	table_add(t, "%s", h->versions->firmware);
	if (s->attached && holder_is_here(&h->place, &s->holder))
		table_add(t, "%d", row.pid);
	else
		table_add(t, "%s", "");
	table_add(t, "%s", s->attached ? row.user : "");
	table_add(t, "%s", s->attached ? row.command : "");
}

static void
csv_sensors(struct table *t, const struct monitor_reader *h,
    const struct section *section, const struct ipu_status *s)
{
	struct tables_process row;
	struct condition c;
	char text[READING_SIZE], serial[SERIAL_SIZE];

	section_process(&row, h, s, 0);
	condition_of_ipu(&c, s, section->partition, h->pod,
	    h->now_ns / 1000000);
	table_add(t, "%s", row.clock);
	table_add(t, "%s", row.die_temp);
	table_add(t, "%s", row.board_temp);
	table_add(t, "%s", row.power);
	table_add(t, "%s", s->attached ? row.host : "");
	table_add(t, "%s", s->attached ? row.time : "");
	status_serial(&h->pod->agents[listing_ipu_machine(s->ipu)],
	    listing_ipu_number(s->ipu), serial);
	table_add(t, "%s", serial);
	table_add(t, "%s", c.error_state);
	status_utilisation(s, s->sensors.recent, text);
	table_add(t, "%s", text);
	status_utilisation(s, s->sensors.session, text);
	table_add(t, "%s", text);
	status_reading(s, s->sensors.power_w, "W", text);
	table_add(t, "%s", text);
	table_add(t, "%s", partition_state_name(section->partition->state));
	table_add(t, "%s",
	    status_machine_word(&h->pod->agents[listing_ipu_machine(s->ipu)],
		h->now_ns / 1000000));
	table_add(t, "%s", c.word);
}

/* Add our columns: the holder's host or container, its whole command, the last
   minute, and which texts are unproved. */
static void
csv_holder(struct table *t, const struct monitor_reader *h,
    const struct ipu_status *s)
{
	const char *elsewhere = format_elsewhere(h, &s->holder);
	char line[SLOT_COMMAND_SIZE] = "", minute[READING_SIZE];

	if (s->attached)
		format_command_line(h, &s->holder, line);
	table_add(t, "%s",
	    !s->attached	     ? "" :
		elsewhere[0] != '\0' ? elsewhere :
				       "here");
	table_add(t, "%s", line);
	status_utilisation(s, s->sensors.minute, minute);
	table_add(t, "%s", minute);
	table_add(t, "%s", s->attached ? holder_claims(&s->holder) : "");
}

void
format_csv(const struct monitor_reader *h, const struct section *sections,
    int count, bool sensors, bool headers)
{
	const char *names[CSV_COLUMNS + 1] = { NULL };
	const struct section *s;
	struct table t;
	int i;

	for (i = 0; i < (sensors ? CSV_COLUMNS : CSV_FIRST_SENSOR); i++)
		names[i] = csv_names[i];
	table_init(&t, names);
	for (s = sections; s < sections + count; s++)
		for (i = 0; i < s->count; i++) {
			csv_ipu(&t, h, s, i);
			if (!sensors)
				continue;
			csv_sensors(&t, h, s, &s->ipus[i]);
			csv_holder(&t, h, &s->ipus[i]);
		}
	if (!headers)
		t.headers = NULL;
	table_print_csv(stdout, &t);
	table_release(&t);
}
