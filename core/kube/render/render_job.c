/*
 * Rendering to plain Jobs, which need no operator: an index of an Indexed Job
 * is a job instance.  Workers that share a partition have a vipu-server in
 * addition to their Job: a Deployment with a Service.  Also rendering to
 * MPIJobs, one for each job instance.  Source: the custom resource definition
 * kubeflow.org/v2beta1, and the behaviour of kubeflow's MPI Operator.
 */
#include "core/kube/render/render_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/render/render_node.h"

enum { EXIT_CODE_MAX = 255 };

/* Settings that the job's pods share with the server's. */
static const char *const shared[] = { "imagePullSecrets", "nodeSelector",
	"tolerations", "securityContext", NULL };

/* Return the number of retries after a failure. */
static int
retries(const struct render *r)
{
	return r->job.restart == RESTART_NEVER ? 0 : r->job.backoff_limit;
}

/* Return the exit codes that are retried, or those that are not; without 0,
   which means success. */
static struct yaml_node *
list_codes(struct render *r, bool retried)
{
	struct yaml_node *list = yaml_new_list(r->arena);
	int code;

	for (code = 1; code <= EXIT_CODE_MAX; code++)
		if (ipujob_is_retried(&r->job, code) == retried)
			yaml_add(r->arena, list,
			    yaml_new_integer(r->arena, code));
	return list;
}

/*
 * Add the policy that ends the Job after a code that is not retried.  Pods that
 * lost their node come first, because the first matching rule counts.
 */
static void
add_failure_policy(struct render *r, struct yaml_node *spec)
{
	struct yaml_node *retried = list_codes(r, true);
	struct yaml_node *others = list_codes(r, false);
	const bool in = others->count <= retried->count;
	const struct yaml_node *containers = yaml_path(r->job.template,
	    "spec/containers");
	struct yaml_node *rules, *rule, *codes;

	if (others->count == 0)
		return;
	rules = render_node_list(r,
	    render_node_map(r, spec, "podFailurePolicy"), "rules");
	rule = yaml_new_map(r->arena);
	yaml_add(r->arena, rules, rule);
	yaml_set_text(r->arena, rule, "action", "Ignore");
	codes = yaml_new_map(r->arena);
	yaml_add(r->arena, render_node_list(r, rule, "onPodConditions"), codes);
	yaml_set_text(r->arena, codes, "type", "DisruptionTarget");
	yaml_set_text(r->arena, codes, "status", "True");
	rule = yaml_new_map(r->arena);
	yaml_add(r->arena, rules, rule);
	yaml_set_text(r->arena, rule, "action", "FailJob");
	codes = render_node_map(r, rule, "onExitCodes");
	yaml_set_text(r->arena, codes, "containerName",
	    yaml_get_text(containers->items[0].node, "name"));
	yaml_set_text(r->arena, codes, "operator", in ? "In" : "NotIn");
	(void)yaml_set(r->arena, codes, "values", in ? others : retried);
}

/* Fill the spec of a Job with that many pods, each of which must succeed
   once. */
static void
fill_spec(struct render *r, struct yaml_node *spec, int pods,
    struct yaml_node *template)
{
	if (r->options->queue != NULL)
		yaml_set_bool(r->arena, spec, "suspend", true);
	yaml_set_text(r->arena, spec, "completionMode", "Indexed");
	yaml_set_integer(r->arena, spec, "completions", pods);
	yaml_set_integer(r->arena, spec, "parallelism", pods);
	yaml_set_integer(r->arena, spec, "backoffLimit", retries(r));
	if (r->job.restart == RESTART_EXIT_CODE)
		add_failure_policy(r, spec);
	(void)yaml_set(r->arena, spec, "template", template);
}

/* Make Volcano start all pods of a Job together. */
static void
add_gang(struct render *r, struct yaml_node *job, int pods)
{
	char *count = xasprintf("%d", pods);

	if (pods > 1 && r->options->scheduler != NULL &&
	    strcmp(r->options->scheduler, "volcano") == 0)
		yaml_set_text(r->arena,
		    render_node_map(r, render_node_map(r, job, "metadata"),
			"annotations"),
		    "scheduling.volcano.sh/group-min-member", count);
	free(count);
}

static void
add_job(struct render *r, const char *suffix, const struct render_pod *pod,
    int pods)
{
	struct yaml_node *document = render_node_document(r, "batch/v1", "Job",
	    render_node_metadata(r, suffix, r->shape == SHAPE_CROWD));

	/* Instances are independent of each other. */
	if (r->shape == SHAPE_CROWD)
		add_gang(r, document, pods);
	fill_spec(r, render_node_map(r, document, "spec"), pods,
	    render_pod_template(r, pod));
}

/* Set the labels by which the Deployment and the Service find the server's
   pod. */
static void
add_labels(struct render *r, struct yaml_node *map, const char *key,
    const char *name)
{
	struct yaml_node *labels = render_node_map(r, map, key);

	yaml_set_text(r->arena, labels, "app.kubernetes.io/name",
	    "vipu-server");
	yaml_set_text(r->arena, labels, "app.kubernetes.io/instance", name);
}

/* Make the pod that runs vipu-server alone.  The emulated pod is in its memory,
   and is lost with it. */
static struct yaml_node *
make_server(struct render *r, const char *name)
{
	const struct yaml_node *job = yaml_get(r->job.template, "spec");
	struct yaml_node *template = yaml_new_map(r->arena);
	struct yaml_node *spec, *value;
	const char *const *key;

	add_labels(r, render_node_map(r, template, "metadata"), "labels", name);
	spec = render_node_map(r, template, "spec");
	for (key = shared; *key != NULL; key++)
		if ((value = yaml_get(job, *key)) != NULL)
			(void)yaml_set(r->arena, spec, *key,
			    yaml_copy(r->arena, value));
	yaml_set_bool(r->arena, spec, "automountServiceAccountToken", false);
	render_container_add_server(r, render_node_list(r, spec, "containers"),
	    false);
	render_pod_add_volumes(r, spec, false, true);
	return template;
}

/* Add a Deployment and its Service of that name. */
static void
add_server(struct render *r, const char *name)
{
	struct yaml_node *spec, *port;

	spec = render_node_map(r,
	    render_node_document(r, "apps/v1", "Deployment",
		render_node_beside(r, name)),
	    "spec");
	yaml_set_integer(r->arena, spec, "replicas", 1);
	/* Two servers would each have a separate emulated pod, so they never
	   overlap. */
	yaml_set_text(r->arena, render_node_map(r, spec, "strategy"), "type",
	    "Recreate");
	add_labels(r, render_node_map(r, spec, "selector"), "matchLabels",
	    name);
	(void)yaml_set(r->arena, spec, "template", make_server(r, name));

	spec = render_node_map(r,
	    render_node_document(r, "v1", "Service",
		render_node_beside(r, name)),
	    "spec");
	add_labels(r, spec, "selector", name);
	port = render_node_named(r, render_node_list(r, spec, "ports"), "vipu");
	yaml_set_integer(r->arena, port, "port", RENDER_PORT);
	yaml_set_integer(r->arena, port, "targetPort", RENDER_PORT);
}

/* Add a Job for each instance; its pods share a server. */
static void
add_crowd(struct render *r, int instance)
{
	char *suffix = render_node_number(r, instance);
	char *number = xasprintf("%d", instance);
	char *beside = xasprintf("%s-vipu-server", suffix);
	char *name = render_node_name(r, "");
	char *server = render_node_name(r, beside);

	add_server(r, server);
	add_job(r, suffix,
	    &(struct render_pod){ .role = ROLE_WORKER,
		.name = name,
		.instance = number,
		.server = server },
	    r->job.workers);
	free(server);
	free(name);
	free(beside);
	free(number);
	free(suffix);
}

int
render_job_add(struct render *r, struct error *e)
{
	int i;

	if (r->shape == SHAPE_LAUNCHED)
		return render_node_refuse(r, r->job.launcher, "spec/launcher",
		    e,
		    "a Job cannot start programs in the pods of another Job; "
		    "use --to mpijob");
	if (r->shape == SHAPE_SINGLE) {
		add_job(r, "",
		    &(struct render_pod){ .role = ROLE_WORKER,
			.name = r->object->name,
			.name_field =
			    "metadata.labels['batch.kubernetes.io/job-name']",
			.instance = r->job.instances == 1 ? "0" : NULL,
			.instance_field =
			    "metadata.annotations['batch.kubernetes.io/"
			    "job-completion-index']" },
		    r->job.instances);
		return 0;
	}
	for (i = 0; i < r->job.instances; i++)
		add_crowd(r, i);
	render_node_remark(r, REMARK_NOTE, NULL, render_node_workers(r),
	    "the workers share a vipu-server, a Deployment with a Service; "
	    "delete all of it with kubectl delete -f");
	return 0;
}

/* ---- MPIJobs ---- */

/*
 * Return the clean-up of workers after the launcher's end.  The launcher's pod
 * stays with its Job, and failed workers stay too.
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
	struct yaml_node *policy = render_node_map(r, spec, "runPolicy");

	yaml_set_text(r->arena, policy, "cleanPodPolicy", clean_policy(r));
	yaml_set_integer(r->arena, policy, "backoffLimit", retries(r));
	if (r->options->queue != NULL)
		yaml_set_bool(r->arena, policy, "suspend", true);
	if (r->options->scheduler == NULL ||
	    strcmp(r->options->scheduler, "volcano") != 0)
		return;
	/* The launcher starts when the workers are ready, so it cannot be among
	   the pods that must start together. */
	yaml_set_integer(r->arena,
	    render_node_map(r, policy, "schedulingPolicy"), "minAvailable",
	    r->shape == SHAPE_LAUNCHED ? r->job.workers : 1);
}

static void
add_replicas(struct render *r, struct yaml_node *spec, const char *kind,
    int count, const struct render_pod *pod)
{
	struct yaml_node *replica = render_node_map(r,
	    render_node_map(r, spec, "mpiReplicaSpecs"), kind);

	yaml_set_integer(r->arena, replica, "replicas", count);
	/* The launcher's Job replaces a failed pod by a new one. */
	yaml_set_text(r->arena, replica, "restartPolicy", "Never");
	(void)yaml_set(r->arena, replica, "template",
	    render_pod_template(r, pod));
}

/*
 * Add an MPIJob.  A single worker is its own launcher: its slots are for the
 * instances that it starts itself.
 */
static void
add_mpijob(struct render *r, int instance)
{
	char number[16];
	char *suffix = render_node_number(r, instance);
	char *name = r->object->name == NULL ? NULL : render_node_name(r, "");
	struct render_pod pod = {
		.name = name,
		.name_field =
		    "metadata.labels['training.kubeflow.org/job-name']",
		.instance = number,
	};
	struct yaml_node *document, *spec;
	const bool launched = r->shape == SHAPE_LAUNCHED;

	(void)snprintf(number, sizeof(number), "%d", instance);
	document = render_node_document(r, "kubeflow.org/v2beta1", "MPIJob",
	    render_node_metadata(r, suffix, false));
	spec = render_node_map(r, document, "spec");
	yaml_set_integer(r->arena, spec, "slotsPerWorker",
	    launched ? 1 : r->job.ipus);
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
	free(suffix);
}

static void
report_policies(struct render *r)
{
	if (r->job.restart == RESTART_EXIT_CODE)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/restartPolicy/type",
		    "an MPIJob ignores exit codes and retries each failure");
	if (r->job.clean == CLEAN_ALL)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/cleanPodPolicy",
		    "the pod of the launcher stays until the MPIJob is "
		    "deleted");
	if (r->job.clean == CLEAN_WORKERS && r->shape == SHAPE_SINGLE)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/cleanPodPolicy",
		    "the pod stays until the MPIJob is deleted");
	if (r->job.clean == CLEAN_NONE && r->shape == SHAPE_LAUNCHED)
		render_node_remark(r, REMARK_NOTE, NULL, "spec/cleanPodPolicy",
		    "None: the workers keep running after the launcher has "
		    "ended, until the MPIJob is deleted");
	if (r->options->scheduler != NULL && r->shape == SHAPE_LAUNCHED)
		render_node_remark(r, REMARK_NOTE, NULL, "spec",
		    "all workers start together only if the MPI operator runs "
		    "with --gang-scheduling=%s",
		    r->options->scheduler);
}

int
render_job_add_mpi(struct render *r, struct error *e)
{
	int i;

	if (r->shape == SHAPE_CROWD)
		return render_node_refuse(r, NULL, render_node_workers(r), e,
		    "several workers without a launcher cannot be an MPIJob, "
		    "which ends with its launcher; use --to job");
	for (i = 0; i < r->job.instances; i++)
		add_mpijob(r, i);
	report_policies(r);
	return 0;
}
