/*
 * Applying a document through the controller: what is refused before
 * anything is changed, and programs that stay attached.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/control/apply.h"
#include "core/control/controller_internal.h"
#include "core/control/transaction.h"
#include "core/pod/document/document_text.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

#define POD	"[pod]\nname = pod64\n[cluster cl0]\nagents = ag[01-16]\n"
#define KEPT	"[partition kept]\nsize = 4\nrelocatable = yes\n"

static struct controller	*controller;

static void
open_controller(const char *state)
{
	struct error	e;

	controller_close(controller);
	use_state(state);
	controller = controller_open_local(&(struct caller){ .admin = true },
	    &e);
	if (controller == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
}

/* Apply the text; how many lines the plan had, or -1. */
static int
apply(const char *text, bool force, struct error *e)
{
	struct document	d;
	struct pod_plan	plan;
	int		lines = -1;

	if (document_parse(&d, "d", text, e) == 0 &&
	    apply_plan(controller, &d, &plan, e) == 0) {
		if (apply_run(controller, &plan, force, true, e) == 0)
			lines = (int)plan.lines.count;
		pod_plan_release(&plan);
	}
	document_release(&d);
	return lines;
}

/* All that is now, as one text. */
static char *
now(void)
{
	struct snapshot	s;
	struct error	e;
	char		*text;

	if (transaction_list(controller, &s, &e) != 0)
		exit(1);
	text = document_text(&s.pod, s.partitions, s.partition_count);
	snapshot_release(&s);
	return text;
}

/* The refusal begins and ends so, and nothing has changed since. */
static void
is_refused(const char *text, bool force, const char *begin, const char *end,
    const char *name)
{
	struct error	e = { .text = "" };
	char		*before = now(), *after;
	size_t		len, tail = strlen(end);

	is_int(apply(text, force, &e), -1, name);
	len = strlen(e.text);
	if (!ok(strncmp(e.text, begin, strlen(begin)) == 0 && len >= tail &&
	    strcmp(e.text + len - tail, end) == 0, "it says why"))
		fprintf(stderr, "# %s\n", e.text);
	after = now();
	is_str(after, before, "nothing has changed");
	check_in_step("on the disk and in the mirror");
	free(before);
	free(after);
}

static void
test_force(void)
{
	struct error	e;

	open_controller("force");
	is_int(apply(POD KEPT "[partition a]\nsize = 8\nrelocatable = yes\n"
	    "[partition b]\nsize = 8\nrelocatable = yes\n", false, &e), 3,
	    "three partitions");
	is_refused(POD KEPT, false, "2 partitions would be removed (a, b); "
	    "--force does it", "", "two of them would go");
	is_int(apply(POD KEPT, true, &e), 2, "forced");
	is_int(apply(POD KEPT, false, &e), 0, "nothing is left to do");
	check_in_step("on the disk and in the mirror");
}

static void
test_attached(void)
{
	struct holder	h;
	struct error	e;

	open_controller("attached");
	is_int(apply(POD KEPT "[partition used]\nsize = 8\n"
	    "relocatable = yes\n", false, &e), 2, "two partitions");
	h = hold_ipus(0, 4);	/* of the larger one */
	is_refused(POD KEPT, true, "partition used would be removed, and is "
	    "in use: ", "is attached to ag01:0; end it first",
	    "a program is attached to one that would go");
	is_refused(POD "[partition used]\nsize = 4\nrelocatable = yes\n",
	    true, "partition used would be removed, and is in use: ",
	    "is attached to ag01:0; end it first", "or would be another");
	is_refused("[pod]\nname = p\n[cluster cl0]\nagents = ag[01-08]\n"
	    "[partition used]\nsize = 8\nfirst-ipu = ag03:0\n", true,
	    "partition used would be removed, and is in use: ",
	    "end it first", "or would move");
	is_int(apply(POD "[partition used]\nsize = 8\nrelocatable = yes\n"
	    "[partition more]\nsize = 16\nrelocatable = yes\n", true, &e),
	    2, "the others go and come");
	is_int(apply("[pod]\nname = q\n[cluster cl0]\nagents = ag[01-16]\n"
	    "[spare]\nagents = ag[17-20]\n[partition used]\nsize = 8\n"
	    "relocatable = yes\n", true, &e), 3, "and the pod grows");
	release_ipus(&h, SIGKILL);
	check_in_step("on the disk and in the mirror");
	is_int(apply(POD, true, &e), 3, "it may go when the program has "
	    "ended");
}

/* Machines before the partition's would come: its IPUs would get numbers. */
static void
test_numbers(void)
{
	static const char	two[] = "[pod]\nname = two\n[cluster a]\n"
	    "agents = a[1-4]\n[cluster b]\nagents = b[1-4]\n"
	    "[partition p]\nsize = 4\ncluster = b\nrelocatable = yes\n";
	static const char	more[] = "[pod]\nname = two\n[cluster a]\n"
	    "agents = a[1-8]\n[cluster b]\nagents = b[1-4]\n"
	    "address = 10.1.5.5\nhost = 10.1.2.5\n[agent a5]\n"
	    "address = 10.1.9.5\n[agent a6]\naddress = 10.1.9.6\n"
	    "[agent a7]\naddress = 10.1.9.7\n[agent a8]\n"
	    "address = 10.1.9.8\n"
	    "[partition p]\nsize = 4\ncluster = b\nrelocatable = yes\n";
	struct holder	h;
	struct error	e;

	open_controller("numbers");
	is_int(apply(two, true, &e) > 0, 1, "two clusters");
	h = hold_ipus(16, 4);
	is_refused(more, true, "b1:0 is in use by ", "would become another "
	    "IPU; end the program first", "the second one would move");
	release_ipus(&h, 0);
	is_int(apply(more, false, &e) > 0, 1, "it moves when the program "
	    "has ended");
	check_in_step("on the disk and in the mirror");
}

int
main(void)
{
	test_force();
	test_attached();
	test_numbers();
	controller_close(controller);
	return state_util_done();
}
