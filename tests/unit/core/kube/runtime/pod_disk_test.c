/*
 * pod_disk: what is made of a plan, what a restart leaves as it is, and which
 * links are followed.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "core/kube/runtime/runtime.h"
#include "tests/unit/tap.h"

/* The test's directory, without links, and the pod's directory in it. */
static char *root, *pod;

/* A path below the test's directory, until 8 more are asked for. */
static const char *
at(const char *path)
{
	static char texts[8][PATH_MAX], *text;
	static int next;

	text = texts[next++ % 8];
	(void)snprintf(text, PATH_MAX, "%s%s", root, path);
	return text;
}

static void
put(const char *path, const char *text)
{
	FILE *f = fopen(at(path), "w");

	if (f == NULL || fputs(text, f) == EOF || fclose(f) != 0)
		abort();
}

static void
make(const char *path)
{
	if (mkdir(at(path), 0700) != 0)
		abort();
}

/* The text of a file; "(none)", or what it is instead. */
static const char *
text_at(const char *path)
{
	static char text[64];
	struct stat st;
	FILE *f;
	size_t n;

	if (lstat(at(path), &st) != 0)
		return "(none)";
	if (S_ISDIR(st.st_mode))
		return "(directory)";
	if (S_ISLNK(st.st_mode))
		return "(link)";
	if ((f = fopen(at(path), "r")) == NULL)
		abort();
	n = fread(text, 1, sizeof(text) - 1, f);
	(void)fclose(f);
	text[n] = '\0';
	return text;
}

static int
mode_at(const char *path)
{
	struct stat st;

	return lstat(at(path), &st) == 0 ? (int)(st.st_mode & 07777) : -1;
}

/* A plan with one volume, and perhaps files. */
struct fixture {
	struct container_plan plan;
	struct container_volume volumes[2];
	struct container_file files[4];
	char texts[6][PATH_MAX];
};

static char *
fixture_text(struct fixture *f, int which, const char *path)
{
	(void)snprintf(f->texts[which], PATH_MAX, "%s", path);
	return f->texts[which];
}

/* `directory` and `source` are below the test's; "" of source: the same. */
static void
fixture_init(struct fixture *f, const char *name, const char *directory,
    const char *source)
{
	struct container_volume *v = &f->volumes[0];

	memset(f, 0, sizeof(*f));
	f->plan.volumes = f->volumes;
	f->plan.volume_count = 1;
	f->plan.files = f->files;
	v->kind = POD_DIRECTORY;
	v->name = fixture_text(f, 0, name);
	v->directory = fixture_text(f, 1, at(directory));
	v->source = fixture_text(f, 2,
	    at(source[0] != '\0' ? source : directory));
	v->target = fixture_text(f, 3, "/mnt");
	v->is_made = true;
}

static void
fixture_host(struct fixture *f, const char *path, enum pod_path type)
{
	fixture_init(f, "host", path, "");
	f->volumes[0].directory = xstrdup(at(path));
	f->volumes[0].source = xstrdup(at(path));
	f->volumes[0].within = fixture_text(f, 4, at("/open"));
	f->volumes[0].path = type;
}

static void
fixture_host_release(struct fixture *f)
{
	free(f->volumes[0].directory);
	free(f->volumes[0].source);
}

static void
fixture_add(struct fixture *f, const char *path, mode_t mode, const char *bytes)
{
	struct container_file *file = &f->files[f->plan.file_count++];

	file->path = (char *)(uintptr_t)path;
	file->mode = mode;
	file->bytes = (char *)(uintptr_t)bytes;
	file->size = strlen(bytes);
}

/* "", or the reason with the test's directory as "~". */
static const char *
make_disk(struct container_plan *plan, enum error_code *code)
{
	static char text[1024];
	struct error e = { .text = "", .code = ERROR_NONE };
	const size_t length = strlen(root);
	char *p;

	text[0] = '\0';
	*code = ERROR_NONE;
	if (pod_disk_make(plan, pod, &e) == 0)
		return text;
	*code = e.code;
	(void)snprintf(text, sizeof(text), "%s", e.text);
	while ((p = strstr(text, root)) != NULL) {
		*p = '~';
		memmove(p + 1, p + length, strlen(p + length) + 1);
	}
	return text;
}

static void
check_made(struct fixture *f, const char *name)
{
	enum error_code code;

	is_str(make_disk(&f->plan, &code), "", name);
}

static void
check_refused(struct fixture *f, enum error_code wanted, const char *reason)
{
	enum error_code code;

	is_str(make_disk(&f->plan, &code), reason, reason);
	is_int(code, wanted, "its code");
}

static void
test_empty(void)
{
	struct fixture f;

	fixture_init(&f, "data", "/pod/volumes/data", "");
	check_made(&f, "an emptyDir");
	is_int(mode_at("/pod/volumes"), 0700, "mode of volumes");
	is_int(mode_at("/pod/volumes/data"), 0700, "mode of the emptyDir");
	put("/pod/volumes/data/kept", "before");
	check_made(&f, "the same after a restart");
	is_str(text_at("/pod/volumes/data/kept"), "before",
	    "what it holds stays");
	fixture_init(&f, "data", "/pod/volumes/data", "/pod/volumes/data/a/b");
	check_made(&f, "a subPath");
	is_int(mode_at("/pod/volumes/data/a/b"), 0700, "its directory");
	is_str(text_at("/pod/volumes/data/kept"), "before",
	    "what is beside it stays");
	f.volumes[0].kind = POD_MEMORY;
	f.volumes[0].directory = f.volumes[0].source = NULL;
	check_made(&f, "a volume in memory needs nothing");
}

static void
test_files(void)
{
	struct fixture f;
	const mode_t mask = umask(077);

	fixture_init(&f, "conf", "/pod/volumes/conf", "");
	f.volumes[0].has_files = true;
	fixture_add(&f, "volumes/conf/a.conf", 0644, "a = 1\n");
	fixture_add(&f, "volumes/conf/d/e/token", 0400, "t");
	fixture_add(&f, "volumes/confused/x", 0600, "another volume's");
	check_made(&f, "files");
	is_str(text_at("/pod/volumes/conf/a.conf"), "a = 1\n", "a text");
	is_int(mode_at("/pod/volumes/conf/a.conf"), 0644,
	    "its mode, whatever the umask");
	is_str(text_at("/pod/volumes/conf/d/e/token"), "t", "further down");
	is_int(mode_at("/pod/volumes/conf/d/e/token"), 0400, "its mode");
	is_int(mode_at("/pod/volumes/conf/d/e"), 0700, "its directory");
	is_str(text_at("/pod/volumes/conf/x"), "(none)",
	    "none of another volume");

	/* The next start, with one file less, one new, and a subPath. */
	put("/pod/volumes/conf/stray", "of the pod");
	fixture_init(&f, "conf", "/pod/volumes/conf",
	    "/pod/volumes/conf/a.conf");
	f.volumes[0].has_files = true;
	f.volumes[0].is_made = false;
	fixture_add(&f, "volumes/conf/a.conf", 0600, "a = 2\n");
	f.volumes[1] = f.volumes[0];
	f.volumes[1].source = fixture_text(&f, 5,
	    at("/pod/volumes/conf/other"));
	f.volumes[1].is_made = true;
	f.plan.volume_count = 2;
	check_made(&f, "other files");
	is_str(text_at("/pod/volumes/conf/a.conf"), "a = 2\n", "new text");
	is_int(mode_at("/pod/volumes/conf/a.conf"), 0600, "new mode");
	is_str(text_at("/pod/volumes/conf/d"), "(none)", "old ones are gone");
	is_str(text_at("/pod/volumes/conf/stray"), "(none)",
	    "and what the pod left");
	is_str(text_at("/pod/volumes/conf/other"), "(directory)",
	    "the second mount's subPath");

	fixture_init(&f, "conf", "/pod/volumes/conf", "");
	f.volumes[0].has_files = true;
	check_made(&f, "no files");
	is_str(text_at("/pod/volumes/conf/a.conf"), "(none)", "none is left");
	(void)umask(mask);
}

/* What the pod has put there does not lead anywhere else. */
static void
test_links(void)
{
	struct fixture f;

	make("/outside");
	put("/outside/file", "untouched");
	fixture_init(&f, "evil", "/pod/volumes/evil", "");
	f.volumes[0].has_files = true;
	fixture_add(&f, "volumes/evil/d/file", 0600, "secret");
	make("/pod/volumes/evil");
	(void)symlink(at("/outside"), at("/pod/volumes/evil/d"));
	check_made(&f, "a link within the volume is replaced");
	is_str(text_at("/pod/volumes/evil/d/file"), "secret", "the file");
	is_str(text_at("/outside/file"), "untouched", "what it led to");

	(void)symlink(at("/outside"), at("/pod/volumes/link"));
	f.volumes[0].name = fixture_text(&f, 0, "link");
	f.volumes[0].directory = f.volumes[0].source = fixture_text(&f, 1,
	    at("/pod/volumes/link"));
	check_refused(&f, ERROR_UNSAFE,
	    "volume link: ~/pod/volumes/link is a symbolic link, but must be a "
	    "directory; remove it");
	is_str(text_at("/outside/file"), "untouched", "nothing was removed");

	make("/claim");
	(void)symlink(at("/outside"), at("/claim/to"));
	(void)symlink(at("/outside/file"), at("/claim/file"));
	fixture_init(&f, "c", "/claim", "/claim/to/new");
	check_refused(&f, ERROR_UNSAFE,
	    "volume c: ~/claim/to is a symbolic link, but must be a directory; "
	    "remove it");
	fixture_init(&f, "c", "/claim", "/claim/file");
	check_refused(&f, ERROR_UNSAFE,
	    "volume c: ~/claim/file is a symbolic link, but must be a "
	    "directory; remove it");
	is_str(text_at("/outside/new"), "(none)", "nothing was made");
}

static void
test_claims(void)
{
	struct fixture f;

	put("/claim/plain", "kept");
	fixture_init(&f, "c", "/claim", "");
	f.volumes[0].is_made = false;
	check_made(&f, "a claim");
	fixture_init(&f, "c", "/claim", "/claim/plain");
	check_made(&f, "a file of a claim");
	is_str(text_at("/claim/plain"), "kept", "it stays as it is");
	fixture_init(&f, "c", "/claim", "/claim/runs/7");
	check_made(&f, "a new directory of a claim");
	is_str(text_at("/claim/runs/7"), "(directory)", "it is made");
	fixture_init(&f, "c", "/claim", "/claim/none");
	f.volumes[0].is_made = false;
	check_refused(&f, ERROR_NOT_FOUND,
	    "volume c: cannot open directory ~/claim/none: No such file or "
	    "directory");
	fixture_init(&f, "c", "/claim", "/claim/plain/x");
	check_refused(&f, ERROR_INVALID,
	    "volume c: cannot make directory ~/claim/plain: Not a directory");
	fixture_init(&f, "c", "/nothing", "");
	check_refused(&f, ERROR_NOT_FOUND,
	    "volume c: cannot open directory ~/nothing: No such file or "
	    "directory");
}

static void
make_socket(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
	if (bind(s, (struct sockaddr *)&a, sizeof(a)) != 0 || close(s) != 0)
		abort();
}

static void
test_host_paths(void)
{
	static const struct {
		const char *path;
		enum pod_path type;
		enum error_code code;
		const char *reason;
	} rows[] = {
		{ "/open/dir", POD_PATH_ANY, ERROR_NONE, "" },
		{ "/open/dir", POD_PATH_DIRECTORY, ERROR_NONE, "" },
		{ "/open/dir", POD_PATH_MAKE_DIRECTORY, ERROR_NONE, "" },
		{ "/open", POD_PATH_DIRECTORY, ERROR_NONE, "" },
		{ "/open/file", POD_PATH_ANY, ERROR_NONE, "" },
		{ "/open/file", POD_PATH_FILE, ERROR_NONE, "" },
		{ "/open/file", POD_PATH_MAKE_FILE, ERROR_NONE, "" },
		{ "/open/inner", POD_PATH_DIRECTORY, ERROR_NONE, "" },
		{ "/open/s", POD_PATH_SOCKET, ERROR_NONE, "" },
		{ "/open/new/a", POD_PATH_MAKE_DIRECTORY, ERROR_NONE, "" },
		{ "/open/new/d/f", POD_PATH_MAKE_FILE, ERROR_NONE, "" },
		{ "/open/inner/b", POD_PATH_MAKE_DIRECTORY, ERROR_NONE, "" },
		{ "/open/none", POD_PATH_ANY, ERROR_NOT_FOUND,
		    "volume host: hostPath ~/open/none is missing; make it, or "
		    "give it the type DirectoryOrCreate" },
		{ "/open/none", POD_PATH_FILE, ERROR_NOT_FOUND,
		    "volume host: hostPath ~/open/none is missing; make it" },
		{ "/open/dir", POD_PATH_FILE, ERROR_INVALID,
		    "volume host: hostPath ~/open/dir: must be a file, as its "
		    "type requires" },
		{ "/open/file", POD_PATH_MAKE_DIRECTORY, ERROR_INVALID,
		    "volume host: hostPath ~/open/file: must be a directory, "
		    "as its type requires" },
		{ "/open/file", POD_PATH_SOCKET, ERROR_INVALID,
		    "volume host: hostPath ~/open/file: must be a socket, as "
		    "its type requires" },
		{ "/open/file", POD_PATH_CHARACTERS, ERROR_INVALID,
		    "volume host: hostPath ~/open/file: must be a character "
		    "device, as its type requires" },
		{ "/open/file", POD_PATH_BLOCKS, ERROR_INVALID,
		    "volume host: hostPath ~/open/file: must be a block "
		    "device, as its type requires" },
		{ "/open/out", POD_PATH_ANY, ERROR_DENIED,
		    "volume host: hostPath ~/open/out leads to ~/outside, "
		    "which is not below ~/open" },
		{ "/open/out/new", POD_PATH_MAKE_DIRECTORY, ERROR_DENIED,
		    "volume host: hostPath ~/open/out/new leads to "
		    "~/outside/new, which is not below ~/open" },
		{ "/opening", POD_PATH_ANY, ERROR_DENIED,
		    "volume host: hostPath ~/opening leads to ~/opening, which "
		    "is not below ~/open" },
	};
	enum error_code code;
	struct fixture f;
	struct stat st;
	size_t i;

	make("/open");
	make("/opening");
	make("/open/dir");
	put("/open/file", "kept");
	make_socket(at("/open/s"));
	(void)symlink("dir", at("/open/inner"));
	(void)symlink(at("/outside"), at("/open/out"));
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fixture_host(&f, rows[i].path, rows[i].type);
		is_str(make_disk(&f.plan, &code), rows[i].reason, rows[i].path);
		is_int(code, rows[i].code, "its code");
		fixture_host_release(&f);
	}
	is_str(text_at("/open/file"), "kept", "a file stays as it is");
	is_str(text_at("/open/new/a"), "(directory)", "made");
	ok(stat(at("/open/new/d/f"), &st) == 0 && S_ISREG(st.st_mode) &&
		st.st_size == 0,
	    "an empty file");
	is_str(text_at("/open/dir/b"), "(directory)", "by an inner link");
	is_str(text_at("/outside/new"), "(none)", "not by an outer one");
	fixture_host(&f, "/open/inner", POD_PATH_ANY);
	free(f.volumes[0].source);
	f.volumes[0].source = xstrdup(at("/open/inner/p/q"));
	check_made(&f, "a subPath of a hostPath");
	is_str(text_at("/open/dir/p/q"), "(directory)", "made as well");
	is_str(f.volumes[0].source, at("/open/dir/p/q"),
	    "the plan has its path without links");
	is_str(f.volumes[0].directory, at("/open/dir"), "and the volume's");
	f.volumes[0].within = fixture_text(&f, 4, "/");
	check_made(&f, "everything is below the root");
	fixture_host_release(&f);
	fixture_host(&f, "/open/inner", POD_PATH_ANY);
	f.volumes[0].within = fixture_text(&f, 4, at("/gone"));
	check_refused(&f, ERROR_DENIED,
	    "volume host: hostPath ~/open/inner leads to ~/open/dir, which is "
	    "not below ~/gone");
	fixture_host_release(&f);
}

static void
test_without_pod(void)
{
	struct fixture f;
	struct error e;

	fixture_init(&f, "data", "/none/volumes/data", "");
	is_int(pod_disk_make(&f.plan, at("/none"), &e), -1,
	    "a pod's directory that is not there");
	is_int(e.code, ERROR_NOT_FOUND, "its code");
	is_str(text_at("/none"), "(none)", "it is not made");
}

/* Whatever fails on the way: a reason that names the volume. */
static void
test_faults(void)
{
	struct error e;
	struct fixture f;
	long n;
	int status, passed = 0;

	fixture_init(&f, "v", "/pod/volumes/v", "/pod/volumes/v/s/t");
	f.volumes[0].has_files = true;
	fixture_add(&f, "volumes/v/a", 0600, "a");
	fixture_add(&f, "volumes/v/d/b", 0600, "b");
	for (n = 1; n < 100; n++) {
		e = (struct error){ .text = "", .code = ERROR_NONE };
		fault_arm(n, ENOSPC);
		status = pod_disk_make(&f.plan, pod, &e);
		fault_arm(0, 0);
		if (status == 0)
			break;
		passed += e.code == ERROR_NO_ROOM || e.code == ERROR_IO;
		passed -= strncmp(e.text, "volume v: ", 10) != 0;
	}
	ok(n > 5 && n < 100, "it has fault points, and an end");
	is_int(passed, n - 1, "each says so");
	is_str(text_at("/pod/volumes/v/d/b"), "b", "the last one succeeds");
}

/* How many descriptors are open. */
static int
count_open(void)
{
	int fd, count = 0;

	for (fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) != -1;
	return count;
}

int
main(void)
{
	const int before = count_open();

	root = realpath(tap_directory(), NULL);
	if (root == NULL)
		abort();
	pod = xstrdup(at("/pod"));
	make("/pod");
	test_empty();
	test_files();
	test_links();
	test_claims();
	test_host_paths();
	test_without_pod();
	test_faults();
	is_int(count_open(), before, "all that was opened is closed");
	free(pod);
	free(root);
	return tap_done();
}
