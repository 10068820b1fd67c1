/*
 * A look at the devices for tools that attach to none: the registry and what
 * this program's environment shows of it, all of one moment.
 */
#ifndef IPU_DEVICE_DEVICE_LOOK_H
#define IPU_DEVICE_DEVICE_LOOK_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/state/state.h"
#include "ipu/device/visible_devices.h"

struct device_look {
	struct registry		registry;	/* a copy */
	struct visible_devices	view;
};

/*
 * The registry that a program here would see: of the server that
 * IPUOF_VIPU_API_HOST names, or its IPUoF file, or the commands' files, else of
 * this host.  The caller closes it.
 */
int	device_look_registry(struct registry *, struct error *);

/*
 * The devices that the environment shows, or with `all` those of every
 * partition: visible_devices.h says of both which are refused.  After -1 there
 * is nothing to close.
 */
int	device_look_open(struct device_look *, bool all, struct error *);
void	device_look_close(struct device_look *);

#endif
