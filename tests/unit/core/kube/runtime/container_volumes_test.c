/*
 * container_volumes: where volumes are and what is mounted of them.
 */
#include "core/base/alloc.h"
#include "tests/unit/container_util.h"
#include "tests/unit/tap.h"

static void
test_volumes(void)
{
	static const struct container_row rows[] = {
		{ ONE("emptyDir: {}"), "[v /pod/volumes/v at /m made]" },
		{ ONE("emptyDir: "), "[v /pod/volumes/v at /m made]" },
		{ ONE("configMap: null"), "[v /pod/volumes/v at /m made]" },
		{ ONE("emptyDir: {sizeLimit: 1Gi, medium: ''}"),
		    "[v /pod/volumes/v at /m size 1073741824 made]" },
		{ ONE("emptyDir: {sizeLimit: 0}"),
		    "[v /pod/volumes/v at /m made]" },
		{ ONE("emptyDir: {medium: Memory, sizeLimit: 10Gi}"),
		    "[v memory at /m size 10737418240]" },
		{ MOUNT("{name: v, mountPath: /dev/shm/}",
		      "{name: v, emptyDir: {medium: Memory}}"),
		    "[v memory at /dev/shm]" },
		/* What is shared is a directory: by two mounts, a part, an
		   initContainer. */
		{ MOUNT("{name: v, mountPath: /a}, {name: v, mountPath: /b}",
		      "{name: v, emptyDir: {medium: Memory}}"),
		    "[v /pod/volumes/v at /a made][v /pod/volumes/v at /b "
		    "made]" },
		{ MOUNT("{name: v, mountPath: /a, subPath: x}",
		      "{name: v, emptyDir: {medium: Memory}}"),
		    "[v /pod/volumes/v/x of /pod/volumes/v at /a made]" },
		{ "  initContainers: [{command: [a], volumeMounts: [{name: v, "
		  "mountPath: /i}]}]\n" MOUNT("{name: v, mountPath: /a}",
		      "{name: v, emptyDir: {medium: Memory}}"),
		    "[v /pod/volumes/v at /i made]" },
		{ ONE("persistentVolumeClaim: {claimName: data}"),
		    "[v /claims/data at /m]" },
		{ ONE("persistentVolumeClaim: {claimName: data, readOnly: "
		      "true}"),
		    "[v /claims/data at /m ro]" },
		{ MOUNT("{name: v, mountPath: /m, readOnly: true}",
		      "{name: v, persistentVolumeClaim: {claimName: data}}"),
		    "[v /claims/data at /m ro]" },
		{ MOUNT("{name: v, mountPath: /m, subPath: runs//./1/}",
		      "{name: v, persistentVolumeClaim: {claimName: data}}"),
		    "[v /claims/data/runs/1 of /claims/data at /m made]" },
		{ MOUNT("{name: v, mountPath: /m, subPath: .}",
		      "{name: v, persistentVolumeClaim: {claimName: data}}"),
		    "[v /claims/data at /m made]" },
		{ ONE("hostPath: {path: /srv/data/imagenet}"),
		    "[v /srv/data/imagenet at /m within /srv/data path 0]" },
		{ ONE("hostPath: {path: /srv/data/, type: ''}"),
		    "[v /srv/data at /m within /srv/data path 0]" },
		{ ONE("hostPath: {path: /srv/./data//x/, type: Directory}"),
		    "[v /srv/data/x at /m within /srv/data path 2]" },
		{ ONE("hostPath: {path: /srv/data/x, type: DirectoryOrCreate}"),
		    "[v /srv/data/x at /m within /srv/data path 1 made]" },
		{ ONE("hostPath: {path: /srv/data/x, type: FileOrCreate}"),
		    "[v /srv/data/x at /m within /srv/data path 3 made]" },
		{ ONE("hostPath: {path: /srv/data/x, type: Socket}"),
		    "[v /srv/data/x at /m within /srv/data path 5]" },
		{ MOUNT("{name: v, mountPath: m, readOnly: true, "
			"mountPropagation: Bidirectional}",
		      "{name: v}"),
		    "[v /pod/volumes/v at /m ro made]" },
		{ MOUNT("{name: v, mountPath: /my data/..x}", "{name: v}"),
		    "[v /pod/volumes/v at /my data/..x made]" },
		{ MOUNT("{name: v, mountPath: //a//b/./c/}", "{name: v}"),
		    "[v /pod/volumes/v at /a/b/c made]" },
		{ MOUNT("{name: v, mountPath: /a}, {name: w, mountPath: "
			"/b},{name: v, mountPath: /c, subPath: d}",
		      "{name: v}, {name: w}"),
		    "[v /pod/volumes/v at /a made][w /pod/volumes/w at /b "
		    "made][v /pod/volumes/v/d of /pod/volumes/v at /c made]" },
		{ ONE("ephemeral: {volumeClaimTemplate: {spec: {}}}"),
		    "[v /pod/volumes/v at /m made]" },
		{ ONE("nfs: {server: a, path: /b}"),
		    "[v /served/v for nfs at /m]" },
		{ ONE("csi: {driver: x, readOnly: true}"),
		    "[v /served/v for csi at /m ro]" },
		{ MOUNT("{name: v, mountPath: /m, subPath: a/b}",
		      "{name: v, vsphereVolume: {volumePath: x}}"),
		    "[v /served/v/a/b of /served/v for vsphereVolume at /m "
		    "made]" },
		/* What nobody mounts is not looked at. */
		{ MOUNT("{name: v, mountPath: /m}",
		      "{name: v}, {name: n, nfs: {server: a}}, {name: s, "
		      "secret: {secretName: no}}"),
		    "[v /pod/volumes/v at /m made]" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "",
	    container_show_volumes);
}

#define EXPRESSION(text) \
	"  containers: [{command: [a], env: [{name: N, value: '7'}], " \
	"volumeMounts: [{name: v, mountPath: /m, subPathExpr: '" text \
	"'}]}]\n  volumes: [{name: v}]"

static void
test_expressions(void)
{
	static const struct container_row rows[] = {
		{ EXPRESSION("run-$(N)/$(IPUS)"),
		    "[v /pod/volumes/v/run-7/4 of /pod/volumes/v at /m made]" },
		{ EXPRESSION("$$(N)"),
		    "[v /pod/volumes/v/$(N) of /pod/volumes/v at /m made]" },
		{ EXPRESSION(""), "[v /pod/volumes/v at /m made]" },
		{ EXPRESSION("$(N)/$(NONE)"),
		    INVALID
		    "containers[0].volumeMounts[0] v: subPathExpr "
		    "$(N)/$(NONE): the container has no variable NONE" },
		{ EXPRESSION("$(PATH)"),
		    INVALID "containers[0].volumeMounts[0] v: subPath /bin: "
			    "must be a path within the volume" },
		{ EXPRESSION("a/.$(N)/.."),
		    INVALID "containers[0].volumeMounts[0] v: subPath a/.7/..: "
			    "must not contain '..'" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "",
	    container_show_volumes);
}

#define BAD INVALID "containers[0].volumeMounts[0]"

static void
test_refused_mounts(void)
{
	static const struct container_row rows[] = {
		{ MOUNT("{name: vv, mountPath: /m}", "{name: v}, {name: vvv}"),
		    BAD " vv: spec.volumes has no volume with this name" },
		{ MOUNT("{name: dataset, mountPath: /m}", "{name: datset}"),
		    BAD " dataset: spec.volumes has no volume with this name "
			"(did you mean datset?)" },
		{ MOUNT("{mountPath: /m}", "{name: v}"),
		    BAD ": name is missing" },
		{ MOUNT("{name: v}", "{name: v}"),
		    BAD " v: mountPath is missing" },
		{ MOUNT("{name: v, mountPath: ''}", "{name: v}"),
		    BAD " v: mountPath is missing" },
		{ MOUNT("{name: v, mountPath: /}", "{name: v}"),
		    BAD " v: mountPath /: must not be the root directory" },
		{ MOUNT("{name: v, mountPath: /a/../b}", "{name: v}"),
		    BAD " v: mountPath /a/../b: must not contain '..'" },
		{ MOUNT("{name: v, mountPath: '/a:b'}", "{name: v}"),
		    BAD " v: mountPath /a:b: must not contain ':'" },
		{ MOUNT("{name: v, mountPath: \"/a\\nb\"}", "{name: v}"),
		    BAD " v: mountPath: has a control character" },
		{ MOUNT("{name: v, mountPath: /a}, {name: w, mountPath: /a/}",
		      "{name: v}, {name: w}"),
		    INVALID "containers[0].volumeMounts[1] w: mountPath /a/: "
			    "volume v is already mounted there" },
		{ MOUNT("{name: v, mountPath: /m, subPath: ../x}", "{name: v}"),
		    BAD " v: subPath ../x: must not contain '..'" },
		{ MOUNT("{name: v, mountPath: /m, subPath: /x}", "{name: v}"),
		    BAD " v: subPath /x: must be a path within the volume" },
		{ MOUNT("{name: v, mountPath: /m, subPath: x, subPathExpr: y}",
		      "{name: v}"),
		    BAD " v: has a subPath and a subPathExpr: leave one out" },
		{ MOUNT("{name: ../v, mountPath: /m}", "{name: ../v}"),
		    INVALID "volumes[0].name: '../v': must consist of lower "
			    "case letters, digits and '-', with a letter or a "
			    "digit at both ends" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "",
	    container_show_volumes);
}

static void
test_refused_volumes(void)
{
	static const struct container_row rows[] = {
		{ ONE("tape: {drive: a}"),
		    UNSUPPORTED
		    "volumes[1] v: volumes of kind tape are not supported; use "
		    "a persistentVolumeClaim, which is a directory here" },
		{ MOUNT("{name: gone, mountPath: /m}",
		      "{name: gone, nfs: {server: a, path: /b}}"),
		    NOT_FOUND "volumes[0] gone: nfs: not found" },
		{ ONE("image: {reference: x}"),
		    UNSUPPORTED
		    "volumes[1] v: volumes of kind image are not supported; "
		    "use a persistentVolumeClaim, which is a directory here" },
		{ ONE("gitRepo: {repository: x}"),
		    UNSUPPORTED
		    "volumes[1] v: volumes of kind gitRepo are not supported; "
		    "use a persistentVolumeClaim, which is a directory here" },
		{ ONE("emptyDir: {}, hostPath: {path: /srv/data}"),
		    INVALID "volumes[1] v: has more than one kind" },
		{ ONE("emptyDir: {sizeLimit: 1GB}"),
		    INVALID
		    "volumes[1] v: emptyDir.sizeLimit: '1GB' is not a "
		    "quantity, such as 200Gi, 32 or 500m (did you mean 1G?)" },
		{ ONE("emptyDir: {medium: HugePages}"),
		    UNSUPPORTED "volumes[1] v: emptyDir.medium HugePages is "
				"not supported; leave it out, or use Memory" },
		{ ONE("persistentVolumeClaim: {}"),
		    INVALID "volumes[1] v: persistentVolumeClaim: claimName is "
			    "missing" },
		{ ONE("persistentVolumeClaim: {claimName: gone}"),
		    NOT_FOUND
		    "volumes[1] v: persistentVolumeClaim gone: not found" },
		{ ONE("hostPath: {}"),
		    INVALID "volumes[1] v: hostPath: path must be absolute" },
		{ ONE("hostPath: {path: srv}"),
		    INVALID "volumes[1] v: hostPath: path must be absolute" },
		{ ONE("hostPath: {path: /etc}"),
		    DENIED
		    "volumes[1] v: hostPath /etc is not below /srv/data, the "
		    "directory that this host opens to pods" },
		{ ONE("hostPath: {path: /srv/database}"),
		    DENIED
		    "volumes[1] v: hostPath /srv/database is not below "
		    "/srv/data, the directory that this host opens to pods" },
		{ ONE("hostPath: {path: /}"),
		    DENIED "volumes[1] v: hostPath / is not below /srv/data, "
			   "the directory that this host opens to pods" },
		{ ONE("hostPath: {path: /srv/data/../../etc}"),
		    INVALID "volumes[1] v: hostPath /srv/data/../../etc: must "
			    "not contain '..'" },
		{ ONE("hostPath: {path: /srv/data, type: Dirctory}"),
		    INVALID
		    "volumes[1] v: hostPath.type 'Dirctory': must be "
		    "DirectoryOrCreate, Directory, FileOrCreate, File, Socket, "
		    "CharDevice or BlockDevice (did you mean Directory?)" },
	};

	container_check_rows(rows, ARRAY_SIZE(rows), "",
	    container_show_volumes);
}

static void
test_host_roots(void)
{
	static const struct {
		const char *root;
		struct container_row row;
	} rows[] = {
		{ NULL,
		    { ONE("hostPath: {path: /srv/data}"),
			DENIED
			"volumes[1] v: hostPath /srv/data: no directory of "
			"this host is open to pods; name one in ipubox.conf, "
			"or use a persistentVolumeClaim" } },
		{ "/srv/../etc",
		    { ONE("hostPath: {path: /etc}"),
			INVALID "volumes[1] v: root of hostPaths /srv/../etc: "
				"must not contain '..'" } },
		{ "/",
		    { ONE("hostPath: {path: /etc/}"),
			"[v /etc at /m within / path 0]" } },
		{ "/",
		    { ONE("hostPath: {path: /}"),
			"[v / at /m within / path 0]" } },
	};
	struct pod_host h = container_host();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		h.host_root = rows[i].root;
		container_check(&rows[i].row, "", container_show_volumes, &h);
	}
}

/* Nothing of the host is open: whatever is asked for is made in our own. */
static void
test_own_host(void)
{
	static const struct container_row rows[] = {
		{ ONE("hostPath: {path: /mnt//data/}"),
		    "[v /own/mnt/data at /m within /own path 1 made]" },
		{ ONE("hostPath: {path: /, type: Directory}"),
		    "[v /own at /m within /own path 1 made]" },
		{ ONE("hostPath: {path: /etc/f, type: File}"),
		    "[v /own/etc/f at /m within /own path 3 made]" },
		{ ONE("hostPath: {path: /etc/f, type: FileOrCreate}"),
		    "[v /own/etc/f at /m within /own path 3 made]" },
		{ ONE("hostPath: {path: /s, type: Socket}"),
		    "[v /own/s at /m within /own path 3 made]" },
		{ ONE("hostPath: {path: /dev/shm}"), "[v memory at /m]" },
		{ ONE("hostPath: {path: /dev/shm/a}"),
		    "[v /own/dev/shm/a at /m within /own path 1 made]" },
		{ MOUNT("{name: v, mountPath: /m, subPath: a}",
		      "{name: v, hostPath: {path: /dev/shm}}"),
		    "[v /own/dev/shm/a of /own/dev/shm at /m within /own path "
		    "1 made]" },
		{ ONE("hostPath: {path: /a/../b}"),
		    INVALID
		    "volumes[1] v: hostPath /a/../b: must not contain '..'" },
		{ ONE("hostPath: {path: a}"),
		    INVALID "volumes[1] v: hostPath: path must be absolute" },
	};
	struct pod_host h = container_host();
	size_t i;

	h.host_root = NULL;
	h.host_own = "/own";
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		container_check(&rows[i], "", container_show_volumes, &h);
}

int
main(void)
{
	test_volumes();
	test_expressions();
	test_refused_mounts();
	test_refused_volumes();
	test_host_roots();
	test_own_host();
	return tap_done();
}
