/*
 * Creating a partition as soon as its IPUs are free.  Each try is a separate
 * transaction; between tries the waiter holds a ticket and sleeps.
 */
#include "core/control/queue.h"

#include <sys/inotify.h>
#include <sys/signalfd.h>

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"

/*
 * Waiting for a change of the state directory, by inotify(7), and for a signal
 * that ends the program, by signalfd(2), with a single poll(2).
 *
 * While a watcher is open, the signals that end a program (SIGINT, SIGTERM,
 * SIGHUP, unless ignored) are delayed: watcher_wait() returns for one, and it
 * takes effect when the watcher is released, after cleanup.
 */
struct watcher {
	const char *directory; /* state directory; not copied */
	int changes;	       /* inotify(7), or -1 */
	int signals;	       /* signalfd(2), or -1 */
	sigset_t before;       /* mask to restore */
	bool ended;	       /* a waiter has just ended: wait only until
				  its lock is dropped */
};

enum {
	LOOK_MS = 10000,      /* despite notification */
	LOOK_BLIND_MS = 1000, /* without notification */
	LOCK_GONE_MS = 20     /* from a program's end, which is notified, to the
				 release of its locks */
};

/* Ignored signals stay ignored, as under nohup(1).  Signals are blocked before
   the first look, so that one between a look and a wait is not missed. */
static void
hold_signals(struct watcher *w)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;
	sigset_t set;
	size_t i;

	(void)sigemptyset(&set);
	for (i = 0; i < ARRAY_SIZE(ending); i++)
		if (sigaction(ending[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			(void)sigaddset(&set, ending[i]);
	w->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	/* Without the descriptor they end the program as usual. */
	if (w->signals == -1)
		(void)sigemptyset(&set);
	(void)sigprocmask(SIG_BLOCK, &set, &w->before);
}

/*
 * Begin to delay the signals; `state` is the state directory.  Cannot fail:
 * without inotify(7) or signalfd(2), changes are polled for and signals end the
 * program as usual.
 */
static void
watcher_init(struct watcher *w, const char *state)
{
	memset(w, 0, sizeof(*w));
	w->directory = state;
	w->changes = FAULT_POINT("inotify") != 0 ?
	    -1 :
	    inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	hold_signals(w);
}

static void
watcher_release(struct watcher *w)
{
	if (w->changes != -1)
		(void)close(w->changes);
	if (w->signals != -1)
		(void)close(w->signals);
	w->changes = w->signals = -1;
	(void)sigprocmask(SIG_SETMASK, &w->before, NULL);
}

/* Watching a directory again changes nothing. */
static void
watcher_watch(const struct watcher *w, const char *name, uint32_t events)
{
	char *path = xasprintf("%s/%s", w->directory, name);

	(void)inotify_add_watch(w->changes, path,
	    events | IN_ONLYDIR | IN_DONT_FOLLOW);
	free(path);
}

/* Make changes from now on end watcher_wait(): waiters that come and go and,
   for the first waiter, changed partitions and machines. */
static void
watcher_arm(struct watcher *w, bool first)
{
	/* A new pod replaces these directories. */
	static const char *const directories[] = { "", "agents", "clusters",
		"allocations", "partitions" };
	size_t i;

	if (w->changes == -1)
		return;
	watcher_watch(w, "waiting", IN_CLOSE_WRITE | IN_DELETE);
	for (i = 0; first && i < ARRAY_SIZE(directories); i++)
		watcher_watch(w, directories[i], IN_MOVED_TO | IN_DELETE);
}

/* Read the events; a file closed after writing is a ticket's. */
static void
drain(struct watcher *w)
{
	char buffer[4096]
	    __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	ssize_t size, at;

	while ((size = read(w->changes, buffer, sizeof(buffer))) > 0)
		for (at = 0; at < size;
		     at += (ssize_t)sizeof(*event) + (ssize_t)event->len) {
			event = (const void *)(buffer + at);
			if ((event->mask & IN_CLOSE_WRITE) != 0)
				w->ended = true;
		}
}

/* Return the longest sleep in ms: events may be missing, as on a disk shared by
   hosts. */
static int
limit(const struct watcher *w, int64_t timeout_ms)
{
	int look = w->changes == -1 ? LOOK_BLIND_MS : LOOK_MS;

	if (w->ended)
		look = LOCK_GONE_MS;
	if (timeout_ms < 0 || timeout_ms > look)
		return look;
	return (int)timeout_ms;
}

/*
 * Wait for a change, for timeout_ms (-1: no limit), or until it is time to look
 * for unreported changes: every 10 s, for a shared disk, or every second
 * without inotify(7).  Returns 0.  -1: a signal is pending; it comes first, to
 * end without another look.
 */
static int
watcher_wait(struct watcher *w, int64_t timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = w->signals, .events = POLLIN },
		{ .fd = w->changes, .events = POLLIN },
	};
	int ms = limit(w, timeout_ms);

	w->ended = false;
	(void)poll(fds, 2, ms);
	if (fds[0].revents != 0)
		return -1;
	if (w->changes != -1)
		drain(w);
	return 0;
}

/* Whether a signal that ends the program is pending. */
static bool
watcher_interrupted(const struct watcher *w)
{
	struct pollfd fd = { .fd = w->signals, .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

enum { OWNER_LOOK_MS = 1000 }; /* an owner's end is not notified */

struct queue_waiter {
	struct controller *controller;
	const struct directory *directory;   /* state directory */
	struct partition_request request;    /* checked */
	const struct partition_owner *owner; /* or NULL */
	struct ticket ticket;
	int before;	 /* number of earlier waiters */
	int64_t next_ms; /* next automatic event, or 0 */
};

/* Return the earlier of two times, where 0 means unset. */
static int64_t
earlier(int64_t a, int64_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

/* Return the next automatic event of a partition or machine. */
static int64_t
next_event(const struct controller *c, const struct snapshot *s)
{
	const struct agent *a = s->pod.agents;
	int64_t now_ms = c->now_ms();
	int64_t next = registry_due(&c->state.registry);

	for (; a < s->pod.agents + s->pod.agent_count; a++)
		if (a->state == MACHINE_REBOOTING && a->up_ms > now_ms)
			next = earlier(next, a->up_ms);
	return next;
}

/* The first waiter also checks for dead owners, because their IPUs become
   free. */
static void
watch_owners(struct queue_waiter *w, const struct snapshot *s)
{
	int i;

	for (i = 0; i < s->partition_count; i++)
		if (owner_kind_has_lock(s->partitions[i].owner_kind))
			break;
	if (i < s->partition_count && w->before == 0)
		w->next_ms = earlier(w->next_ms,
		    w->controller->now_ms() + OWNER_LOOK_MS);
}

/* Count earlier waiters; take a ticket if `waits` is set or others came
   earlier. */
static int
line_up(struct queue_waiter *w, const struct snapshot *s, bool waits,
    struct error *e)
{
	struct ticket *tickets;
	long count = ticket_read(w->directory, &tickets, e);
	int status = 0;

	if (count == -1)
		return -1;
	w->before = ticket_count_before(&s->pod, tickets, count, &w->request,
	    w->ticket.number);
	if (w->ticket.number == 0 && (waits || w->before > 0))
		status = ticket_take(w->directory, tickets, count, &w->request,
		    &w->ticket, e);
	if (status == 0)
		status = ticket_clean(w->directory, tickets, count, e);
	free(tickets);
	return status;
}

/* Try under the lock.  0: created; 1: wait, with the reason in the text. */
static int
try_locked(struct queue_waiter *w, struct snapshot *s,
    struct partition *created, struct error *e)
{
	int status;

	w->next_ms = next_event(w->controller, s);
	(void)error_set_code(e, ERROR_NO_ROOM, "%d IPUs are free",
	    w->request.size);
	status = create_plan(w->controller, s, &w->request, created, e);
	if (status == -1 || line_up(w, s, status == 1, e) != 0)
		return -1;
	watch_owners(w, s);
	if (status == 1 || w->before > 0)
		return 1;
	return create_under_lock(w->controller, s, &w->request, w->owner,
	    created, e);
}

int
queue_waiter_try(struct queue_waiter *w, struct partition *created,
    struct error *e)
{
	struct snapshot s;
	int status;

	if (transaction_begin(w->controller, &s, e) != 0)
		return -1;
	status = try_locked(w, &s, created, e);
	transaction_end(w->controller, &s);
	return status;
}

/* Append the number of earlier waiters. */
static void
append_before(const struct queue_waiter *w, struct error *e)
{
	if (w->before > 0)
		(void)error_append(e, "; %d %s before this one", w->before,
		    w->before == 1 ? "waits" : "wait");
}

/* Use what follows the first "; " of a reason such as "size 16: no group is
   free; taken by p (32)". */
void
queue_waiter_tell(const struct queue_waiter *w, const struct error *reason,
    struct error *text)
{
	const char *rest = strstr(reason->text, "; ");

	(void)error_set(text, "waiting for %d IPU%s%s", w->request.size,
	    w->request.size == 1 ? "" : "s", rest != NULL ? rest : "");
	append_before(w, text);
}

int
queue_waiter_time_out(const struct queue_waiter *w, int64_t waited_ms,
    struct error *e)
{
	append_before(w, e);
	(void)error_prefix(e, "waited %" PRId64 " s", waited_ms / 1000);
	return error_recode(e, ERROR_TIMED_OUT);
}

static void
queue_notify(const struct queue_waiter *w,
    const struct wait_options *wait_options, const struct error *reason)
{
	struct error text;

	queue_waiter_tell(w, reason, &text);
	if (wait_options->notify != NULL)
		wait_options->notify(wait_options->context, text.text);
}

/* Return ERROR_INTERRUPTED, by EINTR. */
static int
queue_interrupted(struct error *e)
{
	return error_set_number(e, EINTR, "gave up waiting");
}

/* Return the time left; -1 for a time of 0, which is unset. */
static int64_t
until(int64_t time_ms, int64_t now_ms)
{
	if (time_ms == 0)
		return -1;
	return time_ms > now_ms ? time_ms - now_ms : 0;
}

/* Return how long to sleep, -1: no limit.  Stored times are by the host's
   clock, the end of the wait by the monotonic one. */
static int64_t
time_left(const struct queue_waiter *w, int64_t deadline_ms)
{
	const struct controller *c = w->controller;
	int64_t event_ms = until(w->next_ms, c->now_ms());
	int64_t limit_ms = until(deadline_ms, c->monotonic_ms());

	return event_ms == -1 || (limit_ms != -1 && limit_ms < event_ms) ?
	    limit_ms :
	    event_ms;
}

/* Alternate between trying and waiting.  A waiter that becomes the first tries
   again, with the first one's additional watches. */
static int
wait_in_line(struct queue_waiter *w, const struct wait_options *wait_options,
    struct watcher *watcher, struct partition *created, struct error *e)
{
	const struct controller *c = w->controller;
	int64_t deadline_ms = 0;
	bool first, notified = false;
	int status;

	if (wait_options->wait_ms >= 0)
		deadline_ms = wait_options->wait_ms +
		    (wait_options->since_ms != 0 ? wait_options->since_ms :
						   c->monotonic_ms());
	for (;;) {
		first = w->before == 0;
		watcher_arm(watcher, first);
		if ((status = queue_waiter_try(w, created, e)) != 1)
			return status;
		if (!first && w->before == 0)
			continue;
		if (deadline_ms != 0 && c->monotonic_ms() >= deadline_ms)
			return queue_waiter_time_out(w, wait_options->wait_ms,
			    e);
		if (!notified)
			queue_notify(w, wait_options, e);
		notified = true;
		if (watcher_wait(watcher, time_left(w, deadline_ms)) != 0)
			return queue_interrupted(e);
	}
}

struct queue_waiter *
queue_waiter_new(struct controller *c, const struct partition_request *asked,
    const struct partition_owner *owner, struct error *e)
{
	struct queue_waiter *w = xcalloc(1, sizeof(*w));

	w->controller = c;
	w->directory = &c->state.directory;
	w->request = *asked;
	w->owner = owner;
	w->ticket.fd = -1;
	if (request_check(&w->request, e) == 0)
		return w;
	free(w);
	return NULL;
}

bool
queue_waiter_is_first(const struct queue_waiter *w)
{
	return w->before == 0;
}

void
queue_waiter_free(struct queue_waiter *w)
{
	if (w == NULL)
		return;
	(void)ticket_drop(w->directory, &w->ticket, NULL);
	free(w);
}

int
queue_embedded(struct controller *c, const struct partition_request *r,
    const struct partition_owner *owner,
    const struct wait_options *wait_options, struct partition *created,
    struct error *e)
{
	struct queue_waiter *w;
	struct partition partition;
	struct watcher watcher;
	int status;

	w = queue_waiter_new(c, r, owner, e);
	if (w == NULL)
		return -1;
	watcher_init(&watcher, c->state.paths.directory);
	status = wait_in_line(w, wait_options, &watcher, &partition, e);
	if (status == 0 && watcher_interrupted(&watcher)) {
		(void)remove_same(c, &partition, NULL);
		status = queue_interrupted(e);
	}
	queue_waiter_free(w);
	watcher_release(&watcher);
	if (status == 0 && created != NULL)
		*created = partition;
	return status;
}

int
queue_create(struct controller *c, const struct partition_request *asked,
    const struct partition_owner *owner,
    const struct wait_options *wait_options, struct partition *created,
    struct error *e)
{
	struct partition_request request = *asked;

	return request_check(&request, e) != 0 ?
	    -1 :
	    c->operations->queue(c, &request, owner, wait_options, created, e);
}
