/*
 * Cells that stand below each other, as real kubectl printed them.
 */
#include "applets/ipubox-job/kube_table.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

static const struct {
	const char *name;
	bool rows; /* else a sheet */
	const char *text;
	const char *wanted;
} rows[] = {
	{ "nothing", true, "", "" },
	{ "get ipujob", true,
	    "NAME\vSTATUS\vCURRENT\vDESIRED\vLASTMESSAGE\vAGE\n"
	    "bert\vRunning\v1\v1\v\v96s\n"
	    "mnist-training\vCompleted\v0\v1\vAll instances done\v10m\n",
	    "NAME             STATUS      CURRENT   DESIRED   LASTMESSAGE      "
	    "    AGE\n"
	    "bert             Running     1         1                          "
	    "    96s\n"
	    "mnist-training   Completed   0         1         All instances "
	    "done   10m\n" },
	{ "a column of six at least", true, "a\v0\v5s\n", "a     0     5s\n" },
	{ "characters, and not bytes", true,
	    "\xc3\xa9t\xc3\xa9s-12\v1\n"
	    "abcdefgh\v2\n",
	    "\xc3\xa9t\xc3\xa9s-12    1\nabcdefgh   2\n" },
	{ "wide characters", true,
	    "\xe6\x97\xa5\xe6\x9c\xac-12\v1\n"
	    "abcdefg\v2\n",
	    "\xe6\x97\xa5\xe6\x9c\xac-12   1\nabcdefg   2\n" },
	{ "describe: a line without a cell ends a column", false,
	    "Name:\vx\nService Account:\vdefault\nIPs:\n  IP:\v10.1.0.7\n"
	    "Controlled By:\vIPUJob/x\n",
	    "Name:             x\nService Account:  default\nIPs:\n"
	    "  IP:           10.1.0.7\nControlled By:  IPUJob/x\n" },
	{ "an inner column ends before the outer one", false,
	    "a\vlong-word\vx\nb\vc\nlonger\vd\ve\n",
	    "a       long-word  x\nb       c\nlonger  d  e\n" },
	{ "an empty last cell", false, "Message:\v\nx\vy\n",
	    "Message:  \nx         y\n" },
	{ "without a line break at the end", false, "a\vb", "a  b\n" },
	{ "empty lines", false, "a\vb\n\n\nlonger\vc\n",
	    "a  b\n\n\nlonger  c\n" },
};

/* The transcript of get -w. */
static const char *const watched[][2] = {
	{ "NAME\vREADY\vSTATUS\vRESTARTS\vAGE\n"
	  "w-worker-0\v0/1\vPending\v0\v0s\n",
	    "NAME         READY   STATUS    RESTARTS   AGE\n"
	    "w-worker-0   0/1     Pending   0          0s\n" },
	{ "w-worker-0\v0/1\vContainerCreating\v0\v0s\n",
	    "w-worker-0   0/1     ContainerCreating   0          0s\n" },
	{ "w-worker-0\v1/1\vRunning\v0\v1s\n",
	    "w-worker-0   1/1     Running             0          1s\n" },
	{ "a-much-longer-name-worker-0\v1/1\vRunning\v0\v1s\n",
	    "a-much-longer-name-worker-0   1/1     Running             0       "
	    "   1s\n" },
	{ "w-worker-0\v0/1\vCompleted\v0\v2s\n",
	    "w-worker-0                    0/1     Completed           0       "
	    "   2s\n" },
};

static void
test_print(struct kube_table *t, const char *text, const char *wanted,
    const char *name)
{
	struct memstream m;
	char *got;

	kube_table_print(t, text, memstream_open(&m));
	got = memstream_close(&m, NULL);
	is_str(got, wanted, name);
	free(got);
}

static void
test_put(void (*put)(FILE *, const char *), const char *value,
    const char *wanted)
{
	struct memstream m;
	char *got;

	put(memstream_open(&m), value);
	got = memstream_close(&m, NULL);
	is_str(got, wanted, "a value that came from elsewhere");
	free(got);
}

int
main(void)
{
	struct kube_table t;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].rows)
			kube_table_init_rows(&t);
		else
			kube_table_init_sheet(&t);
		test_print(&t, rows[i].text, rows[i].wanted, rows[i].name);
	}
	kube_table_init_rows(&t);
	for (i = 0; i < ARRAY_SIZE(watched); i++)
		test_print(&t, watched[i][0], watched[i][1], "get -w");
	kube_table_restart(&t);
	test_print(&t, "a\vb\n", "a     b\n", "the next table begins anew");
	test_put(kube_table_put_cell, "one line", "one line");
	test_put(kube_table_put_cell, "one\ntwo", "one...");
	test_put(kube_table_put_cell, "a\vb\tc", "a\\x0bb\\x09c");
	test_put(kube_table_put_cell, "\033[31mred", "\\x1b[31mred");
	test_put(kube_table_put, "one\n\ttwo\v", "one\n\ttwo\\x0b");
	return tap_done();
}
