/* What a peer may do, and when it is asked and sent away. */
#include "core/server/rpc/rpc.h"

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static const struct rpc_limits limits = { .greeting_ms = 10,
	.send_ms = 20,
	.silence_ms = 60,
	.answer_ms = 30,
	.frames = 3,
	.frames_per_s = 1000 };

/* What is due of a connection that was opened at 100. */
static const struct {
	const char *name;
	struct rpc_times times;
	int64_t now_ms;
	enum rpc_due due;
	int64_t next_ms;
} looks[] = {
	{ "a new one", { 100, -1, 100, -1, -1 }, 100, RPC_DUE_NOTHING, 110 },
	{ "no greeting yet", { 100, -1, 100, -1, -1 }, 109, RPC_DUE_NOTHING,
	    110 },
	{ "no greeting", { 100, -1, 100, -1, -1 }, 110, RPC_DUE_GREETING,
	    INT64_MAX },
	{ "a greeting", { 100, 105, 105, -1, -1 }, 110, RPC_DUE_NOTHING, 165 },
	{ "silence", { 100, 105, 105, -1, -1 }, 165, RPC_DUE_ASK, INT64_MAX },
	{ "asked", { 100, 105, 105, 165, -1 }, 165, RPC_DUE_NOTHING, 195 },
	{ "no answer", { 100, 105, 105, 165, -1 }, 195, RPC_DUE_ANSWER,
	    INT64_MAX },
	{ "heard again", { 100, 105, 190, -1, -1 }, 195, RPC_DUE_NOTHING, 250 },
	{ "stuck", { 100, 105, 190, -1, 195 }, 200, RPC_DUE_NOTHING, 215 },
	{ "stuck for long", { 100, 105, 214, -1, 195 }, 215, RPC_DUE_SEND,
	    215 },
};

static void
test_looks(void)
{
	int64_t next_ms;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(looks); i++) {
		is_int(rpc_limits_look(&limits, &looks[i].times,
			   looks[i].now_ms, &next_ms),
		    looks[i].due, looks[i].name);
		if (looks[i].due == RPC_DUE_NOTHING)
			is_int(next_ms, looks[i].next_ms, "and next");
	}
	ok(rpc_limits_reason(RPC_DUE_NOTHING) == NULL, "no reason");
	ok(rpc_limits_reason(RPC_DUE_SEND) != NULL, "a reason");
}

static void
test_frames(void)
{
	struct rpc_meter m = { .since_ms = 100 };

	ok(rpc_limits_spend(&limits, &m, 100), "one frame");
	ok(rpc_limits_spend(&limits, &m, 100), "two");
	ok(rpc_limits_spend(&limits, &m, 100), "three");
	ok(!rpc_limits_spend(&limits, &m, 100), "four are too many");
	ok(!rpc_limits_spend(&limits, &m, 101), "and so they are 1 ms later");
	ok(rpc_limits_spend(&limits, &m, 105), "4 ms later they are not");
	ok(rpc_limits_spend(&limits, &m, 1000000), "time fills it");
	ok(rpc_limits_spend(&limits, &m, 1000000), "but not");
	ok(rpc_limits_spend(&limits, &m, 1000000), "with more");
	ok(!rpc_limits_spend(&limits, &m, 1000000), "than it holds");
}

int
main(void)
{
	test_looks();
	test_frames();
	return tap_done();
}
