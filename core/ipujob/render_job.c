/*
 * Rendering to plain Jobs, which need no operator: an index of an Indexed Job
 * is a job instance.
 */
#include "core/ipujob/render_job.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/ipujob/render_node.h"
#include "core/ipujob/render_pod.h"
#include "core/ipujob/render_server.h"

enum { EXIT_CODE_MAX = 255 };

int
render_job_retries(const struct render *r)
{
	return r->job.restart == RESTART_NEVER ? 0 : r->job.backoff_limit;
}

/* The exit codes that are retried, or those that are not; 0 is success. */
static struct yaml_node *
list_codes(struct render *r, bool retried)
{
	struct yaml_node	*list = yaml_new_list(r->arena);
	int			 code;

	for (code = 1; code <= EXIT_CODE_MAX; code++)
		if (ipujob_is_retried(&r->job, code) == retried)
			yaml_add(r->arena, list, yaml_new_integer(r->arena,
			    code));
	return list;
}

/*
 * A code that is not to be tried again ends the Job.  What a pod loses its node
 * for is nobody's fault, and comes first: the first rule that fits counts.
 */
static void
add_failure_policy(struct render *r, struct yaml_node *spec)
{
	struct yaml_node	*retried = list_codes(r, true);
	struct yaml_node	*others = list_codes(r, false);
	const bool		 in = others->count <= retried->count;
	const struct yaml_node	*containers = yaml_path(r->job.template,
	    "spec/containers");
	struct yaml_node	*rules, *rule, *codes;

	if (others->count == 0)
		return;
	rules = render_node_list(r, render_node_map(r, spec,
	    "podFailurePolicy"), "rules");
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
	    r->shape == SHAPE_LAUNCHED ? RENDER_LAUNCHER :
	    yaml_get_text(containers->items[0].node, "name"));
	yaml_set_text(r->arena, codes, "operator", in ? "In" : "NotIn");
	(void)yaml_set(r->arena, codes, "values", in ? others : retried);
}

struct yaml_node *
render_job_spec(struct render *r, int pods, int retries, bool codes,
    struct yaml_node *template)
{
	struct yaml_node	*spec = yaml_new_map(r->arena);

	/* Of a JobSet it is the set that is held. */
	if (r->options->queue != NULL && r->options->target == RENDER_JOB)
		yaml_set_bool(r->arena, spec, "suspend", true);
	yaml_set_text(r->arena, spec, "completionMode", "Indexed");
	yaml_set_integer(r->arena, spec, "completions", pods);
	yaml_set_integer(r->arena, spec, "parallelism", pods);
	yaml_set_integer(r->arena, spec, "backoffLimit", retries);
	if (codes && r->job.restart == RESTART_EXIT_CODE)
		add_failure_policy(r, spec);
	(void)yaml_set(r->arena, spec, "template", template);
	return spec;
}

void
render_job_gang(struct render *r, struct yaml_node *job, int pods)
{
	char	*count = xasprintf("%d", pods);

	if (pods > 1 && r->options->scheduler != NULL &&
	    strcmp(r->options->scheduler, "volcano") == 0)
		yaml_set_text(r->arena, render_node_map(r,
		    render_node_map(r, job, "metadata"), "annotations"),
		    "scheduling.volcano.sh/group-min-member", count);
	free(count);
}

static void
add_job(struct render *r, const char *behind, const struct render_pod *pod,
    int pods)
{
	struct yaml_node	*document = render_node_document(r, "batch/v1",
	    "Job", render_node_metadata(r, behind, r->shape == SHAPE_CROWD));
	struct yaml_node	*spec;

	/* Instances are nothing to each other. */
	if (r->shape == SHAPE_CROWD)
		render_job_gang(r, document, pods);
	spec = render_job_spec(r, pods, render_job_retries(r), true,
	    render_pod_template(r, pod));
	(void)yaml_set(r->arena, document, "spec", spec);
}

/* A Job for each instance, whose pods share a server. */
static void
add_crowd(struct render *r, int instance)
{
	char	*behind = render_node_number(r, instance);
	char	*number = xasprintf("%d", instance);
	char	*beside = xasprintf("%s-vipu-server", behind);
	char	*name = render_node_name(r, "");
	char	*server = render_node_name(r, beside);

	render_server_documents(r, server);
	add_job(r, behind, &(struct render_pod){
		.role = ROLE_WORKER, .name = name, .instance = number,
		.server = server
	}, r->job.workers);
	free(server);
	free(name);
	free(beside);
	free(number);
	free(behind);
}

int
render_job_add(struct render *r, struct error *e)
{
	int	i;

	if (r->shape == SHAPE_LAUNCHED)
		return render_node_refuse(r, r->job.launcher, "spec/launcher",
		    e, "a Job cannot launch on the pods of another one; mpijob "
		    "and jobset can");
	if (r->shape == SHAPE_SINGLE) {
		add_job(r, "", &(struct render_pod){
			.role = ROLE_WORKER, .name = r->object->name,
			.name_field =
			    "metadata.labels['batch.kubernetes.io/job-name']",
			.instance = r->job.instances == 1 ? "0" : NULL,
			.instance_field = "metadata.annotations['batch."
			    "kubernetes.io/job-completion-index']"
		}, r->job.instances);
		return 0;
	}
	for (i = 0; i < r->job.instances; i++)
		add_crowd(r, i);
	render_node_remark(r, REMARK_NOTE, NULL, render_node_workers(r),
	    "the workers share a vipu-server, a Deployment with its Service, "
	    "which stays until it is deleted: kubectl delete -f takes all of "
	    "it");
	return 0;
}
