/*
 * Testing a cluster: what `vipu-admin test cluster` asks for.  It disturbs
 * running work, so it is refused while there is some.
 */
#ifndef CORE_CONTROL_CLUSTER_TEST_H
#define CORE_CONTROL_CLUSTER_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/pod/pod.h"

struct cluster_test {
	struct wiring_result	result;
	int64_t			duration_ns;	/* measured */
};

/*
 * Run all tests, results[WIRING_TESTS].  Meanwhile nobody attaches to an IPU
 * of the cluster and no partition changes.  Refused, unless forced, while a
 * program is attached to one of its IPUs or a partition is active in it; the
 * reason names them.  -1: nothing was tested.
 */
int	cluster_test_run(struct controller *, const char *cluster,
	    bool force, struct cluster_test *results, struct error *);

#endif
