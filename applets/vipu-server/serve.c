/*
 * The server from start to end: the places of its files, and its clock.  A
 * timer triggers due events in the pod, even without requests.
 */
#include "applets/vipu-server/vipu-server_internal.h"

#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu-server/daemon.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/directory.h"
#include "core/base/log.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/process/process.h"
#include "core/server/rpc/rpc.h"
#include "core/server/server.h"
#include "core/state/state.h"
#include "ipu/device/device.h"

/* Longest period between two checks: owners end without a message, and the
   host's clock may be set. */
enum { SERVE_LOOK_MS = 1000 };

/* The descriptor of the signals that end the server. */
struct serve_end {
	struct rpc_watch watch;
	struct daemon *daemon;
	struct services *services;
	struct metrics *metrics; /* NULL: not served */
};

/*
 * Report the server's state to a service manager like sd_notify(3): one
 * datagram, "READY=1" or "STOPPING=1", to the socket named by $NOTIFY_SOCKET, a
 * path or "@NAME".
 */
static void
serve_tell_manager(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t size = path == NULL ? 0 : strlen(path);
	socklen_t length;
	int fd;

	if (size == 0)
		return;
	if ((path[0] != '/' && path[0] != '@') || size >= sizeof(a.sun_path)) {
		log_warnx("NOTIFY_SOCKET %s: must be the address of a socket",
		    path);
		return;
	}
	memcpy(a.sun_path, path, size);
	if (path[0] == '@')
		a.sun_path[0] = '\0';
	length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd == -1 ||
	    sendto(fd, state, strlen(state), MSG_NOSIGNAL,
		(const struct sockaddr *)&a, length) == -1)
		log_warn("cannot send %s to the service manager", state);
	if (fd != -1)
		(void)close(fd);
}

/* ---- the places of its files ---- */

/* Read for users and groups, for holders of locks, and for random bytes. */
static const char *const places_read[] = { "/etc", "/proc", "/dev" };

enum {
	PLACES_OWN = 3, /* the state, the registry, the socket */
	PLACES_READ = ARRAY_SIZE(places_read)
};

static void
places_apply(const struct state_paths *paths, const struct snapshot *s)
{
	struct confine_place *all =
	    xcalloc((size_t)s->partition_count + PLACES_OWN + PLACES_READ,
		sizeof(*all));
	char *registry = path_directory_name(paths->registry);
	struct confinement c;
	char text[CONFINE_TEXT_SIZE];
	size_t count = 0;
	int i;

	for (i = 0; i < PLACES_READ; i++)
		all[count++].path = places_read[i];
	all[count++] = (struct confine_place){ paths->directory, true };
	all[count++] = (struct confine_place){ registry, true };
	all[count++] = (struct confine_place){
		server_socket_directory(paths->directory), true
	};
	for (i = 0; i < s->partition_count; i++)
		if (s->partitions[i].ipuof_directory[0] != '\0')
			all[count++] = (struct confine_place){
				s->partitions[i].ipuof_directory, true
			};
	confine_apply(all, count, &c);
	confine_describe(&c, text);
	log_info("confined: %s", text);
	free(registry);
	free(all);
}

/*
 * Confine this process (confine_apply()), and log the measures in force.  It
 * writes below the state directory, the directories of the registry and of its
 * socket, and the directories of the IPUoF files of existing partitions, which
 * are removed with their partitions.  It also reads /etc, /proc and /dev.  Its
 * listening sockets are open already.
 */
static int
places_confine(const struct registry *r, struct error *e)
{
	struct state_paths paths;
	struct snapshot s;

	if (paths_find(&paths, e) != 0 || snapshot_take(r, &s, e) != 0)
		return -1;
	places_apply(&paths, &s);
	snapshot_release(&s);
	return 0;
}

/*
 * Fix the state's present place for this process: the files that name it may
 * change while the server runs.
 */
static int
places_pin(const struct state_paths *paths, struct error *e)
{
	return setenv("IPUBOX_STATE_DIR", paths->directory, 1) == 0 &&
		setenv("IPUBOX_REGISTRY", paths->registry, 1) == 0 &&
		setenv("IPUBOX_CONFIG", "/dev/null", 1) == 0 ?
	    0 :
	    error_set_errno(e,
		"cannot set the environment variables of the state's paths");
}

/* ---- due events ---- */

/* Log an expired partition; a requested removal was logged already. */
static void
clock_log_gone(const struct partition *p, int64_t now_ms)
{
	if (p->state == PS_REMOVED)
		return;
	log_info("remove partition %s: %s", p->name,
	    p->expires_ms != 0 && p->expires_ms <= now_ms ?
		"its time to live has ended" :
		"its owner is gone");
}

static void
clock_log_state(const struct partition *p)
{
	log_info("partition %s: %s, %s%s%s", p->name,
	    partition_state_name(p->state),
	    partition_operation_name(p->operation),
	    p->state == PS_ERROR ? ": " : "",
	    p->state == PS_ERROR ? p->last_error : "");
}

/*
 * Log a line for each partition that vanished or changed its state between both
 * snapshots: "remove partition p: its time is over".  now_ms is CLOCK_REALTIME.
 */
static void
clock_log_changes(const struct snapshot *before, const struct snapshot *after,
    int64_t now_ms)
{
	const struct partition *was, *is;
	int i, found;

	for (i = 0; i < before->partition_count; i++) {
		was = &before->partitions[i];
		found = snapshot_find(after, was->name);
		is = found == -1 ? NULL : &after->partitions[found];
		if (is == NULL || !identity_is_same(was, is))
			clock_log_gone(was, now_ms);
		else if (is->state != was->state ||
		    is->operation != was->operation)
			clock_log_state(is);
	}
}

/* Return the time of the next check, in ms from now. */
static int64_t
serve_next_check(int64_t due_ms)
{
	int64_t left_ms = due_ms - clock_real_ms();

	if (due_ms == 0 || left_ms > SERVE_LOOK_MS)
		return SERVE_LOOK_MS;
	return left_ms > 0 ? left_ms : 0;
}

/* Process due events, and log them. */
static int
serve_catch_up(struct daemon *d)
{
	struct snapshot before, after;
	struct registry *r = daemon_registry(d, NULL);
	const bool looked = r != NULL && snapshot_take(r, &before, NULL) == 0;
	const int status = transaction_catch_up(d->controller);

	r = looked ? daemon_registry(d, NULL) : NULL;
	if (r != NULL && snapshot_take(r, &after, NULL) == 0) {
		clock_log_changes(&before, &after, clock_real_ms());
		snapshot_release(&after);
	}
	if (looked)
		snapshot_release(&before);
	return status;
}

/* An event that is late and fails is tried again at the next check. */
static void
serve_check(void *context)
{
	struct daemon *d = context;
	struct registry *r = daemon_registry(d, NULL);
	int64_t next_ms = SERVE_LOOK_MS, due_ms;

	log_foreign_rest();
	if (r != NULL) {
		due_ms = registry_due(r);
		if (((due_ms != 0 && due_ms <= clock_real_ms()) ||
			owner_lock_any_gone(r)) &&
		    serve_catch_up(d) == 0)
			due_ms = registry_due(r);
		else if (due_ms != 0 && due_ms <= clock_real_ms())
			due_ms = 0;
		next_ms = serve_next_check(due_ms);
	}
	rpc_timer_set(&rpc_server_loop(d->rpc)->timers, &d->tick,
	    clock_monotonic_ms() + next_ms);
	if (d->users_changed) {
		d->users_changed = false;
		lease_service_recheck(d->leases);
		waiters_recheck(d);
	}
	/* Serving a waiter changes the pod, and restarts the timer. */
	waiters_check(d);
}

/* ---- from start to end ---- */

static void
serve_trouble(void *owner, const struct rpc_peer *peer, const char *text)
{
	(void)owner;
	log_foreign("%s: %s", peer->text, text);
}

static void
serve_notify(const char *text)
{
	log_info("%s", text);
}

/* Allow other hosts only on request, and only if users have keys. */
static int
serve_check_addresses(const struct daemon *d, struct error *e)
{
	const struct server_settings *s = d->settings;
	int i;

	if (s->secure && !login_is_secure(d->controller))
		return error_set(e,
		    "the pod is not in secure mode; make a secure pod with "
		    "vipu-server --init --secure, or replace this one with "
		    "vipu-admin init --secure");
	for (i = 0; i < s->listen_count; i++)
		if (!s->listen[i].is_loopback && !s->insecure &&
		    !login_is_secure(d->controller))
			return error_set(e,
			    "listen %s: other hosts can reach this address, "
			    "but the pod is not in secure mode; make a secure "
			    "pod with vipu-admin init --secure, or let "
			    "everybody in with --insecure",
			    s->listen[i].host);
	return 0;
}

/* Take the state exclusively before reading it. */
static int
serve_open(struct daemon *d, struct error *e)
{
	static const struct caller admin = { .admin = true };

	if (settings_emulate_sdk(NULL, &d->versions, NULL, e) != 0 ||
	    paths_find(&d->paths, e) != 0 ||
	    (d->lock = served_begin(&d->paths, e)) == -1 ||
	    (d->controller = embedded_controller_open(&admin, e)) == NULL ||
	    places_pin(&d->paths, e) != 0 || serve_check_addresses(d, e) != 0)
		return -1;
	return daemon_registry(d, e) == NULL ? -1 : 0;
}

/* Release the state as the last step, so that no other program changes it
   earlier. */
static void
serve_close(struct daemon *d)
{
	struct error e;

	daemon_forget_list(d);
	registry_close(&d->registry);
	controller_close(d->controller);
	if (d->lock != -1 && served_end(&d->paths, d->lock, &e) != 0)
		log_warnx(
		    "the group of the state directory stays without access: %s",
		    e.text);
}

/*
 * Listen for commands and programs of this host.  Every user may connect; the
 * kernel reports the identity.
 */
static int
serve_listen_local(struct daemon *d, struct error *e)
{
	const char *directory = server_socket_directory(d->paths.directory);

	/* systemd usually creates it: below /run, which is root's. */
	if (mkdir(directory, 0755) != 0 && errno != EEXIST)
		return error_set_errno(e, "cannot make %s", directory);
	if (rpc_server_listen_unix(d->rpc, directory, SERVER_SOCKET_NAME, 0666,
		e) != 0)
		return -1;
	log_info("listening on %s/%s", directory, SERVER_SOCKET_NAME);
	return 0;
}

static int
serve_listen(struct daemon *d, struct error *e)
{
	const struct server_listen *l;
	int i, port;

	for (i = 0; i < d->settings->listen_count; i++) {
		l = &d->settings->listen[i];
		port = rpc_server_listen_tcp(d->rpc, l->host, l->port, e);
		if (port == -1)
			return -1;
		log_info(strchr(l->host, ':') != NULL ? "listening on [%s]:%d" :
							"listening on %s:%d",
		    l->host, port);
	}
	return serve_listen_local(d, e);
}

/* Handle a signal: answer the calls in flight, and accept no more.  Metrics end
   at once, so that a probe sees it. */
static void
serve_end(void *context, uint32_t events)
{
	struct serve_end *end = context;
	struct signalfd_siginfo info;

	(void)events;
	if (read(end->watch.fd, &info, sizeof(info)) != sizeof(info))
		return;
	log_info("stopping: signal %u", info.ssi_signo);
	serve_tell_manager("STOPPING=1");
	services_set_serving(end->services, false);
	metrics_stop(end->metrics);
	end->metrics = NULL;
	rpc_server_stop(end->daemon->rpc);
}

static int
serve_watch_signals(struct serve_end *end, struct error *e)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	(void)signal(SIGHUP, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0 ||
	    (end->watch.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)) ==
		-1)
		return error_set_errno(e, "cannot watch for signals");
	end->watch.ready = serve_end;
	end->watch.context = end;
	return rpc_loop_add(rpc_server_loop(end->daemon->rpc), &end->watch,
	    EPOLLIN, e);
}

/* Set the limits: a silent client is probed, and has a third of the time to
   answer. */
static struct rpc_limits
serve_limits(const struct server_settings *s)
{
	struct rpc_limits l = rpc_limits_default;

	if (s->keep_alive_ms != 0) {
		l.silence_ms = s->keep_alive_ms;
		l.answer_ms = s->keep_alive_ms / 3;
	}
	return l;
}

/* Serve until a signal arrives. */
static int
serve_until_signal(struct daemon *d, struct services *services, struct error *e)
{
	struct serve_end end = { .watch = { .fd = -1 },
		.daemon = d,
		.services = services };
	int status = -1;

	if (serve_watch_signals(&end, e) == 0 && serve_listen(d, e) == 0 &&
	    (d->settings->metrics.host[0] == '\0' ||
		(end.metrics = metrics_start(d, e)) != NULL) &&
	    places_confine(&d->registry, e) == 0) {
		d->tick.fire = serve_check;
		d->tick.context = d;
		serve_check(d);
		serve_tell_manager("READY=1");
		while (rpc_server_turn(d->rpc, -1))
			continue;
		rpc_timer_clear(&rpc_server_loop(d->rpc)->timers, &d->tick);
		log_info("stopped");
		status = 0;
	}
	metrics_stop(end.metrics);
	if (end.watch.fd != -1)
		(void)close(end.watch.fd);
	return status;
}

int
serve_run(const struct server_settings *settings, struct error *e)
{
	struct daemon d = { .settings = settings,
		.registry = { .fd = -1, .slots = { .fd = -1 } },
		.lock = -1 };
	struct services *services = services_new(&d);
	const struct rpc_limits limits = serve_limits(settings);
	struct rpc_server_options o = { .trouble = serve_trouble,
		.limits = &limits };
	int status = -1;

	lock_set_notify(serve_notify);
	o.methods = services_methods(services, &o.method_count);
	if (serve_open(&d, e) == 0 && (d.rpc = rpc_server_new(&o, e)) != NULL) {
		services_use(services, rpc_server_loop(d.rpc));
		status = serve_until_signal(&d, services, e);
	}
	rpc_server_free(d.rpc);
	services_free(services);
	serve_close(&d);
	return status;
}
