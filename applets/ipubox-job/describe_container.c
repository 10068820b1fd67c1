/*
 * Containers in the description of a pod.
 *
 * Source: kubectl/pkg/describe, describeContainers().
 */
#include "applets/ipubox-job/describe_container.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "applets/ipubox-job/describe_sheet.h"
#include "applets/ipubox-job/kube_table.h"
#include "core/base/alloc.h"
#include "core/ipujob/container_plan.h"
#include "core/ipujob/pod_field.h"
#include "core/ipujob/pod_object.h"

/* Nothing is asked of a host for a description. */
static const struct pod_host	nowhere = { .directory = "", .address = "" };

static const char *
text_or_empty(const struct yaml_node *n, const char *path)
{
	const char	*text = yaml_get_text(n, path);

	return text != NULL ? text : "";
}

void
describe_container_put_time(FILE *f, int level, const char *key,
    const char *time)
{
	const time_t	s = (time_t)pod_object_read_time(time);
	struct tm	tm;
	char		text[64];

	if (s != 0 && gmtime_r(&s, &tm) != NULL && strftime(text,
	    sizeof(text), "%a, %d %b %Y %H:%M:%S +0000", &tm) > 0)
		describe_sheet_put(f, level, key, text);
}

/* "8080/TCP, 9090/UDP": of the container, or of the host. */
static void
put_ports(FILE *f, const struct yaml_node *ports, const char *title,
    const char *field)
{
	const char	*protocol;
	size_t		 i;

	fprintf(f, "    %s%s:\v", title, ports != NULL && ports->count > 1 ?
	    "s" : "");
	if (ports == NULL || ports->count == 0)
		fputs("<none>", f);
	for (i = 0; ports != NULL && i < ports->count; i++) {
		protocol = yaml_get_text(ports->items[i].node, "protocol");
		fprintf(f, "%s%" PRId64 "/", i > 0 ? ", " : "",
		    yaml_get_integer(ports->items[i].node, field, 0));
		kube_table_put_cell(f, protocol != NULL ? protocol : "TCP");
	}
	fputc('\n', f);
}

/* Each line of each word by itself. */
static void
put_words(FILE *f, const char *title, const struct yaml_node *list)
{
	const char	*text, *end;
	char		*line;
	size_t		 i;

	if (list == NULL || list->count == 0)
		return;
	fprintf(f, "    %s:\n", title);
	for (i = 0; i < list->count; i++) {
		text = list->items[i].node->text;
		for (; text != NULL; text = *end == '\n' ? end + 1 : NULL) {
			end = text + strcspn(text, "\n");
			line = xasprintf("%.*s", (int)(end - text), text);
			fputs("      ", f);
			kube_table_put(f, line);
			fputc('\n', f);
			free(line);
		}
	}
}

static void
put_state(FILE *f, const char *title, const struct yaml_node *state)
{
	const struct yaml_node	*in;

	if ((in = yaml_get(state, "running")) != NULL) {
		describe_sheet_put(f, 2, title, "Running");
		describe_container_put_time(f, 3, "Started", yaml_get_text(
		    in, "startedAt"));
	} else if ((in = yaml_get(state, "terminated")) != NULL) {
		describe_sheet_put(f, 2, title, "Terminated");
		describe_sheet_put(f, 3, "Reason", yaml_get_text(in,
		    "reason"));
		describe_sheet_put(f, 3, "Message", yaml_get_text(in,
		    "message"));
		describe_sheet_put(f, 3, "Exit Code", text_or_empty(in,
		    "exitCode"));
		describe_sheet_put(f, 3, "Signal", yaml_get_text(in,
		    "signal"));
		describe_container_put_time(f, 3, "Started", yaml_get_text(
		    in, "startedAt"));
		describe_container_put_time(f, 3, "Finished", yaml_get_text(
		    in, "finishedAt"));
	} else {
		describe_sheet_put(f, 2, title, "Waiting");
		describe_sheet_put(f, 3, "Reason", yaml_get_text(state,
		    "waiting/reason"));
	}
}

static void
put_container_status(FILE *f, const struct yaml_node *status)
{
	const struct yaml_node	*last = yaml_get(status, "lastState");

	put_state(f, "State", yaml_get(status, "state"));
	if (yaml_get(last, "terminated") != NULL)
		put_state(f, "Last State", last);
	describe_sheet_put(f, 2, "Ready", yaml_get_bool(status, "ready",
	    false) ? "True" : "False");
	describe_sheet_put_field(f, 2, "Restart Count", status,
	    "restartCount", "0");
}

static void
put_resources(FILE *f, const char *title, const struct yaml_node *map)
{
	size_t	i;

	if (map == NULL || map->count == 0)
		return;
	fprintf(f, "    %s:\n", title);
	for (i = 0; i < map->count; i++)
		describe_sheet_put(f, 3, map->items[i].key,
		    map->items[i].node->text);
}

/* What is asked: a program, a page or a port. */
static void
put_question(FILE *f, const struct yaml_node *probe)
{
	const struct yaml_node	*command = yaml_path(probe, "exec/command");
	const struct yaml_node	*page = yaml_get(probe, "httpGet");
	const struct yaml_node	*port = yaml_get(probe, "tcpSocket");
	const char		*scheme = yaml_get_text(page, "scheme");
	const char		*text;
	size_t			 i;

	if (page != NULL) {
		fprintf(f, "http-get %s://", scheme != NULL &&
		    strcmp(scheme, "HTTPS") == 0 ? "https" : "http");
		kube_table_put_cell(f, text_or_empty(page, "host"));
		fputc(':', f);
		kube_table_put_cell(f, text_or_empty(page, "port"));
		kube_table_put_cell(f, text_or_empty(page, "path"));
	} else if (port != NULL) {
		fputs("tcp-socket ", f);
		kube_table_put_cell(f, text_or_empty(port, "host"));
		fputc(':', f);
		kube_table_put_cell(f, text_or_empty(port, "port"));
	} else if (yaml_get(probe, "exec") != NULL) {
		fputs("exec [", f);
		for (i = 0; command != NULL && i < command->count; i++) {
			text = command->items[i].node->text;
			fputs(i > 0 ? " " : "", f);
			kube_table_put_cell(f, text != NULL ? text : "");
		}
		fputc(']', f);
	} else {
		fputs("unknown", f);
	}
}

static void
put_probe(FILE *f, const char *title, const struct yaml_node *probe)
{
	if (probe == NULL)
		return;
	fprintf(f, "    %s:\v", title);
	put_question(f, probe);
	fprintf(f, " delay=%" PRId64 "s timeout=%" PRId64 "s period=%" PRId64
	    "s #success=%" PRId64 " #failure=%" PRId64 "\n",
	    yaml_get_integer(probe, "initialDelaySeconds", 0),
	    yaml_get_integer(probe, "timeoutSeconds", 1),
	    yaml_get_integer(probe, "periodSeconds", 10),
	    yaml_get_integer(probe, "successThreshold", 1),
	    yaml_get_integer(probe, "failureThreshold", 3));
}

/* envFrom: "NAME\vSecret with prefix 'P_'\vOptional: true" */
static void
put_sources(FILE *f, const struct yaml_node *sources)
{
	const struct yaml_node	*map, *secret;
	const char		*prefix;
	size_t			 i;

	if (sources == NULL || sources->count == 0)
		return;
	fputs("    Environment Variables from:\n", f);
	for (i = 0; i < sources->count; i++) {
		map = yaml_get(sources->items[i].node, "configMapRef");
		secret = yaml_get(sources->items[i].node, "secretRef");
		prefix = yaml_get_text(sources->items[i].node, "prefix");
		fputs("      ", f);
		kube_table_put_cell(f, text_or_empty(map != NULL ? map :
		    secret, "name"));
		fprintf(f, "\v%s", map != NULL ? "ConfigMap" : "Secret");
		if (prefix != NULL) {
			fputs(" with prefix '", f);
			kube_table_put_cell(f, prefix);
			fputc('\'', f);
		}
		fprintf(f, "\vOptional: %s\n", yaml_get_bool(map != NULL ? map :
		    secret, "optional", false) ? "true" : "false");
	}
}

/* "<set to the key 'k' in secret 's'>\vOptional: false" */
static void
put_key_reference(FILE *f, const struct yaml_node *reference,
    const char *where)
{
	fputs("<set to the key '", f);
	kube_table_put_cell(f, text_or_empty(reference, "key"));
	fprintf(f, "' %s '", where);
	kube_table_put_cell(f, text_or_empty(reference, "name"));
	fprintf(f, "'>\vOptional: %s\n", yaml_get_bool(reference, "optional",
	    false) ? "true" : "false");
}

/* A value of several lines keeps them below each other. */
static void
put_plain_value(FILE *f, const char *value)
{
	const char	*end;
	char		*line;

	for (;; value = end + 1) {
		end = value + strcspn(value, "\n");
		line = xasprintf("%.*s", (int)(end - value), value);
		kube_table_put(f, line);
		fputc('\n', f);
		free(line);
		if (*end == '\0')
			return;
		fputs("      \v", f);
	}
}

/* What a secret or a config map has is not shown, only where it comes from. */
static void
put_variable(FILE *f, const struct yaml_node *pod,
    const struct yaml_node *container, const struct yaml_node *variable)
{
	const struct yaml_node	*from = yaml_get(variable, "valueFrom"), *r;
	const char		*version;
	char			*value;

	fputs("      ", f);
	kube_table_put_cell(f, text_or_empty(variable, "name"));
	fputs(":\v", f);
	if ((r = yaml_get(from, "secretKeyRef")) != NULL) {
		put_key_reference(f, r, "in secret");
	} else if ((r = yaml_get(from, "configMapKeyRef")) != NULL) {
		put_key_reference(f, r, "of config map");
	} else if ((r = yaml_get(from, "fieldRef")) != NULL) {
		value = pod_field_text(pod, &nowhere, r, POD_FIELD_VARIABLE,
		    NULL);
		kube_table_put_cell(f, value != NULL ? value : "");
		version = yaml_get_text(r, "apiVersion");
		fprintf(f, " (%s:", version != NULL ? version : "v1");
		kube_table_put_cell(f, text_or_empty(r, "fieldPath"));
		fputs(")\n", f);
		free(value);
	} else if ((r = yaml_get(from, "resourceFieldRef")) != NULL) {
		value = pod_field_resource(pod, container, &nowhere, r,
		    POD_FIELD_VARIABLE, NULL);
		kube_table_put_cell(f, value != NULL ? value : "");
		fputs(" (", f);
		kube_table_put_cell(f, text_or_empty(r, "resource"));
		fputs(")\n", f);
		free(value);
	} else {
		put_plain_value(f, text_or_empty(variable, "value"));
	}
}

/* qsort(3): by where they are. */
static int
compare_mounts(const void *a, const void *b)
{
	const struct yaml_node	*const *x = a, *const *y = b;

	return strcmp(text_or_empty(*x, "mountPath"),
	    text_or_empty(*y, "mountPath"));
}

static void
put_mounts(FILE *f, const struct yaml_node *list)
{
	const struct yaml_node	**mounts;
	const char		 *part;
	size_t			  i;

	if (list == NULL || list->count == 0) {
		fputs("    Mounts:\v<none>\n", f);
		return;
	}
	mounts = xcalloc(list->count, sizeof(*mounts));
	for (i = 0; i < list->count; i++)
		mounts[i] = list->items[i].node;
	qsort(mounts, list->count, sizeof(*mounts), compare_mounts);
	fputs("    Mounts:\n", f);
	for (i = 0; i < list->count; i++) {
		fputs("      ", f);
		kube_table_put_cell(f, text_or_empty(mounts[i],
		    "mountPath"));
		fputs(" from ", f);
		kube_table_put_cell(f, text_or_empty(mounts[i], "name"));
		fputs(yaml_get_bool(mounts[i], "readOnly", false) ? " (ro" :
		    " (rw", f);
		if ((part = yaml_get_text(mounts[i], "subPath")) != NULL) {
			fputs(",path=\"", f);
			kube_table_put_cell(f, part);
			fputc('"', f);
		}
		fputs(")\n", f);
	}
	free(mounts);
}

static void
put_container(FILE *f, const struct yaml_node *pod,
    const struct yaml_node *c, const struct yaml_node *status)
{
	const struct yaml_node	*env = yaml_get(c, "env");
	size_t			 i;

	fputs("  ", f);
	kube_table_put_cell(f, text_or_empty(c, "name"));
	fputs(":\n", f);
	if (status != NULL)
		describe_sheet_put_field(f, 2, "Container ID", status,
		    "containerID", "");
	describe_sheet_put_field(f, 2, "Image", c, "image", "");
	if (status != NULL)
		describe_sheet_put_field(f, 2, "Image ID", status, "imageID",
		    "");
	put_ports(f, yaml_get(c, "ports"), "Port", "containerPort");
	put_ports(f, yaml_get(c, "ports"), "Host Port", "hostPort");
	put_words(f, "Command", yaml_get(c, "command"));
	put_words(f, "Args", yaml_get(c, "args"));
	if (status != NULL)
		put_container_status(f, status);
	put_resources(f, "Limits", yaml_path(c, "resources/limits"));
	put_resources(f, "Requests", yaml_path(c, "resources/requests"));
	put_probe(f, "Liveness", yaml_get(c, "livenessProbe"));
	put_probe(f, "Readiness", yaml_get(c, "readinessProbe"));
	put_probe(f, "Startup", yaml_get(c, "startupProbe"));
	put_sources(f, yaml_get(c, "envFrom"));
	fprintf(f, "    Environment:%s\n", env == NULL || env->count == 0 ?
	    "\v<none>" : "");
	for (i = 0; env != NULL && i < env->count; i++)
		put_variable(f, pod, c, env->items[i].node);
	put_mounts(f, yaml_get(c, "volumeMounts"));
}

/* The status of the container of that name, or NULL. */
static const struct yaml_node *
find_status(const struct yaml_node *statuses, const char *name)
{
	size_t	i;

	for (i = 0; statuses != NULL && i < statuses->count; i++)
		if (strcmp(text_or_empty(statuses->items[i].node, "name"),
		    name) == 0)
			return statuses->items[i].node;
	return NULL;
}

void
describe_container_put_all(FILE *f, const char *title,
    const struct yaml_node *pod, const struct yaml_node *containers,
    const struct yaml_node *statuses)
{
	const struct yaml_node	*c;
	size_t			 i;

	if (containers == NULL || containers->count == 0)
		return;
	fprintf(f, "%s:\n", title);
	for (i = 0; i < containers->count; i++) {
		c = containers->items[i].node;
		put_container(f, pod, c, find_status(statuses,
		    text_or_empty(c, "name")));
	}
}
