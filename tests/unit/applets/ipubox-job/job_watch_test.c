/*
 * Waiting for a change: each kind of it ends the wait, and what is none does
 * not.
 */
#include "applets/ipubox-job/job_watch.h"

#include <sys/stat.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/kube/runtime/runtime.h"
#include "tests/unit/tap.h"

enum {
	SOON_MS = 20000, /* what is notified of comes at once */
	NEVER_MS = 30
};

static struct yaml_node *
make_node(struct yaml_arena *arena, const char *phase)
{
	struct yaml_node *n = yaml_new_map(arena);

	/* One that is over, so that nobody runs it. */
	yaml_set_text(arena, n, "launcherStatus", phase);
	return n;
}

static void
is_changed(struct job_watch *w, const char *name)
{
	is_int(job_watch_wait(w, SOON_MS), 1, name);
	while (job_watch_wait(w, 0) == 1)
		continue;
}

static void
test_entry(struct job_store *s, struct job_watch *w)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *n = make_node(arena, "Completed");
	struct job_entry entry;
	char *pod;

	is_int(job_entry_make(s, "default", "bert", n, &entry, NULL), 0,
	    "a job is made");
	is_int(job_entry_write(&entry, JOB_STATUS, n, NULL), 0, "is over");
	is_changed(w, "which is a change");
	is_int(job_watch_wait(w, NEVER_MS), 0, "and then there is none");
	is_int(job_entry_write(&entry, JOB_STATUS, n, NULL), 0, "a status");
	is_changed(w, "is one");
	job_entry_add_event(&entry, n);
	is_changed(w, "an event is one");
	pod = xasprintf("%s/pods/bert-worker-0", entry.directory.path);
	is_int(mkdir(pod, 0700), 0, "a pod");
	is_changed(w, "is one");
	is_int(job_entry_write_pod(&entry, "bert-worker-0", n, NULL), 0,
	    "its state");
	is_changed(w, "is one");
	is_int(job_entry_remove(s, &entry, NULL), 0, "that it goes");
	is_changed(w, "is one");
	free(pod);
	job_entry_close(&entry);
	yaml_arena_free(arena);
}

static void
test_objects(struct job_store *s, struct job_watch *w)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *n = make_node(arena, "");

	is_int(job_store_write(s, "default", JOB_CONFIG_MAP, "cm", n, NULL), 0,
	    "a ConfigMap");
	is_changed(w, "is a change");
	is_int(job_store_remove(s, "default", JOB_CONFIG_MAP, "cm", NULL), 0,
	    "that it goes");
	is_changed(w, "is one");
	is_int(job_store_write(s, "other", JOB_SECRET, "s", n, NULL), 0,
	    "another namespace");
	/* That it comes is noticed, and not what is in it. */
	while (job_watch_wait(w, NEVER_MS) == 1)
		continue;
	is_int(job_store_write(s, "other", JOB_SECRET, "s", n, NULL), 0,
	    "a change there");
	is_int(job_watch_wait(w, NEVER_MS), 0, "is none");
	yaml_arena_free(arena);
}

static void
put_log(const struct job_entry *entry)
{
	char *path = xasprintf("%s/pods/bert-worker-0/c.log",
	    entry->directory.path);
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	ok(fd != -1 && file_put(fd, "line\n", 5) == 0 && close(fd) == 0,
	    "a container writes");
	free(path);
}

static void
test_logs(struct job_store *s)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *n = make_node(arena, "Completed");
	struct job_watch *w;
	struct job_entry entry;
	char *pod;
	int lock;

	is_int(job_entry_make(s, "default", "bert", n, &entry, NULL), 0,
	    "a job");
	is_int(job_entry_write(&entry, JOB_STATUS, n, NULL), 0, "is over");
	pod = xasprintf("%s/pods/bert-worker-0", entry.directory.path);
	is_int(mkdir(pod, 0700), 0, "with a pod");
	w = job_watch_open(s, NULL);
	put_log(&entry);
	is_int(job_watch_wait(w, NEVER_MS), 0, "which is no change");
	job_watch_add_logs(w);
	put_log(&entry);
	is_changed(w, "but one for who follows");
	lock = job_entry_lock(&entry, NULL);
	ok(lock != -1 && job_entry_is_locked(&entry), "somebody runs it");
	is_int(job_watch_wait(w, NEVER_MS), 0, "which is none");
	(void)close(lock);
	is_int(job_watch_wait(w, SOON_MS), 1, "that the runner ends is one");
	ok(!job_entry_is_locked(&entry), "and then it is gone");
	is_int(job_watch_wait(w, NEVER_MS), 0, "to look at it is none");
	job_watch_close(w);
	free(pod);
	job_entry_close(&entry);
	yaml_arena_free(arena);
}

static volatile sig_atomic_t caught;

static void
catch_signal(int number)
{
	caught = number;
}

static void
test_signal(const struct job_store *s)
{
	struct sigaction action = { .sa_handler = catch_signal };
	struct job_watch *w;

	(void)sigaction(SIGTERM, &action, NULL);
	w = job_watch_open(s, NULL);
	(void)raise(SIGTERM);
	is_int(caught, 0, "a signal waits");
	is_int(job_watch_wait(w, SOON_MS), -1, "and ends the wait");
	job_watch_close(w);
	is_int(caught, SIGTERM, "it takes effect at the end");
}

int
main(void)
{
	struct job_store s;
	struct job_watch *w;
	struct error e;
	char *state = xasprintf("%s/state", tap_directory());
	int64_t begin_ms;

	(void)setenv("IPUBOX_STATE_DIR", state, 1);
	if (!is_int(job_store_open(&s, true, &e), 0, "the store"))
		return tap_done();
	w = job_watch_open(&s, "default");
	begin_ms = clock_monotonic_ms();
	is_int(job_watch_wait(w, NEVER_MS), 0, "nothing changes");
	ok(clock_monotonic_ms() - begin_ms >= NEVER_MS, "for that time");
	test_entry(&s, w);
	test_objects(&s, w);
	job_watch_close(w);
	test_logs(&s);
	test_signal(&s);
	job_store_close(&s);
	free(state);
	return tap_done();
}
