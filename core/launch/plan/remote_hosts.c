/*
 * Asks the hosts reached by an agent.  The answers come from /proc and stat(1),
 * because ipubox may be missing there.
 *
 * Two processes share a network if the boot of their kernel and their network
 * namespace are the same; they share a file if its device and inode are.
 */
#include "core/launch/plan/remote_hosts.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/launch/plan/on_hosts.h"
#include "core/launch/plan/plan.h"
#include "core/server/server.h"
#include "core/state/state.h"

enum { REMOTE_ASK_S = 40, REMOTE_FILE_MAX = 256 };

#define REMOTE_BOOT "ipubox-boot"
#define REMOTE_NETWORK "ipubox-network"
#define REMOTE_POD "ipubox-pod"
#define REMOTE_HAS "ipubox-addresses"
#define REMOTE_PLACE "ipubox-place"
#define REMOTE_INPUT "ipubox-input"
#define REMOTE_READY "ipubox-ready"

#define BOOT_FILE "/proc/sys/kernel/random/boot_id"
#define NETWORK_LINK "/proc/self/ns/net"

/* $1 and so on: the pod's files.  busybox's hostname(1) lacks -I. */
static const char remote_script[] =
    "read -r x; echo " REMOTE_INPUT " $x; echo " REMOTE_BOOT " $(cat " BOOT_FILE
    "); echo " REMOTE_NETWORK " $(readlink " NETWORK_LINK "); echo " REMOTE_POD
    " $(stat -L -c %d:%i \"$@\"); echo " REMOTE_PLACE " $(cat " BOOT_FILE
    ") $(hostname) $(stat -L -c %d:%i \"${TMPDIR:-/tmp}\"); echo " REMOTE_HAS
    " $(hostname -I || hostname -i); echo " REMOTE_READY;

/* The lines that a host prints if it is this one. */
struct remote_own {
	char *boot, *network, *pod, *input;
	struct strvec files; /* the pod's */
};

static char *
remote_own_boot(void)
{
	size_t size;
	char *text = file_read(BOOT_FILE, REMOTE_FILE_MAX, &size, NULL);
	char *line = xasprintf(REMOTE_BOOT " %.*s",
	    text == NULL ? 0 : (int)strcspn(text, "\n"),
	    text == NULL ? "" : text);

	free(text);
	return line;
}

static char *
remote_own_network(void)
{
	char text[REMOTE_FILE_MAX];
	ssize_t size = readlink(NETWORK_LINK, text, sizeof(text));

	return xasprintf(REMOTE_NETWORK " %.*s", size > 0 ? (int)size : 0,
	    text);
}

/* Add a file, or the nearest existing directory in which it would be made. */
static void
remote_add_file(struct strvec *files, const char *path)
{
	char *there = xstrdup(path), *above;
	struct stat st;

	while (stat(there, &st) != 0 && strcmp(there, "/") != 0 &&
	    strcmp(there, ".") != 0) {
		above = path_directory_name(there);
		free(there);
		there = above;
	}
	strvec_take(files, there);
}

/* Find the state, the registry, and the socket of a server with that state. */
static void
remote_find_files(struct strvec *files)
{
	struct state_paths paths;
	char *socket;

	if (paths_find(&paths, NULL) != 0)
		return;
	remote_add_file(files, paths.directory);
	remote_add_file(files, paths.registry);
	socket = xasprintf("%s/%s", server_socket_directory(paths.directory),
	    SERVER_SOCKET_NAME);
	if (access(socket, F_OK) == 0)
		strvec_add(files, socket);
	free(socket);
}

static char *
remote_own_pod(const struct strvec *files)
{
	struct memstream m;
	char *identity;
	size_t i;

	(void)memstream_open(&m);
	fputs(REMOTE_POD, m.file);
	for (i = 0; i < files->count; i++) {
		identity = on_hosts_identity(files->items[i]);
		fprintf(m.file, " %s", identity);
		free(identity);
	}
	return memstream_close(&m, NULL);
}

static void
remote_own_init(struct remote_own *o)
{
	strvec_init(&o->files);
	remote_find_files(&o->files);
	o->boot = remote_own_boot();
	o->network = remote_own_network();
	o->pod = remote_own_pod(&o->files);
	o->input = xasprintf(REMOTE_INPUT " %ld", (long)getpid());
}

static void
remote_own_release(struct remote_own *o)
{
	strvec_release(&o->files);
	free(o->boot);
	free(o->network);
	free(o->pod);
	free(o->input);
}

/* Return the text after the key on the line that begins with it; the caller
   frees it. */
static char *
remote_value(const struct on_hosts_one *one, const char *key)
{
	char *start = xasprintf("\n%s ", key), *value;
	const char *line = one->good ? strstr(one->child.out.text, start) :
				       NULL;

	if (line != NULL)
		line += strlen(start);
	value = xasprintf("%.*s", line == NULL ? 0 : (int)strcspn(line, "\r\n"),
	    line == NULL ? "" : line);
	free(start);
	return value;
}

static void
remote_take(struct remote_hosts *r, const struct remote_own *own,
    const struct on_hosts_one *one)
{
	const bool same = one->good && on_hosts_printed(one, own->boot);

	r->share_network = r->share_network && same &&
	    on_hosts_printed(one, own->network);
	r->share_pod = r->share_pod && same && own->files.count > 0 &&
	    on_hosts_printed(one, own->pod);
	r->share_input = r->share_input && one->good &&
	    on_hosts_printed(one, own->input);
	strvec_add(&r->hosts, one->host);
	strvec_take(&r->addresses, remote_value(one, REMOTE_HAS));
}

/* Warn about hosts with the same name and the same directory for temporary
   files: mpirun's daemons there would make a directory of one name, and one of
   them fails if they do so at the same moment. */
static void
remote_check_places(const struct on_hosts *o)
{
	struct strvec places;
	size_t i, k;

	strvec_init(&places);
	for (i = 0; i < o->count; i++) {
		strvec_take(&places, remote_value(&o->all[i], REMOTE_PLACE));
		for (k = 0; k < i; k++)
			if (strcmp(places.items[k], places.items[i]) == 0)
				break;
		if (k == i || places.items[i][0] == '\0')
			continue;
		job_log_warning(
		    "hosts %s and %s have the same hostname and the same "
		    "temporary directory, in which mpirun's daemons sometimes "
		    "collide: give each host its own hostname or TMPDIR",
		    o->all[k].host, o->all[i].host);
		break;
	}
	strvec_release(&places);
}

/* Judge the answers of all hosts. */
static int
remote_judge(struct remote_hosts *r, const struct remote_own *own,
    const struct on_hosts *o, struct error *e)
{
	const struct on_hosts_one *one, *lost = NULL;
	size_t others = 0;

	r->share_network = r->share_pod = r->share_input = true;
	for (one = o->all; one < o->all + o->count; one++) {
		remote_take(r, own, one);
		if (!one->good && lost == NULL)
			lost = one;
		else if (!one->good)
			others++;
	}
	remote_check_places(o);
	if (lost == NULL)
		return 0;
	on_hosts_explain(o, lost, e);
	if (others > 0)
		(void)error_append(e, " (and %zu more)", others);
	return error_prefix(e, "cannot reach host %s by %s", lost->host,
	    remote_agent_name(o->agent));
}

static const char *
remote_word(bool yes)
{
	return yes ? "yes" : "no";
}

int
remote_hosts_ask(struct plan *p, const sigset_t *mask, struct error *e)
{
	struct remote_hosts *r = &p->remote;
	struct remote_own own;
	struct on_hosts o;
	struct on_hosts_work work = { .script = remote_script,
		.limit_s = REMOTE_ASK_S,
		.mark = REMOTE_READY };
	int status, signal;

	remote_hosts_release(r);
	if (p->far == NULL || !p->agent.has_names)
		return 0;
	/* srun passes standard input on, and a pod on a server or none at all
	   is not a file of this host. */
	if (p->agent.is_slurm &&
	    (p->settings->offline || strcmp(p->server.host, "local") != 0)) {
		r->share_input = true;
		return 0;
	}
	remote_own_init(&own);
	work.input = own.input + sizeof(REMOTE_INPUT);
	if (own.files.count > 0)
		strvec_add_all(&work.words, own.files.items);
	status = on_hosts_init(&o, &p->agent, &p->hosts, false, mask, e);
	if (status == 0 && (signal = on_hosts_run(&o, &work)) != 0) {
		(void)raise(signal);
		status = error_set_code(e, ERROR_INTERRUPTED, "a signal came");
	} else if (status == 0)
		status = remote_judge(r, &own, &o, e);
	if (status == 0)
		job_log_line(LOG_INFO,
		    "The hosts that %s reaches share this one's network: %s, "
		    "pod: %s",
		    remote_agent_name(&p->agent), remote_word(r->share_network),
		    remote_word(r->share_pod));
	on_hosts_release(&o);
	strvec_release(&work.words);
	remote_own_release(&own);
	return status;
}

void
remote_hosts_release(struct remote_hosts *r)
{
	strvec_release(&r->hosts);
	strvec_release(&r->addresses);
	r->share_network = r->share_pod = r->share_input = false;
}

const char *
remote_hosts_addresses(const struct remote_hosts *r, const char *host)
{
	size_t i;

	for (i = 0; i < r->hosts.count; i++)
		if (strcmp(r->hosts.items[i], host) == 0)
			return r->addresses.items[i];
	return NULL;
}
