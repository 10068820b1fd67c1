/*
 * The device listings of gc-info.
 *
 * OLD is the V-IPU user guide's form, without a header.  NEW is that of the
 * tools from SDK 2.4 on; ids, hosts and DNC ids are right-aligned to the widest
 * of the listing, brackets included.
 *
 *	-+- Id: [0], type:    [Fabric], PCI Domain: [3]
 *	-+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.10], IPU#: [3]
 *
 * IPU# runs against the machine's order: the first IPU of a machine is
 * number 3, the last 0 (guide 5.2; V-IPU calls them ag06:0 to ag06:3).
 */
#ifndef IPU_LISTING_H
#define IPU_LISTING_H

#include <stdbool.h>
#include <stdio.h>

#include "core/pod/partition.h"
#include "core/pod/pod.h"
#include "ipu/device.h"

enum listing_style { LISTING_OLD, LISTING_NEW };

struct listing {
	const struct pod	*pod;
	enum listing_style	 style;
	int			 id_width;	/* digits of the widest id */
	int			 routing_width;	/* of a DNC id */
	int			 host_width;
};

/* "old" and "new"; -1 and the reason for another word. */
int	listing_style_parse(const char *what, const char *word,
	    enum listing_style *, struct error *);

/* The IPU's place in its machine: the agent's index and the printed IPU#. */
int	listing_ipu_machine(int ipu);
int	listing_ipu_number(int ipu);

void	listing_init(struct listing *, const struct pod *,
	    enum listing_style);
/* Make room in the columns for these devices: once for each partition. */
void	listing_measure(struct listing *, const struct partition *,
	    const struct device *, int count, int first_id);

/* "Graphcore device listing:", where the style has it. */
void	listing_header(const struct listing *, FILE *);
/* "Partition: p1 [active]" */
void	listing_partition(FILE *, const struct partition *, bool active);
/* The devices; ids are raised by first_id. */
void	listing_devices(const struct listing *, FILE *,
	    const struct partition *, const struct device *, int count,
	    int first_id);

#endif
