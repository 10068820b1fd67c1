/*
 * job_entry, job_store: objects that come and go, their order, and
 * whose they are.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/yaml/yaml.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static struct yaml_arena *arena;

static struct yaml_node *
object(const char *name)
{
	struct yaml_node *o = yaml_new_map(arena);

	yaml_set_text(arena, o, "kind", "IPUJob");
	yaml_set_text(arena,
	    yaml_set(arena, o, "metadata", yaml_new_map(arena)), "name", name);
	return o;
}

static void
make(struct job_store *s, const char *space, const char *name)
{
	struct job_entry entry;
	struct error e;

	must(job_entry_make(s, space, name, object(name), &entry, &e), &e);
	job_entry_close(&entry);
}

static void
write_empty(const struct job_store *s, const char *file)
{
	const int fd = openat(s->directory.fd, file,
	    O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd == -1)
		abort();
	(void)close(fd);
}

static void
test_store(struct job_store *s)
{
	struct yaml_node *o;
	struct error e;
	char **names, *claim, *served;

	is_int(job_store_names(s, "default", JOB_SECRET, &names, &e), 0,
	    "there are no secrets yet");
	must(job_store_write(s, "default", JOB_SECRET, "token", object("token"),
		 &e),
	    &e);
	o = job_store_read(s, arena, "default", JOB_SECRET, "token", &e);
	is_str(yaml_get_text(o, "metadata/name"), "token",
	    "one that was written is read");
	ok(job_store_read(s, arena, "default", JOB_CONFIG_MAP, "token", &e) ==
		    NULL &&
		e.code == ERROR_NOT_FOUND,
	    "as what it is");
	ok(job_store_read(s, arena, "other", JOB_SECRET, "token", &e) == NULL &&
		e.code == ERROR_NOT_FOUND,
	    "where it is");
	is_int(job_store_names(s, "default", JOB_SECRET, &names, &e), 1,
	    "it is listed");
	is_str(names[0], "token", "by its name");
	directory_names_free(names, 1);
	write_empty(s, "default/secrets/void.json");
	ok(job_store_read(s, arena, "default", JOB_SECRET, "void", &e) ==
		    NULL &&
		e.code == ERROR_DAMAGED,
	    "one that is empty is damaged");
	must(job_store_remove(s, "default", JOB_SECRET, "void", &e), &e);
	is_int(job_store_write(s, "default", JOB_SECRET, "../x", object("x"),
		   &e),
	    -1, "no name leads elsewhere");
	is_int(job_store_write(s, "..", JOB_SECRET, "x", object("x"), &e), -1,
	    "nor does a namespace");
	claim = job_store_place(s, "default", JOB_PLACE_CLAIM, "data", &e);
	ok(claim != NULL && access(claim, W_OK) == 0, "a claim's directory");
	must(job_store_write(s, "default", JOB_CLAIM, "data", object("data"),
		 &e),
	    &e);
	is_int(job_store_remove(s, "default", JOB_CLAIM, "data", &e), 0,
	    "a claim is removed");
	ok(access(claim, F_OK) != 0, "with what it held");
	free(claim);
	served = job_store_place(s, "default", JOB_PLACE_SERVED, "data", &e);
	ok(served != NULL && access(served, W_OK) == 0,
	    "what stands for a volume from elsewhere");
	free(served);
	ok(job_store_place(s, "default", JOB_PLACE_SERVED, "..", &e) == NULL,
	    "has no name that leads elsewhere either");
	is_int(job_store_remove(s, "default", JOB_SECRET, "none", &e), -1,
	    "one that is not there is not");
	is_int(e.code, ERROR_NOT_FOUND, "and that is the reason");
}

static void
test_modes(const struct job_store *s)
{
	struct stat st;
	char *path = xasprintf("%s/default/secrets/token.json",
	    s->directory.path);

	is_int(stat(path, &st), 0, "a secret is a file");
	is_int(st.st_mode & 0777, 0600, "for its owner alone");
	free(path);
}

static void
test_order(struct job_store *s)
{
	struct job_entry *list, entry;
	struct error e;
	long count;

	make(s, "default", "zebra");
	make(s, "alpha", "middle");
	make(s, "default", "ant");
	count = job_entry_list(s, NULL, &list, &e);
	is_int(count, 3, "three jobs");
	is_str(list[0].name, "zebra", "the first that was made");
	is_str(list[1].name, "middle", "the second, of another namespace");
	is_str(list[2].name, "ant", "the third");
	is_int(job_entry_make(s, "default", "ant", object("ant"), &entry, &e),
	    -1, "a second one of that name");
	is_int(e.code, ERROR_EXISTS, "is refused");
	job_entry_close(&entry);
	is_int(job_entry_remove(s, &list[0], &e), 0, "the first is removed");
	job_entry_free_list(list, count);
	make(s, "default", "zebra");
	count = job_entry_list(s, "default", &list, &e);
	is_int(count, 2, "two are left in its namespace");
	is_str(list[1].name, "zebra", "the name comes again, as the last");
	job_entry_free_list(list, count);
}

static void
test_files(const struct job_store *s)
{
	struct job_entry entry;
	struct yaml_node *list, *o;
	struct error e;
	char **names;

	must(job_entry_open(s, "default", "ant", &entry, &e), &e);
	o = job_entry_read(&entry, arena, JOB_OBJECT, &e);
	is_str(yaml_get_text(o, "metadata/name"), "ant", "its object");
	ok(job_entry_read(&entry, arena, JOB_STATUS, &e) == NULL &&
		e.code == ERROR_NOT_FOUND,
	    "it has no status yet");
	is_int(job_entry_pods(&entry, &names, &e), 0, "nor pods");
	directory_names_free(names, 0);
	ok(job_entry_read_pod(&entry, arena, "..", &e) == NULL,
	    "no path leads elsewhere");
	is_int((long long)job_entry_events(&entry, arena)->count, 0,
	    "nothing has happened");
	job_entry_add_event(&entry, object("first"));
	job_entry_add_event(&entry, object("second"));
	list = job_entry_events(&entry, arena);
	is_int((long long)list->count, 2, "two events");
	is_str(yaml_get_text(list->items[1].node, "metadata/name"), "second",
	    "in their order");
	must(file_replace_at(&entry.directory, JOB_STATUS, "{", 1, &e), &e);
	ok(job_entry_read(&entry, arena, JOB_STATUS, &e) == NULL &&
		strstr(e.text, JOB_STATUS) != NULL,
	    "a damaged file is named");
	job_entry_close(&entry);
}

/* As many as a job has in years: the file stays small, the last ones stay. */
static void
test_many_events(const struct job_store *s)
{
	struct job_entry entry;
	struct yaml_node *list, *o = object("event");
	struct stat st;
	struct error e;
	char text[1000];
	int i;

	must(job_entry_open(s, "default", "zebra", &entry, &e), &e);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	yaml_set_text(arena, o, "message", text);
	for (i = 0; i < 600; i++) {
		yaml_set_integer(arena, o, "number", i);
		job_entry_add_event(&entry, o);
	}
	is_int(fstatat(entry.directory.fd, "events", &st, 0), 0, "the file");
	ok(st.st_size < 300 * 1024, "does not grow for ever");
	list = job_entry_events(&entry, arena);
	ok(list->count > 100, "many are kept");
	is_int(yaml_get_integer(list->items[list->count - 1].node, "number",
		   -1),
	    599, "the last one among them");
	job_entry_close(&entry);
}

static void
test_runner(const struct job_store *s)
{
	struct job_entry entry;
	struct pollfd p = { .events = POLLIN };
	struct error e;
	pid_t child;
	int fd, pipes[2], status;

	must(job_entry_open(s, "default", "ant", &entry, &e), &e);
	ok(!job_entry_is_locked(&entry), "nobody runs it");
	job_entry_wake(&entry);
	if (pipe(pipes) != 0)
		abort();
	child = fork();
	if (child == 0) {
		fd = job_entry_lock(&entry, NULL);
		(void)!write(pipes[1], fd != -1 ? "y" : "n", 1);
		for (;;)
			(void)pause();
	}
	(void)!read(pipes[0], &status, 1);
	ok(job_entry_is_locked(&entry), "a child does");
	is_int(job_entry_lock(&entry, &e), -1, "then no other can");
	is_int(e.code, ERROR_BUSY, "and that is the reason");
	(void)kill(child, SIGKILL);
	(void)waitpid(child, &status, 0);
	ok(!job_entry_is_locked(&entry), "it was killed: nobody does");
	p.fd = job_entry_listen(&entry, &e);
	ok(p.fd != -1 && poll(&p, 1, 0) == 0, "nobody has woken it");
	job_entry_wake(&entry);
	is_int(poll(&p, 1, 1000), 1, "somebody has");
	(void)close(p.fd);
	ok(!job_entry_is_over(&entry), "it is not over");
	job_entry_set_over(&entry, true);
	ok(job_entry_is_over(&entry), "it is");
	job_entry_set_over(&entry, false);
	ok(!job_entry_is_over(&entry), "or not yet");
	job_entry_close(&entry);
	(void)close(pipes[0]);
	(void)close(pipes[1]);
}

/* A state that is a group's is nobody's place for processes of his own. */
static void
test_shared(void)
{
	struct job_store s;
	struct error e;
	char *home = xasprintf("%s/home", tap_directory());

	(void)setenv("HOME", home, 1);
	(void)unsetenv("XDG_STATE_HOME");
	if (mkdir(home, 0700) != 0 || chmod(test_paths.directory, 02770) != 0)
		abort();
	is_int(job_store_open(&s, false, &e), -1, "there are no jobs there");
	is_int(e.code, ERROR_NOT_FOUND, "and that is the reason");
	job_store_close(&s);
	must(job_store_open(&s, true, &e), &e);
	ok(strncmp(s.directory.path, home, strlen(home)) == 0,
	    "they are in the user's home");
	job_store_close(&s);
	free(home);
}

int
main(void)
{
	struct job_store s;
	struct error e;

	arena = yaml_arena_new();
	make_state("state");
	is_int(job_store_open(&s, false, &e), -1, "no jobs at first");
	job_store_close(&s);
	must(job_store_open(&s, true, &e), &e);
	must(job_store_lock(&s, &e), &e);
	test_store(&s);
	test_modes(&s);
	test_order(&s);
	test_files(&s);
	test_many_events(&s);
	job_store_unlock(&s);
	test_runner(&s);
	job_store_close(&s);
	test_shared();
	yaml_arena_free(arena);
	return tap_done();
}
