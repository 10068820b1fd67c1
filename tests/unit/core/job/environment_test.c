/*
 * The environment contract, POPLAR_TARGET_OPTIONS and mpirun's command line,
 * against a published log.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/job/job.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

static const char options_64[] =
    "{\"ipuLinkDomainSize\":\"64\",\"ipuLinkConfiguration\":\"slidingWindow\","
    "\"ipuLinkTopology\":\"torus\",\"gatewayMode\":\"true\",\"instanceSize\":"
    "\"64\"}";

/* The log of 16 replicas of 4 IPUs in one instance, a line an argument. */
static const char published[] =
    "/opt/poplar/bin/mpirun\n--tag-output\n--bind-to\nnone\n--tag-output\n"
    "--allow-run-as-root\n-np\n1\n-x\nPOPDIST_NUM_TOTAL_REPLICAS=16\n"
    "-x\nPOPDIST_NUM_IPUS_PER_REPLICA=4\n"
    "-x\nPOPDIST_NUM_LOCAL_REPLICAS=16\n"
    "-x\nPOPDIST_UNIFORM_REPLICAS_PER_INSTANCE=1\n"
    "-x\nPOPDIST_REPLICA_INDEX_OFFSET=0\n"
    "-x\nPOPDIST_LOCAL_INSTANCE_INDEX=0\n"
    "-x\nIPUOF_VIPU_API_HOST=10.21.21.129\n"
    "-x\nIPUOF_VIPU_API_PORT=8090\n"
    "-x\nIPUOF_VIPU_API_PARTITION_ID=p-bert-poprun-64ipus-gc-dev-0\n"
    "-x\nIPUOF_VIPU_API_TIMEOUT=120\n-x\nIPUOF_VIPU_API_GCD_ID=0\n"
    "-x\nIPUOF_LOG_LEVEL=WARN\n-x\nPATH\n-x\nLD_LIBRARY_PATH\n"
    "-x\nPYTHONPATH\n-x\nPOPLAR_TARGET_OPTIONS={\"ipuLinkDomainSize\":\"64\","
    "\"ipuLinkConfiguration\":\"slidingWindow\",\"ipuLinkTopology\":\"torus\","
    "\"gatewayMode\":\"true\",\"instanceSize\":\"64\"}\n"
    "python3\nrun_pretraining.py\n--config\npretrain_large_128_POD64\n";

static char path[] = "PATH", library[] = "LD_LIBRARY_PATH",
	    python[] = "PYTHONPATH";
static char *forwarded[] = { path, library, python, NULL };

static char *
joined(const struct strvec *w)
{
	char *text;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; i < w->count; i++)
		fprintf(out, "%s\n", w->items[i]);
	(void)fclose(out);
	return text;
}

static void
is_words(const struct strvec *w, const char *wanted, const char *name)
{
	char *text = joined(w);

	is_str(text, wanted, name);
	free(text);
}

static void
test_published(void)
{
	static const struct layout layout = { 16, 4, 1, 1, 1, NULL };
	const struct environment env = { .layout = &layout,
		.server_host = "10.21.21.129",
		.server_port = 8090,
		.server_timeout_s = 120,
		.partition = "p-bert-poprun-64ipus-gc-dev-0",
		.log_level = "WARN",
		.forwarded = forwarded,
		.target_options = options_64 };
	struct strvec variables, global, local, program, argv;
	struct error e = { .text = "" };

	strvec_init(&variables);
	strvec_init(&global);
	strvec_init(&local);
	strvec_init(&program);
	strvec_init(&argv);
	(void)strvec_split(&program,
	    "python3 run_pretraining.py --config pretrain_large_128_POD64", &e);
	(void)strvec_split(&global, "--tag-output", &e);
	environment_add(&env, 0, &variables);
	mpirun_command(&(struct mpirun){ .path = "/opt/poplar/bin/mpirun",
			   .global_args = &global,
			   .local_args = &local,
			   .allow_run_as_root = true,
			   .num_instances = 1,
			   .environments = &variables,
			   .placement = "--bind-to none",
			   .program = program.items },
	    &argv);
	is_words(&argv, published, "published command");
	strvec_release(&variables);
	strvec_release(&global);
	strvec_release(&local);
	strvec_release(&program);
	strvec_release(&argv);
}

/* Which arguments of the user say where processes run on a host. */
static void
test_placement_words(void)
{
	static const struct {
		const char *args;
		bool place;
	} rows[] = { { "", false }, { "--bind-to core", true },
		{ "-bind-to none", true }, { "--map-by ppr:4:node", true },
		{ "-x A --tag-output --cpu-list 0,1", true },
		{ "-rf FILE", true }, { "--rankfile FILE", true },
		{ "--mca hwloc_base_binding_policy core", true },
		{ "-gmca rmaps_base_mapping_policy slot", true },
		{ "--mca btl_tcp_if_include bind-to", false },
		{ "--mca", false }, { "-x hwloc_base_binding_policy", false },
		{ "bind-to", false }, { "---bind-to", false },
		{ "--report-bindings --rank-by core -N 4", false } };
	struct strvec args;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		strvec_init(&args);
		(void)strvec_split(&args, rows[i].args, &e);
		ok(mpirun_args_place(&args) == rows[i].place, rows[i].args);
		strvec_release(&args);
	}
}

/* What mpirun is told where a host has many instances. */
static void
test_spawning(const struct strvec *parent)
{
	static const struct {
		int per_host;
		bool far;
		const char *global, *words;
	} rows[] = {
		{ 31, true, "", "" },
		{ 32, false, "", "--mca\nodls_base_num_threads\n0\n" },
		{ 199, true, "", "--mca\nodls_base_num_threads\n0\n" },
		{ 200, false, "", "--mca\nodls_base_num_threads\n0\n" },
		{ 200, true, "",
		    "--mca\nodls_base_num_threads\n0\n"
		    "--mca\nopal_set_max_sys_limits\nopenfiles:max\n" },
		{ 64, false, "--mca odls_base_num_threads 2",
		    "--mca\nodls_base_num_threads\n2\n" },
	};
	struct strvec global, argv;
	struct error e;
	char wanted[256], what[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		strvec_init(&global);
		strvec_init(&argv);
		(void)strvec_split(&global, rows[i].global, &e);
		mpirun_command(&(struct mpirun){ .path = "m",
				   .global_args = &global,
				   .placement = "",
				   .parent = parent,
				   .hosts = rows[i].far ? forwarded : NULL,
				   .instances_per_host = rows[i].per_host },
		    &argv);
		(void)snprintf(wanted, sizeof(wanted), "m\n%s--tag-output\n%s",
		    rows[i].far ? "" : "--noprefix\n", rows[i].words);
		(void)snprintf(what, sizeof(what), "%d instances per host %s",
		    rows[i].per_host, rows[i].global);
		is_words(&argv, wanted, what);
		strvec_release(&argv);
		strvec_release(&global);
	}
}

static void
test_contexts(void)
{
	struct strvec variables[2], global, local, program, parent, argv;
	struct error e;

	strvec_init(&variables[0]);
	strvec_init(&variables[1]);
	strvec_init(&global);
	strvec_init(&local);
	strvec_init(&program);
	strvec_init(&parent);
	strvec_init(&argv);
	strvec_add(&variables[0], "A=0");
	strvec_add(&variables[1], "A=1");
	(void)strvec_split(&local, "-x A=user", &e);
	strvec_add(&program, "prog");
	mpirun_command(&(struct mpirun){ .path = "m",
			   .global_args = &global,
			   .local_args = &local,
			   .num_instances = 2,
			   .placement = "--bind-to none",
			   .environments = variables,
			   .program = program.items },
	    &argv);
	is_words(&argv,
	    "m\n--tag-output\n--bind-to\nnone\n--oversubscribe\n"
	    "-np\n1\n-x\nA=0\n-x\nA=user\nprog\n:\n"
	    "-np\n1\n-x\nA=1\n-x\nA=user\nprog\n",
	    "one context an instance, the user's variables last");
	strvec_release(&argv);
	strvec_add(&program, ":");
	strvec_add(&program, "\\:");
	strvec_add(&program, "a:");
	(void)strvec_split(&parent, "ipubox __parent", &e);
	mpirun_command(&(struct mpirun){ .path = "m",
			   .global_args = &global,
			   .local_args = &local,
			   .num_instances = 2,
			   .placement = "",
			   .parent = &parent,
			   .environments = variables,
			   .program = program.items },
	    &argv);
	is_words(&argv,
	    "m\n--noprefix\n--tag-output\n"
	    "--oversubscribe\n-np\n1\n-x\nA=0\n-x\nIPUBOX_LINK\n"
	    "-x\nIPUBOX_LINK_SECRET\n"
	    "-x\nA=user\nipubox\n__parent\n0\nprog\n\\:\n\\\\:\na:\n:\n"
	    "-np\n1\n-x\nA=1\n-x\nIPUBOX_LINK\n-x\nIPUBOX_LINK_SECRET\n"
	    "-x\nA=user\nipubox\n__parent\n1\nprog\n\\:\n\\\\:\na:\n",
	    "below our parents, with a word ':' hidden");
	test_spawning(&parent);
	strvec_release(&parent);
	strvec_release(&variables[0]);
	strvec_release(&variables[1]);
	strvec_release(&global);
	strvec_release(&local);
	strvec_release(&program);
	strvec_release(&argv);
}

/* 8 replicas of 2 IPUs in 4 instances, the last of them. */
static void
test_instance(void)
{
	static const struct layout layout = { 8, 2, 4, 1, 1, NULL };
	struct environment env = { .layout = &layout,
		.server_host = "local",
		.server_port = 8090,
		.server_timeout_s = 120,
		.partition = "p",
		.log_level = "INFO" };
	struct strvec w;

	strvec_init(&w);
	environment_add_ranks(&layout, 3, &w);
	environment_add(&env, 3, &w);
	is_words(&w,
	    "OMPI_COMM_WORLD_SIZE=4\nOMPI_COMM_WORLD_RANK=3\n"
	    "OMPI_COMM_WORLD_LOCAL_SIZE=4\nOMPI_COMM_WORLD_LOCAL_RANK=3\n"
	    "OMPI_COMM_WORLD_NODE_RANK=3\nOMPI_UNIVERSE_SIZE=4\n"
	    "POPDIST_NUM_TOTAL_REPLICAS=8\nPOPDIST_NUM_IPUS_PER_REPLICA=2\n"
	    "POPDIST_NUM_LOCAL_REPLICAS=2\n"
	    "POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=1\n"
	    "POPDIST_REPLICA_INDEX_OFFSET=6\nPOPDIST_LOCAL_INSTANCE_INDEX=3\n"
	    "IPUOF_VIPU_API_HOST=local\nIPUOF_VIPU_API_PORT=8090\n"
	    "IPUOF_VIPU_API_PARTITION_ID=p\nIPUOF_VIPU_API_TIMEOUT=120\n"
	    "IPUOF_VIPU_API_GCD_ID=3\nIPUOF_LOG_LEVEL=INFO\n",
	    "an instance's variables");
	strvec_release(&w);
	env.one_gcd = true;
	environment_add(&env, 3, &w);
	is_str(w.items[10], "IPUOF_VIPU_API_GCD_ID=0", "reconfigurable");
	strvec_release(&w);
	env.autoreport_dir = "/tmp/p";
	environment_add(&env, 3, &w);
	is_str(w.items[w.count - 1], "POPDIST_AUTOREPORT_DIRECTORY=/tmp/p",
	    "the program adds its index");
	strvec_release(&w);
}

static void
test_merge_environment(void)
{
	char config[] = "IPUOF_CONFIG_PATH=/x", home[] = "HOME=/h";
	char old[] = "A=old", longer[] = "AB=kept";
	char new[] = "A=new", newer[] = "A=newer", name[] = "HOME";
	char *const caller[] = { config, home, old, longer, NULL };
	char of_all[] = "B=all", of_one[] = "B=one";
	char *const added[] = { new, name, newer, NULL };
	char *const common[] = { of_all, new, NULL };
	char *const own[] = { newer, of_one, name, NULL };
	struct strvec w;
	char **merged;

	strvec_init(&w);
	merged = environment_merge(caller, added, NULL);
	strvec_add_all(&w, merged);
	is_words(&w, "HOME=/h\nAB=kept\nA=newer\n", "the last one counts");
	is_int(merged[0] == home, 1, "words are not copied");
	free(merged);
	strvec_release(&w);
	merged = environment_merge(caller, common, own);
	strvec_add_all(&w, merged);
	is_words(&w, "HOME=/h\nAB=kept\nA=newer\nB=one\n",
	    "an instance's own replace those of all");
	free(merged);
	strvec_release(&w);
}

struct merge_row {
	const char *low, *high;
	const char *wanted; /* NULL: refused */
};

static const struct merge_row merges[] = {
	{ NULL, NULL, "{}" },
	{ NULL, "", "{}" },
	{ NULL, "{\"ipuLinkDomainSize\":\"64\"}",
	    "{\"ipuLinkDomainSize\":\"64\"}" },
	{ "{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}", "{\"d\":\"9\", \"b\":\"7\"}",
	    "{\"a\":\"1\",\"b\":\"7\",\"c\":\"3\",\"d\":\"9\"}" },
	{ "{\"a\":\"1\"}", "{}", "{\"a\":\"1\"}" },
	{ NULL, "{\"a\":64,\"b\":true,\"c\":1.5}",
	    "{\"a\":\"64\",\"b\":\"true\",\"c\":\"1.5\"}" },
	{ NULL, "[]", NULL },
	{ NULL, "{", NULL },
	{ NULL, "ipuLinkDomainSize=64", NULL },
};

static const struct {
	const char *configuration, *topology;
	int routing;
} routings[] = {
	{ "default", "mesh", IRT_DNC },
	{ "slidingWindow", "mesh", IRT_SWNC },
	{ "slidingWindow", "torus", IRT_RINGSWNC },
	{ "barleyTwist", "torus", IRT_BTNC },
};

static void
test_target_options(void)
{
	struct target_options o = { 64, NULL, NULL, 64 };
	struct error e;
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(routings); i++) {
		target_options_set_routing(&o, routings[i].routing);
		is_str(o.link_configuration, routings[i].configuration,
		    "the words of a routing");
		is_str(o.link_topology, routings[i].topology,
		    "and its topology");
	}

	text = target_options_text(&(struct target_options){ 64,
	    "slidingWindow", "torus", 64 });
	is_str(text, options_64, "published options");
	free(text);
	for (i = 0; i < ARRAY_SIZE(merges); i++) {
		text = target_options_merge(merges[i].low, "VARIABLE",
		    merges[i].high, &e);
		is_str(text, merges[i].wanted, "merge");
		if (text == NULL)
			ok(strstr(e.text, "VARIABLE is not valid JSON: ") ==
				    e.text ||
				strstr(e.text, "VARIABLE must be a JSON ") ==
				    e.text,
			    "the reason names the variable");
		free(text);
	}
}

int
main(void)
{
	test_published();
	test_placement_words();
	test_contexts();
	test_instance();
	test_merge_environment();
	test_target_options();
	return tap_done();
}
