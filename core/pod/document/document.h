/*
 * A whole pod with its partitions as one text: ipubox-pod(5).  pod_file.c
 * reads the sections of a text, pod_build.c makes the pod of them, document.c
 * adds the partitions, and document_text.c writes it all again.
 */
#ifndef CORE_POD_DOCUMENT_DOCUMENT_H
#define CORE_POD_DOCUMENT_DOCUMENT_H

#include "core/base/error.h"
#include "core/pod/pod.h"

enum {
	AGENT_PORT = 8080,
	LOT_MAX = 9999, /* four digits in "0024.0002.8203321" */
	LOT = 24,
	SERIAL = 8203321,
	SERIAL_MAX = 9999999 /* seven digits */
};

/* In all of them -1, "" and NULL are what was left out. */

/* A cluster, or the machines that are in none. */
struct cluster_section {
	char name[NAME_SIZE];
	int line;
	char *agents; /* the lists of all lines `agents`, owned */
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
	char *agents;
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
	struct partition_request request;
	uint8_t auto_reset;
};

struct pod_file {
	const char *origin;
	int line; /* of [pod], 0: none */
	char name[NAME_SIZE];
	int allocated; /* enum allocated */
	struct cluster_section *clusters;
	struct cluster_section spare; /* line 0: none */
	struct allocation_section *allocations;
	struct agent_section *agents;
	struct partition_section *partitions;
	int cluster_count;
	int allocation_count;
	int agent_count;
	int partition_count;
};

/* Where the file has no allocation: one per cluster, or none. */
enum allocated { ALLOCATED_ALL, ALLOCATED_NONE };

/* Read the sections; release them also after a failure. */
int pod_file_read(struct pod_file *, const char *origin, const char *text,
    struct error *);
void pod_file_release(struct pod_file *);

/*
 * Read the pod of a description, without its partitions.  `origin` is its name
 * for messages, "FILE:LINE: text".  Checked: every name, counts against the
 * limits of hardware.h, ILDs of equal size that is a power of two and at most
 * 64 IPUs, topologies, addresses.
 */
int pod_file_parse(struct pod *, const char *origin, const char *text,
    struct error *);

/* Make the (initialised) pod of the sections, checked. */
int pod_build(struct pod *, const struct pod_file *, struct error *);

struct document {
	struct pod pod;
	struct partition_section *partitions; /* in their order */
	int partition_count;
};

/*
 * Reads a text: the pod as pod_file_parse() does, and its partitions.  Each
 * request is checked and has its place: those that name a first IPU lie there,
 * and the others get the lowest place that is left, in the order of the text.
 * A refusal is "ORIGIN:LINE: text".  Release the document also after a failure.
 */
int document_parse(struct document *, const char *origin, const char *text,
    struct error *);
void document_release(struct document *);

/*
 * The text of a pod and its partitions, in this order; reading it gives the
 * same again.  How machines fare and partitions came to be is not in it.  The
 * caller frees it.
 */
char *document_text(const struct pod *, const struct partition *,
    int partition_count);

#endif
