/*
 * What an administrator asks of a controller: another pod, tests and faults of
 * it, and its users.
 *
 * Source: V-IPU administrator guide.
 */
#ifndef CORE_CONTROL_ADMINISTRATION_H
#define CORE_CONTROL_ADMINISTRATION_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/edit/edit.h"
#include "core/pod/pod.h"

struct controller;

/* ---- the pod ---- */

/*
 * Change what the pod is made of: change() works on a copy of it and of its
 * partitions, and what it leaves is stored, all of it or nothing.  It may
 * reallocate their arrays.  -1: change() refused, or new_pod_replace() did, or
 * a user has an allocation that would go.
 */
int pod_change_run(struct controller *,
    int (*change)(struct inventory *, void *, struct error *), void *,
    struct error *);

struct cluster_test {
	struct wiring_result result;
	int64_t duration_ns; /* measured */
};

/*
 * Run all tests, results[WIRING_TESTS].  Meanwhile nobody attaches to an IPU
 * of the cluster and no partition changes.  Refused, unless forced, while a
 * program is attached to one of its IPUs or a partition is active in it; the
 * reason names them.  -1: nothing was tested.
 */
int cluster_test_run(struct controller *, const char *cluster, bool force,
    struct cluster_test *results, struct error *);

enum fault {
	FAULT_DOWN,	   /* the machine does not answer */
	FAULT_UP,	   /* it does, and all its faults are over */
	FAULT_REBOOT,	   /* it does again after `value` seconds */
	FAULT_FAIL_CONFIG, /* `value` configurations fail */
	FAULT_SLOW,	   /* each of them takes `value` ms */
	FAULT_SOC_ERROR	   /* an IPU has errors as well; {0}: none */
};

/* "down", "fail-config"; NULL ends them. */
extern const char *const inject_words[];

struct injection {
	const char *target; /* selection_agents(), of SOC_ERROR
			       selection_ipu() */
	enum fault fault;
	int value;
	uint32_t soc_errors;
};

/*
 * Inject it, and let happen what follows from it at once.  Refused, and
 * nothing is changed: a target that does not exist.  Several machines are
 * changed one after the other; where the disk fails in between, those before
 * have it.
 */
int inject_fault(struct controller *, const struct injection *, struct error *);

/* The machine as the fault leaves it.  Pure. */
void inject_apply(const struct injection *, int64_t now_ms, struct agent *);

/* ---- users ---- */

/*
 * The user of that name.  ERROR_NOT_FOUND: there is none, and the text names
 * the nearest.
 */
int users_get(struct controller *, const char *name, struct user *,
    struct error *);

/* All of them, by name. Returns their number or -1; the caller frees *out. */
int users_list(struct controller *, struct user **out, struct error *);

/* What is said of a user; NULL: nothing. Lists are "A,B". */
struct user_change {
	const char *allocations; /* these and no others */
	const char *add;
	const char *remove;
	const char *key; /* a new access key */
};

/*
 * Create, change or remove a user.  ERROR_EXISTS and ERROR_NOT_FOUND as the
 * names say, the latter for an allocation as well; a new user needs a key.
 */
int users_create(struct controller *, const char *name,
    const struct user_change *, struct error *);
int users_update(struct controller *, const char *name,
    const struct user_change *, struct error *);
int users_remove(struct controller *, const char *name, struct error *);

/*
 * A user of that name, NULL: of the caller's own, who may use all of the pod,
 * with a new key, which is nowhere else.  -1: the caller has no name, or it is
 * not one for a user.
 */
int users_make_first(struct user *, const char *name, const struct pod *,
    char key[ACCESS_KEY_SIZE], struct error *);

#endif
