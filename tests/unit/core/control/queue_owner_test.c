/*
 * Owners that wait for IPUs: each in its turn, and whatever kills one, be it
 * while it waits, while it is served or behind that, leaves no ticket and no
 * partition.
 */
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/base/fault.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/control/queue.h"
#include "core/pod/pod.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { OWNERS = 5 };

/* A child that wants the whole pod; its words come through `said`. */
struct child {
	pid_t pid;
	FILE *said;
};

static struct controller *
open_controller(void)
{
	struct error e;
	struct controller *c = embedded_controller_open(NULL, &e);

	must(c == NULL ? -1 : 0, &e);
	return c;
}

static void
say(void *context, const char *text)
{
	dprintf(*(int *)context, "%s\n", text);
}

/* Create `name`, waiting as long as it takes. */
static int
create_owned(const char *name, int fd, struct partition *p, struct error *e)
{
	static struct owner_lock lock; /* as long as the process */
	const struct partition_owner owner = { PO_IPUJOB, &lock,
		"ipujob default/mnist-training" };
	const struct wait_options wait_options = { .wait_ms = -1,
		.notify = say,
		.context = &fd };
	struct partition_request r;
	struct controller *c = open_controller();
	int status;

	request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	r.size = 64;
	r.relocatable = true; /* without files */
	must(owner_lock_open(&lock, e), e);
	status = queue_create(c, &r, &owner, &wait_options, p, e);
	controller_close(c);
	return status;
}

/* In the child: own it from then on, until somebody ends the process. */
static void
child_main(const char *name, int fd)
{
	struct partition p;
	struct error e;

	if (create_owned(name, fd, &p, &e) == 0)
		dprintf(fd, "got %s: %s %s\n", p.name,
		    owner_kind_name(p.owner_kind), p.owner_text);
	else
		dprintf(fd, "failed: %s\n", e.text);
	for (;;)
		(void)pause();
}

static struct child
start(const char *name)
{
	struct child child;
	int fds[2];

	if (pipe(fds) != 0 || (child.pid = fork()) == -1) {
		perror("pipe or fork");
		exit(1);
	}
	if (child.pid == 0) {
		(void)close(fds[0]);
		child_main(name, fds[1]);
	}
	(void)close(fds[1]);
	child.said = fdopen(fds[0], "r");
	return child;
}

/* The child's next line. */
static void
hears(struct child *c, const char *wanted, const char *name)
{
	char line[1024];

	if (fgets(line, sizeof(line), c->said) == NULL)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	is_str(line, wanted, name);
}

static void
end(struct child *c)
{
	(void)kill(c->pid, SIGKILL);
	(void)fclose(c->said);
	(void)waitpid(c->pid, NULL, 0);
}

/* As any command does. */
static void
look(void)
{
	struct registry r;
	struct error e;

	must(reader_open(&r, &e), &e);
	registry_close(&r);
}

static long
count_tickets(void)
{
	struct ticket *tickets;
	long count = ticket_read(directory_at(test_paths.directory), &tickets,
	    NULL);

	free(tickets);
	return count;
}

/*
 * Nobody removes anything: each partition goes because its owner does.  The
 * first in the line notices that by itself, or by what another process does.
 */
static void
test_order(void)
{
	struct child children[OWNERS];
	char name[8], wanted[128];
	int i;

	make_state("order");
	for (i = 0; i < OWNERS; i++) {
		(void)snprintf(name, sizeof(name), "p%d", i);
		children[i] = start(name);
		(void)strlcpy(wanted,
		    i == 0 ? "got p0: ipujob ipujob default/mnist-training" :
			     "waiting for 64 IPUs; 0 IPUs are free; taken by "
			     "p0 (64)",
		    sizeof(wanted));
		if (i == 2)
			(void)strlcat(wanted, "; 1 waits before this one",
			    sizeof(wanted));
		else if (i > 2)
			(void)snprintf(wanted + strlen(wanted),
			    sizeof(wanted) - strlen(wanted),
			    "; %d wait before this one", i - 1);
		hears(&children[i], wanted, "the first has it, others wait");
	}
	is_int(count_tickets(), OWNERS - 1, "a ticket for each that waits");
	end(&children[2]);
	for (i = 0; i < OWNERS; i++) {
		if (i == 2)
			continue;
		(void)snprintf(wanted, sizeof(wanted),
		    "got p%d: ipujob ipujob default/mnist-training", i);
		if (i > 0)
			hears(&children[i], wanted, "the next one's turn");
		look();
		is_int(count_partitions(NULL), 1, "it is there, and alone");
		end(&children[i]);
		if (i > 0)
			look();
	}
	is_int(count_partitions(NULL), 0, "the last one's is gone");
	is_int(count_tickets(), 0, "nobody waits");
	check_in_step("all is well");
}

/* Killed at each point of being served. */
static void
test_kills(void)
{
	struct partition p;
	struct error e = { .text = "" };
	int status, n, made = 0;
	pid_t pid;

	make_state("kills");
	for (n = 1;; n++) {
		if ((pid = fork()) == 0) {
			fault_arm(n, 0);
			_exit(create_owned("p", 2, &p, &e) != 0);
		}
		(void)waitpid(pid, &status, 0);
		made += count_partitions(NULL) == 1;
		look();
		is_int(count_partitions(&e), 0, "nothing is left");
		if (WIFEXITED(status))
			break;
	}
	is_int(WEXITSTATUS(status), 0, "the last one lived to have it");
	ok(made > 1, "others had it before they were killed");
	check_in_step("all is well");
}

int
main(void)
{
	test_order();
	test_kills();
	return state_util_done();
}
