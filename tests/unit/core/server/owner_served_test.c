/*
 * Owners whose pod a server has: each waits in the server's line, and has a
 * lease, which goes with its connection, whatever ends that.
 */
#include <sys/prctl.h>
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "core/server/remote.h"
#include "core/server/server.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static const char job[] = "ipujob default/mnist-training";

/* A process whose words come through `said`. */
struct child {
	pid_t pid;
	FILE *said;
};

static struct child
start(void (*act)(const char *name, int fd), const char *name)
{
	struct child child;
	int fds[2];

	if (pipe(fds) != 0 || (child.pid = fork()) == -1) {
		perror("pipe or fork");
		exit(1);
	}
	if (child.pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)close(fds[0]);
		act(name, fds[1]);
	}
	(void)close(fds[1]);
	child.said = fdopen(fds[0], "r");
	return child;
}

/* The child's next line, "" at its end. */
static const char *
heard(struct child *c)
{
	static char line[1024];

	if (fgets(line, sizeof(line), c->said) == NULL)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static void
end(struct child *c)
{
	(void)kill(c->pid, SIGKILL);
	(void)fclose(c->said);
	(void)waitpid(c->pid, NULL, 0);
}

/* ---- what children do ---- */

static void
serve(const char *program, int fd)
{
	(void)dup2(fd, 2);
	(void)execl(program, "vipu-server", "--listen", "127.0.0.1:0",
	    (char *)NULL);
	_exit(1);
}

static void
say(void *context, const char *text)
{
	dprintf(*(int *)context, "%s\n", text);
}

static struct controller *
open_server(void)
{
	struct error e;
	struct controller *c = server_open_controller(NULL, NULL, &e);

	must(c == NULL ? -1 : 0, &e);
	must(controller_where(c) == NULL ? error_set(&e, "no server") : 0, &e);
	return c;
}

static struct partition_request
request(const char *name)
{
	struct partition_request r;

	request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	r.size = 64;
	r.relocatable = true; /* without files */
	return r;
}

/* Wait for it at the server, and have it as long as the server does. */
static void
lease(const char *name, int fd)
{
	const struct partition_owner owner = { .kind = PO_LEASE, .text = job };
	const struct wait_options wait_options = { .wait_ms = -1,
		.notify = say,
		.context = &fd };
	struct partition_request r = request(name);
	struct controller *c = open_server();
	struct partition p;
	struct error e;
	int never[2];

	if (queue_create(c, &r, &owner, &wait_options, &p, &e) != 0) {
		dprintf(fd, "failed: %s\n", e.text);
		_exit(1);
	}
	dprintf(fd, "got %s: %s %.*s\n", p.name, owner_kind_name(p.owner_kind),
	    (int)strcspn(p.owner_text, ","), p.owner_text);
	if (pipe(never) != 0 || controller_hold(c, never[0], &e) == 0)
		_exit(1);
	dprintf(fd, "lost: %d\n", e.code == ERROR_UNAVAILABLE);
	_exit(0);
}

/* Own it by a lock, before there is a server. */
static void
own(const char *name, int fd)
{
	struct owner_lock lock;
	const struct partition_owner owner = { PO_IPUJOB, &lock, job };
	struct partition_request r = request(name);
	struct controller *c;
	struct error e;

	must((c = embedded_controller_open(NULL, &e)) == NULL ? -1 : 0, &e);
	must(owner_lock_open(&lock, &e), &e);
	must(create_owned_partition(c, &r, &owner, NULL, &e), &e);
	controller_close(c);
	dprintf(fd, "owns %s\n", name);
	for (;;)
		(void)pause();
}

/* ---- the tests ---- */

/* "p q ", as the server tells. */
static const char *
names(struct controller *c)
{
	static char text[256];
	struct snapshot s;
	struct error e;
	int i;

	text[0] = '\0';
	must(transaction_list(c, &s, &e), &e);
	for (i = 0; i < s.partition_count; i++) {
		(void)strlcat(text, s.partitions[i].name, sizeof(text));
		(void)strlcat(text, " ", sizeof(text));
	}
	snapshot_release(&s);
	return text;
}

static struct child
start_server(const char *program)
{
	struct child server = start(serve, program);
	const char *line;

	do {
		line = heard(&server);
		if (line[0] == '\0') {
			ok(false, "the server begins");
			exit(tap_done());
		}
	} while (strstr(line, "vipu.sock") == NULL);
	return server;
}

/* The owner was there before the server; then others wait in the line. */
static void
test_line(const char *program)
{
	const struct partition_owner owner = { .kind = PO_LEASE, .text = job };
	struct controller *c;
	struct child first, second, third, fourth, server;
	struct error e;

	make_state("line");
	first = start(own, "first");
	is_str(heard(&first), "owns first", "one owns all by a lock");
	server = start_server(program);
	c = open_server();
	second = start(lease, "second");
	is_str(heard(&second),
	    "waiting for 64 IPUs; 0 IPUs are free; taken by first (64)",
	    "one waits at the server");
	third = start(lease, "third");
	is_str(heard(&third),
	    "waiting for 64 IPUs; 0 IPUs are free; taken by first (64); 1 "
	    "waits before this one",
	    "another behind it");
	fourth = start(lease, "fourth");
	(void)heard(&fourth);
	is_str(names(c), "first ", "the server leaves the owner alone");
	is_int(adopt_partition(c, "first", &owner, NULL, &e), -1,
	    "which nobody can adopt there");
	is_int(e.code, ERROR_NOT_FOUND, "as if it were not there");
	end(&first);
	is_str(heard(&second),
	    "got second: lease ipujob default/mnist-training",
	    "the owner goes, the next one has it");
	is_str(names(c), "second ", "alone");
	end(&third);
	end(&second);
	is_str(heard(&fourth),
	    "got fourth: lease ipujob default/mnist-training",
	    "past the one that was killed");
	is_str(names(c), "fourth ", "and in place of the other");
	end(&server);
	is_str(heard(&fourth), "lost: 1", "the server goes, which is told");
	end(&fourth);
	controller_close(c);
}

/* Where a server of another make has no such thing, nothing is asked of it. */
static void
test_contract(void)
{
	const struct partition_owner owner = { .kind = PO_LEASE, .text = job };
	const struct wait_options wait_options = { .wait_ms = -1 };
	const struct partition_request r = request("p");
	struct controller c = { .operations = &remote_virm_operations,
		.where = "h:8090" };
	struct error e;

	is_int(queue_create(&c, &r, &owner, &wait_options, NULL, &e), -1,
	    "no line");
	is_int(e.code, ERROR_UNSUPPORTED, "is known to the contract");
	is_int(create_owned_partition(&c, &r, &owner, NULL, &e), -1,
	    "and no owner");
	is_int(e.code, ERROR_UNSUPPORTED, "either");
}

int
main(void)
{
	const char *program = getenv("IPUBOX");

	test_contract();
	if (program != NULL)
		test_line(program);
	else
		tap_skip("a line at a server", "IPUBOX names no program");
	return state_util_done();
}
