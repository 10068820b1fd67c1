/*
 * Testing a cluster: holding its IPUs, and applying the rules of
 * core/pod/wiring.h.  The results are emulated; the durations are measured.
 */
#include "core/control/administration.h"

#include "core/base/clock.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

enum { NAMED = 5 }; /* partitions in a refusal */

/* Whether programs may use the partition, now or soon. */
static bool
is_active(const struct partition *p)
{
	return p->state == PS_ACTIVE || p->state == PS_PENDING;
}

/* Refuse because of the cluster's partitions, naming the first ones. */
static int
cluster_test_check_partitions(const struct snapshot *s, int cluster,
    struct error *e)
{
	const struct partition *p = s->partitions;
	int count = 0;

	for (; p < s->partitions + s->partition_count; p++) {
		if (p->placement.cluster != cluster || !is_active(p))
			continue;
		if (count == 0)
			(void)error_set_code(e, ERROR_BUSY,
			    "its tests would disturb partition %s", p->name);
		else if (count < NAMED)
			(void)error_append(e, ", %s", p->name);
		count++;
	}
	if (count == 0)
		return 0;
	if (count > NAMED)
		(void)error_append(e, " and %d more", count - NAMED);
	return error_append(e, "; remove %s first, or use --force",
	    count == 1 ? "it" : "them");
}

/* Name the program in the way, which a person must end. */
static int
cluster_test_in_use(struct controller *c, const struct snapshot *s, int ipu,
    struct error *e)
{
	char text[HOLD_TEXT_SIZE];

	if (!hold_describe(c, s, ipu, text))
		return error_set_code(e, ERROR_BUSY,
		    "a program was attached to it just now; try again");
	return error_set_code(e, ERROR_BUSY,
	    "it is in use: %s; end it first, or use --force", text);
}

/* Hold the cluster's IPUs, all or, if forced, the free ones, so that no program
   attaches during the test. */
static int
cluster_test_hold(struct controller *c, const struct snapshot *s, int first,
    int count, bool force, struct error *e)
{
	struct error reason;
	int i, holder;

	if (registry_attach(&c->state.registry, first, count, &holder,
		&reason) == 0)
		return 0;
	if (reason.code != ERROR_BUSY) {
		(void)error_copy(e, &reason);
		return error_prefix(e, "cannot lock the IPUs of the cluster");
	}
	if (!force)
		return cluster_test_in_use(c, s, holder, e);
	for (i = first; i < first + count; i++)
		(void)registry_attach(&c->state.registry, i, 1, &holder, NULL);
	return 0;
}

/* Test under the lock, so that partitions stay the same. */
static int
test_locked(struct controller *c, const struct snapshot *s, const char *name,
    bool force, struct cluster_test *results, struct error *e)
{
	int cluster = pod_find_cluster(&s->pod, name), first, count, t;
	int64_t begin, now_ms;

	if (cluster == -1) {
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "the cluster does not exist; vipu-admin list clusters "
		    "shows the existing ones");
		return nearest_cluster(&s->pod, name, e);
	}
	first = s->pod.clusters[cluster].first_agent * IPUS_PER_MACHINE;
	count = pod_cluster_ipu_count(&s->pod.clusters[cluster]);
	if (cluster_test_hold(c, s, first, count, force, e) != 0)
		return -1;
	if (!force && cluster_test_check_partitions(s, cluster, e) != 0) {
		(void)registry_detach(&c->state.registry, first, count);
		return -1;
	}
	now_ms = c->now_ms();
	for (t = 0; t < WIRING_TESTS; t++) {
		begin = clock_monotonic_ns();
		wiring_test(&s->pod, cluster, (enum wiring_test)t, now_ms,
		    &results[t].result);
		results[t].duration_ns = clock_monotonic_ns() - begin;
	}
	(void)registry_detach(&c->state.registry, first, count);
	return 0;
}

int
cluster_test_embedded(struct controller *c, const char *cluster, bool force,
    struct cluster_test *results, struct error *e)
{
	struct snapshot snapshot;
	int status;

	if (transaction_begin(c, &snapshot, e) != 0)
		return -1;
	status = test_locked(c, &snapshot, cluster, force, results, e);
	transaction_end(c, &snapshot);
	return status;
}

int
cluster_test_run(struct controller *c, const char *cluster, bool force,
    struct cluster_test *results, struct error *e)
{
	return c->operations->test_cluster(c, cluster, force, results, e);
}
