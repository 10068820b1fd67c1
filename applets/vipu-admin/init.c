/*
 * vipu-admin init: replace the pod by a built-in one or one from a file, and
 * create the partitions of the file.
 */
#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "core/base/embedded.h"
#include "core/base/files/file.h"
#include "core/base/files/file_link.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/pod/document/document.h"
#include "core/pod/edit/edit.h"
#include "core/pod/pod.h"
#include "core/server/server.h"
#include "core/state/state.h"

enum { POD_FILE_MAX = 16 << 20 }; /* bytes */

static const char init_default_pod[] = "pod64";

const struct option_row init_options[] = {
	{ KEY_POD, "pod", "POD",
	    "make this pod, which vipu-admin --help lists or a file describes "
	    "(default: pod64)" },
	{ KEY_FORCE, "force", NULL, "remove the existing partitions" },
	{ KEY_SECURE, "secure", NULL,
	    "let only users with an access key use the pod" },
	{ KEY_NO_SECURE, "no-secure", NULL, "let everybody use the new pod" },
	{ KEY_DEFAULT_USER, "default-user-id", "ID",
	    "with --secure: name the first user (default: your name)" },
	{ 0 },
};

/* Whether the word is a file's name, not a pod's. */
static bool
is_file(const char *pod)
{
	size_t len = strlen(pod);

	return strchr(pod, '/') != NULL ||
	    (len > 4 && strcmp(pod + len - 4, ".ini") == 0);
}

/* Refuse an unknown built-in pod, with the nearest name. */
static int
refuse_pod(const char *name, struct error *e)
{
	const struct embedded_file *p;
	struct suggestion nearest;

	suggest_begin(&nearest, name);
	suggest_offer(&nearest, discovery_empty_pod);
	for (p = embedded_pods; p->name != NULL; p++)
		suggest_offer(&nearest, p->name);
	(void)error_set(e,
	    "pod '%s' does not exist; vipu-admin --help lists the pods, and a "
	    "file needs a path or the form NAME.ini",
	    name);
	return suggest_append(&nearest, "", e);
}

/*
 * Read a built-in pod, the empty one, or a file; its faults are reported by
 * line.
 */
static int
read_pod(struct document *d, const char *name, struct error *e)
{
	const char *text;
	char *file;
	size_t size;
	int status;

	pod_init(&d->pod);
	if (strcmp(name, discovery_empty_pod) == 0) {
		(void)strlcpy(d->pod.name, discovery_empty_pod,
		    sizeof(d->pod.name));
		return 0;
	}
	if (!is_file(name)) {
		text = pod_embedded(name);
		if (text == NULL)
			return refuse_pod(name, e);
		return document_parse(d, name, text, e);
	}
	file = file_read(name, POD_FILE_MAX, &size, e);
	if (file == NULL)
		return -1;
	status = strlen(file) != size ?
	    error_set(e, "%s: must be a text file, but holds a NUL byte",
		name) :
	    document_parse(d, name, file, e);
	free(file);
	return status;
}

/*
 * Remember the partitions that a forced init removes.  An unreadable state has
 * none; it may be the reason for the init.
 */
static void
remember_partitions(struct snapshot *s)
{
	struct registry registry;

	memset(s, 0, sizeof(*s));
	if (state_open_reader(&registry, NULL) != 0)
		return;
	(void)snapshot_take(&registry, s, NULL);
	registry_close(&registry);
}

/* Remove the IPUoF files of removed partitions. */
static void
remove_files(const struct snapshot *s)
{
	struct error error;
	bool removed;
	int i;

	for (i = 0; i < s->partition_count; i++)
		if (ipuof_files_remove(&s->partitions[i], &removed, &error) !=
		    0)
			fprintf(stderr, "vipu-admin: warning: %s\n",
			    error.text);
}

/*
 * Create the pod.  Without --secure the security of the old pod stays.  The key
 * is shown once: only its hash is stored.
 */
static int
init(const struct call *call, const struct state_paths *paths,
    const struct pod *pod, struct error *e)
{
	struct new_pod n = { .force = call->values[KEY_FORCE] != NULL,
		.mode = call->values[KEY_NO_SECURE] != NULL ? NEW_POD_OPEN :
							      NEW_POD_KEEP };
	char key[ACCESS_KEY_SIZE];
	struct user user;

	if (call->values[KEY_SECURE] == NULL) {
		if (new_pod_init(paths, pod, &n, e) != 0)
			return -1;
		printf("init pod (%s): success.\n", pod->name);
		if (n.secure) {
			(void)fflush(stdout);
			fprintf(stderr,
			    "vipu-admin: note: the pod is in secure mode, as "
			    "the old one was, and its users stay; --no-secure "
			    "opens it\n");
		}
		return 0;
	}
	n.mode = NEW_POD_SECURE;
	n.user = &user;
	if (users_make_first(&user, call->values[KEY_DEFAULT_USER], pod, key,
		e) != 0 ||
	    new_pod_init(paths, pod, &n, e) != 0)
		return -1;
	printf("init pod (%s): success.\n", pod->name);
	printf("Default user is: %s\nAccess Key is: %s\n", user.name, key);
	(void)fflush(stdout);
	fprintf(stderr,
	    "vipu-admin: note: keys guard only against mistakes; every user "
	    "with write access to %s can do anything with the pod, see "
	    "ipubox.conf(5)\n",
	    paths->directory);
	return 0;
}

/* Create a partition and its IPUoF files, like vipu create partition. */
static int
make_partition(const struct call *call, struct controller *c,
    struct partition_request *r, struct error *e)
{
	if ((r->relocatable ||
		ipuof_files_directory(
		    call->config.values[CONFIG_IPUOF_LOCATION],
		    r->ipuof_directory, sizeof(r->ipuof_directory), e) == 0) &&
	    create_partition(c, r, NULL, e) == 0) {
		printf("create partition (%s): success\n", r->name);
		return 0;
	}
	return error_prefix(e, "create partition (%s): failed", r->name);
}

/*
 * Create the partitions of the file.  Their places were found when the file was
 * read, so failures come from the disk or from another user of the pod.
 */
static int
make_partitions(const struct call *call, const struct document *d,
    struct error *e)
{
	struct controller *c;
	int i, status = 0;

	if (d->partition_count == 0)
		return 0;
	if ((c = call_open(call, e)) == NULL)
		return -1;
	for (i = 0; i < d->partition_count && status == 0; i++)
		status = make_partition(call, c, &d->partitions[i].request, e);
	call_close(call, c);
	return status == 0 ?
	    0 :
	    error_append(e,
		" (%d of %d partitions were made; init --force starts again)",
		i - 1, d->partition_count);
}

/*
 * The partitions that --force removes are remembered first.  Their files are
 * removed after the change, and before new files are written.
 */
int
init_pod(const struct call *call)
{
	const char *name = call->values[KEY_POD];
	bool force = call->values[KEY_FORCE] != NULL;
	struct state_paths paths;
	struct snapshot old = { .partition_count = 0 };
	struct error error;
	struct document d = { .partition_count = 0 };
	struct server_request server = config_server(&call->config);
	int status;

	if (call->values[KEY_DEFAULT_USER] != NULL &&
	    call->values[KEY_SECURE] == NULL)
		return call_misuse(call, "--default-user-id needs --secure");
	if (call->values[KEY_NO_SECURE] != NULL &&
	    call->values[KEY_SECURE] != NULL)
		return call_misuse(call,
		    "--secure and --no-secure exclude each other");
	if (server_address_require_local(&server, &error) != 0)
		return call_error(call, &error);
	if (paths_find(&paths, &error) != 0 ||
	    read_pod(&d, name != NULL ? name : init_default_pod, &error) != 0) {
		document_release(&d);
		return applet_failed(call->applet, &error);
	}
	if (force)
		remember_partitions(&old);
	status = init(call, &paths, &d.pod, &error);
	if (status == 0) {
		remove_files(&old);
		status = make_partitions(call, &d, &error);
	} else {
		(void)error_prefix(&error, "init pod (%s): failed", d.pod.name);
	}
	snapshot_release(&old);
	document_release(&d);
	return status == 0 ? EXIT_DONE : applet_failed(call->applet, &error);
}

/* ---- export ---- */

/*
 * A damaged partition would be missing from the file, so nothing is written.
 */
int
export_pod(const struct call *call)
{
	struct controller *c;
	struct snapshot s;
	struct error error;
	char *text;
	int status;

	if ((c = call_open(call, &error)) == NULL)
		return applet_failed(call->applet, &error);
	status = transaction_list(c, &s, &error);
	call_close(call, c);
	if (status != 0)
		return applet_failed(call->applet, &error);
	if (s.damaged > 0) {
		(void)error_set(&error, "a partition cannot be read: %s",
		    s.damage);
		snapshot_release(&s);
		return applet_failed(call->applet, &error);
	}
	text = document_text(&s.pod, s.partitions, s.partition_count);
	snapshot_release(&s);
	if (call->name == NULL || strcmp(call->name, "-") == 0)
		fputs(text, stdout);
	else
		status = output_file_write(call->name, OUTPUT_STREAM, text,
		    strlen(text), &error);
	free(text);
	return status == 0 ? EXIT_DONE : applet_failed(call->applet, &error);
}
