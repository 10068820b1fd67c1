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
	{ 'n', "namespace", "NAME", "of the job (default: default)" }, \
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
	{ 'f', "filename", "FILE", "a manifest, a directory of them, or -" }, \
	{ \
		'R', "recursive", NULL, \
		    "read directories with those below them" \
	}
#define SELECTOR_ROWS \
	{ 'l', "selector", "LABELS", "those with these labels: a=b,c" }, \
	{ \
		KEY_FIELD_SELECTOR, "field-selector", "FIELDS", \
		    "those with these fields: status.phase=Running" \
	}
#define CONTAINER_ROW \
	{ \
		'c', "container", "NAME", "which container of the pod" \
	}

static const struct option_row create_rows[] = {
	FILE_ROWS,
	{ 'o', "output", "FORMAT", "name, yaml or json" },
	{ KEY_DRY_RUN, "dry-run", "[=MODE]", "check and print only" },
	{ KEY_UNUSED, "save-config", "[=BOOL]", NULL },
	{ KEY_UNUSED, "server-side", "[=BOOL]", NULL },
	{ KEY_VALIDATE, "validate", "[=MODE]",
	    "unknown fields: strict, warn or ignore (default: strict)" },
	GLOBAL_ROWS,
};

static const struct option_row get_rows[] = {
	{ 'o', "output", "FORMAT",
	    "wide, name, yaml, json or jsonpath=TEMPLATE" },
	{ 'w', "watch", NULL, "go on to show changes" },
	{ 'A', "all-namespaces", NULL, "of all namespaces" },
	SELECTOR_ROWS,
	{ KEY_SHOW_LABELS, "show-labels", NULL, "a column of labels" },
	{ KEY_NO_HEADERS, "no-headers", NULL, "without the first line" },
	{ KEY_SORT_BY, "sort-by", "PATH", NULL },
	{ KEY_IGNORE_NOT_FOUND, "ignore-not-found", "[=BOOL]",
	    "do not fail if the object does not exist" },
	{ KEY_UNUSED, "show-managed-fields", "[=BOOL]", NULL },
	FILE_ROWS,
	GLOBAL_ROWS,
};

static const struct option_row describe_rows[] = {
	{ 'A', "all-namespaces", NULL, "of all namespaces" },
	SELECTOR_ROWS,
	FILE_ROWS,
	GLOBAL_ROWS,
};

static const struct option_row logs_rows[] = {
	{ 'f', "follow", NULL, "go on until the container ends" },
	{ 'p', "previous", NULL, "of the container before its last restart" },
	CONTAINER_ROW,
	{ KEY_ALL_CONTAINERS, "all-containers", "[=BOOL]",
	    "of the initContainers too" },
	{ 'l', "selector", "LABELS", "of the pods with these labels" },
	{ KEY_TAIL, "tail", "LINES", "print only the last lines" },
	{ KEY_SINCE, "since", "DURATION", "print only what is newer, as 10m" },
	{ KEY_SINCE_TIME, "since-time", "TIME",
	    "the same, as 2026-11-23T14:00:00Z" },
	{ KEY_LIMIT_BYTES, "limit-bytes", "BYTES", "print only so many bytes" },
	{ KEY_TIMESTAMPS, "timestamps", NULL, "each line with its time" },
	{ KEY_PREFIX, "prefix", NULL, "each line with its pod" },
	{ KEY_UNUSED, "ignore-errors", "[=BOOL]", NULL },
	{ KEY_UNUSED, "max-log-requests", "N", NULL },
	{ KEY_UNUSED, "pod-running-timeout", "DURATION", NULL },
	GLOBAL_ROWS,
};

static const struct option_row exec_rows[] = {
	{ 'i', "stdin", NULL, "the command reads standard input" },
	{ 't', "tty", NULL, "standard input is a terminal" },
	CONTAINER_ROW,
	GLOBAL_ROWS,
};

static const struct option_row cp_rows[] = {
	CONTAINER_ROW,
	GLOBAL_ROWS,
};

static const struct option_row delete_rows[] = {
	FILE_ROWS,
	{ KEY_ALL, "all", NULL, "all of the type in the namespace" },
	{ 'A', "all-namespaces", NULL, "of all namespaces" },
	SELECTOR_ROWS,
	{ KEY_WAIT, "wait", "[=BOOL]", "wait until it is gone (default: yes)" },
	{ KEY_TIMEOUT, "timeout", "DURATION", "how long to wait" },
	{ KEY_GRACE_PERIOD, "grace-period", "SECONDS", NULL },
	{ KEY_UNUSED, "now", NULL, NULL },
	{ KEY_UNUSED, "force", NULL, NULL },
	{ KEY_UNUSED, "cascade", "[=MODE]", NULL },
	{ KEY_IGNORE_NOT_FOUND, "ignore-not-found", "[=BOOL]",
	    "do not fail if the object does not exist" },
	{ 'o', "output", "FORMAT", "name" },
	GLOBAL_ROWS,
};

static const struct option_row wait_rows[] = {
	{ KEY_FOR, "for", "WHAT",
	    "condition=Succeeded, delete, jsonpath={PATH}=VALUE" },
	{ KEY_TIMEOUT, "timeout", "DURATION",
	    "how long to wait, 0: look once (default: 30s)" },
	{ KEY_ALL, "all", NULL, "all of the type" },
	{ 'A', "all-namespaces", NULL, "of all namespaces" },
	SELECTOR_ROWS,
	FILE_ROWS,
	GLOBAL_ROWS,
};

static const struct option_row scale_rows[] = {
	{ KEY_REPLICAS, "replicas", "N", "how many job instances" },
	{ KEY_CURRENT_REPLICAS, "current-replicas", "N",
	    "only if there are so many" },
	GLOBAL_ROWS,
};

static const struct option_row lint_rows[] = {
	{ 'o', "output", "FORMAT", "text or json" },
	{ KEY_JSON, "json", NULL, "as -o json" },
	{ KEY_STRICT, "strict", NULL, "warnings are failures too" },
	FILE_ROWS,
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static const struct option_row render_rows[] = {
	{ KEY_TO, "to", "KIND", "mpijob or job" },
	{ KEY_KUEUE, "kueue", "QUEUE", "in that queue of Kueue" },
	{ KEY_SCHEDULER, "scheduler", "NAME", "by that scheduler: volcano" },
	{ KEY_IMAGE, "image", "IMAGE", "the image that contains ipubox" },
	{ KEY_STRICT, "strict", NULL, "what has no counterpart is an error" },
	{ 'o', "output", "FORMAT", "yaml or json" },
	FILE_ROWS,
	{ 'n', "namespace", "NAME", "the objects are in" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static const struct option_row explain_rows[] = {
	{ 'R', "recursive", NULL, "with all fields below" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

const struct option_row job_global_rows[] = {
	{ KEY_VERSION, "version", NULL, "print the version" },
	GLOBAL_ROWS,
};

const struct job_verb job_verbs[] = {
	{ "create", "-f FILE ...", "make and start what a manifest describes",
	    create_rows, 0, verb_create },
	{ "apply", "-f FILE ...", "the same, or change what is there",
	    create_rows, 0, verb_apply },
	{ "get", "TYPE [NAME ...]", "list ipujobs, pods, events ...", get_rows,
	    0, verb_get },
	{ "describe", "TYPE [NAME ...]", "show all of some", describe_rows, 0,
	    verb_describe },
	{ "logs", "POD", "print what a pod wrote", logs_rows, VERB_OPENS,
	    verb_logs },
	{ "exec", "POD -- COMMAND [ARGUMENT ...]",
	    "run a command where a pod runs", exec_rows,
	    VERB_COMMAND | VERB_OPENS, verb_exec },
	{ "cp", "SOURCE DESTINATION", "copy files: POD:PATH is a pod's",
	    cp_rows, VERB_OPENS, verb_cp },
	{ "delete", "TYPE NAME ...", "end and remove", delete_rows, VERB_OPENS,
	    verb_delete },
	{ "wait", "TYPE/NAME --for WHAT", "come back when something is true",
	    wait_rows, 0, verb_wait },
	{ "scale", "ipujob/NAME --replicas N",
	    "change the number of job instances", scale_rows, VERB_OPENS,
	    verb_scale },
	{ "lint", "FILE ...", "check manifests, and run nothing", lint_rows,
	    VERB_FILES, verb_lint },
	{ "render", "--to KIND FILE ...",
	    "make manifests for clusters of today", render_rows, VERB_FILES,
	    verb_render },
	{ "explain", "[FIELD]", "what a field is, and what it does here",
	    explain_rows, 0, verb_explain },
	{ NULL, NULL, NULL, NULL, 0, NULL },
};

/* Other verbs of kubectl, and their replacements. */
static const struct {
	const char *words; /* with a blank around each */
	const char *instead;
} verbs_instead[] = {
	{ " annotate edit label patch set ",
	    "change the manifest, and apply -f it" },
	{ " replace ", "delete -f FILE, then create -f FILE" },
	{ " diff ", "apply --dry-run -f FILE says what would change" },
	{ " kustomize ", "kubectl's own makes the manifest" },
	{ " run ", "write an IPUJob into a file, and create -f it" },
	{ " autoscale ", "scale changes the number of job instances" },
	{ " rollout ", "wait --for=condition=Succeeded ipujob/NAME" },
	{ " events ", "get events" },
	{ " attach ", "logs -f POD follows what it writes" },
	{ " debug ", "exec -it POD -- bash is a shell in a pod" },
	{ " expose port-forward proxy ",
	    "pods use this host's network: connect to localhost" },
	{ " top ", "gc-monitor shows who uses the IPUs" },
	{ " help options ", "--help, or VERB --help" },
	{ " version ", "--version" },
	{ " api-resources api-versions ",
	    "ipujobs, pods, configmaps, secrets, persistentvolumeclaims and "
	    "events are here" },
	{ " auth certificate cluster-info config cordon drain plugin taint "
	  "uncordon ",
	    "there is no cluster here, and no context: -n NAME chooses the "
	    "namespace" },
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
