/*
 * The program's side of a lease.  Read lease_open(), then lease_serve(), which
 * is the thread.
 */
#include "ipu/device/lease.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/job/job.h"
#include "core/server/rpc/rpc.h"
#include "core/server/server.h"

enum {
	REPORT_MS = 250,   /* time between two reports of counters */
	GOODBYE_MS = 2000, /* time for the server to take the device back */
	WORDS_MS = 2000,   /* time for the server to explain a failure; whole
			      seconds */
	LEASE_STACK = 512 * 1024 /* bytes of the thread's stack */
};

struct lease {
	struct rpc_client *client;
	struct rpc_stream *stream;
	char *server;
	int count;
	struct ipu_slot *slots;
	bool is_shared;			/* the slots are the server's memory */
	struct lease_counters *reports; /* latest reports, one per IPU; not used
					   if is_shared */
	uint32_t *errors;		/* per IPU, as the server last sent */
	pthread_t thread;
	int end;	      /* eventfd that ends the thread */
	pthread_mutex_t lock; /* guards the members below */
	pthread_cond_t changed;
	struct error trouble;  /* of the device; ERROR_NONE: no trouble */
	struct error siblings; /* of another instance; stays once set */
	_Atomic bool has_siblings;
};

/* ---- slots ---- */

/* Map the slots that the server shares, or allocate them if it shares none. */
static int
lease_map(struct lease *l, bool has_memory, struct error *e)
{
	const size_t size = (size_t)l->count * sizeof(*l->slots);
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW;
	struct stat st;
	int fd = has_memory ? rpc_client_take_passed(l->client) : -1;

	/* Require seals: a file that cannot shrink raises no SIGBUS, so it
	   needs no bus guard. */
	if (has_memory &&
	    (fd == -1 || fstat(fd, &st) != 0 || st.st_size != (off_t)size ||
		(fcntl(fd, F_GET_SEALS) & seals) != seals)) {
		if (fd != -1)
			(void)close(fd);
		return error_set_code(e, ERROR_DAMAGED,
		    "%s: the server's shared memory cannot be used for "
		    "counters",
		    l->server);
	}
	l->slots = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    has_memory ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
	if (fd != -1)
		(void)close(fd);
	if (l->slots == MAP_FAILED) {
		l->slots = NULL;
		return error_set_errno(e, "cannot map counters of %d IPUs",
		    l->count);
	}
	l->is_shared = has_memory;
	l->reports = xcalloc((size_t)l->count, sizeof(*l->reports));
	l->errors = xcalloc((size_t)l->count, sizeof(*l->errors));
	return 0;
}

/* ---- messages from the server ---- */

/* Set the error to the server's explanation.  Without a text all is well:
   ERROR_NONE. */
static void
lease_copy_trouble(struct error *to, uint32_t status, const char *text)
{
	const bool is_trouble = text != NULL && text[0] != '\0';
	enum error_code code = rpc_status_error((enum rpc_status)status);

	if (is_trouble && code == ERROR_NONE)
		code = ERROR_FAILED;
	(void)error_set_code(to, is_trouble ? code : ERROR_NONE, "%s",
	    is_trouble ? text : "");
}

static void
lease_take_status(struct lease *l, const ipubox_v1_LeaseStatus *s)
{
	struct ipu_slot *slot;
	int i;

	(void)pthread_mutex_lock(&l->lock);
	lease_copy_trouble(&l->trouble, s->trouble_code, s->trouble);
	if (l->siblings.code == ERROR_NONE)
		lease_copy_trouble(&l->siblings, s->siblings_code, s->siblings);
	atomic_store(&l->has_siblings, l->siblings.code != ERROR_NONE);
	(void)pthread_cond_broadcast(&l->changed);
	(void)pthread_mutex_unlock(&l->lock);
	for (i = 0; i < l->count && i < (int)s->ipus_count; i++) {
		slot = &l->slots[i];
		/* Clear only errors that the server sent before: one that the
		   program set stays until the server has heard of it. */
		(void)atomic_fetch_or(&slot->soc_error, s->ipus[i].soc_error);
		(void)atomic_fetch_and(&slot->soc_error,
		    ~(l->errors[i] & ~s->ipus[i].soc_error));
		l->errors[i] = s->ipus[i].soc_error;
		if (s->ipus[i].lost)
			atomic_store(&slot->lost, 1);
	}
}

/* Set the trouble to a lost connection, and mark all IPUs as lost. */
static void
lease_lose(struct lease *l, const struct error *why)
{
	int i;

	(void)pthread_mutex_lock(&l->lock);
	(void)error_set_code(&l->trouble, ERROR_UNAVAILABLE,
	    "the device was lost with the V-IPU server at %s\n%.800s",
	    l->server, why->text);
	(void)pthread_cond_broadcast(&l->changed);
	(void)pthread_mutex_unlock(&l->lock);
	for (i = 0; i < l->count; i++)
		atomic_store(&l->slots[i].lost, 1);
}

/* Handle all pending messages.  Returns false when the lease has ended. */
static bool
lease_receive(struct lease *l)
{
	const unsigned char *bytes;
	size_t size;
	ipubox_v1_LeaseReply m;
	struct error e;
	enum rpc_received got;

	while ((got = rpc_stream_receive(l->stream, 0, &bytes, &size, &e)) ==
	    RPC_MESSAGE) {
		if (rpc_message_decode(ipubox_v1_LeaseReply_fields, bytes, size,
			&m, &e) != 0) {
			lease_lose(l, &e);
			return false;
		}
		if (m.has_status)
			lease_take_status(l, &m.status);
		rpc_message_release(ipubox_v1_LeaseReply_fields, &m);
	}
	if (got == RPC_NOTHING)
		return true;
	if (got == RPC_ENDED)
		(void)error_set(&e, "the server took the device back");
	lease_lose(l, &e);
	return false;
}

/* ---- reports to the server ---- */

/* Send the counters of all IPUs if one has changed.  Shared memory needs no
   reports. */
static void
lease_report(struct lease *l)
{
	struct lease_counters now;
	unsigned char *bytes;
	size_t size;
	bool changed = false;
	int i;

	for (i = 0; !l->is_shared && i < l->count; i++) {
		lease_counters_read(&now, &l->slots[i]);
		changed = changed ||
		    memcmp(&now, &l->reports[i], sizeof(now)) != 0;
		l->reports[i] = now;
	}
	if (!changed)
		return;
	bytes = lease_message_report(l->reports, l->count, &size);
	rpc_stream_send(l->stream, bytes, size);
	free(bytes);
}

/* ---- the thread ---- */

/* Wait for input or the next report.  Returns false when the thread must
   end. */
static bool
lease_wait(const struct lease *l, int64_t report_ms)
{
	struct pollfd fds[2] = {
		{ .fd = rpc_client_fd(l->client), .events = POLLIN },
		{ .fd = l->end, .events = POLLIN },
	};
	int64_t due_ms = rpc_client_due_ms(l->client), left;

	if (report_ms < due_ms)
		due_ms = report_ms;
	left = due_ms == INT64_MAX ? INT_MAX : due_ms - clock_monotonic_ms();
	(void)poll(fds, 2, left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left);
	return fds[1].revents == 0;
}

/* Send the last report, and wait until the server ends the stream, at most
   GOODBYE_MS. */
static void
lease_say_goodbye(struct lease *l)
{
	const int64_t until_ms = clock_monotonic_ms() + GOODBYE_MS;
	const unsigned char *bytes;
	size_t size;
	int64_t left;

	lease_report(l);
	rpc_stream_half_close(l->stream);
	while ((left = until_ms - clock_monotonic_ms()) > 0 &&
	    rpc_stream_receive(l->stream, left, &bytes, &size, NULL) ==
		RPC_MESSAGE)
		continue;
}

static void *
lease_serve(void *context)
{
	struct lease *l = context;
	int64_t report_ms = INT64_MAX;
	struct error e;

	do {
		if (rpc_client_serve(l->client, &e) != 0) {
			/* Prefer the reason of the stream's end, if it
			   ended. */
			if (lease_receive(l))
				lease_lose(l, &e);
			return NULL;
		}
		if (!lease_receive(l))
			return NULL;
		if (!l->is_shared && clock_monotonic_ms() >= report_ms)
			lease_report(l);
		if (!l->is_shared &&
		    (report_ms == INT64_MAX ||
			clock_monotonic_ms() >= report_ms))
			report_ms = clock_monotonic_ms() + REPORT_MS;
	} while (lease_wait(l, report_ms));
	lease_say_goodbye(l);
	return NULL;
}

/* Start the thread.  Signals are blocked in it, because they are for the
   program's threads.  Only SIGBUS is not blocked, since it must reach the
   thread that caused it. */
static int
lease_start(struct lease *l, struct error *e)
{
	pthread_attr_t attr;
	sigset_t all, before;
	int status;

	l->end = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->end == -1)
		return error_set_errno(e, "cannot serve a lease");
	(void)sigfillset(&all);
	(void)sigdelset(&all, SIGBUS);
	(void)pthread_attr_init(&attr);
	(void)pthread_attr_setstacksize(&attr, LEASE_STACK);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_create(&l->thread, &attr, lease_serve, l);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)pthread_attr_destroy(&attr);
	if (status == 0)
		return 0;
	(void)close(l->end);
	return error_set_number(e, status, "cannot start a thread for a lease");
}

/* ---- a lease ---- */

static void
lease_release(struct lease *l)
{
	rpc_stream_drop(l->stream);
	rpc_client_close(l->client);
	if (l->slots != NULL)
		(void)munmap(l->slots, (size_t)l->count * sizeof(*l->slots));
	(void)pthread_mutex_destroy(&l->lock);
	(void)pthread_cond_destroy(&l->changed);
	free(l->reports);
	free(l->errors);
	free(l->server);
	free(l);
}

/* Find the program's place among the job's instances.  With a device id a wrong
   environment is ignored, because the place does not matter. */
static int
lease_popdist(const struct attach_request *r, struct popdist *p,
    struct error *e)
{
	struct error reason;

	if (r->popdist != NULL) {
		*p = *r->popdist;
		return 0;
	}
	if (popdist_read(p, &reason) == 0)
		return 0;
	p->is_set = false;
	return r->device_id >= 0 ? 0 : error_copy(e, &reason);
}

/* Begin the stream and send the request. */
static int
lease_wish(struct lease *l, const struct rpc_metadata_row *metadata,
    const struct attach_request *r, struct error *e)
{
	struct popdist popdist;
	unsigned char *bytes;
	size_t size;

	if (lease_popdist(r, &popdist, e) != 0 ||
	    (bytes = lease_message_wish(r, &popdist, &size, e)) == NULL)
		return -1;
	l->stream = rpc_stream_begin(l->client, LEASE_MESSAGE_PATH, metadata, 0,
	    e);
	if (l->stream != NULL)
		rpc_stream_send(l->stream, bytes, size);
	free(bytes);
	return l->stream == NULL ? -1 : 0;
}

/* Wait for the grant, without a limit, because a device may be long in use.
   The connection's keep-alive ends the wait if the server is dead. */
static int
lease_await(struct lease *l, struct lease_grant *grant, struct error *e)
{
	const unsigned char *bytes;
	size_t size;
	ipubox_v1_LeaseReply m;
	int status;

	switch (rpc_stream_receive(l->stream, -1, &bytes, &size, e)) {
	case RPC_MESSAGE:
		break;
	case RPC_FAILED:
		return e->code != ERROR_UNSUPPORTED ?
		    -1 :
		    server_address_lacks(l->server, "a program that attaches",
			e);
	default:
		return error_set_code(e, ERROR_DAMAGED,
		    "%s: the server closed the connection without granting a "
		    "device",
		    l->server);
	}
	if (rpc_message_decode(ipubox_v1_LeaseReply_fields, bytes, size, &m,
		e) != 0)
		return -1;
	status = lease_message_read_grant(&m, grant, e);
	rpc_message_release(ipubox_v1_LeaseReply_fields, &m);
	return status;
}

struct lease *
lease_open(struct rpc_client *client, const char *server,
    const struct rpc_metadata_row *metadata, const struct attach_request *r,
    struct lease_grant *grant, struct error *e)
{
	struct lease *l = xcalloc(1, sizeof(*l));
	pthread_condattr_t attr;

	l->client = client;
	l->server = xstrdup(server);
	(void)pthread_mutex_init(&l->lock, NULL);
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&l->changed, &attr);
	(void)pthread_condattr_destroy(&attr);
	if (lease_wish(l, metadata, r, e) == 0 &&
	    lease_await(l, grant, e) == 0) {
		l->count = grant->taken.device.count;
		if (lease_map(l, grant->has_memory, e) == 0 &&
		    lease_start(l, e) == 0)
			return l;
	}
	lease_release(l);
	return NULL;
}

void
lease_close(struct lease *l)
{
	const uint64_t one = 1;

	(void)!write(l->end, &one, sizeof(one));
	(void)pthread_join(l->thread, NULL);
	(void)close(l->end);
	lease_release(l);
}

struct ipu_slot *
lease_slot(const struct lease *l, int ipu)
{
	return &l->slots[ipu];
}

/* Wait for the server's explanation, at most WORDS_MS.  The caller holds the
   lock. */
static void
lease_await_words(struct lease *l)
{
	struct timespec until;
	int status = 0;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += WORDS_MS / 1000;
	while (l->trouble.code == ERROR_NONE && status == 0)
		status = pthread_cond_timedwait(&l->changed, &l->lock, &until);
}

int
lease_check(struct lease *l, struct error *e)
{
	bool in_trouble = false;
	int i;

	for (i = 0; i < l->count && !in_trouble; i++)
		in_trouble = attach_local_in_trouble(&l->slots[i]);
	if (!in_trouble)
		return 0;
	(void)pthread_mutex_lock(&l->lock);
	lease_await_words(l);
	if (l->trouble.code != ERROR_NONE)
		(void)error_copy(e, &l->trouble);
	else
		(void)error_set_code(e, ERROR_UNAVAILABLE,
		    "an IPU has an error, but the V-IPU server at %s does not "
		    "say which",
		    l->server);
	(void)pthread_mutex_unlock(&l->lock);
	return -1;
}

int
lease_check_siblings(struct lease *l, struct error *e)
{
	if (!atomic_load_explicit(&l->has_siblings, memory_order_relaxed))
		return 0;
	(void)pthread_mutex_lock(&l->lock);
	(void)error_copy(e, &l->siblings);
	(void)pthread_mutex_unlock(&l->lock);
	return -1;
}
