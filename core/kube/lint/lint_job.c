/*
 * Numbers that depend on each other, and fields that require others.
 */
#include "core/kube/lint/lint_internal.h"

#include <stdio.h>
#include <string.h>

#include "core/base/parse.h"
#include "core/kube/schema/schema.h"

/* Parse a number in a text; on an error report it and return 0. */
static int
check_count(const struct lint *l, const struct lint_at *spec, const char *key,
    int parse(const char *, int *, struct error *))
{
	const struct lint_at at = lint_at_get(spec, key);
	const char *text = lint_at_text(&at);
	struct error e;
	int value = 0;

	if (text != NULL && parse(text, &value, &e) != 0)
		lint_at_error(l, &at, "%s%s", e.text,
		    manifest_text_unfilled(text));
	return value;
}

/* Return workersPerJobInstance, else workers.replicas, else 1. */
static int
check_workers(const struct lint *l, const struct lint_at *spec)
{
	const struct lint_at replicas = lint_at_get(spec, "workers/replicas");
	const struct lint_at own = lint_at_get(spec, "workersPerJobInstance");
	int workers = check_count(l, spec, "workersPerJobInstance",
	    ipujob_parse_count);
	int64_t integer = 1;

	lint_at_check_integer(l, &replicas, 1, IPUJOB_COUNT_MAX, true);
	if (replicas.node != NULL && replicas.node->kind == YAML_INTEGER)
		integer = replicas.node->integer;
	if (workers == 0)
		return integer >= 1 && integer <= IPUJOB_COUNT_MAX ?
		    (int)integer :
		    1;
	if (replicas.node != NULL && integer != workers)
		lint_at_warn(l, &own,
		    "overrides workers.replicas, which is %lld",
		    (long long)integer);
	return workers;
}

/* Check that the replicas of the model have whole and equal numbers of IPUs. */
static void
check_shares(const struct lint *l, const struct lint_at *spec,
    const struct lint_numbers *n)
{
	const struct lint_at replicas = lint_at_get(spec,
	    "modelReplicasPerWorker");
	const struct lint_at ipus = lint_at_get(spec, "ipusPerJobInstance");
	const int total = n->workers * n->model_replicas;

	if (n->ipus == 0)
		return;
	if (total > 0 && n->ipus % total != 0)
		lint_at_error(l, &replicas,
		    "%d worker%s with %d replica%s: %d replicas cannot "
		    "share %d IPU%s evenly",
		    n->workers, n->workers == 1 ? "" : "s", n->model_replicas,
		    n->model_replicas == 1 ? "" : "s", total, n->ipus,
		    n->ipus == 1 ? "" : "s");
	else if (n->workers > 0 && n->ipus % n->workers != 0)
		lint_at_warn(l, &ipus,
		    "%d workers cannot share %d IPU%s evenly: each sees all "
		    "IPUs",
		    n->workers, n->ipus, n->ipus == 1 ? "" : "s");
}

static void
check_job_launcher(const struct lint *l, const struct lint_at *spec,
    const struct lint_numbers *n)
{
	const struct lint_at launcher = lint_at_get(spec, "launcher");
	const struct lint_at command = lint_at_get(&launcher, "command");
	const struct lint_at workers = lint_at_get(spec, "workers");

	if (!n->has_launcher) {
		if (n->workers > 1)
			lint_at_warn(l, &workers,
			    "%d workers without spec.launcher: each runs the "
			    "command on its own",
			    n->workers);
		return;
	}
	if (command.node != NULL && command.node->kind == YAML_LIST &&
	    lint_at_count(&command) == 0)
		lint_at_error(l, &command, "must not be empty");
	if (n->workers == 1)
		lint_at_warn(l, &launcher,
		    "not needed for one worker, which can run the command "
		    "itself");
	if (lint_at_get(spec, "interactive").node != NULL)
		lint_at_warn(l, &launcher,
		    "is not run: an interactive job waits for commands");
}

/*
 * Check the pod's restart policy, which Kubernetes requires and the operator
 * ignores; under ExitCode pods have Never.
 */
static void
check_pod_policy(const struct lint *l, const struct lint_at *spec,
    const char *type)
{
	const struct lint_at at = lint_at_get(spec,
	    "workers/template/spec/restartPolicy");
	const char *text = lint_at_text(&at);
	const char *wanted = type == NULL || strcmp(type, "ExitCode") == 0 ?
	    "Never" :
	    type;

	if (text != NULL && strcmp(text, wanted) != 0)
		lint_at_warn(l, &at,
		    "%s has no effect: the job's spec.restartPolicy is %s",
		    text, type == NULL ? "Never by default" : type);
}

static void
check_restarts(const struct lint *l, const struct lint_at *spec)
{
	static const char types[] = "Always, OnFailure, Never or ExitCode";
	const struct lint_at own = lint_at_get(spec, "restartPolicy");
	const struct lint_at codes = lint_at_get(&own, "exitCodes");
	const struct lint_at limit = lint_at_get(&own, "backOffLimit");
	const char *type = lint_at_get_text(&own, "type");
	const char *text = lint_at_text(&codes);
	struct error e;
	int which;

	lint_at_check_integer(l, &limit, 0, IPUJOB_COUNT_MAX, true);
	if (text != NULL && ipujob_check_exit_codes(text, &e) != 0)
		lint_at_error(l, &codes, "%s", e.text);
	if (text != NULL && type != NULL && strcmp(type, "ExitCode") != 0)
		lint_at_error(l, &codes, "allowed only with type ExitCode");
	if (own.node == NULL ||
	    (type != NULL &&
		suggest_choose("", type, types, &which, NULL) == 0))
		check_pod_policy(l, spec, type);
}

/* Report fields of the operator's preview, which the schema does not have. */
static void
check_preview(const struct lint *l, const struct lint_at *spec)
{
	const struct lint_at replicas = lint_at_get(spec, "modelReplicas");
	const struct lint_at ipus = lint_at_get(spec, "ipusPerModelReplica");

	if (replicas.node != NULL)
		lint_at_note(l, &replicas,
		    "a field of the operator's preview; use "
		    "modelReplicasPerWorker instead");
	if (ipus.node != NULL)
		lint_at_note(l, &ipus,
		    "a field of the operator's preview; use "
		    "ipusPerJobInstance, the IPUs of all replicas, instead");
}

/*
 * Check the name, and the partition's name derived from it; a generateName
 * counts with the characters that are added.
 */
static void
check_job_names(const struct lint *l)
{
	const struct lint_at object = lint_at_object(l);
	const char *name = l->object->name;
	const struct lint_at at = lint_at_get(&object,
	    name != NULL ? "metadata/name" : "metadata/generateName");
	const uint8_t zeros[5] = { 0 };
	struct ipujob job = { .space = l->object->space };
	char whole[IPUJOB_NAME_SIZE];
	char partition[IPUJOB_NAME_SIZE];
	struct error e;
	int status;

	if (name == NULL && l->object->generate_name == NULL)
		return;
	status = name != NULL ?
	    ipujob_check_name(name, &e) :
	    ipujob_check_generate_name(l->object->generate_name, &e);
	if (status != 0) {
		lint_at_error(l, &at, "%s%s", e.text,
		    manifest_text_unfilled(lint_at_text(&at)));
		return;
	}
	if (name == NULL)
		ipujob_generate_name(l->object->generate_name, zeros, whole);
	job.name = name != NULL ? name : whole;
	if (job.space == NULL)
		job.space = "default";
	ipujob_partition_name(&job, 0, partition);
	if (strlen(partition) > NAME_LENGTH_MAX)
		lint_at_error(l, &at,
		    "the name of its partition, %s, would have %zu characters, "
		    "but at most %d are allowed",
		    partition, strlen(partition), NAME_LENGTH_MAX);
}

/* The schema reports the right place for containers on a higher level. */
static void
check_has(const struct lint *l, const struct lint_at *map, const char *key)
{
	if (map->node != NULL && map->node->kind == YAML_MAP &&
	    lint_at_get(map, key).node == NULL &&
	    lint_at_get(map, "containers").node == NULL)
		lint_at_error(l, map, "%s: missing, so there is nothing to run",
		    key);
}

void
lint_job_check(const struct lint *l, struct lint_numbers *n)
{
	const struct lint_at object = lint_at_object(l);
	const struct lint_at spec = lint_at_get(&object, "spec");
	const struct lint_at template = lint_at_get(&spec, "workers/template");
	const struct lint_at workers = lint_at_get(&spec, "workers");
	const struct lint_at instances = lint_at_get(&spec, "jobInstances");
	const struct lint_at ttl = lint_at_get(&spec, "interactive/ttl");

	memset(n, 0, sizeof(*n));
	check_job_names(l);
	if (spec.node == NULL)
		return;
	n->ipus = check_count(l, &spec, "ipusPerJobInstance",
	    ipujob_parse_ipus);
	n->model_replicas = check_count(l, &spec, "modelReplicasPerWorker",
	    ipujob_parse_count);
	n->workers = check_workers(l, &spec);
	n->has_launcher = lint_at_get(&spec, "launcher").node != NULL;
	lint_at_check_integer(l, &instances, 1, IPUJOB_COUNT_MAX, true);
	lint_at_check_integer(l, &ttl, 1, INT32_MAX, true);
	check_shares(l, &spec, n);
	check_job_launcher(l, &spec, n);
	check_restarts(l, &spec);
	check_preview(l, &spec);
	check_has(l, &workers, "template");
	check_has(l, &template, "spec");
}
