/*
 * gc-monitor's JSON and CSV.  The names and the words are those of the real
 * tool.
 */
#include "applets/gc-monitor/format.h"

#include <stdio.h>

#include <yyjson.h>

#include "core/base/json.h"
#include "core/base/table.h"
#include "core/pod/soc_error.h"
#include "ipu/listing.h"

/* ---- JSON ---- */

/* Copied: most texts are made in a buffer of the caller's. */
static void
format_add_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
    const char *text)
{
	(void)yyjson_mut_obj_add_strcpy(doc, object, key, text);
}

/* All values of the tools' JSON are strings. */
static void
format_add_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
    int number)
{
	char	text[READING_SIZE];

	(void)snprintf(text, sizeof(text), "%d", number);
	format_add_text(doc, object, key, text);
}

/*
 * Its words are those of the table; of the board and of the clock the card and
 * the IPU have their own.
 */
static void
format_add_process(yyjson_mut_doc *doc, yyjson_mut_val *ipu,
    const struct here *h,
    const struct ipu_status *s)
{
	struct tables_process	row;

	section_process(&row, h, s, 0);
	format_add_number(doc, ipu, "PID", row.pid);
	format_add_text(doc, ipu, "Command", row.command);
	format_add_text(doc, ipu, "User", row.user);
	format_add_text(doc, ipu, "Host", row.host);
	format_add_text(doc, ipu, "Time", row.time);
}

/* An IPU of a card; without a process there are no fields of one. */
static void
format_add_ipu(yyjson_mut_doc *doc, yyjson_mut_val *ipus, const struct here *h,
    const struct section *section, int index)
{
	const struct ipu_status	*s = &section->ipus[index];
	const struct agent	*agent =
	    &h->pod->agents[listing_ipu_machine(s->ipu)];
	yyjson_mut_val		*ipu = yyjson_mut_arr_add_obj(doc, ipus);
	char			 text[READING_SIZE], serial[SERIAL_SIZE];

	status_serial(agent, listing_ipu_number(s->ipu), serial);
	format_add_number(doc, ipu, "ID", section->first_id + index);
	format_add_number(doc, ipu, "IPU#", listing_ipu_number(s->ipu));
	format_add_text(doc, ipu, "Serial", serial);
	format_add_text(doc, ipu, "Routing",
	    partition_link_routing_name(section->partition->routing));
	format_add_number(doc, ipu, "GCD", (section->first + index) /
	    partition_gcd_size(section->partition));
	(void)snprintf(text, sizeof(text), "%dMHz", s->sensors.clock_mhz);
	format_add_text(doc, ipu, "Clock", text);
	status_reading(s, s->sensors.die_c, "C", text);
	format_add_text(doc, ipu, "IPU temp", text);
	status_reading(s, s->sensors.power_w, "W", text);
	format_add_text(doc, ipu, "IPU power", text);
	status_percent(s->sensors.recent, text);
	format_add_text(doc, ipu, "IPU utilisation", text);
	status_percent(s->sensors.session, text);
	format_add_text(doc, ipu, "IPU utilisation session", text);
	if (s->attached)
		format_add_process(doc, ipu, h, s);
}

/* A card is an IPU-Machine; returns its array of IPUs. */
static yyjson_mut_val *
add_card(yyjson_mut_doc *doc, yyjson_mut_val *cards, const struct here *h,
    const struct section *section, const struct ipu_status *s)
{
	const struct agent	*agent =
	    &h->pod->agents[listing_ipu_machine(s->ipu)];
	yyjson_mut_val		*card = yyjson_mut_arr_add_obj(doc, cards);
	char			 text[READING_SIZE], serial[SERIAL_SIZE];

	status_serial(agent, -1, serial);
	format_add_text(doc, card, "Partition", section->partition->name);
	format_add_text(doc, card, "Active", section->active ? "true" :
	    "false");
	format_add_text(doc, card, "IPU-M", agent->address);
	format_add_text(doc, card, "Serial", serial);
	format_add_text(doc, card, "Type", status_machine_type(agent->model));
	format_add_text(doc, card, "IPU-M SW", h->versions->machine);
	format_add_text(doc, card, "Server version",
	    h->versions->ipuof_server);
	format_add_text(doc, card, "ICU FW", h->versions->firmware);
	status_reading(s, s->board_c, "C", text);
	format_add_text(doc, card, "Board temp", text);
	status_reading(s, s->board_w, "W", text);
	format_add_text(doc, card, "Board power", text);
	return yyjson_mut_obj_add_arr(doc, card, "ipus");
}

/* Section by section; a new card begins where the machine changes. */
void
format_json(const struct here *h, const struct section *sections, int count)
{
	yyjson_mut_doc		*doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val		*root = yyjson_mut_obj(doc), *cards;
	yyjson_mut_val		*ipus = NULL;
	const struct section	*s;
	int			 i;

	yyjson_mut_doc_set_root(doc, root);
	cards = yyjson_mut_obj_add_arr(doc, root, "cards");
	for (s = sections; s < sections + count; s++) {
		for (i = 0; i < s->count; i++) {
			if (i == 0 || listing_ipu_machine(s->ipus[i].ipu) !=
			    listing_ipu_machine(s->ipus[i - 1].ipu))
				ipus = add_card(doc, cards, h, s, &s->ipus[i]);
			format_add_ipu(doc, ipus, h, s, i);
		}
	}
	json_print(stdout, doc);
}

/* ---- CSV ---- */

/*
 * The columns of CSV.  Programs know those of the real tool by their numbers:
 * counted from 0, ID is 6, the clock 15, die 16, board 17 and 18, the
 * utilisation 23 and the IPU's power 25.  Without -s the sensors' are left out.
 */
enum { CSV_FIRST_SENSOR = 15, CSV_COLUMNS = 26 };

static const char *const csv_names[CSV_COLUMNS] = {
	"partition", "active", "ipu-m", "serial", "ipu-m sw", "type", "id",
	"ipu#", "routing", "gcd", "server version", "icu fw", "pid", "user",
	"command", "clock", "ipu temp", "board temp", "board power", "host",
	"time", "board serial", "error state", "ipu utilisation",
	"ipu utilisation session", "ipu power"
};

static void
csv_ipu(struct table *t, const struct here *h, const struct section *section,
    int index)
{
	const struct ipu_status	*s = &section->ipus[index];
	const struct agent	*agent =
	    &h->pod->agents[listing_ipu_machine(s->ipu)];
	struct tables_process	 row;
	char			 serial[SERIAL_SIZE];

	section_process(&row, h, s, 0);
	status_serial(agent, -1, serial);
	table_add(t, "%s", section->partition->name);
	table_add(t, "%s", section->active ? "true" : "false");
	table_add(t, "%s", agent->address);
	table_add(t, "%s", serial);
	table_add(t, "%s", h->versions->machine);
	table_add(t, "%s", status_machine_type(agent->model));
	table_add(t, "%d", section->first_id + index);
	table_add(t, "%d", listing_ipu_number(s->ipu));
	table_add(t, "%s",
	    partition_link_routing_name(section->partition->routing));
	table_add(t, "%d", (section->first + index) /
	    partition_gcd_size(section->partition));
	table_add(t, "%s", h->versions->ipuof_server);
	table_add(t, "%s", h->versions->firmware);
	if (s->attached)
		table_add(t, "%d", row.pid);
	else
		table_add(t, "%s", "");
	table_add(t, "%s", s->attached ? row.user : "");
	table_add(t, "%s", s->attached ? row.command : "");
}

static void
csv_sensors(struct table *t, const struct here *h, const struct ipu_status *s)
{
	struct tables_process	row;
	char			text[READING_SIZE], serial[SERIAL_SIZE];
	char			errors[SOC_TEXT_SIZE];

	section_process(&row, h, s, 0);
	table_add(t, "%s", row.clock);
	table_add(t, "%s", row.die_temp);
	table_add(t, "%s", row.board_temp);
	table_add(t, "%s", row.power);
	table_add(t, "%s", s->attached ? row.host : "");
	table_add(t, "%s", s->attached ? row.time : "");
	status_serial(&h->pod->agents[listing_ipu_machine(s->ipu)],
	    listing_ipu_number(s->ipu),
	    serial);
	table_add(t, "%s", serial);
	soc_error_text(s->soc_errors, "", errors, sizeof(errors));
	table_add(t, "%s", errors[0] != '\0' ? errors : "no errors");
	status_percent(s->sensors.recent, text);
	table_add(t, "%s", text);
	status_percent(s->sensors.session, text);
	table_add(t, "%s", text);
	status_reading(s, s->sensors.power_w, "W", text);
	table_add(t, "%s", text);
}

void
format_csv(const struct here *h, const struct section *sections, int count,
    bool sensors, bool headers)
{
	const char		*names[CSV_COLUMNS + 1] = { NULL };
	const struct section	*s;
	struct table		 t;
	int			 i;

	for (i = 0; i < (sensors ? CSV_COLUMNS : CSV_FIRST_SENSOR); i++)
		names[i] = csv_names[i];
	table_init(&t, names);
	for (s = sections; s < sections + count; s++)
		for (i = 0; i < s->count; i++) {
			csv_ipu(&t, h, s, i);
			if (sensors)
				csv_sensors(&t, h, &s->ipus[i]);
		}
	if (!headers)
		t.headers = NULL;
	table_print_csv(stdout, &t);
	table_release(&t);
}
