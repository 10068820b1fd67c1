/*
 * Partitions that go with their owner: however its processes end, whoever
 * opens the state next finds the partition gone, with its files; and no other
 * partition, however it is called.
 */
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
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static char ipuof[DIRECTORY_SIZE];

/* A process that owns partition p, and one that it forked behind that. */
struct owner {
	pid_t pid, second;
	struct partition partition;
};

static struct controller *
open_controller(void)
{
	struct error e;
	struct controller *c = embedded_controller_open(NULL, &e);

	must(c == NULL ? -1 : 0, &e);
	return c;
}

static struct partition_request
request(const char *name)
{
	struct partition_request r;

	request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	(void)strlcpy(r.ipuof_directory, ipuof, sizeof(r.ipuof_directory));
	r.size = 4;
	return r;
}

/* In the child: own p, tell its parent, and wait for a signal. */
static void
own(int kind, int tell)
{
	struct partition_request r = request("p");
	struct owner_lock lock;
	struct partition_owner as = { kind, &lock, "a test" };
	struct controller *c = open_controller();
	struct owner o = { .pid = getpid() };
	struct error e;

	must(owner_lock_open(&lock, &e), &e);
	o.second = fork();
	if (o.second != 0) {
		must(create_owned_partition(c, &r, &as, &o.partition, &e), &e);
		if (write(tell, &o, sizeof(o)) != sizeof(o))
			_exit(1);
	}
	controller_close(c);
	for (;;)
		(void)pause();
}

static struct owner
start_owner(int kind)
{
	struct owner o = { .pid = -1 };
	int fds[2];

	if (pipe(fds) != 0)
		exit(1);
	if (fork() == 0)
		own(kind, fds[1]);
	(void)close(fds[1]);
	ok(read(fds[0], &o, sizeof(o)) == sizeof(o), "an owner has p");
	(void)close(fds[0]);
	return o;
}

/* Until the process is a zombie at least: its files are closed by then. */
static void
end_process(pid_t pid)
{
	char path[64], line[128], state;
	FILE *f;

	(void)kill(pid, SIGKILL);
	if (waitpid(pid, NULL, 0) == pid)
		return;
	do {
		state = 'Z';
		(void)snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
		if ((f = fopen(path, "r")) == NULL)
			return;
		if (fgets(line, sizeof(line), f) != NULL &&
		    strrchr(line, ')') != NULL)
			state = strrchr(line, ')')[2];
		(void)fclose(f);
	} while (state != 'Z' && state != 'X');
}

/* "p q " and whether p has its file: "p.conf". */
static const char *
look(void)
{
	static char text[256];
	struct registry r;
	struct snapshot s;
	struct error e;
	char path[DIRECTORY_SIZE + 16];
	int i;

	text[0] = '\0';
	must(reader_open(&r, &e), &e);
	must(snapshot_take(&r, &s, &e), &e);
	for (i = 0; i < s.partition_count; i++) {
		(void)strlcat(text, s.partitions[i].name, sizeof(text));
		(void)strlcat(text, " ", sizeof(text));
	}
	snapshot_release(&s);
	registry_close(&r);
	(void)snprintf(path, sizeof(path), "%s/p.conf", ipuof);
	if (access(path, F_OK) == 0)
		(void)strlcat(text, "p.conf", sizeof(text));
	return text;
}

static void
begin(const char *state)
{
	make_state(state);
	(void)snprintf(ipuof, sizeof(ipuof), "%s/%s-ipuof", tap_directory(),
	    state);
}

/* Each process that has the descriptor counts, and no other. */
static void
test_end(int kind)
{
	struct controller *c;
	struct partition_request r = request("p");
	struct owner o;
	struct error e = { .text = "" };

	begin(owner_kind_name(kind));
	o = start_owner(kind);
	is_int(o.partition.owner_kind, kind, "an owner of this kind");
	is_str(o.partition.owner_text, "a test", "which says what it is");
	is_str(look(), "p p.conf", "it is there");
	end_process(o.pid);
	is_str(look(), "p p.conf", "a second process owns it still");
	ok(!owner_lock_is_gone(&o.partition), "so its owner is not gone");
	end_process(o.second);
	ok(owner_lock_is_gone(&o.partition), "and now it is");
	is_str(look(), "", "a reader finds it gone, and its file");

	o = start_owner(kind);
	end_process(o.second);
	end_process(o.pid);
	c = open_controller();
	r = request("p");
	is_int(create_partition(c, &r, NULL, &e), 0, "its name is free");
	is_str(e.text, "", "without a word");
	is_str(look(), "p p.conf", "the new one has no owner, and stays");
	controller_close(c);
}

static void
test_attached(void)
{
	struct owner o;
	struct holder h;

	begin("attached");
	o = start_owner(PO_PROCESS);
	h = hold_ipus(0, 4);
	end_process(o.second);
	end_process(o.pid);
	is_str(look(), "p p.conf", "a program is attached: it stays");
	release_ipus(&h, SIGKILL);
	is_str(look(), "", "then it goes, with the next look");
}

/* Somebody removes it and takes the name. */
static void
test_other(void)
{
	struct partition_request r;
	struct partition other;
	struct controller *c;
	struct owner o;
	struct error e = { .text = "" };

	begin("other");
	o = start_owner(PO_PROCESS);
	c = open_controller();
	r = request("p");
	is_int(remove_partition(c, "p", true, NULL, &e), 0, "removed");
	is_int(create_partition(c, &r, &other, &e), 0, "made by another");
	is_int(remove_same(c, &o.partition, &e), -1, "not the owner's");
	is_int(e.code, ERROR_NOT_FOUND, "which is not there");
	is_str(e.text,
	    "partition p was removed, and a new partition has its name; the "
	    "new one stays",
	    "and why");
	end_process(o.second);
	end_process(o.pid);
	is_str(look(), "p p.conf", "the other one stays");
	is_int(remove_same(c, &other, &e), 0, "it is itself");
	is_str(look(), "", "and gone");
	controller_close(c);
}

/* No two partitions have one number: the owner gets another identity. */
static void
test_number(void)
{
	struct partition_request r;
	struct partition first, second;
	struct owner_lock lock;
	struct partition_owner as = { PO_IPUJOB, &lock, "a test" };
	struct controller *c;
	struct error e = { .text = "" };

	begin("number");
	c = open_controller();
	must(owner_lock_open(&lock, &e), &e);
	must(state_lock(&c->state, &e), &e);
	first = make_partition("first", 0, 4);
	memcpy(first.id, lock.id, sizeof(first.id));
	first.id[0] ^= 1;
	must(state_add_partition(&c->state, &first, &e), &e);
	state_unlock(&c->state);
	r = request("p");
	is_int(create_owned_partition(c, &r, &as, &second, &e), 0, "made");
	ok(identity_number(second.id) != identity_number(first.id),
	    "with another number");
	ok(memcmp(second.id, lock.id, sizeof(lock.id)) == 0,
	    "which the owner knows");
	ok(owner_lock_is_held(c->state.lock_fd, second.id), "and holds");
	ok(!owner_lock_is_held(c->state.lock_fd, first.id),
	    "instead of the first one");
	is_str(look(), "first p p.conf", "both are there");
	owner_lock_close(&lock);
	is_str(look(), "first ", "one is left");
	controller_close(c);
}

int
main(void)
{
	test_end(PO_PROCESS);
	test_end(PO_IPUJOB);
	test_attached();
	test_other();
	test_number();
	return state_util_done();
}
