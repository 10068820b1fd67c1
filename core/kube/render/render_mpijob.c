/*
 * Rendering to MPIJobs, one for each job instance.  Source: the custom resource
 * definition kubeflow.org/v2beta1, and what kubeflow's MPI Operator does.
 */
#include "core/kube/render/render_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/render/render_node.h"

/*
 * Which workers go when the launcher has ended; its own pod stays with its Job,
 * as do the workers that have failed.
 */
static const char *
clean_policy(const struct render *r)
{
	switch (r->job.clean) {
	case CLEAN_WORKERS:
		return "Running";
	case CLEAN_ALL:
		return "All";
	default:
		return "None";
	}
}

static void
add_run_policy(struct render *r, struct yaml_node *spec)
{
	struct yaml_node	*policy = render_node_map(r, spec, "runPolicy");

	yaml_set_text(r->arena, policy, "cleanPodPolicy", clean_policy(r));
	yaml_set_integer(r->arena, policy, "backoffLimit",
	    render_job_retries(r));
	if (r->options->queue != NULL)
		yaml_set_bool(r->arena, policy, "suspend", true);
	if (r->options->scheduler == NULL ||
	    strcmp(r->options->scheduler, "volcano") != 0)
		return;
	/* The launcher comes when the workers are ready: it cannot be one of
	   those without which none begins. */
	yaml_set_integer(r->arena, render_node_map(r, policy,
	    "schedulingPolicy"), "minAvailable", r->shape == SHAPE_LAUNCHED ?
	    r->job.workers : 1);
}

static void
add_replicas(struct render *r, struct yaml_node *spec, const char *kind,
    int count, const struct render_pod *pod)
{
	struct yaml_node	*replica = render_node_map(r,
	    render_node_map(r, spec, "mpiReplicaSpecs"), kind);

	yaml_set_integer(r->arena, replica, "replicas", count);
	/* The launcher's Job makes a new pod in place of one that failed. */
	yaml_set_text(r->arena, replica, "restartPolicy", "Never");
	(void)yaml_set(r->arena, replica, "template",
	    render_pod_template(r, pod));
}

/*
 * The launcher of a single worker is that worker: its slots are for the
 * instances that it starts itself.
 */
static void
render_mpijob_add_instance(struct render *r, int instance)
{
	char			 number[16];
	char			*behind = render_node_number(r, instance);
	char			*name = r->object->name == NULL ? NULL :
	    render_node_name(r, "");
	struct render_pod	 pod = {
		.name = name,
		.name_field = "metadata.labels['training.kubeflow.org/"
		    "job-name']",
		.instance = number
	};
	struct yaml_node	*document, *spec;
	const bool		 launched = r->shape == SHAPE_LAUNCHED;

	(void)snprintf(number, sizeof(number), "%d", instance);
	document = render_node_document(r, "kubeflow.org/v2beta1", "MPIJob",
	    render_node_metadata(r, behind, false));
	spec = render_node_map(r, document, "spec");
	yaml_set_integer(r->arena, spec, "slotsPerWorker", launched ? 1 :
	    r->job.ipus);
	if (launched)
		yaml_set_text(r->arena, spec, "launcherCreationPolicy",
		    "WaitForWorkersReady");
	add_run_policy(r, spec);
	pod.role = launched ? ROLE_LAUNCHER : ROLE_WORKER;
	add_replicas(r, spec, "Launcher", 1, &pod);
	pod.role = ROLE_REACHED;
	if (launched)
		add_replicas(r, spec, "Worker", r->job.workers, &pod);
	free(name);
	free(behind);
}

static void
tell_of_policies(struct render *r)
{
	if (r->job.restart == RESTART_EXIT_CODE)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/restartPolicy/type", "an MPIJob does not look at "
		    "exit codes: whatever fails is tried again");
	if (r->job.clean == CLEAN_ALL)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/cleanPodPolicy", "the pod of the launcher stays "
		    "until the MPIJob is deleted");
	if (r->job.clean == CLEAN_WORKERS && r->shape == SHAPE_SINGLE)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/cleanPodPolicy", "the pod stays until the MPIJob is "
		    "deleted");
	if (r->job.clean == CLEAN_NONE && r->shape == SHAPE_LAUNCHED)
		render_node_remark(r, REMARK_NOTE, NULL, "spec/cleanPodPolicy",
		    "None: the workers run on when the launcher has ended, "
		    "until the MPIJob is deleted");
	if (r->options->scheduler != NULL && r->shape == SHAPE_LAUNCHED)
		render_node_remark(r, REMARK_NOTE, NULL, "spec", "all workers "
		    "begin together where the MPI operator runs with "
		    "--gang-scheduling=%s", r->options->scheduler);
}

int
render_mpijob_add(struct render *r, struct error *e)
{
	int	i;

	if (r->shape == SHAPE_CROWD)
		return render_node_refuse(r, NULL, render_node_workers(r), e,
		    "several workers without a launcher cannot be an MPIJob, "
		    "whose launcher says when it ends; job has such workers");
	for (i = 0; i < r->job.instances; i++)
		render_mpijob_add_instance(r, i);
	tell_of_policies(r);
	return 0;
}
