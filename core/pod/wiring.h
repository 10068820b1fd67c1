/*
 * The cables of a cluster, as its declaration says they run, and whether what
 * is there carries traffic.  Pure.
 *
 * Machines of an ILD stand one above the other.  IPU-Links run inside each
 * machine and to its neighbours above and below, a torus has loop-back cables
 * from the top to the bottom as well; Sync-Links join neighbours; GW-Links
 * join the machines of the same row in neighbouring racks, and the last rack
 * with the first (looped), or each machine with the switches (switched).
 *
 * Source: Pod64, Pod128, Pod256 data sheets; V-IPU administrator guide,
 * cluster tests.
 */
#ifndef CORE_POD_WIRING_H
#define CORE_POD_WIRING_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

enum link_kind { LINK_INTERNAL, LINK_CABLE, LINK_SYNC, LINK_GATEWAY };

/* A link between two IPUs (pod numbers), or machines for SYNC and GATEWAY;
   a switch is machine -1. */
struct link {
	enum link_kind	kind;
	int		from, to;
};

/* All links of the cluster. Returns their number; the caller frees *out. */
int	wiring_links(const struct pod *, int cluster, struct link **out);

/* What a test found. */
struct wiring_result {
	int	passed, total;
	char	summary[256];	/* "All Links Passed", or the first that
				   failed, by name, and how many more */
};

/*
 * The tests of `vipu-admin test cluster`, in the guide's order.  `now_ms`
 * decides which machines answer.
 */
void	wiring_test_version(const struct pod *, int cluster, int64_t now_ms,
	    struct wiring_result *);
void	wiring_test_cabling(const struct pod *, int cluster, int64_t now_ms,
	    struct wiring_result *);
void	wiring_test_sync(const struct pod *, int cluster, int64_t now_ms,
	    struct wiring_result *);
void	wiring_test_training(const struct pod *, int cluster, int64_t now_ms,
	    struct wiring_result *);
void	wiring_test_traffic(const struct pod *, int cluster, int64_t now_ms,
	    struct wiring_result *);
void	wiring_test_gateway(const struct pod *, int cluster, int64_t now_ms,
	    struct wiring_result *);

#endif
