/*
 * Reports on the memory: for people, for programs, and as an error if it is too
 * small.
 */
#include "ipu/engine/model/memory.h"

#include "core/base/formats/json.h"
#include "core/base/table.h"

enum { TENSORS_NAMED = 3 };

/* A number of bytes as text: "512 B", "624.0 kB", "897.0 MB", in steps of 1024
   like the real tools. */
struct size_text {
	char text[32];
};

static struct size_text
size_of(size_t bytes)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB" };
	struct size_text t;
	double n = (double)bytes / 1024;
	size_t i = 0;

	if (bytes < 1024) {
		(void)snprintf(t.text, sizeof(t.text), "%zu B", bytes);
		return t;
	}
	for (; n >= 1023.95 && i < 3; i++)
		n /= 1024;
	(void)snprintf(t.text, sizeof(t.text), "%.1f %s", n, units[i]);
	return t;
}

/* Return "1,472". */
static struct size_text
grouped(size_t n)
{
	struct size_text t;
	char digits[32];
	int i, k = 0, length;

	length = snprintf(digits, sizeof(digits), "%zu", n);
	for (i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			t.text[k++] = ',';
		t.text[k++] = digits[i];
	}
	t.text[k] = '\0';
	return t;
}

/* Return advice to shrink a tensor. */
static const char *
memory_report_remedy(const struct memory *m, const struct memory_tensor *t)
{
	switch (t->kind) {
	case MEMORY_WEIGHTS:
	case MEMORY_GRADIENTS:
		return m->ipus[t->ipu].stages > 1 ?
		    "fewer stages on this IPU" :
		    "a smaller layer";
	case MEMORY_OPTIMISER:
		return "off-load the optimiser's state";
	case MEMORY_STASH:
		return m->recompute ? "a smaller batch size" :
				      "recompute, or a smaller batch size";
	case MEMORY_ACTIVATIONS:
	case MEMORY_EXCHANGE:
	case MEMORY_STREAMS:
		return "a smaller batch size";
	default:
		return m->ipus[t->ipu].stages > 1 ?
		    "fewer stages on this IPU" :
		    "more memory on a tile";
	}
}

/* Return the IPU's largest tensor below `before`, by size and then by place;
   NULL: none. */
static const struct memory_tensor *
next_largest(const struct memory *m, int ipu,
    const struct memory_tensor *before)
{
	const struct memory_tensor *t, *best = NULL;

	for (t = m->tensors; t < m->tensors + m->tensor_count; t++) {
		if (t->ipu != ipu ||
		    (before != NULL &&
			(t->bytes > before->bytes ||
			    (t->bytes == before->bytes && t <= before))))
			continue;
		if (best == NULL || t->bytes > best->bytes)
			best = t;
	}
	return best;
}

/* Count the tiles that need more than they have. */
static int
count_full_tiles(const struct memory *m, const struct memory_ipu *i)
{
	int t, count = 0;

	for (t = 0; t < m->target.tiles; t++)
		count += i->tiles[t] > m->target.tile_bytes;
	return count;
}

int
memory_report_check(const struct memory *m, const char *profile,
    struct error *e)
{
	const int ipu = memory_fullest_ipu(m);
	const struct memory_ipu *i = &m->ipus[ipu];
	const struct memory_tensor *t = NULL;
	int n;

	if (memory_largest_tile(i) <= m->target.tile_bytes)
		return 0;
	(void)error_set(e,
	    "Out of memory: Cannot fit all variable data onto one or more "
	    "tiles.");
	if (profile != NULL)
		(void)error_append(e, " Profile saved to: %.256s", profile);
	(void)error_append(e,
	    "\nIPU %d: tile %d needs %s bytes and has %s; %s of %s tiles are "
	    "too small",
	    ipu, i->largest_tile, grouped(memory_largest_tile(i)).text,
	    grouped(m->target.tile_bytes).text,
	    grouped((size_t)count_full_tiles(m, i)).text,
	    grouped((size_t)m->target.tiles).text);
	for (n = 0; n < TENSORS_NAMED; n++) {
		if ((t = next_largest(m, ipu, t)) == NULL)
			break;
		(void)error_append(e, "\n  %s of %s%s%s: %s",
		    size_of(t->bytes).text, memory_kind_name(t->kind),
		    t->kind == MEMORY_CODE ? "" : ", ",
		    t->kind == MEMORY_CODE ? "" : t->name,
		    memory_report_remedy(m, t));
	}
	return -1;
}

/* Add a row: one IPU or, with no tiles, the sum of all. */
static void
memory_report_add_row(struct table *t, const char *name,
    const struct memory_ipu *i)
{
	int k;

	table_add(t, "%s", name);
	for (k = 0; k < MEMORY_KINDS; k++)
		table_add(t, "%s", size_of(i->kinds[k]).text);
	table_add(t, "%s", size_of(i->total).text);
	if (i->tiles != NULL)
		table_add(t, "%s (%d)", size_of(memory_largest_tile(i)).text,
		    i->largest_tile);
	else
		table_add(t, "%s", "");
	table_add(t, "%s", size_of(i->streaming).text);
}

void
memory_report_print(const struct memory *m, FILE *out,
    const struct table_screen *screen)
{
	static const char *const headers[] = { "IPU", "Weights", "Gradients",
		"Optimiser", "Stash", "Activations", "Exchange", "Streams",
		"Code", "Total", "Largest tile", "Off chip", NULL };
	/* Keep the kinds that fill an IPU longer than the small ones. */
	static const struct fit_rule rules[] = { { 0, 0, 0, FIT_KEEP_START },
		{ 0, 0, 9, FIT_KEEP_START }, { 0, 0, 5, FIT_KEEP_START },
		{ 0, 0, 6, FIT_KEEP_START }, { 0, 0, 7, FIT_KEEP_START },
		{ 0, 0, 8, FIT_KEEP_START }, { 0, 0, 2, FIT_KEEP_START },
		{ 0, 0, 1, FIT_KEEP_START }, { 0, 0, 4, FIT_KEEP_START },
		{ 0, 0, 0, FIT_KEEP_START }, { 0, 0, 0, FIT_KEEP_START },
		{ 0, 0, 3, FIT_KEEP_START } };
	struct memory_ipu sum = { 0 };
	struct table t;
	char name[16];
	size_t n;
	int i, k;

	fprintf(out, "Memory per IPU, %s: %s tiles of %s, %s\n",
	    m->training ? "training" : "inference",
	    grouped((size_t)m->target.tiles).text,
	    size_of(m->target.tile_bytes).text,
	    size_of((size_t)m->target.tiles * m->target.tile_bytes).text);
	table_init(&t, headers);
	t.first_width = 0;
	for (i = 0; i < m->ipu_count; i++) {
		const struct memory_ipu *ipu = &m->ipus[i];

		(void)snprintf(name, sizeof(name), "%d", i);
		memory_report_add_row(&t, name, ipu);
		for (k = 0; k < MEMORY_KINDS; k++)
			sum.kinds[k] += ipu->kinds[k];
		sum.total += ipu->total;
		sum.streaming += ipu->streaming;
	}
	memory_report_add_row(&t, "all", &sum);
	t.rules = rules;
	table_show(out, &t, TABLE_OPEN, screen);
	table_release(&t);
	for (n = 0; n < m->notes.count; n++)
		fprintf(out, "%s\n", m->notes.items[n]);
}

static void
memory_report_add_ipu(yyjson_mut_doc *doc, yyjson_mut_val *to,
    const struct memory *m, int number)
{
	static const char *const keys[] = {
		[MEMORY_WEIGHTS] = "weights_bytes",
		[MEMORY_GRADIENTS] = "gradients_bytes",
		[MEMORY_OPTIMISER] = "optimiser_bytes",
		[MEMORY_STASH] = "stash_bytes",
		[MEMORY_ACTIVATIONS] = "activations_bytes",
		[MEMORY_EXCHANGE] = "exchange_bytes",
		[MEMORY_STREAMS] = "streams_bytes",
		[MEMORY_CODE] = "code_bytes",
	};
	const struct memory_ipu *i = &m->ipus[number];
	yyjson_mut_val *o = yyjson_mut_arr_add_obj(doc, to);
	int k;

	yyjson_mut_obj_add_int(doc, o, "ipu", number);
	yyjson_mut_obj_add_int(doc, o, "stages", i->stages);
	for (k = 0; k < MEMORY_KINDS; k++)
		yyjson_mut_obj_add_uint(doc, o, keys[k], i->kinds[k]);
	yyjson_mut_obj_add_uint(doc, o, "total_bytes", i->total);
	yyjson_mut_obj_add_int(doc, o, "largest_tile", i->largest_tile);
	yyjson_mut_obj_add_uint(doc, o, "largest_tile_bytes",
	    memory_largest_tile(i));
	yyjson_mut_obj_add_int(doc, o, "tiles_too_small",
	    count_full_tiles(m, i));
	yyjson_mut_obj_add_uint(doc, o, "streaming_memory_bytes", i->streaming);
}

/* Most models have no notes. */
static void
memory_report_add_notes(yyjson_mut_doc *doc, yyjson_mut_val *to,
    const struct strvec *notes)
{
	yyjson_mut_val *array;
	size_t i;

	if (notes->count == 0)
		return;
	array = yyjson_mut_obj_add_arr(doc, to, "notes");
	for (i = 0; i < notes->count; i++)
		(void)yyjson_mut_arr_add_str(doc, array, notes->items[i]);
}

yyjson_mut_val *
memory_report_object(yyjson_mut_doc *doc, const struct memory *m)
{
	yyjson_mut_val *root = yyjson_mut_obj(doc), *to = root, *o;
	const struct memory_tensor *t;
	int i;

	yyjson_mut_obj_add_bool(doc, root, "training", m->training);
	yyjson_mut_obj_add_bool(doc, root, "recompute", m->recompute);
	yyjson_mut_obj_add_bool(doc, root, "fits",
	    memory_report_check(m, NULL, NULL) == 0);
	o = yyjson_mut_obj_add_obj(doc, root, "target");
	yyjson_mut_obj_add_int(doc, o, "tiles", m->target.tiles);
	yyjson_mut_obj_add_uint(doc, o, "tile_bytes", m->target.tile_bytes);
	yyjson_mut_obj_add_uint(doc, o, "ipu_bytes",
	    (size_t)m->target.tiles * m->target.tile_bytes);
	o = yyjson_mut_obj_add_arr(doc, root, "ipus");
	for (i = 0; i < m->ipu_count; i++)
		memory_report_add_ipu(doc, o, m, i);
	memory_report_add_notes(doc, root, &m->notes);
	root = yyjson_mut_obj_add_arr(doc, root, "tensors");
	for (t = m->tensors; t < m->tensors + m->tensor_count; t++) {
		o = yyjson_mut_arr_add_obj(doc, root);
		yyjson_mut_obj_add_str(doc, o, "name", t->name);
		yyjson_mut_obj_add_int(doc, o, "ipu", t->ipu);
		yyjson_mut_obj_add_str(doc, o, "kind",
		    memory_kind_name(t->kind));
		yyjson_mut_obj_add_uint(doc, o, "bytes", t->bytes);
		yyjson_mut_obj_add_int(doc, o, "copies", t->copies);
		yyjson_mut_obj_add_int(doc, o, "first_tile", t->first_tile);
		yyjson_mut_obj_add_int(doc, o, "tile_count", t->tile_count);
	}
	return to;
}

void
memory_report_json(const struct memory *m, FILE *out)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);

	yyjson_mut_doc_set_root(doc, memory_report_object(doc, m));
	json_print(out, doc);
}
