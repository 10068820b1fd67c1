/*
 * The verbs of ipubox-job with their options.  The tables drive the parsing,
 * the help and the completion.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "applets/ipubox-job/ipubox-job.h"
#include "core/base/alloc.h"

/* Options that all verbs accept, also before the verb; most have no effect
   without a cluster. */
#define GLOBAL_ROWS \
	{ 'n', "namespace", "NAME", \
		"use objects of this namespace (default: default)" }, \
	    { KEY_UNUSED, "as", "USER", NULL }, \
	    { KEY_UNUSED, "cluster", "NAME", NULL }, \
	    { KEY_UNUSED, "context", "NAME", NULL }, \
	    { KEY_UNUSED, "kubeconfig", "FILE", NULL }, \
	    { KEY_UNUSED, "request-timeout", "DURATION", NULL }, \
	    { 's', "server", "ADDRESS", NULL }, \
	    { KEY_UNUSED, "token", "TOKEN", NULL }, \
	    { KEY_UNUSED, "user", "NAME", NULL }, { 'v', "v", "LEVEL", NULL }, \
	    { 'h', "help", NULL, "print this help" }, \
	{ \
		0 \
	}
#define FILE_ROWS \
	{ 'f', "filename", "FILE", \
		"read a manifest, a directory of them, or -" }, \
	{ \
		'R', "recursive", NULL, "read subdirectories too" \
	}
#define SELECTOR_ROWS \
	{ 'l', "selector", "LABELS", \
		"choose objects by labels, such as a=b,c!=d" }, \
	{ \
		KEY_FIELD_SELECTOR, "field-selector", "FIELDS", \
		    "choose objects by fields, such as status.phase=Running" \
	}
#define CONTAINER_ROW \
	{ \
		'c', "container", "NAME", "choose a container of the pod" \
	}

#define PRINTER "unable to match a printer suitable for the output format \""

/* The words of refusals, and that they are not misuse, are those of kubectl
   1.30. */
static const struct job_values create_values[] = {
	{ 'o', "json, jsonpath, name or yaml", PRINTER,
	    "\", allowed formats are: json,jsonpath,name,yaml",
	    "-o jsonpath='{.metadata.name}{\"\\n\"}', or -o json" },
	{ KEY_DRY_RUN, "none, server or client", "Invalid dry-run value (",
	    "). Must be \"none\", \"server\", or \"client\".", NULL },
	{ KEY_VALIDATE, "strict, warn, ignore, true or false", NULL, NULL,
	    NULL },
	{ 0 },
};

static const struct job_values get_values[] = {
	{ 'o', "json, jsonpath, name, wide or yaml", PRINTER,
	    "\", allowed formats are: json,jsonpath,name,wide,yaml",
	    "-o jsonpath='{range .items[*]}{.metadata.name}{\"\\n\"}{end}', "
	    "or -o json" },
	{ 0 },
};

static const struct job_values delete_values[] = {
	{ 'o', "name", "unexpected -o output mode: ",
	    ". We only support '-o name'", NULL },
	{ 0 },
};

static const struct job_values lint_values[] = {
	{ 'o', "text or json", NULL, NULL, NULL },
	{ 0 },
};

static const struct job_values render_values[] = {
	{ KEY_TO, RENDER_TARGETS, NULL, NULL, NULL },
	{ 'o', "yaml or json", NULL, NULL, NULL },
	{ 0 },
};

static const struct option_row create_rows[] = {
	FILE_ROWS,
	{ 'o', "output", "FORMAT",
	    "print as name, yaml, json or jsonpath=TEMPLATE" },
	{ KEY_DRY_RUN, "dry-run", "[=MODE]",
	    "client or server: check and print only; none: do it" },
	{ KEY_UNUSED, "save-config", "[=BOOL]", NULL },
	{ KEY_UNUSED, "server-side", "[=BOOL]", NULL },
	{ KEY_VALIDATE, "validate", "[=MODE]",
	    "strict, warn or ignore: refuse, note or allow unknown fields "
	    "(default: strict)" },
	GLOBAL_ROWS,
};

static const struct option_row get_rows[] = {
	{ 'o', "output", "FORMAT",
	    "print as wide, name, yaml, json or jsonpath=TEMPLATE" },
	{ 'w', "watch", NULL, "continue to print changes" },
	{ 'A', "all-namespaces", NULL, "use objects of all namespaces" },
	SELECTOR_ROWS,
	{ KEY_SHOW_LABELS, "show-labels", NULL, "add a column of labels" },
	{ KEY_NO_HEADERS, "no-headers", NULL, "omit the header line" },
	{ KEY_SORT_BY, "sort-by", "PATH", NULL },
	{ KEY_IGNORE_NOT_FOUND, "ignore-not-found", "[=BOOL]",
	    "do not fail if the object does not exist" },
	{ KEY_UNUSED, "show-managed-fields", "[=BOOL]", NULL },
	FILE_ROWS,
	GLOBAL_ROWS,
};

static const struct option_row describe_rows[] = {
	{ 'A', "all-namespaces", NULL, "use objects of all namespaces" },
	SELECTOR_ROWS,
	FILE_ROWS,
	GLOBAL_ROWS,
};

static const struct option_row logs_rows[] = {
	{ 'f', "follow", NULL, "continue until the container ends" },
	{ 'p', "previous", NULL, "print the output before the last restart" },
	CONTAINER_ROW,
	{ KEY_ALL_CONTAINERS, "all-containers", "[=BOOL]",
	    "include initContainers" },
	{ 'l', "selector", "LABELS",
	    "choose pods by labels, such as a=b,c!=d" },
	{ KEY_TAIL, "tail", "LINES", "print only the last LINES lines" },
	{ KEY_SINCE, "since", "DURATION",
	    "print only lines newer than this, such as 10m" },
	{ KEY_SINCE_TIME, "since-time", "TIME",
	    "print only lines after this time, such as 2026-11-23T14:00:00Z" },
	{ KEY_LIMIT_BYTES, "limit-bytes", "BYTES",
	    "print at most BYTES bytes" },
	{ KEY_TIMESTAMPS, "timestamps", NULL, "print the time of each line" },
	{ KEY_PREFIX, "prefix", NULL,
	    "print the pod and container of each line" },
	{ KEY_UNUSED, "ignore-errors", "[=BOOL]", NULL },
	{ KEY_UNUSED, "max-log-requests", "N", NULL },
	{ KEY_UNUSED, "pod-running-timeout", "DURATION", NULL },
	GLOBAL_ROWS,
};

static const struct option_row exec_rows[] = {
	{ 'i', "stdin", NULL, "pass standard input to the command" },
	{ 't', "tty", NULL, "pass the terminal to the command" },
	CONTAINER_ROW,
	GLOBAL_ROWS,
};

static const struct option_row cp_rows[] = {
	CONTAINER_ROW,
	GLOBAL_ROWS,
};

static const struct option_row delete_rows[] = {
	FILE_ROWS,
	{ KEY_ALL, "all", NULL,
	    "delete all objects of the type in the namespace" },
	{ 'A', "all-namespaces", NULL, "use objects of all namespaces" },
	SELECTOR_ROWS,
	{ KEY_WAIT, "wait", "[=BOOL]",
	    "wait until the objects are gone (default: yes)" },
	{ KEY_TIMEOUT, "timeout", "DURATION", "limit the time to wait" },
	{ KEY_GRACE_PERIOD, "grace-period", "SECONDS", NULL },
	{ KEY_UNUSED, "now", NULL, NULL },
	{ KEY_UNUSED, "force", NULL, NULL },
	{ KEY_UNUSED, "cascade", "[=MODE]", NULL },
	{ KEY_IGNORE_NOT_FOUND, "ignore-not-found", "[=BOOL]",
	    "do not fail if the object does not exist" },
	{ 'o', "output", "FORMAT", "print as name" },
	GLOBAL_ROWS,
};

static const struct option_row wait_rows[] = {
	{ KEY_FOR, "for", "WHAT",
	    "wait for condition=TYPE, delete or jsonpath={PATH}=VALUE" },
	{ KEY_TIMEOUT, "timeout", "DURATION",
	    "limit the time to wait; 0 checks once (default: 30s)" },
	{ KEY_ALL, "all", NULL, "use all objects of the type" },
	{ 'A', "all-namespaces", NULL, "use objects of all namespaces" },
	SELECTOR_ROWS,
	FILE_ROWS,
	GLOBAL_ROWS,
};

static const struct option_row scale_rows[] = {
	{ KEY_REPLICAS, "replicas", "N", "set the number of job instances" },
	{ KEY_CURRENT_REPLICAS, "current-replicas", "N",
	    "scale only if N is the current number" },
	GLOBAL_ROWS,
};

static const struct option_row lint_rows[] = {
	{ 'o', "output", "FORMAT", "print as text or json" },
	{ KEY_JSON, "json", NULL, "same as -o json" },
	{ KEY_STRICT, "strict", NULL, "fail on warnings too" },
	FILE_ROWS,
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static const struct option_row render_rows[] = {
	{ KEY_TO, "to", "KIND", "render to mpijob or job" },
	{ KEY_KUEUE, "kueue", "QUEUE",
	    "submit the job to this queue of Kueue" },
	{ KEY_SCHEDULER, "scheduler", "NAME",
	    "let this scheduler place the pods: volcano" },
	{ KEY_IMAGE, "image", "IMAGE",
	    "use this image, which contains ipubox" },
	{ KEY_STRICT, "strict", NULL, "fail if something has no counterpart" },
	{ 'o', "output", "FORMAT", "print as yaml or json" },
	FILE_ROWS,
	{ 'n', "namespace", "NAME", "put the objects into this namespace" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static const struct option_row explain_rows[] = {
	{ 'R', "recursive", NULL, "show the fields below too" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

const struct option_row job_global_rows[] = {
	{ KEY_VERSION, "version", NULL, "print the version" },
	GLOBAL_ROWS,
};

const struct job_verb job_verbs[] = {
	{ "create", "-f FILE ...", "create and run the objects of a manifest",
	    create_rows, 0, verb_create, create_values },
	{ "apply", "-f FILE ...", "create objects, or change existing ones",
	    create_rows, 0, verb_apply, create_values },
	{ "get", "TYPE [NAME ...]", "list ipujobs, pods, events ...", get_rows,
	    0, verb_get, get_values },
	{ "describe", "TYPE [NAME ...]", "show all fields of objects",
	    describe_rows, 0, verb_describe, NULL },
	{ "logs", "POD", "print the output of a pod", logs_rows, VERB_OPENS,
	    verb_logs, NULL },
	{ "exec", "POD -- COMMAND [ARGUMENT ...]", "run a command in a pod",
	    exec_rows, VERB_COMMAND | VERB_OPENS, verb_exec, NULL },
	{ "cp", "SOURCE DESTINATION", "copy files; POD:PATH is in a pod",
	    cp_rows, VERB_OPENS, verb_cp, NULL },
	{ "delete", "TYPE NAME ...", "end and remove objects", delete_rows,
	    VERB_OPENS, verb_delete, delete_values },
	{ "wait", "TYPE/NAME --for WHAT", "wait until a condition is true",
	    wait_rows, 0, verb_wait, NULL },
	{ "scale", "ipujob/NAME --replicas N",
	    "change the number of job instances", scale_rows, VERB_OPENS,
	    verb_scale, NULL },
	{ "lint", "FILE ...", "check manifests without running them", lint_rows,
	    VERB_FILES, verb_lint, lint_values },
	{ "render", "--to KIND FILE ...", "print manifests for other clusters",
	    render_rows, VERB_FILES, verb_render, render_values },
	{ "explain", "[FIELD]", "describe a field and its effect here",
	    explain_rows, 0, verb_explain, NULL },
	{ NULL, NULL, NULL, NULL, 0, NULL, NULL },
};

/* Other verbs of kubectl, and their replacements. */
static const struct {
	const char *words; /* with a blank around each */
	const char *instead;
} verbs_instead[] = {
	{ " annotate edit label patch set ",
	    "change the manifest, then use apply -f FILE" },
	{ " replace ", "use delete -f FILE, then create -f FILE" },
	{ " diff ", "use apply --dry-run -f FILE to see the changes" },
	{ " kustomize ", "make the manifest with kubectl kustomize" },
	{ " run ", "write an IPUJob into a file, then use create -f FILE" },
	{ " autoscale ", "use scale to change the number of job instances" },
	{ " rollout ", "wait --for=condition=Succeeded ipujob/NAME" },
	{ " events ", "get events" },
	{ " attach ", "use logs -f POD to follow its output" },
	{ " debug ", "use exec -it POD -- bash for a shell in the pod" },
	{ " expose port-forward proxy ",
	    "connect to localhost, since pods use this host's network" },
	{ " top ", "use gc-monitor to see the programs on the IPUs" },
	{ " help options ", "--help, or VERB --help" },
	{ " version ", "--version" },
	{ " api-resources api-versions ",
	    "the types are ipujobs, pods, configmaps, secrets, "
	    "persistentvolumeclaims and events" },
	{ " auth certificate cluster-info config cordon drain plugin taint "
	  "uncordon ",
	    "ipubox-job needs no cluster and no context, and -n NAME chooses "
	    "the namespace" },
};

const char *
job_verbs_elsewhere(const char *word)
{
	char *bounded = xasprintf(" %s ", word);
	const char *instead = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(verbs_instead) && strchr(word, ' ') == NULL;
	     i++)
		if (strstr(verbs_instead[i].words, bounded) != NULL)
			instead = verbs_instead[i].instead;
	free(bounded);
	return instead;
}
