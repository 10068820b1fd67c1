/*
 * Kill -9, and then a full disk, at every step of each change of the users and
 * of an init in secure mode: the users are those before or those after, whole,
 * and what was acknowledged is there.
 */
#include <sys/wait.h>

#include <bsd/string.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "core/base/formats/encoding.h"
#include "core/control/control.h"
#include "core/pod/document/document.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static const struct caller admin = { .admin = true };
/* Of the key "key": to make it takes longer than all else here. */
static char key_hash[SECRET_HASH_SIZE];

/* Users and mode as a text: "alice:default bob: secure". */
struct scenario {
	const char *name;
	int (*act)(struct error *);
	const char *before;
	const char *after;
};

static int
with_controller(int (*f)(struct controller *, const char *,
		    const struct user_change *, struct error *),
    const char *name, const struct user_change *change, struct error *e)
{
	struct controller *c = embedded_controller_open(&admin, e);
	int status;

	if (c == NULL)
		return -1;
	status = f(c, name, change, e);
	controller_close(c);
	return status;
}

static int
remove_it(struct controller *c, const char *name,
    const struct user_change *change, struct error *e)
{
	(void)change;
	return users_remove(c, name, e);
}

static int
act_create(struct error *e)
{
	const struct user_change change = { .allocations = "default",
		.key = "key" };

	return with_controller(users_create, "bob", &change, e);
}

static int
act_update(struct error *e)
{
	const struct user_change change = { .remove = "default", .key = "new" };

	return with_controller(users_update, "alice", &change, e);
}

static int
act_remove(struct error *e)
{
	return with_controller(remove_it, "alice", NULL, e);
}

static int
init(bool secure, struct error *e)
{
	struct user u = { .name = "boss" };
	struct pod pod;
	int status;

	must(pod_file_parse(&pod, "pod4", pod_embedded("pod4"), e), e);
	(void)strlcpy(u.hash, key_hash, sizeof(u.hash));
	status = secure ?
	    new_pod_init(&test_paths, &pod,
		&(struct new_pod){ .force = true,
		    .mode = NEW_POD_SECURE,
		    .user = &u },
		e) :
	    new_pod_init(&test_paths, &pod,
		&(struct new_pod){ .force = true, .mode = NEW_POD_OPEN }, e);
	pod_release(&pod);
	return status;
}

static int
act_secure(struct error *e)
{
	return init(true, e);
}

static const struct scenario scenarios[] = {
	{ "create user", act_create, "alice:default ",
	    "alice:default bob:default " },
	{ "update user", act_update, "alice:default ", "alice: " },
	{ "remove user", act_remove, "alice:default ", "" },
	{ "init --secure", act_secure, "alice:default ",
	    "alice:default boss: secure" },
};

/* A pod that is not secure, with alice. */
static void
prepare(void)
{
	struct user alice = { .name = "alice",
		.allocation_count = 1,
		.allocations = { "default" } };
	struct error e;
	struct state s;

	use_state("users");
	must(init(false, &e), &e);
	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	(void)user_store_remove(&s, "bob", NULL);
	(void)user_store_remove(&s, "boss", NULL);
	(void)strlcpy(alice.hash, key_hash, sizeof(alice.hash));
	must(user_store_put(&s, &alice, &e), &e);
	state_close(&s);
}

static void
describe(char *text, size_t size)
{
	struct error e = { .text = "" };
	struct state st;
	struct user *users = NULL;
	char list[USER_LIST_SIZE];
	int i, count = -1;
	FILE *f;

	text[0] = '\0';
	f = fmemopen(text, size, "w");
	if (state_open(&st, &e) == 0) {
		count = user_store_list(&st, &users, &e);
		for (i = 0; i < count; i++) {
			user_list(&users[i], ',', list);
			fprintf(f, "%s:%s ", users[i].name, list);
		}
		if (st.secure)
			fprintf(f, "secure");
		state_close(&st);
	}
	if (count == -1)
		fprintf(f, "%s", e.text);
	free(users);
	(void)fclose(f);
}

/* What the child said before it ended; 2: it was killed. */
struct outcome {
	int status;
	enum error_code code;
	bool reached;
};

static struct outcome
attempt(const struct scenario *s, long n, int error_number)
{
	struct outcome o = { .status = 2, .reached = true };
	struct error e = { .text = "" };
	int fd[2], status;
	pid_t pid;

	if (pipe(fd) != 0 || (pid = fork()) == -1) {
		perror("fork");
		exit(1);
	}
	if (pid == 0) {
		fault_arm(n, error_number);
		o.status = s->act(&e);
		o.code = e.code;
		o.reached = fault_count() >= n;
		_exit(write(fd[1], &o, sizeof(o)) != (ssize_t)sizeof(o));
	}
	(void)close(fd[1]);
	if (read(fd[0], &o, sizeof(o)) != (ssize_t)sizeof(o))
		o.status = 2;
	(void)close(fd[0]);
	(void)waitpid(pid, &status, 0);
	if (o.status == 2 &&
	    !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
		o.status = 3;
	return o;
}

/* Whether what is found goes with what was said. */
static bool
is_allowed(const struct scenario *s, const struct outcome *o, const char *found)
{
	bool before = strcmp(found, s->before) == 0;
	bool after = strcmp(found, s->after) == 0;

	if (o->status == 0)
		return after;
	if (o->status == -1 && o->code != ERROR_UNCONFIRMED)
		return before;
	return o->status != 3 && (before || after);
}

/* All points; how many there were, or -1 after a fault. */
static long
pass(const struct scenario *s, int error_number)
{
	struct outcome o;
	struct error e;
	char found[1024];
	long n;

	for (n = 1;; n++) {
		prepare();
		o = attempt(s, n, error_number);
		describe(found, sizeof(found));
		if (!is_allowed(s, &o, found) || !in_step(&e)) {
			printf("# point %ld: status %d, code %d: '%s'\n", n,
			    o.status, (int)o.code, found);
			return -1;
		}
		if (!o.reached)
			return n - 1;
	}
}

/* The file with the key: whole and nobody else's, or not there. */
static void
test_file(void)
{
	struct error e;
	char text[] = "api-access-key=\"k\"\n", path[512];
	long n;
	int status = -1;

	(void)snprintf(path, sizeof(path), "%s.hcl", test_paths.directory);
	for (n = 1; n < 50 && status != 0; n++) {
		fault_arm(n, ENOSPC);
		status = file_create(path, text, strlen(text), NULL);
		ok(status == 0 || access(path, F_OK) != 0,
		    "a file that cannot be written is not there");
	}
	fault_arm(0, 0);
	ok(status == 0 && n > 3, "and then it is");
	is_int(file_create(path, text, strlen(text), &e), -1,
	    "a second one is refused");
	is_int(e.code, ERROR_EXISTS, "because of the first");
	(void)unlink(path);
}

int
main(void)
{
	const struct scenario *s;
	char name[128];
	long points;
	size_t i;

	secret_hash("key", key_hash);
	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		s = &scenarios[i];
		points = pass(s, 0);
		(void)snprintf(name, sizeof(name),
		    "%s: killed at each of %ld points", s->name, points);
		ok(points > 1, name);
		points = pass(s, ENOSPC);
		(void)snprintf(name, sizeof(name),
		    "%s: a full disk at each of %ld points", s->name, points);
		ok(points > 1, name);
	}
	test_file();
	return state_util_done();
}
