/*
 * The status of an IPUJob, as the operator keeps it: pure rules.
 *
 * Source: the CRD's status; printed rows of EIDF's guide.
 */
#ifndef CORE_KUBE_RUNTIME_JOB_STATUS_H
#define CORE_KUBE_RUNTIME_JOB_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kube/yaml/yaml.h"

enum job_phase {
	JOB_PENDING,		/* no IPUs yet, or pods that do not run yet */
	JOB_RUNNING,
	JOB_RESTARTING,		/* between an end and the next start */
	JOB_COMPLETED,
	JOB_FAILED,
	JOB_PHASES
};

/* How a job stands. */
struct job_progress {
	enum job_phase	phase;
	int		instances;	/* that are asked for */
	int		current;	/* instances that run */
	int		active;		/* worker pods, by what they do */
	int		succeeded;
	int		failed;
	int		restarts;
	bool		has_partition;
	const char	*reason;	/* "PartitionPending" */
	const char	*message;
	int64_t		now_s;
};

/*
 * Bring a status, NULL: a new one, up to how the job stands; the one that is
 * returned.  Conditions keep the time of their last transition.
 */
struct yaml_node	*job_status_update(struct yaml_arena *,
			    struct yaml_node *status,
			    const struct job_progress *);

/* How the job stood when the status was written. */
enum job_phase	job_status_phase(const struct yaml_node *status);
bool		job_status_is_over(const struct yaml_node *status);

/*
 * How long to wait before the next start, behind so many: `first_ms`, then
 * twice as long each time, at most five minutes.
 *
 * Source: Kubernetes, pod lifecycle, container restarts.
 */
int64_t		job_status_delay_ms(int restarts, int64_t first_ms);

#endif
