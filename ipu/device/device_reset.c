/*
 * Resetting the IPUs of devices: lock them, check that the partition is still
 * in order, clear what a reset can clear, and report the remaining errors.
 */
#include "ipu/device/device_reset.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"

enum { DEVICE_REFUSED = -1 };

/* All devices, locked at once: checking the state for each would take minutes
   for a large partition. */
struct device_reset {
	const struct device_reset_order *order;
	struct registry *registry; /* also in the order */
	const struct visible_devices *view;
	const struct device *devices;
	int count;
	int *first;	 /* first IPU of each in the pod, or DEVICE_REFUSED */
	char **refusals; /* reasons */
};

static void
device_reset_write(const struct device_reset *d, int i,
    const struct ipu_slot *words)
{
	int ipu;

	for (ipu = d->first[i]; ipu < d->first[i] + d->devices[i].count; ipu++)
		ipu_holder_write(registry_slot(d->registry, ipu), words);
}

static void
device_reset_take(struct device_reset *d)
{
	struct ipu_slot words = *d->order->words;
	struct error reason;
	int i, ipu;

	words.attached_ns = clock_real_ns();
	for (i = 0; i < d->count; i++) {
		if (device_take(d->registry, d->view, &d->devices[i],
			d->order->words, d->order->at_once, &d->first[i],
			&reason) != 0) {
			d->first[i] = DEVICE_REFUSED;
			d->refusals[i] = xstrdup(reason.text);
			continue;
		}
		words.gcd = d->devices[i].gcd;
		device_reset_write(d, i, &words);
		(void)registry_announce(d->registry, d->first[i],
		    d->devices[i].count);
		/* Clear the mark before reading the partition, as attaching
		   does. */
		ipu = d->first[i] + d->devices[i].count;
		while (--ipu >= d->first[i])
			atomic_store(&registry_slot(d->registry, ipu)->lost, 0);
	}
}

static void
device_reset_give_back(struct device_reset *d)
{
	static const struct ipu_slot unheld;
	int i;

	for (i = 0; i < d->count; i++) {
		free(d->refusals[i]);
		if (d->first[i] == DEVICE_REFUSED)
			continue;
		device_reset_write(d, i, &unheld);
		(void)registry_detach(d->registry, d->first[i],
		    d->devices[i].count);
	}
	free(d->refusals);
	free(d->first);
}

/* Report an IPU that keeps errors; `kept` IPUs were reported before. */
static void
device_reset_kept(const struct device_reset *d, int i, int index, uint32_t left,
    int kept, struct error *e)
{
	const struct visible_devices *v = d->view;
	struct failed_ipu failed;
	struct error line;

	failure_describe(&failed, &v->snapshot.pod, v->partition->name,
	    d->first[i] + index);
	failed.index = index;
	failed.id = d->devices[i].first_id + index;
	(void)failure_to_attach(&failed, left, &line);
	if (kept == 0)
		(void)error_copy(e, &line);
	else
		(void)error_append(e, "\n%s", line.text);
}

/* Reset every IPU, also after one that keeps an error. */
static int
device_reset_one(const struct device_reset *d, int i, struct error *e)
{
	uint32_t left;
	int k, kept = 0;

	for (k = 0; k < d->devices[i].count; k++) {
		left = device_take_reset(d->registry, d->first[i] + k);
		if (left != 0)
			device_reset_kept(d, i, k, left, kept++, e);
	}
	return kept == 0 ? 0 : -1;
}

static int
device_reset_all(const struct device_reset *d)
{
	device_reset_reporter *tell = d->order->tell;
	void *context = d->order->context;
	struct error reason;
	int i, failed = 0;

	for (i = 0; i < d->count; i++) {
		if (d->first[i] == DEVICE_REFUSED)
			tell(context, &d->devices[i], d->refusals[i]);
		else if (device_reset_one(d, i, &reason) != 0)
			tell(context, &d->devices[i], reason.text);
		else {
			tell(context, &d->devices[i], NULL);
			continue;
		}
		failed++;
	}
	return failed;
}

/* Check one device for all: they lie in one partition. */
static int
device_reset_check(const struct device_reset *d, struct error *e)
{
	int i;

	for (i = 0; i < d->count; i++)
		if (d->first[i] != DEVICE_REFUSED)
			return device_take_check(d->registry, d->view,
			    &d->devices[i], d->first[i], e);
	return 0;
}

int
device_reset(const struct device_reset_order *order,
    const struct device *devices, int count, struct error *e)
{
	struct device_reset d = { .order = order,
		.registry = order->registry,
		.view = order->view,
		.devices = devices,
		.count = count };
	int failed;

	if (device_take_check_state(order->view->partition, e) != 0)
		return -1;
	d.first = xcalloc((size_t)count, sizeof(*d.first));
	d.refusals = xcalloc((size_t)count, sizeof(*d.refusals));
	device_reset_take(&d);
	failed = device_reset_check(&d, e);
	if (failed == 0)
		failed = device_reset_all(&d);
	device_reset_give_back(&d);
	return failed;
}

int
device_reset_visible(const struct device_reset_order *order, int id,
    struct error *e)
{
	const struct visible_devices *v = order->view;
	struct device one, *all;
	int count, failed, n;

	if (visible_devices_require(v, false, e) != 0)
		return -1;
	if (id != -1)
		return device_find(v->partition, v->gcd, id, &one, e) != 0 ?
		    -1 :
		    device_reset(order, &one, 1, e);
	n = device_list(v->partition, v->gcd, &all);
	for (count = 0; count < n && all[count].count == 1; count++)
		;
	failed = device_reset(order, all, count, e);
	free(all);
	return failed;
}
