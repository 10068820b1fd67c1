/*
 * gc-info: the request and the files that answer it.  Each action prints its
 * answer on stdout and remarks on stderr.  Actions that return int return 0, or
 * -1 with the reason in the error.
 */
#ifndef APPLETS_GC_INFO_GC_INFO_INTERNAL_H
#define APPLETS_GC_INFO_GC_INFO_INTERNAL_H

#include <unistd.h>

#include "applets/applet.h"
#include "ipu/device/device.h"

/* IPUOF_LOG_LEVEL: lines on stderr about the origin of the IPUs, "[ipuof]
   debug: registry /dev/shm/ipubox-1000". */

/* The wanted level shows lines of that level and of all levels after it. */
enum ipuof_level {
	IPUOF_TRACE,
	IPUOF_DEBUG,
	IPUOF_INFO,
	IPUOF_WARN,
	IPUOF_ERR,
	IPUOF_OFF
};

/* Return the environment's level: WARN if it is unset, or, with a warning, if
   it is invalid. */
enum ipuof_level ipuof_log_level(void);

/* Log the partition (INFO), the places of the state, the registry and the
   server (DEBUG), and each IPU (TRACE), as far as the level includes them. */
void ipuof_log_view(enum ipuof_level, const struct registry *,
    const struct visible_devices *);

/* Keys of the options without a letter. */
enum info_key {
	KEY_ALL = OPTIONS_LONG,
	KEY_ALL_PARTITIONS,
	KEY_CHIP_ID,
	KEY_COLOR,
	KEY_DUMP_MEM,
	KEY_GSP_STATUS,
	KEY_IPU_ARCH,
	KEY_IPU_COUNT,
	KEY_NLC_STATUS,
	KEY_PCI_STATUS,
	KEY_STYLE,
	KEY_TILE_CLOCK,
	KEY_TILE_OVERVIEW,
	KEY_TILE_STATUS,
	KEY_VERSION,
	KEY_WIDE,
	KEY_XB_STATUS
};

/* The command line: one action and its arguments. */
struct info_request {
	int action;    /* key of its option, 0: none */
	int device_id; /* -1: none */
	enum listing_style style;
	bool styled;		 /* a style was given */
	const char *list_option; /* an option that only lists have, or NULL */
	struct versions versions;
	enum terminal_colour colour;
	enum ipuof_level log;
	bool all;	     /* -l: also devices in use or in trouble */
	bool all_partitions; /* -l: those of every partition */
	bool json;
	bool wide;
	const char *tile;	   /* of --tile-status and --dump-mem */
	const char *context;	   /* NULL: all */
	const char *tile_register; /* NULL: all */
	char **operands;	   /* of --dump-mem: address and length */
};

/* Find the requested device; the default is id 0. v->partition must not be
   NULL.  -1: it has no such device; the error lists its ids. */
static inline int
request_device(const struct info_request *r, const struct visible_devices *v,
    struct device *out, struct error *e)
{
	return device_find(v->partition, v->gcd,
	    r->device_id >= 0 ? r->device_id : 0, out, e);
}

/* Return the terminal's columns. 0, with --wide or if stdout is not a terminal,
   means that no text is cut. */
static inline int
request_columns(const struct info_request *r)
{
	return r->wide ? 0 : terminal_columns(STDOUT_FILENO);
}

/* Print the answer to -l and --list-all-devices.  -1: -l without an active
   partition, or with --all-partitions and no partition. */
int devices_list(const struct info_request *, const struct registry *,
    const struct visible_devices *, struct error *);
/* Print the answer to --ipu-count, which is 0 without a partition. */
void devices_count(const struct registry *, const struct visible_devices *);

/* Print --tile-overview, --tile-status, --dump-mem, --xb-status, --nlc-status,
   --gsp-status or --pci-status (silicon.c).  Holds the device while it reads.
   -1: an argument is invalid, the device does not exist, a program uses it, or
   the memory to dump is lost. */
int silicon_show(const struct info_request *, const struct visible_devices *,
    struct error *);
/* Check the arguments of --tile-status and --dump-mem.  -1: one is invalid; the
   error names the valid ones.  Returns 0 for other actions. */
int silicon_check(const struct info_request *, struct error *);

#endif
