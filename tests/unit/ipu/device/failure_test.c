/* IPUs that fail under a program: what it is told, and that it stops. */
#include "ipu/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/pod/pod.h"
#include "ipu/engine/engine.h"
#include "ipu/nn/nn.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"
#include "tests/unit/tutorial.h"

#define RAISED "\nError raised in:\n  [0] execute"

static const struct failed_ipu failed = { .index = 1,
	.id = 3,
	.number = 0,
	.name = "ag05:3",
	.agent = "ag05",
	.address = "10.5.17.11",
	.partition = "p" };

static void
test_words(void)
{
	static const struct {
		const char *list, *text;
	} rows[] = {
		/* As in the test of a soft error, between its two ends. */
		{ "IPUSOFTERR",
		    "poptorch.poptorch_core.RecoverableError: In unknown:0: "
		    "'poplar_recoverable_runtime_error': [Recovery action: "
		    "IPU_RESET] CIUERRVR.IPUSOFTERR error on IPU 1 (ag05:3 of "
		    "partition p). IPU will be reset the next time a program "
		    "is executed." RAISED },
		{ "SOC0PGMERR",
		    "poptorch.poptorch_core.Error: In unknown:0: "
		    "'poplar_application_runtime_error': CIUERRVR.SOC0PGMERR "
		    "error on IPU 1 (ag05:3 of partition p). IPU will be reset "
		    "the next time a program is executed." RAISED },
		{ "NMLINKDN0,IPUSOFTERR",
		    "poptorch.poptorch_core.RecoverableError: In unknown:0: "
		    "'poplar_recoverable_runtime_error': [Recovery action: "
		    "PARTITION_RESET] CIUERRVR.IPUSOFTERR, CIUERRVR.NMLINKDN0 "
		    "error on IPU 1 (ag05:3 of partition p). The partition "
		    "must be reset: vipu reset partition p" RAISED },
		{ "MCUSOFTERR",
		    "poptorch.poptorch_core.RecoverableError: In unknown:0: "
		    "'poplar_recoverable_runtime_error': [Recovery action: "
		    "FULL_RESET] CIUERRVR.MCUSOFTERR error on IPU 1 (ag05:3 of "
		    "partition p). The machine must be power cycled: "
		    "vipu-admin inject ag05 reboot" RAISED },
	};
	struct error e;
	uint32_t set;
	size_t i;

	is_int(failure_of_fabric(&failed, 1675438368181819000, &e), -1,
	    "the fabric");
	/* Literal but for the connection's state: poptorch, issue 14. */
	is_str(e.text,
	    "poptorch.poptorch_core.UnrecoverableError: In unknown:0: "
	    "'poplar_unrecoverable_runtime_error': "
	    "read_config_space(offset=0x3030): Could not complete operation. "
	    "Fabric error: QP is not operational, device 3, IP "
	    "10.5.17.11:50052. IPUoF Server unreachable at "
	    "2023-02-03T15:32:48.181819Z" RAISED,
	    "in Poplar's words");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		(void)soc_error_parse(rows[i].list, &set, NULL);
		is_int(failure_of_soc(&failed, set, &e), -1, rows[i].list);
		is_str(e.text, rows[i].text, "the words");
	}
	(void)failure_to_attach(&failed, SOC_BIT(SOC_NMLINKDN1), &e);
	is_str(e.text,
	    "IPU 3 of partition p (ag05:3) has the error NMLINKDN1. The "
	    "partition must be reset: vipu reset partition p",
	    "and to one that attaches");
	(void)failure_of_soc(&failed, UINT32_MAX, &e);
	ok(strstr(e.text, "CIUERRVR.MCUSOFTERR error") != NULL &&
		strstr(e.text, "execute") != NULL,
	    "all errors at once fit");
}

/* Pod64 with p on two machines, ag03 and ag04, and its IPU n's slot. */
static void
make_partition_p(void)
{
	struct partition p = make_partition("p", 8, 8);
	struct state s;
	struct error e;

	p.reconfigurable = 1;
	use_state("failure");
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_add_partition(&s, &p, &e) == 0,
	    "a partition");
	state_close(&s);
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "p", 1);
}

static void
set_state(int state, const char *last_error)
{
	struct partition p = make_partition("p", 8, 8);
	struct state s;
	struct error e;

	p.reconfigurable = 1;
	p.state = state;
	(void)snprintf(p.last_error, sizeof(p.last_error), "%s", last_error);
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_update_partition(&s, &p, &e) == 0,
	    "its state");
	state_close(&s);
}

static void
set_errors(int ipu, uint32_t set)
{
	struct registry r;

	open_registry(&r);
	atomic_store(&registry_slot(&r, ipu)->soc_error, set);
	registry_close(&r);
}

static uint32_t
errors_of(int ipu)
{
	struct registry r;
	uint32_t set;

	open_registry(&r);
	set = atomic_load(&registry_slot(&r, ipu)->soc_error);
	registry_close(&r);
	return set;
}

static void
test_lost(void)
{
	struct attachment a, b;
	struct error e = { .text = "" };

	ok(attach(&a, 8, -1, "x", &e) == 0, "attach to eight");
	is_int(attach_check(&a, &e), 0, "all is well");
	ok(!attach_local_in_trouble(attach_slot(&a, 5)), "IPU 5 is");
	set_state(PS_ERROR, "agent ag04 is down");
	atomic_store(&attach_slot(&a, 5)->lost, 1);
	ok(attach_local_in_trouble(attach_slot(&a, 5)), "IPU 5 is lost");
	is_int(attach_check(&a, &e), -1, "which is found");
	ok(strstr(e.text,
	       "device 5, IP 10.1.5.4:50054. IPUoF Server unreachable at 20") !=
		NULL,
	    "with its address");
	ok(strstr(e.text,
	       RAISED
	       "\npartition p is in state ERROR: agent ag04 is down") != NULL,
	    "and how the partition fares");
	ok(attach(&b, 1, 0, "y", &e) == -1, "nobody attaches meanwhile");
	is_str(e.text,
	    "Failed to acquire device Id 0\npartition p is in state ERROR: "
	    "agent ag04 is down",
	    "for the reason given");
	attach_end(&a);
	set_state(PS_ACTIVE, "");
	ok(attach(&a, 8, -1, "x", &e) == 0, "attach when it is back");
	is_int(attach_check(&a, &e), 0, "all is well again");
	attach_end(&a);
}

static void
test_soc(void)
{
	struct attachment a;
	struct error e = { .text = "" };

	ok(attach(&a, 4, 13, "x", &e) == 0, "attach to the second four");
	set_errors(8, SOC_BIT(SOC_IPUSOFTERR));
	is_int(attach_check(&a, &e), 0, "another IPU's error");
	set_errors(14, SOC_BIT(SOC_IPUSOFTERR));
	is_int(attach_check(&a, &e), -1, "one of its own");
	ok(strstr(e.text,
	       "CIUERRVR.IPUSOFTERR error on IPU 2 (ag04:2 of partition p). "
	       "IPU will be") != NULL,
	    "by name");
	attach_end(&a);
	is_int(errors_of(14), SOC_BIT(SOC_IPUSOFTERR), "it stays");
	ok(attach(&a, 4, 13, "x", &e) == 0, "attaching resets the IPUs");
	is_int(errors_of(14), 0, "it is gone");
	is_int(errors_of(8), SOC_BIT(SOC_IPUSOFTERR), "not another IPU's");
	is_int(attach_check(&a, &e), 0, "all is well");
	attach_end(&a);
	set_errors(8, SOC_BIT(SOC_IPUSOFTERR));
	set_errors(9, SOC_BIT(SOC_NMLINKDN0) | SOC_BIT(SOC_IPUSOFTERR));
	ok(attach(&a, 4, 12, "x", &e) == -1, "what needs more than that");
	is_str(e.text,
	    "Failed to acquire device Id 12\nIPU 1 of partition p (ag03:1) has "
	    "the error NMLINKDN0. The partition must be reset: vipu reset "
	    "partition p",
	    "is in the way");
	is_int(errors_of(8), SOC_BIT(SOC_IPUSOFTERR), "no IPU was reset");
	ok(attach(&a, 1, 2, "x", &e) == 0, "a device beside it is free");
	attach_end(&a);
	set_errors(8, 0);
	set_errors(9, 0);
}

enum { REPLICAS = 2, STAGES = 4, MICRO_BATCHES = 7, SAMPLES = 100 };

/* What the engine counted: by seconds the same as in all, and not of IPU 3. */
static void
check_work(struct attachment *a)
{
	const int64_t now_ns = clock_real_ns();
	int64_t by_seconds, busy;
	int i, wrong = 0;

	for (i = 0; i < 8; i++) {
		busy = (int64_t)attach_slot(a, i)->session_busy_ns;
		by_seconds = busy_ring_window(&attach_slot(a, i)->ring, now_ns,
		    INT64_C(60000000000));
		/* Each of its steps is a microsecond more or less. */
		wrong += i == 3 ? busy != 0 || by_seconds != 0 :
				  busy <= 0 || by_seconds < busy - 200000 ||
			by_seconds > busy + 200000;
	}
	is_int(wrong, 0, "the work of a minute is that of the session");
}

/*
 * Two replicas of one process.  An IPU of the second fails: the first one's
 * threads, which wait for the second's gradients, must end as well.
 */
static void
test_engine(void)
{
	struct model model;
	struct dataset digits = { 0 };
	struct collective_config job = { .total = REPLICAS,
		.local = REPLICAS,
		.part_count = STAGES,
		.join_seconds = 20 };
	struct attachment a;
	struct engine_config c = { .model = &model,
		.kernels = kernels_choose(NULL),
		.stages = STAGES,
		.stage_blocks = { 1, 1, 1, 1 },
		.stage_ipu = { 0, 1, 2, 3 },
		.strategy = STRATEGY_PIPELINED,
		.training = true,
		.micro_batch = 4,
		.gradient_accumulation = MICRO_BATCHES,
		.device_iterations = 1,
		.local_replicas = REPLICAS,
		.total_replicas = REPLICAS,
		.deviation = 0.3081f,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.001),
		.attachment = &a };
	uint32_t order[SAMPLES];
	struct engine_input input;
	struct engine *engine;
	struct error e = { .text = "" };
	int i, b, l;

	model_tutorial(&model);
	digits_draw(&digits, DATASET_TRAIN, SAMPLES, 1);
	for (i = 0; i < SAMPLES; i++)
		order[i] = (uint32_t)i;
	input = (struct engine_input){ digits.pixels, digits.labels, order };
	for (b = 0; b < STAGES; b++)
		for (l = 0; l < model.blocks[b].layer_count; l++) {
			const struct layer *layer =
			    &model.layers[model.blocks[b].first_layer + l];

			job.floats[b] += layer->weights + layer->biases;
		}
	c.collective = collective_open(&job, NULL);
	ok(attach(&a, 8, -1, "x", &e) == 0, "attach to eight");
	attach_slot(&a, 3)->flags |= SLOT_UNMEASURED;
	engine = engine_start(&c, &e);
	is_int(engine_call(engine, &input, &e), 0, "a call");
	check_work(&a);
	set_errors(8 + 6, SOC_BIT(SOC_IPUSOFTERR));
	is_int(engine_call(engine, &input, &e), -1, "IPU 6 fails");
	ok(strstr(e.text, "error on IPU 6 (ag04:2 of") != NULL,
	    "and is to blame");
	engine_stop(engine);
	collective_close(c.collective, true);
	attach_end(&a);
	dataset_release(&digits);
}

int
main(void)
{
	(void)unsetenv("GCDA_OPTIONS");
	test_words();
	make_partition_p();
	test_lost();
	test_soc();
	test_engine();
	return state_util_done();
}
