/*
 * Device memory: against what the executor really allocates, by hand, how it
 * grows and shrinks over a grid, where tensors stand on the tiles, and from
 * which byte on it does not fit.
 */
#include "tests/unit/tap.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"
#include "ipu/engine/worker.h"
#include "ipu/nn/segment.h"
#include "tests/unit/tutorial.h"

enum { BATCH = 16 }; /* fills the lanes of every kernel */

#define OUT_OF_MEMORY \
	"Out of memory: Cannot fit all variable data onto one or more tiles."
#define PROFILE " Profile saved to: ./report/profile.pop\n"

static struct model tutorial;
static const enum strategy strategies[] = { STRATEGY_PIPELINED,
	STRATEGY_INTERLEAVED, STRATEGY_SHARDED, STRATEGY_ONE_IPU };
static const char *const names[] = { "pipelined", "interleaved", "sharded",
	"one IPU" };

static struct engine_config
config_of(enum strategy strategy)
{
	return (struct engine_config){ .model = &tutorial,
		.kernels = kernels_choose(NULL),
		.stages = 4,
		.stage_blocks = { 1, 1, 1, 1 },
		.stage_ipu = { 0, 1, 2, 3 },
		.strategy = strategy,
		.training = true,
		.output_mode = OUTPUT_FINAL,
		.micro_batch = BATCH,
		.gradient_accumulation = 10,
		.device_iterations = 2,
		.local_replicas = 1,
		.total_replicas = 1,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.001),
		.deviation = 1 };
}

static struct memory
of(const struct engine_config *c)
{
	const struct memory_target t = memory_target(0);
	struct memory m;

	memory_init(&m, c, &t);
	return m;
}

/* The bytes of a kind on all IPUs. */
static size_t
kind_of(const struct memory *m, enum memory_kind kind)
{
	size_t sum = 0;
	int i;

	for (i = 0; i < m->ipu_count; i++)
		sum += m->ipus[i].kinds[kind];
	return sum;
}

static size_t
kind_for(struct engine_config c, enum memory_kind kind)
{
	struct memory m = of(&c);
	const size_t bytes = kind_of(&m, kind);

	memory_release(&m);
	return bytes;
}

/* The tensors of an IPU, -1 all, whose names end so. */
static size_t
named(const struct memory *m, int ipu, const char *end)
{
	const size_t n = strlen(end);
	size_t sum = 0, length;
	int i;

	for (i = 0; i < m->tensor_count; i++) {
		const struct memory_tensor *t = &m->tensors[i];

		length = strlen(t->name);
		if ((ipu == -1 || t->ipu == ipu) && length >= n &&
		    strcmp(t->name + length - n, end) == 0)
			sum += t->bytes;
	}
	return sum;
}

static size_t
rounded(size_t bytes, size_t to)
{
	return (bytes + to - 1) / to * to;
}

/* Each tensor on its tiles, and nothing else there. */
static void
check_tiles(const struct memory *m, const char *name)
{
	size_t placed = 0, wanted = 0, kinds = 0, totals = 0, largest;
	bool inside = true, sums = true, most = true;
	int i, k;

	for (i = 0; i < m->tensor_count; i++) {
		const struct memory_tensor *t = &m->tensors[i];

		wanted += rounded(t->bytes, MEMORY_GRAIN_BYTES);
		kinds += t->bytes;
		inside = inside && t->first_tile >= 0 &&
		    t->first_tile < m->target.tiles && t->tile_count >= 1 &&
		    t->tile_count <= m->target.tiles && t->bytes > 0 &&
		    (t->tile_count == 1 ||
			t->bytes / (size_t)t->tile_count >=
			    MEMORY_TILE_BYTES_MIN - MEMORY_GRAIN_BYTES);
	}
	for (i = 0; i < m->ipu_count; i++) {
		const struct memory_ipu *ipu = &m->ipus[i];
		size_t sum = 0;

		largest = ipu->tiles[ipu->largest_tile];
		for (k = 0; k < m->target.tiles; k++) {
			placed += ipu->tiles[k];
			most = most && ipu->tiles[k] <= largest;
		}
		for (k = 0; k < MEMORY_KINDS; k++)
			sum += ipu->kinds[k];
		sums = sums && sum == ipu->total;
		totals += ipu->total;
	}
	ok(inside, name);
	ok(sums && most, name);
	is_int((long long)placed, (long long)wanted, name);
	is_int((long long)totals, (long long)kinds, name);
}

static void
test_tutorial(void)
{
	struct engine_config c = config_of(STRATEGY_PIPELINED);
	static const size_t parameters[] = { 260, 5020, 82176, 2570 };
	static const size_t in[] = { 784, 1440, 320, 256 };
	static const int depth[] = { 7, 5, 3, 1 };
	/* Marks of pool and relu, of a sample. */
	static const size_t marks[] = { 2 * 1440, 2 * 320, 256, 0 };
	struct memory m;
	int i;

	c.micro_batch = 40;
	m = of(&c);
	is_int(m.ipu_count, 4, "IPUs of the tutorial");
	check_tiles(&m, "the tutorial's tiles");
	for (i = 0; i < 4; i++) {
		const struct memory_ipu *ipu = &m.ipus[i];
		const long long bytes = (long long)parameters[i] * 4;
		const size_t stash = (in[i] * 4 + marks[i]) * 40 *
		    (size_t)depth[i];

		is_int((long long)ipu->kinds[MEMORY_WEIGHTS], bytes, "weights");
		is_int((long long)ipu->kinds[MEMORY_GRADIENTS], bytes,
		    "gradients");
		is_int((long long)ipu->kinds[MEMORY_OPTIMISER], 2 * bytes,
		    "AdamW's state");
		is_int((long long)ipu->kinds[MEMORY_STASH],
		    i == 3 ? 0 : (long long)stash, "the stash: 7, 5, 3, none");
		is_int((long long)ipu->streaming, 0, "nothing off the chip");
		is_int(ipu->stages, 1, "stages");
		ok(ipu->kinds[MEMORY_CODE] > 0, "code");
	}
	is_int((long long)named(&m, 0, "stream/input"), 784 * 40 * 4,
	    "the input comes from the host");
	is_int((long long)named(&m, 3, "stream/labels"), 40, "and the labels");
	is_int((long long)named(&m, 3, "stream/results"), (10 * 40 + 1) * 4,
	    "the results go back");
	is_str(m.tensors[0].name, "B1/conv2d/weights", "a tensor's name");
	memory_release(&m);
}

/* What one stage of the executor holds. */
static bool
as_allocated(const struct engine_config *c, const struct memory *m,
    const struct place *p, int stage)
{
	const struct stage *s = p->stage;
	const bool last = stage == c->stages - 1;
	const size_t states = (size_t)s->config.optimiser_states;
	const size_t weights = m->ipus[stage].kinds[MEMORY_WEIGHTS];
	const size_t kept = malloc_usable_size(s->stash) +
	    malloc_usable_size(s->marks) +
	    (size_t)p->depth * p->in.floats * sizeof(float);
	size_t off = 0, on = 0, stream = 0, k, reported;

	for (k = 0; k < states; k++) {
		*(c->offload_optimiser ? &off : &on) +=
		    malloc_usable_size(s->state[k]);
		if (c->offload_optimiser)
			stream += malloc_usable_size(s->stream[k]);
	}
	/* What is kept for backward: the stash, but for the last stage's and
	   what is recomputed, which are live activations. */
	reported = m->ipus[stage].kinds[MEMORY_STASH];
	if (c->recompute || last) {
		reported += named(m, stage, "/marks");
		if (last)
			reported += named(m, stage, "/input");
	}
	/* What has no size is allocated as a float, marks with a byte more. */
	return malloc_usable_size(s->parameters) == weights &&
	    malloc_usable_size(s->gradients) ==
	    m->ipus[stage].kinds[MEMORY_GRADIENTS] &&
	    on == m->ipus[stage].kinds[MEMORY_OPTIMISER] &&
	    off == m->ipus[stage].streaming &&
	    stream == named(m, stage, "stream/optimiser") && kept >= reported &&
	    kept <= reported + sizeof(float) + 1;
}

/* The ends of stages: two gradients and an input more than the stash. */
static bool
ends_as_allocated(const struct engine *e, const struct memory *m)
{
	const struct engine_config *c = &e->config;
	bool same = true;
	int s;

	for (s = 0; s + 1 < c->stages; s++) {
		const struct place *p = &e->replicas[0].places[s];
		const struct place *q = p + 1;
		const size_t gradient = (size_t)p->gradient.capacity *
		    p->gradient.floats * sizeof(float);
		const size_t free_slot = (size_t)(q->in.capacity - q->depth) *
		    q->in.floats * sizeof(float);

		same = same &&
		    gradient ==
			named(m, s, "/output/gradient") +
			    named(m, s + 1, "/input/gradient") &&
		    free_slot == named(m, s, "/output");
	}
	return same;
}

static void
test_executor(void)
{
	struct engine_config c;
	struct engine *e;
	struct memory m;
	char *name;
	int k, recompute, offload, s;
	bool same;

	for (k = 0; k < 3; k++)
		for (recompute = 0; recompute < 2; recompute++)
			for (offload = 0; offload < 2; offload++) {
				c = config_of(strategies[k]);
				c.recompute = recompute == 1;
				c.offload_optimiser = offload == 1;
				m = of(&c);
				e = engine_start(&c, NULL);
				for (same = true, s = 0; s < 4; s++)
					same = same &&
					    as_allocated(&c, &m,
						&e->replicas[0].places[s], s);
				name = xasprintf(
				    "as the executor allocates: %s%s%s",
				    names[k],
				    recompute == 1 ? ", recomputed" : "",
				    offload == 1 ? ", off-loaded" : "");
				ok(same, name);
				ok(ends_as_allocated(e, &m), name);
				free(name);
				engine_stop(e);
				memory_release(&m);
			}
}

/* Deep enough that every kind of tensor is there; two blocks a stage. */
static void
test_grid(void)
{
	struct engine_config c, d;
	struct memory m, n;
	size_t stash;
	int k, i;

	for (k = 0; k < 4; k++) {
		c = config_of(strategies[k]);
		m = of(&c);
		check_tiles(&m, names[k]);
		stash = kind_of(&m, MEMORY_STASH);

		d = c;
		d.micro_batch *= 2;
		is_int((long long)kind_for(d, MEMORY_STASH),
		    2 * (long long)stash, "twice the batch, twice the stash");
		ok(kind_for(d, MEMORY_WEIGHTS) == kind_of(&m, MEMORY_WEIGHTS),
		    "and the same weights");
		d = c;
		d.gradient_accumulation = 20;
		is_int((long long)kind_for(d, MEMORY_STASH), (long long)stash,
		    "gradient accumulation is no matter");
		d = c;
		d.recompute = true;
		n = of(&d);
		ok(kind_of(&n, MEMORY_STASH) < stash,
		    "recomputation: a smaller stash");
		memory_release(&n);

		d = c;
		d.training = false;
		d.gradient_accumulation = 1;
		n = of(&d);
		check_tiles(&n, "inference");
		ok(kind_of(&n, MEMORY_GRADIENTS) == 0 &&
			kind_of(&n, MEMORY_OPTIMISER) == 0 &&
			kind_of(&n, MEMORY_STASH) == 0,
		    "inference: no gradients, no state, no stash");
		memory_release(&n);

		d = c;
		d.offload_optimiser = true;
		n = of(&d);
		check_tiles(&n, "off-loaded");
		for (i = 0; i < m.ipu_count; i++) {
			const struct memory_ipu *on = &m.ipus[i];
			const struct memory_ipu *off = &n.ipus[i];

			ok(off->kinds[MEMORY_OPTIMISER] == 0 &&
				off->streaming == on->kinds[MEMORY_OPTIMISER] &&
				off->total - named(&n, i, "stream/optimiser") +
					off->streaming ==
				    on->total,
			    "off-loaded: the state, and nothing else, moves");
		}
		memory_release(&n);

		d = c;
		d.optimiser = optimiser_defaults(OPTIMISER_SGD, 0.1);
		is_int((long long)kind_for(d, MEMORY_OPTIMISER), 0, "SGD");
		d.optimiser.momentum = 0.9;
		is_int((long long)kind_for(d, MEMORY_OPTIMISER),
		    (long long)tutorial.parameter_count * 4, "with momentum");
		memory_release(&m);
	}
	c = config_of(STRATEGY_PIPELINED);
	d = config_of(STRATEGY_INTERLEAVED);
	ok(kind_for(c, MEMORY_STASH) > kind_for(d, MEMORY_STASH),
	    "interleaved keeps less than grouped");
	d.strategy = STRATEGY_SHARDED;
	ok(kind_for(c, MEMORY_STASH) > kind_for(d, MEMORY_STASH),
	    "and sharded less again");
	d.output_mode = OUTPUT_SUM;
	is_int((long long)kind_for(d, MEMORY_STREAMS) -
		(long long)kind_for(c, MEMORY_STREAMS),
	    (10 * BATCH + 1) * 4, "the sum of outputs stays on the chip");
}

/* Where stages stand changes where their tensors are, not how many. */
static void
test_places(void)
{
	struct engine_config c = config_of(STRATEGY_PIPELINED);
	struct memory m = of(&c), n;
	const size_t between = kind_of(&m, MEMORY_EXCHANGE);

	c.stage_ipu[2] = 1;
	c.stage_ipu[3] = 0;
	n = of(&c);
	check_tiles(&n, "two stages on each of two IPUs");
	is_int(n.ipu_count, 2, "two IPUs");
	is_int(n.ipus[0].stages, 2, "two stages");
	is_int((long long)kind_of(&n, MEMORY_STASH),
	    (long long)kind_of(&m, MEMORY_STASH), "the same stash");
	is_int((long long)(kind_of(&n, MEMORY_EXCHANGE) +
		   kind_of(&n, MEMORY_ACTIVATIONS)),
	    (long long)(between + kind_of(&m, MEMORY_ACTIVATIONS)),
	    "what is not sent is live all the same");
	is_int((long long)(between - kind_of(&n, MEMORY_EXCHANGE)),
	    3 * 320 * BATCH * 4, "between stages of one IPU nothing is sent");
	memory_release(&n);
	c.strategy = STRATEGY_ONE_IPU;
	n = of(&c);
	is_int((long long)kind_of(&n, MEMORY_EXCHANGE), 0, "nor on one IPU");
	is_int(n.ipu_count, 1, "one IPU");
	memory_release(&n);
	memory_release(&m);
}

static void
test_spread(void)
{
	struct engine_config c = config_of(STRATEGY_ONE_IPU);
	struct memory_target t = { 10, 1 << 20 };
	struct memory m;
	const struct memory_tensor *w;
	int i;

	memory_init(&m, &c, &t);
	w = m.tensors; /* 1,000 bytes: 125 grains, 7 tiles */
	is_str(w[0].name, "B1/conv2d/weights", "the first tensor");
	is_int(w[0].first_tile, 0, "begins on the first tile");
	is_int(w[0].tile_count, 7, "has 128 bytes or more on each");
	is_int(w[1].first_tile, 7, "the next begins behind it");
	for (i = 1; i < m.tensor_count; i++)
		if (w[i].first_tile !=
		    (w[i - 1].first_tile + w[i - 1].tile_count) % 10)
			break;
	is_int(i, m.tensor_count, "and so on, around the chip");
	check_tiles(&m, "a chip of ten tiles");
	memory_release(&m);
}

static void
test_limit(void)
{
	struct engine_config c = config_of(STRATEGY_PIPELINED);
	struct memory m = of(&c);
	struct error e = { .text = "" };
	const struct memory_ipu *ipu;
	int i, fullest = 0;

	is_int(memory_report_check(&m, NULL, &e), 0, "the tutorial fits");
	for (i = 1; i < m.ipu_count; i++)
		if (m.ipus[i].tiles[m.ipus[i].largest_tile] >
		    m.ipus[fullest].tiles[m.ipus[fullest].largest_tile])
			fullest = i;
	ipu = &m.ipus[fullest];
	m.target.tile_bytes = ipu->tiles[ipu->largest_tile];
	is_int(memory_report_check(&m, NULL, &e), 0, "just so");
	is_str(e.text, "", "without a word");
	m.target.tile_bytes--;
	is_int(memory_report_check(&m, NULL, &e), -1,
	    "one byte less is too little");
	ok(strncmp(e.text, OUT_OF_MEMORY "\nIPU 0: tile ",
	       strlen(OUT_OF_MEMORY "\nIPU 0: tile ")) == 0,
	    "in Poplar's words");
	ok(strstr(e.text,
	       "\n  343.0 kB of stash, B1/conv2d/input: recompute, or a "
	       "smaller batch size") != NULL,
	    "with the largest tensors and what would help");
	is_int(memory_report_check(&m, "./report/profile.pop", &e), -1,
	    "again");
	ok(strncmp(e.text, OUT_OF_MEMORY PROFILE,
	       strlen(OUT_OF_MEMORY PROFILE)) == 0,
	    "and where the profile is");
	memory_release(&m);
	is_int(memory_target(0).tiles * (long long)memory_target(0).tile_bytes,
	    940572672, "897 MB");
	is_int((long long)memory_target(102400).tile_bytes, 69,
	    "100 kB among the tiles");
}

int
main(void)
{
	model_tutorial(&tutorial);
	test_tutorial();
	test_executor();
	test_grid();
	test_places();
	test_spread();
	test_limit();
	return tap_done();
}
