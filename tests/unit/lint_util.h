/*
 * Pieces of manifests for the tests of lint, and the expected findings.
 */
#ifndef TESTS_UNIT_LINT_UTIL_H
#define TESTS_UNIT_LINT_UTIL_H

#include <stddef.h>

/* Head of an IPUJob; its spec; its pod; its only container. */
#define HEAD "{apiVersion: graphcore.ai/v1alpha1, kind: IPUJob, "
#define SPEC(ipus) \
	HEAD "metadata: {name: bert}, spec: {jobInstances: 1, " \
	     "ipusPerJobInstance: \"" ipus "\", "
#define POD SPEC("1") "workers: {template: {spec: {"
#define CONTAINER POD "containers: [{name: a, image: i, "
#define RUN(ipus, more) \
	SPEC(ipus) \
	more "workers: {template: {spec: " \
	     "{containers: [{name: a, image: i, "
#define END_POD "}}}}}\n"
#define END "}]" END_POD
/* Templates of pods that wait, and of pods that run. */
#define WAITING "{spec: {containers: [{name: a, image: i}]}}"
#define RUNNING \
	"{spec: {containers: [{name: a, image: i, command: " \
	"[x]}]}}"
/* A whole job with additions to its spec. */
#define JOB(ipus, more) RUN(ipus, more) "command: [x]" END
#define CONFIG(more) \
	"---\n{apiVersion: v1, kind: ConfigMap, metadata: " \
	"{name: c}, " more "}\n"
#define SECRET(more) \
	"---\n{apiVersion: v1, kind: Secret, metadata: " \
	"{name: s}, " more "}\n"
#define PS "spec.workers.template.spec"
#define MEMORY_NOTE \
	"note: " PS ".containers[0]: in a cluster, a job of " \
	"several IPUs may also need a volume in memory at " \
	"/dev/shm, hostIPC: true and the capability IPC_LOCK\n"

struct lint_vector {
	const char *text;
	const char *wanted; /* "LEVEL: PATH: TEXT\n" each, without the schema's
			       notes; "local error": only on this host */
};

/* Check each manifest; the checks are named WHAT and a number. */
void lint_util_check(const char *what, const struct lint_vector *,
    size_t count);

#endif
