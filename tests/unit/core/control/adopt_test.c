/*
 * Adopting what an owner left that is gone: the partition stays as it is and
 * goes with its new owner, one alone has it, and never one that was removed.
 */
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static const char job[] = "ipujob default/mnist-training";

/* What a child says: how it went, and what it has. */
struct answer {
	int status; /* 0, or the code of the error */
	struct partition partition;
};

/* A child that is told to begin, answers, and ends when it is killed. */
struct child {
	pid_t pid;
	int begin, answers;
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
	r.size = 4;
	r.relocatable = true; /* without files */
	return r;
}

/* ---- what children do ---- */

static int
create_p(struct partition *p, struct error *e)
{
	static struct owner_lock lock; /* as long as the process */
	const struct partition_owner owner = { PO_IPUJOB, &lock, job };
	struct partition_request r = request("p");
	struct controller *c = open_controller();
	int status;

	must(owner_lock_open(&lock, e), e);
	status = create_owned_partition(c, &r, &owner, p, e);
	controller_close(c);
	return status;
}

static int
adopt_p(struct partition *p, struct error *e)
{
	static struct owner_lock lock;
	const struct partition_owner owner = { PO_IPUJOB, &lock, job };
	struct controller *c = open_controller();
	int status;

	status = adopt_partition(c, "p", &owner, p, e);
	controller_close(c);
	return status;
}

/* As any command does. */
static int
look_at_p(struct partition *p, struct error *e)
{
	struct registry r;
	struct snapshot s;
	int found;

	must(reader_open(&r, e), e);
	must(snapshot_take(&r, &s, e), e);
	found = snapshot_find(&s, "p");
	if (found != -1)
		*p = s.partitions[found];
	snapshot_release(&s);
	registry_close(&r);
	return found != -1 ? 0 : error_set_code(e, ERROR_NOT_FOUND, "gone");
}

static struct child
start(int (*act)(struct partition *, struct error *))
{
	struct child child;
	struct answer a;
	struct error e = { .code = ERROR_NONE };
	int begin[2], answers[2];
	char byte;

	if (pipe(begin) != 0 || pipe(answers) != 0 ||
	    (child.pid = fork()) == -1) {
		perror("pipe or fork");
		exit(1);
	}
	if (child.pid == 0) {
		(void)close(begin[1]);
		(void)!read(begin[0], &byte, 1);
		memset(&a, 0, sizeof(a));
		a.status = act(&a.partition, &e) == 0 ? 0 : (int)e.code;
		if (write(answers[1], &a, sizeof(a)) != sizeof(a))
			_exit(1);
		for (;;)
			(void)pause();
	}
	(void)close(begin[0]);
	(void)close(answers[1]);
	child.begin = begin[1];
	child.answers = answers[0];
	return child;
}

/* By a word: its brothers have the pipe's end as well. */
static void
begin(struct child *c)
{
	if (c->begin == -1)
		return;
	(void)!write(c->begin, "", 1);
	(void)close(c->begin);
	c->begin = -1;
}

static struct answer
answer(struct child *c)
{
	struct answer a = { .status = -1 };

	begin(c);
	if (read(c->answers, &a, sizeof(a)) != sizeof(a))
		a.status = -1;
	return a;
}

static void
end(struct child *c)
{
	begin(c);
	(void)kill(c->pid, SIGKILL);
	(void)waitpid(c->pid, NULL, 0);
	(void)close(c->answers);
}

/* p, whose owner is gone already. */
static struct partition
abandon(void)
{
	struct child owner = start(create_p);
	struct answer a = answer(&owner);

	is_int(a.status, 0, "an owner has p");
	end(&owner);
	return a.partition;
}

/* ---- the tests ---- */

static void
test_adopt(void)
{
	struct owner_lock lock;
	const struct partition_owner owner = { PO_IPUJOB, &lock, job };
	struct partition p, adopted;
	struct controller *c;
	struct child second;
	struct error e = { .text = "" };

	make_state("adopt");
	p = abandon();
	c = open_controller();
	is_int(adopt_partition(c, "p", &owner, &adopted, &e), 0, "adopted");
	is_str(e.text, "", "without a word");
	ok(memcmp(&p, &adopted, sizeof(p)) == 0, "it is what it was");
	ok(lock.fd != -1 && memcmp(lock.id, p.id, sizeof(p.id)) == 0,
	    "its new owner has its identity");
	is_int(look_at_p(&adopted, &e), 0, "whoever looks leaves it alone");
	second = start(adopt_p);
	is_int(answer(&second).status, ERROR_BUSY, "it has an owner");
	end(&second);
	is_int(look_at_p(&adopted, &e), 0, "whose end changes nothing");
	owner_lock_close(&lock);
	is_int(look_at_p(&adopted, &e), -1, "it goes with its new owner");
	is_int(adopt_partition(c, "p", &owner, NULL, &e), -1, "and is gone");
	is_int(e.code, ERROR_NOT_FOUND, "for all");
	is_str(e.text,
	    "partition p of ipujob default/mnist-training does not exist",
	    "by its name");
	controller_close(c);
	check_in_step("all is well");
}

static void
test_living(void)
{
	struct owner_lock lock;
	const struct partition_owner owner = { PO_IPUJOB, &lock, job };
	struct partition p;
	struct controller *c;
	struct child first;
	struct holder h;
	struct error e = { .text = "" };

	make_state("living");
	c = open_controller();
	first = start(create_p);
	is_int(answer(&first).status, 0, "an owner has p");
	is_int(adopt_partition(c, "p", &owner, NULL, &e), -1, "it lives");
	is_int(e.code, ERROR_BUSY, "so it stays the owner");
	is_str(e.text,
	    "partition p of ipujob default/mnist-training: its owner lives",
	    "which is said");
	is_int(lock.fd, -1, "nothing is held");
	h = hold_ipus(0, 4);
	end(&first);
	is_int(look_at_p(&p, &e), 0, "a program uses it: it stays");
	is_int(adopt_partition(c, "p", &owner, NULL, &e), 0,
	    "and can be adopted still");
	release_ipus(&h, SIGKILL);
	is_int(look_at_p(&p, &e), 0, "behind the program's end it is there");
	owner_lock_close(&lock);
	is_int(look_at_p(&p, &e), -1, "and then no more");
	controller_close(c);
}

/* Whose it is not. */
static void
test_others(void)
{
	static const struct {
		const char *partition, *name;
		int kind;
		const char *text;
		bool mine;
		int wanted;
	} rows[] = {
		{ "a", "a", PO_IPUJOB, job, true, 0 },
		{ "b", "no-such", PO_IPUJOB, job, true, ERROR_NOT_FOUND },
		{ "c", "c", PO_PROCESS, job, true, ERROR_NOT_FOUND },
		{ "d", "d", PO_LEASE, job, true, ERROR_NOT_FOUND },
		{ "e", "e", PO_NONE, "", true, ERROR_NOT_FOUND },
		{ "f", "f", PO_IPUJOB, "ipujob default/mnist-trainin", true,
		    ERROR_NOT_FOUND },
		{ "g", "g", PO_IPUJOB, "ipujob default/mnist-training2", true,
		    ERROR_NOT_FOUND },
		{ "h", "h", PO_IPUJOB, job, false, ERROR_NOT_FOUND },
	};
	struct owner_lock lock;
	const struct partition_owner owner = { PO_IPUJOB, &lock, job };
	struct controller *c;
	struct partition p;
	struct error e;
	size_t i;

	make_state("others");
	c = open_controller();
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		must(state_lock(&c->state, &e), &e);
		p = make_partition(rows[i].partition, 0, 4);
		identity_draw(NULL, 0, p.id);
		p.owner_kind = rows[i].kind;
		(void)strlcpy(p.owner_text, rows[i].text, sizeof(p.owner_text));
		p.owner = rows[i].mine ? getuid() : getuid() + 1;
		must(state_add_partition(&c->state, &p, &e), &e);
		state_unlock(&c->state);
		e.code = ERROR_NONE;
		(void)adopt_partition(c, rows[i].name, &owner, &p, &e);
		is_int(e.code, rows[i].wanted, rows[i].partition);
		if (rows[i].wanted == 0)
			owner_lock_close(&lock);
		must(state_lock(&c->state, &e), &e);
		must(state_remove_partition(&c->state, rows[i].partition, &e),
		    &e);
		state_unlock(&c->state);
	}
	controller_close(c);
}

/* Another user of its allocation cannot adopt a partition. */
static void
test_user(void)
{
	static const char *const users[] = { "bob", "ann" };
	struct owner_lock lock;
	const struct partition_owner owner = { PO_IPUJOB, &lock, job };
	struct controller *c;
	struct partition p = make_partition("p", 0, 4);
	struct error e;
	size_t i;

	make_state("user");
	c = open_controller();
	must(state_lock(&c->state, &e), &e);
	identity_draw(NULL, 0, p.id);
	p.owner_kind = PO_IPUJOB;
	p.owner = getuid();
	p.allocation = 0;
	(void)strlcpy(p.owner_text, job, sizeof(p.owner_text));
	(void)strlcpy(p.user, "ann", sizeof(p.user));
	must(state_add_partition(&c->state, &p, &e), &e);
	must(user_set_allocations(&c->user, "default", &e), &e);
	secret_hash("key", c->user.hash);
	for (i = 0; i < ARRAY_SIZE(users); i++) {
		(void)strlcpy(c->user.name, users[i], sizeof(c->user.name));
		must(user_store_put(&c->state, &c->user, &e), &e);
	}
	state_unlock(&c->state);
	for (i = 0; i < ARRAY_SIZE(users); i++) {
		(void)strlcpy(c->user.name, users[i], sizeof(c->user.name));
		e.code = ERROR_NONE;
		(void)adopt_partition(c, "p", &owner, &p, &e);
		is_int(e.code, i == 0 ? ERROR_DENIED : ERROR_NONE, users[i]);
		is_int(lock.fd != -1, i != 0, "has the lock or not");
	}
	owner_lock_close(&lock);
	controller_close(c);
}

/*
 * The adopter has the byte and waits for the lock, whose holder does what the
 * rows say.
 */
static void
test_under_lock(void)
{
	enum { NOTHING, REMOVED, REPLACED, GOING };
	static const struct {
		const char *name;
		int what, wanted;
	} rows[] = {
		{ "nothing happens", NOTHING, 0 },
		{ "it is removed", REMOVED, ERROR_NOT_FOUND },
		{ "another one has its name", REPLACED, ERROR_NOT_FOUND },
		{ "it is about to go", GOING, ERROR_NOT_FOUND },
	};
	const struct moment m = { .ms = INT64_MAX / 4, .takes_ms = 1000 };
	struct controller *c;
	struct partition p;
	struct snapshot s;
	struct child adopter;
	struct answer a;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		make_state(rows[i].name);
		p = abandon();
		c = open_controller();
		must(state_lock(&c->state, &e), &e);
		adopter = start(adopt_p);
		begin(&adopter);
		while (!owner_lock_is_held(c->state.lock_fd, p.id))
			;
		if (rows[i].what == REMOVED || rows[i].what == REPLACED)
			must(state_remove_partition(&c->state, "p", &e), &e);
		if (rows[i].what == REPLACED) {
			p.id[0] ^= 1;
			must(state_add_partition(&c->state, &p, &e), &e);
		}
		if (rows[i].what == GOING) {
			(void)lifecycle_apply(&p, EVENT_REMOVE, &m);
			must(state_update_partition(&c->state, &p, &e), &e);
		}
		state_unlock(&c->state);
		a = answer(&adopter);
		is_int(a.status, rows[i].wanted, rows[i].name);
		must(snapshot_take(&c->state.registry, &s, &e), &e);
		is_int(s.partition_count, rows[i].what != REMOVED,
		    "what is there then");
		snapshot_release(&s);
		ok(owner_lock_is_held(c->state.lock_fd,
		       a.status == 0 ? a.partition.id : p.id) ==
			(a.status == 0),
		    "the byte is held where it was adopted, and only there");
		end(&adopter);
		controller_close(c);
	}
}

/*
 * Two adopters and two commands at once.  One adopter at most has it, and who
 * has it keeps it; where none has it, it is gone.
 */
static void
test_race(void)
{
	int (*const acts[4])(struct partition *,
	    struct error *) = { adopt_p, look_at_p, adopt_p, look_at_p };
	struct child all[4];
	struct answer a;
	struct partition p, now;
	struct error e;
	int i, k, have, faults = 0, kept = 0, none = 0;
	const int rounds = tap_amount(30, 400);

	make_state("race");
	for (i = 0; i < rounds; i++) {
		p = abandon();
		for (k = 0; k < 4; k++)
			all[k] = start(acts[(i + k) % 4]);
		for (k = 0; k < 4; k++)
			begin(&all[k]);
		have = 0;
		for (k = 0; k < 4; k++) {
			a = answer(&all[k]);
			if (acts[(i + k) % 4] != adopt_p)
				continue;
			have += a.status == 0;
			faults += a.status != 0 && a.status != ERROR_BUSY &&
			    a.status != ERROR_NOT_FOUND;
			faults += a.status == 0 &&
			    !identity_is_same(&a.partition, &p);
		}
		faults += have > 1;
		faults += (look_at_p(&now, &e) == 0) != (have == 1);
		kept += have == 1;
		none += have == 0;
		for (k = 0; k < 4; k++)
			end(&all[k]);
		faults += look_at_p(&now, &e) == 0;
	}
	is_int(faults, 0, "it never was had twice, or lost by who had it");
	printf("# %d adopted, %d removed\n", kept, none);
	check_in_step("all is well");
}

int
main(void)
{
	test_adopt();
	test_living();
	test_others();
	test_user();
	test_under_lock();
	test_race();
	return state_util_done();
}
