/*
 * A whole pod with its partitions as a text: ipubox-pod(5).  pod_file.c reads
 * the sections, pod_build.c makes the pod, document.c adds the partitions, and
 * document_text.c writes the text.
 */
#ifndef CORE_POD_DOCUMENT_DOCUMENT_H
#define CORE_POD_DOCUMENT_DOCUMENT_H

#include "core/pod/pod.h"

/* Defaults and limits of machines; a serial number is "0024.0002.8203321". */
enum {
	AGENT_PORT = 8080,
	LOT_MAX = 9999,	     /* four digits */
	LOT = 24,	     /* its first field */
	SERIAL = 8203321,    /* its last field, for the first machine */
	SERIAL_MAX = 9999999 /* seven digits */
};

/* In all sections "", NULL and (except in requests) -1 mean: left out.  Other
   members have their defaults from the start.  `line` is the section's. */

/* A cluster, or the machines outside clusters. */
struct cluster_section {
	char name[NAME_SIZE];
	int line;
	char *agents; /* owned; lists of all `agents` lines */
	char address[ADDRESS_SIZE];
	char host[ADDRESS_SIZE];
	int ilds;
	int topology;
	int gateway;
	int model;
	int port;
	int serial;
	int lot;
};

struct allocation_section {
	char name[NAME_SIZE];
	int line;
	char cluster[NAME_SIZE];
	char *agents; /* owned */
};

struct agent_section {
	char name[2 * NAME_SIZE]; /* "ag00" or "cl1:ag00" */
	int line;
	char address[ADDRESS_SIZE];
	char host[ADDRESS_SIZE];
	int model;
	int port;
	int serial;
	int lot;
};

struct partition_section {
	int line;
	struct partition_request request; /* placed by document_parse() */
	uint8_t auto_reset;		  /* a bool */
};

struct pod_file {
	const char *origin; /* not copied */
	int line;	    /* line of [pod]; 0: missing */
	char name[NAME_SIZE];
	int allocated; /* enum allocated */
	struct cluster_section *clusters;
	struct cluster_section spare; /* line 0: missing */
	struct allocation_section *allocations;
	struct agent_section *agents;
	struct partition_section *partitions;
	int cluster_count;
	int allocation_count;
	int agent_count;
	int partition_count;
};

/* Allocations of a file without [allocation] sections: one per cluster, or
   none. */
enum allocated { ALLOCATED_ALL, ALLOCATED_NONE };

/* Read the sections without building anything; release them even after a
   failure. */
int pod_file_read(struct pod_file *, const char *origin, const char *text,
    struct error *);
void pod_file_release(struct pod_file *);

/*
 * Read a description's pod, which the caller releases, without its partitions.
 * `origin` is the name in messages, "ORIGIN:LINE: text".  Checked: names, the
 * limits of hardware.h, equal ILDs of a power of two up to 64 IPUs, topologies,
 * addresses.  After -1 the pod is empty.
 */
int pod_file_parse(struct pod *, const char *origin, const char *text,
    struct error *);

/* Build the pod of the sections in an empty pod, and check it; release the pod
   even after a failure. */
int pod_build(struct pod *, const struct pod_file *, struct error *);

struct document {
	struct pod pod;
	struct partition_section *partitions; /* in their order */
	int partition_count;
};

/*
 * Read a pod as pod_file_parse() does, and its partitions.  Requests are
 * checked and placed: first those that name their first IPU, at that IPU; then
 * the others at the lowest free place, in order.  The place is recorded in the
 * request: cluster, first IPU and number of ILDs.  Refusals are "ORIGIN:LINE:
 * text".  Release the document even after a failure.
 */
int document_parse(struct document *, const char *origin, const char *text,
    struct error *);
void document_release(struct document *);

/*
 * Return the text of a pod and its partitions in order; reading it gives the
 * same.  It omits the condition of machines and the origin of partitions.  The
 * caller frees it.
 */
char *document_text(const struct pod *, const struct partition *,
    int partition_count);

#endif
