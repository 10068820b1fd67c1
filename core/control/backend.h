/*
 * What another controller than the embedded one has to know: struct controller
 * has a table of these, NULL for the embedded one, and each function of
 * core/control that is asked for something looks there first.  What it hands
 * back is what the function of that name does.  Private to core/control.
 */
#ifndef CORE_CONTROL_BACKEND_H
#define CORE_CONTROL_BACKEND_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/cluster_test.h"
#include "core/control/create.h"
#include "core/control/inject.h"
#include "core/control/ipu_listing.h"
#include "core/control/queue.h"
#include "core/control/users.h"
#include "core/pod/edit/edit.h"
#include "core/state/registry.h"
#include "core/state/snapshot.h"

struct backend {
	/* controller_close(), transaction_list(), and
	   transaction_list_partitions(). */
	void	(*close)(struct controller *);
	int	(*list)(struct controller *, struct snapshot *,
		    struct error *);
	int	(*partitions)(struct controller *, struct snapshot *,
		    struct error *);

	/* reader_open_of() */
	int	(*registry)(struct controller *, struct registry *,
		    struct error *);

	/* ipu_listing_ask(); NULL: the two above tell the pod itself. */
	int	(*list_ipus)(struct controller *, char **agents,
		    size_t agent_count, struct ipu_listing *,
		    struct error *);

	/* create_owned_partition() and queue_create(), of a request that was
	   checked; the owner may be NULL. */
	int	(*create)(struct controller *,
		    const struct partition_request *,
		    const struct partition_owner *, struct partition *created,
		    struct error *);
	int	(*queue)(struct controller *,
		    const struct partition_request *,
		    const struct partition_owner *,
		    const struct wait_options *, struct partition *created,
		    struct error *);

	/* remove_partition(), or, with an expected one, remove_same(). */
	int	(*remove)(struct controller *, const char *name,
		    const struct partition *expected, bool force,
		    struct partition *removed, struct error *);
	/* remove_check() */
	int	(*check_unused)(struct controller *, const struct partition *,
		    struct error *);
	/* reset_partition(), reset_is_needed() */
	int	(*reset)(struct controller *, const char *name,
		    bool relocatable, bool force, struct partition *after,
		    struct error *);
	bool	(*needs_reset)(struct controller *, const struct partition *);
	/* ipuof_config() */
	char	*(*ipuof)(struct controller *, const struct pod *,
		    const struct partition *, int gcd, struct error *);

	/* pod_change_run(), on a snapshot that it takes for that. */
	int	(*change_pod)(struct controller *,
		    int (*change)(struct inventory *, void *, struct error *),
		    void *, struct error *);
	int	(*test_cluster)(struct controller *, const char *cluster,
		    bool force, struct cluster_test *results, struct error *);
	int	(*inject)(struct controller *, const struct injection *,
		    struct error *);

	int	(*user)(struct controller *, const char *name, struct user *,
		    struct error *);
	int	(*users)(struct controller *, struct user **out,
		    struct error *);
	int	(*create_user)(struct controller *, const char *name,
		    const struct user_change *, struct error *);
	int	(*update_user)(struct controller *, const char *name,
		    const struct user_change *, struct error *);
	int	(*remove_user)(struct controller *, const char *name,
		    struct error *);
};

#endif
