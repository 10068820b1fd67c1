/*
 * Many commands: their texts in and out, how many run at once, and that none
 * outlives its time or its starter.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/process/process.h"
#include "tests/unit/tap.h"

enum { LONG_INPUT = 512 * 1024 };

static int ended;
static char order[64];

static void
count(struct child *c)
{
	const char *name = c->context;

	ended++;
	if (name != NULL)
		(void)snprintf(order + strlen(order),
		    sizeof(order) - strlen(order), "%s ", name);
}

/* `sh -c command`, its words in static memory. */
static struct child
shell(char *const *argv)
{
	struct child c;

	memset(&c, 0, sizeof(c));
	c.argv = argv;
	return c;
}

static char sh[] = "/bin/sh", dash_c[] = "-c";
#define COMMAND(name, text) \
	char name##_text[] = text; \
	char *const name[] = { sh, dash_c, name##_text, NULL }

static void
test_one(void)
{
	COMMAND(good, "cat; echo later >&2; exit 3");
	COMMAND(killed, "kill -TERM $$");
	char missing_path[] = "/nonexistent/program";
	char *const missing[] = { missing_path, NULL };
	struct child c = shell(good);

	c.input = "text\n";
	ended = 0;
	is_int(children_run(&c, 1, 8, count), 0, "run");
	is_int(ended, 1, "told once");
	is_int(c.status, 3, "exit status");
	is_str(c.out.text, "text\n", "input comes back");
	is_str(c.err.text, "later\n", "stderr");
	ok(!c.timed_out && c.ended >= c.started, "in time");
	children_release(&c);

	c = shell(killed);
	is_int(children_run(&c, 1, 1, NULL), 0, "run");
	is_int(c.status, 128 + SIGTERM, "by a signal");
	is_str(c.out.text, "", "no output is an empty text");
	children_release(&c);

	c = shell(missing);
	is_int(children_run(&c, 1, 1, NULL), 0, "run");
	is_int(c.status, CHILD_NOT_STARTED, "cannot be executed");
	ok(strstr(c.err.text, "/nonexistent/program") != NULL, c.err.text);
	children_release(&c);
	is_int(children_run(NULL, 0, 4, NULL), 0, "none at all");
}

/* More than any pipe holds, both ways; and one that does not read it. */
static void
test_long_input(void)
{
	COMMAND(copy, "cat");
	COMMAND(deaf, "exec <&-; echo done");
	char *text = xmalloc(LONG_INPUT + 1);
	struct child c = shell(copy);

	memset(text, 'x', LONG_INPUT);
	text[LONG_INPUT] = '\0';
	c.input = text;
	is_int(children_run(&c, 1, 1, NULL), 0, "run");
	is_int((long long)c.out.size, LONG_INPUT, "all of it came back");
	is_str(c.out.text, text, "the same");
	children_release(&c);
	c = shell(deaf);
	c.input = text;
	is_int(children_run(&c, 1, 1, NULL), 0, "run");
	is_str(c.out.text, "done\n", "it did not read");
	is_int(c.status, 0, "and ended well");
	children_release(&c);
	free(text);
}

static void
test_long_output(void)
{
	COMMAND(much, "head -c 6000000 /dev/zero | tr '\\0' y; echo err >&2");
	struct child c = shell(much);

	is_int(children_run(&c, 1, 1, NULL), 0, "run");
	is_int((long long)c.out.size, CHILD_OUTPUT_MAX, "cut");
	is_int((long long)strlen(c.out.text), CHILD_OUTPUT_MAX, "a text");
	is_int(c.status, 0, "and it could write it all");
	is_str(c.err.text, "err\n", "what comes then");
	children_release(&c);
}

/* Two that wait for each other end only where they run at the same time. */
static void
test_jobs(void)
{
	COMMAND(left, "echo x > a; read y < b");
	COMMAND(right, "read y < a; echo x > b");
	COMMAND(first, "test ! -e mark && touch mark");
	COMMAND(second, "test -e mark && rm mark");
	struct child c[4];
	char one[] = "one", two[] = "two";

	ok(mkfifo("a", 0600) == 0 && mkfifo("b", 0600) == 0, "fifos");
	c[0] = shell(left);
	c[1] = shell(right);
	c[0].limit_ms = c[1].limit_ms = 60000;
	is_int(children_run(c, 2, 2, NULL), 0, "run");
	is_int(c[0].status, 0, "both ended");
	is_int(c[1].status, 0, "both ended");
	children_release(&c[0]);
	children_release(&c[1]);

	c[0] = c[2] = shell(first);
	c[1] = c[3] = shell(second);
	c[0].context = c[2].context = one;
	c[1].context = c[3].context = two;
	order[0] = '\0';
	ended = 0;
	is_int(children_run(c, 4, 1, count), 0, "run");
	is_int(c[0].status + c[1].status + c[2].status + c[3].status, 0,
	    "one after the other");
	is_str(order, "one two one two ", "told in the order of their ends");
	for (ended = 0; ended < 4; ended++)
		children_release(&c[ended]);
}

/* Whether all who had the write end of the pipe are gone. */
static bool
all_are_gone(int ends[2])
{
	char byte;

	(void)close(ends[1]);
	if (read(ends[0], &byte, 1) != 0)
		return false;
	(void)close(ends[0]);
	return true;
}

static void
test_limit(void)
{
	COMMAND(slow, "echo begun; sleep 1000 & sleep 1000");
	COMMAND(stubborn,
	    "trap '' TERM; echo begun; sleep 1000 & while :; do sleep 1000; "
	    "done");
	COMMAND(quick, "echo quick");
	struct child c[3];
	int ends[2], i;

	ok(pipe(ends) == 0, "pipe"); /* the children inherit it */
	c[0] = shell(slow);
	c[1] = shell(stubborn);
	c[2] = shell(quick);
	c[0].limit_ms = c[1].limit_ms = 300;
	ended = 0;
	is_int(children_run(c, 3, 3, count), 0, "run");
	is_int(ended, 3, "all are over");
	ok(c[0].timed_out && c[1].timed_out, "two were too slow");
	ok(!c[2].timed_out, "one was not");
	is_str(c[2].out.text, "quick\n", "it was not disturbed");
	ok(all_are_gone(ends), "their children are gone as well");
	is_int(c[0].status, 128 + SIGTERM, "it was asked to end");
	for (i = 0; i < 3; i++)
		children_release(&c[i]);
	ok(waitpid(-1, NULL, WNOHANG) == -1, "no zombie");
}

/* What holds our pipe open does not hold us up. */
static void
test_left_behind(void)
{
	COMMAND(leaves, "setsid sleep 1000 & printf %d $!");
	struct child c = shell(leaves);
	long long pid = 0;

	is_int(children_run(&c, 1, 1, NULL), 0, "run");
	is_int(c.status, 0, "over, though its child is not");
	ok(parse_number("pid", c.out.text, 2, INT_MAX, &pid, NULL) == 0 &&
		kill((pid_t)pid, SIGKILL) == 0,
	    "it lives");
	children_release(&c);
}

static void
test_signal(void)
{
	COMMAND(sender, "kill -TERM $PPID; sleep 1000");
	COMMAND(other, "sleep 1000");
	struct sigaction before, after;
	sigset_t mask;
	struct child c[3];
	int ends[2], i;

	ok(pipe(ends) == 0, "pipe");
	c[0] = shell(sender);
	c[1] = c[2] = shell(other);
	ended = 0;
	(void)sigaction(SIGTERM, NULL, &before);
	is_int(children_run(c, 3, 2, count), SIGTERM, "ended by a signal");
	is_int(ended, 0, "nobody is told");
	ok(all_are_gone(ends), "nothing of it runs");
	ok(waitpid(-1, NULL, WNOHANG) == -1, "no zombie");
	(void)sigaction(SIGTERM, NULL, &after);
	(void)sigprocmask(SIG_BLOCK, NULL, &mask);
	ok(before.sa_handler == after.sa_handler &&
		sigismember(&mask, SIGTERM) == 0,
	    "signals are as before");
	for (i = 0; i < 2; i++)
		children_release(&c[i]);
}

/* A file as standard input, from its beginning for each. */
static void
test_file(void)
{
	COMMAND(reader, "head -c 4; echo; exit 0");
	char name[] = "children-input.XXXXXX";
	const int fd = mkstemp(name);
	struct child c[2];
	int i;

	ok(fd != -1 && write(fd, "\0bcdef", 6) == 6, "a file");
	(void)close(fd);
	for (i = 0; i < 2; i++) {
		c[i] = shell(reader);
		c[i].input_file = name;
	}
	is_int(children_run(c, 2, 2, NULL), 0, "run");
	for (i = 0; i < 2; i++) {
		ok(c[i].out.size == 5 &&
			memcmp(c[i].out.text, "\0bcd\n", 5) == 0,
		    "its bytes");
		children_release(&c[i]);
	}
	(void)unlink(name);
	c[0] = shell(reader);
	c[0].input_file = name;
	is_int(children_run(c, 1, 1, NULL), 0, "run");
	is_int(c[0].status, CHILD_NOT_STARTED, "no such file");
	children_release(&c[0]);
}

/* A caller who holds signals back gives its children others. */
static void
test_mask(void)
{
	COMMAND(killer, "kill -TERM $$; exit 3");
	struct child c = shell(killer);
	sigset_t held, before;

	(void)sigemptyset(&held);
	(void)sigaddset(&held, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &held, &before);
	c.mask = &before;
	is_int(children_run(&c, 1, 1, NULL), 0, "run");
	is_int(c.status, 128 + SIGTERM, "the signal was not held");
	children_release(&c);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
}

int
main(void)
{
	test_one();
	test_file();
	test_mask();
	test_long_input();
	test_long_output();
	test_jobs();
	test_limit();
	test_left_behind();
	test_signal();
	return tap_done();
}
