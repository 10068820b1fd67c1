/* schema, schema_check: what is wrong with objects, and looking
   fields up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/schema/schema.h"
#include "tests/unit/tap.h"

/* Below spec.workers.template.spec and in its container. */
#define IN_SPEC "spec: {jobInstances: 1, ipusPerJobInstance: \"4\", "
#define IN_POD IN_SPEC "workers: {template: {spec: {"
#define IN_CONTAINER IN_POD "containers: [{name: a, "
#define END_POD "}}}}\n"
#define END_CONTAINER "}]" END_POD
#define POD "spec.workers.template.spec"

/* The remarks on a text, each as "error: PATH: TEXT\n". */
static char *
check_text(const char *kind, const char *text)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;
	struct remarks r = { .items = NULL };
	struct memstream m;
	struct error e = { .text = "" };
	size_t i;

	memstream_open(&m);
	if (yaml_parse(arena, "f", text, strlen(text), &documents, &e) != 1)
		fprintf(m.file, "not one document: %s\n", e.text);
	else
		schema_check(schema_find(kind), "f", documents[0], &r);
	remarks_sort(&r);
	for (i = 0; i < r.count; i++)
		fprintf(m.file, "%s: %s%s%s\n",
		    remarks_level_name(r.items[i].level), r.items[i].path,
		    *r.items[i].path == '\0' ? "" : ": ", r.items[i].text);
	remarks_release(&r);
	yaml_arena_free(arena);
	return memstream_close(&m, NULL);
}

static const struct {
	const char *text;
	const char *wanted;
} objects[] = {
	/* the smallest */
	{ IN_SPEC "workers: {}}", "" },
	{ "apiVersion: graphcore.ai/v1alpha1\nkind: IPUJob\n"
	  "metadata: {name: a, labels: {a: b}}\n" IN_CONTAINER
	  "image: x, command: [a, \"1\"]" END_CONTAINER,
	    "" },
	/* what is missing */
	{ "spec: {}",
	    "error: spec.ipusPerJobInstance: missing\n"
	    "error: spec.jobInstances: missing\n"
	    "error: spec.workers: missing\n" },
	{ "spec: {jobInstances: ~, ipusPerJobInstance: \"1\", workers: {}}",
	    "error: spec.jobInstances: missing\n" },
	{ IN_POD "containers: [{image: x}]" END_POD,
	    "error: " POD ".containers[0].name: missing\n" },
	{ IN_POD END_POD, "error: " POD ".containers: missing\n" },
	/* types, and what to type */
	{ "spec: {jobInstances: 1, ipusPerJobInstance: 4, workers: {}}",
	    "error: spec.ipusPerJobInstance: must be a string, quoted: "
	    "\"4\"\n" },
	{ "spec: {jobInstances: \"1\", ipusPerJobInstance: \"4\", workers: {}}",
	    "error: spec.jobInstances: must be an integer, without quotes: "
	    "1\n" },
	{ "spec: {jobInstances: one, ipusPerJobInstance: \"4\", workers: {}}",
	    "error: spec.jobInstances: must be an integer, not a string\n" },
	{ "spec: {jobInstances: 1.5, ipusPerJobInstance: \"4\", workers: {}}",
	    "error: spec.jobInstances: must be an integer, not a number\n" },
	{ "spec: {jobInstances: 2147483648, ipusPerJobInstance: \"4\", "
	  "workers: {}}",
	    "error: spec.jobInstances: must be an integer of 32 bits\n" },
	{ "spec: {jobInstances: 1e10, ipusPerJobInstance: \"4\", workers: {}}",
	    "error: spec.jobInstances: must be an integer of 32 bits\n" },
	{ "spec: {jobInstances: 2.0, ipusPerJobInstance: \"4\", workers: {}}",
	    "" },
	{ IN_POD "containers: [], activeDeadlineSeconds: 2147483648" END_POD,
	    "" },
	{ IN_CONTAINER "env: [{name: A, value: 1}]" END_CONTAINER,
	    "error: " POD
	    ".containers[0].env[0].value: must be a string, quoted: \"1\"\n" },
	{ IN_CONTAINER "env: [{name: A, value: yes}]" END_CONTAINER,
	    "error: " POD ".containers[0].env[0].value: must be a string, "
	    "quoted: \"yes\"\n" },
	{ IN_CONTAINER "env: [{name: A, value: }]" END_CONTAINER, "" },
	{ IN_CONTAINER "args: [a, 2, 3.5, ~, [b], {c: d}]" END_CONTAINER,
	    "error: " POD
	    ".containers[0].args[1]: must be a string, quoted: \"2\"\n"
	    "error: " POD
	    ".containers[0].args[2]: must be a string, quoted: \"3.5\"\n"
	    "error: " POD
	    ".containers[0].args[3]: must be a string, not nothing\n"
	    "error: " POD
	    ".containers[0].args[4]: must be a string, not a list\n"
	    "error: " POD ".containers[0].args[5]: must be a string, not an "
	    "object: quote it, for it has a \": \" in it\n" },
	{ IN_CONTAINER "command: python3" END_CONTAINER,
	    "error: " POD ".containers[0].command: must be a list of strings: "
	    "[\"python3\"]\n" },
	{ IN_POD "containers: {name: a}" END_POD,
	    "error: " POD ".containers: must be a list: put \"- \" before the "
	    "first field of each of its items\n" },
	{ IN_POD "containers: [a]" END_POD,
	    "error: " POD ".containers[0]: must be an object, not a string\n" },
	{ IN_POD "containers: [], terminationGracePeriodSeconds: x" END_POD,
	    "error: " POD ".terminationGracePeriodSeconds: must be an integer, "
	    "not a string\n" },
	{ "spec: 4", "error: spec: must be an object, not a number\n" },
	{ "[a]", "error: must be an object, not a list\n" },
	{ "metadata: {name: 4}",
	    "error: metadata.name: must be a string, quoted: \"4\"\n" },
	{ "metadata: {name: a, labels: {b/c: 1, d: e}}",
	    "error: metadata.labels[b/c]: must be a string, quoted: \"1\"\n" },
	{ "metadata: {labels: [a]}",
	    "error: metadata.labels: must be an object, not a list\n" },
	{ "apiVersion: 1",
	    "error: apiVersion: must be a string, quoted: \"1\"\n" },
	/* quantities */
	{ IN_POD "containers: [], volumes: [{name: a, emptyDir: {sizeLimit: "
		 "10GB}}]" END_POD,
	    "error: " POD
	    ".volumes[0].emptyDir.sizeLimit: '10GB' is not a quantity, as "
	    "200Gi, 32 or 500m (did you mean 10G?)\n" },
	{ IN_POD "containers: [], volumes: [{name: a, emptyDir: {sizeLimit: "
		 "1024}}]" END_POD,
	    "" },
	{ IN_POD "containers: [], volumes: [{name: a, emptyDir: {sizeLimit: "
		 "10e9}}]" END_POD,
	    "" },
	{ IN_POD "containers: [], volumes: [{name: a, emptyDir: {sizeLimit: "
		 "-1}}]" END_POD,
	    "error: " POD
	    ".volumes[0].emptyDir.sizeLimit: '-1' is negative\n" },
	{ IN_CONTAINER "resources: {limits: {cpu: 0.5, memory: 1Gi, x: "
		       "[1]}}" END_CONTAINER,
	    "note: " POD ".containers[0].resources: no effect here: nothing is "
	    "limited; a resourceFieldRef reads them\n"
	    "error: " POD ".containers[0].resources.limits[cpu]: must be a "
	    "quantity, quoted: \"0.5\"\n"
	    "error: " POD ".containers[0].resources.limits[x]: must be a "
	    "quantity, as 200Gi, not a list\n" },
	/* a key that stands twice */
	{ IN_CONTAINER "image: a, \n resources: {limits: {x: 1, x: 2}},\n "
		       "image: b" END_CONTAINER,
	    "note: " POD ".containers[0].resources: no effect here: nothing is "
	    "limited; a resourceFieldRef reads them\n"
	    "warning: " POD ".containers[0].resources.limits[x]: stands in "
	    "line 2 already, and this one counts\n"
	    "warning: " POD ".containers[0].image: stands in line 1 already, "
	    "and this one counts\n" },
	/* true or false, words */
	{ IN_CONTAINER "volumeMounts: [{name: a, mountPath: /a, readOnly: "
		       "\"true\"}]" END_CONTAINER,
	    "error: " POD ".containers[0].volumeMounts[0].readOnly: must be "
	    "true or false, without quotes: true\n" },
	{ IN_CONTAINER "volumeMounts: [{name: a, mountPath: /a, readOnly: "
		       "1}]" END_CONTAINER,
	    "error: " POD ".containers[0].volumeMounts[0].readOnly: must be "
	    "true or false, not a number\n" },
	{ IN_SPEC "workers: {}, cleanPodPolicy: Wokers}",
	    "error: spec.cleanPodPolicy: 'Wokers': must be None, All or "
	    "Workers (did you mean Workers?)\n" },
	{ IN_SPEC "workers: {}, cleanPodPolicy: all}",
	    "error: spec.cleanPodPolicy: 'all': must be None, All or Workers "
	    "(did you mean All?)\n" },
	{ IN_SPEC "workers: {}, restartPolicy: {backOffLimit: 1}}",
	    "error: spec.restartPolicy.type: missing\n" },
	/* unknown fields */
	{ IN_CONTAINER "imagge: x" END_CONTAINER,
	    "error: " POD
	    ".containers[0].imagge: unknown field (did you mean image?)\n" },
	{ IN_SPEC "workers: {}, wrkers: {}}",
	    "error: spec.wrkers: unknown field (did you mean workers?)\n" },
	{ IN_SPEC "workers: {}, frobnicate: 1}",
	    "error: spec.frobnicate: unknown field\n" },
	{ IN_SPEC "workers: {}, creationTimestamp: ~}", "" },
	/* all of them, where they are few */
	{ IN_SPEC "workers: {}, launcher: {command: [x], image: y}}",
	    "error: spec.launcher.image: unknown field (command and env are "
	    "known there)\n" },
	{ IN_SPEC "workers: {}, interactive: {ttl: 1, time: 2}}",
	    "error: spec.interactive.time: unknown field (ttl is known "
	    "there)\n" },
	/* at the wrong place: too far left, too far right, by type */
	{ IN_SPEC "workers: {}}\ncleanPodPolicy: All\n",
	    "error: cleanPodPolicy: unknown field; it belongs to spec\n" },
	{ "generateName: a-\n" IN_SPEC "workers: {}}",
	    "error: generateName: unknown field; it belongs to metadata\n" },
	{ IN_CONTAINER "restartPolicy: Never" END_CONTAINER,
	    "error: " POD
	    ".containers[0].restartPolicy: unknown field; it belongs to " POD
	    "\n" },
	{ IN_SPEC "workers: {template: {}, restartPolicy: Never}}",
	    "error: spec.workers.restartPolicy: unknown field; it belongs "
	    "to " POD "\n" },
	{ IN_SPEC "workers: {template: {}, restartPolicy: {type: Never}}}",
	    "error: spec.workers.restartPolicy: unknown field; it belongs to "
	    "spec\n" },
	{ IN_SPEC "workers: {template: {hostIPC: true}}}",
	    "error: spec.workers.template.hostIPC: unknown field; it belongs "
	    "to " POD "\n" },
	{ IN_POD "containers: [], env: []" END_POD,
	    "error: " POD ".env: unknown field; it belongs to " POD
	    ".containers[]\n" },
	{ IN_POD "containers: [], ipusPerJobInstance: \"2\"" END_POD,
	    "error: " POD
	    ".ipusPerJobInstance: unknown field; it belongs to spec\n" },
	{ IN_CONTAINER "volumes: []" END_CONTAINER,
	    "error: " POD
	    ".containers[0].volumes: unknown field; it belongs to " POD "\n" },
	{ IN_CONTAINER "limits: {cpu: 1}" END_CONTAINER,
	    "error: " POD
	    ".containers[0].limits: unknown field; it belongs to " POD
	    ".containers[0].resources\n" },
	{ IN_SPEC "workers: {}, restartPolicy: Never}",
	    "error: spec.restartPolicy: must be an object; a string of that "
	    "name belongs to " POD "\n" },
	/* no effect: once, for the highest; refused, and no more */
	{ IN_POD "containers: [], hostIPC: true, tolerations: [{key: a, value: "
		 "1}]" END_POD,
	    "note: " POD ".hostIPC: no effect here: pods share this host's "
	    "memory segments and semaphores anyway\n"
	    "note: " POD
	    ".tolerations: no effect here: all pods run on this host\n"
	    "error: " POD
	    ".tolerations[0].value: must be a string, quoted: \"1\"\n" },
	{ IN_POD
	    "containers: [], volumes: [{name: a, nfs: {server: 1}}]" END_POD,
	    "note: " POD ".volumes[0].nfs: no effect here: not mounted; the "
	    "jobs of the namespace share a directory with the "
	    "volume's name instead\nerror: " POD
	    ".volumes[0].nfs.path: missing\n"
	    "error: " POD
	    ".volumes[0].nfs.server: must be a string, quoted: \"1\"\n" },
	{ IN_POD "containers: [], volumes: [{name: a, gitRepo: {repository: "
		 "b}}]" END_POD,
	    "error: " POD ".volumes[0].gitRepo: cannot be had here: nothing is "
	    "fetched; clone it in an init container\n" },
	{ IN_SPEC "workers: {}}\nstatus: {conditions: []}\n",
	    "note: status: no effect here: the state of a job elsewhere; it "
	    "starts anew here\n" },
	/* a number or a name */
	{ IN_CONTAINER "livenessProbe: {tcpSocket: {port: web}}" END_CONTAINER,
	    "note: " POD ".containers[0].livenessProbe: no effect here: only "
	    "the exit of the command counts\n" },
	{ IN_CONTAINER "livenessProbe: {tcpSocket: {port: 1.5}}" END_CONTAINER,
	    "note: " POD ".containers[0].livenessProbe: no effect here: only "
	    "the exit of the command counts\nerror: " POD
	    ".containers[0].livenessProbe.tcpSocket.port: must "
	    "be a number or a name, not a number\n" },
};

static void
test_checks(void)
{
	char *got, name[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		got = check_text("IPUJob", objects[i].text);
		(void)snprintf(name, sizeof(name), "object %zu", i);
		is_str(got, objects[i].wanted, name);
		free(got);
	}
}

/* The other kinds. */
static void
test_kinds(void)
{
	static const struct {
		const char *kind, *text, *wanted;
	} vectors[] = {
		{ "ConfigMap", "data: {a: b}", "" },
		{ "ConfigMap", "data: {a: 10}",
		    "error: data[a]: must be a string, quoted: \"10\"\n" },
		{ "ConfigMap", "dat: {a: b}",
		    "error: dat: unknown field (did you mean data?)\n" },
		{ "Secret", "stringData: {a: b}\ntype: Opaque\n",
		    "note: type: no effect here: every Secret is treated as "
		    "Opaque\n" },
		{ "PersistentVolumeClaim",
		    "spec: {accessModes: [ReadWriteOnce]}",
		    "note: spec.accessModes: no effect here: all pods of this "
		    "host may use the directory at once\n" },
		{ "Service", "spec: {anything: [1, {b: c}]}",
		    "note: spec: no effect here: programs listen at this "
		    "host's own addresses\n" },
		{ "Namespace", "metadata: {name: a}", "" },
	};
	char *got, name[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		got = check_text(vectors[i].kind, vectors[i].text);
		(void)snprintf(name, sizeof(name), "object %zu", i);
		is_str(got, vectors[i].wanted, name);
		free(got);
	}
	ok(schema_find("Deployment") == NULL, "no other kind");
}

static void
test_lookup(void)
{
	static const struct {
		const char *path;
		const char *type;   /* or why there is none */
		const char *effect; /* NULL: there is none */
		const char *name;
	} vectors[] = {
		{ "spec", "Object", "honoured", "spec" },
		{ "spec.ipusPerJobInstance", "string", "honoured",
		    "ipusPerJobInstance" },
		{ "spec.jobInstances", "integer", "honoured", "jobInstances" },
		{ POD ".containers", "[]Object", "honoured", "containers" },
		{ POD ".containers[0].args", "[]string", "honoured", "args" },
		{ POD ".containers[].resources.limits", "map[string]Quantity",
		    "noted", "limits" },
		{ POD ".nodeSelector", "map[string]string", "noted",
		    "nodeSelector" },
		{ POD ".volumes.emptyDir.sizeLimit", "Quantity", "honoured",
		    "sizeLimit" },
		{ POD ".volumes.nfs.server", "string", "noted", "server" },
		{ POD ".hostIPC", "boolean", "noted", "hostIPC" },
		{ POD ".containers.livenessProbe.httpGet.port",
		    "integer or string", "noted", "port" },
		/* of the struct that it extends, and its own */
		{ POD ".ephemeralContainers.image", "string", "honoured",
		    "image" },
		{ POD ".ephemeralContainers.targetContainerName", "string",
		    "noted", "targetContainerName" },
		{ "status.conditions[1].type", "string", "noted", "type" },
		{ "spec.wrkers",
		    "'spec.wrkers': 'wrkers' is not a field (did you mean "
		    "workers?)",
		    NULL, NULL },
		{ "spec.jobInstances.x",
		    "'spec.jobInstances.x': 'x' is not a field", NULL, NULL },
		{ "",
		    "'': '' is not a field (apiVersion, kind, metadata, spec "
		    "and status are known there)",
		    NULL, NULL },
		{ "spec.", "'spec.': '' is not a field", NULL, NULL },
		{ "[0]",
		    "'[0]': '' is not a field (apiVersion, kind, metadata, "
		    "spec and status are known there)",
		    NULL, NULL },
	};
	const struct schema_field *job = schema_find("IPUJob"), *field;
	struct error e;
	char type[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		field = schema_field_find(job, vectors[i].path, &e);
		if (vectors[i].effect == NULL) {
			ok(field == NULL, vectors[i].path);
			is_str(e.text, vectors[i].type, "why not");
			is_int(e.code, ERROR_NOT_FOUND, "its code");
			continue;
		}
		if (!ok(field != NULL, vectors[i].path))
			continue;
		schema_type_text(field, type, sizeof(type));
		is_str(type, vectors[i].type, "its type");
		is_str(field->name, vectors[i].name, "its name");
		is_str(schema_effect_name(field->effect), vectors[i].effect,
		    "its effect");
	}
}

/* What an object has that is not known goes, at every depth. */
static void
test_pruning(void)
{
	static const struct {
		const char *text;
		const char *left; /* as one line */
		const char *said;
	} vectors[] = {
		{ "{kind: IPUJob, x: 1, y: null, metadata: {name: a, labels: "
		  "{any: b}}}",
		    "{kind: IPUJob, metadata: {name: a, labels: {any: b}}}",
		    "f:1:16: warning: x: unknown field: left out\n" },
		{ "{spec: {z: {a: 1}, workers: {template: {spec: {containers: "
		  "[{name: a, c: 1, env: [{name: b, d: 2}]}, 3, {e: 4}]}}}}}",
		    "{spec: {workers: {template: {spec: {containers: [{name: "
		    "a, env: [{name: b}]}, 3, {}]}}}}}",
		    "f:1:9: warning: spec.z: unknown field: left out\n"
		    "f:1:71: warning: " POD
		    ".containers[0].c: unknown field: left out\n"
		    "f:1:93: warning: " POD
		    ".containers[0].env[0].d: unknown field: left out\n"
		    "f:1:106: warning: " POD
		    ".containers[2].e: unknown field: left out\n" },
		/* Of another type than wanted: told elsewhere. */
		{ "{spec: [{a: 1}], metadata: 2}",
		    "{spec: [{a: 1}], metadata: 2}", "" },
	};
	struct manifest m, wanted;
	struct remarks out;
	struct memstream said;
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		out = (struct remarks){ .items = NULL };
		manifest_init(&m);
		manifest_init(&wanted);
		(void)manifest_parse(&m, "f", vectors[i].text,
		    strlen(vectors[i].text), NULL);
		(void)manifest_parse(&wanted, "f", vectors[i].left,
		    strlen(vectors[i].left), NULL);
		schema_check_prune(schema_find("IPUJob"), "f",
		    m.objects[0].node, &out);
		ok(yaml_equal(m.objects[0].node, wanted.objects[0].node),
		    vectors[i].left);
		(void)memstream_open(&said);
		remarks_print(said.file, &out);
		text = memstream_close(&said, NULL);
		is_str(text, vectors[i].said, "and it is said");
		free(text);
		remarks_release(&out);
		manifest_release(&wanted);
		manifest_release(&m);
	}
}

/*
 * Each field has a note or is a detail of one without effect; what is refused
 * and what has words is whole; the fields are in the order of the alphabet.
 */
static void
test_table(const struct schema_field *fields, const char *path, bool noted)
{
	const struct schema_field *field;
	char *below;

	for (field = fields; field->name != NULL; field++) {
		below = xasprintf("%s.%s", path, field->name);
		ok(field->note != NULL || noted, below);
		ok(field->note == NULL || strlen(field->note) < 120,
		    "a note of one sentence");
		ok(field == fields || strcmp(field[-1].name, field->name) < 0,
		    "in its order");
		ok(field->words == NULL || field->type == SCHEMA_TEXT,
		    "words are texts");
		if (field->fields != NULL)
			test_table(field->fields, below,
			    noted || field->effect != SCHEMA_HONOURED);
		free(below);
	}
}

int
main(void)
{
	static const char *const kinds[] = { "IPUJob", "ConfigMap", "Secret",
		"PersistentVolumeClaim", "Service", "Namespace" };
	size_t i;

	test_checks();
	test_kinds();
	test_lookup();
	test_pruning();
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		test_table(schema_find(kinds[i]), kinds[i], false);
	return tap_done();
}
