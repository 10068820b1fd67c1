/*
 * What the local launcher honours, accepts and refuses of mpirun's arguments.
 */
#include "core/job/job.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

/* Read one text as arguments; the caller releases *m. */
static int
add(struct mpirun_local *m, struct strvec *args, const char *text,
    struct error *e)
{
	mpirun_local_init(m);
	strvec_init(args);
	(void)strvec_split(args, text, NULL);
	return mpirun_local_add(m, args, e);
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
	{ "--timestamp-output",
	    "the local launcher cannot honour '--timestamp-output', an "
	    "argument for mpirun: use --launcher mpirun" },
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
	test_unknown();
	test_accepted();
	test_refused();
	return tap_done();
}
