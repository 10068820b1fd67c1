/*
 * Prints what vipu status gathered.  All forms come from the lines of the CSV:
 * JSON has an array of objects for each section, and a table shows the columns
 * of one section.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/status.h"
#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/pod/placement.h"

/* The columns of all sections; a line leaves those of others empty. */
enum status_column {
	COLUMN_SECTION,
	COLUMN_ID,
	COLUMN_CLUSTER,
	COLUMN_ALLOCATION,
	COLUMN_IPUS,
	COLUMN_USED,
	COLUMN_FREE,
	COLUMN_DOWN,
	COLUMN_LARGEST,
	COLUMN_ATTACHED,
	COLUMN_PARTITIONS,
	COLUMN_ILDS,
	COLUMN_OWNER,
	COLUMN_PLACES,
	COLUMN_REASON,
	STATUS_COLUMNS
};

static const char *const names[STATUS_COLUMNS + 1] = { "section", "id",
	"cluster_id", "allocation_id", "ipus", "used", "free", "down",
	"largest_free", "attached", "partitions", "num_ipulink_segments",
	"owner", "places", "reason", NULL };

static bool
is_number(int column)
{
	return column >= COLUMN_IPUS && column <= COLUMN_ILDS;
}

/* ---- the lines ---- */

static char *
number(int n)
{
	return xasprintf("%d", n);
}

static char *
cluster_name(const struct status *s, int cluster)
{
	return xstrdup(s->snapshot.pod.clusters[cluster].name);
}

static char *
allocation_name(const struct status *s, int allocation)
{
	return allocation == -1 ?
	    NULL :
	    xstrdup(s->snapshot.pod.allocations[allocation].name);
}

/* Add a line of the cells that are not NULL, and free them. */
static void
add_line(struct table *t, const char *section, char **cells)
{
	int i;

	table_add(t, "%s", section);
	for (i = COLUMN_SECTION + 1; i < STATUS_COLUMNS; i++) {
		table_add(t, "%s", cells[i] != NULL ? cells[i] : "");
		free(cells[i]);
	}
}

/* Add a line that only says why the section has no lines. */
static void
add_reason(struct table *t, const char *section, const char *reason)
{
	char *cells[STATUS_COLUMNS] = { [COLUMN_REASON] = xstrdup(reason) };

	add_line(t, section, cells);
}

static void
add_capacity(const struct status *s, struct table *t)
{
	const struct capacity *c = s->capacity;

	if (!s->has_pod)
		add_reason(t, "capacity", s->no_place.text);
	for (; c < s->capacity + s->capacity_count; c++) {
		char *cells[STATUS_COLUMNS] = {
			[COLUMN_CLUSTER] = cluster_name(s, c->cluster),
			[COLUMN_ALLOCATION] = allocation_name(s, c->allocation),
			[COLUMN_IPUS] = number(c->ipus),
			[COLUMN_USED] = number(c->used),
			[COLUMN_FREE] = number(c->free),
			[COLUMN_DOWN] = number(c->down),
			[COLUMN_LARGEST] = number(c->largest),
		};

		add_line(t, "capacity", cells);
	}
}

/* Add a line for each state that a partition has, and for each owner. */
static void
add_partitions(const struct status *s, struct table *t)
{
	static const int states[] = { PS_ACTIVE, PS_PENDING, PS_ERROR,
		PS_REMOVED };
	const struct status_owner *o = s->owners;
	size_t i;
	int count;

	for (i = 0; i < ARRAY_SIZE(states); i++) {
		char *cells[STATUS_COLUMNS] = { NULL };

		count = capacity_count_state(s->snapshot.partitions,
		    s->snapshot.partition_count, states[i]);
		if (count == 0)
			continue;
		cells[COLUMN_ID] = xasprintf("PS_%s",
		    partition_state_name(states[i]));
		cells[COLUMN_PARTITIONS] = number(count);
		add_line(t, "state", cells);
	}
	for (; o < s->owners + s->owner_count; o++) {
		char *cells[STATUS_COLUMNS] = {
			[COLUMN_IPUS] = number(o->ipus),
			[COLUMN_ATTACHED] =
			    s->has_holders ? number(o->attached) : NULL,
			[COLUMN_PARTITIONS] = number(o->partitions),
			[COLUMN_OWNER] = xstrdup(o->name),
		};

		add_line(t, "owner", cells);
	}
}

static void
add_queue(const struct status *s, struct table *t)
{
	long i;

	if (s->queue_count == -1)
		add_reason(t, "waiting", s->queue_error.text);
	for (i = 0; i < s->queue_count; i++) {
		const struct ticket *w = &s->queue[i];
		char *cells[STATUS_COLUMNS] = {
			[COLUMN_ID] = xstrdup(w->partition),
			[COLUMN_CLUSTER] = xstrdup(w->cluster),
			[COLUMN_ALLOCATION] = xstrdup(w->allocation),
			[COLUMN_IPUS] = number(w->size),
			[COLUMN_OWNER] = xstrdup(w->user),
		};

		add_line(t, "waiting", cells);
	}
}

/* Return the names of the place's IPUs, to be freed. */
static char *
list_places(const struct status *s)
{
	struct table t;
	char *text;

	table_init(&t, NULL);
	format_table_ipus(&t, &s->snapshot.pod, &s->place, NUMBERS_NONE, true);
	text = xstrdup(t.cells[0]);
	table_release(&t);
	return text;
}

static void
add_place(const struct status *s, struct table *t)
{
	const struct placement *p = &s->place;
	char *cells[STATUS_COLUMNS] = { NULL };

	if (s->size == 0)
		return;
	if (!s->has_place) {
		add_reason(t, "next", s->no_place.text);
		return;
	}
	cells[COLUMN_CLUSTER] = cluster_name(s, p->cluster);
	cells[COLUMN_ALLOCATION] = allocation_name(s,
	    placement_allocation(&s->snapshot.pod, p));
	cells[COLUMN_IPUS] = number(s->size);
	cells[COLUMN_ILDS] = number(p->ild_count);
	cells[COLUMN_PLACES] = list_places(s);
	add_line(t, "next", cells);
}

static void
status_csv(const void *source, struct table *t)
{
	const struct status *s = source;

	table_init(t, names);
	add_capacity(s, t);
	add_partitions(s, t);
	add_queue(s, t);
	add_place(s, t);
}

/* Return the n-th line that is of this section, or NULL. */
static char **
find_line(const struct table *t, const char *section, int n)
{
	size_t k;

	for (k = 0; k < t->count; k += STATUS_COLUMNS)
		if (strcmp(t->cells[k], section) == 0 && n-- == 0)
			return t->cells + k;
	return NULL;
}

/* ---- JSON ---- */

/* Add a cell as a number, or a text. */
static void
json_cell(yyjson_mut_doc *doc, yyjson_mut_val *o, int column, const char *cell)
{
	(void)yyjson_mut_obj_add_val(doc, o, names[column],
	    is_number(column) ? yyjson_mut_rawcpy(doc, cell) :
				yyjson_mut_strcpy(doc, cell));
}

static void
status_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *array)
{
	static const char *const sections[] = { "capacity", "state", "owner",
		"waiting", "next" };
	yyjson_mut_val *o = yyjson_mut_arr_add_obj(doc, array), *all, *one;
	struct table t;
	size_t i;
	char **line;
	int n, column;

	status_csv(source, &t);
	for (i = 0; i < ARRAY_SIZE(sections); i++) {
		all = yyjson_mut_obj_add_arr(doc, o, sections[i]);
		for (n = 0; (line = find_line(&t, sections[i], n)) != NULL;
		     n++) {
			one = yyjson_mut_arr_add_obj(doc, all);
			for (column = COLUMN_ID; column < STATUS_COLUMNS;
			     column++)
				if (line[column][0] != '\0')
					json_cell(doc, one, column,
					    line[column]);
		}
	}
	table_release(&t);
}

/* ---- tables ---- */

/* The table of a section. */
struct status_table {
	const char *section;
	const char *without; /* begins the sentence with the reason */
	int columns[8];	     /* ends with 0 */
	const char *heads[8];
	struct fit_rule rules[8];
};

#define STAYS \
	{ \
		0, 0, 0, FIT_KEEP_START \
	}
#define SHRINKS(turn, least) \
	{ \
		turn, least, 0, FIT_KEEP_END \
	}
#define WRAPS(turn, least) \
	{ \
		turn, least, 0, FIT_WRAP \
	}

static const struct status_table tables[] = {
	{ "capacity", "What is free is not known",
	    { COLUMN_CLUSTER, COLUMN_ALLOCATION, COLUMN_IPUS, COLUMN_USED,
		COLUMN_FREE, COLUMN_DOWN, COLUMN_LARGEST },
	    { "Cluster", "Allocation", "IPUs", "Used", "Free", "Down",
		"Largest Free" },
	    { SHRINKS(1, 7), SHRINKS(2, 10), STAYS, STAYS, STAYS, STAYS,
		STAYS } },
	{ "state", "", { COLUMN_ID, COLUMN_PARTITIONS },
	    { "State", "Partitions" }, { STAYS, STAYS } },
	{ "owner", "",
	    { COLUMN_OWNER, COLUMN_PARTITIONS, COLUMN_IPUS, COLUMN_ATTACHED },
	    { "Owner", "Partitions", "IPUs", "Attached" },
	    { SHRINKS(1, 10), STAYS, STAYS, STAYS } },
	{ "waiting", "What waits for IPUs is not known",
	    { COLUMN_ID, COLUMN_IPUS, COLUMN_CLUSTER, COLUMN_ALLOCATION,
		COLUMN_OWNER },
	    { "Waiting", "IPUs", "Cluster", "Allocation", "User" },
	    { SHRINKS(4, 16), STAYS, SHRINKS(1, 7), SHRINKS(2, 10),
		SHRINKS(3, 6) } },
	{ "next", "No place",
	    { COLUMN_IPUS, COLUMN_CLUSTER, COLUMN_ALLOCATION, COLUMN_ILDS,
		COLUMN_PLACES },
	    { "Next Of", "Cluster", "Allocation", "ILDs", "Places" },
	    { STAYS, SHRINKS(1, 7), SHRINKS(2, 10), STAYS, WRAPS(3, 20) } },
};

/* Tables have the contract's constants without their prefix. */
static const char *
without_prefix(const char *cell)
{
	return strncmp(cell, "PS_", 3) == 0 ? cell + 3 : cell;
}

/* Print the lines of the section, or its reason; nothing without lines. */
static void
print_section(const struct table *lines, const struct status_table *section,
    const struct table_screen *screen)
{
	struct table t;
	char **line = find_line(lines, section->section, 0), *text;
	int n, i;

	if (line == NULL)
		return;
	if (line[COLUMN_REASON][0] != '\0') {
		text = xasprintf("%s: %s.\n", section->without,
		    line[COLUMN_REASON]);
		text_wrap_to(stdout, screen->columns, text, 0, 0);
		free(text);
		return;
	}
	table_init(&t, section->heads);
	t.rules = section->rules;
	for (n = 0; (line = find_line(lines, section->section, n)) != NULL; n++)
		for (i = 0; section->columns[i] != 0; i++)
			table_add(&t, "%s",
			    without_prefix(line[section->columns[i]]));
	table_show(stdout, &t, 0, screen);
	table_release(&t);
}

void
status_print(const struct status *s, const struct table_screen *screen)
{
	struct table t;
	size_t i;

	status_csv(s, &t);
	for (i = 0; i < ARRAY_SIZE(tables); i++)
		print_section(&t, &tables[i], screen);
	table_release(&t);
}

const struct output_view status_view = { .json = status_json,
	.csv = status_csv };
