/*
 * container_files: the files of configMap, secret, downwardAPI and
 * projected.
 */
#include "core/base/alloc.h"
#include "tests/unit/container_util.h"
#include "tests/unit/tap.h"

static void
test_files(void)
{
	static const struct container_row rows[] = {
		{ ONE("configMap: {name: conf}"),
		    "[volumes/v/LR 0644 0.1][volumes/v/app.conf 0644 a = "
		    "1\\x0a][volumes/v/9lives 0644 cat][volumes/v/empty 0644 "
		    "][volumes/v/logo 0644 \\x00\\x01\\xff]" },
		{ ONE("configMap: {name: conf, defaultMode: 0555, items: "
		      "[{key: LR, path: a/lr}, {key: logo, path: a/logo, mode: "
		      "256}]}"),
		    "[volumes/v/a/lr 0555 0.1][volumes/v/a/logo 0400 "
		    "\\x00\\x01\\xff]" },
		{ ONE("secret: {secretName: hf}"),
		    "[volumes/v/token 0600 " SECRET
		    "][volumes/v/both 0600 plain-" SECRET
		    "][volumes/v/key 0600 " SECRET
		    "][volumes/v/raw 0600 \\x00\\x01]" },
		/* Never wider than the owner, who may always read. */
		{ ONE("secret: {secretName: hf, defaultMode: 0440, items: "
		      "[{key: key, path: k}, {key: token, path: t, mode: "
		      "0777}, {key: both, path: b, mode: 0}]}"),
		    "[volumes/v/k 0400 " SECRET "][volumes/v/t 0700 " SECRET
		    "][volumes/v/b 0400 plain-" SECRET "]" },
		{ ONE("configMap: {name: conf, items: [{key: LR, path: a}, "
		      "{key: 9lives, path: a}]}"),
		    "[volumes/v/a 0644 cat]" },
		{ ONE("configMap: {name: none, optional: true}"), "" },
		{ ONE("secret: {secretName: hf, optional: true, items: [{key: "
		      "none, path: a}]}"),
		    "" },
		{ ONE("downwardAPI: {items: [{path: labels, fieldRef: "
		      "{fieldPath: metadata.labels}}, {path: p/note, mode: "
		      "0600, fieldRef: {fieldPath: metadata.annotations}}]}"),
		    "[volumes/v/labels 0644 app=\"b\\\"e\"\\x0a"
		    "graphcore.ai/job-name=\"bert\"\\x0atier=\"gold\"][volumes/"
		    "v/p/note 0600 note=\"a\\tb\\\\\\n\\x01\\xc3\\xa9\\x7f "
		    "\"]" },
		{ ONE("downwardAPI: {defaultMode: 0400, items: [{path: name, "
		      "fieldRef: {fieldPath: metadata.name}}, {path: tier, "
		      "fieldRef: {fieldPath: \"metadata.labels['tier']\"}}]}"),
		    "[volumes/v/name 0400 bert-worker-0][volumes/v/tier 0400 "
		    "gold]" },
		{ "  containers: [{name: c, command: [a], resources: {limits: "
		  "{cpu: 2}}, volumeMounts: [{name: v, mountPath: /m}]}]\n"
		  "  volumes: [{name: v, downwardAPI: {items: [{path: cpu, "
		  "resourceFieldRef: {containerName: c, resource: "
		  "limits.cpu}}]}}]",
		    "[volumes/v/cpu 0644 2]" },
		{ ONE("projected: {defaultMode: 0440, sources: [{secret: "
		      "{name: hf, items: [{key: key, path: s/k}]}}, "
		      "{configMap: {name: conf, items: [{key: LR, path: "
		      "lr}]}}, {downwardAPI: {items: [{path: n, fieldRef: "
		      "{fieldPath: metadata.name}}]}}]}"),
		    "[volumes/v/s/k 0400 " SECRET
		    "][volumes/v/lr 0440 0.1][volumes/v/n 0440 "
		    "bert-worker-0]" },
		{ ONE("projected: {sources: []}"), "" },
		{ ONE("projected: {sources: [{serviceAccountToken: {path: "
		      "token}}, {secret: {name: hf, items: [{key: key, path: "
		      "k}]}}]}"),
		    "[volumes/v/k 0600 " SECRET "]" },
		/* Once per volume, however often it is mounted. */
		{ MOUNT("{name: v, mountPath: /a}, {name: v, mountPath: /b, "
			"subPath: x}",
		      "{name: v, configMap: {name: conf, items: [{key: LR, "
		      "path: x}]}}"),
		    "[volumes/v/x 0644 0.1]" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "", container_show_files);
}

static void
test_file_mounts(void)
{
	static const struct container_row rows[] = {
		{ ONE("configMap: {name: conf}"),
		    "[v /pod/volumes/v at /m files ro made]" },
		{ MOUNT(
		      "{name: v, mountPath: /etc/app.conf, subPath: app.conf}",
		      "{name: v, configMap: {name: conf}}"),
		    "[v /pod/volumes/v/app.conf of /pod/volumes/v at "
		    "/etc/app.conf files ro]" },
		{ MOUNT("{name: v, mountPath: /m, subPath: LR}",
		      "{name: v, configMap: {name: conf}}"),
		    "[v /pod/volumes/v/LR of /pod/volumes/v at /m files ro]" },
		/* As in Kubernetes: a directory, where there is no file. */
		{ MOUNT("{name: v, mountPath: /m, subPath: other}",
		      "{name: v, secret: {secretName: hf}}"),
		    "[v /pod/volumes/v/other of /pod/volumes/v at /m files ro "
		    "made]" },
		{ MOUNT("{name: v, mountPath: /a}, {name: v, mountPath: /b, "
			"subPath: key}",
		      "{name: v, secret: {secretName: hf}}"),
		    "[v /pod/volumes/v at /a files ro made][v "
		    "/pod/volumes/v/key of /pod/volumes/v at /b files ro]" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "",
	    container_show_volumes);
}

#define ITEMS(items) ONE("configMap: {name: conf, items: [" items "]}")
#define FILE_BAD INVALID "volumes[1] v: "

static void
test_refused_files(void)
{
	static const struct container_row rows[] = {
		{ ONE("configMap: {}"),
		    FILE_BAD "name is missing; name the configmap" },
		{ ONE("secret: {name: hf}"),
		    FILE_BAD "secretName is missing; name the secret" },
		{ ONE("secret: {secretName: none}"),
		    NOT_FOUND "volumes[1] v: secret none not found" },
		{ ONE("configMap: {name: broken, optional: true}"),
		    DAMAGED "volumes[1] v: configmap broken: cannot be read" },
		{ ONE("configMap: {name: slashes}"),
		    FILE_BAD "configmap slashes: key 'a/b' cannot be a file "
			     "name; use letters, digits, '-', '_' and '.'" },
		{ ONE("configMap: {name: dots}"),
		    FILE_BAD "configmap dots: key '.' cannot be a file name; "
			     "use letters, digits, '-', '_' and '.'" },
		{ ONE("configMap: {name: doubles}"),
		    FILE_BAD "configmap doubles: key '..data' cannot be a file "
			     "name; use letters, digits, '-', '_' and '.'" },
		{ ONE("secret: {secretName: odd}"),
		    FILE_BAD "secret odd: key bad is not base64; put plain "
			     "text into stringData" },
		{ ONE("configMap: {name: conf, defaultMode: 01000}"),
		    FILE_BAD "defaultMode: must be a number from 0 to 0777" },
		{ ONE("configMap: {name: conf, defaultMode: '0400'}"),
		    FILE_BAD "defaultMode: must be a number from 0 to 0777" },
		{ ITEMS("{key: LR, path: a, mode: -1}"),
		    FILE_BAD
		    "items[0]: mode: must be a number from 0 to 0777" },
		{ ITEMS("{key: LR, path: a}, {key: none, path: b}"),
		    NOT_FOUND
		    "volumes[1] v: items[1]: configmap conf has no key none" },
		{ ITEMS("{key: LR}"), FILE_BAD "items[0]: path is missing" },
		{ ITEMS("{path: a}"), FILE_BAD "items[0]: key is missing" },
		{ ITEMS("{key: LR, path: ../a}"),
		    FILE_BAD "items[0]: path '../a': must be a path within the "
			     "volume, without '..'" },
		{ ITEMS("{key: LR, path: /a}"),
		    FILE_BAD "items[0]: path '/a': must be a path within the "
			     "volume, without '..'" },
		{ ITEMS("{key: LR, path: a/../b}"),
		    FILE_BAD "items[0]: path 'a/../b': must be a path within "
			     "the volume, without '..'" },
		{ ITEMS("{key: LR, path: ..data}"),
		    FILE_BAD "items[0]: path '..data': must be a path within "
			     "the volume, without '..'" },
		{ ITEMS("{key: LR, path: ''}"),
		    FILE_BAD "items[0]: path '': must be a path within the "
			     "volume, without '..'" },
		{ ITEMS("{key: LR, path: a}, {key: LR, path: a/b}"),
		    FILE_BAD "items[1]: path a/b: conflicts with file a; one "
			     "of them would have to be a directory" },
		{ ITEMS("{key: LR, path: a/b/c}, {key: LR, path: a/b}"),
		    FILE_BAD "items[1]: path a/b: conflicts with file a/b/c; "
			     "one of them would have to be a directory" },
		{ ONE("downwardAPI: {items: [{path: a, mode: 512, fieldRef: "
		      "{fieldPath: metadata.name}}]}"),
		    FILE_BAD
		    "items[0]: mode: must be a number from 0 to 0777" },
		{ ONE("downwardAPI: {items: [{path: a}]}"),
		    FILE_BAD "items[0]: must have one of fieldRef and "
			     "resourceFieldRef" },
		{ ONE("downwardAPI: {items: [{path: a, fieldRef: {fieldPath: "
		      "status.podIP}}]}"),
		    FILE_BAD "items[0]: fieldRef: status.podIP is for "
			     "variables in env, not for files" },
		{ ONE("downwardAPI: {items: [{path: a, resourceFieldRef: "
		      "{resource: limits.cpu}}]}"),
		    FILE_BAD "items[0]: resourceFieldRef: containerName is "
			     "missing; name the container of the resource" },
		{ ONE("projected: {sources: [{secret: {name: hf}}, "
		      "{clusterTrustBundle: {}}]}"),
		    UNSUPPORTED "volumes[1] v: sources[1]: must have one of "
				"secret, configMap and downwardAPI; other "
				"sources are not supported" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "", container_show_files);
}

int
main(void)
{
	test_files();
	test_file_mounts();
	test_refused_files();
	return tap_done();
}
