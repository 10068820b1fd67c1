/*
 * A run's memory as text: it comes back as it was, another configuration has
 * another key, and what no configuration could have is refused.
 */
#include "ipu/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

/* A run, and room for what it needs. */
struct run {
	struct model_file file;
	struct run_choices choices;
	struct engine_config base;
	struct run_plan plan;
	struct memory training, inference;
	struct memory_plan memory;
};

static void
run_init(struct run *r, const char *model)
{
	*r = (struct run){ .base = { .local_replicas = 1,
			       .total_replicas = 1 } };
	if (model_file_builtin(&r->file, model, NULL) != 0)
		abort();
	r->memory.target = memory_target(0);
}

/* Configured, not laid out. */
static void
run_configure(struct run *r)
{
	struct error e;

	r->file.stages.model = &r->file.model;
	if (run_plan_init(&r->plan, &r->file, &r->base, &r->choices, &e) != 0) {
		printf("Bail out! %s\n", e.text);
		exit(1);
	}
	r->memory.training = &r->plan.training;
	r->memory.inference = &r->plan.inference;
	r->memory.training_memory = &r->training;
	r->memory.inference_memory = &r->inference;
}

static char *
text_of(struct run *r, size_t *size)
{
	struct executable_use use;
	char *text;

	memory_cache_plan(&r->memory, NULL, &use);
	text = memory_cache_write(&r->memory, size);
	memory_release(&r->training);
	memory_release(&r->inference);
	return text;
}

static bool
same_ipu(const struct memory_ipu *a, const struct memory_ipu *b)
{
	return a->stages == b->stages && a->total == b->total &&
	    a->largest_tile == b->largest_tile &&
	    a->streaming == b->streaming &&
	    memcmp(a->kinds, b->kinds, sizeof(a->kinds)) == 0 &&
	    memcmp(a->tiles, b->tiles, TILE_COUNT * sizeof(*a->tiles)) == 0;
}

static bool
same_tensor(const struct memory_tensor *a, const struct memory_tensor *b)
{
	return strcmp(a->name, b->name) == 0 && a->ipu == b->ipu &&
	    a->kind == b->kind && a->bytes == b->bytes &&
	    a->copies == b->copies && a->first_tile == b->first_tile &&
	    a->tile_count == b->tile_count;
}

static bool
same_memory(const struct memory *a, const struct memory *b)
{
	bool same = a->training == b->training &&
	    a->recompute == b->recompute && a->ipu_count == b->ipu_count &&
	    a->tensor_count == b->tensor_count;
	int i;

	for (i = 0; same && i < a->ipu_count; i++)
		same = same_ipu(&a->ipus[i], &b->ipus[i]);
	for (i = 0; same && i < a->tensor_count; i++)
		same = same_tensor(&a->tensors[i], &b->tensors[i]);
	return same;
}

/* Every figure, the tiles' as well. */
static void
test_round_trip(void)
{
	static const char *const models[] = { "mnist", "lenet5", "mlp" };
	static const enum strategy strategies[] = { STRATEGY_PIPELINED,
		STRATEGY_INTERLEAVED, STRATEGY_SHARDED, STRATEGY_ONE_IPU };
	struct run r, again;
	char *text;
	size_t size, m;
	int way;
	bool good = true;

	for (m = 0; m < ARRAY_SIZE(models); m++)
		for (way = 0; way < 16; way++) {
			run_init(&r, models[m]);
			r.file.strategy = strategies[way % 4];
			r.file.recompute = way & 4;
			r.file.offload_optimiser = way & 8;
			again = r;
			run_configure(&r);
			run_configure(&again);
			text = text_of(&again, &size);
			memory_init(&r.training, r.memory.training,
			    &r.memory.target);
			memory_init(&r.inference, r.memory.inference,
			    &r.memory.target);
			good = good &&
			    memory_cache_read(&again.memory, text, size,
				NULL) == 0 &&
			    same_memory(&r.training, &again.training) &&
			    same_memory(&r.inference, &again.inference);
			memory_release(&r.training);
			memory_release(&r.inference);
			memory_release(&again.training);
			memory_release(&again.inference);
			free(text);
		}
	ok(good, "what was planned comes back to the last tile");
}

/* ---- keys ---- */

static void
batch(struct run *r)
{
	r->file.batch_size++;
}

static void
accumulation(struct run *r)
{
	r->file.gradient_accumulation++;
}

static void
iterations(struct run *r)
{
	r->file.device_iterations++;
}

static void
test_batch(struct run *r)
{
	r->file.test_batch_size++;
}

static void
strategy(struct run *r)
{
	r->file.strategy = STRATEGY_INTERLEAVED;
}

static void
recompute(struct run *r)
{
	r->file.recompute = true;
}

static void
offload(struct run *r)
{
	r->file.offload_optimiser = true;
}

static void
optimiser(struct run *r)
{
	r->file.optimiser = optimiser_defaults(OPTIMISER_SGD, 0.001);
}

static void
momentum(struct run *r)
{
	r->file.optimiser = optimiser_defaults(OPTIMISER_SGD, 0.001);
	r->file.optimiser.momentum = 0.9;
}

static void
output(struct run *r)
{
	r->file.output_mode = OUTPUT_SUM;
}

static void
merge(struct run *r)
{
	if (stages_parse(&r->file.stages, &r->file.model, "B1,B2/B3/B4",
		NULL) != 0)
		abort();
	r->choices.auto_round = true;
}

static void
move(struct run *r)
{
	r->file.stages.ipu[0] = 1;
	r->file.stages.ipu[1] = 0;
}

static void
layer(struct run *r)
{
	r->file.model.layers[0].spec.padding = 1;
}

static void
block(struct run *r)
{
	r->file.model.blocks[0].name[0] = 'C';
}

static void
replicas(struct run *r)
{
	r->base.total_replicas = 2;
}

static void
chip(struct run *r)
{
	r->memory.target = memory_target(100000000);
}

static void (*const changes[])(struct run *) = { batch, accumulation,
	iterations, test_batch, strategy, recompute, offload, optimiser,
	momentum, output, merge, move, layer, block, replicas, chip };

/* Which instance it is, and how fast it learns, decide nothing. */
static void
instance(struct run *r)
{
	r->base.total_replicas = 2;
	r->base.first_replica = 1;
	r->file.optimiser.learning_rate = 1;
}

static char *
key_after(void (*change)(struct run *))
{
	struct run r;
	size_t size;

	run_init(&r, "mnist");
	if (change != NULL)
		change(&r);
	run_configure(&r);
	return memory_cache_key_text(&r.memory, &size);
}

static void
test_keys(void)
{
	char *texts[ARRAY_SIZE(changes) + 1];
	char *first = key_after(replicas), *second = key_after(instance);
	size_t i, j, twins = 0;

	for (i = 0; i < ARRAY_SIZE(changes); i++)
		texts[i] = key_after(changes[i]);
	texts[i] = key_after(NULL);
	for (i = 0; i <= ARRAY_SIZE(changes); i++)
		for (j = 0; j < i; j++)
			twins += strcmp(texts[i], texts[j]) == 0;
	is_int((long long)twins, 0, "whatever decides it is in the key");
	is_str(second, first, "all instances of a job have one key");
	for (i = 0; i <= ARRAY_SIZE(changes); i++)
		free(texts[i]);
	free(first);
	free(second);
}

/* ---- refusals ---- */

/* The first occurrence of a text in the entry, and what stands there. */
static const struct {
	const char *name, *from, *to;
} edits[] = {
	{ "of no engine", "training\n", "" },
	{ "of one engine", "inference\n", "" },
	{ "of engines in turn", "training\n", "inference\n" },
	{ "of three engines", "inference\n", "training\ninference\n" },
	{ "an IPU that is none", "\n0 weights", "\n4 weights" },
	{ "an IPU below 0", "\n0 weights", "\n-1 weights" },
	{ "IPUs in another order", "\n0 weights", "\n1 weights" },
	{ "a kind that is none", " weights ", " weight " },
	{ "no copies", " weights 1 ", " weights 0 " },
	{ "too many copies", " weights 1 ", " weights 99999999 " },
	{ "too many bytes", " weights 1 ", " weights 1 999999999999" },
	{ "bytes that are no number", " weights 1 ", " weights 1 x" },
	{ "a line without a name", " B1/conv2d/weights", "" },
	{ "an empty name", " B1/conv2d/weights", " " },
	{ "a long name", " B1/",
	    " 01234567890123456789012345678901234567890123456789" },
	{ "a control character in a name", "B1/", "B\033/" },
	{ "an empty line", "training\n", "training\n\n" },
	{ "no line's end at the end", "", "x" },
	{ "streaming memory of no IPU", "training\n",
	    "training\nstreaming 9 1\n" },
	{ "streaming memory of no size", "training\n",
	    "training\nstreaming 0\n" },
	{ "streaming memory of a huge size", "training\n",
	    "training\nstreaming 0 99999999999999999\n" },
};

static char *
edit(const char *text, const char *from, const char *to)
{
	const char *at = *from == '\0' ?
	    text + strlen(text) :
	    strstr(text, from);

	if (at == NULL)
		abort();
	return xasprintf("%.*s%s%s", (int)(at - text), text, to,
	    at + strlen(from));
}

static void
test_refusals(void)
{
	struct run r;
	struct error e;
	size_t size, i;
	char *text, *edited;
	bool refused = true;

	run_init(&r, "mnist");
	run_configure(&r);
	text = text_of(&r, &size);
	for (i = 0; i < ARRAY_SIZE(edits); i++) {
		edited = edit(text, edits[i].from, edits[i].to);
		ok(memory_cache_read(&r.memory, edited, strlen(edited), &e) ==
			    -1 &&
			e.code == ERROR_DAMAGED && r.training.ipus == NULL,
		    edits[i].name);
		free(edited);
	}
	for (i = 1; i < size; i += 13)
		if (text[i - 1] != '\n')
			refused = refused &&
			    memory_cache_read(&r.memory, text, i, &e) == -1;
	ok(refused, "a text that is cut within a line");
	text[size / 2] = '\0';
	ok(memory_cache_read(&r.memory, text, size, &e) == -1, "a NUL");
	free(text);
}

int
main(void)
{
	test_round_trip();
	test_keys();
	test_refusals();
	return tap_done();
}
