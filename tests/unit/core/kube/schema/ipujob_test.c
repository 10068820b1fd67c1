/* ipujob: the numbers of a job, its names, and its exit codes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/schema/schema.h"
#include "tests/unit/tap.h"

/* The smallest job, with more fields of its spec. */
#define JOB(more) \
	"metadata: {name: bert}\n" \
	"spec: {jobInstances: 2, ipusPerJobInstance: \"4\", " \
	"workers: {template: {spec: {containers: []}}}" more "}\n"

/* Everything about a job, or why there is none; the caller frees it. */
static char *
dump_job(const char *text)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;
	struct memstream m;
	struct ipujob job;
	struct error e = { .text = "" };

	memstream_open(&m);
	if (yaml_parse(arena, "f", text, strlen(text), &documents, &e) != 1 ||
	    ipujob_read(documents[0], "lab", &job, &e) != 0)
		fprintf(m.file, "%s", e.text);
	else
		fprintf(m.file,
		    "%s/%s %dx%d, %d workers of %d replicas, clean %d, restart "
		    "%d %d %s, ttl %lld, launcher %d",
		    job.space, job.name, job.instances, job.ipus, job.workers,
		    job.model_replicas, (int)job.clean, (int)job.restart,
		    job.backoff_limit,
		    job.exit_codes == NULL ? "-" : job.exit_codes,
		    (long long)job.ttl_seconds, job.launcher != NULL);
	yaml_arena_free(arena);
	return memstream_close(&m, NULL);
}

static void
test_read(void)
{
	static const struct {
		const char *text;
		const char *wanted;
	} vectors[] = {
		{ JOB(""),
		    "lab/bert 2x4, 1 workers of 0 replicas, clean 0, restart 2 "
		    "3 -, ttl -1, launcher 0" },
		{ JOB(", cleanPodPolicy: Workers, restartPolicy: {type: "
		      "ExitCode, backOffLimit: 0, exitCodes: \"1-3,7\"}, "
		      "interactive: {ttl: 60}, launcher: {command: [x]}, "
		      "modelReplicasPerWorker: \"2\", workersPerJobInstance: "
		      "\"2\""),
		    "lab/bert 2x4, 2 workers of 2 replicas, clean 2, restart 3 "
		    "0 1-3,7, ttl 60, launcher 1" },
		{ JOB(", cleanPodPolicy: All, restartPolicy: {type: Always}"),
		    "lab/bert 2x4, 1 workers of 0 replicas, clean 1, restart 0 "
		    "3 -, ttl -1, launcher 0" },
		{ JOB(", restartPolicy: {type: OnFailure}, launcher: ~, "
		      "interactive: ~"),
		    "lab/bert 2x4, 1 workers of 0 replicas, clean 0, restart 1 "
		    "3 -, ttl -1, launcher 0" },
		/* no name yet; workers.replicas */
		{ "spec: {jobInstances: 1, ipusPerJobInstance: \"64\", "
		  "workers: {replicas: 3, template: {}}}",
		    "lab/ 1x64, 3 workers of 0 replicas, clean 0, restart 2 3 "
		    "-, ttl -1, launcher 0" },
		/* what is refused */
		{ "spec: {jobInstances: 0}",
		    "spec.jobInstances: must be a number from 1 to 1000, not "
		    "0" },
		{ "spec: {jobInstances: 1001}",
		    "spec.jobInstances: must be a number from 1 to 1000, not "
		    "1001" },
		{ "spec: {}",
		    "spec.jobInstances: must be a number from 1 to 1000, not "
		    "0" },
		{ "spec: {jobInstances: 1}",
		    "spec.ipusPerJobInstance: missing" },
		{ "spec: {jobInstances: 1, ipusPerJobInstance: \"6\"}",
		    "spec.ipusPerJobInstance: must be a power of two from 1 to "
		    "64, not '6' (4 and 8 are the nearest)" },
		{ "spec: {jobInstances: 1, ipusPerJobInstance: \"1\"}",
		    "spec.workers.template: missing" },
		{ JOB(", workersPerJobInstance: \"0\""),
		    "spec.workersPerJobInstance: must be a number from 1 to "
		    "1000, not '0'" },
		{ JOB(", modelReplicasPerWorker: two"),
		    "spec.modelReplicasPerWorker: must be a number from 1 to "
		    "1000, not 'two'" },
		{ JOB(", restartPolicy: {type: Never, backOffLimit: -1}"),
		    "spec.restartPolicy.backOffLimit: must be a number from 0 "
		    "to 1000, not -1" },
		{ JOB(", restartPolicy: {type: Nevr}"),
		    "spec.restartPolicy.type: must be Always, OnFailure, Never "
		    "or ExitCode, not 'Nevr'" },
		{ JOB(", restartPolicy: {type: Never, exitCodes: \"1\"}"),
		    "spec.restartPolicy.exitCodes: allowed only with type "
		    "ExitCode" },
		{ JOB(", interactive: {ttl: -5}"),
		    "spec.interactive.ttl: must be a number of seconds" },
		{ JOB(", interactive: {}"),
		    "spec.interactive.ttl: must be a number of seconds" },
		{ "metadata: {name: Bert}",
		    "metadata.name: 'Bert': must consist of lower case "
		    "letters, digits, '-' and '.', with a letter or a digit at "
		    "both ends of each part (did you mean bert?)" },
		{ "[]",
		    "spec.jobInstances: must be a number from 1 to 1000, not "
		    "0" },
	};
	char *got, name[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		got = dump_job(vectors[i].text);
		(void)snprintf(name, sizeof(name), "job %zu", i);
		is_str(got, vectors[i].wanted, name);
		free(got);
	}
}

static void
test_ipus(void)
{
	static const struct {
		const char *text;
		int ipus;
		const char *error;
	} vectors[] = {
		{ "1", 1, NULL },
		{ "2", 2, NULL },
		{ "4", 4, NULL },
		{ "16", 16, NULL },
		{ "64", 64, NULL },
		{ "3", 0,
		    "must be a power of two from 1 to 64, not '3' (2 and 4 are "
		    "the nearest)" },
		{ "63", 0,
		    "must be a power of two from 1 to 64, not '63' (32 and 64 "
		    "are the nearest)" },
		{ "0", 0, "must be a power of two from 1 to 64, not '0'" },
		{ "128", 0, "must be a power of two from 1 to 64, not '128'" },
		{ "-4", 0, "must be a power of two from 1 to 64, not '-4'" },
		{ "four", 0,
		    "must be a power of two from 1 to 64, not 'four'" },
		{ "", 0, "must be a power of two from 1 to 64, not ''" },
		{ "4.0", 0, "must be a power of two from 1 to 64, not '4.0'" },
	};
	struct error e;
	int ipus;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		ipus = 0;
		e.text[0] = '\0';
		is_int(ipujob_parse_ipus(vectors[i].text, &ipus, &e),
		    vectors[i].error == NULL ? 0 : -1, vectors[i].text);
		is_int(ipus, vectors[i].ipus, "IPUs");
		if (vectors[i].error != NULL)
			is_str(e.text, vectors[i].error, "why not");
	}
}

static void
test_names(void)
{
	const struct ipujob job = { .name = "bert",
		.space = "gc-dev",
		.workers = 3 };
	const uint8_t low[5] = { 0, 1, 2, 3, 4 };
	const uint8_t high[5] = { 26, 27, 53, 54, 255 };
	char name[IPUJOB_NAME_SIZE];

	ipujob_worker_name(&job, 0, 0, name);
	is_str(name, "bert-worker-0", "the first worker");
	ipujob_worker_name(&job, 2, 1, name);
	is_str(name, "bert-worker-7", "one of the third job instance");
	ipujob_launcher_name(&job, 0, name);
	is_str(name, "bert-launcher", "the first launcher");
	ipujob_launcher_name(&job, 2, name);
	is_str(name, "bert-launcher-2", "that of the third job instance");
	ipujob_partition_name(&job, 0, name);
	is_str(name, "p-bert-gc-dev-0", "its partition");
	ipujob_generate_name("bert-", low, name);
	is_str(name, "bert-bcdfg", "a generated name");
	ipujob_generate_name("bert-", high, name);
	is_str(name, "bert-9b9bq", "bytes beyond the alphabet");
}

#define TOO_LONG \
	"; programs of a job with a longer name fail to attach to its IPUs"

static void
test_name_rules(void)
{
	static const struct {
		const char *name;
		const char *error; /* NULL: it is good */
		const char *generate_error;
	} vectors[] = {
		{ "bert", NULL, NULL },
		{ "bert-poprun-64ipus-0123456789abcdef0", NULL,
		    "'bert-poprun-64ipus-0123456789abcdef0': has 36 characters "
		    "and gets 5 more, but at most 36 are allowed" TOO_LONG },
		{ "bert-poprun-64ipus-0123456789abcdef01",
		    "'bert-poprun-64ipus-0123456789abcdef01': has 37 "
		    "characters, but at most 36 are allowed" TOO_LONG,
		    "'bert-poprun-64ipus-0123456789abcdef01': has 37 "
		    "characters and gets 5 more, but at most 36 are "
		    "allowed" TOO_LONG },
		{ "bert-poprun-64ipus-0123456789a-",
		    "'bert-poprun-64ipus-0123456789a-': must consist of lower "
		    "case letters, digits, '-' and '.', with a letter or a "
		    "digit at both ends of each part",
		    NULL },
		{ "a.",
		    "'a.': must consist of lower case letters, digits, '-' and "
		    "'.', with a letter or a digit at both ends of each part",
		    NULL },
		{ "A-",
		    "'A-': must consist of lower case letters, digits, '-' and "
		    "'.', with a letter or a digit at both ends of each part",
		    "'A-': must begin with a letter or a digit, and have only "
		    "lower case letters, digits, '-' and '.'" },
	};
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		e.text[0] = '\0';
		is_int(ipujob_check_name(vectors[i].name, &e),
		    vectors[i].error == NULL ? 0 : -1, vectors[i].name);
		is_str(e.text, vectors[i].error == NULL ? "" : vectors[i].error,
		    "as a name");
		e.text[0] = '\0';
		is_int(ipujob_check_generate_name(vectors[i].name, &e),
		    vectors[i].generate_error == NULL ? 0 : -1,
		    vectors[i].name);
		is_str(e.text,
		    vectors[i].generate_error == NULL ?
			"" :
			vectors[i].generate_error,
		    "as the beginning of one");
	}
}

static void
test_exit_codes(void)
{
	static const struct {
		const char *codes;   /* NULL: none are given */
		const char *retried; /* of 0 1 2 3 127 128 255 256 */
	} vectors[] = {
		{ NULL, "00000110" },
		{ "1", "01000000" },
		{ "1-3", "01110000" },
		{ "1-2,127-128", "01101100" },
		{ "0-255", "11111110" },
		{ "2,2,2", "00100000" },
		{ "001", "01000000" },
	};
	static const int statuses[] = { 0, 1, 2, 3, 127, 128, 255, 256 };
	struct ipujob job = { .workers = 1 };
	char got[ARRAY_SIZE(statuses) + 1];
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		job.exit_codes = vectors[i].codes;
		for (j = 0; j < ARRAY_SIZE(statuses); j++)
			got[j] = ipujob_is_retried(&job, statuses[j]) ?
			    '1' :
			    '0';
		got[j] = '\0';
		is_str(got, vectors[i].retried,
		    vectors[i].codes == NULL ? "none" : vectors[i].codes);
		ok(vectors[i].codes == NULL ||
			ipujob_check_exit_codes(vectors[i].codes, NULL) == 0,
		    "they are good");
	}
}

static void
test_bad_exit_codes(void)
{
	static const struct {
		const char *codes;
		const char *error;
	} vectors[] = {
		{ "",
		    "must be numbers and ranges separated by commas, such as "
		    "1-127,130, not ''" },
		{ "1,",
		    "must be numbers and ranges separated by commas, such as "
		    "1-127,130, not '1,'" },
		{ "1-",
		    "must be numbers and ranges separated by commas, such as "
		    "1-127,130, not '1-'" },
		{ "1 2",
		    "must be numbers and ranges separated by commas, such as "
		    "1-127,130, not '1 2'" },
		{ "1-2-3",
		    "must be numbers and ranges separated by commas, such as "
		    "1-127,130, not '1-2-3'" },
		{ "3-1",
		    "'3-1': exit codes are from 0 to 255, and each range must "
		    "ascend" },
		{ "256",
		    "'256': exit codes are from 0 to 255, and each range must "
		    "ascend" },
		{ "1-99999999999999999999",
		    "'1-99999999999999999999': exit codes are from 0 to 255, "
		    "and each range must ascend" },
	};
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		is_int(ipujob_check_exit_codes(vectors[i].codes, &e), -1,
		    vectors[i].codes);
		is_str(e.text, vectors[i].error, "why not");
	}
}

int
main(void)
{
	test_read();
	test_ipus();
	test_names();
	test_name_rules();
	test_exit_codes();
	test_bad_exit_codes();
	return tap_done();
}
