/*
 * Mapping the registry for reading, and keeping it as it is now.
 */
#include "ipu/device/visible_devices.h"

#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/server/server.h"

int
device_look_registry(struct registry *r, struct error *e)
{
	struct server_request	request;
	struct visible_name	name;

	/* A file that cannot be read is refused by whoever needs it. */
	if (variable_get("IPUOF_VIPU_API_HOST") != NULL ||
	    visible_devices_name(&name, true, NULL) != 0 ||
	    name.host[0] == '\0')
		return server_open_view(r, e);
	request = (struct server_request){
		.host = name.host, .port = name.port, .origin = name.source,
		.timeout_ms = name.timeout_ms
	};
	return server_open_registry(&request, r, e);
}

int
device_look_open(struct device_look *l, bool all, struct error *e)
{
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
