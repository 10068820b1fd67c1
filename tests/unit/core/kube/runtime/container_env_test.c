/*
 * container_env, pod_field, pod_data: variables,
 * by each way that gives one a value.
 */
#include "core/base/alloc.h"
#include "tests/unit/container_util.h"
#include "tests/unit/tap.h"

/* The variables are those of k8s.io/kubernetes' own test of expansion. */
static void
test_expansion(void)
{
	static const char before[] =
	    "env: [{name: VAR_A, value: A}, {name: VAR_B, value: B}, {name: "
	    "VAR_REF, value: $$(VAR_A)}, {name: VAR_EMPTY}, {name: 'x.y-z', "
	    "value: C}], ";
	static const struct container_row rows[] = {
		{ "command: ['$(VAR_A)']", "[A]" },
		{ "command: ['$(VAR_A)-$(VAR_A)', '__$(VAR_B)__', "
		  "'$(VAR_A)_$(VAR_B)']",
		    "[A-A][__B__][A_B]" },
		{ "command: ['$$(VAR_A)', 'f-$$VAR_A', '$$(VAR_B)_$(VAR_A)']",
		    "[$(VAR_A)][f-$VAR_A][$(VAR_B)_A]" },
		{ "command: ['\\$(VAR_A)', '${VAR_A}', '$VAR_A)', '$?_$!', "
		  "'(VAR_A)']",
		    "[\\A][${VAR_A}][$VAR_A)][$?_$!][(VAR_A)]" },
		{ "command: ['$(VAR_A$(VAR_B))', '$(VAR_A$(VAR_B)']",
		    "[$(VAR_A$(VAR_B))][$(VAR_A$(VAR_B)]" },
		/* A value is not looked into again. */
		{ "command: ['$(VAR_REF)']", "[$(VAR_A)]" },
		{ "command: ['a$(VAR_EMPTY)b', '$(x.y-z)']", "[ab][C]" },
		{ "command: ['$(NONE)', '$()', '$(VAR_A=A)', '$( VAR_A)']",
		    "[$(NONE)][$()][$(VAR_A=A)][$( VAR_A)]" },
		{ "command: ['a$(VAR_Ab', '$(VAR_B)_$(', 'a$', '$']",
		    "[a$(VAR_Ab][B_$(][a$][$]" },
		{ "command: ['$$$$$$(VAR_A)', '$$$$$$$(VAR_A)', "
		  "'$$$$$$$(NONE)']",
		    "[$$$(VAR_A)][$$$A][$$$$(NONE)]" },
		{ "command: ['--$($($(--', '$(foo$$var)', '$é']",
		    "[--$($($(--][$(foo$$var)][$é]" },
		{ "command: [x], args: ['$(VAR_B)', '$(IPUS)', '$(PATH)']",
		    "[x][B][4][/bin]" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), before,
	    container_show_command);
}

static void
test_values(void)
{
	static const struct container_row rows[] = {
		{ "env: []", "" },
		{ "env: null", "" },
		{ "env: [{name: A, value: x y}, {name: B}, {name: C, value: "
		  "''}]",
		    "[A=x y][B=][C=]" },
		{ "env: [{name: A, value: 8}, {name: B, value: yes}]",
		    "[A=8][B=yes]" },
		{ "env: [{name: A, value: '$(B)'}, {name: B, value: '1'}, "
		  "{name: C, value: '$(B)$(A)$$(B)'}]",
		    "[A=$(B)][B=1][C=1$(B)$(B)]" },
		/* The last one counts, and sees the one before. */
		{ "env: [{name: A, value: '1'}, {name: B, value: '2'}, {name: "
		  "A, value: '$(A)3'}]",
		    "[A=13][B=2]" },
		{ "env: [{name: PATH, value: '/opt/bin:$(PATH)'}, {name: IPUS, "
		  "value: '16'}]",
		    "[PATH=/opt/bin:/bin][IPUS=16]" },
		{ "env: [{name: a.b-c_1, value: x}]", "[a.b-c_1=x]" },
		{ "env: [{value: x}]",
		    INVALID "containers[0].env[0]: name is missing" },
		{ "env: [{name: A}, {name: '9A', value: " SECRET "}]",
		    INVALID "containers[0].env[1] 9A: cannot be the name of a "
			    "variable; use letters, digits, '_', '-' and '.', "
			    "and do not begin with a digit" },
		{ "env: [{name: 'A=B'}]",
		    INVALID "containers[0].env[0] A=B: cannot be the name of a "
			    "variable; use letters, digits, '_', '-' and '.', "
			    "and do not begin with a digit" },
		{ "env: [{name: ''}]",
		    INVALID "containers[0].env[0] : cannot be the name of a "
			    "variable; use letters, digits, '_', '-' and '.', "
			    "and do not begin with a digit" },
		{ "env: [{name: ..A}]",
		    INVALID "containers[0].env[0] ..A: cannot be the name of a "
			    "variable; use letters, digits, '_', '-' and '.', "
			    "and do not begin with a digit" },
		{ "env: [{name: A, value: x, valueFrom: {fieldRef: {fieldPath: "
		  "metadata.name}}}]",
		    INVALID "containers[0].env[0] A: has a value and a "
			    "valueFrom: leave one out" },
		{ "env: [{name: A, valueFrom: {}}]",
		    INVALID "containers[0].env[0] A: valueFrom must have one "
			    "of fieldRef, resourceFieldRef, configMapKeyRef "
			    "and secretKeyRef" },
		{ "env: [{name: A, valueFrom: {fieldRef: {}, secretKeyRef: "
		  "{}}}]",
		    INVALID "containers[0].env[0] A: valueFrom must have one "
			    "of fieldRef, resourceFieldRef, configMapKeyRef "
			    "and secretKeyRef" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "command: [a], ",
	    container_show_environment);
}

#define FIELD(path) \
	"env: [{name: A, valueFrom: {fieldRef: {fieldPath: \"" path "\"}}}]"

static void
test_fields(void)
{
	static const struct container_row rows[] = {
		{ FIELD("metadata.name"), "[A=bert-worker-0]" },
		{ FIELD("metadata.namespace"), "[A=research]" },
		{ FIELD("metadata.uid"), "[A=12-34]" },
		{ FIELD("metadata.labels['tier']"), "[A=gold]" },
		{ FIELD("metadata.labels['graphcore.ai/job-name']"),
		    "[A=bert]" },
		{ FIELD("metadata.labels['none']"), "[A=]" },
		{ FIELD("metadata.labels['']"), "[A=]" },
		{ FIELD("metadata.annotations['note']"),
		    "[A=a\tb\\\n\x01é\x7f ]" },
		{ FIELD("spec.nodeName"), "[A=node1]" },
		{ FIELD("spec.serviceAccountName"), "[A=default]" },
		{ FIELD("status.hostIP"), "[A=10.1.3.101]" },
		{ FIELD("status.podIP"), "[A=10.1.3.101]" },
		{ FIELD("status.podIPs"), "[A=10.1.3.101]" },
		{ "env: [{name: A, valueFrom: {fieldRef: {apiVersion: v1, "
		  "fieldPath: metadata.uid}}}]",
		    "[A=12-34]" },
		{ "env: [{name: A, valueFrom: {fieldRef: {apiVersion: '', "
		  "fieldPath: metadata.uid}}}]",
		    "[A=12-34]" },
		{ "env: [{name: A, valueFrom: {fieldRef: {apiVersion: v2, "
		  "fieldPath: metadata.uid}}}]",
		    INVALID "containers[0].env[0] A: fieldRef: apiVersion v2: "
			    "must be v1" },
		{ "env: [{name: A, valueFrom: {fieldRef: {}}}]",
		    INVALID
		    "containers[0].env[0] A: fieldRef: fieldPath is missing" },
		{ FIELD("metadata.labels"),
		    INVALID "containers[0].env[0] A: fieldRef: metadata.labels "
			    "is for the files of a downwardAPI volume; use "
			    "metadata.labels['KEY'] for a variable" },
		{ FIELD("metadata.nmae"),
		    INVALID "containers[0].env[0] A: fieldRef: metadata.nmae "
			    "is not a field that a variable can have (did you "
			    "mean metadata.name?)" },
		{ FIELD("metadata.name['x']"),
		    INVALID
		    "containers[0].env[0] A: fieldRef: metadata.name['x'] is "
		    "not a field that a variable can have" },
		{ FIELD("metadata.labels['tier'"),
		    INVALID
		    "containers[0].env[0] A: fieldRef: metadata.labels['tier' "
		    "is not a field that a variable can have" },
		{ FIELD("metadata.labels[']"),
		    INVALID
		    "containers[0].env[0] A: fieldRef: metadata.labels['] is "
		    "not a field that a variable can have" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "command: [a], ",
	    container_show_environment);
}

#define RESOURCE(what) \
	"env: [{name: A, valueFrom: {resourceFieldRef: {" what "}}}]"
#define LIMITS \
	"resources: {limits: {cpu: 2500m, memory: 1.5Gi}, requests: " \
	"{cpu: '1', ephemeral-storage: 3G}}, "

static void
test_resources(void)
{
	static const struct container_row rows[] = {
		{ RESOURCE("resource: limits.cpu"), "[A=8]" },
		{ RESOURCE("resource: limits.cpu, divisor: 1m"), "[A=8000]" },
		{ RESOURCE("resource: limits.memory"), "[A=68719476736]" },
		{ RESOURCE("resource: limits.memory, divisor: 1Gi"), "[A=64]" },
		{ RESOURCE("resource: limits.ephemeral-storage, divisor: 1Ti"),
		    "[A=1]" },
		{ RESOURCE("resource: limits.hugepages-2Mi"), "[A=0]" },
		{ RESOURCE("resource: requests.cpu"), "[A=0]" },
		{ LIMITS RESOURCE("resource: limits.cpu"), "[A=3]" },
		{ LIMITS RESOURCE("resource: limits.cpu, divisor: 1m"),
		    "[A=2500]" },
		{ LIMITS RESOURCE("resource: limits.cpu, divisor: '0'"),
		    "[A=3]" },
		{ LIMITS RESOURCE("resource: requests.cpu"), "[A=1]" },
		{ LIMITS RESOURCE("resource: limits.memory, divisor: 1Mi"),
		    "[A=1536]" },
		{ LIMITS RESOURCE("resource: limits.memory, divisor: 1Gi"),
		    "[A=2]" },
		{ LIMITS RESOURCE("resource: requests.memory, divisor: 1Mi"),
		    "[A=1536]" },
		{ LIMITS RESOURCE(
		      "resource: requests.ephemeral-storage, divisor: 1M"),
		    "[A=3000]" },
		{ "resources: {limits: {cpu: 0}}, " RESOURCE(
		      "resource: limits.cpu"),
		    "[A=8]" },
		{ "name: own, resources: {limits: {cpu: 3}}, " RESOURCE(
		      "resource: limits.cpu, containerName: own"),
		    "[A=3]" },
		{ RESOURCE("resource: limits.cpu, containerName: other"),
		    INVALID
		    "containers[0].env[0] A: resourceFieldRef: containerName "
		    "other: the pod has no such container" },
		{ RESOURCE("resource: limits.gpu"),
		    INVALID
		    "containers[0].env[0] A: resourceFieldRef: resource "
		    "limits.gpu: must be limits or requests of cpu, memory, "
		    "ephemeral-storage or hugepages-SIZE, such as limits.cpu" },
		{ RESOURCE("divisor: 1"),
		    INVALID
		    "containers[0].env[0] A: resourceFieldRef: resource is "
		    "missing: must be limits or requests of cpu, memory, "
		    "ephemeral-storage or hugepages-SIZE, such as limits.cpu" },
		{ RESOURCE("resource: limits.cpu, divisor: 1x"),
		    INVALID
		    "containers[0].env[0] A: resourceFieldRef: divisor: '1x' "
		    "is not a quantity, such as 200Gi, 32 or 500m" },
		{ "resources: {limits: {memory: 4gb}}, " RESOURCE(
		      "resource: limits.memory"),
		    INVALID
		    "containers[0].env[0] A: resources.limits: '4gb' is not a "
		    "quantity, such as 200Gi, 32 or 500m (did you mean 4G?)" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "command: [a], ",
	    container_show_environment);
}

#define KEY(kind, what) \
	"env: [{name: A, valueFrom: {" kind "KeyRef: {" what "}}}]"

static void
test_keys(void)
{
	static const struct container_row rows[] = {
		{ KEY("configMap", "name: conf, key: LR"), "[A=0.1]" },
		{ KEY("configMap", "name: conf, key: app.conf"),
		    "[A=a = 1\n]" },
		{ KEY("configMap", "name: conf, key: empty"), "[A=]" },
		{ KEY("configMap", "name: dots, key: list"), "[A=]" },
		{ KEY("configMap", "name: dots, key: map"), "[A=]" },
		{ KEY("secret", "name: hf, key: token"), "[A=" SECRET "]" },
		{ KEY("secret", "name: hf, key: key"), "[A=" SECRET "]" },
		{ KEY("secret", "name: hf, key: both"),
		    "[A=plain-" SECRET "]" },
		{ KEY("secret", "name: hf, key: none, optional: true"), "" },
		{ KEY("secret", "name: none, key: x, optional: true"), "" },
		{ "env: [{name: A, value: x}, {name: A, valueFrom: "
		  "{secretKeyRef: {name: hf, key: none, optional: true}}}]",
		    "[A=x]" },
		{ KEY("secret", "name: hf, key: tokn"),
		    NOT_FOUND "containers[0].env[0] A: secret hf has no key "
			      "tokn (did you mean token?)" },
		{ KEY("configMap", "name: conf, key: none, optional: false"),
		    NOT_FOUND
		    "containers[0].env[0] A: configmap conf has no key none" },
		{ KEY("configMap", "name: nothing, key: a"),
		    NOT_FOUND
		    "containers[0].env[0] A: configmap nothing has no key a" },
		{ KEY("secret", "name: conf, key: LR"),
		    NOT_FOUND "containers[0].env[0] A: secret conf not found" },
		{ KEY("configMap", "name: broken, key: a, optional: true"),
		    DAMAGED "containers[0].env[0] A: configmap broken: cannot "
			    "be read" },
		{ KEY("configMap", "key: a"),
		    INVALID "containers[0].env[0] A: name is missing; name the "
			    "configmap" },
		{ KEY("secret", "name: hf"),
		    INVALID "containers[0].env[0] A: key is missing; name a "
			    "key of the object" },
		{ KEY("configMap", "name: conf, key: logo"),
		    INVALID "containers[0].env[0] A: configmap conf: key logo "
			    "is binaryData, which is only for files" },
		{ KEY("secret", "name: hf, key: raw"),
		    INVALID "containers[0].env[0] A: secret hf: key raw "
			    "contains a zero byte, which a variable cannot "
			    "hold; mount it as a volume" },
		{ KEY("secret", "name: odd, key: bad"),
		    INVALID "containers[0].env[0] A: secret odd: key bad is "
			    "not base64; put plain text into stringData" },
		{ KEY("secret", "name: odd, key: bad, optional: true"),
		    INVALID "containers[0].env[0] A: secret odd: key bad is "
			    "not base64; put plain text into stringData" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "command: [a], ",
	    container_show_environment);
}

static void
test_env_from(void)
{
	static const struct container_row rows[] = {
		{ "envFrom: [{configMapRef: {name: conf}}]",
		    "[LR=0.1][app.conf=a = 1\n][empty=]" },
		{ "envFrom: [{prefix: C_, configMapRef: {name: conf}}]",
		    "[C_LR=0.1][C_app.conf=a = 1\n][C_9lives=cat][C_empty=]" },
		{ "envFrom: [{configMapRef: {name: none, optional: true}}, "
		  "{configMapRef: {name: nothing}}]",
		    "" },
		/* The later source counts, and env above both. */
		{ "envFrom: [{prefix: L, configMapRef: {name: slashes}}, "
		  "{configMapRef: {name: conf}}], env: [{name: LR, value: "
		  "'$(LR)5'}]",
		    "[LR=0.15][app.conf=a = 1\n][empty=]" },
		{ "envFrom: [{secretRef: {name: hf}}]",
		    INVALID "containers[0].envFrom[0]: secret hf: key raw "
			    "contains a zero byte, which a variable cannot "
			    "hold; mount it as a volume" },
		{ "envFrom: [{secretRef: {name: odd}}]",
		    INVALID "containers[0].envFrom[0]: secret odd: key bad is "
			    "not base64; put plain text into stringData" },
		{ "envFrom: [{secretRef: {name: none}}]",
		    NOT_FOUND
		    "containers[0].envFrom[0]: secret none not found" },
		{ "envFrom: [{configMapRef: {name: conf}}, {prefix: A}]",
		    INVALID "containers[0].envFrom[1]: must have one of "
			    "configMapRef and secretRef" },
		{ "envFrom: [{secretRef: {optional: true}}]",
		    INVALID "containers[0].envFrom[0]: name is missing; name "
			    "the secret" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "command: [a], ",
	    container_show_environment);
}

/* An object for each test of how many keys it may have. */
static struct yaml_node *
find_large(void *context, enum pod_reference reference, const char *name,
    struct error *e)
{
	(void)reference;
	(void)name;
	(void)e;
	return context;
}

static void
check_keys(int count, const char *wanted)
{
	struct container_row row = { KEY("configMap", "name: m, key: k0"),
		wanted };
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *object = yaml_new_map(arena), *data;
	struct pod_host h = container_host();
	char key[16];
	int i;

	data = yaml_set(arena, object, "data", yaml_new_map(arena));
	for (i = 0; i < count; i++) {
		(void)snprintf(key, sizeof(key), "k%d", i);
		yaml_set_text(arena, data, key, "v");
	}
	h.find = find_large;
	h.context = object;
	container_check(&row, "command: [a], ", container_show_environment, &h);
	yaml_arena_free(arena);
}

int
main(void)
{
	test_expansion();
	test_values();
	test_fields();
	test_resources();
	test_keys();
	test_env_from();
	check_keys(4096, "[A=v]");
	check_keys(4097,
	    INVALID
	    "containers[0].env[0] A: configmap m has more than 4096 keys");
	return tap_done();
}
