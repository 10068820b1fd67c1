/*
 * The memory of each IPU, tensor by tensor: add_stage() has the rules of what
 * there is, spread() those of which tiles it goes to.
 */
#include "ipu/engine/model/memory.h"

#include <bsd/string.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/model/layer_cost.h"
#include "ipu/nn/stage_plan.h"

/*
 * Code on each tile [estimate]: what every program has, its worker threads'
 * stacks included, and what a compute set, the exchange before it and a copy
 * to another IPU or to the host add.
 */
enum {
	BASE_CODE = 6144,
	COMPUTE_SET_CODE = 96,
	COPY_CODE = 64,
	EXCHANGE_BYTES_OF_WORD = 64	/* that an instruction moves */
};

/* Work in progress. */
struct builder {
	struct memory			*m;
	const struct engine_config	*c;
	struct schedule_config		 schedule;
	int				*next_tile;	/* of each IPU */
	int				 room;		/* for tensors */
};

/* A stage as the rules below look at it. */
struct view {
	struct builder			*b;
	int				 stage, ipu;
	bool				 last;
	struct stage_plan		 plan;	/* lanes: 1, so none empty */
};

static const char *const memory_kind_names[] = {
	[MEMORY_WEIGHTS] = "weights",
	[MEMORY_GRADIENTS] = "gradients",
	[MEMORY_OPTIMISER] = "optimiser",
	[MEMORY_STASH] = "stash",
	[MEMORY_ACTIVATIONS] = "activations",
	[MEMORY_EXCHANGE] = "exchange",
	[MEMORY_STREAMS] = "streams",
	[MEMORY_CODE] = "code"
};

const char *
memory_kind_name(enum memory_kind kind)
{
	return memory_kind_names[kind];
}

/*
 * The bytes of an IPU are shared out evenly; a rest below one per tile is
 * lost.
 */
struct memory_target
memory_target(size_t ipu_bytes)
{
	return (struct memory_target){
		.tiles = MEMORY_TILES,
		.tile_bytes = ipu_bytes > 0 ? ipu_bytes / MEMORY_TILES :
		    MEMORY_TILE_BYTES
	};
}

/*
 * poputil's calcLinearTileMapping() and splitRegions(): as many tiles as give
 * each a minimum, the grains shared out evenly.  Here the first tile is not
 * always number 0.
 *
 * 1,000 bytes are 125 grains; a tile takes at least 16, so 7 tiles share them,
 * one with 17 grains and six with 18. 1 MiB is 131,072 grains on 1,457 tiles
 * of 89 or 90.  The next tensor begins on the tile behind the last one.
 */
static void
spread(struct builder *b, struct memory_tensor *t)
{
	const size_t	tiles = (size_t)b->m->target.tiles;
	const size_t	least = MEMORY_TILE_BYTES_MIN / MEMORY_GRAIN_BYTES;
	const size_t	grains = (t->bytes + MEMORY_GRAIN_BYTES - 1) /
	    MEMORY_GRAIN_BYTES;
	size_t		most = (grains + tiles - 1) / tiles;
	size_t		parts = grains / least > 0 ? grains / least : 1;
	size_t		i, place;

	if (most < (grains + parts - 1) / parts)
		most = (grains + parts - 1) / parts;
	parts = (grains + most - 1) / most;
	t->first_tile = b->next_tile[t->ipu];
	t->tile_count = (int)parts;
	for (i = 0; i < parts; i++) {
		place = ((size_t)t->first_tile + i) % tiles;
		b->m->ipus[t->ipu].tiles[place] += MEMORY_GRAIN_BYTES *
		    ((i + 1) * grains / parts - i * grains / parts);
	}
	b->next_tile[t->ipu] = (int)(((size_t)t->first_tile + parts) % tiles);
}

/* `bytes` of each copy; nothing is added where they are 0. */
static void __attribute__((format(printf, 6, 7)))
memory_add(struct builder *b, int ipu, enum memory_kind kind, int copies,
    size_t bytes,
    const char *name, ...)
{
	struct memory		*m = b->m;
	struct memory_tensor	*t;
	va_list			 ap;

	if (bytes == 0)
		return;
	if (m->tensor_count == b->room) {
		b->room = b->room > 0 ? 2 * b->room : 64;
		m->tensors = xreallocarray(m->tensors, (size_t)b->room,
		    sizeof(*m->tensors));
	}
	t = &m->tensors[m->tensor_count++];
	*t = (struct memory_tensor){ .ipu = ipu, .kind = kind,
	    .bytes = bytes * (size_t)copies, .copies = copies };
	va_start(ap, name);
	(void)vsnprintf(t->name, sizeof(t->name), name, ap);
	va_end(ap);
	m->ipus[ipu].kinds[kind] += t->bytes;
	m->ipus[ipu].total += t->bytes;
	spread(b, t);
}

/* "B2/conv2d"; where a block has several of a kind, "B2/conv2d.2". */
struct layer_name {
	char	text[BLOCK_NAME_SIZE + 16];
};

static struct layer_name
memory_name_of(const struct model *m, const struct layer *layer)
{
	const int	 index = (int)(layer - m->layers);
	const struct block *b = m->blocks;
	struct layer_name n;
	int		 i, number = 0, count = 0;

	while (index >= b->first_layer + b->layer_count)
		b++;
	for (i = b->first_layer; i < b->first_layer + b->layer_count; i++) {
		if (m->layers[i].spec.kind != layer->spec.kind)
			continue;
		count++;
		number += i <= index;
	}
	(void)snprintf(n.text, sizeof(n.text), "%.*s/%s", BLOCK_NAME_SIZE - 1,
	    b->name, model_kind_name(layer->spec.kind));
	if (count > 1) {
		char	suffix[16];

		(void)snprintf(suffix, sizeof(suffix), ".%d", number);
		(void)strlcat(n.text, suffix, sizeof(n.text));
	}
	return n;
}

/* The name of a layer of this stage's plan. */
static struct layer_name
layer_of(const struct view *v, int index)
{
	return memory_name_of(v->b->c->model, v->plan.layers[index]);
}

/* Weights or biases, with all that belongs to them. */
static void
add_parameters(const struct view *v, int index, const char *what, size_t count)
{
	struct builder			*b = v->b;
	const struct optimiser		*o = &b->c->optimiser;
	const struct layer_name		 n = layer_of(v, index);
	const size_t			 bytes = count * sizeof(float);
	int				 i, states = optimiser_states(o);

	memory_add(b, v->ipu, MEMORY_WEIGHTS, 1, bytes, "%s/%s", n.text, what);
	if (!b->c->training)
		return;
	memory_add(b, v->ipu, MEMORY_GRADIENTS, 1, bytes, "%s/%s/gradient",
	    n.text,
	    what);
	if (b->c->offload_optimiser) {
		b->m->ipus[v->ipu].streaming += (size_t)states * bytes;
		return;
	}
	for (i = 0; i < states; i++)
		memory_add(b, v->ipu, MEMORY_OPTIMISER, 1, bytes, "%s/%s/%s",
		    n.text,
		    what, states == 1 ? "momentum" : i == 0 ? "moment1" :
		    "moment2");
}

/*
 * What backward needs: the input of each segment, and marks, a byte for each
 * output of a pool (which one won) and a relu (whether it passed).  The last
 * stage goes back at once and has no stash; with recomputation only the input
 * of the stage is in it.
 *
 * With four stages pipelined, a stash of stage 0 has 7 copies, of stage 2 it
 * has 3.
 */
static void
add_kept(const struct view *v)
{
	const struct stage_plan	*p = &v->plan;
	const struct engine_config *c = v->b->c;
	const bool	stash = c->training && !v->last;
	const bool	inner = stash && !c->recompute;
	const int	depth = schedule_stash_depth(&v->b->schedule,
	    v->stage);
	const enum memory_kind kind = inner ? MEMORY_STASH :
	    MEMORY_ACTIVATIONS;
	const int	copies = inner ? depth : 1;
	int		i;

	memory_add(v->b, v->ipu, stash ? MEMORY_STASH : MEMORY_ACTIVATIONS,
	    stash ? depth : 1, p->segments[0].in_floats * sizeof(float),
	    "%s/input", layer_of(v, 0).text);
	for (i = 1; i < p->segment_count; i++)
		memory_add(v->b, v->ipu, kind, copies,
		    p->segments[i].in_floats *
		    sizeof(float), "%s/input",
		    layer_of(v, p->segments[i].first).text);
	for (i = 0; c->training && i < p->layer_count; i++) {
		const size_t	end = i + 1 < p->layer_count ?
		    p->marks_at[i + 1] : p->marks_bytes;

		memory_add(v->b, v->ipu, kind, copies, end - p->marks_at[i],
		    "%s/marks", layer_of(v, i).text);
	}
}

/*
 * Live while a layer computes: what it reads and what it writes, where neither
 * is the input or output of a segment.  A linear layer's relu works in place.
 * Backward puts gradients where forward had those tensors.
 */
static size_t
working_bytes(const struct view *v)
{
	const struct stage_plan	*p = &v->plan;
	size_t	most = 0;
	int	i, k;

	for (i = 0; i < p->segment_count; i++) {
		const struct segment	*g = &p->segments[i];
		const int	end = g->first + g->count;

		if (p->layers[g->first]->spec.kind == LAYER_LINEAR)
			continue;
		for (k = g->first; k < end; k++) {
			const size_t	elements = (k > g->first ?
			    (size_t)model_shape_elements(p->layers[k]->in) :
			    0) +
			    (k < end - 1 ?
			    (size_t)model_shape_elements(p->layers[k]->out) :
			    0);

			if (elements > most)
				most = elements;
		}
	}
	return most * (size_t)v->b->c->micro_batch * sizeof(float);
}

/* In training, the gradients at both ends of a segment inside the stage. */
static size_t
between_bytes(const struct view *v)
{
	const struct stage_plan	*p = &v->plan;
	size_t	floats, most = 0;
	int	i;

	for (i = 0; v->b->c->training && i < p->segment_count; i++) {
		floats = (i > 0 ? p->segments[i].in_floats : 0) +
		    (i + 1 < p->segment_count ? p->segments[i].out_floats : 0);
		if (floats > most)
			most = floats;
	}
	return most * sizeof(float);
}

/*
 * The ends of a stage.  A tensor on its way to another IPU stands on both: the
 * input is received where it is stashed, all others have a buffer.  Between
 * stages of one IPU the same tensors are not copied.
 */
static void
add_ends(const struct view *v)
{
	struct builder		*b = v->b;
	const struct engine_config *c = b->c;
	const struct stage_plan	*p = &v->plan;
	const struct layer_name	 first = layer_of(v, 0);
	const struct layer_name	 end = layer_of(v, p->layer_count - 1);
	const size_t	in = p->segments[0].in_floats * sizeof(float);
	const size_t	out = p->segments[p->segment_count - 1].out_floats *
	    sizeof(float);
	const bool	before = v->stage > 0 &&
	    schedule_ipu(&b->schedule, v->stage - 1) != v->ipu;
	const bool	behind = !v->last &&
	    schedule_ipu(&b->schedule, v->stage + 1) != v->ipu;
	const enum memory_kind kind = behind ? MEMORY_EXCHANGE :
	    MEMORY_ACTIVATIONS;

	memory_add(b, v->ipu, kind, 1, out, "%s/output", end.text);
	if (!c->training)
		return;
	memory_add(b, v->ipu, kind, 1, out, "%s/output/gradient", end.text);
	if (v->stage > 0)
		memory_add(b, v->ipu, before ? MEMORY_EXCHANGE :
		    MEMORY_ACTIVATIONS,
		    1, in, "%s/input/gradient", first.text);
}

/* Buffers between the IPU and the host. */
static void
add_streams(const struct view *v)
{
	struct builder		*b = v->b;
	const struct engine_config *c = b->c;
	const struct stage_plan	*p = &v->plan;
	const size_t	batch = (size_t)c->micro_batch;
	const size_t	out = p->segments[p->segment_count - 1].out_floats;
	const size_t	state = (size_t)optimiser_states(&c->optimiser) *
	    p->stream_floats;

	if (v->stage == 0)
		memory_add(b, v->ipu, MEMORY_STREAMS, 1,
		    p->segments[0].in_floats *
		    sizeof(float), "stream/input");
	if (v->last && c->training)
		memory_add(b, v->ipu, MEMORY_STREAMS, 1, batch,
		    "stream/labels");
	if (v->last)
		memory_add(b, v->ipu, MEMORY_STREAMS, 1, (out + 1) *
		    sizeof(float),
		    "stream/results");
	if (v->last && c->output_mode == OUTPUT_SUM)
		memory_add(b, v->ipu, MEMORY_STREAMS, 1, (out + 1) *
		    sizeof(float),
		    "stream/results/sum");
	if (c->training && c->offload_optimiser)
		memory_add(b, v->ipu, MEMORY_STREAMS, 1, state * sizeof(float),
		    "stage%d/stream/optimiser", v->stage);
}

/*
 * Tensors in the order in which they are placed: parameters, what is kept,
 * what is live, the ends, the streams.
 */
static void
add_stage(struct builder *b, int stage)
{
	struct view	v = {
		.b = b,
		.stage = stage,
		.ipu = schedule_ipu(&b->schedule, stage),
		.last = stage == b->c->stages - 1
	};
	const struct layer	*l;
	int			 first, count, i;

	engine_config_stage_layers(b->c, stage, &first, &count);
	stage_plan(&v.plan, b->c->model, first, count, b->c->micro_batch, 1);
	b->m->ipus[v.ipu].stages++;
	for (i = 0; i < v.plan.layer_count; i++) {
		l = v.plan.layers[i];
		add_parameters(&v, i, "weights", l->weights);
		add_parameters(&v, i, "biases", l->biases);
	}
	add_kept(&v);
	memory_add(b, v.ipu, MEMORY_ACTIVATIONS, 1, working_bytes(&v),
	    "stage%d/working", stage);
	memory_add(b, v.ipu, MEMORY_ACTIVATIONS, 1, between_bytes(&v),
	    "stage%d/between", stage);
	add_ends(&v);
	add_streams(&v);
}

/* What an IPU's program comes to, on each tile. */
struct code {
	size_t	layers[LAYER_LINEAR + 1][LAYER_BACKWARD_WEIGHTS + 1];
	size_t	loss, update;
	size_t	control;	/* and exchange */
};

/*
 * Control code grows with compute sets and with the bytes that a tile
 * exchanges: one instruction of 4 bytes moves EXCHANGE_BYTES_OF_WORD.
 */
static void
add_cost(const struct builder *b, struct code *code, size_t *vertices,
    const struct layer_cost *cost)
{
	if (cost->compute_sets == 0)
		return;
	*vertices = cost->code_bytes;
	code->control += (size_t)cost->compute_sets * COMPUTE_SET_CODE +
	    cost->exchange_bytes / (size_t)b->m->target.tiles /
	    EXCHANGE_BYTES_OF_WORD * 4;
}

/*
 * Vertices of one kind and phase are there once, however many layers use them.
 */
static void
add_stage_code(const struct builder *b, int stage, struct code *code)
{
	const struct engine_config	*c = b->c;
	const int	phases = c->training ? LAYER_BACKWARD_WEIGHTS + 1 : 1;
	const struct layer		*l = NULL;
	struct layer_cost		 cost;
	int				 first, count, i, phase;

	engine_config_stage_layers(c, stage, &first, &count);
	for (i = first; i < first + count; i++) {
		l = &c->model->layers[i];
		for (phase = 0; phase < phases; phase++) {
			/* poplibs multiplies matrices as it convolves. */
			const enum layer_kind	kind = l->spec.kind ==
			    LAYER_LINEAR ? LAYER_CONV2D : l->spec.kind;

			cost = layer_cost(l, (enum layer_phase)phase,
			    c->micro_batch);
			add_cost(b, code, &code->layers[kind][phase], &cost);
		}
	}
	if (stage == c->stages - 1) {
		cost = layer_cost_loss(model_shape_elements(l->out),
		    c->micro_batch,
		    c->training);
		add_cost(b, code, &code->loss, &cost);
	}
	/* In and out, and the gradients back. */
	code->control += COPY_CODE * (c->training ? 4 : 2);
}

/* The same code stands on every tile of the IPU, in whole grains. */
static void
add_code(struct builder *b, int ipu)
{
	struct code		code = { .control = BASE_CODE };
	struct layer_cost	cost = layer_cost_update(&b->c->optimiser, 0);
	size_t			bytes;
	int			s, k, phase;

	for (s = 0; s < b->c->stages; s++)
		if (schedule_ipu(&b->schedule, s) == ipu)
			add_stage_code(b, s, &code);
	if (b->c->training)
		add_cost(b, &code, &code.update, &cost);
	bytes = code.control + code.loss + code.update;
	for (k = 0; k <= LAYER_LINEAR; k++)
		for (phase = 0; phase <= LAYER_BACKWARD_WEIGHTS; phase++)
			bytes += code.layers[k][phase];
	bytes = (bytes + MEMORY_GRAIN_BYTES - 1) / MEMORY_GRAIN_BYTES *
	    MEMORY_GRAIN_BYTES;
	memory_add(b, ipu, MEMORY_CODE, 1, bytes * (size_t)b->m->target.tiles,
	    "code");
}

/* Stages come in order, but their IPUs need not. */
static void
sort_tensors(struct memory *m)
{
	struct memory_tensor	*sorted;
	int			 ipu, i, n = 0;

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
	int	t;

	for (t = 1; t < m->target.tiles; t++)
		if (i->tiles[t] > i->tiles[i->largest_tile])
			i->largest_tile = t;
}

/* IPUs are counted up to the highest that a stage stands on. */
void
memory_init(struct memory *m, const struct engine_config *config,
    const struct memory_target *target)
{
	struct builder	b = { .m = m, .c = config,
	    .schedule = engine_config_schedule(config) };
	int		s, i;

	*m = (struct memory){ .target = *target,
	    .training = config->training,
	    .recompute = config->training && config->recompute };
	for (s = 0; s < config->stages; s++)
		if (schedule_ipu(&b.schedule, s) >= m->ipu_count)
			m->ipu_count = schedule_ipu(&b.schedule, s) + 1;
	m->ipus = xcalloc((size_t)m->ipu_count, sizeof(*m->ipus));
	b.next_tile = xcalloc((size_t)m->ipu_count, sizeof(*b.next_tile));
	for (i = 0; i < m->ipu_count; i++)
		m->ipus[i].tiles = xcalloc((size_t)target->tiles,
		    sizeof(*m->ipus[i].tiles));
	for (s = 0; s < config->stages; s++)
		add_stage(&b, s);
	for (i = 0; i < m->ipu_count; i++)
		if (m->ipus[i].stages > 0)
			add_code(&b, i);
	sort_tensors(m);
	for (i = 0; i < m->ipu_count; i++)
		find_largest_tile(m, &m->ipus[i]);
	free(b.next_tile);
}

void
memory_release(struct memory *m)
{
	int	i;

	for (i = 0; i < m->ipu_count; i++)
		free(m->ipus[i].tiles);
	free(m->ipus);
	free(m->tensors);
	*m = (struct memory){ 0 };
}

size_t
memory_largest_tile(const struct memory_ipu *i)
{
	return i->tiles[i->largest_tile];
}

int
memory_fullest_ipu(const struct memory *m)
{
	int	i, most = 0;

	for (i = 1; i < m->ipu_count; i++)
		if (memory_largest_tile(&m->ipus[i]) >
		    memory_largest_tile(&m->ipus[most]))
			most = i;
	return most;
}
