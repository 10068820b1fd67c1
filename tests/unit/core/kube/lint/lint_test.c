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
		    "error: apiVersion: missing; it is graphcore.ai/v1alpha1\n"
		    "error: metadata: needs a name or a generateName\n" },
		{ "{apiVersion: v1}",
		    "error: kind: missing; a job has kind: IPUJob\n" },
		{ "{apiVersion: graphcore.ai/v1alpha1, kind: IPUjob}",
		    "error: kind: 'IPUjob' is not known here (IPUJob, "
		    "ConfigMap, Secret, PersistentVolumeClaim, Service and "
		    "Namespace are; did you mean IPUJob?)\n" },
		{ "{apiVersion: graphcore.ai/v1alpha, kind: IPUJob, metadata: "
		  "{name: a}}",
		    "error: apiVersion: must be graphcore.ai/v1alpha1, not "
		    "graphcore.ai/v1alpha\n" },
		{ "{apiVersion: v2, kind: Secret, metadata: {name: a}}",
		    "error: apiVersion: must be v1, not v2\n" },
		{ "{apiVersion: apps/v1, kind: Deployment}",
		    "warning: kind: Deployment is left out: only an IPUJob is "
		    "run here\n" },
		{ "{apiVersion: v1, kind: ServiceAccount}",
		    "warning: kind: ServiceAccount is left out: nothing on "
		    "this host needs one\n" },
		{ "{apiVersion: kustomize.config.k8s.io/v1beta1, kind: "
		  "Kustomization}",
		    "error: kind: Kustomization: let kubectl kustomize make "
		    "the manifest of it\n" },
		{ "{apiVersion: serving.knative.dev/v1, kind: Service}",
		    "warning: kind: Service is left out: only an IPUJob is run "
		    "here\n" },
		{ "{apiVersion: v1, kind: Service, metadata: {name: a.b}}",
		    "error: metadata.name: 'a.b': must be lower case letters, "
		    "digits and '-', with a letter or a digit at both ends "
		    "(did you mean a-b?)\n" },
		{ "{apiVersion: v1, kind: ConfigMap, metadata: {name: a.b}}",
		    "" },
		/* a page's text that is still YAML */
		{ "apiVersion: graphcore.ai/v1alpha1\nkind: "
		  "IPUJob\nmetadata:\nname: a\nspec:\njobInstances: "
		  "1\nworkers:\ntemplate:\n"
		  "containers:\n- name: a\n",
		    "error: its fields have lost their indentation, as copied "
		    "from a page: what belongs to metadata: or spec: stands "
		    "below it, two spaces further to the right\n" },
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
	"; the programs of a job with a longer name fail to " \
	"attach to its IPUs"

static void
test_names(void)
{
	static const struct lint_vector vectors[] = {
		{ META(""),
		    "error: metadata: needs a name or a generateName\n" },
		{ META("name: a, generateName: b-"),
		    "note: metadata.generateName: does not count: there is a "
		    "name\n" },
		{ META("generateName: bert-training-multi-ipu-"), "" },
		{ META("generateName: bert-training-with-many-ipus-and-more-"),
		    "error: metadata.generateName: "
		    "'bert-training-with-many-ipus-and-more-': has 38 "
		    "characters, and with the 5 that are added over 36" TOO_LONG
		    "\n" },
		{ META("name: a-name-of-forty-characters-0123456789abc"),
		    "error: metadata.name: "
		    "'a-name-of-forty-characters-0123456789abc': has 40 "
		    "characters, over 36" TOO_LONG "\n" },
		{ META("name: Bert_1"),
		    "error: metadata.name: 'Bert_1': must be lower case "
		    "letters, digits, '-' and '.', with a letter or a digit at "
		    "both ends of each part (did you mean bert-1?)\n" },
		{ META("name: \"{{ .Release.Name }}-x\""),
		    "error: metadata.name: '{{ .Release.Name }}-x': must be "
		    "lower case letters, digits, '-' and '.', with a letter or "
		    "a digit at both ends of each part; it is a template, "
		    "which Helm fills in (helm template)\n" },
		/* the partition's name is p-JOB-NAMESPACE-0 */
		{ META("name: a, namespace: "
		       "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-"
		       "012"),
		    "" },
		{ META("name: a-name-of-36-characters-0123456789ab, namespace: "
		       "abcdefghijklmnopqrstuvwxyz"),
		    "error: metadata.name: its partition "
		    "p-a-name-of-36-characters-0123456789ab-"
		    "abcdefghijklmnopqrstuvwxyz-0 would have a name of 67 "
		    "characters, over 63\n" },
		{ META("generateName: a-name-of-31-characters-012345-, "
		       "namespace: abcdefghijklmnopqrstuvwxyz"),
		    "error: metadata.generateName: its partition "
		    "p-a-name-of-31-characters-012345-bbbbb-"
		    "abcdefghijklmnopqrstuvwxyz-0 would have a name of 67 "
		    "characters, over 63\n" },
		{ META("name: a, namespace: Lab"),
		    "error: metadata.namespace: 'Lab': must be lower case "
		    "letters, digits and '-', with a letter or a digit at both "
		    "ends (did you mean lab?)\n" },
		/* labels */
		{ META("name: a, labels: {a/b: c, example.com/x_y.z: \"\", a: "
		       "B-1_2.c}, annotations: {x/y: \"any # text\"}"),
		    "" },
		{ META("name: a, labels: {\"a b\": c, /a: b, a/: b, A/b: c}"),
		    "error: metadata.labels[a b]: the key must be letters, "
		    "digits, '-', '_' and '.', at most 63 of them, and may "
		    "have a domain and '/' before them\n"
		    "error: metadata.labels[/a]: the key must be letters, "
		    "digits, '-', '_' and '.', at most 63 of them, and may "
		    "have a domain and '/' before them\n"
		    "error: metadata.labels[a/]: the key must be letters, "
		    "digits, '-', '_' and '.', at most 63 of them, and may "
		    "have a domain and '/' before them\n"
		    "error: metadata.labels[A/b]: the key must be letters, "
		    "digits, '-', '_' and '.', at most 63 of them, and may "
		    "have a domain and '/' before them\n" },
		{ META("name: a, labels: {a: \"b c\", b: -x}"),
		    "error: metadata.labels[a]: 'b c': must be letters, "
		    "digits, '-', '_' and '.', at most 63 of them\n"
		    "error: metadata.labels[b]: '-x': must be letters, digits, "
		    "'-', '_' and '.', at most 63 of them\n" },
		/* the same twice */
		{ META("name: a") "---\n" META("name: a") "---\n" META(
		      "name: b"),
		    "error: metadata.name: the IPUJob a stands in f, line 1, "
		    "already\n" },
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
	    "64, not '${N}'; nothing here puts in variables, as envsubst "
	    "does\n" },
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
	    "error: spec.modelReplicasPerWorker: 1 worker of 3 replicas are 3 "
	    "replicas, which cannot share 4 IPUs evenly\n" MEMORY_NOTE },
	{ JOB("2", "modelReplicasPerWorker: \"4\", "),
	    "error: spec.modelReplicasPerWorker: 1 worker of 4 replicas are 4 "
	    "replicas, which cannot share 2 IPUs evenly\n" MEMORY_NOTE },
	{ JOB("1",
	      "launcher: {command: [poprun, --allow-run-as-root=1, "
	      "--mpi-global-args, btl_tcp_if_include x, z]}, "
	      "workersPerJobInstance: \"2\", "),
	    "warning: spec.ipusPerJobInstance: 2 workers cannot share 1 IPU "
	    "evenly: each sees all of them\n"
	    "warning: " PS ".containers[0].command: is not run: workers wait "
	    "for what spec.launcher runs in them\n" },
	{ JOB("4", "workersPerJobInstance: \"3\", "),
	    "warning: spec.ipusPerJobInstance: 3 workers cannot share 4 IPUs "
	    "evenly: each sees all of them\nwarning: spec.workers: 3 of them, "
	    "and no spec.launcher: each runs the command for "
	    "itself\n" MEMORY_NOTE },
	/* workers and the launcher */
	{ JOB("2", "workersPerJobInstance: \"2\", "),
	    "warning: spec.workers: 2 of them, and no spec.launcher: each runs "
	    "the command for itself\n" MEMORY_NOTE },
	{ SPEC("1") "workersPerJobInstance: \"1\", workers: {replicas: 2, "
		    "template: " RUNNING "}}}",
	    "warning: spec.workersPerJobInstance: counts, and "
	    "workers.replicas, which is 2, does not\n" },
	{ SPEC("1") "launcher: {command: []}, workers: {template: " WAITING
		    "}}}",
	    "warning: spec.launcher: for one worker, which could run the "
	    "command itself\n"
	    "error: spec.launcher.command: must not be empty\n" },
	{ JOB("1", "launcher: {command: [x]}, interactive: {ttl: 9}, "),
	    "warning: spec.launcher: for one worker, which could run the "
	    "command itself\n"
	    "warning: spec.launcher: an interactive job waits for commands: "
	    "this one is not run\n"
	    "warning: " PS ".containers[0].command: is not run: workers wait "
	    "for what spec.launcher runs in them\n" },
	{ SPEC("1") "launcher: {command: [x], env: [{name: 1a, value: b}]}, "
		    "workers: {template: " WAITING "}}}",
	    "warning: spec.launcher: for one worker, which could run the "
	    "command itself\n"
	    "error: spec.launcher.env[0].name: '1a': must be letters, digits, "
	    "'_', '-' and '.', and not begin with a digit\n" },
	/* restarts */
	{ JOB("1", "restartPolicy: {type: ExitCode, exitCodes: \"1-3\"}, "),
	    "" },
	{ JOB("1", "restartPolicy: {type: ExitCode, exitCodes: \"1;2\"}, "),
	    "error: spec.restartPolicy.exitCodes: must be numbers and ranges "
	    "with commas between, as 1-127,130, not '1;2'\n" },
	{ JOB("1", "restartPolicy: {type: OnFailure, exitCodes: \"1\"}, "),
	    "error: spec.restartPolicy.exitCodes: only with type ExitCode\n" },
	{ JOB("1", "restartPolicy: {type: Never, backOffLimit: -1}, "),
	    "error: spec.restartPolicy.backOffLimit: must be 0 or more, not "
	    "-1\n" },
	{ POD "restartPolicy: Always, containers: [{name: a, image: i, "
	      "command: [x]}]" END_POD,
	    "warning: " PS
	    ".restartPolicy: Always does not count: the job's own "
	    "spec.restartPolicy does, which is Never without one\n" },
	{ SPEC("1") "restartPolicy: {type: OnFailure}, workers: {template: "
		    "{spec: {restartPolicy: Never, containers: [{name: a, "
		    "image: i, command: [x]}]" END_POD,
	    "warning: " PS
	    ".restartPolicy: Never does not count: the job's own "
	    "spec.restartPolicy does, which is OnFailure\n" },
	{ SPEC("1") "restartPolicy: {type: ExitCode}, workers: {template: "
		    "{spec: {restartPolicy: Never, containers: [{name: a, "
		    "image: i, command: [x]}]" END_POD,
	    "" },
	/* the operator's preview */
	{ JOB("1", "modelReplicas: \"1\", ipusPerModelReplica: \"1\", "),
	    "error: spec.modelReplicas: unknown field (did you mean "
	    "modelReplicasPerWorker?)\n"
	    "note: spec.modelReplicas: of the operator's preview; since then "
	    "there is modelReplicasPerWorker\n"
	    "error: spec.ipusPerModelReplica: unknown field\n"
	    "note: spec.ipusPerModelReplica: of the operator's preview; since "
	    "then there is ipusPerJobInstance, the IPUs of all replicas\n" },
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
		.wanted = "local error: a list of 1001 items, over 1000\n"
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
