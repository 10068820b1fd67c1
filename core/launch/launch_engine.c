/*
 * Turns the hub's events into events of instances.  Read take_hub_event()
 * first, then engine_settle().
 */
#include "core/launch/launch_engine.h"

#include <sys/epoll.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/strvec.h"
#include "core/link/link.h"

enum {
	OUTPUTS = 2,
	LINE_MAX_BYTES = 64 * 1024, /* longer lines are split */
	/* limit of looks at arriving data after the engine's end */
	LAST_LOOKS = 10000
};

/* State of an instance's parent. */
enum engine_state { PARENT_ABSENT, PARENT_CONNECTED, PARENT_OVER, PARENT_LOST };

struct engine_text {
	int fd; /* -1: none, or ended */
	char *data;
	size_t used;
};

struct launch_engine {
	struct link_hub *hub;
	int count;
	const struct parent_start *starts;
	enum engine_state *states;
	bool *reads;   /* the instances with an input */
	int connected; /* connected parents */
	int absent;
	int ended;  /* number of instances */
	int signal; /* signal that began the end; 0: not ending */
	bool released;
	int epoll;
	struct engine_text own[OUTPUTS];
	struct strvec environment;
	void (*event)(void *, const struct launch_engine_event *);
	void *context;
};

static void
engine_send_number(struct launch_engine *g, int instance, enum link_kind kind,
    int number)
{
	unsigned char body[sizeof(uint32_t)];
	size_t used = 0;

	link_put(body, &used, (uint32_t)number);
	link_hub_send(g->hub, instance, kind, body, used);
}

/* Tell connected parents now, and others when they connect. */
static void
engine_begin_end(struct launch_engine *g, int signal)
{
	if (g->signal != 0)
		return;
	g->signal = signal;
	engine_send_number(g, -1, LINK_END_TREE, signal);
}

static void
engine_open(struct launch_engine *g, int instance)
{
	struct parent_start start = g->starts[instance];
	unsigned char body[PARENT_START_BYTES];

	g->states[instance] = PARENT_CONNECTED;
	g->connected++;
	g->absent--;
	if (g->released)
		link_hub_send(g->hub, instance, LINK_RELEASE, NULL, 0);
	else if (g->signal != 0)
		engine_send_number(g, instance, LINK_END_TREE, g->signal);
	else {
		start.input = g->reads[instance];
		parent_start_put(&start, body);
		link_hub_send(g->hub, instance, LINK_START, body, sizeof(body));
	}
}

/* Make an instance's output readable from its start on. */
static void
engine_hand_outputs(struct launch_engine *g, int instance)
{
	struct launch_engine_event event = { .kind = ENGINE_OUTPUT,
		.instance = instance };
	int i;

	for (i = 0; i < OUTPUTS && event.stream != -1; i++) {
		event.stream = i;
		event.value = link_hub_output(g->hub, instance, i + 1);
		if (event.value == -1) {
			event.stream = -1;
			event.value = errno;
		}
		g->event(g->context, &event);
	}
}

/* Record a start; the rest of the body is the host's name. */
static void
engine_take_started(struct launch_engine *g, int instance,
    const struct link_message *m)
{
	char host[256] = "";
	uint32_t pid = 0;
	size_t used = 0, size;

	(void)link_get(m, &used, &pid);
	size = m->size - used;
	if (size > sizeof(host) - 1)
		size = sizeof(host) - 1;
	memcpy(host, m->body + used, size);
	g->event(g->context,
	    &(struct launch_engine_event){ .kind = ENGINE_STARTED,
		.instance = instance,
		.pid = (pid_t)pid,
		.host = host });
	engine_hand_outputs(g, instance);
}

/* Record the end of an instance, or a failed start. */
static void
engine_take_end(struct launch_engine *g, int instance,
    const struct link_message *m)
{
	uint32_t value = 0, told_to_end = 0;
	size_t used = 0;

	(void)link_get(m, &used, &value);
	(void)link_get(m, &used, &told_to_end);
	g->ended++;
	g->event(g->context,
	    &(struct launch_engine_event){ .kind = m->kind == LINK_ENDED ?
		    ENGINE_INSTANCE_ENDED :
		    ENGINE_CANNOT_START,
		.instance = instance,
		.value = (int)value,
		.told_to_end = told_to_end != 0 });
	/* If it had been told to end, the engine is ending them all. */
	if (m->kind != LINK_ENDED || value != 0 || told_to_end != 0 ||
	    g->ended == g->count)
		engine_begin_end(g, SIGTERM);
}

static void
engine_leave(struct launch_engine *g, int instance, enum engine_state state)
{
	if (g->states[instance] == PARENT_CONNECTED)
		g->connected--;
	g->states[instance] = state;
}

/* Record the loss of a parent: it may leave after its end, otherwise it was
   killed. */
static void
engine_take_loss(struct launch_engine *g, int instance,
    const struct error *reason)
{
	if (g->states[instance] != PARENT_CONNECTED)
		return;
	engine_leave(g, instance, PARENT_LOST);
	if (g->released)
		return;
	g->event(g->context,
	    &(struct launch_engine_event){ .kind = ENGINE_LOST,
		.instance = instance,
		.value = reason->code == ERROR_TIMED_OUT });
	engine_begin_end(g, SIGTERM);
}

static void
take_hub_event(void *context, const struct link_hub_event *h)
{
	struct launch_engine *g = context;

	if (h->kind == LINK_HUB_OPEN)
		engine_open(g, h->instance);
	else if (h->kind == LINK_HUB_LOST)
		engine_take_loss(g, h->instance, h->reason);
	else if (h->kind == LINK_HUB_VISITOR)
		g->event(g->context,
		    &(struct launch_engine_event){ .kind = ENGINE_VISITOR,
			.instance = h->instance,
			.value = h->fd });
	else if (h->message->kind == LINK_STARTED)
		engine_take_started(g, h->instance, h->message);
	else if (h->message->kind == LINK_ENDED ||
	    h->message->kind == LINK_CANNOT_START)
		engine_take_end(g, h->instance, h->message);
	else if (h->message->kind == LINK_OVER)
		engine_leave(g, h->instance, PARENT_OVER);
}

static void
engine_put_line(struct launch_engine *g, struct engine_text *t, size_t size)
{
	t->data[size] = '\0';
	g->event(g->context,
	    &(struct launch_engine_event){ .kind = ENGINE_LINE,
		.stream = (int)(t - g->own),
		.line = t->data });
}

/* Report complete lines; at the end the rest as well. */
static void
engine_put_lines(struct launch_engine *g, struct engine_text *t, bool last)
{
	char *newline;
	size_t size;

	while (t->used > 0) {
		newline = memchr(t->data, '\n', t->used);
		if (newline == NULL && !last && t->used < LINE_MAX_BYTES)
			return;
		size = newline != NULL ? (size_t)(newline - t->data) : t->used;
		engine_put_line(g, t, size);
		if (newline != NULL)
			size++;
		t->used -= size;
		memmove(t->data, t->data + size, t->used);
	}
}

static void
engine_close_text(struct launch_engine *g, struct engine_text *t)
{
	engine_put_lines(g, t, true);
	if (t->fd != -1)
		(void)close(t->fd);
	t->fd = -1;
	free(t->data);
	t->data = NULL;
}

/* Read the engine's available output. */
static void
engine_read_text(struct launch_engine *g, struct engine_text *t)
{
	ssize_t n;

	while (t->fd != -1) {
		n = read(t->fd, t->data + t->used, LINE_MAX_BYTES - t->used);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 && errno == EAGAIN)
			return;
		if (n <= 0) {
			engine_close_text(g, t);
			return;
		}
		t->used += (size_t)n;
		engine_put_lines(g, t, false);
	}
}

/* Release all parents when none that connected has anything left. */
static void
engine_settle(struct launch_engine *g)
{
	if (g->signal != 0 && !g->released && g->connected == 0)
		launch_engine_release(g);
}

static int
engine_watch(const struct launch_engine *g, int fd)
{
	return epoll_ctl(g->epoll, EPOLL_CTL_ADD, fd,
	    &(struct epoll_event){ .events = EPOLLIN });
}

struct launch_engine *
launch_engine_new(int count, const struct parent_start *starts,
    const char *directory, const struct link_reach *reach,
    void (*event)(void *, const struct launch_engine_event *), void *context,
    struct error *e)
{
	struct launch_engine *g = xcalloc(1, sizeof(*g));
	int i;

	g->count = g->absent = count;
	g->starts = starts;
	g->event = event;
	g->context = context;
	g->states = xcalloc((size_t)count, sizeof(*g->states));
	g->reads = xcalloc((size_t)count, sizeof(*g->reads));
	strvec_init(&g->environment);
	for (i = 0; i < OUTPUTS; i++)
		g->own[i].fd = -1;
	g->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (g->epoll == -1)
		(void)error_set_errno(e, "cannot watch the instances");
	else if ((g->hub = link_hub_new(count, directory, reach, take_hub_event,
		      g, e)) != NULL &&
	    engine_watch(g, link_hub_fd(g->hub)) == 0)
		return g;
	else if (g->hub != NULL)
		(void)error_set_errno(e, "cannot watch the instances");
	launch_engine_free(g);
	return NULL;
}

void
launch_engine_free(struct launch_engine *g)
{
	int i;

	if (g == NULL)
		return;
	for (i = 0; i < OUTPUTS; i++) {
		if (g->own[i].fd != -1)
			(void)close(g->own[i].fd);
		free(g->own[i].data);
	}
	link_hub_free(g->hub);
	if (g->epoll != -1)
		(void)close(g->epoll);
	strvec_release(&g->environment);
	free(g->states);
	free(g->reads);
	free(g);
}

/* The environment's words stay: the reaper's child executes with them. */
void
launch_engine_leave(struct launch_engine *g)
{
	link_hub_forget(g->hub);
	g->hub = NULL;
	(void)close(g->epoll);
	g->epoll = -1;
}

char *const *
launch_engine_environment(struct launch_engine *g, char *const *environment)
{
	strvec_add_all(&g->environment, environment);
	strvec_addf(&g->environment, "%s=%s", LINK_ADDRESS_VARIABLE,
	    link_hub_address(g->hub));
	strvec_addf(&g->environment, "%s=%s", LINK_SECRET_VARIABLE,
	    link_hub_secret(g->hub));
	return g->environment.items;
}

int
launch_engine_take_inputs(struct launch_engine *g, int *inputs)
{
	int status = 0, fd, i;

	for (i = 0; i < g->count; i++) {
		if ((fd = inputs[i]) == -1)
			continue;
		if (fd == STDIN_FILENO)
			fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (fd == -1)
			status = -1;
		g->reads[i] = true;
		link_hub_input(g->hub, i, fd);
		inputs[i] = -1;
	}
	return status;
}

void
launch_engine_listen(struct launch_engine *g, int output, int fd)
{
	struct engine_text *t = &g->own[output];

	t->fd = fd;
	t->data = xmalloc(LINE_MAX_BYTES + 1);
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	(void)engine_watch(g, fd);
}

int
launch_engine_fd(const struct launch_engine *g)
{
	return g->epoll;
}

void
launch_engine_continue(struct launch_engine *g)
{
	int i;

	link_hub_continue(g->hub);
	for (i = 0; i < OUTPUTS; i++)
		engine_read_text(g, &g->own[i]);
	engine_settle(g);
}

/* Read only what is available, because a surviving process of the engine may
   hold its output open. */
void
launch_engine_finish(struct launch_engine *g)
{
	struct pollfd hub = { .fd = link_hub_fd(g->hub), .events = POLLIN };
	int i;

	for (i = 0; i < LAST_LOOKS && poll(&hub, 1, 0) == 1; i++)
		link_hub_continue(g->hub);
	for (i = 0; i < OUTPUTS; i++) {
		engine_read_text(g, &g->own[i]);
		engine_close_text(g, &g->own[i]);
	}
	engine_settle(g);
}

void
launch_engine_signal(struct launch_engine *g, int signal)
{
	engine_send_number(g, -1, LINK_SIGNAL, signal);
}

void
launch_engine_resize(struct launch_engine *g, const struct winsize *size)
{
	unsigned char body[2 * sizeof(uint32_t)];
	size_t used = 0;

	link_put(body, &used, size->ws_row);
	link_put(body, &used, size->ws_col);
	link_hub_send(g->hub, -1, LINK_WINDOW_SIZE, body, used);
}

void
launch_engine_end(struct launch_engine *g, int signal)
{
	if (g->signal == 0)
		engine_begin_end(g, signal);
	else
		engine_send_number(g, -1, LINK_END_TREE, SIGKILL);
	engine_settle(g);
}

bool
launch_engine_is_ending(const struct launch_engine *g)
{
	return g->signal != 0;
}

void
launch_engine_release(struct launch_engine *g)
{
	g->released = true;
	link_hub_send(g->hub, -1, LINK_RELEASE, NULL, 0);
}

bool
launch_engine_is_released(const struct launch_engine *g)
{
	return g->released;
}

int
launch_engine_missing(const struct launch_engine *g)
{
	return g->absent;
}

bool
launch_engine_holds_output(const struct launch_engine *g)
{
	return link_hub_holds_output(g->hub);
}
