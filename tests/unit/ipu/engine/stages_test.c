/* Blocks to stages to IPUs: lists, PopTorch's automatic ways, its refusals. */
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/engine/engine.h"

/* Blocks B1, B2, ... of a layer each, on these IPUs. */
static struct model
make_model(const int *ipus, int count)
{
	struct model m;
	struct layer_spec relu = { .kind = LAYER_RELU };
	char name[16];
	int i;

	model_init(&m, (struct shape){ 1, 2, 2 });
	for (i = 0; i < count; i++) {
		(void)snprintf(name, sizeof(name), "B%d", i + 1);
		if (model_block(&m, name, ipus == NULL ? -1 : ipus[i], NULL) ==
			-1 ||
		    model_add(&m, &relu, NULL) == -1)
			abort();
	}
	return m;
}

/* "2@0 1@3": blocks and IPU of each stage; or why not. */
static void
is_result(int status, const struct stages *s, const struct error *e,
    const char *wanted, const char *name)
{
	char text[sizeof(e->text)] = "";
	size_t used = 0;
	int i;

	if (status == -1)
		(void)snprintf(text, sizeof(text), "%s", e->text);
	for (i = 0; status == 0 && i < s->count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    "%s%d@%d", i > 0 ? " " : "", s->blocks[i], s->ipu[i]);
	is_str(text, wanted, name);
}

static void
test_lists(void)
{
	static const struct {
		const char *list, *wanted;
	} rows[] = {
		{ "B1/B2/B3/B4", "1@0 1@1 1@2 1@3" },
		{ "B1,B2/B3,B4", "2@0 2@1" },
		{ "B1,B2,B3,B4", "4@0" },
		{ "B2,B1/B4,B3", "2@0 2@1" },
		{ "B1/B2@2/B3,B4@1", "1@0 1@2 2@1" },
		{ "B1/B2/B3@0/B4@1", "1@0 1@1 1@0 1@1" },
		/* A stage begins where the IPU changes. */
		{ "B1@0/B2@0/B3@1/B4@1", "2@0 2@1" },
		{ "B1/B2@0/B3,B4@0", "4@0" },
		/* PopTorch's words. */
		{ "B1/B2/B3/B5",
		    "Unknown Block 'B5' list of expected Blocks: ['B1', 'B2', "
		    "'B3', 'B4']" },
		{ "B1/B2,B4",
		    "Unknown Block 'B3' list of expected Blocks: ['B1', 'B2', "
		    "'B4']" },
		{ "B1/B2,B1/B3/B4", "B1 associated with more than one stage" },
		{ "B1,B1/B2,B3,B4", "B1 associated with more than one stage" },
		/* Ours. */
		{ "",
		    "Unknown Block '' list of expected Blocks: ['B1', 'B2', "
		    "'B3', 'B4']" },
		{ "B1/B2//B3,B4",
		    "Unknown Block '' list of expected Blocks: ['B1', 'B2', "
		    "'B3', 'B4']" },
		{ "B1,B2,/B3,B4",
		    "Unknown Block '' list of expected Blocks: ['B1', 'B2', "
		    "'B3', 'B4']" },
		{ "B1,B3/B2,B4",
		    "block B3 follows B2 in the model, but its stage comes "
		    "before that one's; list the stages in the model's order" },
		{ "B1@64/B2,B3,B4",
		    "IPU '64' of a stage is too large; it must be a number "
		    "from 0 to 63" },
		{ "B1@/B2,B3,B4",
		    "IPU '' of a stage is invalid; it must be a number from 0 "
		    "to 63" },
		{ "B1@1,B2/B3,B4",
		    "IPU '1,B2' of a stage is invalid; it must be a number "
		    "from 0 to 63" },
		{ "B1/B2345678901234567890123456789012345678901234567890",
		    "Unknown Block 'B2345678901234567890123456789012' list of "
		    "expected Blocks: ['B1', 'B2', 'B3', 'B4']" },
	};
	struct model m = make_model(NULL, 4);
	struct stages s;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		int status = stages_parse(&s, &m, rows[i].list, &e);

		is_result(status, &s, &e, rows[i].wanted, rows[i].list);
	}
	stages_init(&s, &m);
	(void)stages_begin(&s, -1, &e);
	for (i = 0; i < 4; i++)
		(void)stages_add(&s, m.blocks[i].name, &e);
	(void)stages_begin(&s, -1, &e);
	is_int(stages_end(&s, &e), -1, "a stage of nothing");
	is_str(e.text, "stage 1 has no block", "is refused");
}

static void
test_automatic(void)
{
	static const struct {
		const char *name;
		enum auto_stage way;
		int ipus[4];
		const char *wanted;
	} rows[] = {
		{ "an IPU each", AUTO_STAGE_SAME_AS_IPU, { 0, 1, 2, 3 },
		    "1@0 1@1 1@2 1@3" },
		{ "two and two", AUTO_STAGE_SAME_AS_IPU, { 0, 0, 1, 1 },
		    "2@0 2@1" },
		{ "there and back", AUTO_STAGE_SAME_AS_IPU, { 0, 1, 1, 0 },
		    "1@0 2@1 1@0" },
		{ "not named: as before", AUTO_STAGE_SAME_AS_IPU,
		    { 1, -1, 0, -1 }, "2@1 2@0" },
		{ "none named", AUTO_STAGE_SAME_AS_IPU, { -1, 0, 1, 2 },
		    "poptorch.AutoStage.SameAsIpu was selected but no IPU was "
		    "specified for block B1" },
		{ "each the next", AUTO_STAGE_AUTO_INCREMENT, { 0, 0, 1, 1 },
		    "1@0 1@1 1@2 1@3" },
		{ "and none named", AUTO_STAGE_AUTO_INCREMENT,
		    { -1, -1, -1, -1 }, "1@0 1@1 1@2 1@3" },
	};
	struct stages s;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct model m = make_model(rows[i].ipus, 4);
		int status = stages_auto(&s, &m, rows[i].way, &e);

		is_result(status, &s, &e, rows[i].wanted, rows[i].name);
	}
}

static void
test_ipus(void)
{
	struct stages s = { .count = 2, .blocks = { 1, 1 } };
	struct error e = { .text = "" };
	int ipus, n;

	for (n = 1; n <= 64; n++) {
		int wanted = 1, status;

		while (wanted < n)
			wanted *= 2;
		s.ipu[1] = n - 1;
		status = stages_ipus(&s, false, &ipus, &e);
		ok(wanted == n ? status == 0 && ipus == n : status == -1,
		    "a power of two or nothing");
		ok(stages_ipus(&s, true, &ipus, &e) == 0 && ipus == wanted,
		    "rounded up");
	}
	s.ipu[1] = 2;
	ipus = 7;
	is_int(stages_ipus(&s, false, &ipus, &e), -1, "three IPUs");
	is_str(e.text,
	    "The model specifies the use of 3 IPUs, however PopTorch must "
	    "reserve a minimum of 4 in order to allow the model to run, "
	    "because PopTorch must reserve a power of 2 or maximum of 64 IPUs "
	    "per process. Please reconfigure your model to use a different "
	    "number of IPUs or set poptorch.Options().autoRoundNumIPUs(True). "
	    "(Here: --auto-round.)",
	    "in PopTorch's words, and the option");
	is_int(ipus, 7, "and nothing is set");
	s.ipu[1] = 64;
	is_int(stages_ipus(&s, true, &ipus, &e), -1, "sixty-five");
	is_str(e.text,
	    "Too many IPUs requested (128). Experiments that need more than 64 "
	    "IPUs require distributed execution.",
	    "in PopTorch's words");
}

int
main(void)
{
	test_lists();
	test_automatic();
	test_ipus();
	return tap_done();
}
