/*
 * What poprun honours, accepts and refuses of mpirun's arguments.
 */
#include "core/job/job.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/process/process.h"
#include "tests/unit/tap.h"

/* Read one text as arguments; the caller releases *m. */
static int
add(struct mpirun_local *m, struct strvec *args, const char *text,
    struct error *e)
{
	mpirun_local_init(m);
	strvec_init(args);
	(void)strvec_split(args, text, NULL);
	return mpirun_local_add(m, args, MPIRUN_LOCAL, e);
}

static void
test_variables(void)
{
	struct mpirun_local m;
	struct strvec args;
	struct error e = { .text = "" };

	(void)setenv("HERE", "its value", 1);
	(void)unsetenv("NOT_HERE");
	is_int(add(&m, &args,
		   "--tag-output -x A=1 -x HERE -x NOT_HERE -x "
		   "POPDIST_LOCAL_INSTANCE_INDEX=7",
		   &e),
	    0, "variables");
	is_int((long long)m.variables.count, 3, "three are set");
	is_str(m.variables.items[0], "A=1", "a value");
	is_str(m.variables.items[1], "HERE=its value", "the caller's");
	is_str(m.variables.items[2], "POPDIST_LOCAL_INSTANCE_INDEX=7",
	    "one of poprun's own");
	is_int((long long)m.missing.count, 1, "one is missing");
	is_str(m.missing.items[0], "NOT_HERE", "its name");
	strvec_release(&args);
	mpirun_local_release(&m);
}

/* What only mpirun knows is passed over; what is known counts all the same. */
static void
test_unknown(void)
{
	struct mpirun_local m;
	struct strvec args;
	struct error e = { .text = "" };

	is_int(add(&m, &args,
		   "--unknown a b --output-filename out --other "
		   "--merge-stderr-to-stdout",
		   &e),
	    1, "unknown arguments");
	is_str(e.text,
	    "the local launcher cannot honour '--unknown', an argument for "
	    "mpirun: use --launcher mpirun",
	    "the first of them");
	is_str(m.output_filename, "out", "one behind it");
	ok(m.merge_stderr, "and another");
	strvec_release(&args);
	mpirun_local_release(&m);
}

static void
test_honoured(void)
{
	struct mpirun_local m;
	struct strvec args;
	struct error e = { .text = "" };

	is_int(add(&m, &args,
		   "--wdir /a -wd /b --timeout 90 --output-filename out "
		   "--merge-stderr-to-stdout -q --oversubscribe "
		   "--allow-run-as-root",
		   &e),
	    0, "honoured");
	is_str(m.wdir, "/b", "the last directory counts");
	is_str(m.output_filename, "out", "files");
	is_int(m.timeout_s, 90, "seconds");
	ok(m.merge_stderr, "merged");
	is_int((long long)m.without_effect.count, 0, "all has an effect");
	strvec_release(&args);
	mpirun_local_release(&m);
}

static void
test_output_and_input(void)
{
	struct mpirun_local m;
	struct strvec args;
	struct error e = { .text = "" };

	is_int(add(&m, &args,
		   "--output-filename d/e:nojobid,NoCopy --timestamp-output "
		   "--stdin 3",
		   &e),
	    0, "output and input");
	is_str(m.output_filename, "d/e", "the directory");
	ok(m.no_job_id && m.no_copy, "and its qualifiers");
	ok(m.timestamps && m.has_stdin, "timestamps, input");
	is_int(m.stdin_to, 3, "of one");
	strvec_release(&args);
	mpirun_local_release(&m);
	is_int(add(&m, &args, "--output-filename d:nocopy --stdin none", &e), 0,
	    "again");
	ok(!m.no_job_id && m.no_copy, "one qualifier");
	is_int(m.stdin_to, STDIN_NONE, "no input");
	strvec_release(&args);
	mpirun_local_release(&m);
}

/* Where arguments stand decides which instances they reach. */
static void
test_scopes(void)
{
	struct mpirun_local m;
	struct strvec args;
	struct error e = { .text = "" };

	is_int(add(&m, &args, "-x A=1 --wdir /a --stdin all", &e), 0, "each");
	is_int((long long)m.first.count, 0, "after poprun's variables");
	mpirun_local_release(&m);
	mpirun_local_init(&m);
	is_int(mpirun_local_add(&m, &args, MPIRUN_GLOBAL, &e), 0, "the job");
	is_str(m.first.items[0], "A=1", "before poprun's variables");
	is_int((long long)m.variables.count, 0, "only there");
	is_str(m.wdir, "/a", "its directory");
	ok(m.not_reached == NULL, "instance 0 is reached");
	mpirun_local_release(&m);
	mpirun_local_init(&m);
	is_int(mpirun_local_add(&m, &args, MPIRUN_GLOBAL_OTHER, &e), 0,
	    "another instance");
	ok(m.first.count == 0 && m.variables.count == 0 && m.wdir == NULL,
	    "is not reached");
	is_str(m.not_reached[1], "A=1", "by the first of these");
	is_int(m.stdin_to, STDIN_ALL, "but by what concerns the job");
	mpirun_local_release(&m);
	mpirun_local_init(&m);
	is_int(mpirun_local_add(&m, &args, MPIRUN_INSTANCE, &e), -1,
	    "one instance");
	is_str(e.text,
	    "'--stdin' among the arguments of one instance for mpirun concerns "
	    "the whole job: write it in --mpi-global-args",
	    "cannot decide for all");
	mpirun_local_release(&m);
	strvec_release(&args);
}

/* mpirun gets what poprun does not do itself. */
static void
test_kept(void)
{
	struct strvec args, kept;
	char *text;

	strvec_init(&args);
	strvec_init(&kept);
	(void)strvec_split(&args,
	    "--output-filename d -x A --unknown a b --timeout 3 --mca stdin 1 "
	    "--stdin 1 -merge-stderr-to-stdout --tag-output "
	    "--timestamp-output",
	    NULL);
	mpirun_local_keep(&args, &kept);
	text = strvec_typed(kept.items);
	is_str(text, "-x A --unknown a b --mca stdin 1 --tag-output", "kept");
	free(text);
	strvec_release(&kept);
	strvec_release(&args);
}

static void
test_accepted(void)
{
	static const char *const texts[] = { "--mca btl_tcp_if_include eth0",
		"-mca pml ob1", "--map-by ppr:4:node", "--bind-to core",
		"--report-bindings", "-npernode 4", "--rank-by core",
		"--cpus-per-proc 2" };
	struct mpirun_local m;
	struct strvec args;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		is_int(add(&m, &args, texts[i], &e), 0, texts[i]);
		is_int((long long)m.without_effect.count, 1, texts[i]);
		ok(strncmp(m.without_effect.items[0], texts[i],
		       strlen(args.items[0])) == 0,
		    "named as it was given");
		strvec_release(&args);
		mpirun_local_release(&m);
	}
}

static const struct {
	const char *text;
	const char *reason;
} refused[] = {
	{ "--host a",
	    "the local launcher cannot honour '--host', an argument for "
	    "mpirun: use --launcher mpirun" },
	{ "-np 4",
	    "the local launcher cannot honour '-np', an argument for mpirun: "
	    "use --launcher mpirun" },
	{ "--report-pid -",
	    "the local launcher cannot honour '--report-pid', an argument for "
	    "mpirun: use --launcher mpirun" },
	{ "--xml",
	    "'--xml' among the arguments for mpirun: poprun does not write "
	    "XML: --tag-format chooses the form of the lines" },
	{ "--gmca orte_xml_output 1",
	    "'--gmca orte_xml_output' among the arguments for mpirun: poprun "
	    "does not write XML: --tag-format chooses the form of the lines" },
	{ "--mca orte_timestamp_output 1",
	    "'--mca orte_timestamp_output' among the arguments for mpirun: "
	    "write --timestamp-output" },
	{ "--output-filename d:nojobid,no",
	    "--output-filename d:nojobid,no: 'no' is unknown; nojobid and "
	    "nocopy, separated by commas, may follow the colon" },
	{ "--output-filename d:",
	    "--output-filename d:: '' is unknown; nojobid and nocopy, "
	    "separated by commas, may follow the colon" },
	{ "--stdin some",
	    "--stdin 'some': not a whole number (or all, or none)" },
	{ "word",
	    "'word' among the arguments for mpirun is not an option: mpirun "
	    "would run it as the program" },
	{ "-x A A=b",
	    "'A=b' among the arguments for mpirun is not an option: mpirun "
	    "would run it as the program; -x NAME=VALUE sets a variable" },
	{ "---x A",
	    "the local launcher cannot honour '---x', an argument for mpirun: "
	    "use --launcher mpirun" },
	{ "-x",
	    "'-x' among the arguments for mpirun needs NAME or NAME=VALUE" },
	{ "--mca a",
	    "'--mca' among the arguments for mpirun needs two values" },
	{ "--wdir", "'--wdir' among the arguments for mpirun needs a value" },
	{ "--timeout soon", "--timeout 'soon': not a whole number" },
};

static void
test_refused(void)
{
	struct mpirun_local m;
	struct strvec args;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		is_int(add(&m, &args, refused[i].text, &e),
		    strstr(refused[i].reason, "cannot honour") != NULL ? 1 : -1,
		    refused[i].text);
		is_str(e.text, refused[i].reason, refused[i].text);
		strvec_release(&args);
		mpirun_local_release(&m);
	}
}

int
main(void)
{
	test_variables();
	test_honoured();
	test_output_and_input();
	test_scopes();
	test_kept();
	test_unknown();
	test_accepted();
	test_refused();
	return tap_done();
}
