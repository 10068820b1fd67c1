/*
 * The IPUs that a program on this host sees: one partition, or one graph
 * compilation domain (GCD) of it, named by its environment or an IPUoF file.
 * Below, that partition is called active, whatever its state.
 */
#ifndef IPU_DEVICE_VISIBLE_DEVICES_H
#define IPU_DEVICE_VISIBLE_DEVICES_H

#include "core/server/server.h"

/* The name of a partition, before it is looked up. */
struct visible_name {
	struct ipuof_reference reference; /* partition "": none */
	char source[256];		  /* origin of the name */
	/* About an ignored directory or file, or an assumed server, for the
	   user; or "". */
	char warning[1100];
	char host[SERVER_ADDRESS_HOST_SIZE]; /* server or socket; "": none */
	char port[IPUOF_SERVER_TEXT_PORT];
	const char *origin; /* variable that names the server; NULL: source */
	int64_t timeout_ms; /* for the server's answer */
};

struct visible_devices {
	struct snapshot snapshot;	   /* owned; holds the partitions */
	const struct partition *partition; /* NULL: none is active */
	const struct partition *other;	   /* one to suggest, or NULL */
	int gcd; /* number of the GCD; -1: the whole partition */
	/* Server of the pod, for messages; "": this host. */
	char server[REGISTRY_NAME_SIZE];
	char source[256];   /* origin of the name */
	char warning[1100]; /* for the user, or "" */
};

/*
 * Find the active partition.  0 also if none is active (partition NULL).  -1,
 * with nothing to release: the environment or a file is wrong, no partition or
 * GCD of that name exists (ERROR_NOT_FOUND), or the registry is unreadable.
 */
int visible_devices_open(struct visible_devices *, const struct registry *,
    struct error *);
/* First step of visible_devices_open(): find the name in the environment or a
   file.  Without `remote`, a server that the environment names must be on this
   host. */
int visible_devices_name(struct visible_name *, bool remote, struct error *);
/* Return the server of a name that has one; valid as long as the name. */
struct server_request visible_devices_server(const struct visible_name *);
/* Second step: look the name up.  Does not set `other`. */
int visible_devices_open_name(struct visible_devices *, const struct registry *,
    const struct visible_name *, struct error *);
/* Do the same as visible_devices_open() for a tool that shows all partitions: a
   missing partition and an unreadable file are only warnings.  -1: the registry
   is unreadable. */
int visible_devices_open_all(struct visible_devices *, const struct registry *,
    struct error *);
void visible_devices_release(struct visible_devices *);

/* Return 0 if a partition is active or, with `all`, exists.  -1: none
   (ERROR_NOT_FOUND); the error has the command that makes one. */
int visible_devices_require(const struct visible_devices *, bool all,
    struct error *);

/* Return the index of the partition of that name, which `source` named ("":
   unknown).  -1, ERROR_NOT_FOUND, with advice. */
int visible_devices_find(const struct snapshot *, const char *name,
    const char *source, struct error *);

/* Append to an error the command by which a program gets that many IPUs (0:
   unknown number) when no partition is active. */
void visible_devices_advise(const struct visible_devices *, int ipus,
    struct error *);

/* A consistent view for tools that do not attach: the registry and the part
   that this program's environment shows. */

struct device_look {
	struct registry registry; /* this host's, or a copy of a server's */
	struct visible_devices view;
};

/* Open the registry that a program here would see: of the server that the
   environment or a file names, else of this host.  The caller closes it. */
int device_look_registry(struct registry *, struct error *);

/* Open the registry, frozen (snapshot_freeze()), and the view by
   visible_devices_open() or, with `all`, _open_all().  IPUBOX_REPLAY may name a
   look of a recording to open instead, see replay_show().  -1: nothing to
   close. */
int device_look_open(struct device_look *, bool all, struct error *);
void device_look_close(struct device_look *);

#endif
