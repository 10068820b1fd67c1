/*
 * Finds the partition that a program on this host sees.  The first of these
 * that names one counts:
 *
 *  1. IPUOF_VIPU_API_PARTITION_ID, with IPUOF_VIPU_API_GCD_ID, of the server
 *     that IPUOF_VIPU_API_HOST names (core/control/server_address.h)
 *  2. the file IPUOF_CONFIG_PATH
 *  3. the one file in ~/.ipuof.conf.d, then in /etc/ipuof.conf.d
 *
 * Files of several GCDs of one partition count as one and show it whole.  Files
 * of several partitions in one directory are ignored, as the guide warns;
 * `warning` says so.
 *
 * Source: V-IPU user guide 5.7, 5.8.
 */
#include "ipu/device/visible_devices.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <dirent.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/server/server.h"
#include "core/state/state.h"

/* Take the server that the environment names.  Without `remote` it must be this
   host's. */
static int
find_server(struct visible_name *c, bool remote, struct error *e)
{
	struct server_request server = {
		.host = variable_get("IPUOF_VIPU_API_HOST"),
		.port = variable_get("IPUOF_VIPU_API_PORT"),
		.origin = "IPUOF_VIPU_API_HOST",
	};
	char note[SERVER_ADDRESS_NOTE_SIZE];

	if (server.host == NULL)
		return 0;
	if (server_program_timeout(&server.timeout_ms, e) != 0)
		return -1;
	if (!remote) {
		(void)strlcpy(c->warning, server_address_note(&server, note),
		    sizeof(c->warning));
		return server_address_require_local(&server, e);
	}
	if (server_address_check(&server, e) != 0)
		return -1;
	c->timeout_ms = server.timeout_ms;
	c->origin = server.origin;
	(void)strlcpy(c->host, server.host, sizeof(c->host));
	(void)strlcpy(c->port, server.port == NULL ? "" : server.port,
	    sizeof(c->port));
	return 0;
}

static int
choose_by_name(struct visible_name *c, const char *name, bool remote,
    struct error *e)
{
	if (find_server(c, remote, e) != 0)
		return -1;
	if (strlcpy(c->reference.partition, name,
		sizeof(c->reference.partition)) >=
	    sizeof(c->reference.partition))
		return error_set(e,
		    "IPUOF_VIPU_API_PARTITION_ID: is too long for a "
		    "partition's name");
	(void)strlcpy(c->source, "IPUOF_VIPU_API_PARTITION_ID",
	    sizeof(c->source));
	c->reference.gcd = -1;
	return 0;
}

static bool
is_socket(const char *host)
{
	return host[0] == '/';
}

/* Whether two files are of the same partition. */
static bool
is_same_partition(const struct ipuof_reference *a,
    const struct ipuof_reference *b)
{
	return a->identity[0] != '\0' &&
	    strcmp(a->identity, b->identity) == 0 &&
	    strcmp(a->state, b->state) == 0 &&
	    strcmp(a->partition, b->partition) == 0;
}

/* Read a file and find whether programs may use it.  If it is of another pod of
   this host, and this user reaches the server of that, they may, and the file's
   server is the socket.  A file of the partition of `known`, which is usable
   (NULL: none), is not judged again. */
static int
read_file(const char *path, const struct ipuof_reference *known,
    struct ipuof_reference *r, enum ipuof_standing *standing, struct error *e)
{
	char at[SERVER_SOCKET_PATH_SIZE];

	if (ipuof_parse(path, r, e) != 0)
		return -1;
	*standing = IPUOF_USABLE;
	if (r->host[0] != '\0')
		return 0;
	if (known != NULL && is_same_partition(r, known)) {
		if (is_socket(known->host))
			(void)strlcpy(r->host, known->host, sizeof(r->host));
		return 0;
	}
	*standing = ipuof_find_standing(r);
	if (*standing == IPUOF_ELSEWHERE &&
	    server_socket_answers(strchr(r->state, ':') + 1, at) &&
	    strlen(at) < sizeof(r->host)) {
		(void)strlcpy(r->host, at, sizeof(r->host));
		*standing = IPUOF_USABLE;
	}
	return 0;
}

static int
choose_by_file(struct visible_name *c, const char *path, struct error *e)
{
	struct ipuof_reference *r = &c->reference;
	enum ipuof_standing standing;
	char remedy[SERVER_REMEDY_SIZE];

	(void)strlcpy(c->source, path, sizeof(c->source));
	if (read_file(path, NULL, r, &standing, e) != 0)
		return -1;
	return standing != IPUOF_ELSEWHERE ?
	    0 :
	    error_set_code(e, ERROR_NOT_FOUND,
		"%s: partition %s is of another pod; %s", path, r->partition,
		server_socket_remedy(strchr(r->state, ':') + 1, remedy));
}

/* Return the directory's next file that is not hidden or temporary, or NULL. */
static char *
next_file(DIR *dir, const char *directory)
{
	struct dirent *entry;
	struct stat st;
	char *path;

	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		path = xasprintf("%s/%s", directory, entry->d_name);
		if (entry->d_type == DT_REG ||
		    (stat(path, &st) == 0 && S_ISREG(st.st_mode)))
			return path;
		free(path);
	}
	return NULL;
}

/* Add a file.  Returns 0 if it is of the same partition as the previous ones,
   which then show that partition whole; -1 if the directory must be ignored. */
static int
add_file(struct visible_name *c, const char *path,
    const struct ipuof_reference *r, struct error *e)
{
	if (strcmp(r->partition, c->reference.partition) != 0)
		return error_set(e,
		    "%s belongs to partition %s, but another file to partition "
		    "%s",
		    path_base_name(path), r->partition, c->reference.partition);
	if (strcmp(r->host, c->reference.host) != 0 ||
	    strcmp(r->port, c->reference.port) != 0)
		return error_set(e,
		    "%s names another server than another file of partition %s",
		    path_base_name(path), r->partition);
	if (r->gcd != c->reference.gcd)
		c->reference.gcd = -1;
	return 0;
}

/* Warn of a file that programs skip: its partition no longer exists, or is of
   another pod. */
static void
warn_of_skipped(struct visible_name *c, const char *path,
    const struct ipuof_reference *r, enum ipuof_standing standing)
{
	char remedy[SERVER_REMEDY_SIZE];

	if (standing == IPUOF_GONE)
		(void)snprintf(c->warning, sizeof(c->warning),
		    "%s: ignored, its partition %s no longer exists; "
		    "`vipu doctor --fix` removes the file, which on a Pod "
		    "would hide the other files of its directory",
		    path, r->partition);
	else if (standing == IPUOF_ELSEWHERE && c->warning[0] == '\0')
		(void)snprintf(c->warning, sizeof(c->warning),
		    "%s: ignored, partition %s is of another pod; %s", path,
		    r->partition,
		    server_socket_remedy(strchr(r->state, ':') + 1, remedy));
}

/* The files of a directory, while one is chosen. */
struct visible_files {
	int count;     /* without those that are skipped */
	bool gone;     /* a partition no longer exists */
	bool is_valid; /* the first file could be read */
	bool is_one;   /* all are of one partition */
};

/* Take a file, unless it is skipped.  One whose server is a socket is skipped
   without a warning, unless `by_socket`. */
static void
take_file(struct visible_name *c, const char *path, bool by_socket,
    struct visible_files *f, struct error *reason)
{
	struct ipuof_reference r;
	enum ipuof_standing standing = IPUOF_USABLE;
	struct error e;
	int status = read_file(path, &c->reference, &r, &standing, &e);

	if (status == 0 &&
	    (standing != IPUOF_USABLE || (is_socket(r.host) && !by_socket))) {
		warn_of_skipped(c, path, &r, standing);
		f->gone |= standing == IPUOF_GONE;
		return;
	}
	if (f->count++ == 0) {
		(void)strlcpy(c->source, path, sizeof(c->source));
		f->is_valid = f->is_one = status == 0;
		if (status == 0)
			c->reference = r;
	} else if (f->is_one) {
		if (status == 0)
			status = add_file(c, path, &r, &e);
		f->is_one = status == 0;
	} else
		return;
	if (status != 0)
		(void)error_copy(reason, &e);
}

/* Choose the only file of a directory, or the GCDs of one partition.  A single
   file must be valid; among several, any other file makes the directory count
   as empty, with a warning that says why. */
static int
choose_among(struct visible_name *c, const char *directory, bool by_socket,
    struct error *e)
{
	DIR *dir = opendir(directory);
	struct visible_files f = { .is_one = true };
	struct error reason = { .text = "" };
	char *path;

	if (dir == NULL)
		return 0;
	while ((path = next_file(dir, directory)) != NULL) {
		take_file(c, path, by_socket, &f, &reason);
		free(path);
	}
	(void)closedir(dir);
	/* With a file of this pod, those of other pods do not matter. */
	if (f.count > 0 && !f.gone)
		c->warning[0] = '\0';
	if (f.count == 1 && !f.is_valid)
		return error_set(e, "%s", reason.text);
	if (!f.is_one) {
		memset(&c->reference, 0, sizeof(c->reference));
		(void)snprintf(c->warning, sizeof(c->warning),
		    "%s: ignored; it must contain only the files of one "
		    "partition: %.120s",
		    directory, reason.text);
	} else if (f.count > 1)
		(void)strlcpy(c->source, directory, sizeof(c->source));
	return 0;
}

/* Prefer the files of this process's pod to those of others. */
static int
choose_by_directory(struct visible_name *c, const char *directory,
    struct error *e)
{
	int status = choose_among(c, directory, false, e);

	return status == 0 && c->reference.partition[0] == '\0' ?
	    choose_among(c, directory, true, e) :
	    status;
}

/* Return ~/.ipuof.conf.d, which the caller frees; NULL: no home directory. */
static char *
home_directory(void)
{
	const char *home = variable_get("HOME");
	const struct passwd *user;

	if (home == NULL) {
		user = getpwuid(getuid());
		home = user != NULL ? user->pw_dir : NULL;
	}
	return home != NULL ? xasprintf("%s/.ipuof.conf.d", home) : NULL;
}

/* Search in the order above; c->source stays "" if nothing is named. */
static int
visible_devices_choose(struct visible_name *c, bool remote, struct error *e)
{
	const char *name = variable_get("IPUOF_VIPU_API_PARTITION_ID");
	const char *path = variable_get("IPUOF_CONFIG_PATH");
	char *directory;
	int status = 0;

	memset(c, 0, sizeof(*c));
	if (name != NULL)
		return choose_by_name(c, name, remote, e);
	if (path != NULL) {
		status = choose_by_file(c, path, e);
		return status == 0 ? 0 : error_prefix(e, "IPUOF_CONFIG_PATH");
	}
	if ((directory = home_directory()) != NULL) {
		status = choose_by_directory(c, directory, e);
		free(directory);
	}
	if (status == 0 && c->reference.partition[0] == '\0')
		status = choose_by_directory(c, IPUOF_SYSTEM_DIRECTORY, e);
	return status;
}

/* Whether programs search that directory by default. */
static bool
is_searched(const char *directory)
{
	char *home = home_directory();
	bool is_home = home != NULL && strcmp(directory, home) == 0;

	free(home);
	return is_home || strcmp(directory, IPUOF_SYSTEM_DIRECTORY) == 0;
}

/* Warn if a partition has lost its file, for example by a killed removal. */
static void
warn_of_missing(struct visible_devices *v)
{
	const struct snapshot *s = &v->snapshot;
	const struct partition *p = s->partitions;
	char path[IPUOF_PATH_SIZE];

	for (; p < s->partitions + s->partition_count; p++) {
		if (!is_searched(p->ipuof_directory) ||
		    !ipuof_files_are_missing(p, path))
			continue;
		(void)snprintf(v->warning, sizeof(v->warning),
		    "partition %s exists, but its IPUoF file %s is missing; "
		    "`vipu reset partition %s` writes it again",
		    p->name, path, p->name);
		return;
	}
}

/* Find a partition that could be chosen: active, with a single GCD. */
static void
find_other(struct visible_devices *v)
{
	const struct snapshot *s = &v->snapshot;
	const struct partition *p = s->partitions;

	for (; p < s->partitions + s->partition_count; p++)
		if (p->state == PS_ACTIVE && p->num_gcds == 1) {
			v->other = p;
			return;
		}
}

/* Choose the GCD that the environment names, unless a file has chosen one. */
static int
choose_gcd(struct visible_name *c, struct error *e)
{
	const char *text = variable_get("IPUOF_VIPU_API_GCD_ID");
	long long gcd;

	if (text == NULL || c->reference.gcd >= 0)
		return 0;
	if (parse_number("IPUOF_VIPU_API_GCD_ID", text, 0, INT_MAX, &gcd, e) !=
	    0)
		return -1;
	c->reference.gcd = (int)gcd;
	return 0;
}

/* Name the registry's owner for messages. */
static void
visible_devices_place(struct visible_devices *v, const struct registry *r)
{
	(void)strlcpy(v->server, r->is_image ? r->path : "", sizeof(v->server));
}

/* Append the server or the state directory that was searched. */
static int
visible_devices_append_place(const struct visible_devices *v, struct error *e)
{
	return v->server[0] == '\0' ?
	    paths_append_place(e) :
	    error_append(e, "\n(server: %s)", v->server);
}

int
visible_devices_find(const struct snapshot *s, const char *name,
    const char *source, struct error *e)
{
	const int index = snapshot_find(s, name);
	const bool has_source = source[0] != '\0';

	if (index != -1)
		return index;
	(void)error_set_code(e, ERROR_NOT_FOUND,
	    "partition %s%s%s%s does not exist; `vipu list partitions` shows "
	    "those that exist, `vipu create partition %s --size N` creates it",
	    name, has_source ? " (from " : "", source, has_source ? ")" : "",
	    name);
	return snapshot_suggest(s, name, e);
}

/* Point the view at a partition of its snapshot. */
static int
select_partition(struct visible_devices *v, const char *name, int gcd,
    struct error *e)
{
	const struct partition *p;
	const int index = visible_devices_find(&v->snapshot, name, v->source,
	    e);

	if (index == -1)
		return visible_devices_append_place(v, e);
	p = &v->snapshot.partitions[index];
	if (gcd >= p->num_gcds)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "partition %s has no GCD %d (from %s); it has %d, numbered "
		    "from 0",
		    name, gcd, v->source, p->num_gcds);
	v->partition = p;
	v->gcd = p->num_gcds > 1 ? gcd : -1;
	return 0;
}

int
visible_devices_name(struct visible_name *c, bool remote, struct error *e)
{
	if (visible_devices_choose(c, remote, e) != 0 || choose_gcd(c, e) != 0)
		return -1;
	if (c->origin != NULL)
		return 0;
	/* The server of the file. */
	(void)strlcpy(c->host, c->reference.host, sizeof(c->host));
	(void)strlcpy(c->port, c->reference.port, sizeof(c->port));
	return c->host[0] != '\0' ? server_program_timeout(&c->timeout_ms, e) :
				    0;
}

struct server_request
visible_devices_server(const struct visible_name *c)
{
	const bool by_socket = is_socket(c->host);

	return (struct server_request){
		.host = by_socket ? NULL : c->host,
		.port = c->port,
		.socket = by_socket ? c->host : NULL,
		.origin = c->origin != NULL ? c->origin : c->source,
		.timeout_ms = c->timeout_ms,
	};
}

int
visible_devices_open_name(struct visible_devices *v, const struct registry *r,
    const struct visible_name *c, struct error *e)
{
	memset(v, 0, sizeof(*v));
	v->gcd = -1;
	visible_devices_place(v, r);
	if (snapshot_take(r, &v->snapshot, e) != 0)
		return -1;
	(void)strlcpy(v->source, c->source, sizeof(v->source));
	(void)strlcpy(v->warning, c->warning, sizeof(v->warning));
	if (c->reference.partition[0] == '\0')
		return 0;
	if (select_partition(v, c->reference.partition, c->reference.gcd, e) !=
	    0) {
		visible_devices_release(v);
		return -1;
	}
	return 0;
}

int
visible_devices_open(struct visible_devices *v, const struct registry *r,
    struct error *e)
{
	struct visible_name c;

	memset(v, 0, sizeof(*v));
	v->gcd = -1;
	if (visible_devices_name(&c, r->is_image, e) != 0 ||
	    visible_devices_open_name(v, r, &c, e) != 0)
		return -1;
	if (c.reference.partition[0] == '\0')
		find_other(v);
	if (c.reference.partition[0] == '\0' && v->warning[0] == '\0')
		warn_of_missing(v);
	return 0;
}

int
visible_devices_open_all(struct visible_devices *v, const struct registry *r,
    struct error *e)
{
	struct error reason;

	if (visible_devices_open(v, r, &reason) == 0)
		return 0;
	memset(v, 0, sizeof(*v));
	visible_devices_place(v, r);
	v->gcd = -1;
	/* Drop the second line, the place: it does not help here. */
	reason.text[strcspn(reason.text, "\n")] = '\0';
	(void)snprintf(v->warning, sizeof(v->warning),
	    "no partition is active: %s", reason.text);
	return snapshot_take(r, &v->snapshot, e);
}

void
visible_devices_release(struct visible_devices *v)
{
	snapshot_release(&v->snapshot);
	memset(v, 0, sizeof(*v));
	v->gcd = -1;
}

void
visible_devices_advise(const struct visible_devices *v, int ipus,
    struct error *e)
{
	const struct partition *p = v->other;
	int size = 1;

	while (size < ipus)
		size *= 2;
	if (p != NULL &&
	    (ipus == 0 || partition_size(p) == size ||
		(p->reconfigurable && partition_size(p) > size)))
		(void)error_append(e,
		    "`vipu exec %s -- PROGRAM` runs a program on partition %s",
		    p->name, p->name);
	else if (ipus == 0)
		(void)error_append(e,
		    "`vipu create partition NAME --size N` makes one");
	else
		(void)error_append(e,
		    "`vipu create partition NAME --size %d` makes one", size);
}

/* Includes advice: usually no partition was made yet. */
int
visible_devices_require(const struct visible_devices *v, bool all,
    struct error *e)
{
	if (all ? v->snapshot.partition_count > 0 : v->partition != NULL)
		return 0;
	(void)error_set_code(e, ERROR_NOT_FOUND,
	    "%s: ", all ? "no partition exists" : "no partition is active");
	visible_devices_advise(v, 0, e);
	if (!all)
		(void)error_append(e,
		    "; IPUOF_VIPU_API_PARTITION_ID selects one");
	return visible_devices_append_place(v, e);
}
