/*
 * The document of an outline: what is read of it, and each way in which one is
 * refused.
 */
#include "ipu/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "tests/unit/tap.h"

/* The smallest document; each test puts something into one of its places. */
#define HEAD \
	"\"outline\": 1, \"name\": \"n\", \"training\": false, " \
	"\"strategy\": \"sharded\", \"micro_batch\": 1"
#define OP "{\"name\": \"a\", \"op\": \"b\"}"
#define STAGE "{\"ipu\": 0, \"operations\": [" OP "]}"
#define STAGES "\"stages\": [" STAGE "]"
#define TRAIN \
	"\"outline\": 1, \"name\": \"n\", \"training\": true, " \
	"\"strategy\": \"pipelined\", \"micro_batch\": 1, "
#define TWO "\"stages\": [" STAGE ", {\"ipu\": 1, \"operations\": [" OP "]}]"
#define IN_OP(more) \
	"{" HEAD ", \"stages\": [{\"ipu\": 0, " \
	"\"operations\": [" OP ", {\"name\": \"c\", " \
	"\"op\": \"d\", " more "}]}]}"
#define IN_PARAMETER(more) IN_OP("\"parameters\": [{" more "}]")
#define HOST(calls) \
	"{" TRAIN "\"gradient_accumulation\": 3, " TWO \
	", \"host\": {\"calls\": [" calls "]}}"
#define TIMELINE(more) \
	"{" TRAIN "\"gradient_accumulation\": 3, " TWO \
	", \"host\": {\"timeline\": " \
	"[{" more "}]}}"
#define AT "\"from_s\": 1, \"to_s\": 1"
#define STEP(more) HOST("{\"run_s\": 1, \"steps\": [{" more "}]}")

static const struct refused {
	const char *text, *why;
} refusals[] = {
	{ "", "the document is not valid JSON: input length is 0 at byte 0" },
	{ "{",
	    "the document is not valid JSON: unexpected end of data at byte "
	    "1" },
	{ "[]", "the document: must be an object" },
	{ "null", "the document: must be an object" },
	{ "{}", "'outline' is missing" },
	{ "{\"outline\": 1}", "'name' is missing" },
	{ "{\"outline\": \"1\"}",
	    "outline: must be a whole number from 1 to 1000" },
	{ "{\"outline\": 1.0}",
	    "outline: must be a whole number from 1 to 1000" },
	{ "{\"outline\": 1, \"outline\": 1}", "outline: is given twice" },
	{ "{\"outline\": 2, \"name\": \"n\", \"training\": false, "
	  "\"strategy\": \"sharded\", \"micro_batch\": 1, " STAGES "}",
	    "outline: this ipubox reads format 1, not 2" },
	{ "{" HEAD "}", "'stages' is missing" },
	{ "{" HEAD ", \"stages\": null}", "'stages' is missing" },
	{ "{" HEAD ", \"stages\": {}}", "stages: must be an array" },
	{ "{" HEAD ", \"stages\": []}", "stages: must be 1 to 64, but are 0" },
	{ "{" HEAD ", " STAGES ", \"recomputed\": true}",
	    "member 'recomputed' is unknown (did you mean recompute?)" },
	{ "{" HEAD ", " STAGES ", \"recompute\": 1}",
	    "recompute: must be true or false" },
	{ "{\"name\": \"a/b\", \"outline\": 1, \"training\": false, "
	  "\"strategy\": \"sharded\", \"micro_batch\": 1, " STAGES "}",
	    "outline name 'a/b': only letters, digits and . _ - are allowed, "
	    "and the first must be a letter or a digit" },
	{ "{\"name\": \"a\\u0000b\"}",
	    "name: must be a text without control characters" },
	{ "{\"model\": \"a\\nb\"}",
	    "model: must be a text without control characters" },
	{ "{\"command\": \"a\\u0000b\"}",
	    "command: must be a text without NUL characters" },
	{ "{\"strategy\": \"shard\"}",
	    "strategy: must be pipelined, interleaved, sharded, one-ipu or "
	    "phased (did you mean sharded?)" },
	{ "{\"strategy\": 3}",
	    "strategy: must be pipelined, interleaved, sharded, one-ipu or "
	    "phased" },
	{ "{\"micro_batch\": 0}",
	    "micro_batch: must be a whole number from 1 to 1000000000" },
	{ "{\"micro_batch\": -1}",
	    "micro_batch: must be a whole number from 1 to 1000000000" },
	{ "{\"micro_batch\": 99999999999999999999}",
	    "micro_batch: must be a whole number from 1 to 1000000000" },
	{ "{\"host_in_bytes\": -1}",
	    "host_in_bytes: must be a whole number from 0 to 1099511627776" },
	{ "{\"host_in_bytes\": 18446744073709551615}",
	    "host_in_bytes: must be a whole number from 0 to 1099511627776" },
	{ "{\"clock_mhz\": 1e400}",
	    "the document is not valid JSON: number is infinity when parsed as "
	    "double at byte 14" },
	{ "{\"clock_mhz\": 1}",
	    "clock_mhz: must be a number from 100 to 10000" },
	{ "{\"clock_mhz\": NaN}",
	    "the document is not valid JSON: unexpected character, expected a "
	    "valid JSON value at byte 14" },
	{ "{" HEAD ", " STAGES ", \"gradient_accumulation\": 2}",
	    "gradient_accumulation: must be 1 in inference" },
	{ "{" HEAD ", " STAGES ", \"replicas\": 2, \"first_replica\": 2}",
	    "local_replicas: 0 replicas from replica 2 on are not among 2, or "
	    "are more than 1024" },
	{ "{" HEAD ", " STAGES ", \"replicas\": 2, \"local_replicas\": 3}",
	    "local_replicas: 3 replicas from replica 0 on are not among 2, or "
	    "are more than 1024" },
	{ "{" HEAD ", " STAGES ", \"replicas\": 2000}",
	    "local_replicas: 2000 replicas from replica 0 on are not among "
	    "2000, or are more than 1024" },
	{ "{" HEAD ", " STAGES
	  ", \"output_mode\": \"every-n\", \"output_return_period\": 2}",
	    "Return period must be <= to the number of batches per step: it is "
	    "2, a call has 1 micro-batches" },
	{ "{" HEAD ", " STAGES ", \"optimiser\": {}}",
	    "optimiser: 'states' is missing" },
	{ "{" HEAD ", " STAGES ", \"optimiser\": {\"states\": 9}}",
	    "optimiser.states: must be a whole number from 0 to 8" },
	{ "{" HEAD ", " STAGES ", \"off_chip\": [\"weights\"]}",
	    "off_chip: must be an object" },
	{ "{" HEAD ", " STAGES ", \"off_chip\": {\"weight\": true}}",
	    "off_chip: member 'weight' is unknown (did you mean weights?)" },
	{ "{" HEAD ", " STAGES ", \"available_memory_proportion\": [null, 0]}",
	    "available_memory_proportion[1]: must be null or a number above 0, "
	    "at most 1" },
	{ "{" HEAD ", " STAGES ", \"available_memory_proportion\": [true]}",
	    "available_memory_proportion[0]: must be null or a number above 0, "
	    "at most 1" },
	{ "{" HEAD ", \"ipus\": 1, " TWO "}",
	    "stages: they are on 2 IPUs, but 'ipus' is 1" },
	{ "{" HEAD ", \"stages\": [3]}", "stages[0]: must be an object" },
	{ "{" HEAD ", \"stages\": [" STAGE ", {\"operations\": []}]}",
	    "stages[1]: 'ipu' is missing" },
	{ "{" HEAD ", \"stages\": [{\"ipu\": 64, \"operations\": []}]}",
	    "stages[0].ipu: must be a whole number from 0 to 63" },
	{ "{" HEAD ", \"stages\": [{\"ipu\": 0, \"operations\": []}]}",
	    "stages[0]: has no operation" },
	{ "{" HEAD ", \"stages\": [{\"ipu\": 0, \"blocks\": [\"a\", 1], "
	  "\"operations\": [" OP "]}]}",
	    "stages[0].blocks[1]: must be a text without control characters" },
	{ IN_OP("\"forward_flops\": \"1\""),
	    "stages[0].operations[1].forward_flops: must be a number from 0 to "
	    "1e+18" },
	{ IN_OP("\"forward_flops\": 1e19"),
	    "stages[0].operations[1].forward_flops: must be a number from 0 to "
	    "1e+18" },
	{ IN_OP("\"backward_flops\": -1"),
	    "stages[0].operations[1].backward_flops: must be a number from 0 "
	    "to 1e+18" },
	{ IN_OP("\"saved_bytes\": 1.5"),
	    "stages[0].operations[1].saved_bytes: must be a whole number from "
	    "0 to 1099511627776" },
	{ IN_OP("\"leaves\": \"yes\""),
	    "stages[0].operations[1].leaves: must be true or false" },
	{ IN_OP("\"class\": \"los\""),
	    "stages[0].operations[1].class: must be convolution, matmul, "
	    "elementwise, reduction, copy, view, normalisation, loss, random "
	    "or unknown (did you mean loss?)" },
	{ IN_OP("\"flops\": 1"),
	    "stages[0].operations[1]: member 'flops' is unknown" },
	{ IN_OP("\"parameters\": 1"),
	    "stages[0].operations[1].parameters: must be an array" },
	{ IN_PARAMETER("\"name\": \"w\""),
	    "stages[0].operations[1].parameters[0]: 'elements' is missing" },
	{ IN_PARAMETER("\"name\": \"w\", \"elements\": 1e3"),
	    "stages[0].operations[1].parameters[0].elements: must be a whole "
	    "number from 0 to 137438953472" },
	{ "{" TRAIN TWO "}",
	    "poptorch.Options().Training.gradientAccumulation must be greater "
	    "than or equal to the number of pipeline stages (3) when using "
	    "poptorch.PipelinedExecution. Please note that a model with 2 "
	    "pipeline stages in PopTorch will have an additional 1 stages when "
	    "training." },
	{ "{" TRAIN "\"gradient_accumulation\": 1000000, " TWO "}",
	    "gradient_accumulation: 1000000 micro-batches in 2 stages are more "
	    "than 400000 steps" },
	{ "{" TRAIN "\"gradient_accumulation\": 1000, \"device_iterations\": "
	  "1000000, \"replicas\": 2, " TWO "}",
	    "micro_batch: a call takes more than 1000000000 samples" },
	{ "{" TRAIN "\"gradient_accumulation\": 1000, \"device_iterations\": "
	  "10, \"stages\": [{\"ipu\": 0, \"operations\": [{\"name\": "
	  "\"a\", \"op\": \"b\", \"forward_flops\": 1e18}]}]}",
	    "stages: the operations or bytes of a call are too many to count" },
	{ "{" TRAIN "\"gradient_accumulation\": 3, " TWO ", \"host\": []}",
	    "host: must be an object" },
	{ HOST("{}"), "host.calls[0]: 'run_s' is missing" },
	{ HOST("{\"run_s\": 1}, {\"run_s\": -1}"),
	    "host.calls[1].run_s: must be a number from 0 to 1000000000" },
	{ HOST("{\"run_s\": 1, \"count\": 2, \"steps\": [1]}"),
	    "host.calls[0]: steps describe one call, but 'count' is 2" },
	{ HOST("{\"run_s\": 1, \"count\": 1000000000}, {\"run_s\": 1}"),
	    "host.calls[1].count: all calls together must be at most "
	    "1000000000" },
	{ TIMELINE("\"kind\": \"wait\""),
	    "host.timeline[0].kind: must be compile, attach, weights_in, "
	    "weights_out, detach, input, run, output or iteration" },
	{ TIMELINE("\"kind\": \"attach\", \"from_s\": 1"),
	    "host.timeline[0]: 'to_s' is missing" },
	{ TIMELINE("\"kind\": \"attach\", \"from_s\": 1, \"to_s\": 0.5"),
	    "host.timeline[0]: it ends before it begins" },
	{ TIMELINE("\"kind\": \"attach\", \"call\": 0, " AT),
	    "host.timeline[0]: it must not have 'call'" },
	{ TIMELINE("\"kind\": \"input\", " AT),
	    "host.timeline[0]: it needs 'call'" },
	{ TIMELINE("\"kind\": \"input\", \"call\": -1, " AT),
	    "host.timeline[0].call: must be a whole number from 0 to "
	    "1000000000" },
	{ TIMELINE("\"kind\": \"run\", \"call\": 0, \"iteration\": 0, " AT),
	    "host.timeline[0]: it must not have 'iteration'" },
	{ TIMELINE("\"kind\": \"iteration\", \"call\": 0, " AT),
	    "host.timeline[0]: it needs 'iteration', one of those of a call" },
	{ TIMELINE(
	      "\"kind\": \"iteration\", \"call\": 0, \"iteration\": 1, " AT),
	    "host.timeline[0]: it needs 'iteration', one of those of a call" },
	{ STEP("\"kind\": \"sync\""),
	    "host.calls[0].steps[0].kind: must be forward, recompute, "
	    "backward, update or collective" },
	{ STEP("\"kind\": \"forward\", \"from_s\": 1"),
	    "host.calls[0].steps[0]: 'to_s' is missing" },
	{ STEP("\"kind\": \"forward\", \"from_s\": 2, \"to_s\": 1"),
	    "host.calls[0].steps[0]: it ends before it begins" },
	{ STEP("\"kind\": \"forward\", \"from_s\": 1, \"to_s\": 1"),
	    "host.calls[0].steps[0]: needs a stage from 0 to 1 and a "
	    "micro-batch from 0 to 2" },
	{ STEP("\"kind\": \"forward\", \"from_s\": 1, \"to_s\": 1, \"stage\": "
	       "1, \"micro_batch\": 3"),
	    "host.calls[0].steps[0]: needs a stage from 0 to 1 and a "
	    "micro-batch from 0 to 2" },
	{ STEP("\"kind\": \"forward\", \"from_s\": 1, \"to_s\": 1, \"stage\": "
	       "1, \"micro_batch\": 0, \"ipu\": 0"),
	    "host.calls[0].steps[0]: stage 1 is on IPU 1, not 0" },
	{ STEP("\"kind\": \"update\", \"from_s\": 1, \"to_s\": 1"),
	    "host.calls[0].steps[0]: needs 'ipu', one of 2, and no stage" },
	{ STEP("\"kind\": \"update\", \"from_s\": 1, \"to_s\": 1, \"ipu\": 2"),
	    "host.calls[0].steps[0]: needs 'ipu', one of 2, and no stage" },
	{ STEP("\"kind\": \"update\", \"from_s\": 1, \"to_s\": 1, \"ipu\": 0, "
	       "\"stage\": 0"),
	    "host.calls[0].steps[0]: needs 'ipu', one of 2, and no stage" },
	{ STEP("\"kind\": \"update\", \"from_s\": 1, \"to_s\": 1, \"ipu\": 0, "
	       "\"iteration\": 1"),
	    "host.calls[0].steps[0]: a call has no device iteration 1" },
	{ STEP("\"kind\": \"update\", \"from_s\": 1, \"to_s\": 1, \"ipu\": 0, "
	       "\"replica\": 1"),
	    "host.calls[0].steps[0]: replica 1 is not one of these" },
	{ "{" HEAD ", " STAGES
	  ", \"host\": {\"calls\": [{\"run_s\": 1, \"steps\": [{\"kind\": "
	  "\"backward\", \"from_s\": 1, \"to_s\": 1}]}]}}",
	    "host.calls[0].steps[0]: backward does not occur in inference" },
};

static void
test_refusals(void)
{
	struct outline o;
	struct error e;
	size_t i;

	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refused *r = &refusals[i];

		e.text[0] = '\0';
		is_int(outline_file_parse(&o, r->text, strlen(r->text), &e), -1,
		    r->text);
		is_str(e.text, r->why, r->text);
		outline_release(&o);
	}
}

/* So many of a text between two others, and why that is refused. */
static void
check_many(const char *before, const char *each, long count, const char *after,
    const char *why)
{
	struct memstream s;
	struct outline o;
	struct error e = { .text = "" };
	char *text;
	size_t size;
	long i;

	memstream_open(&s);
	fputs(before, s.file);
	for (i = 0; i < count; i++)
		fprintf(s.file, "%s%s", i > 0 && each[0] == '{' ? "," : "",
		    each);
	fputs(after, s.file);
	text = memstream_close(&s, &size);
	(void)outline_file_parse(&o, text, size, &e);
	is_str(e.text, why, each);
	outline_release(&o);
	free(text);
}

static void
test_too_many(void)
{
	const char begin[] = "{" HEAD ", \"stages\": [";

	check_many(begin, STAGE, 64, "]}", "");
	check_many(begin, STAGE, 65, "]}",
	    "stages: must be 1 to 64, but are 65");
	check_many(begin, "[", 1000000, "",
	    "the document is not valid JSON: unexpected end of data at byte "
	    "1000099");
	check_many("{" HEAD ", \"stages\": ", "[", 1, "[[[[3]]]]]}",
	    "stages[0]: must be an object");
	check_many("{" HEAD ", \"stages\": [{\"ipu\": 0, \"operations\": [", OP,
	    65536, "]}]}", "");
	check_many("{" HEAD ", \"stages\": [{\"ipu\": 0, \"operations\": [", OP,
	    65537, "]}]}",
	    "stages[0]: the model has more than 65536 operations");
	check_many("{" HEAD
		   ", \"stages\": [{\"ipu\": 0, \"operations\": [{\"name\": "
		   "\"a\", \"op\": \"b\", \"parameters\": [",
	    "{\"name\": \"w\", \"elements\": 137438953472}", 65537, "]}]}]}",
	    "stages[0].operations[0]: the model has more than 65536 "
	    "parameters");
}

static const char said[] =
    "{" TRAIN "\"gradient_accumulation\": 5, \"device_iterations\": null, "
    "\"host_in_bytes\": 12, \"host_out_bytes\": 34, \"stages\": [{\"ipu\": 2, "
    "\"blocks\": [\"x\", \"y\"], \"sent_bytes\": 56, \"operations\": "
    "[{\"name\": \"c\", \"op\": \"aten::add\", \"input_bytes\": 7, "
    "\"output_bytes\": 8, \"parameters\": [{\"name\": \"w\", \"elements\": "
    "9}]}]}, {\"ipu\": 0, \"operations\": [{\"name\": \"d\", \"op\": "
    "\"aten::view\", \"input_bytes\": 7}, {\"name\": \"e\", \"op\": "
    "\"aten::view\", \"class\": \"copy\", \"input_bytes\": 5, "
    "\"output_bytes\": 8, \"leaves\": true}]}], \"host\": {\"compile_s\": 2.5, "
    "\"calls\": [{\"run_s\": 1, \"steps\": [{\"kind\": \"backward\", "
    "\"stage\": 1, \"micro_batch\": 4, \"from_s\": 3, \"to_s\": 4}]}], "
    "\"timeline\": [{\"kind\": \"detach\", \"from_s\": 5, \"to_s\": 5}, "
    "{\"kind\": \"iteration\", \"call\": 7, \"iteration\": 0, \"from_s\": 1, "
    "\"to_s\": 3}]}}";

static void
test_said(void)
{
	const struct outline_operation *op;
	struct outline o;
	struct error e = { .text = "" };

	is_int(outline_file_parse(&o, said, sizeof(said) - 1, &e), 0, "said");
	is_str(e.text, "", "and taken");
	is_int(o.config.device_iterations, 1, "null says nothing");
	is_int(o.config.output_mode, OUTPUT_FINAL, "the last result");
	is_int(o.config.replica_ipus, 3, "IPUs up to the highest");
	is_int((long long)o.stages[0].received_bytes, 12, "from the host");
	is_int((long long)o.stages[1].received_bytes, 56, "from stage 0");
	is_int((long long)o.stages[1].sent_bytes, 34, "to the host");
	is_str(o.stages[0].blocks[1], "y", "a block");
	op = &o.stages[0].operations[0];
	is_int(op->class, OPERATION_ELEMENTWISE, "a class by its name");
	ok(op->backward_flops < 0, "no backward");
	is_int((long long)op->live_bytes, 15, "what is live");
	is_int((long long)op->parameters[0].bytes, 36, "floats");
	is_int((long long)op->parameters[0].state_bytes, 36, "and a state");
	is_int((long long)o.stages[1].operations[0].live_bytes, 0, "a view");
	op = &o.stages[1].operations[1];
	is_int(op->class, OPERATION_COPY, "a class that is said");
	is_int((long long)op->live_bytes, 5, "its output leaves the stage");
	is_near(o.compile_s, 2.5, 0, "compiling");
	is_int(o.calls[0].steps[0].step.ipu, 0, "where the stage stands");
	is_int(o.calls[0].steps[0].step.kind, STEP_BACKWARD, "what it was");
	is_int(o.activity_count, 2, "what the host did");
	is_int(o.activities[0].kind, HOST_DETACH, "at the end");
	is_int(o.activities[0].call, -1, "in no call");
	is_int(o.activities[1].call, 7, "in a call");
	is_int(o.activities[1].iteration, 0, "of the device");
	outline_release(&o);
}

static void
test_unsaid(void)
{
	static const char text[] = "{" HEAD ", " STAGES "}";
	struct outline o;

	is_int(outline_file_parse(&o, text, sizeof(text) - 1, NULL), 0,
	    "the smallest document");
	is_str(o.model, "n", "the model's name");
	is_near(o.clock_mhz, 1330, 0, "the clock");
	is_int(o.config.output_mode, OUTPUT_ALL, "all results");
	is_int(o.config.total_replicas, 1, "a replica");
	is_int(o.stages[0].operations[0].class, OPERATION_UNKNOWN, "class");
	ok(!o.has_host && o.config.outline == &o, "nothing measured");
	outline_release(&o);
	outline_release(&o);
}

int
main(void)
{
	test_refusals();
	test_too_many();
	test_said();
	test_unsaid();
	return tap_done();
}
