/*
 * What IPUOF_LOG_LEVEL asks for: lines on stderr that say where the IPUs come
 * from, "[ipuof] debug: registry /dev/shm/ipubox-1000".
 */
#ifndef APPLETS_GC_INFO_IPUOF_LOG_H
#define APPLETS_GC_INFO_IPUOF_LOG_H

#include "core/state/state.h"
#include "ipu/device/visible_devices.h"

/* In this order; a level shows what stands behind it as well. */
enum ipuof_level {
	IPUOF_TRACE, IPUOF_DEBUG, IPUOF_INFO, IPUOF_WARN, IPUOF_ERR, IPUOF_OFF
};

/* That of the environment; WARN, with a warning, where it is not a level. */
enum ipuof_level	ipuof_log_level(void);

/* The state, the registry, the server, the partition and its devices. */
void	ipuof_log_view(enum ipuof_level, const struct registry *,
	    const struct visible_devices *);

#endif
