/*
 * Holding devices for programs in any language.  Read device_child_run() at the
 * end, then child_answer().
 */
#include "ipu/device/device.h"

#include <sys/socket.h>

#include <bsd/string.h>
#include <bsd/sys/queue.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/job/job.h"
#include "core/process/process.h"
#include "core/state/state.h"
#include "ipu/device/attach.h"
#include "ipu/device/device_list.h"
#include "ipu/device/poptorch.h"
#include "ipu/device/visible_devices.h"

enum { READ_SIZE = 4096, COUNT_MS = 100 };

/* First line, with the protocol's version. */
static const char greeting[] = "ipubox-device 1\n";

/* A device with locked IPUs. */
struct held_device {
	SLIST_ENTRY(held_device) next;
	struct attachment attachment;
	bool attached; /* false: only reserved by `id` */
	/* End of the work that is counted, CLOCK_REALTIME; 0: no work. */
	int64_t counted_ns;
};

struct device_child {
	int in;
	int out;
	void (*warn)(const char *); /* called once; then NULL */
	struct program_watch program;
	SLIST_HEAD(, held_device) devices;
	char line[DEVICE_REQUEST_MAX + 1];
	size_t used; /* bytes of the line; one more than allowed means too
			long */
};

/* Find the device with that id, or with that size if the id is -1. */
static struct held_device *
find_held(const struct device_child *c, int id, int ipus)
{
	struct held_device *d;

	SLIST_FOREACH(d, &c->devices, next)
		if (id >= 0 ? d->attachment.taken.device.id == id :
			      d->attachment.taken.count == ipus)
			return d;
	return NULL;
}

/* Lock a device for the program.  NULL, with PopTorch's error. */
static struct held_device *
take_held(struct device_child *c, int ipus, int id, struct error *e)
{
	struct held_device *d = xcalloc(1, sizeof(*d));
	char command[SLOT_COMMAND_SIZE];
	struct ipu_holder holder = { .pid = c->program.pid,
		.uid = getuid(),
		.command = command };

	/* Read it again: the process may have executed another program. */
	if (title_read(holder.pid, true, command, sizeof(command)) != 0)
		(void)strlcpy(command, "?", sizeof(command));
	if (attach_for(&d->attachment, ipus, id, &holder, e) != 0) {
		free(d);
		return NULL;
	}
	SLIST_INSERT_HEAD(&c->devices, d, next);
	if (d->attachment.warning.text[0] != '\0' && c->warn != NULL) {
		c->warn(d->attachment.warning.text);
		c->warn = NULL;
	}
	return d;
}

static void
child_give_back(struct device_child *c, struct held_device *d)
{
	SLIST_REMOVE(&c->devices, d, held_device, next);
	attach_end(&d->attachment);
	free(d);
}

/* Count the work of all devices up to now.  Returns whether there is any. */
static bool
count_work(struct device_child *c)
{
	const int64_t now_ns = clock_real_ns();
	struct held_device *d;
	bool works = false;
	int i;

	SLIST_FOREACH(d, &c->devices, next) {
		if (d->counted_ns == 0)
			continue;
		works = true;
		for (i = 0; i < d->attachment.taken.count; i++)
			busy_ring_count(attach_slot(&d->attachment, i),
			    d->counted_ns, now_ns);
		d->counted_ns = now_ns;
	}
	return works;
}

/* Outside poprun, return the same device again for the same size. */
static int
answer_id(struct device_child *c, const struct device_request *r, FILE *out,
    struct error *e)
{
	const struct held_device *d;
	struct popdist p;
	int ipus, id;

	if (popdist_read(&p, e) != 0 ||
	    (ipus = instance_device_size(&p, r->ipus, e)) == -1)
		return -1;
	if (p.is_set) {
		if (instance_device_find(&p, r->ipus, &id, e) != 0)
			return -1;
	} else {
		if ((d = find_held(c, -1, ipus)) == NULL &&
		    (d = take_held(c, ipus, -1, e)) == NULL)
			return -1;
		id = d->attachment.taken.device.id;
	}
	fprintf(out, "ok %d\n", id);
	return 0;
}

/* Attach to a device that `id` has reserved, else to a new one. */
static int
answer_attach(struct device_child *c, const struct device_request *r, FILE *out,
    struct error *e)
{
	struct held_device *d = NULL;
	struct popdist p;
	int ipus = r->ipus;

	if (popdist_read(&p, e) != 0)
		return -1;
	if (r->id == DEVICE_REQUEST_ANY && ipus == 0 &&
	    (ipus = instance_device_size(&p, 0, e)) == -1)
		return -1;
	if (r->id != DEVICE_REQUEST_ANY || !p.is_set)
		d = find_held(c, r->id, ipus);
	if (d != NULL && d->attached && r->id != DEVICE_REQUEST_ANY)
		return error_set_code(e, ERROR_BUSY,
		    "device %d is already attached; detach it first, with "
		    "detachFromDevice() in PopTorch",
		    r->id);
	if (d == NULL || d->attached ||
	    (ipus != 0 && ipus != d->attachment.taken.count))
		d = take_held(c, ipus, r->id, e);
	if (d == NULL)
		return -1;
	d->attached = true;
	fprintf(out, "ok %d %d %d\n", d->attachment.taken.device.id,
	    d->attachment.taken.count, d->attachment.taken.device.gcd);
	return 0;
}

/* Return the attached device with that id, or the only one. */
static struct held_device *
choose_attached(const struct device_child *c, int id, struct error *e)
{
	struct held_device *d, *found = NULL;
	int count = 0;

	SLIST_FOREACH(d, &c->devices, next) {
		if (!d->attached ||
		    (id != DEVICE_REQUEST_ANY &&
			d->attachment.taken.device.id != id))
			continue;
		found = d;
		count++;
	}
	if (count == 1)
		return found;
	if (count > 1)
		(void)error_set_code(e, ERROR_INVALID,
		    "%d devices are attached: which one?", count);
	else if (id != DEVICE_REQUEST_ANY)
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "device %d is not attached", id);
	else
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "no device is attached");
	return NULL;
}

static void
child_print_attributes(FILE *out, const struct registry *registry,
    const struct visible_devices *v, const struct device *device)
{
	struct attributes attributes;
	struct versions versions;
	int i;

	/* If the files are refused, the defaults apply. */
	(void)settings_emulate_sdk(NULL, &versions, NULL, NULL);
	attributes_read(&attributes, registry, &v->snapshot.pod, v->partition,
	    device, clock_real_ns(), gcda_monitoring(), &versions);
	fprintf(out, "ok %d\n", attributes.count);
	for (i = 0; i < attributes.count; i++)
		fprintf(out, "%s: %s\n", attributes.rows[i].key,
		    attributes.rows[i].value);
}

/* Read them through a separate registry, which sees the locks as others do. */
static int
answer_attributes(const struct held_device *d, FILE *out, struct error *e)
{
	struct registry registry;
	struct visible_devices view;
	int status;

	if (device_look_registry(&registry, e) != 0)
		return -1;
	status = visible_devices_open(&view, &registry, e);
	if (status == 0) {
		if (view.partition == NULL ||
		    strcmp(view.partition->name,
			d->attachment.taken.partition) != 0)
			status = error_set_code(e, ERROR_NOT_FOUND,
			    "partition %s was removed",
			    d->attachment.taken.partition);
		else
			child_print_attributes(out, &registry, &view,
			    &d->attachment.taken.device);
		visible_devices_release(&view);
	}
	registry_close(&registry);
	return status;
}

static int
answer_of_device(struct device_child *c, const struct device_request *r,
    FILE *out, struct error *e)
{
	struct held_device *d = choose_attached(c, r->id, e);

	if (d == NULL)
		return -1;
	if (r->verb == DEVICE_VERB_ATTRIBUTES)
		return answer_attributes(d, out, e);
	d->counted_ns = r->verb == DEVICE_VERB_WORK ? clock_real_ns() : 0;
	if (r->verb == DEVICE_VERB_CHECK &&
	    attach_check(&d->attachment, e) != 0)
		return -1;
	if (r->verb == DEVICE_VERB_DETACH)
		child_give_back(c, d);
	fputs("ok\n", out);
	return 0;
}

/* Answer one line. */
static void
child_answer(struct device_child *c, FILE *out)
{
	struct device_request r;
	struct error e = { .text = "" };
	int status;

	status = device_request_parse(&r, c->line, c->used, &e);
	if (status == 0 && r.verb == DEVICE_VERB_ID)
		status = answer_id(c, &r, out, &e);
	else if (status == 0 && r.verb == DEVICE_VERB_ATTACH)
		status = answer_attach(c, &r, out, &e);
	else if (status == 0)
		status = answer_of_device(c, &r, out, &e);
	if (status != 0)
		device_request_refuse(out, &e);
}

/* Wait for the events.  Returns 1, or 0 if the program has ended. */
static int
child_wait(struct device_child *c, int fd, short events)
{
	struct pollfd fds[2] = {
		{ .fd = fd, .events = events },
		{ .fd = c->program.fd, .events = POLLIN },
	};

	do {
		if (program_watch_has_ended(&c->program))
			return 0;
		(void)poll(fds, 2,
		    count_work(c) ? COUNT_MS :
				    program_watch_timeout(&c->program));
	} while (fds[0].revents == 0);
	(void)count_work(c);
	return 1;
}

/*
 * Write all of it.  Returns 1, or 0 if the pipe has no reader or the program
 * has ended.  A write must not block: then this process would miss the end of a
 * program that does not read its answers.  A pipe that poll(2) reports as
 * writable has PIPE_BUF bytes free.
 */
static int
child_write(struct device_child *c, const char *text, size_t size)
{
	ssize_t n;
	size_t part;

	while (size > 0) {
		if (child_wait(c, c->out, POLLOUT) == 0)
			return 0;
		part = size < PIPE_BUF ? size : PIPE_BUF;
		n = send(c->out, text, part, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n == -1 && errno == ENOTSOCK)
			n = write(c->out, text, part);
		if (n == -1 && errno != EAGAIN && errno != EINTR)
			return 0;
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		}
	}
	return 1;
}

/* Collect the bytes and answer each line.  Returns child_write()'s results. */
static int
child_take(struct device_child *c, const char *data, size_t size)
{
	struct memstream answer;
	char *text;
	size_t i, length;
	int status = 1;

	for (i = 0; i < size && status == 1; i++) {
		if (data[i] != '\n') {
			if (c->used < sizeof(c->line))
				c->line[c->used++] = data[i];
			continue;
		}
		child_answer(c, memstream_open(&answer));
		c->used = 0;
		text = memstream_close(&answer, &length);
		status = child_write(c, text, length);
		free(text);
	}
	return status;
}

int
device_child_run(int in, int out, void (*warn)(const char *), struct error *e)
{
	struct device_child c = { .in = in, .out = out, .warn = warn };
	struct held_device *d;
	char data[READ_SIZE];
	ssize_t n = 0;
	int status;

	program_watch_leave("ipubox-device");
	SLIST_INIT(&c.devices);
	program_watch_parent(&c.program);
	status = child_write(&c, greeting, strlen(greeting));
	while (status == 1 && child_wait(&c, c.in, POLLIN) == 1 &&
	    (n = read(c.in, data, sizeof(data))) != 0) {
		if (n > 0)
			status = child_take(&c, data, (size_t)n);
		else if (errno != EAGAIN && errno != EINTR)
			break;
	}
	status = n != -1 ? 0 : error_set_errno(e, "cannot read requests");
	while ((d = SLIST_FIRST(&c.devices)) != NULL)
		child_give_back(&c, d);
	program_watch_release(&c.program);
	return status;
}
