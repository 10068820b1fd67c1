/*
 * The runner of one job: a loop that compares the request with the state and
 * takes the next step.  runner_instance.c has the steps.
 */
#include "core/kube/runner/runner.h"
#include "core/kube/runner/runner_parts.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <bsd/string.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/kube/runtime/runtime.h"
#include "core/process/process.h"

enum {
	READY_MS = 30000, /* time limit for a runner to get its place */
	USAGE_MS = 10000, /* between two checks of volumes */
	STEPS_MAX = 1000  /* in one round: more is a bug */
};

/* The poll set, in the order of watch_all(). */
struct watched {
	struct pollfd *fds;
	size_t count;
	size_t room;
};

static void
runner_watch(struct watched *w, int fd)
{
	if (w->count == w->room) {
		w->room = w->room * 2 + 16;
		w->fds = xreallocarray(w->fds, w->room, sizeof(*w->fds));
	}
	w->fds[w->count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/* Collect the descriptors in the order of runner_dispatch(); poll(2) ignores
   -1. */
static void
watch_all(const struct job_runner *r, struct watched *w)
{
	const struct runner_instance *in;
	size_t n;
	int i, k;

	w->count = 0;
	runner_watch(w, r->signals);
	runner_watch(w, r->changes);
	for (i = 0; i < r->count; i++) {
		in = r->instances[i];
		runner_watch(w, in->partition.messages);
		for (k = 0; k < in->pod_count; k++) {
			runner_watch(w, in->pods[k].socket);
			runner_watch(w, in->pods[k].outputs[0]);
			runner_watch(w, in->pods[k].outputs[1]);
		}
	}
	runner_watch(w, r->exec_listener);
	for (n = 0; n < r->exec_count; n++)
		runner_watch(w, r->execs[n].socket);
}

/* SIGTERM and the like mean a shutdown; the next runner continues the job. */
static bool
runner_take_signals(const struct job_runner *r)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (read(r->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		end |= info.ssi_signo != SIGCHLD;
	return end;
}

static void
take_changes(const struct job_runner *r)
{
	char bytes[4096];

	while (read(r->changes, bytes, sizeof(bytes)) > 0)
		continue;
}

static bool
is_ready(const struct pollfd *p)
{
	return p->fd != -1 && (p->revents & (POLLIN | POLLHUP | POLLERR)) != 0;
}

static void
dispatch_pod(struct job_runner *r, struct runner_pod *p,
    const struct pollfd *fds)
{
	int i;

	/* The socket comes first, because it delivers the outputs. */
	if (is_ready(&fds[0]) && p->socket == fds[0].fd)
		runner_pod_read_socket(r, p);
	for (i = 0; i < RUNNER_OUTPUTS; i++)
		if (is_ready(&fds[1 + i]) && p->outputs[i] == fds[1 + i].fd)
			runner_pod_read_output(r, p, i);
}

/* Handle the ready descriptors, in the order of watch_all(). */
static bool
runner_dispatch(struct job_runner *r, const struct watched *w)
{
	const struct pollfd *fds = w->fds;
	struct runner_instance *in;
	bool end = is_ready(&fds[0]) && runner_take_signals(r);
	size_t n;
	int i, k;

	if (is_ready(&fds[1])) {
		take_changes(r);
		r->has_changed = true;
	}
	fds += 2;
	for (i = 0; i < r->count; i++) {
		in = r->instances[i];
		if (is_ready(fds++))
			runner_partition_read(&in->partition);
		for (k = 0; k < in->pod_count; k++, fds += 3)
			dispatch_pod(r, &in->pods[k], fds);
	}
	for (n = 0; n < r->exec_count; n++)
		if (is_ready(&fds[1 + n]))
			runner_exec_read(&r->execs[n]);
	if (is_ready(fds))
		runner_exec_accept(r);
	return end;
}

/* Return the milliseconds until something is due, or -1 for never. */
static int
runner_wait_ms(const struct job_runner *r, int64_t now_ms)
{
	int64_t due = r->ttl_ms != 0 ? r->ttl_ms : -1, at;
	int i;

	if (r->usage_ms != 0 && (due == -1 || r->usage_ms < due))
		due = r->usage_ms;
	for (i = 0; i < r->count; i++) {
		at = runner_instance_due(r->instances[i]);
		if (at != -1 && (due == -1 || at < due))
			due = at;
	}
	if (due == -1)
		return -1;
	return due <= now_ms	   ? 0 :
	    due - now_ms > 3600000 ? 3600000 :
				     (int)(due - now_ms);
}

static void
tick(struct job_runner *r, int64_t now_ms)
{
	struct runner_instance *in;
	const bool look = r->usage_ms != 0 && now_ms >= r->usage_ms;
	int i, k;

	if (look)
		r->usage_ms = now_ms + USAGE_MS;
	for (i = 0; i < r->count; i++) {
		in = r->instances[i];
		for (k = 0; k < in->pod_count; k++) {
			runner_pod_tick(r, &in->pods[k], now_ms);
			if (look)
				runner_pod_check_usage(r, &in->pods[k]);
		}
	}
	if (r->ttl_ms != 0 && now_ms >= r->ttl_ms) {
		r->ttl_ms = 0;
		runner_job_end(r, "Completed",
		    "the time of the interactive job is over");
	}
}

/* Take all steps that are possible now. */
static void
step_all(struct job_runner *r)
{
	bool any = true;
	int i, rounds;

	for (rounds = 0; any && rounds < STEPS_MAX; rounds++) {
		any = false;
		for (i = 0; i < r->count; i++)
			any |= runner_instance_step(r, r->instances[i],
			    clock_monotonic_ms());
	}
}

/* Reap other children: reapers, processes that requested partitions,
   commands. */
static void
reap(struct job_runner *r)
{
	siginfo_t info;
	int i;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
		    info.si_pid == 0)
			return;
		/* The owner of a partition reaps its process. */
		for (i = 0; i < r->count; i++)
			if (r->instances[i]->partition.pid == info.si_pid)
				return;
		if (!runner_exec_reap(r, info.si_pid))
			(void)waitpid(info.si_pid, NULL, 0);
	}
}

/* Let the starter continue when each instance has, or had, a place in the
   queue. */
static void
tell_starter(struct job_runner *r)
{
	int i;

	for (i = 0; i < r->count; i++)
		if (r->instances[i]->state == RUNNER_NEW ||
		    (r->instances[i]->state == RUNNER_REQUESTING &&
			r->instances[i]->partition.state ==
			    RUNNER_PARTITION_REQUESTED))
			return;
	if (r->starter != -1)
		(void)close(r->starter);
	r->starter = -1;
}

static void
runner_loop(struct job_runner *r)
{
	struct watched w = { .fds = NULL };
	bool end = false;
	int64_t now_ms;

	while (!end) {
		if (r->has_changed)
			runner_job_reload(r);
		step_all(r);
		runner_job_write_status(r);
		tell_starter(r);
		if (runner_job_is_over(r))
			break;
		watch_all(r, &w);
		now_ms = clock_monotonic_ms();
		if (poll(w.fds, (nfds_t)w.count, runner_wait_ms(r, now_ms)) ==
			-1 &&
		    errno != EINTR)
			break;
		end = runner_dispatch(r, &w);
		reap(r);
		tick(r, clock_monotonic_ms());
	}
	free(w.fds);
	runner_job_finish(r, end);
}

/*
 * Close the descriptors of the starter's caller: a reader of a pipe would wait
 * for the job to end, and the pods would inherit them.  Ours are all
 * close-on-exec, which tells them apart.
 */
static void
drop_inherited(void)
{
	DIR *fds = opendir("/proc/self/fd");
	struct dirent *entry;
	long long fd;
	int flags;

	while (fds != NULL && (entry = readdir(fds)) != NULL) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    parse_number("fd", entry->d_name, STDERR_FILENO + 1,
			INT_MAX, &fd, NULL) != 0)
			continue;
		flags = fcntl((int)fd, F_GETFD);
		if (flags != -1 && (flags & FD_CLOEXEC) == 0)
			(void)close((int)fd);
	}
	if (fds != NULL)
		(void)closedir(fds);
}

/* Receive signals by a descriptor, and leave the terminal and the user's
   session. */
static int
runner_detach(struct job_runner *r, struct error *e)
{
	sigset_t set;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), i;

	(void)setsid();
	if (chdir("/") != 0)
		return error_set_errno(e, "cannot change to directory /");
	(void)umask(077);
	for (i = 0; null != -1 && i < 3; i++)
		(void)dup2(null, i);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	r->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signals == -1)
		return error_set_errno(e, "cannot wait for signals");
	r->changes = job_entry_listen(r->entry, e);
	return r->changes == -1 ? -1 : 0;
}

static void __attribute__((noreturn))
runner_main(struct job_store *store, struct job_entry *entry, int starter)
{
	struct job_runner r = { .store = store,
		.entry = entry,
		.starter = starter,
		.lock = -1,
		.signals = -1,
		.changes = -1 };
	struct error e;

	title_set("ipubox-runner");
	drop_inherited();
	r.lock = job_entry_lock(entry, &e);
	if (r.lock == -1)
		_exit(0); /* another runner was faster */
	if (runner_detach(&r, &e) != 0 || runner_job_open(&r, &e) != 0) {
		runner_event_add(&r, "Warning", "FailedRunner", entry->name,
		    "%s", e.text);
		_exit(1);
	}
	runner_exec_open(&r);
	r.usage_ms = clock_monotonic_ms() + USAGE_MS;
	runner_loop(&r);
	_exit(0);
}

int
runner_start(struct job_store *store, const struct job_entry *entry,
    struct error *e)
{
	struct job_entry copy;
	struct pollfd p = { .events = POLLIN };
	int fds[2], number, status = 0;
	pid_t pid;

	if (job_entry_is_locked(entry))
		return 0;
	if (job_entry_open(store, entry->space, entry->name, &copy, e) != 0) {
		job_entry_close(&copy);
		return -1;
	}
	if (pipe2(fds, O_CLOEXEC) != 0) {
		job_entry_close(&copy);
		return error_set_errno(e, "cannot make a pipe");
	}
	(void)fflush(NULL);
	pid = fork();
	number = errno;
	if (pid == 0) {
		(void)close(fds[0]);
		job_store_unlock(store);
		/* It becomes a child of init or of a subreaper, which reaps
		   it. */
		pid = fork();
		if (pid != 0)
			_exit(pid == -1 ? errno : 0);
		runner_main(store, &copy, fds[1]);
	}
	(void)close(fds[1]);
	job_entry_close(&copy);
	if (pid != -1 && waitpid(pid, &status, 0) == pid && WIFEXITED(status))
		number = WEXITSTATUS(status);
	if (pid == -1 || status != 0) {
		(void)close(fds[0]);
		return program_fork_error(e, number, "the job's runner");
	}
	p.fd = fds[0];
	(void)poll(&p, 1, READY_MS);
	(void)close(fds[0]);
	return 0;
}

/* Whether the job needs a runner and has none. */
static bool
runner_is_left(const struct job_entry *entry)
{
	struct yaml_arena *arena;
	const struct yaml_node *object, *status;
	bool left;

	if (job_entry_is_over(entry) || job_entry_is_locked(entry))
		return false;
	arena = yaml_arena_new();
	object = job_entry_read(entry, arena, JOB_OBJECT, NULL);
	status = job_entry_read(entry, arena, JOB_STATUS, NULL);
	left = object != NULL &&
	    (!job_status_is_over(status) ||
		yaml_path(object, "metadata/deletionTimestamp") != NULL);
	yaml_arena_free(arena);
	return left;
}

int
runner_adopt_all(struct job_store *store, struct error *e)
{
	struct job_entry *list;
	struct error reason;
	long count = job_entry_list(store, NULL, &list, e);
	long i;

	for (i = 0; i < count; i++)
		if (runner_is_left(&list[i]))
			(void)runner_start(store, &list[i], &reason);
	job_entry_free_list(list, count > 0 ? count : 0);
	return count == -1 ? -1 : 0;
}
