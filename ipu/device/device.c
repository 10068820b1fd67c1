/*
 * The ids of devices as in gc-info; first_group_id() has an example.  At the
 * end, a view of the devices for tools that do not attach.
 *
 *  - singles are 0 to N-1, in routing order;
 *  - reconfigurable: then all aligned pairs, quads, ... up to all N: the
 *    group of g IPUs number k has id N + N/2 + ... + 2N/g + k;
 *  - one GCD, preconfigured: one group of all, id N; but id 3 for N = 2, as
 *    the guide prints it;
 *  - G GCDs: a group each, ids N to N+G-1, none where a GCD is one IPU;
 *  - seen from one GCD: its IPUs only, ids start at 0, its group is id n.
 *
 * Source: V-IPU user guide 5.2, 5.3, 5.11.
 */
#include "ipu/device/device_list.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "ipu/device/recording.h"
#include "ipu/device/visible_devices.h"

/* Whether the view is the whole partition: a single GCD is, named or not. */
static bool
is_whole(const struct partition *p, int gcd)
{
	return gcd < 0 || p->num_gcds <= 1;
}

/* Find the view's IPUs of the partition: first .. first+count-1. */
static void
view_range(const struct partition *p, int gcd, int *first, int *count)
{
	if (is_whole(p, gcd)) {
		*first = 0;
		*count = partition_size(p);
	} else {
		*count = partition_gcd_size(p);
		*first = gcd * *count;
	}
}

/*
 * Return the id of the first group of `size` IPUs among `count`.
 *
 *	4 reconfigurable: singles 0 1 2 3, pairs 4 5, the quad 6
 *	first id of quads: 4 + 4/2 = 6
 */
static int
first_group_id(const struct partition *p, int count, int size)
{
	int id = count, smaller;

	if (p->reconfigurable) {
		for (smaller = 2; smaller < size; smaller *= 2)
			id += count / smaller;
		return id;
	}
	/* The guide prints 3; every other size gets id N. */
	return count == 2 && p->num_gcds <= 1 ? 3 : id;
}

/* Append the groups of one size.  Returns the new number of devices. */
static int
add_groups(const struct partition *p, int first, int count, int size,
    struct device *devices, int n)
{
	int k, id = first_group_id(p, count, size);

	for (k = 0; k < count / size; k++) {
		struct device *d = &devices[n++];

		d->id = size == 1 ? k : id + k;
		d->first = first + k * size;
		d->count = size;
		d->first_id = k * size;
		d->gcd = d->first / partition_gcd_size(p);
	}
	return n;
}

/*
 * Singles, then groups by size.  Of 4 reconfigurable IPUs:
 *
 *	id	0  1  2  3 | 4      5     | 6
 *	IPUs	0  1  2  3 | 0 1    2 3   | 0 1 2 3
 */
int
device_list(const struct partition *p, int gcd, struct device **out)
{
	int first, count, size, n;

	view_range(p, gcd, &first, &count);
	/* At most 2N-1 devices: N + N/2 + ... + 1. */
	*out = xcalloc(2 * (size_t)count, sizeof(**out));
	n = add_groups(p, first, count, 1, *out, 0);
	if (!p->reconfigurable) {
		size = partition_gcd_size(p);
		return size > 1 ? add_groups(p, first, count, size, *out, n) :
				  n;
	}
	for (size = 2; size <= count; size *= 2)
		n = add_groups(p, first, count, size, *out, n);
	return n;
}

bool
device_attachable(const struct partition *p, const struct device *d)
{
	return p->reconfigurable || d->count == partition_gcd_size(p);
}

/* Searches the list, as ids can have gaps. */
int
device_by_id(const struct partition *p, int gcd, int id, struct device *out)
{
	struct device *devices;
	int i, n = device_list(p, gcd, &devices);
	int status = -1;

	for (i = 0; i < n && status != 0; i++) {
		if (devices[i].id == id) {
			*out = devices[i];
			status = 0;
		}
	}
	free(devices);
	return status;
}

int
device_find(const struct partition *p, int gcd, int id, struct device *out,
    struct error *e)
{
	struct device *d;
	int i, n, first = 0;

	if (device_by_id(p, gcd, id, out) == 0)
		return 0;
	(void)error_set_code(e, ERROR_NOT_FOUND,
	    "no device %d: partition %s has devices ", id, p->name);
	n = device_list(p, gcd, &d);
	for (i = 0; i < n; i++) {
		if (i + 1 < n && d[i + 1].id == d[i].id + 1)
			continue;
		(void)error_append(e, "%s%d", first > 0 ? ", " : "",
		    d[first].id);
		if (first < i)
			(void)error_append(e, "-%d", d[i].id);
		first = i + 1;
	}
	free(d);
	return -1;
}

/* Returns 0, or the reason why a device of `ipus` IPUs cannot be attached
   to. */
static int
device_check_size(const struct partition *p, int ipus, struct error *e)
{
	int size = partition_size(p), gcd_size = partition_gcd_size(p);
	int next = 1;

	while (next < ipus && next < POD_IPUS_MAX)
		next *= 2;
	if (ipus < 1 || next != ipus)
		return error_set(e,
		    "the number of IPUs in a device is a power of two; for %d "
		    "use %d",
		    ipus, next);
	if (p->reconfigurable && ipus > size)
		return error_set(e, "partition %s has only %d IPU(s)", p->name,
		    size);
	if (!p->reconfigurable && ipus != gcd_size)
		return error_set(e,
		    "partition %s is preconfigured with %d GCD(s) of %d "
		    "IPU(s), and a program must use a whole GCD; create it "
		    "with --reconfigurable or with GCDs of %d IPU(s)",
		    p->name, p->num_gcds, gcd_size, ipus);
	return 0;
}

int
device_for_instance(const struct partition *p, int gcd, int ipus, int instance,
    struct device *out, struct error *e)
{
	struct device *devices;
	int first, count, wanted, i, n;

	if (device_check_size(p, ipus, e) != 0)
		return -1;
	view_range(p, gcd, &first, &count);
	wanted = is_whole(p, gcd) ? instance : 0;
	if (wanted < 0 || wanted >= count / ipus)
		return error_set(e,
		    "no device is left for instance %d: partition %s has %d of "
		    "%d IPU(s), one for each instance",
		    instance, p->name, count / ipus, ipus);
	n = device_list(p, gcd, &devices);
	for (i = 0; i < n; i++)
		if (devices[i].count == ipus &&
		    devices[i].first_id == wanted * ipus)
			*out = devices[i];
	free(devices);
	return 0;
}

int
device_look_registry(struct registry *r, struct error *e)
{
	struct server_request request;
	struct visible_name name;

	/* Callers that need the file refuse an unreadable one themselves. */
	if (variable_get("IPUOF_VIPU_API_HOST") != NULL ||
	    visible_devices_name(&name, true, NULL) != 0 ||
	    name.host[0] == '\0')
		return server_open_view(r, e);
	request = visible_devices_server(&name);
	return server_open_registry(&request, r, e);
}

int
device_look_open(struct device_look *l, bool all, struct error *e)
{
	const char *replay = variable_get("IPUBOX_REPLAY");

	if (replay != NULL)
		return replay_show("IPUBOX_REPLAY", replay, all, l, e);
	if (device_look_registry(&l->registry, e) != 0)
		return -1;
	if ((all ? visible_devices_open_all : visible_devices_open)(&l->view,
		&l->registry, e) != 0) {
		registry_close(&l->registry);
		return -1;
	}
	snapshot_freeze(&l->view.snapshot, &l->registry, clock_real_ns());
	return 0;
}

void
device_look_close(struct device_look *l)
{
	visible_devices_release(&l->view);
	registry_close(&l->registry);
}
