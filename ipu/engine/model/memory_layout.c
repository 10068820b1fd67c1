/*
 * Places tensors on tiles (spread() has the rule) and keeps the sums.
 *
 * Every tensor is spread over the tiles as in poplibs' linear mapping: grains
 * of MEMORY_GRAIN_BYTES, at least MEMORY_TILE_BYTES_MIN on a tile, starting
 * after the previous tensor, so that small ones do not pile up.
 * ipubox-device(7) has the rules and their sources.
 */
#include "ipu/engine/model/memory_layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"

/* Code on each tile [estimate]: of every program, including the stacks of the
   worker threads, and the additions for a compute set, the exchange before it,
   and a copy to another IPU or the host. */
enum {
	BASE_CODE = 6144,
	COMPUTE_SET_CODE = 96,
	COPY_CODE = 64,
	EXCHANGE_BYTES_OF_WORD = 64 /* moved per instruction */
};

void
memory_layout_begin(struct memory_layout *l, struct memory *m,
    const struct engine_config *c, const struct memory_target *target)
{
	int s, i;

	*m = (struct memory){ .target = *target,
		.training = c->training,
		.recompute = c->training && c->recompute };
	*l = (struct memory_layout){ .m = m,
		.c = c,
		.schedule = engine_config_schedule(c) };
	for (s = 0; s < c->stages; s++)
		if (schedule_ipu(&l->schedule, s) >= m->ipu_count)
			m->ipu_count = schedule_ipu(&l->schedule, s) + 1;
	m->ipus = xcalloc((size_t)m->ipu_count, sizeof(*m->ipus));
	l->next_tile = xcalloc((size_t)m->ipu_count, sizeof(*l->next_tile));
	l->codes = xcalloc((size_t)m->ipu_count, sizeof(*l->codes));
	for (i = 0; i < m->ipu_count; i++) {
		m->ipus[i].tiles = xcalloc((size_t)target->tiles,
		    sizeof(*m->ipus[i].tiles));
		l->codes[i].control = BASE_CODE;
	}
	strvec_init(&m->notes);
	for (s = 0; s < c->stages; s++)
		m->ipus[schedule_ipu(&l->schedule, s)].stages++;
}

/*
 * Spread a tensor like poputil's calcLinearTileMapping() and splitRegions():
 * over as many tiles as get the minimum each, with the grains shared evenly.
 * Here the first tile is not always number 0.
 *
 * 1,000 bytes are 125 grains; a tile takes at least 16, so 7 tiles share them,
 * one with 17 grains and six with 18.  1 MiB is 131,072 grains on 1,457 tiles
 * of 89 or 90.  The next tensor begins on the tile after the last one.
 */
static void
spread(struct memory_layout *l, struct memory_tensor *t)
{
	const size_t tiles = (size_t)l->m->target.tiles;
	const size_t least = MEMORY_TILE_BYTES_MIN / MEMORY_GRAIN_BYTES;
	const size_t grains = (t->bytes + MEMORY_GRAIN_BYTES - 1) /
	    MEMORY_GRAIN_BYTES;
	size_t most = (grains + tiles - 1) / tiles;
	size_t parts = grains / least > 0 ? grains / least : 1;
	size_t i, place;

	if (most < (grains + parts - 1) / parts)
		most = (grains + parts - 1) / parts;
	parts = (grains + most - 1) / most;
	t->first_tile = l->next_tile[t->ipu];
	t->tile_count = (int)parts;
	for (i = 0; i < parts; i++) {
		place = ((size_t)t->first_tile + i) % tiles;
		l->m->ipus[t->ipu].tiles[place] += MEMORY_GRAIN_BYTES *
		    ((i + 1) * grains / parts - i * grains / parts);
	}
	l->next_tile[t->ipu] = (int)(((size_t)t->first_tile + parts) % tiles);
}

void
memory_layout_add(struct memory_layout *l, int ipu, enum memory_kind kind,
    int copies, size_t bytes, const char *name, ...)
{
	struct memory *m = l->m;
	struct memory_tensor *t;
	va_list ap;

	if (bytes == 0)
		return;
	if (m->tensor_count == l->room) {
		l->room = l->room > 0 ? 2 * l->room : 64;
		m->tensors = xreallocarray(m->tensors, (size_t)l->room,
		    sizeof(*m->tensors));
	}
	t = &m->tensors[m->tensor_count++];
	*t = (struct memory_tensor){ .ipu = ipu,
		.kind = kind,
		.bytes = bytes * (size_t)copies,
		.copies = copies };
	va_start(ap, name);
	(void)vsnprintf(t->name, sizeof(t->name), name, ap);
	va_end(ap);
	m->ipus[ipu].kinds[kind] += t->bytes;
	m->ipus[ipu].total += t->bytes;
	spread(l, t);
}

/* Add control code, which grows with compute sets and with the bytes that a
   tile exchanges: an instruction of 4 bytes moves EXCHANGE_BYTES_OF_WORD. */
static void
add_control(struct memory_layout *l, int ipu, const struct operation_cost *cost)
{
	l->codes[ipu].control += (size_t)cost->compute_sets * COMPUTE_SET_CODE +
	    cost->exchange_bytes / (size_t)l->m->target.tiles /
		EXCHANGE_BYTES_OF_WORD * 4;
}

/* Vertices of one class and phase are present once, however many operations use
   them. */
void
memory_layout_add_code(struct memory_layout *l, int ipu,
    enum operation_phase phase, const struct operation_cost *cost)
{
	if (cost->compute_sets == 0)
		return;
	l->codes[ipu].vertices[cost->code_class][phase] = cost->code_bytes;
	add_control(l, ipu, cost);
}

void
memory_layout_add_update(struct memory_layout *l, int ipu,
    const struct operation_cost *cost)
{
	l->codes[ipu].update = cost->code_bytes;
	add_control(l, ipu, cost);
}

void
memory_layout_add_copies(struct memory_layout *l, int ipu, int count)
{
	l->codes[ipu].control += (size_t)count * COPY_CODE;
}

/* Put the same code on every tile of the IPU, in whole grains. */
static void
place_code(struct memory_layout *l, int ipu)
{
	const struct memory_code *code = &l->codes[ipu];
	size_t bytes = code->control + code->update;
	int k, phase;

	for (k = 0; k < OPERATION_CLASSES; k++)
		for (phase = 0; phase < OPERATION_PHASES; phase++)
			bytes += code->vertices[k][phase];
	bytes = (bytes + MEMORY_GRAIN_BYTES - 1) / MEMORY_GRAIN_BYTES *
	    MEMORY_GRAIN_BYTES;
	memory_layout_add(l, ipu, MEMORY_CODE, 1,
	    bytes * (size_t)l->m->target.tiles, "code");
}

/* Sort by IPU: stages come in order, but not always their IPUs. */
static void
sort_tensors(struct memory *m)
{
	struct memory_tensor *sorted;
	int ipu, i, n = 0;

	sorted = xcalloc((size_t)m->tensor_count, sizeof(*sorted));
	for (ipu = 0; ipu < m->ipu_count; ipu++)
		for (i = 0; i < m->tensor_count; i++)
			if (m->tensors[i].ipu == ipu)
				sorted[n++] = m->tensors[i];
	free(m->tensors);
	m->tensors = sorted;
}

static void
find_largest_tile(const struct memory *m, struct memory_ipu *i)
{
	int t;

	for (t = 1; t < m->target.tiles; t++)
		if (i->tiles[t] > i->tiles[i->largest_tile])
			i->largest_tile = t;
}

void
memory_layout_place_code(struct memory_layout *l)
{
	int i;

	for (i = 0; i < l->m->ipu_count; i++)
		if (l->m->ipus[i].stages > 0)
			place_code(l, i);
}

void
memory_layout_end(struct memory_layout *l)
{
	int i;

	sort_tensors(l->m);
	for (i = 0; i < l->m->ipu_count; i++)
		find_largest_tile(l->m, &l->m->ipus[i]);
	free(l->next_tile);
	free(l->codes);
}
