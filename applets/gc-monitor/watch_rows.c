/*
 * The rows of the live view: how a sample is taken, and which IPUs, machines
 * and programs are shown, in which order.
 */
#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "applets/gc-monitor/watch.h"
#include "core/base/alloc.h"

/* ---- samples ---- */

static void
release_sample(struct watch_sample *w)
{
	if (w->ipus == NULL) /* no sample was taken yet */
		return;
	free(w->ipus);
	free(w->parts);
	sample_release(&w->from);
}

/* Take the IPU with that number in the pod, and count it. */
static void
take_ipu(struct watch_sample *w, int number)
{
	struct watch_ipu *ipu = &w->ipus[w->all.count++];
	struct condition c;

	ipu->values = w->from.ipus[number];
	ipu->number = number;
	sample_condition(&w->from, number, &c);
	pod_ipu_name(sample_pod(&w->from), number, ipu->name,
	    sizeof(ipu->name));
	ipu->failed = c.kind > CONDITION_BUSY;
	(void)strlcpy(ipu->word, c.word, sizeof(ipu->word));
	status_history(&w->from.look.registry, number, w->from.now_ns,
	    ipu->history);
	w->all.used += ipu->values.holder != SAMPLE_NONE;
}

void
watch_rows_take(struct watch_view *v, const struct device_look *look,
    bool verbose)
{
	struct watch_sample *w = &v->sample;
	int *ipus, i, count;

	release_sample(w);
	memset(w, 0, sizeof(*w));
	w->from.look = *look;
	sample_read(&w->from);
	for (i = 0; !verbose && i < w->from.holder_count; i++)
		memcpy(w->from.holders[i].command, w->from.holders[i].program,
		    SLOT_COMMAND_SIZE);
	count = sample_list(&w->from, true, &ipus);
	w->ipus = xcalloc((size_t)count + 1, sizeof(*w->ipus));
	w->parts = xcalloc((size_t)look->view.snapshot.partition_count + 1,
	    sizeof(*w->parts));
	for (i = 0; i < count; i++)
		take_ipu(w, ipus[i]);
	free(ipus);
}

/* Return false for IPUs of the chosen partition that are not in the view's
   GCD. */
static bool
is_in_view(const struct watch_view *v, const struct sample_ipu *ipu)
{
	return v->gcd == -1 || ipu->gcd == v->gcd ||
	    ipu->partition != watch_rows_partition(v);
}

static void
count_parts(struct watch_view *v)
{
	const struct watch_sample *s = &v->sample;
	const struct sample_ipu *ipu;
	struct watch_part *p;
	int i;

	memset(s->parts, 0,
	    (size_t)s->from.look.view.snapshot.partition_count *
		sizeof(*s->parts));
	for (i = 0; i < s->all.count; i++) {
		ipu = &s->ipus[i].values;
		p = &s->parts[ipu->partition];
		if (!is_in_view(v, ipu))
			continue;
		if (p->count++ == 0)
			p->first = i;
		p->used += ipu->holder != SAMPLE_NONE;
	}
}

void
watch_rows_begin(struct watch_view *v, bool all)
{
	const struct watch_sample *s = &v->sample;
	const struct visible_devices *view = &s->from.look.view;
	int chosen;

	v->gcd = -1;
	if (!all) {
		(void)strlcpy(v->message, view->warning, sizeof(v->message));
		if (view->partition != NULL) {
			(void)strlcpy(v->partition, view->partition->name,
			    sizeof(v->partition));
			if (view->partition->num_gcds > 1)
				v->gcd = view->gcd;
		}
	}
	count_parts(v);
	chosen = watch_rows_partition(v);
	v->fold = (chosen == -1 ? s->all.count : s->parts[chosen].count) >=
	    TABLES_FOLD_FROM;
	v->failed = true;
}

void
watch_rows_release(struct watch_view *v)
{
	free(v->tables[WATCH_IPUS].rows);
	free(v->tables[WATCH_PROCESSES].rows);
	release_sample(&v->sample);
}

/* ---- rows ---- */

static bool
has(const char *text, const char *part)
{
	return strcasestr(text, part) != NULL;
}

static bool
holder_matches(const struct watch_sample *s, int index, const char *text)
{
	const struct sample_holder *h = &s->from.holders[index];

	return has(h->user, text) || has(h->command, text) ||
	    has(h->host, text);
}

bool
watch_rows_matches(const struct watch_sample *s, const struct watch_row *row,
    const char *text)
{
	int i;

	if (row->kind == ROW_PROCESS)
		return holder_matches(s, row->first, text) ||
		    has(watch_rows_name(s, row->partition), text);
	for (i = row->first; i < row->first + row->count; i++) {
		const struct watch_ipu *ipu = &s->ipus[i];

		if (has(ipu->name, text) || has(ipu->word, text) ||
		    has(watch_rows_name(s, ipu->values.partition), text) ||
		    (ipu->values.holder != SAMPLE_NONE &&
			holder_matches(s, ipu->values.holder, text)))
			return true;
	}
	return false;
}

int
watch_rows_partition(const struct watch_view *v)
{
	const struct snapshot *all = &v->sample.from.look.view.snapshot;

	return v->partition[0] == '\0' ? -1 : snapshot_find(all, v->partition);
}

const char *
watch_rows_name(const struct watch_sample *s, int partition)
{
	return partition == SAMPLE_NONE ?
	    "" :
	    sample_partition(&s->from, partition)->name;
}

/* Return the word of a holder to sort by. */
static const char *
holder_word(const struct watch_view *v, int index)
{
	const struct sample_holder *h = &v->sample.from.holders[index];

	return v->sort == SORT_USER ? h->user :
	    v->sort == SORT_COMMAND ? h->command :
				      "";
}

/* Add what an IPU gives its row to sort by.  Free IPUs come last. */
static void
add_key(const struct watch_view *v, struct watch_row *row,
    const struct sample_ipu *ipu)
{
	if (v->sort == SORT_UTILISATION)
		row->key += ipu->sensors.recent;
	else if (v->sort == SORT_POWER && ipu->monitored)
		row->key += ipu->sensors.power_w;
	else if (v->sort == SORT_TEMPERATURE && ipu->monitored)
		row->key += ipu->sensors.die_c;
	else if (v->sort >= SORT_USER &&
	    (row->word[0] == '\0' || row->word[0] == '\xff'))
		row->word = ipu->holder == SAMPLE_NONE ?
		    "\xff" :
		    holder_word(v, ipu->holder);
}

/* Add a row.  A machine has the sum of its IPUs and the first one's words. */
static struct watch_row *
add(const struct watch_view *v, struct watch_table *t, enum watch_kind kind,
    int first, int count)
{
	struct watch_row *row = &t->rows[t->count++];
	int i;

	*row = (struct watch_row){ .kind = kind,
		.first = first,
		.count = count,
		.word = "" };
	if (kind != ROW_UNUSED)
		row->number = v->sample.ipus[first].number;
	for (i = first; kind <= ROW_MACHINE && i < first + count; i++)
		add_key(v, row, &v->sample.ipus[i].values);
	return row;
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

static int
compare_reversed(const void *left, const void *right)
{
	return compare(right, left);
}

/* Sort the rows from `from` on. */
static void
sort(const struct watch_view *v, struct watch_table *t, int from)
{
	qsort(t->rows + from, (size_t)(t->count - from), sizeof(*t->rows),
	    v->reverse ? compare_reversed : compare);
}

/* Add a row for each IPU of a partition, or for each of its machines if the
   view is folded.  Idle ones, without programs and problems, are only marked
   and counted. */
static void
add_partition(struct watch_view *v, struct watch_table *t, struct watch_part *p)
{
	struct watch_ipu *ipus = v->sample.ipus;
	const int end = p->first + p->count;
	bool shown, idle;
	int i, next;

	for (i = p->first; i < end; i = next) {
		idle = !v->show_idle;
		next = i;
		do {
			idle = idle && !ipus[next].failed &&
			    ipus[next].values.holder == SAMPLE_NONE;
			next++;
		} while (v->fold && next < end &&
		    ipus[next].number / IPUS_PER_MACHINE ==
			ipus[i].number / IPUS_PER_MACHINE);
		shown = watch_rows_matches(&v->sample,
		    add(v, t, v->fold ? ROW_MACHINE : ROW_IPU, i, next - i),
		    v->filter);
		idle = idle && shown;
		if (!shown || idle)
			t->count--;
		if (idle)
			p->idle += next - i;
		for (; i < next; i++)
			ipus[i].idle = idle;
	}
}

/* Copy the rows, and put the IPUs of opened machines below them. */
static void
open_machines(const struct watch_view *v, struct watch_table *t,
    const struct watch_table *closed)
{
	const struct watch_row *row;
	int i, from;

	for (row = closed->rows; row < closed->rows + closed->count; row++) {
		t->rows[t->count++] = *row;
		if (row->kind != ROW_MACHINE ||
		    !v->opened[row->number / IPUS_PER_MACHINE])
			continue;
		from = t->count;
		for (i = row->first; i < row->first + row->count; i++)
			add(v, t, ROW_IPU, i, 1)->inner = true;
		sort(v, t, from);
	}
}

/* Collect the table of IPUs: the rows in order, then the idle IPUs of each
   partition, then those that no partition has. */
static void
collect_ipus(struct watch_view *v, struct watch_table *t)
{
	const struct watch_sample *s = &v->sample;
	const int count = s->from.look.view.snapshot.partition_count;
	const int chosen = watch_rows_partition(v);
	const bool all = v->partition[0] == '\0';
	const size_t room = 2 * (size_t)s->all.count + (size_t)count + 1;
	struct watch_table closed = {
		.rows = xcalloc(room, sizeof(*closed.rows))
	};
	int i;

	t->rows = xcalloc(room, sizeof(*t->rows));
	for (i = 0; i < count; i++)
		if (all || i == chosen)
			add_partition(v, &closed, &s->parts[i]);
	sort(v, &closed, 0);
	open_machines(v, t, &closed);
	free(closed.rows);
	for (i = 0; i < count; i++)
		if (s->parts[i].idle > 0)
			add(v, t, ROW_IDLE, s->parts[i].first,
			    s->parts[i].count);
	if (all && v->filter[0] == '\0' && s->from.ipu_count > s->all.count)
		add(v, t, ROW_UNUSED, 0, 0);
}

static void
collect_processes(struct watch_view *v, struct watch_table *t)
{
	const struct watch_sample *s = &v->sample;
	const int count = s->from.holder_count;
	const int chosen = watch_rows_partition(v);
	struct watch_row *row;
	int i;

	t->rows = xcalloc((size_t)count + 1, sizeof(*t->rows));
	for (i = 0; i < count; i++)
		t->rows[i] = (struct watch_row){ .kind = ROW_PROCESS,
			.first = i,
			.number = s->from.holders[i].pid,
			.partition = SAMPLE_NONE,
			.word = holder_word(v, i) };
	for (i = 0; i < s->all.count; i++) {
		const struct sample_ipu *ipu = &s->ipus[i].values;

		if (ipu->holder == SAMPLE_NONE || !is_in_view(v, ipu))
			continue;
		row = &t->rows[ipu->holder];
		if (row->count++ == 0)
			row->partition = ipu->partition;
		row->load += ipu->sensors.recent;
	}
	for (row = t->rows; row < t->rows + count; row++) {
		if (v->sort == SORT_UTILISATION)
			row->key = row->load;
		if ((v->partition[0] == '\0' ||
			(chosen != -1 && row->partition == chosen)) &&
		    watch_rows_matches(s, row, v->filter))
			t->rows[t->count++] = *row;
	}
	sort(v, t, 0);
}

void
watch_rows_move(struct watch_table *t, int to)
{
	t->cursor = to >= t->count ? t->count - 1 : to;
	if (t->cursor < 0)
		t->cursor = 0;
	if (t->count == 0)
		return;
	t->kind = t->rows[t->cursor].kind;
	t->number = t->rows[t->cursor].number;
}

/* Put the cursor on the row that it was on, else on its machine or an IPU of
   it, else near it. */
static void
find_cursor(struct watch_table *t)
{
	const struct watch_row *row;
	int i, near = -1;

	for (i = 0; i < t->count; i++) {
		row = &t->rows[i];
		if (row->kind == t->kind && row->number == t->number)
			break;
		if (near == -1 && row->kind <= ROW_MACHINE &&
		    t->kind <= ROW_MACHINE &&
		    row->number / IPUS_PER_MACHINE ==
			t->number / IPUS_PER_MACHINE)
			near = i;
	}
	watch_rows_move(t, i < t->count ? i : near >= 0 ? near : t->cursor);
}

void
watch_rows_build(struct watch_view *v)
{
	struct watch_table *t;

	count_parts(v);
	for (t = v->tables; t < v->tables + WATCH_TABLES; t++) {
		free(t->rows);
		t->count = 0;
		if (t == &v->tables[WATCH_IPUS])
			collect_ipus(v, t);
		else
			collect_processes(v, t);
		find_cursor(t);
	}
}
