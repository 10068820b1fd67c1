/*
 * Descriptions of pods.
 *
 * Source: kubectl/pkg/describe, describePod() and describeVolumes().
 */
#include "applets/ipubox-job/describe_pod.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "applets/ipubox-job/describe_container.h"
#include "applets/ipubox-job/describe_sheet.h"
#include "applets/ipubox-job/get_rows.h"
#include "applets/ipubox-job/kube_table.h"
#include "core/base/alloc.h"
#include "core/base/array.h"

static const char *
text_of(const struct yaml_node *n, const char *path)
{
	const char	*text = yaml_get_text(n, path);

	return text != NULL ? text : "";
}

static const char *
bool_of(const struct yaml_node *n, const char *path)
{
	return yaml_get_bool(n, path, false) ? "true" : "false";
}

static void
put_node(FILE *f, const struct yaml_node *pod)
{
	char	*node;

	if (yaml_path(pod, "spec/nodeName") == NULL) {
		describe_sheet_put(f, 0, "Node", "<none>");
		return;
	}
	node = xasprintf("%s/%s", text_of(pod, "spec/nodeName"),
	    text_of(pod, "status/hostIP"));
	describe_sheet_put(f, 0, "Node", node);
	free(node);
}

/* The phase; of one that is being ended since when. */
static void
put_status(FILE *f, const struct yaml_node *pod, int64_t now_s)
{
	const char	*phase = text_of(pod, "status/phase");
	const char	*deleted = yaml_get_text(pod,
	    "metadata/deletionTimestamp");

	if (deleted != NULL && strcmp(phase, "Succeeded") != 0 &&
	    strcmp(phase, "Failed") != 0) {
		fputs("Status:\vTerminating (lasts ", f);
		get_rows_put_age(f, deleted, now_s);
		fputs(")\n", f);
		fprintf(f, "Termination Grace Period:\v%" PRId64 "s\n",
		    yaml_get_integer(pod, "metadata/"
		    "deletionGracePeriodSeconds", yaml_get_integer(pod,
		    "spec/terminationGracePeriodSeconds", 30)));
	} else {
		describe_sheet_put(f, 0, "Status", phase);
	}
	describe_sheet_put(f, 0, "Reason", yaml_get_text(pod,
	    "status/reason"));
	describe_sheet_put(f, 0, "Message", yaml_get_text(pod,
	    "status/message"));
}

static void
put_addresses(FILE *f, const struct yaml_node *pod)
{
	const struct yaml_node	*list = yaml_path(pod, "status/podIPs");
	size_t			 i;

	describe_sheet_put_field(f, 0, "IP", pod, "status/podIP", "");
	if (list == NULL || list->count == 0) {
		describe_sheet_put(f, 0, "IPs", "<none>");
		return;
	}
	fputs("IPs:\n", f);
	for (i = 0; i < list->count; i++)
		describe_sheet_put_field(f, 1, "IP", list->items[i].node,
		    "ip", "");
}

static void
put_owner(FILE *f, const struct yaml_node *pod)
{
	const struct yaml_node	*list = yaml_path(pod,
	    "metadata/ownerReferences");
	char			*owner;
	size_t			 i;

	for (i = 0; list != NULL && i < list->count; i++) {
		if (!yaml_get_bool(list->items[i].node, "controller", false))
			continue;
		owner = xasprintf("%s/%s", text_of(list->items[i].node,
		    "kind"), text_of(list->items[i].node, "name"));
		describe_sheet_put(f, 0, "Controlled By", owner);
		free(owner);
		return;
	}
}

static void
put_conditions(FILE *f, const struct yaml_node *list)
{
	size_t	i;

	if (list == NULL || list->count == 0)
		return;
	fputs("Conditions:\n  Type\vStatus\n", f);
	for (i = 0; i < list->count; i++) {
		fputs("  ", f);
		kube_table_put_cell(f, text_of(list->items[i].node, "type"));
		fputs(" \v", f);
		kube_table_put_cell(f, text_of(list->items[i].node,
		    "status"));
		fputs(" \n", f);
	}
}

/* What a kind of volume is, and the fields that are shown of it. */
struct volume_words {
	const char	*kind;
	const char	*type;
	struct {
		const char	*title;
		const char	*path;
		const char	*otherwise;
		bool		 is_bool;
	} fields[4];
};

static const struct volume_words	volumes[] = {
	{ "emptyDir", "EmptyDir (a temporary directory that shares a pod's "
	    "lifetime)", { { "Medium", "medium", "", false },
	    { "SizeLimit", "sizeLimit", "<unset>", false } } },
	{ "persistentVolumeClaim", "PersistentVolumeClaim (a reference to a "
	    "PersistentVolumeClaim in the same namespace)",
	    { { "ClaimName", "claimName", "", false },
	    { "ReadOnly", "readOnly", "", true } } },
	{ "configMap", "ConfigMap (a volume populated by a ConfigMap)",
	    { { "Name", "name", "", false },
	    { "Optional", "optional", "", true } } },
	{ "secret", "Secret (a volume populated by a Secret)",
	    { { "SecretName", "secretName", "", false },
	    { "Optional", "optional", "", true } } },
	{ "hostPath", "HostPath (bare host directory volume)",
	    { { "Path", "path", "", false },
	    { "HostPathType", "type", "", false } } },
	{ "nfs", "NFS (an NFS mount that lasts the lifetime of a pod)",
	    { { "Server", "server", "", false }, { "Path", "path", "",
	    false }, { "ReadOnly", "readOnly", "", true } } },
	{ "ephemeral", "EphemeralVolume (an inline specification for a "
	    "volume that gets created and deleted with the pod)",
	    { { NULL, NULL, NULL, false } } }
};

static void
put_known_volume(FILE *f, const struct volume_words *w,
    const struct yaml_node *source)
{
	size_t	i;

	describe_sheet_put(f, 2, "Type", w->type);
	for (i = 0; i < ARRAY_SIZE(w->fields) && w->fields[i].title != NULL;
	    i++) {
		if (w->fields[i].is_bool)
			describe_sheet_put(f, 2, w->fields[i].title,
			    bool_of(source, w->fields[i].path));
		else
			describe_sheet_put_field(f, 2, w->fields[i].title,
			    source, w->fields[i].path,
			    w->fields[i].otherwise);
	}
}

static void
put_downward_items(FILE *f, const struct yaml_node *items)
{
	const struct yaml_node	*item;
	const char		*field;
	size_t			 i;

	fputs("    Items:\n", f);
	for (i = 0; items != NULL && i < items->count; i++) {
		item = items->items[i].node;
		field = yaml_get_text(item, "fieldRef/fieldPath");
		fputs("      ", f);
		kube_table_put_cell(f, field != NULL ? field : text_of(item,
		    "resourceFieldRef/resource"));
		fputs(" -> ", f);
		kube_table_put_cell(f, text_of(item, "path"));
		fputc('\n', f);
	}
}

static void
put_projected(FILE *f, const struct yaml_node *sources)
{
	const struct yaml_node	*source, *in;
	size_t			 i;

	describe_sheet_put(f, 2, "Type", "Projected (a volume that contains "
	    "injected data from multiple sources)");
	for (i = 0; sources != NULL && i < sources->count; i++) {
		source = sources->items[i].node;
		if ((in = yaml_get(source, "secret")) != NULL) {
			describe_sheet_put_field(f, 2, "SecretName", in,
			    "name", "");
			describe_sheet_put_field(f, 2, "SecretOptionalName",
			    in, "optional", "<nil>");
		} else if ((in = yaml_get(source, "configMap")) != NULL) {
			describe_sheet_put_field(f, 2, "ConfigMapName", in,
			    "name", "");
			describe_sheet_put_field(f, 2, "ConfigMapOptional",
			    in, "optional", "<nil>");
		} else if (yaml_get(source, "downwardAPI") != NULL) {
			describe_sheet_put(f, 2, "DownwardAPI", "true");
		} else if ((in = yaml_get(source, "serviceAccountToken")) !=
		    NULL) {
			describe_sheet_put_field(f, 2,
			    "TokenExpirationSeconds", in,
			    "expirationSeconds", "3600");
		}
	}
}

static void
put_volume(FILE *f, const struct yaml_node *volume)
{
	const struct yaml_node	*source;
	size_t			 i;

	fputs("  ", f);
	kube_table_put_cell(f, text_of(volume, "name"));
	fputs(":\n", f);
	for (i = 0; i < ARRAY_SIZE(volumes); i++)
		if ((source = yaml_get(volume, volumes[i].kind)) != NULL) {
			put_known_volume(f, &volumes[i], source);
			return;
		}
	if ((source = yaml_get(volume, "downwardAPI")) != NULL) {
		describe_sheet_put(f, 2, "Type", "DownwardAPI (a volume "
		    "populated by information about the pod)");
		put_downward_items(f, yaml_get(source, "items"));
	} else if ((source = yaml_get(volume, "projected")) != NULL) {
		put_projected(f, yaml_get(source, "sources"));
	} else {
		fputs("  <unknown>\n", f);
	}
}

static void
put_volumes(FILE *f, const struct yaml_node *list)
{
	size_t	i;

	if (list == NULL || list->count == 0) {
		fputs("Volumes:\v<none>\n", f);
		return;
	}
	fputs("Volumes:\n", f);
	for (i = 0; i < list->count; i++)
		put_volume(f, list->items[i].node);
}

/* What of processors and memory a container says; and whether each request is
   its limit, which it is where only the limit is there. */
static void
look_at_quality(const struct yaml_node *container, bool *any, bool *all)
{
	static const char *const	names[] = { "cpu", "memory" };
	const struct yaml_node		*limits, *requests, *limit, *request;
	size_t				 i;

	limits = yaml_path(container, "resources/limits");
	requests = yaml_path(container, "resources/requests");
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		limit = yaml_get(limits, names[i]);
		request = yaml_get(requests, names[i]);
		*any |= limit != NULL || request != NULL;
		*all &= limit != NULL && (request == NULL ||
		    yaml_equal(limit, request));
	}
}

/* Source: Kubernetes, "Pod Quality of Service Classes". */
static const char *
quality(const struct yaml_node *pod)
{
	static const char *const	lists[] = { "spec/containers",
	    "spec/initContainers" };
	const char			*own = yaml_get_text(pod,
	    "status/qosClass");
	const struct yaml_node		*list;
	bool				 any = false, all = true;
	size_t				 i, k;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		list = yaml_path(pod, lists[i]);
		for (k = 0; list != NULL && k < list->count; k++)
			look_at_quality(list->items[k].node, &any, &all);
	}
	return own != NULL ? own : !any ? "BestEffort" : all ? "Guaranteed" :
	    "Burstable";
}

static void
put_tolerations(FILE *f, const struct yaml_node *list)
{
	const struct yaml_node	*t;
	const char		*value, *effect;
	size_t			 i;

	fprintf(f, "Tolerations:%s", list == NULL || list->count == 0 ?
	    "\v<none>\n" : "");
	for (i = 0; list != NULL && i < list->count; i++) {
		t = list->items[i].node;
		value = text_of(t, "value");
		effect = text_of(t, "effect");
		fputc('\v', f);
		kube_table_put_cell(f, text_of(t, "key"));
		if (value[0] != '\0') {
			fputc('=', f);
			kube_table_put_cell(f, value);
		}
		if (effect[0] != '\0') {
			fputc(':', f);
			kube_table_put_cell(f, effect);
		}
		if (strcmp(text_of(t, "operator"), "Exists") == 0 &&
		    value[0] == '\0')
			fputs(text_of(t, "key")[0] != '\0' ||
			    effect[0] != '\0' ? " op=Exists" : "op=Exists",
			    f);
		if (yaml_get(t, "tolerationSeconds") != NULL)
			fprintf(f, " for %" PRId64 "s", yaml_get_integer(t,
			    "tolerationSeconds", 0));
		fputc('\n', f);
	}
}

void
describe_pod_put(FILE *f, const struct yaml_node *pod, int64_t now_s)
{
	const struct yaml_node	*spec = yaml_get(pod, "spec");
	const struct yaml_node	*status = yaml_get(pod, "status");

	describe_sheet_put_name(f, pod);
	describe_sheet_put(f, 0, "Priority", yaml_get_text(spec,
	    "priority"));
	describe_sheet_put(f, 0, "Priority Class Name", yaml_get_text(spec,
	    "priorityClassName"));
	describe_sheet_put(f, 0, "Service Account", yaml_get_text(spec,
	    "serviceAccountName"));
	put_node(f, pod);
	describe_container_put_time(f, 0, "Start Time", yaml_get_text(status,
	    "startTime"));
	describe_sheet_put_metadata(f, pod);
	put_status(f, pod, now_s);
	put_addresses(f, pod);
	put_owner(f, pod);
	describe_container_put_all(f, "Init Containers", pod, yaml_get(spec,
	    "initContainers"), yaml_get(status, "initContainerStatuses"));
	describe_container_put_all(f, "Containers", pod, yaml_get(spec,
	    "containers"), yaml_get(status, "containerStatuses"));
	put_conditions(f, yaml_get(status, "conditions"));
	put_volumes(f, yaml_get(spec, "volumes"));
	describe_sheet_put(f, 0, "QoS Class", quality(pod));
	describe_sheet_put_map(f, "Node-Selectors", yaml_get(spec,
	    "nodeSelector"));
	put_tolerations(f, yaml_get(spec, "tolerations"));
}
