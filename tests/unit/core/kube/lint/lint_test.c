/* lint: kinds, names, and the rules of an IPUJob itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/lint/lint.h"
#include "tests/unit/lint_util.h"
#include "tests/unit/tap.h"

static void
test_kinds(void)
{
	static const struct lint_vector vectors[] = {
		{ "", "" },
		{ JOB("1", ""), "" },
		{ "{kind: IPUJob}",
		    "error: apiVersion: missing; it must be "
		    "graphcore.ai/v1alpha1\nerror: metadata: needs a name or a "
		    "generateName\n" },
		{ "{apiVersion: v1}",
		    "error: kind: missing; a job has kind: IPUJob\n" },
		{ "{apiVersion: graphcore.ai/v1alpha1, kind: IPUjob}",
		    "error: kind: 'IPUjob' is not supported; use IPUJob, "
		    "ConfigMap, Secret, PersistentVolumeClaim, Service or "
		    "Namespace (did you mean IPUJob?)\n" },
		{ "{apiVersion: graphcore.ai/v1alpha, kind: IPUJob, metadata: "
		  "{name: a}}",
		    "error: apiVersion: must be graphcore.ai/v1alpha1, not "
		    "graphcore.ai/v1alpha\n" },
		{ "{apiVersion: v2, kind: Secret, metadata: {name: a}}",
		    "error: apiVersion: must be v1, not v2\n" },
		{ "{apiVersion: apps/v1, kind: Deployment}",
		    "warning: kind: Deployment is skipped: only IPUJobs run "
		    "here\n" },
		{ "{apiVersion: v1, kind: ServiceAccount}",
		    "warning: kind: ServiceAccount is skipped: nothing on this "
		    "host needs it\n" },
		{ "{apiVersion: kustomize.config.k8s.io/v1beta1, kind: "
		  "Kustomization}",
		    "error: kind: Kustomization: make a manifest of it with "
		    "kubectl kustomize\n" },
		{ "{apiVersion: serving.knative.dev/v1, kind: Service}",
		    "warning: kind: Service is skipped: only IPUJobs run "
		    "here\n" },
		{ "{apiVersion: v1, kind: Service, metadata: {name: a.b}}",
		    "error: metadata.name: 'a.b': must consist of lower case "
		    "letters, digits and '-', with a letter or a digit at both "
		    "ends (did you mean a-b?)\n" },
		{ "{apiVersion: v1, kind: ConfigMap, metadata: {name: a.b}}",
		    "" },
		/* a page's text that is still YAML */
		{ "apiVersion: graphcore.ai/v1alpha1\nkind: "
		  "IPUJob\nmetadata:\nname: a\nspec:\njobInstances: "
		  "1\nworkers:\ntemplate:\n"
		  "containers:\n- name: a\n",
		    "error: its fields have lost their indentation, perhaps "
		    "when copied from a page: indent the fields of metadata: "
		    "and spec: by two spaces\n" },
		{ HEAD "metadata: {name: a}, workers: {}}",
		    "error: workers: unknown field; it belongs to spec\n" },
	};

	lint_util_check("kind", vectors, ARRAY_SIZE(vectors));
}

/* A job whose metadata is this. */
#define META(meta) \
	HEAD "metadata: {" meta "}, spec: {jobInstances: 1, " \
	     "ipusPerJobInstance: \"1\", workers: {template: " \
	     "{spec: {containers: [{name: a, image: i, command: " \
	     "[x]}]}}}}}\n"
#define TOO_LONG \
	"; programs of a job with a longer name fail to attach to its IPUs"

static void
test_names(void)
{
	static const struct lint_vector vectors[] = {
		{ META(""),
		    "error: metadata: needs a name or a generateName\n" },
		{ META("name: a, generateName: b-"),
		    "note: metadata.generateName: has no effect, because name "
		    "is set\n" },
		{ META("generateName: bert-training-multi-ipu-"), "" },
		{ META("generateName: bert-training-with-many-ipus-and-more-"),
		    "error: metadata.generateName: "
		    "'bert-training-with-many-ipus-and-more-': has 38 "
		    "characters and gets 5 more, but at most 36 are "
		    "allowed" TOO_LONG "\n" },
		{ META("name: a-name-of-forty-characters-0123456789abc"),
		    "error: metadata.name: "
		    "'a-name-of-forty-characters-0123456789abc': has 40 "
		    "characters, but at most 36 are allowed" TOO_LONG "\n" },
		{ META("name: Bert_1"),
		    "error: metadata.name: 'Bert_1': must consist of lower "
		    "case letters, digits, '-' and '.', with a letter or a "
		    "digit at both ends of each part (did you mean "
		    "bert-1?)\n" },
		{ META("name: \"{{ .Release.Name }}-x\""),
		    "error: metadata.name: '{{ .Release.Name }}-x': must "
		    "consist of lower case letters, digits, '-' and '.', with "
		    "a letter or a digit at both ends of each part; it is a "
		    "template: fill it in with helm template\n" },
		/* the partition's name is p-JOB-NAMESPACE-0 */
		{ META("name: a, namespace: "
		       "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-"
		       "012"),
		    "" },
		{ META("name: a-name-of-36-characters-0123456789ab, namespace: "
		       "abcdefghijklmnopqrstuvwxyz"),
		    "error: metadata.name: the name of its partition, "
		    "p-a-name-of-36-characters-0123456789ab-"
		    "abcdefghijklmnopqrstuvwxyz-0, would have 67 characters, "
		    "but at most 63 are allowed\n" },
		{ META("generateName: a-name-of-31-characters-012345-, "
		       "namespace: abcdefghijklmnopqrstuvwxyz"),
		    "error: metadata.generateName: the name of its partition, "
		    "p-a-name-of-31-characters-012345-bbbbb-"
		    "abcdefghijklmnopqrstuvwxyz-0, would have 67 characters, "
		    "but at most 63 are allowed\n" },
		{ META("name: a, namespace: Lab"),
		    "error: metadata.namespace: 'Lab': must consist of lower "
		    "case letters, digits and '-', with a letter or a digit at "
		    "both ends (did you mean lab?)\n" },
		/* labels */
		{ META("name: a, labels: {a/b: c, example.com/x_y.z: \"\", a: "
		       "B-1_2.c}, annotations: {x/y: \"any # text\"}"),
		    "" },
		{ META("name: a, labels: {\"a b\": c, /a: b, a/: b, A/b: c}"),
		    "error: metadata.labels[a b]: the key must be at most 63 "
		    "letters, digits, '-', '_' and '.', optionally after a "
		    "domain and '/'\n"
		    "error: metadata.labels[/a]: the key must be at most 63 "
		    "letters, digits, '-', '_' and '.', optionally after a "
		    "domain and '/'\n"
		    "error: metadata.labels[a/]: the key must be at most 63 "
		    "letters, digits, '-', '_' and '.', optionally after a "
		    "domain and '/'\n"
		    "error: metadata.labels[A/b]: the key must be at most 63 "
		    "letters, digits, '-', '_' and '.', optionally after a "
		    "domain and '/'\n" },
		{ META("name: a, labels: {a: \"b c\", b: -x}"),
		    "error: metadata.labels[a]: 'b c': must be at most 63 "
		    "letters, digits, '-', '_' and '.'\n"
		    "error: metadata.labels[b]: '-x': must be at most 63 "
		    "letters, digits, '-', '_' and '.'\n" },
		/* the same twice */
		{ META("name: a") "---\n" META("name: a") "---\n" META(
		      "name: b"),
		    "error: metadata.name: IPUJob a is already defined in f, "
		    "line 1\n" },
		{ META("name: a, namespace: x") "---\n" META(
		      "name: a, namespace: z"),
		    "" },
	};

	lint_util_check("name", vectors, ARRAY_SIZE(vectors));
}

static const struct lint_vector job_vectors[] = {
	{ JOB("3", ""),
	    "error: spec.ipusPerJobInstance: must be a power of two from 1 to "
	    "64, not '3' (2 and 4 are the nearest)\n" },
	{ JOB("${N}", ""),
	    "error: spec.ipusPerJobInstance: must be a power of two from 1 to "
	    "64, not '${N}'; ipubox does not replace variables: use envsubst "
	    "first\n" },
	{ HEAD "metadata: {name: a}, spec: {jobInstances: 0, "
	       "ipusPerJobInstance: \"1\", workers: {template: " RUNNING "}}}",
	    "error: spec.jobInstances: must be 1 or more, not 0\n" },
	{ HEAD "metadata: {name: a}, spec: {jobInstances: 1001, "
	       "ipusPerJobInstance: \"1\", workers: {template: " RUNNING "}}}",
	    "local error: spec.jobInstances: must be at most 1000 here, not "
	    "1001\n" },
	{ SPEC("1") "workers: {}}}",
	    "error: spec.workers: template: missing, so there is nothing to "
	    "run\n" },
	{ SPEC("1") "workers: {containers: [{name: a, image: i}]}}}",
	    "error: spec.workers.containers: unknown field; it belongs to "
	    "spec.workers.template.spec\n" },
	{ SPEC("1") "workers: {template: null}}}",
	    "error: spec.workers: template: missing, so there is nothing to "
	    "run\n" },
	{ SPEC("1") "workers: {template: {}}}}",
	    "error: spec.workers.template: spec: missing, so there is nothing "
	    "to run\n" },
	{ SPEC("1") "workers: {replicas: 0, template: " RUNNING "}}}",
	    "error: spec.workers.replicas: must be 1 or more, not 0\n" },
	{ JOB("1", "interactive: {ttl: 0}, "),
	    "error: spec.interactive.ttl: must be 1 or more, not 0\n" },
	{ JOB("1", "interactive: {ttl: 3600}, "), "" },
	/* shares */
	{ JOB("1", "modelReplicasPerWorker: \"1\", "), "" },
	{ JOB("1", "modelReplicasPerWorker: two, "),
	    "error: spec.modelReplicasPerWorker: must be a number from 1 to "
	    "1000, not 'two'\n" },
	{ JOB("4", "modelReplicasPerWorker: \"3\", "),
	    "error: spec.modelReplicasPerWorker: 1 worker with 3 replicas: 3 "
	    "replicas cannot share 4 IPUs evenly\n" MEMORY_NOTE },
	{ JOB("2", "modelReplicasPerWorker: \"4\", "),
	    "error: spec.modelReplicasPerWorker: 1 worker with 4 replicas: 4 "
	    "replicas cannot share 2 IPUs evenly\n" MEMORY_NOTE },
	{ JOB("1",
	      "launcher: {command: [poprun, --allow-run-as-root=1, "
	      "--mpi-global-args, btl_tcp_if_include x, z]}, "
	      "workersPerJobInstance: \"2\", "),
	    "warning: spec.ipusPerJobInstance: 2 workers cannot share 1 IPU "
	    "evenly: each sees all IPUs\n"
	    "warning: " PS ".containers[0].command: is not run: workers wait "
	    "for the command of spec.launcher\n" },
	{ JOB("4", "workersPerJobInstance: \"3\", "),
	    "warning: spec.ipusPerJobInstance: 3 workers cannot share 4 IPUs "
	    "evenly: each sees all IPUs\nwarning: spec.workers: 3 workers "
	    "without spec.launcher: each runs the command on its "
	    "own\n" MEMORY_NOTE },
	/* workers and the launcher */
	{ JOB("2", "workersPerJobInstance: \"2\", "),
	    "warning: spec.workers: 2 workers without spec.launcher: each runs "
	    "the command on its own\n" MEMORY_NOTE },
	{ SPEC("1") "workersPerJobInstance: \"1\", workers: {replicas: 2, "
		    "template: " RUNNING "}}}",
	    "warning: spec.workersPerJobInstance: overrides workers.replicas, "
	    "which is 2\n" },
	{ SPEC("1") "launcher: {command: []}, workers: {template: " WAITING
		    "}}}",
	    "warning: spec.launcher: not needed for one worker, which can run "
	    "the command itself\n"
	    "error: spec.launcher.command: must not be empty\n" },
	{ JOB("1", "launcher: {command: [x]}, interactive: {ttl: 9}, "),
	    "warning: spec.launcher: not needed for one worker, which can run "
	    "the command itself\n"
	    "warning: spec.launcher: is not run: an interactive job waits for "
	    "commands\n"
	    "warning: " PS ".containers[0].command: is not run: workers wait "
	    "for the command of spec.launcher\n" },
	{ SPEC("1") "launcher: {command: [x], env: [{name: 1a, value: b}]}, "
		    "workers: {template: " WAITING "}}}",
	    "warning: spec.launcher: not needed for one worker, which can run "
	    "the command itself\n"
	    "error: spec.launcher.env[0].name: '1a': must consist of letters, "
	    "digits, '_', '-' and '.', and must not begin with a digit\n" },
	/* restarts */
	{ JOB("1", "restartPolicy: {type: ExitCode, exitCodes: \"1-3\"}, "),
	    "" },
	{ JOB("1", "restartPolicy: {type: ExitCode, exitCodes: \"1;2\"}, "),
	    "error: spec.restartPolicy.exitCodes: must be numbers and ranges "
	    "separated by commas, such as 1-127,130, not '1;2'\n" },
	{ JOB("1", "restartPolicy: {type: OnFailure, exitCodes: \"1\"}, "),
	    "error: spec.restartPolicy.exitCodes: allowed only with type "
	    "ExitCode\n" },
	{ JOB("1", "restartPolicy: {type: Never, backOffLimit: -1}, "),
	    "error: spec.restartPolicy.backOffLimit: must be 0 or more, not "
	    "-1\n" },
	{ POD "restartPolicy: Always, containers: [{name: a, image: i, "
	      "command: [x]}]" END_POD,
	    "warning: " PS ".restartPolicy: Always has no effect: the job's "
	    "spec.restartPolicy is Never by default\n" },
	{ SPEC("1") "restartPolicy: {type: OnFailure}, workers: {template: "
		    "{spec: {restartPolicy: Never, containers: [{name: a, "
		    "image: i, command: [x]}]" END_POD,
	    "warning: " PS ".restartPolicy: Never has no effect: the job's "
	    "spec.restartPolicy is OnFailure\n" },
	{ SPEC("1") "restartPolicy: {type: ExitCode}, workers: {template: "
		    "{spec: {restartPolicy: Never, containers: [{name: a, "
		    "image: i, command: [x]}]" END_POD,
	    "" },
	/* the operator's preview */
	{ JOB("1", "modelReplicas: \"1\", ipusPerModelReplica: \"1\", "),
	    "error: spec.modelReplicas: unknown field (did you mean "
	    "modelReplicasPerWorker?)\n"
	    "note: spec.modelReplicas: a field of the operator's preview; use "
	    "modelReplicasPerWorker instead\n"
	    "error: spec.ipusPerModelReplica: unknown field\n"
	    "note: spec.ipusPerModelReplica: a field of the operator's "
	    "preview; use ipusPerJobInstance, the IPUs of all replicas, "
	    "instead\n" },
};

static void
test_jobs(void)
{
	lint_util_check("job", job_vectors, ARRAY_SIZE(job_vectors));
}

/* What is checked has its defaults then. */
static void
test_object(void)
{
	static const char good[] = CONTAINER "command: [x]" END;
	struct remarks r = { .items = NULL };
	struct manifest m;

	manifest_init(&m);
	is_int(manifest_parse(&m, "f", good, strlen(good), NULL), 0,
	    "an object");
	lint_manifest(&m, &r);
	is_int((long long)r.found[REMARK_ERROR], 0, "is good");
	is_str(yaml_get_text(m.objects[0].node, "spec/cleanPodPolicy"), "None",
	    "it has its defaults");
	remarks_release(&r);
	manifest_release(&m);
}

/* A list that is longer than any rule looks at. */
static void
test_long_list(void)
{
	struct memstream s;
	struct lint_vector vector = {
		.wanted = "local error: has 1001 items, but at most 1000 are "
			  "allowed\n"
	};
	char *text;
	int i;

	memstream_open(&s);
	fputs(CONTAINER "command: [x], env: [", s.file);
	for (i = 0; i <= 1000; i++)
		fprintf(s.file, "{name: A%d}, ", i);
	fputs("]" END, s.file);
	text = memstream_close(&s, NULL);
	vector.text = text;
	lint_util_check("a long list", &vector, 1);
	free(text);
}

static void
test_kind_finding(void)
{
	static const struct {
		const char *text;
		enum lint_kind kind;
	} vectors[] = {
		{ "kind: ServiceAccount\n", LINT_KIND_NEEDLESS },
		{ "kind: Role\napiVersion: rbac.authorization.k8s.io/v1\n",
		    LINT_KIND_NEEDLESS },
		{ "kind: Deployment\napiVersion: apps/v1\n",
		    LINT_KIND_ELSEWHERE },
		{ "kind: Workflow\napiVersion: argoproj.io/v1alpha1\n",
		    LINT_KIND_ELSEWHERE },
		{ "kind: Pod\napiVersion: v1\n", LINT_KIND_ELSEWHERE },
		{ "kind: IPUJob\napiVersion: batch/v1\n", LINT_KIND_KNOWN },
		{ "kind: Secret\n", LINT_KIND_KNOWN },
		{ "kind: Deployment\n", LINT_KIND_WRONG },
		{ "kind: IPUjob\napiVersion: graphcore.ai/v1alpha1\n",
		    LINT_KIND_WRONG },
		{ "kind: Sevice\napiVersion: v1\n", LINT_KIND_WRONG },
		{ "kind: Kustomization\napiVersion: "
		  "kustomize.config.k8s.io/v1beta1\n",
		    LINT_KIND_WRONG },
		{ "kind: \"\"\napiVersion: apps/v1\n", LINT_KIND_WRONG },
	};
	struct manifest m;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		manifest_init(&m);
		ok(manifest_parse(&m, "f", vectors[i].text,
		       strlen(vectors[i].text), NULL) == 0 &&
			lint_find_kind(&m.objects[0]) == vectors[i].kind,
		    vectors[i].text);
		manifest_release(&m);
	}
}

int
main(void)
{
	test_kinds();
	test_names();
	test_jobs();
	test_object();
	test_long_list();
	test_kind_finding();
	return tap_done();
}
