/*
 * What surrounds the tiles of an IPU, as gc-info shows it: the exchange block
 * (XB) with the IPU-Links, the global sync peripheral (GSP), and the PCIe link
 * to the gateway.  Lines "  key: value", from the slot of the IPU, the wiring
 * of its cluster and its partition; the same for the same state.
 *
 * All begin with CIUERRVR, the register of the SoC's errors: bit n is the error
 * number n (core/pod/soc_error.h), which is our layout of it.
 */
#ifndef IPU_DEVICE_SOC_STATUS_H
#define IPU_DEVICE_SOC_STATUS_H

#include <stdint.h>
#include <stdio.h>

#include "core/pod/partition.h"
#include "core/pod/pod.h"
#include "core/pod/versions.h"
#include "core/state/state.h"

/* An IPU of a partition and its slot; nothing is owned. */
struct soc_view {
	const struct pod	*pod;
	const struct partition	*partition;
	const struct ipu_slot	*slot;
	const struct versions	*versions;	/* of the release */
	int			 routing_id;
	int			 ipu;		/* number in the pod */
	int64_t			 now_ms;
};

/* The lines of one block: of --xb-status, --gsp-status and --pci-status. */
void	soc_status_exchange(const struct soc_view *, FILE *);
void	soc_status_sync(const struct soc_view *, FILE *);
void	soc_status_pci(const struct soc_view *, FILE *);

#endif
