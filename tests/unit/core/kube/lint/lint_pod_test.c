/* lint_pod: pods, their volumes, containers and references. */
#include "core/base/alloc.h"
#include "tests/unit/lint_util.h"
#include "tests/unit/tap.h"

static void
test_pods(void)
{
	static const struct lint_vector vectors[] = {
		{ POD "containers: []" END_POD,
		    "error: " PS ".containers: must not be empty\n" },
		{ POD "containers: [{name: a, image: i, command: [x]}, {name: "
		      "b, image: i, command: [z]}]" END_POD,
		    "warning: " PS
		    ".containers[1]: is not started here: a pod runs only its "
		    "initContainers and its first container\n" },
		{ CONTAINER END,
		    "local error: " PS
		    ".containers[0].command: missing; the command of the image "
		    "is not known here\n" },
		{ CONTAINER "args: [x]" END,
		    "local error: " PS
		    ".containers[0].command: missing; the command of the image "
		    "is not known here\n" },
		{ RUN("1", "interactive: {ttl: 9}, ") END, "" },
		{ POD "containers: [{name: A, command: [x]}]" END_POD,
		    "warning: " PS
		    ".containers[0].image: missing; a cluster requires one\n"
		    "error: " PS
		    ".containers[0].name: 'A': must consist of lower case "
		    "letters, digits and '-', with a letter or a digit at both "
		    "ends (did you mean a?)\n" },
		{ POD
		    "containers: [{name: a, image: '', command: [x]}]" END_POD,
		    "warning: " PS
		    ".containers[0].image: missing; a cluster requires one\n" },
		{ CONTAINER "command: [x], workingDir: a/b" END,
		    "warning: " PS
		    ".containers[0].workingDir: 'a/b' does not begin with '/': "
		    "the container does not start\n" },
		{ CONTAINER "command: [x], workingDir: /a" END, "" },
		{ CONTAINER "command: [x], workingDir: ''" END, "" },
		{ POD "containers: [{name: a, image: <your image>, command: "
		      "[x]}]" END_POD,
		    "warning: " PS
		    ".containers[0].image: '<your image>' is not the name of "
		    "an image; replace <...> with a value\n" },
		{ POD "initContainers: [{name: a, image: i, command: [x]}, "
		      "{name: b, image: i}], containers: [{name: a, image: i, "
		      "command: [x]}]" END_POD,
		    "error: " PS
		    ".initContainers[0].name: the pod has another container a\n"
		    "local error: " PS
		    ".initContainers[1].command: missing; the command of the "
		    "image is not known here\n" },
		{ POD "activeDeadlineSeconds: 0, "
		      "terminationGracePeriodSeconds: -1, hostname: a.b, "
		      "containers: [{name: a, image: i, command: [x]}]" END_POD,
		    "error: " PS
		    ".activeDeadlineSeconds: must be 1 or more, not 0\n"
		    "error: " PS ".terminationGracePeriodSeconds: must be 0 or "
		    "more, not -1\n"
		    "error: " PS ".hostname: 'a.b': must consist of lower case "
		    "letters, digits and '-', with a letter or a "
		    "digit at both ends (did you mean a-b?)\n" },
		{ POD "activeDeadlineSeconds: 2147483648, "
		      "terminationGracePeriodSeconds: 9223372036854775807, "
		      "containers: [{name: a, image: i, command: [x]}]" END_POD,
		    "error: " PS ".activeDeadlineSeconds: must be 2147483647 "
		    "or less, not 2147483648\n"
		    "error: " PS
		    ".terminationGracePeriodSeconds: must be 2147483647 or "
		    "less, not 9223372036854775807\n" },
		/* what several IPUs may need */
		{ JOB("2", ""), MEMORY_NOTE },
		{ SPEC("2") "workers: {template: {spec: {hostIPC: true, "
			    "containers: [{name: a, image: i, command: [x], "
			    "volumeMounts: [{name: m, mountPath: /dev/shm}]}], "
			    "volumes: [{name: m, emptyDir: {medium: "
			    "Memory}}]" END_POD,
		    "note: " PS
		    ".containers[0]: in a cluster, a job of several IPUs may "
		    "also need the capability IPC_LOCK\n" },
		{ SPEC("2") "workers: {template: {spec: {hostIPC: true, "
			    "containers: [{name: a, image: i, command: [x], "
			    "securityContext: {capabilities: {add: "
			    "[IPC_LOCK]}}, volumeMounts: [{name: m, mountPath: "
			    "/dev/shm}]}], volumes: [{name: m, emptyDir: "
			    "{medium: Memory}}]" END_POD,
		    "" },
	};

	lint_util_check("pod", vectors, ARRAY_SIZE(vectors));
}

#define VOLUMES(volumes) \
	POD "containers: [{name: a, image: i, command: [x], volumeMounts: " \
	    "[{name: v, mountPath: /v}]}], volumes: [" volumes "]" END_POD
#define MOUNTS(mounts) \
	POD "containers: [{name: a, image: i, command: [x], volumeMounts: " \
	    "[" mounts "]}], volumes: [{name: data, emptyDir: {}}]" END_POD
#define V PS ".volumes[0]"
#define M PS ".containers[0].volumeMounts"

static void
test_volumes(void)
{
	static const struct lint_vector vectors[] = {
		{ VOLUMES("{name: v, emptyDir: {}}"), "" },
		{ VOLUMES(
		      "{name: v, emptyDir: {medium: Memory, sizeLimit: 10Gi}}"),
		    "" },
		{ VOLUMES("{name: v, emptyDir: {medium: memory}}"),
		    "error: " V ".emptyDir.medium: 'memory': must be Memory "
		    "(did you mean Memory?)\n" },
		{ VOLUMES("{name: v}"),
		    "warning: " V ": has no kind, so it is an emptyDir; add "
		    "emptyDir: {}, persistentVolumeClaim, "
		    "hostPath, configMap, secret ...\n" },
		{ VOLUMES("{name: v, emptyDir: {}, hostPath: {path: /a}}"),
		    "error: " V ": has 2 kinds, but may have only one\n"
		    "note: " V ".hostPath.path: /a must be below host-paths of "
		    "ipubox.conf(5); without host-paths, a "
		    "directory of the namespace replaces it\n" },
		{ VOLUMES("{name: v, hostPath: {path: a, type: directory}}"),
		    "error: " V ".hostPath.path: 'a': must begin with '/'\n"
		    "error: " V
		    ".hostPath.type: 'directory': must be Directory, "
		    "DirectoryOrCreate, File, FileOrCreate, Socket, CharDevice "
		    "or BlockDevice (did you mean Directory?)\n" },
		{ VOLUMES("{name: v, gitRepo: {repository: a}}"),
		    "local error: " V
		    ".gitRepo: not supported: repositories are not fetched; "
		    "clone it in an init container\n" },
		{ VOLUMES("{name: v, emptyDir: {}}, {name: v, emptyDir: {}}, "
			  "{name: w, emptyDir: {}}, {name: W, emptyDir: {}}"),
		    "error: " PS
		    ".volumes[1].name: the pod has another volume v\n"
		    "warning: " PS ".volumes[2].name: no container mounts w\n"
		    "error: " PS
		    ".volumes[3].name: 'W': must consist of lower case "
		    "letters, digits and '-', with a letter or a digit at both "
		    "ends (did you mean w?)\nwarning: " PS
		    ".volumes[3].name: no container mounts W\n" },
		{ VOLUMES("{name: v, downwardAPI: {defaultMode: 644, items: "
			  "[{path: ../a, fieldRef: {fieldPath: "
			  "metadata.label}}, {path: b, resourceFieldRef: "
			  "{resource: limits.cpus}}, {path: /c}]}}"),
		    "error: " V
		    ".downwardAPI.defaultMode: must be from 0 to 0777, not "
		    "644; permissions begin with a 0, such as 0644\n"
		    "error: " V ".downwardAPI.items[0].path: '../a': must be a "
		    "path within the volume, without '..'\n"
		    "error: " V ".downwardAPI.items[0].fieldRef.fieldPath: "
		    "metadata.label is not a field that a file can "
		    "have (did you mean metadata.labels?)\n"
		    "error: " V ".downwardAPI.items[1].resourceFieldRef."
		    "containerName: missing\n"
		    "error: " V
		    ".downwardAPI.items[1].resourceFieldRef.resource: "
		    "'limits.cpus': must be limits or requests of cpu, memory, "
		    "ephemeral-storage or hugepages-SIZE, such as limits.cpu\n"
		    "error: " V ".downwardAPI.items[2]: needs either fieldRef "
		    "or resourceFieldRef\n"
		    "error: " V ".downwardAPI.items[2].path: '/c': must be a "
		    "path within the volume, without '..'\n" },
		{ VOLUMES("{name: v, projected: {sources: [{downwardAPI: "
			  "{items: [{path: a, mode: 0400, fieldRef: "
			  "{fieldPath: metadata.labels}}]}}, {}]}}"),
		    "error: " V ".projected.sources[1]: needs one of "
		    "configMap, secret and downwardAPI\n" },
		/* mounts */
		{ MOUNTS("{name: data, mountPath: /a}, {name: data, mountPath: "
			 "/b, subPath: c/d, readOnly: true}, {name: data, "
			 "mountPath: /c, subPathExpr: $(X)/y}"),
		    "" },
		{ MOUNTS("{name: dta, mountPath: /a}"),
		    "error: " M
		    "[0].name: the pod has no volume dta (did you mean data?)\n"
		    "warning: " PS
		    ".volumes[0].name: no container mounts data\n" },
		{ MOUNTS("{name: data, mountPath: a}, {name: data, mountPath: "
			 "\"/a:b\"}, {name: data, mountPath: /c}, {name: data, "
			 "mountPath: /c}"),
		    "error: " M "[0].mountPath: 'a': must begin with '/'\n"
		    "error: " M "[1].mountPath: '/a:b': must not contain ':'\n"
		    "error: " M "[3].mountPath: '/c' is mounted twice\n" },
		{ MOUNTS("{name: data, mountPath: /a, subPath: ../b}, {name: "
			 "data, mountPath: /b, subPath: a, subPathExpr: /c}, "
			 "{name: data, mountPath: /c, subPath: a..b/c../..d}, "
			 "{name: data, mountPath: /d, subPath: a/..}"),
		    "error: " M "[0].subPath: '../b': must be a path within "
		    "the volume, without '..'\n"
		    "error: " M "[1].subPathExpr: '/c': must be a path within "
		    "the volume, without '..'\n"
		    "error: " M
		    "[1].subPathExpr: cannot be used together with subPath\n"
		    "error: " M "[3].subPath: 'a/..': must be a path within "
		    "the volume, without '..'\n" },
	};

	lint_util_check("volume", vectors, ARRAY_SIZE(vectors));
}

#define ENV(env) CONTAINER "command: [x], env: [" env "]" END
#define E0 PS ".containers[0].env"

static void
test_containers(void)
{
	static const struct lint_vector vectors[] = {
		{ ENV("{name: A, value: b}, {name: _b1, value: $(A)}"), "" },
		{ ENV("{name: 1A, value: b}, {name: A-B, value: c}, {name: \"A "
		      "B\", value: d}, {name: A=, value: e}"),
		    "error: " E0
		    "[0].name: '1A': must consist of letters, digits, '_', '-' "
		    "and '.', and must not begin with a digit\n"
		    "warning: " E0 "[1].name: 'A-B': shells cannot use a "
		    "variable with this name\n"
		    "error: " E0
		    "[2].name: 'A B': must consist of letters, digits, '_', "
		    "'-' and '.', and must not begin with a digit\n"
		    "error: " E0
		    "[3].name: 'A=': must consist of letters, digits, '_', '-' "
		    "and '.', and must not begin with a digit\n" },
		{ ENV("{name: A, value: b}, {name: A, value: c}"),
		    "warning: " E0
		    "[1].name: 'A' is set twice; this one counts\n" },
		{ ENV("{name: A, value: b, valueFrom: {fieldRef: {fieldPath: "
		      "metadata.name}}}, {name: B, valueFrom: {}}, {name: C, "
		      "valueFrom: {fieldRef: {fieldPath: status.podIP}, "
		      "resourceFieldRef: {resource: limits.cpu}}}"),
		    "error: " E0
		    "[0].valueFrom: cannot be used together with value\n"
		    "error: " E0 "[1].valueFrom: needs one of configMapKeyRef, "
		    "secretKeyRef, fieldRef and resourceFieldRef\n"
		    "error: " E0
		    "[2].valueFrom: has 2 sources, but may have only one\n" },
		{ ENV("{name: A, valueFrom: {fieldRef: {fieldPath: "
		      "\"metadata.labels['a']\"}}}, {name: B, valueFrom: "
		      "{fieldRef: {fieldPath: metadata.labels}}}, {name: C, "
		      "valueFrom: {fieldRef: {fieldPath: spec.nodename}}}"),
		    "error: " E0
		    "[1].valueFrom.fieldRef.fieldPath: metadata.labels is for "
		    "the files of a downwardAPI volume; use "
		    "metadata.labels['KEY'] for a variable\n"
		    "error: " E0 "[2].valueFrom.fieldRef.fieldPath: "
		    "spec.nodename is not a field that a variable "
		    "can have (did you mean spec.nodeName?)\n" },
		{ ENV("{name: A, valueFrom: {resourceFieldRef: {resource: "
		      "limits.memory, divisor: 1Mi, containerName: a}}}, "
		      "{name: B, valueFrom: {resourceFieldRef: {resource: "
		      "memory, containerName: b}}}, {name: C, valueFrom: "
		      "{resourceFieldRef: {resource: limits.hugepages-2Mi}}}"),
		    "error: " E0
		    "[1].valueFrom.resourceFieldRef.resource: 'memory': must "
		    "be limits or requests of cpu, memory, ephemeral-storage "
		    "or hugepages-SIZE, such as limits.cpu\n"
		    "error: " E0 "[1].valueFrom.resourceFieldRef.containerName:"
		    " the pod has no container b\n" },
		{ CONTAINER
		    "command: [x], envFrom: [{prefix: 1-, configMapRef: {name: "
		    "c, optional: true}}, {}, {configMapRef: {}, secretRef: "
		    "{name: s, optional: true}}]" END,
		    "error: " PS ".containers[0].envFrom[0].prefix: '1-': must "
		    "consist of letters, digits, '_', '-' and "
		    "'.', and must not begin with a digit\n"
		    "error: " PS ".containers[0].envFrom[1]: needs either "
		    "configMapRef or secretRef\n"
		    "error: " PS ".containers[0].envFrom[2]: needs either "
		    "configMapRef or secretRef\n"
		    "error: " PS
		    ".containers[0].envFrom[2].configMapRef.name: missing\n" },
		/* resources and ports */
		{ CONTAINER "command: [x], resources: {requests: {cpu: 500m, "
			    "memory: 1Gi}, limits: {cpu: 1, memory: 1Gi, "
			    "example.com/x: 1, hugepages-2Mi: 1Gi}}" END,
		    "" },
		{ CONTAINER
		    "command: [x], resources: {requests: {cpu: 2, memory: "
		    "200m}, limits: {cpu: 1500m, mem: 1Gi}}" END,
		    "error: " PS ".containers[0].resources.requests[cpu]: is "
		    "more than its limit\n"
		    "warning: " PS ".containers[0].resources.requests[memory]: "
		    "200m is less than a megabyte: m means a "
		    "thousandth; use Mi or Gi for memory\n"
		    "error: " PS ".containers[0].resources.limits[mem]: 'mem' "
		    "is not a resource (did you mean memory?)\n" },
		{ CONTAINER
		    "command: [x], ports: [{containerPort: 0, name: a}, "
		    "{containerPort: 80, hostPort: 65536, name: a}]" END,
		    "error: " PS ".containers[0].ports[0].containerPort: must "
		    "be 1 to 65535, not 0\n"
		    "error: " PS ".containers[0].ports[1].hostPort: must be 1 "
		    "to 65535, not 65536\n"
		    "error: " PS ".containers[0].ports[1].name: another port "
		    "has the same name\n" },
	};

	lint_util_check("container", vectors, ARRAY_SIZE(vectors));
}

#define KEY_OF(kind, name, key) \
	ENV("{name: A, valueFrom: {" kind "KeyRef: {name: " name ", key: " key \
	    "}}}")

#define CONFIG_MAP \
	"---\n{apiVersion: v1, kind: ConfigMap, " \
	"metadata: {name: config-map}}\n"
#define CLAIM \
	"---\n{apiVersion: v1, kind: PersistentVolumeClaim, " \
	"metadata: {name: p}}\n"

static void
test_references(void)
{
	static const struct lint_vector vectors[] = {
		{ KEY_OF("configMap", "c", "k") CONFIG("data: {k: v}"), "" },
		{ KEY_OF("configMap", "c", "k") CONFIG("binaryData: {k: AAAA}"),
		    "" },
		{ KEY_OF("secret", "s", "k") SECRET("data: {k: AAAA}"), "" },
		{ KEY_OF("secret", "s", "k") SECRET("stringData: {k: v}"), "" },
		/* another kind, another name, another key */
		{ KEY_OF("secret", "c", "k") CONFIG("data: {k: v}"),
		    "warning: " E0
		    "[0].valueFrom.secretKeyRef.name: Secret c is not in this "
		    "manifest, so it must already exist\n" },
		{ ENV("{name: A, valueFrom: {configMapKeyRef: {name: conf-map, "
		      "key: k}}}") CONFIG_MAP,
		    "warning: " E0
		    "[0].valueFrom.configMapKeyRef.name: ConfigMap conf-map is "
		    "not in this manifest, so it must already exist (did you "
		    "mean config-map?)\n" },
		{ KEY_OF("configMap", "c", "epoch")
			CONFIG("data: {epochs: \"1\"}"),
		    "error: " E0
		    "[0].valueFrom.configMapKeyRef.key: ConfigMap c has no key "
		    "epoch (did you mean epochs?)\n" },
		{ ENV("{name: A, valueFrom: {configMapKeyRef: {name: c, key: "
		      "x, optional: true}}}") CONFIG("data: {}"),
		    "" },
		{ ENV("{name: A, valueFrom: {secretKeyRef: {key: x}}}"),
		    "error: " E0 "[0].valueFrom.secretKeyRef.name: missing\n" },
		{ ENV("{name: A, valueFrom: {secretKeyRef: {name: S, key: "
		      "x}}}"),
		    "error: " E0
		    "[0].valueFrom.secretKeyRef.name: 'S': must consist of "
		    "lower case letters, digits, '-' and '.', with a letter or "
		    "a digit at both ends of each part (did you mean s?)\n" },
		/* another namespace */
		{ HEAD
		    "metadata: {name: j, namespace: x}, spec: {jobInstances: "
		    "1, ipusPerJobInstance: \"1\", workers: {template: {spec: "
		    "{containers: [{name: a, image: i, command: [x], envFrom: "
		    "[{configMapRef: {name: c}}]}]" END_POD
		    "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: "
		    "c, namespace: z}}\n",
		    "warning: " PS
		    ".containers[0].envFrom[0].configMapRef.name: ConfigMap c "
		    "is not in this manifest, so it must already exist\n" },
		/* volumes: a warning for the object, an error for each key */
		{ VOLUMES(
		      "{name: v, configMap: {name: c, items: [{key: a, path: "
		      "a}, {key: b, path: b}, {key: k, path: c, mode: 1000}]}}")
			CONFIG("data: {k: v}"),
		    "error: " V
		    ".configMap.items[0].key: ConfigMap c has no key a\n"
		    "error: " V
		    ".configMap.items[1].key: ConfigMap c has no key b\n"
		    "error: " V
		    ".configMap.items[2].mode: must be from 0 to 0777, not "
		    "1000; permissions begin with a 0, such as 0644\n" },
		{ VOLUMES("{name: v, secret: {secretName: t, items: [{key: a, "
			  "path: a}, {key: b, path: b}]}}"),
		    "warning: " V ".secret.secretName: Secret t is not in this "
		    "manifest, so it must already exist\n" },
		{ VOLUMES("{name: v, secret: {}}"),
		    "error: " V ".secret.secretName: missing\n" },
		{ VOLUMES("{name: v, persistentVolumeClaim: {claimName: p}}")
			CLAIM,
		    "" },
		{ VOLUMES("{name: v, persistentVolumeClaim: {claimName: p}}"),
		    "note: " V
		    ".persistentVolumeClaim.claimName: PersistentVolumeClaim p "
		    "is not in this manifest, so it must already exist in a "
		    "cluster; here a directory is made for it\n" },
		{ VOLUMES(
		      "{name: v, projected: {sources: [{configMap: {name: c, "
		      "items: [{key: x, path: a}]}}, {secret: {name: s}}]}}")
			CONFIG("data: {k: v}") SECRET("data: {}"),
		    "error: " V ".projected.sources[0].configMap.items[0].key: "
		    "ConfigMap c has no key x\n" },
	};

	lint_util_check("reference", vectors, ARRAY_SIZE(vectors));
}

static void
test_objects(void)
{
	static const struct lint_vector vectors[] = {
		{ SECRET("data: {a: Zm9v, b: plain!}"),
		    "error: data[b]: is not base64; put plain text into "
		    "stringData\n" },
		{ CONFIG("data: {a: plain!}, binaryData: {b: plain!}"),
		    "error: binaryData[b]: is not base64\n" },
		{ CONFIG("data: {\"a b\": c, ..: d, a/b: e, A_b-c.d: f}"),
		    "error: data[a b]: a key must consist of letters, digits, "
		    "'-', '_' and '.'\n"
		    "error: data[..]: a key must consist of letters, digits, "
		    "'-', '_' and '.'\n"
		    "error: data[a/b]: a key must consist of letters, digits, "
		    "'-', '_' and '.'\n" },
	};

	lint_util_check("object", vectors, ARRAY_SIZE(vectors));
}

int
main(void)
{
	test_pods();
	test_volumes();
	test_containers();
	test_references();
	test_objects();
	return tap_done();
}
