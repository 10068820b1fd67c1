/*
 * Rendering: the objects of a manifest, one after the other.  Objects other
 * than IPUJobs are copied unchanged.
 */
#include "core/kube/render/render.h"

#include <stdlib.h>
#include <string.h>

#include "core/kube/lint/lint.h"
#include "core/kube/render/render_internal.h"
#include "core/kube/render/render_node.h"

enum {
	/* Limits for one job: documents that differ only in a number, and their
	   weight. */
	DOCUMENTS_MAX = 100,
	WEIGHT_MAX = 2000000,
	WEIGHT_BYTES = 32 /* this many bytes of text weigh as much as a node */
};

/* Fields that an API server added to an object. */
static const char *const of_server[] = { "creationTimestamp",
	"deletionGracePeriodSeconds", "deletionTimestamp", "generation",
	"managedFields", "resourceVersion", "selfLink", "uid", NULL };

static enum render_shape
find_shape(const struct ipujob *job)
{
	if (job->workers == 1)
		return SHAPE_SINGLE;
	return job->launcher != NULL ? SHAPE_LAUNCHED : SHAPE_CROWD;
}

static void
report_metadata(struct render *r)
{
	const struct yaml_node *metadata = yaml_get(r->object->node,
	    "metadata");
	const char *const *key;
	bool served = yaml_get(r->object->node, "status") != NULL;

	for (key = of_server; *key != NULL; key++)
		served = served || yaml_get(metadata, *key) != NULL;
	if (served)
		render_node_remark(r, REMARK_NOTE, NULL, "metadata",
		    "fields that another cluster set are left out: status, uid "
		    "and others");
	if (yaml_get(metadata, "finalizers") != NULL)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "metadata/finalizers",
		    "no controller would remove them; left out");
	if (yaml_get(metadata, "ownerReferences") != NULL)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "metadata/ownerReferences",
		    "an owner exists only in its own cluster; left out");
}

/* Report fields of the job (outside pods) without any counterpart. */
static void
report_job(struct render *r)
{
	if (yaml_path(r->object->node, "spec/workers/strategy") != NULL)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/workers/strategy",
		    "the pods of a job are not replaced while they run; left "
		    "out");
	if (r->job.model_replicas > 0)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/modelReplicasPerWorker",
		    "has no effect there; use poprun --num-replicas");
	if (r->job.restart == RESTART_ALWAYS)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/restartPolicy/type",
		    "Always: a job restarts only after a failure; use a "
		    "Deployment for a program that never ends");
	if (r->job.ttl_seconds >= 0)
		render_node_remark(r, REMARK_NOTE, NULL, "spec/interactive",
		    "enter the pod with ipubox on its PATH by: kubectl exec "
		    "-it POD -- " RENDER_TREE
		    "/bin/ipubox sdk-env --path " RENDER_TREE "/sdk -- bash");
	if (r->job.clean != CLEAN_NONE && r->options->target != RENDER_MPIJOB &&
	    !(r->shape == SHAPE_LAUNCHED && r->job.clean == CLEAN_WORKERS))
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/cleanPodPolicy",
		    "the pods stay until the job is deleted");
}

static void
report_launcher(struct render *r)
{
	const struct yaml_node *first =
	    yaml_path(r->job.template, "spec/containers")->items[0].node;

	if (r->job.launcher == NULL)
		return;
	if (r->shape == SHAPE_SINGLE) {
		render_node_remark(r, REMARK_NOTE, r->job.launcher,
		    "spec/launcher",
		    "its command runs in the only worker, without a separate "
		    "pod");
		return;
	}
	render_node_remark(r, REMARK_NOTE, first,
	    "spec/workers/template/spec/containers[0]",
	    "the workers run sshd, the launcher ssh and mpirun: the image %s "
	    "needs them, and StrictHostKeyChecking no in its ssh_config",
	    yaml_get_text(first, "image"));
	if (yaml_get_bool(r->job.template, "spec/hostNetwork", false))
		render_node_remark(r, REMARK_WARNING, NULL,
		    "spec/workers/template/spec/hostNetwork",
		    "the workers' sshd would need port 22, which the node's "
		    "own sshd uses; remove it");
}

/* Report that a document of ours needs a name known in advance. */
static void
report_name(struct render *r)
{
	if (r->object->name == NULL && r->shape == SHAPE_CROWD)
		render_node_remark(r, REMARK_WARNING, NULL,
		    "metadata/generateName",
		    "the pods need to know the job's name, so the name is "
		    "fixed, and a second job cannot be created");
}

/* Return the size of a tree with its aliases expanded. */
static size_t
weigh(const struct yaml_node *node)
{
	size_t weight = 1, i;

	if (node->text != NULL)
		weight += strlen(node->text) / WEIGHT_BYTES;
	for (i = 0; i < node->count; i++)
		weight += weigh(node->items[i].node);
	return weight;
}

/* Check the number of instances if each becomes a document. */
static int
check_instances(const struct render *r, struct error *e)
{
	const size_t instances = (size_t)r->job.instances;
	const char *other = r->shape == SHAPE_SINGLE ?
	    "--to job makes a single one" :
	    "only a JobSet could replace them, and render does not make "
	    "JobSets";

	if (r->options->target == RENDER_JOB && r->shape != SHAPE_CROWD)
		return 0;
	if (instances > DOCUMENTS_MAX)
		return render_node_refuse(r, NULL, "spec/jobInstances", e,
		    "%zu documents that differ only in a number exceed the "
		    "limit of %d; %s",
		    instances, DOCUMENTS_MAX, other);
	if (instances * weigh(r->job.template) > WEIGHT_MAX)
		return render_node_refuse(r, NULL, "spec/jobInstances", e,
		    "%zu documents with a pod template of this size are too "
		    "large; %s",
		    instances, other);
	return 0;
}

static int
render_add_object(struct render *r, struct error *e)
{
	const struct manifest_object *o = r->object;
	struct error reason;

	if (ipujob_read(o->node, o->space, &r->job, &reason) != 0)
		return render_node_refuse(r, NULL, "spec", e, "%s",
		    reason.text);
	r->shape = find_shape(&r->job);
	if (check_instances(r, e) != 0 || render_check_template(r, e) != 0)
		return -1;
	report_metadata(r);
	report_job(r);
	report_launcher(r);
	report_name(r);
	return r->options->target == RENDER_MPIJOB ?
	    render_job_add_mpi(r, e) :
	    render_job_add(r, e);
}

/* Copy the other objects before those that refer to them: namespaces, then
   volumes. */
static void
copy_others(struct render *r, const struct manifest *m, bool spaces)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		if (m->objects[i].kind != MANIFEST_IPUJOB &&
		    (m->objects[i].kind == MANIFEST_NAMESPACE) == spaces)
			yaml_add(r->arena, r->documents, m->objects[i].node);
}

/* Check the manifest; errors of this host alone do not matter on a cluster. */
static int
check_manifest(struct manifest *m, struct error *e)
{
	struct remarks found = { .items = NULL };
	char *text = NULL;
	size_t i;

	lint_manifest(m, &found);
	remarks_sort(&found);
	for (i = 0; i < found.count && text == NULL; i++)
		if (found.items[i].level == REMARK_ERROR &&
		    !found.items[i].is_local)
			text = remarks_text(&found.items[i]);
	remarks_release(&found);
	if (text == NULL)
		return 0;
	(void)error_set_code(e, ERROR_INVALID, "%s", text);
	free(text);
	return -1;
}

int
render_manifest(struct manifest *m, const struct render_options *options,
    struct yaml_node **out, struct remarks *lost, struct error *e)
{
	struct render r = { .arena = m->arena,
		.options = options,
		.lost = lost,
		.documents = yaml_new_list(m->arena) };
	size_t i;

	if (check_manifest(m, e) != 0)
		return -1;
	copy_others(&r, m, true);
	copy_others(&r, m, false);
	for (i = 0; i < m->count; i++) {
		r.object = &m->objects[i];
		if (r.object->kind == MANIFEST_IPUJOB &&
		    render_add_object(&r, e) != 0)
			return -1;
	}
	*out = r.documents;
	return 0;
}
