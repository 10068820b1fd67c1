/*
 * A pod description: from its text to the pod.  The structs are its sections as
 * they stand in the file, for who builds a pod of them: pod_build.h.
 */
#ifndef CORE_POD_DOCUMENT_POD_FILE_H
#define CORE_POD_DOCUMENT_POD_FILE_H

#include "core/pod/pod.h"
#include "core/pod/request.h"

enum {
	AGENT_PORT = 8080,
	LOT_MAX = 9999,		/* four digits in "0024.0002.8203321" */
	LOT = 24,
	SERIAL = 8203321,
	SERIAL_MAX = 9999999	/* seven digits */
};

/* In all of them -1, "" and NULL are what was left out. */

/* A cluster, or the machines that are in none. */
struct cluster_section {
	char	name[NAME_SIZE];
	int	line;
	char	*agents;	/* the lists of all lines `agents`, owned */
	char	address[ADDRESS_SIZE];
	char	host[ADDRESS_SIZE];
	int	ilds;
	int	topology;
	int	gateway;
	int	model;
	int	port;
	int	serial;
	int	lot;
};

struct allocation_section {
	char	name[NAME_SIZE];
	int	line;
	char	cluster[NAME_SIZE];
	char	*agents;
};

struct agent_section {
	char	name[2 * NAME_SIZE];	/* "ag00" or "cl1:ag00" */
	int	line;
	char	address[ADDRESS_SIZE];
	char	host[ADDRESS_SIZE];
	int	model;
	int	port;
	int	serial;
	int	lot;
};

struct partition_section {
	int				 line;
	struct partition_request	 request;
	uint8_t				 auto_reset;
};

struct pod_file {
	const char			*origin;
	int				 line;	/* of [pod], 0: none */
	char				 name[NAME_SIZE];
	int				 allocated; /* enum allocated */
	struct cluster_section		*clusters;
	struct cluster_section		 spare;	/* line 0: none */
	struct allocation_section	*allocations;
	struct agent_section		*agents;
	struct partition_section	*partitions;
	int				 cluster_count;
	int				 allocation_count;
	int				 agent_count;
	int				 partition_count;
};

/* Where the file has no allocation: one per cluster, or none. */
enum allocated { ALLOCATED_ALL, ALLOCATED_NONE };

/* Read the sections; release them also after a failure. */
int	pod_file_read(struct pod_file *, const char *origin, const char *text,
	    struct error *);
void	pod_file_release(struct pod_file *);

/*
 * Read the pod of a description (ipubox-pod(5)), the text of an INI file;
 * document.h has its partitions as well.  `origin` is its name for messages,
 * "FILE:LINE: text".  Checked: every name, counts
 * against the limits of pod.h, ILDs of equal size that is a power of two and at
 * most 64 IPUs, topologies, addresses.
 */
int	pod_file_parse(struct pod *, const char *origin, const char *text,
	    struct error *);

#endif
