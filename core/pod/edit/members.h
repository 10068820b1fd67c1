/*
 * Machines by their names, and who uses them.  Private to core/pod/edit.
 */
#ifndef CORE_POD_EDIT_MEMBERS_H
#define CORE_POD_EDIT_MEMBERS_H

#include "core/pod/edit/inventory.h"

/* Machines that a list names, in its order. */
struct members {
	const struct pod	*pod;
	const struct agent	**sorted;	/* all of the pod, by name */
	int			*places;
	int			 count;
	bool			*taken;		/* by place */
	int			 cluster;	/* see members_read() */
	bool			 loose;
};

/*
 * Read a list such as "ag[01-16],spare".  A name means the machine of that
 * name in the cluster (-1: in any) or, where `loose`, in no cluster.  Refused:
 * unknown, ambiguous and doubled names.  The caller releases it either way.
 */
int	members_read(struct members *, const struct pod *, const char *list,
	    int cluster, bool loose, struct error *);
void	members_release(struct members *);

/*
 * By place: the index of a partition that lies on the machine, or -1.  The
 * caller frees it.
 */
int32_t	*members_agent_users(const struct inventory *);

#endif
