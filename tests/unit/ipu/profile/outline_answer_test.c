/*
 * An outline of the tutorial's model gets the figures that the model itself
 * gets; what only an outline can say, by hand.
 */
#include "ipu/profile/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "ipu/engine/engine.h"
#include "ipu/engine/model/cycles.h"
#include "ipu/engine/model/memory.h"
#include "tests/unit/outline_util.h"
#include "tests/unit/tap.h"
#include "tests/unit/tutorial.h"

static struct model tutorial;

/* A way to cut the model's four blocks. */
static const struct cut {
	int stages;
	int blocks[4];
	int ipu[4];
} cuts[] = {
	{ 4, { 1, 1, 1, 1 }, { 0, 1, 2, 3 } },
	{ 2, { 2, 2 }, { 0, 1 } },
	{ 3, { 1, 2, 1 }, { 0, 1, 0 } },
	{ 1, { 4 }, { 0 } },
};

static struct engine_config
config_of(const struct cut *cut, enum strategy strategy, bool training)
{
	struct engine_config c = {
		.model = &tutorial,
		.stages = cut->stages,
		.strategy = strategy,
		.training = training,
		.output_mode = training ? OUTPUT_FINAL : OUTPUT_ALL,
		.output_return_period = 1,
		.micro_batch = 40,
		.gradient_accumulation = training ? 10 : 1,
		.device_iterations = 10,
		.local_replicas = 1,
		.total_replicas = 1,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.001),
	};

	memcpy(c.stage_blocks, cut->blocks, sizeof(cut->blocks));
	memcpy(c.stage_ipu, cut->ipu, sizeof(cut->ipu));
	return c;
}

/* Kinds that both have tensor by tensor; code and live tensors differ. */
static const enum memory_kind same[] = { MEMORY_WEIGHTS, MEMORY_GRADIENTS,
	MEMORY_OPTIMISER, MEMORY_STASH, MEMORY_EXCHANGE, MEMORY_STREAMS };

static void
check_memory(const struct engine_config *c, const struct outline *o)
{
	const struct memory_target chip = memory_target(0);
	struct memory ours, theirs;
	size_t k;
	int i;

	memory_init(&ours, c, &chip);
	memory_init(&theirs, &o->config, &chip);
	is_int(theirs.ipu_count, ours.ipu_count, "as many IPUs");
	for (i = 0; i < ours.ipu_count; i++) {
		for (k = 0; k < sizeof(same) / sizeof(same[0]); k++)
			is_int((long long)theirs.ipus[i].kinds[same[k]],
			    (long long)ours.ipus[i].kinds[same[k]],
			    memory_kind_name(same[k]));
		is_int((long long)theirs.ipus[i].streaming,
		    (long long)ours.ipus[i].streaming, "off the chip");
		is_int(theirs.ipus[i].stages, ours.ipus[i].stages, "stages");
		is_near((double)theirs.ipus[i].kinds[MEMORY_CODE] /
			(double)ours.ipus[i].kinds[MEMORY_CODE],
		    1, 0.2, "code");
		ok(theirs.ipus[i].kinds[MEMORY_ACTIVATIONS] >=
			ours.ipus[i].kinds[MEMORY_ACTIVATIONS] / 2,
		    "live");
	}
	is_int((long long)theirs.notes.count, 0, "all is known");
	memory_release(&ours);
	memory_release(&theirs);
}

static void
check_cycles(const struct engine_config *c, const struct outline *o)
{
	const struct cycles_target clock = cycles_target_of(1330);
	struct cycles ours, theirs;
	int s;

	cycles_init(&ours, c, &clock);
	cycles_init(&theirs, &o->config, &clock);
	for (s = 0; s < c->stages; s++) {
		const struct cycles_stage *a = &ours.stages[s];
		const struct cycles_stage *b = &theirs.stages[s];

		/* The loss has its gradient in backward. */
		is_near((double)(b->forward + b->backward),
		    (double)(a->forward + a->backward), 4, "computing");
		if (s < c->stages - 1) {
			is_int(b->forward, a->forward, "forward");
			is_int(b->backward, a->backward, "backward");
			is_int(b->recompute, a->recompute, "recompute");
		}
		is_int(b->update, a->update, "update");
		is_int(b->collective, a->collective, "collective");
		is_int(b->host_in + b->labels_in, a->host_in + a->labels_in,
		    "from the host");
		is_int(b->host_out, a->host_out, "to the host");
		is_int(b->send_forward, a->send_forward, "forward to a stage");
		is_int(b->send_backward, a->send_backward, "and back");
	}
	is_near((double)theirs.total / (double)ours.total, 1, 0.01, "total");
	is_int(theirs.update, ours.update, "the update in it");
	is_int(theirs.iterations, ours.iterations, "iterations");
	cycles_release(&ours);
	cycles_release(&theirs);
}

/* Every cut, strategy and choice: the same of the model and of its outline. */
static void
test_same(void)
{
	struct engine_config c;
	struct outline o;
	char *text;
	size_t cut;
	int strategy, choice;

	for (cut = 0; cut < sizeof(cuts) / sizeof(cuts[0]); cut++) {
		for (strategy = 0; strategy <= STRATEGY_ONE_IPU; strategy++) {
			for (choice = 0; choice < 5; choice++) {
				c = config_of(&cuts[cut],
				    (enum strategy)strategy, choice != 4);
				c.recompute = choice == 1;
				c.offload_optimiser = choice == 2;
				if (choice == 3) {
					c.optimiser =
					    optimiser_defaults(OPTIMISER_SGD,
						0.1);
					c.total_replicas = 4;
					c.local_replicas = 4;
				}
				text = outline_util_text(&c, "");
				outline_util_read(&o, text);
				check_memory(&c, &o);
				check_cycles(&c, &o);
				outline_release(&o);
				free(text);
			}
		}
	}
}

/* Two stages of one operation each; a test changes what it is about. */
static const char small[] =
    "{\"outline\": 1, \"name\": \"training\", \"training\": true, "
    "\"strategy\": \"pipelined\", \"micro_batch\": 1, "
    "\"gradient_accumulation\": 4, \"host_in_bytes\": 1000, %s \"optimiser\": "
    "{\"states\": 2}, \"stages\": [{\"ipu\": 0, \"sent_bytes\": 2000, "
    "\"operations\": [{\"name\": \"a\", \"op\": \"aten::mm\", "
    "\"forward_flops\": 1e6, \"backward_flops\": 2e6, \"input_bytes\": 1000, "
    "\"output_bytes\": 2000, \"saved_bytes\": 300, \"leaves\": true, "
    "\"parameters\": [{\"name\": \"a.weight\", \"elements\": 5000}, {\"name\": "
    "\"a.frozen\", \"elements\": 70, \"trained\": false}, {\"name\": "
    "\"a.half\", \"elements\": 100, \"bytes\": 200, \"gradient_bytes\": 400, "
    "\"state_bytes\": 600}]}]},{\"ipu\": 1, \"operations\": [{\"name\": \"b\", "
    "\"op\": \"%s\", \"input_bytes\": 2000, \"output_bytes\": 8, "
    "\"saved_bytes\": 40, \"backward_flops\": 0}]}]}";

static struct memory
memory_of(struct outline *o, const char *more, const char *op)
{
	const struct memory_target chip = memory_target(0);
	char *text = xasprintf(small, more, op);
	struct memory m;

	outline_util_read(o, text);
	memory_init(&m, &o->config, &chip);
	free(text);
	return m;
}

/* Each kind of bytes on IPU 0, and off it. */
static const struct place_row {
	const char *more;
	size_t weights, gradients, optimiser, stash, streaming;
	size_t streams;
} places[] = {
	/* 5,000 floats, 70 and 100 halves; gradients of two, two states; the
	   input and what is saved, three times. */
	{ "", 20480, 20400, 41200, 3900, 0, 1000 },
	{ "\"off_chip\": {\"weights\": true},", 0, 20400, 41200, 3900, 20480,
	    1000 + 20480 },
	{ "\"off_chip\": {\"accumulators\": true},", 20480, 0, 41200, 3900,
	    20400, 1000 + 20480 },
	{ "\"off_chip\": {\"activations\": true},", 20480, 20400, 41200, 0,
	    3900, 1000 },
	{ "\"off_chip\": {\"optimiser\": true},", 20480, 20400, 0, 3900, 41200,
	    1000 + 2 * 16384 },
	{ "\"recompute\": true,", 20480, 20400, 41200, 3000, 0, 1000 },
};

static void
test_places(void)
{
	const struct place_row *r;
	struct outline o;
	struct memory m;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		r = &places[i];
		m = memory_of(&o, r->more, "aten::sum");
		is_int((long long)m.ipus[0].kinds[MEMORY_WEIGHTS],
		    (long long)r->weights, r->more);
		is_int((long long)m.ipus[0].kinds[MEMORY_GRADIENTS],
		    (long long)r->gradients, r->more);
		is_int((long long)m.ipus[0].kinds[MEMORY_OPTIMISER],
		    (long long)r->optimiser, r->more);
		is_int((long long)m.ipus[0].kinds[MEMORY_STASH],
		    (long long)r->stash, r->more);
		is_int((long long)m.ipus[0].streaming, (long long)r->streaming,
		    r->more);
		is_int((long long)m.ipus[0].kinds[MEMORY_STREAMS],
		    (long long)r->streams, r->more);
		is_int((long long)m.ipus[1].kinds[MEMORY_STASH], 0,
		    "the last stage has none");
		memory_release(&m);
		outline_release(&o);
	}
}

/* What is off the chip takes time with each micro-batch, or at the update. */
static void
test_streaming(void)
{
	static const struct {
		const char *more;
		double forward, backward, update; /* bytes */
	} rows[] = {
		{ "\"off_chip\": {\"weights\": true},", 20480, 20480, 40960 },
		{ "\"off_chip\": {\"activations\": true},", 1300, 1300, 0 },
		{ "\"off_chip\": {\"accumulators\": true},", 0, 40800, 40800 },
		{ "\"off_chip\": {\"optimiser\": true},", 0, 0, 82400 },
	};
	const struct cycles_target clock = cycles_target_of(1330);
	struct outline o, plain;
	struct cycles c, without;
	struct memory m;
	size_t i;

	m = memory_of(&plain, "", "aten::sum");
	memory_release(&m);
	cycles_init(&without, &plain.config, &clock);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct cycles_stage *now, *before = &without.stages[0];

		m = memory_of(&o, rows[i].more, "aten::sum");
		cycles_init(&c, &o.config, &clock);
		now = &c.stages[0];
		is_near((double)(now->forward - before->forward),
		    rows[i].forward / clock.streaming_bytes, 1, rows[i].more);
		is_near((double)(now->backward - before->backward),
		    rows[i].backward / clock.streaming_bytes, 1, rows[i].more);
		is_near((double)(now->update - before->update),
		    rows[i].update / clock.streaming_bytes, 1, rows[i].more);
		cycles_release(&c);
		memory_release(&m);
		outline_release(&o);
	}
	cycles_release(&without);
	outline_release(&plain);
}

/* Operands of 21,480 bytes in parts of at most 897 MB times the share. */
static void
test_proportion(void)
{
	static const struct {
		const char *share;
		long long bytes;
		int parts;
	} rows[] = { { "null", 0, 1 }, { "1", 21480, 1 },
		{ "0.00003", 21480, 1 }, { "0.00002", 10740, 2 },
		{ "0.00001", 7160, 3 } };
	const struct cycles_target clock = cycles_target_of(1330);
	struct outline o;
	struct memory m;
	struct cycles c;
	int64_t forward = 0;
	char *more;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		more = xasprintf("\"available_memory_proportion\": [%s],",
		    rows[i].share);
		m = memory_of(&o, more, "aten::sum");
		cycles_init(&c, &o.config, &clock);
		if (i == 0)
			forward = c.stages[0].forward;
		is_int(c.stages[0].forward - forward,
		    (rows[i].parts - 1) * 3 * 200, "compute sets");
		/* What is live is the input alone; the input is stashed. */
		is_int((long long)m.ipus[0].kinds[MEMORY_ACTIVATIONS],
		    1000 + rows[i].bytes, rows[i].share);
		cycles_release(&c);
		memory_release(&m);
		outline_release(&o);
		free(more);
	}
}

static void
test_unknown(void)
{
	struct outline o;
	struct memory m = memory_of(&o, "", "vendor::fft");
	const struct cycles_target clock = cycles_target_of(1330);
	struct cycles c, add;
	struct outline known;
	struct memory k = memory_of(&known, "", "aten::add");

	is_int((long long)m.notes.count, 1, "a note");
	is_str(m.notes.items[0],
	    "unknown operation vendor::fft (1 time): it is costed as an "
	    "elementwise one",
	    "which says it");
	is_int((long long)m.ipus[1].total, (long long)k.ipus[1].total,
	    "its memory is that of an elementwise one");
	cycles_init(&c, &o.config, &clock);
	cycles_init(&add, &known.config, &clock);
	is_int(c.total, add.total, "and its time");
	cycles_release(&c);
	cycles_release(&add);
	memory_release(&m);
	memory_release(&k);
	outline_release(&o);
	outline_release(&known);
}

/* As many notes as one reads. */
static void
test_unknown_many(void)
{
	struct memstream s;
	struct outline o;
	struct memory m;
	const struct memory_target chip = memory_target(0);
	char *text;
	int i;

	memstream_open(&s);
	fputs("{\"outline\": 1, \"name\": \"x\", \"training\": false, "
	      "\"strategy\": \"sharded\", \"micro_batch\": 1, \"stages\": "
	      "[{\"ipu\": 0, \"operations\": [",
	    s.file);
	for (i = 0; i < 200; i++)
		fprintf(s.file, "%s{\"name\": \"a\", \"op\": \"odd%d\"}",
		    i > 0 ? "," : "", i / 2);
	fputs("]}]}", s.file);
	text = memstream_close(&s, NULL);
	outline_util_read(&o, text);
	memory_init(&m, &o.config, &chip);
	is_int((long long)m.notes.count, 65, "64 kinds, and the rest");
	is_str(m.notes.items[0],
	    "unknown operation odd0 (2 times): it is costed as an elementwise "
	    "one",
	    "the first");
	is_str(m.notes.items[64], "72 more unknown operations", "the last");
	memory_release(&m);
	outline_release(&o);
	free(text);
}

/* The answer as a program reads it. */
static void
test_answer(void)
{
	static const char *const bytes[] = { "0", "1472000000", "29440000" };
	struct engine_config c = config_of(&cuts[0], STRATEGY_PIPELINED, true);
	struct memstream s;
	struct outline o;
	yyjson_doc *doc;
	yyjson_val *root, *error;
	char *text, *more;
	size_t i, size;

	for (i = 1; i < 3; i++) {
		more = xasprintf("\"ipu_bytes\": %s,", bytes[i]);
		text = outline_util_text(&c, more);
		outline_util_read(&o, text);
		free(text);
		free(more);
		is_int(outline_answer_print(&o, NULL, memstream_open(&s), NULL),
		    0, "an answer");
		text = memstream_close(&s, &size);
		doc = yyjson_read(text, size, 0);
		ok(doc != NULL, "it is JSON");
		root = yyjson_doc_get_root(doc);
		error = yyjson_obj_get(yyjson_obj_get(root, "error"), "text");
		ok(yyjson_is_null(yyjson_obj_get(root, "error")) || i == 2,
		    "it fits");
		ok(i != 2 ||
			strstr(yyjson_get_str(error) != NULL ?
				yyjson_get_str(error) :
				"",
			    "Out of memory: Cannot fit all variable data onto "
			    "one or more tiles.\nIPU 1: tile ") != NULL,
		    "it does not fit, in Poplar's words");
		is_int((long long)yyjson_arr_size(yyjson_ptr_get(root,
			   "/cycles/stages/1/operations")),
		    3, "its operations");
		is_str(yyjson_get_str(yyjson_ptr_get(root,
			   "/cycles/stages/1/operations/0/class")),
		    "convolution", "and their classes");
		is_int(yyjson_get_int(yyjson_ptr_get(root,
			   "/cycles/stages/0/forward_cycles")),
		    2773, "cycles");
		is_int(yyjson_get_int(yyjson_ptr_get(root,
			   "/memory/ipus/0/stash_bytes")),
		    1684480, "a stash");
		ok(yyjson_is_null(yyjson_obj_get(root, "profile")),
		    "no profile");
		yyjson_doc_free(doc);
		outline_release(&o);
		free(text);
	}
}

int
main(void)
{
	model_tutorial(&tutorial);
	test_same();
	test_places();
	test_streaming();
	test_proportion();
	test_unknown();
	test_unknown_many();
	test_answer();
	return tap_done();
}
