/*
 * Rendering to a JobSet: a replicated Job of workers, one for each job
 * instance; beside it one of launchers, or one of servers where several workers
 * share IPUs.
 * Source: the custom resource definition jobset.x-k8s.io/v1alpha2.
 */
#include "core/ipujob/render_jobset.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/ipujob/render_job.h"
#include "core/ipujob/render_node.h"
#include "core/ipujob/render_pod.h"
#include "core/ipujob/render_server.h"
#include "core/ipujob/render_ssh.h"

/* Jobs of one kind, one for each instance; they begin when all pods of `after`
   are ready. */
static void
add_jobs(struct render *r, struct yaml_node *spec, const char *name,
    const char *after, struct yaml_node *job, int pods)
{
	struct yaml_node	*jobs = render_node_named(r, render_node_list(r,
	    spec, "replicatedJobs"), name);
	struct yaml_node	*template;

	yaml_set_integer(r->arena, jobs, "replicas", r->job.instances);
	if (after != NULL)
		yaml_set_text(r->arena, render_node_named(r,
		    render_node_list(r, jobs, "dependsOn"), after), "status",
		    "Ready");
	template = render_node_map(r, jobs, "template");
	render_job_gang(r, template, pods);
	(void)yaml_set(r->arena, template, "spec", job);
}

/* The others are ended when that has succeeded. */
static void
add_success(struct render *r, struct yaml_node *spec, const char *name)
{
	const char *const	words[] = { name, NULL };
	struct yaml_node	*policy = render_node_map(r, spec,
	    "successPolicy");

	yaml_set_text(r->arena, policy, "operator", "All");
	render_node_words(r, render_node_list(r, policy,
	    "targetReplicatedJobs"), words);
}

/*
 * A restart is one of all pods, as that of an IPUJob.  A code that is not tried
 * again fails its Job by the policy of pods, and so the whole.
 */
static void
add_failure(struct render *r, struct yaml_node *spec)
{
	static const char *const reasons[] = { "PodFailurePolicy", NULL };
	struct yaml_node	*policy = render_node_map(r, spec,
	    "failurePolicy"), *rule;

	yaml_set_integer(r->arena, policy, "maxRestarts",
	    render_job_retries(r));
	if (r->job.restart != RESTART_EXIT_CODE)
		return;
	rule = render_node_named(r, render_node_list(r, policy, "rules"),
	    "exit-codes");
	yaml_set_text(r->arena, rule, "action", "FailJobSet");
	render_node_words(r, render_node_list(r, rule, "onJobFailureReasons"),
	    reasons);
}

/* The host name of a pod: SET-KIND-INSTANCE-INDEX.SET. */
static char *
host_name(const struct render_pod *pod, const char *kind)
{
	const char	*name = pod->name != NULL ? pod->name :
	    "$(IPUJOB_NAME)";

	return xasprintf("%s-%s-%s-0.%s", name, kind, pod->instance != NULL ?
	    pod->instance : "$(IPUJOB_INSTANCE)", name);
}

static void
add_workers(struct render *r, struct yaml_node *spec, const char *after,
    const struct render_pod *pod)
{
	add_jobs(r, spec, "worker", after, render_job_spec(r, r->job.workers,
	    0, true, render_pod_template(r, pod)), r->job.workers);
}

/* Workers begin when the servers answer. */
static void
render_jobset_add_crowd(struct render *r, struct yaml_node *spec,
    struct render_pod *pod)
{
	char	*server = host_name(pod, "vipu-server");

	pod->server = server;
	add_success(r, spec, "worker");
	add_jobs(r, spec, "vipu-server", NULL, render_job_spec(r, 1, 0, false,
	    render_server_template(r, NULL)), 1);
	add_workers(r, spec, "vipu-server", pod);
	free(server);
}

/* A launcher begins when workers can be reached, and ends them. */
static void
add_launched(struct render *r, struct yaml_node *spec, struct render_pod *pod)
{
	struct yaml_node	*template;

	add_success(r, spec, "launcher");
	pod->role = ROLE_REACHED;
	template = render_pod_template(r, pod);
	render_ssh_add_keys(r, template);
	add_jobs(r, spec, "worker", NULL, render_job_spec(r, r->job.workers, 0,
	    false, template), r->job.workers);
	pod->role = ROLE_LAUNCHER;
	template = render_pod_template(r, pod);
	render_ssh_add_keys(r, template);
	render_ssh_add_hosts(r, template, pod->instance != NULL ?
	    pod->instance : "$(IPUJOB_INSTANCE)");
	add_jobs(r, spec, "launcher", "worker", render_job_spec(r, 1, 0, true,
	    template), 1);
}

void
render_jobset_add(struct render *r)
{
	const bool		 launched = r->shape == SHAPE_LAUNCHED;
	char			*name = r->object->name == NULL && !launched ?
	    NULL : render_node_name(r, "");
	struct render_pod	 pod = {
		.role = ROLE_WORKER, .name = name,
		.name_field = "metadata.labels['jobset.sigs.k8s.io/"
		    "jobset-name']",
		.instance = r->job.instances == 1 ? "0" : NULL,
		.instance_field = "metadata.labels['jobset.sigs.k8s.io/"
		    "job-index']"
	};
	struct yaml_node	*spec;

	if (launched)
		render_ssh_document(r);
	spec = render_node_map(r, render_node_document(r,
	    "jobset.x-k8s.io/v1alpha2", "JobSet", render_node_metadata(r, "",
	    launched)), "spec");
	if (r->options->queue != NULL)
		yaml_set_bool(r->arena, spec, "suspend", true);
	add_failure(r, spec);
	if (launched)
		add_launched(r, spec, &pod);
	else if (r->shape == SHAPE_CROWD)
		render_jobset_add_crowd(r, spec, &pod);
	else
		add_workers(r, spec, NULL, &pod);
	free(name);
}
