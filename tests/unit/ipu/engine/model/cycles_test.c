/*
 * Modelled cycles: closed forms over a grid of stages and micro-batches, where
 * a stage takes what the test says; then those of the tutorial's model.
 */
#include "tests/unit/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"
#include "tests/unit/tutorial.h"

enum { STAGES_MAX = 8 };

static struct model tutorial;

/* No transfer and no sync takes time. */
static const struct cycles_target fast = { 1472, 1330, 32, INFINITY, INFINITY,
	INFINITY, INFINITY, 0, 0 };

static struct engine_config
config_of(enum strategy strategy, int stages, int g)
{
	struct engine_config c = {
		.model = &tutorial,
		.stages = stages,
		.strategy = strategy,
		.training = true,
		.output_mode = OUTPUT_ALL,
		.micro_batch = 40,
		.gradient_accumulation = g,
		.device_iterations = 3,
		.local_replicas = 1,
		.total_replicas = 1,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.001),
	};
	int i;

	for (i = 0; i < stages; i++) {
		c.stage_blocks[i] = 1;
		c.stage_ipu[i] = i;
	}
	return c;
}

/* Every cycle of every IPU is in one event. */
static bool
is_whole(const struct cycles *c)
{
	int64_t now = 0;
	int i, ipu = 0;

	for (i = 0; i < c->event_count; i++) {
		const struct cycles_event *e = &c->events[i];

		if (e->ipu != ipu) {
			if (now != c->total || e->ipu != ipu + 1)
				return false;
			ipu++;
			now = 0;
		}
		if (e->from != now || e->to <= e->from)
			return false;
		now = e->to;
	}
	return now == c->total && ipu == c->ipu_count - 1;
}

static bool
all_used(const struct cycles *c, double wanted)
{
	int i;

	for (i = 0; i < c->ipu_count; i++)
		if (fabs(cycles_utilisation(c, i) - wanted) > 1e-12)
			return false;
	return fabs(cycles_utilisation(c, -1) - wanted) < 1e-12;
}

static void
test_closed_forms(int n, int g)
{
	enum { F = 300, B = 700, R = 250, UPDATE = 90 };
	struct cycles_stage stages[STAGES_MAX];
	struct engine_config c = config_of(STRATEGY_PIPELINED, n, g);
	struct cycles y;
	char *name = xasprintf("N = %d, G = %d", n, g);
	int64_t sum = 0, slowest_f = 0, slowest_b = 0;
	int i;

	for (i = 0; i < n; i++)
		stages[i] = (struct cycles_stage){ .forward = F,
			.backward = B,
			.update = UPDATE };
	cycles_init_stages(&y, &c, &fast, stages);
	is_int(y.total, (g + n - 1) * (F + B) + UPDATE, name);
	is_int(y.update, UPDATE, name);
	is_int(cycles_call(&y), 3 * y.total, name);
	ok(all_used(&y, (double)g / (g + n - 1)), name);
	ok(is_whole(&y), name);
	cycles_release(&y);

	c.strategy = STRATEGY_INTERLEAVED;
	cycles_init_stages(&y, &c, &fast, stages);
	/* A column that has both costs the backward. */
	ok(y.total <= (2 * g + 2 * n - 2) * B + UPDATE &&
		y.total >= g * (F + B) + UPDATE,
	    name);
	ok(is_whole(&y), name);
	cycles_release(&y);

	/* The same, forward as long as backward: the same columns. */
	for (i = 0; i < n; i++)
		stages[i].backward = F;
	cycles_init_stages(&y, &c, &fast, stages);
	is_int(y.total, (2 * g + 2 * n - 2) * F + UPDATE, name);
	ok(all_used(&y, (double)g / (g + n - 1)), name);
	cycles_release(&y);

	/* Unequal stages: each column waits for its slowest. */
	for (i = 0; i < n; i++) {
		stages[i].forward = F + 10 * i;
		stages[i].backward = B - 20 * i;
		sum += stages[i].forward + stages[i].backward;
		if (stages[i].forward > slowest_f)
			slowest_f = stages[i].forward;
		if (stages[i].backward > slowest_b)
			slowest_b = stages[i].backward;
	}
	c.strategy = STRATEGY_PIPELINED;
	cycles_init_stages(&y, &c, &fast, stages);
	ok(y.total <= (g + n - 1) * (slowest_f + slowest_b) + UPDATE, name);
	for (i = 0; i < n; i++)
		if (y.total <
		    g * (stages[i].forward + stages[i].backward) + UPDATE)
			break;
	is_int(i, n, name);
	cycles_release(&y);
	c.strategy = STRATEGY_SHARDED;
	cycles_init_stages(&y, &c, &fast, stages);
	is_int(y.total, g * sum + UPDATE, name);
	ok(is_whole(&y), name);
	cycles_release(&y);
	c.strategy = STRATEGY_ONE_IPU;
	cycles_init_stages(&y, &c, &fast, stages);
	is_int(y.total, g * sum + n * UPDATE, name);
	ok(all_used(&y, 1), name);
	cycles_release(&y);

	/* Recomputation makes backward longer and nothing else. */
	c.strategy = STRATEGY_PIPELINED;
	for (i = 0; i < n; i++)
		stages[i] = (struct cycles_stage){ .forward = F,
			.backward = B,
			.recompute = R,
			.update = UPDATE };
	cycles_init_stages(&y, &c, &fast, stages);
	is_int(y.total, (g + n - 1) * (F + R + B) + UPDATE, name);
	is_int(cycles_of(&y, 0, TRACE_FORWARD), g * F, name);
	is_int(cycles_of(&y, 0, TRACE_RECOMPUTE), g * R, name);
	cycles_release(&y);

	c.training = false;
	c.device_iterations = g;
	c.gradient_accumulation = 1;
	cycles_init_stages(&y, &c, &fast, stages);
	is_int(y.total, (g + n - 1) * F, name);
	is_int(y.update, 0, name);
	is_int(cycles_call(&y), y.total, name);
	cycles_release(&y);
	free(name);
}

static struct cycles
tutorial_cycles(const struct engine_config *c)
{
	const struct cycles_target t = cycles_target_of(1330);
	struct cycles y;

	cycles_init(&y, c, &t);
	return y;
}

static void
test_tutorial(void)
{
	struct engine_config c = config_of(STRATEGY_PIPELINED, 4, 10);
	struct cycles y = tutorial_cycles(&c), z;
	int i;
	bool same;

	printf("# a device iteration: %lld cycles, %.0f us; used %.3f\n",
	    (long long)y.total, (double)y.total / 1330,
	    cycles_utilisation(&y, -1));
	for (i = 0; i < 4; i++)
		printf("# stage %d: forward %lld, backward %lld, update %lld, "
		       "send %lld, %lld\n",
		    i, (long long)y.stages[i].forward,
		    (long long)y.stages[i].backward,
		    (long long)y.stages[i].update,
		    (long long)y.stages[i].send_forward,
		    (long long)y.stages[i].send_backward);
	ok(is_whole(&y), "every cycle of every IPU is in one event");
	is_int((long long)y.stages[0].forward_bytes, 1440 * 40 * 4,
	    "bytes from IPU 0 to IPU 1");
	is_int((long long)y.stages[3].backward_bytes, 256 * 40 * 4,
	    "and back from IPU 3");
	is_int((long long)y.stages[0].backward_bytes, 0, "none from IPU 0");

	c.offload_optimiser = true;
	z = tutorial_cycles(&c);
	for (same = true, i = 0; i < 4; i++)
		same = same && y.stages[i].forward == z.stages[i].forward &&
		    y.stages[i].backward == z.stages[i].backward &&
		    y.stages[i].update < z.stages[i].update;
	ok(same && z.total - z.update == y.total - y.update &&
		z.update > y.update,
	    "off-loading makes the update longer alone");
	is_int((long long)z.stages[2].streamed_bytes, 82176 * 4 * 2 * 2,
	    "the state goes there and back");
	cycles_release(&z);

	c.offload_optimiser = false;
	c.recompute = true;
	z = tutorial_cycles(&c);
	is_int(z.stages[0].recompute, y.stages[0].forward, "forward again");
	is_int(z.stages[3].recompute, 0, "but not in the last stage");
	ok(z.total > y.total && z.update == y.update,
	    "and it takes longer, but for the update");
	cycles_release(&z);

	c.recompute = false;
	c.micro_batch = 80;
	z = tutorial_cycles(&c);
	ok(z.total > y.total, "a larger batch takes longer");
	cycles_release(&z);
	c.micro_batch = 40;
	c.total_replicas = 4;
	z = tutorial_cycles(&c);
	ok(z.total - z.update == y.total - y.update && z.update > y.update,
	    "replicas sum their gradients before the update");
	cycles_release(&z);
	c.total_replicas = 1;
	c.strategy = STRATEGY_SHARDED;
	z = tutorial_cycles(&c);
	ok(z.total > y.total, "sharded takes longer than pipelined");
	ok(is_whole(&z), "sharded: whole");
	cycles_release(&z);
	c.strategy = STRATEGY_ONE_IPU;
	z = tutorial_cycles(&c);
	is_int(cycles_of(&z, 0, TRACE_EXCHANGE) + cycles_of(&z, 0, TRACE_SYNC),
	    0, "one IPU waits for nobody");
	cycles_release(&z);
	c.strategy = STRATEGY_PIPELINED;
	c.stage_ipu[1] = 0;
	z = tutorial_cycles(&c);
	ok(is_whole(&z), "two stages on an IPU: whole");
	cycles_release(&z);
	cycles_release(&y);
	cycles_init(&z, &c, &fast);
	c.stage_ipu[1] = 1;
	cycles_init(&y, &c, &fast);
	ok(z.total > y.total, "without transfers longer: they take turns");
	cycles_release(&z);
	cycles_release(&y);
	ok(cycles_target_of(1850).link_bytes <
		cycles_target_of(1330).link_bytes,
	    "Bow's links carry less in one of its cycles");
	is_near(cycles_target_of(1330).sync_cycles, 319.2, 0.01,
	    "0.24 us of sync");
}

int
main(void)
{
	int n, more;

	model_tutorial(&tutorial);
	for (n = 1; n <= STAGES_MAX; n++)
		for (more = 0; more <= 6; more += 3)
			test_closed_forms(n, 2 * n - 1 + more);
	test_tutorial();
	return tap_done();
}
