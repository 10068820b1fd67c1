/*
 * A pod description between the text and the pod: its sections as they stand
 * in the file.  Private to core/pod.
 */
#ifndef CORE_POD_POD_FILE_H
#define CORE_POD_POD_FILE_H

#include "core/pod/pod.h"

enum { AGENT_LIST_SIZE = 1024 };

enum {
	AGENT_PORT = 8080,
	LOT_MAX = 9999,		/* four digits in "0024.0002.8203321" */
	LOT = 24,
	SERIAL = 8203321,
	SERIAL_MAX = 9999999	/* seven digits */
};

/* In all of them -1 and "" are what was left out. */
struct cluster_section {
	char	name[NAME_SIZE];
	int	line;
	char	agents[AGENT_LIST_SIZE];
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
	char	agents[AGENT_LIST_SIZE];
};

struct agent_section {
	char	name[2 * NAME_SIZE];	/* "ag00" or "cl1:ag00" */
	int	line;
	char	address[ADDRESS_SIZE];
	char	host[ADDRESS_SIZE];
	int	port;
	int	serial;
	int	lot;
};

struct pod_file {
	const char			*origin;
	int				 line;	/* of [pod], 0: none */
	char				 name[NAME_SIZE];
	struct cluster_section		*clusters;
	struct allocation_section	*allocations;
	struct agent_section		*agents;
	int				 cluster_count;
	int				 allocation_count;
	int				 agent_count;
};

/* Whether its machines make equal ILDs of a good size, and its wiring fits. */
int	cluster_check(const struct cluster *, struct error *);

/* Make the (initialised) pod of the sections, checked. */
int	pod_build(struct pod *, const struct pod_file *, struct error *);

#endif
