/*
 * The IPUs that a program on this host sees: one partition, or one graph
 * compilation domain (GCD) of it, named by its environment or an IPUoF file.
 */
#ifndef IPU_DEVICE_VISIBLE_DEVICES_H
#define IPU_DEVICE_VISIBLE_DEVICES_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/server/server.h"
#include "core/state/state.h"

/* What names the partition, before it is looked up. */
struct visible_name {
	struct ipuof_reference reference; /* partition "": none */
	char source[256];		  /* where the name came from */
	char warning[256];		  /* "", or what was ignored */
	/* The server that is asked for it, "": none. */
	char host[SERVER_ADDRESS_HOST_SIZE];
	char port[IPUOF_SERVER_TEXT_PORT];
	const char *origin; /* who says so: a variable, or NULL: the source */
	int64_t timeout_ms; /* for its answer */
};

struct visible_devices {
	struct snapshot snapshot;
	const struct partition *partition; /* NULL: none is active */
	const struct partition *other;	   /* where none is: one that could be
					      chosen, or NULL */
	int gcd;			   /* -1: all */
	char server[REGISTRY_NAME_SIZE];   /* whose pod it is, "": this
					      host's */
	char source[256];		   /* where its name came from */
	char warning[1100];		   /* "", what was ignored, or what is
					      missing */
};

/* Find the active partition.  0 also when there is none (partition NULL); -1
   when one is named that does not exist, or the state cannot be read. */
int visible_devices_open(struct visible_devices *, const struct registry *,
    struct error *);
/*
 * Its two halves: find what this process's environment names, and look a name
 * up in a registry.  Without `remote` a server that is named must be this
 * host's own; with it, the server is not asked.
 */
int visible_devices_name(struct visible_name *, bool remote, struct error *);
int visible_devices_open_name(struct visible_devices *, const struct registry *,
    const struct visible_name *, struct error *);
/* For tools that show all partitions: a named one that does not exist and a
   file that cannot be read are warnings.  -1: the state cannot be read. */
int visible_devices_open_all(struct visible_devices *, const struct registry *,
    struct error *);
void visible_devices_release(struct visible_devices *);

/* Whether there is something to show: -1, and with what it is made, where no
   partition is active, or, with `all`, where there is none. */
int visible_devices_require(const struct visible_devices *, bool all,
    struct error *);

/* Returns the index of a partition that was named by `source` ("": unknown), or
   -1: ERROR_NOT_FOUND, with what helps. */
int visible_devices_find(const struct snapshot *, const char *name,
    const char *source, struct error *);

/* Appends to an error the command that gives a program so many IPUs (0: their
   number is not known), where no partition is active. */
void visible_devices_advise(const struct visible_devices *, int ipus,
    struct error *);

/*
 * A look at the devices for tools that attach to none: the registry and what
 * this program's environment shows of it, all of one moment.
 */

struct device_look {
	struct registry registry; /* a copy */
	struct visible_devices view;
};

/* The registry that a program here would see: of the server that the
   environment or a file names, else of this host.  The caller closes it. */
int device_look_registry(struct registry *, struct error *);

/* The devices that the environment shows, or with `all` those of every
   partition, as the functions above.  After -1 nothing is to be closed. */
int device_look_open(struct device_look *, bool all, struct error *);
void device_look_close(struct device_look *);

#endif
