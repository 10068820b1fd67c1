/*
 * gc-info: what was asked for, and the files that answer.  Each action prints
 * its answer on stdout and what is beside it on stderr; 0, or -1 and the reason
 * why there is none.
 */
#ifndef APPLETS_GC_INFO_GC_INFO_INTERNAL_H
#define APPLETS_GC_INFO_GC_INFO_INTERNAL_H

#include <unistd.h>

#include "applets/applet.h"
#include "core/base/terminal.h"
#include "core/state/registry.h"
#include "ipu/device/device.h"

/*
 * What IPUOF_LOG_LEVEL asks for: lines on stderr that say where the IPUs come
 * from, "[ipuof] debug: registry /dev/shm/ipubox-1000".
 */

/* In this order; a level shows what stands behind it as well. */
enum ipuof_level {
	IPUOF_TRACE,
	IPUOF_DEBUG,
	IPUOF_INFO,
	IPUOF_WARN,
	IPUOF_ERR,
	IPUOF_OFF
};

/* That of the environment; WARN, with a warning, where it is not a level. */
enum ipuof_level ipuof_log_level(void);

/* The state, the registry, the server, the partition and its devices. */
void ipuof_log_view(enum ipuof_level, const struct registry *,
    const struct visible_devices *);

/* Keys of the options that have no letter. */
enum info_key {
	KEY_ALL = OPTIONS_LONG,
	KEY_ALL_PARTITIONS,
	KEY_COLOR,
	KEY_DUMP_MEM,
	KEY_GSP_STATUS,
	KEY_IPU_ARCH,
	KEY_IPU_COUNT,
	KEY_LIST_ALL,
	KEY_PCI_STATUS,
	KEY_STYLE,
	KEY_TILE_CLOCK,
	KEY_TILE_OVERVIEW,
	KEY_TILE_STATUS,
	KEY_VERSION,
	KEY_WIDE,
	KEY_XB_STATUS
};

/* The command line: one action, and what it is about. */
struct info_request {
	int action;    /* key of its option, 0: none */
	int device_id; /* -1: none */
	enum listing_style style;
	bool styled; /* the style was said */
	struct versions versions;
	enum terminal_colour colour;
	enum ipuof_level log;
	bool all;
	bool all_partitions;
	bool json;
	bool wide;
	const char *tile;	   /* of --tile-status and --dump-mem */
	const char *context;	   /* NULL: all */
	const char *tile_register; /* NULL: all */
	char **operands;	   /* of --dump-mem: address and length */
};

/* The device that is meant: that of id 0 where none was said. */
static inline int
request_device(const struct info_request *r, const struct visible_devices *v,
    struct device *out, struct error *e)
{
	return device_find(v->partition, v->gcd,
	    r->device_id >= 0 ? r->device_id : 0, out, e);
}

/* stdout's columns, or 0 where nothing is to be cut. */
static inline int
request_columns(const struct info_request *r)
{
	return r->wide ? 0 : terminal_columns(STDOUT_FILENO);
}

/* -l and --list-all-devices, and --ipu-count (devices.c) */
int devices_list(const struct info_request *, const struct registry *,
    const struct visible_devices *, struct error *);
void devices_count(const struct registry *, const struct visible_devices *);

/* --tile-overview, --tile-status and --dump-mem; --xb-status, --gsp-status and
   --pci-status (silicon.c).  They have the device for themselves meanwhile. */
int silicon_show(const struct info_request *, const struct visible_devices *,
    struct error *);
/* What the arguments of these actions must be; -1 and what they may. */
int silicon_check(const struct info_request *, struct error *);

#endif
