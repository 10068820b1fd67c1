/*
 * Choosing the device of a job's instance.  Read instance_device_find() at the
 * end first.
 */
#include "ipu/device/device_list.h"

#include <stdlib.h>

#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device_internal.h"
#include "ipu/device/visible_devices.h"

int
instance_device_size(const struct popdist *p, int ipus_per_replica,
    struct error *e)
{
	const long long each = ipus_per_replica != 0 ?
	    ipus_per_replica :
	    p->num_ipus_per_replica;
	const long long count = p->num_local_replicas * each;

	return count <= POD_IPUS_MAX ?
	    (int)count :
	    error_set_code(e, ERROR_INVALID, "no device has %lld IPUs", count);
}

/* Number devices of a size like the instances: with offset 4 and 2 local
   replicas it is number 2, even if other instances have other sizes. */
int
instance_device_choose(const struct popdist *p, const struct partition *part,
    int gcd, int ipus, struct device *out, struct error *e)
{
	const int offset = p->replica_index_offset;

	if (offset % p->num_local_replicas != 0)
		return error_set_code(e, ERROR_INVALID,
		    "no device with %d IPU(s) starts at replica %d", ipus,
		    offset);
	return device_for_instance(part, gcd, ipus,
	    offset / p->num_local_replicas, out, e);
}

/* Find the first free device of that many IPUs; else report the holder of the
   last. */
static int
find_free(const struct registry *r, const struct visible_devices *v, int ipus,
    struct device *out, struct error *e)
{
	const struct placement *place = &v->partition->placement;
	struct device *devices, *d;
	int n = device_list(v->partition, v->gcd, &devices);
	int first, held = -1, status = -1;

	for (d = devices; d < devices + n && status != 0; d++) {
		if (d->count != ipus || !device_attachable(v->partition, d))
			continue;
		first = placement_ipu(&v->snapshot.pod, place, d->first);
		held = registry_held(r, first, ipus);
		if (held != -1) {
			(void)ipu_holder_explain(r, held,
			    d->first + held - first, v->partition->name, NULL,
			    e);
			continue;
		}
		*out = *d;
		status = 0;
	}
	free(devices);
	return status;
}

static int
find_in_view(const struct registry *r, const struct visible_devices *v,
    const struct popdist *p, int ipus_per_replica, struct device *out,
    struct error *e)
{
	int ipus;

	if (v->partition == NULL) {
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "no partition is active");
		return paths_append_place(e);
	}
	ipus = instance_device_size(p, ipus_per_replica, e);
	if (ipus == -1 ||
	    instance_device_choose(p, v->partition, v->gcd, ipus, out, e) != 0)
		return -1;
	return p->is_set ? 0 : find_free(r, v, ipus, out, e);
}

int
instance_device_find(const struct popdist *p, int ipus_per_replica, int *id,
    struct error *e)
{
	struct registry registry;
	struct visible_devices view;
	struct device device;
	int status;

	if (device_look_registry(&registry, e) != 0)
		return -1;
	status = visible_devices_open(&view, &registry, e);
	if (status == 0) {
		status = find_in_view(&registry, &view, p, ipus_per_replica,
		    &device, e);
		visible_devices_release(&view);
	}
	registry_close(&registry);
	if (status == 0)
		*id = device.id;
	return status;
}
