/*
 * The rows of the live view: which IPUs, machines and programs it shows, in
 * which order.
 */
#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "applets/gc-monitor/watch_view.h"
#include "core/base/alloc.h"

/* The rows of one table while they are collected. */
struct collected {
	const struct watch_view *view;
	const struct watch_sample *sample;
	struct watch_row *rows;
	int count;
};

static bool
has(const char *text, const char *part)
{
	return strcasestr(text, part) != NULL;
}

static bool
process_matches(const struct watch_sample *s, int index, const char *text)
{
	const struct watch_process *p = &s->processes[index];

	return has(p->user, text) || has(p->command, text) ||
	    has(p->host, text) || has(s->partitions[p->partition].name, text);
}

static bool
ipu_matches(const struct watch_sample *s, int index, const char *text)
{
	const struct watch_ipu *ipu = &s->ipus[index];

	return has(ipu->name, text) || has(ipu->word, text) ||
	    has(s->partitions[ipu->partition].name, text) ||
	    (ipu->process >= 0 && process_matches(s, ipu->process, text));
}

bool
watch_rows_matches(const struct watch_sample *s, const struct watch_row *row,
    const char *text)
{
	int i;

	if (row->kind == ROW_PROCESS)
		return process_matches(s, row->first, text);
	for (i = row->first; i < row->first + row->count; i++)
		if (ipu_matches(s, i, text))
			return true;
	return false;
}

int
watch_rows_partition(const struct watch_view *v, const struct watch_sample *s)
{
	int i;

	for (i = 0; v->partition[0] != '\0' && i < s->partition_count; i++)
		if (strcmp(s->partitions[i].name, v->partition) == 0)
			return i;
	return -1;
}

bool
watch_rows_is_open(const struct watch_view *v, int machine)
{
	return (v->opened[machine / 64] >> machine % 64 & 1) != 0;
}

/* Return true if none of the IPUs has a program or a problem. */
static bool
is_idle(const struct watch_sample *s, const struct watch_row *row)
{
	int i;

	for (i = row->first; i < row->first + row->count; i++)
		if (s->ipus[i].process != -1 || s->ipus[i].failed)
			return false;
	return true;
}

/* Return the value to sort an IPU by. */
static double
ipu_key(const struct watch_ipu *ipu, enum watch_sort sort)
{
	switch (sort) {
	case SORT_UTILISATION:
		return ipu->load;
	case SORT_POWER:
		return ipu->monitored ? ipu->power_w : 0.0;
	case SORT_TEMPERATURE:
		return ipu->monitored ? ipu->die_c : 0.0;
	default:
		return 0.0;
	}
}

/* Return the word to sort an IPU by; free IPUs come last. */
static const char *
ipu_word(const struct watch_sample *s, const struct watch_ipu *ipu,
    enum watch_sort sort)
{
	if (sort != SORT_USER && sort != SORT_COMMAND)
		return "";
	if (ipu->process == -1)
		return "\xff";
	return sort == SORT_USER ? s->processes[ipu->process].user :
				   s->processes[ipu->process].command;
}

/* Add a row.  A machine has the sum of its IPUs and the first one's words. */
static void
add(struct collected *c, enum watch_kind kind, int first, int count)
{
	const struct watch_sample *s = c->sample;
	struct watch_row *row = &c->rows[c->count++];
	int i;

	memset(row, 0, sizeof(*row));
	row->kind = kind;
	row->first = first;
	row->count = count;
	row->word = "";
	if (kind != ROW_IPU && kind != ROW_MACHINE)
		return;
	for (i = first; i < first + count; i++) {
		row->key += ipu_key(&s->ipus[i], c->view->sort);
		if (row->word[0] == '\0' || row->word[0] == '\xff')
			row->word = ipu_word(s, &s->ipus[i], c->view->sort);
	}
}

/* Greater values come first, then words by the alphabet, then smaller ids. */
static int
compare(const void *left, const void *right)
{
	const struct watch_row *a = left, *b = right;
	int order;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	order = strcasecmp(a->word, b->word);
	return order != 0 ? order : a->first - b->first;
}

/* Sort the rows from `from` on. */
static void
sort(struct collected *c, int from)
{
	struct watch_row swap;
	int i, j;

	qsort(c->rows + from, (size_t)(c->count - from), sizeof(*c->rows),
	    compare);
	if (!c->view->reverse)
		return;
	for (i = from, j = c->count - 1; i < j; i++, j--) {
		swap = c->rows[i];
		c->rows[i] = c->rows[j];
		c->rows[j] = swap;
	}
}

/* Fill in the row that begins at an IPU: the IPU's, or its machine's if the
   view is folded. */
static void
find_group(const struct watch_view *v, const struct watch_sample *s, int first,
    int end, struct watch_row *group)
{
	const int machine = s->ipus[first].ipu / IPUS_PER_MACHINE;
	int i = first + 1;

	while (v->fold && i < end &&
	    s->ipus[i].ipu / IPUS_PER_MACHINE == machine)
		i++;
	group->kind = v->fold ? ROW_MACHINE : ROW_IPU;
	group->first = first;
	group->count = i - first;
}

/* Return true if a group is shown in the row of idle IPUs. */
static bool
is_summarised(const struct watch_view *v, const struct watch_sample *s,
    const struct watch_row *group)
{
	return !v->show_idle && is_idle(s, group) &&
	    watch_rows_matches(s, group, v->filter);
}

/* Add the rows of one partition.  Returns true if it has idle IPUs without
   one. */
static bool
add_partition(struct collected *c, const struct watch_partition *p)
{
	const int end = p->first + p->count;
	struct watch_row group;
	bool idle = false;
	int i;

	for (i = p->first; i < end; i += group.count) {
		find_group(c->view, c->sample, i, end, &group);
		if (is_summarised(c->view, c->sample, &group))
			idle = true;
		else if (watch_rows_matches(c->sample, &group, c->view->filter))
			add(c, group.kind, i, group.count);
	}
	return idle;
}

void
watch_rows_idle_text(const struct watch_view *v, const struct watch_sample *s,
    const struct watch_row *row, char *text, size_t size)
{
	const int end = row->first + row->count;
	struct watch_row group;
	char ranges[256] = "", range[32];
	int i, next, count = 0;

	for (i = row->first; i < end; i = next) {
		for (next = i; next < end; next += group.count) {
			find_group(v, s, next, end, &group);
			if (!is_summarised(v, s, &group))
				break;
		}
		if (next == i) {
			next += group.count;
			continue;
		}
		(void)snprintf(range, sizeof(range),
		    next > i + 1 ? "%s%d-%d" : "%s%d", count > 0 ? "," : "",
		    s->ipus[i].id, s->ipus[next - 1].id);
		(void)strlcat(ranges, range, sizeof(ranges));
		count += next - i;
	}
	(void)snprintf(text, size, "%d idle IPU%s: %s", count,
	    count == 1 ? "" : "s", ranges);
}

/* Put the IPUs of opened machines below them. */
static void
open_machines(const struct collected *c, struct collected *open)
{
	const struct watch_row *row;
	int i, j, from;

	for (i = 0; i < c->count; i++) {
		row = &c->rows[i];
		open->rows[open->count++] = *row;
		if (row->kind != ROW_MACHINE ||
		    !watch_rows_is_open(c->view,
			c->sample->ipus[row->first].ipu / IPUS_PER_MACHINE))
			continue;
		from = open->count;
		for (j = row->first; j < row->first + row->count; j++) {
			add(open, ROW_IPU, j, 1);
			open->rows[open->count - 1].inner = true;
		}
		sort(open, from);
	}
}

/* Collect the table of IPUs: the rows in order, then the idle IPUs of each
   partition, then those that no partition has. */
static void
collect_ipus(struct collected *c)
{
	const struct watch_sample *s = c->sample;
	const int chosen = watch_rows_partition(c->view, s);
	const bool all = c->view->partition[0] == '\0';
	const size_t room = 2 * (size_t)s->count + (size_t)s->partition_count +
	    1;
	struct collected closed = *c;
	bool *idle = xcalloc((size_t)s->partition_count + 1, sizeof(*idle));
	int i;

	closed.rows = xcalloc(room, sizeof(*closed.rows));
	c->rows = xcalloc(room, sizeof(*c->rows));
	for (i = 0; i < s->partition_count; i++)
		if (all || i == chosen)
			idle[i] = add_partition(&closed, &s->partitions[i]);
	sort(&closed, 0);
	open_machines(&closed, c);
	for (i = 0; i < s->partition_count; i++)
		if (idle[i])
			add(c, ROW_IDLE, s->partitions[i].first,
			    s->partitions[i].count);
	if (all && c->view->filter[0] == '\0' && s->pod_ipus > s->count)
		add(c, ROW_UNUSED, 0, 0);
	free(closed.rows);
	free(idle);
}

static void
collect_processes(struct collected *c)
{
	const struct watch_sample *s = c->sample;
	const int chosen = watch_rows_partition(c->view, s);
	const enum watch_sort by = c->view->sort;
	struct watch_row *row;
	int i;

	c->rows = xcalloc((size_t)s->process_count + 1, sizeof(*c->rows));
	for (i = 0; i < s->process_count; i++) {
		if (!(c->view->partition[0] == '\0' ||
			s->processes[i].partition == chosen) ||
		    !process_matches(s, i, c->view->filter))
			continue;
		add(c, ROW_PROCESS, i, 1);
		row = &c->rows[c->count - 1];
		if (by == SORT_UTILISATION)
			row->key = s->processes[i].load;
		else if (by == SORT_USER)
			row->word = s->processes[i].user;
		else if (by == SORT_COMMAND)
			row->word = s->processes[i].command;
	}
	sort(c, 0);
}

/* Return the number by which a row is found again. */
static int
row_number(const struct watch_sample *s, const struct watch_row *row)
{
	return row->kind == ROW_PROCESS ? s->processes[row->first].pid :
	    row->kind == ROW_UNUSED	? 0 :
					  s->ipus[row->first].ipu;
}

/* Return true if the row shows what the pane's cursor was on; `near`: or its
   machine, or an IPU of it. */
static bool
is_same(const struct watch_pane *pane, const struct watch_sample *s,
    const struct watch_row *row, bool near)
{
	const int number = row_number(s, row);

	if (!near)
		return row->kind == pane->kind && number == pane->number;
	return row->kind <= ROW_MACHINE && pane->kind <= ROW_MACHINE &&
	    number / IPUS_PER_MACHINE == pane->number / IPUS_PER_MACHINE;
}

void
watch_rows_find(struct watch_pane *pane, const struct watch_sample *s,
    const struct watch_row *rows, int count)
{
	int near, i;

	for (near = 0; near <= 1; near++)
		for (i = 0; i < count; i++)
			if (is_same(pane, s, &rows[i], near != 0)) {
				watch_rows_move(pane, s, rows, count, i);
				return;
			}
	watch_rows_move(pane, s, rows, count, pane->cursor);
}

void
watch_rows_move(struct watch_pane *pane, const struct watch_sample *s,
    const struct watch_row *rows, int count, int to)
{
	pane->cursor = to >= count ? count - 1 : to;
	if (pane->cursor < 0)
		pane->cursor = 0;
	if (count == 0)
		return;
	pane->kind = rows[pane->cursor].kind;
	pane->number = row_number(s, &rows[pane->cursor]);
}

void
watch_rows_build(struct watch_rows *rows, struct watch_view *v,
    const struct watch_sample *s)
{
	struct collected ipus = { .view = v, .sample = s };
	struct collected processes = { .view = v, .sample = s };

	collect_ipus(&ipus);
	collect_processes(&processes);
	rows->ipus = ipus.rows;
	rows->count = ipus.count;
	rows->processes = processes.rows;
	rows->process_count = processes.count;
	watch_rows_find(&v->ipus, s, rows->ipus, rows->count);
	watch_rows_find(&v->processes, s, rows->processes, rows->process_count);
}

void
watch_rows_release(struct watch_rows *rows)
{
	free(rows->ipus);
	free(rows->processes);
	memset(rows, 0, sizeof(*rows));
}
