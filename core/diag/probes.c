/*
 * Gathering facts for the doctor.  Nothing here judges or changes anything;
 * each look_ function fills a part of the probes.
 */
#include "core/diag/diag.h"

#include <netinet/tcp.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"
#include "core/server/server.h"
#include "core/state/state.h"

enum { CONNECT_MS = 2000, SERVER_ANSWER_MS = 1000, IPUOF_FILE_MAX = 1 << 20 };

/* Whether the file is up to date for its partition, for a tool of any release:
   programs do not read the versions. */
static bool
is_current(const struct snapshot *s, const struct ipuof_probe *f)
{
	const struct versions *v;
	struct versions set;
	int found, i;
	char *text, *wanted;
	size_t size;
	bool same = false;

	found = snapshot_find(s, f->reference.partition);
	if (found == -1 || f->reference.gcd >= s->partitions[found].num_gcds)
		return false;
	text = file_read(f->path, IPUOF_FILE_MAX, &size, NULL);
	/* First with the single versions that are set. */
	(void)settings_emulate_sdk(NULL, &set, NULL, NULL);
	v = &set;
	for (i = 0; text != NULL && v != NULL; v = versions_at(i++)) {
		wanted = ipuof_text(&s->pod, &s->partitions[found],
		    f->reference.gcd, v);
		same |= strcmp(text, wanted) == 0;
		wanted = ipuof_identity_add(wanted, &s->partitions[found],
		    true);
		same |= strcmp(text, wanted) == 0;
		free(wanted);
	}
	free(text);
	return same;
}

static void
look_at_file(struct ipuof_probe *f, const char *path, const struct snapshot *s)
{
	memset(f, 0, sizeof(*f));
	(void)strlcpy(f->path, path, sizeof(f->path));
	if (ipuof_parse(path, &f->reference, &f->reason) != 0)
		return;
	f->standing = ipuof_find_standing(&f->reference);
	f->current = is_current(s, f);
}

/* Look at every regular file of the directory, as programs do. */
static void
look_at_directory(struct ipuof_directory *directory, const struct snapshot *s)
{
	struct directory d;
	struct stat st;
	char **names, *path;
	long i, count = -1;

	if (directory_open(&d, directory->path, NULL) == 0)
		count = directory_names(&d, "", &names, NULL);
	directory_close(&d);
	if (count == -1)
		return;
	directory->files = xcalloc((size_t)count + 1,
	    sizeof(*directory->files));
	for (i = 0; i < count; i++) {
		path = xasprintf("%s/%s", directory->path, names[i]);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
			look_at_file(&directory->files[directory->count++],
			    path, s);
		free(path);
	}
	directory_names_free(names, count);
}

static void
look_for_abandoned(struct probes *f)
{
	const struct snapshot *s = &f->state.snapshot;
	int i;

	f->abandoned = xcalloc((size_t)s->partition_count + 1,
	    sizeof(*f->abandoned));
	for (i = 0; i < s->partition_count; i++)
		f->abandoned[i] = owner_lock_is_gone(&s->partitions[i]);
}

/* One missing file per partition is enough. */
static void
look_for_missing(struct probes *f)
{
	const struct snapshot *s = &f->state.snapshot;
	struct missing_file *m;
	int i;

	f->missing = xcalloc((size_t)s->partition_count + 1,
	    sizeof(*f->missing));
	for (i = 0; i < s->partition_count; i++) {
		m = &f->missing[f->missing_count];
		if (!ipuof_files_are_missing(&s->partitions[i], m->path))
			continue;
		(void)strlcpy(m->partition, s->partitions[i].name,
		    sizeof(m->partition));
		f->missing_count++;
	}
}

static void
look_at_environment(struct probes *f)
{
	const char *home = variable_get("HOME");
	struct server_request server;
	struct gcda_options options;

	gcda_options_read(&options, &f->gcda);
	f->api_host = variable_get("IPUOF_VIPU_API_HOST");
	f->api_port = variable_get("IPUOF_VIPU_API_PORT");
	f->partition = variable_get("IPUOF_VIPU_API_PARTITION_ID");
	f->gcd = variable_get("IPUOF_VIPU_API_GCD_ID");
	f->config_path = variable_get("IPUOF_CONFIG_PATH");
	server = (struct server_request){ .host = f->api_host,
		.port = f->api_port,
		.origin = "IPUOF_VIPU_API_HOST",
		.timeout_ms = CONNECT_MS };
	(void)server_address_look(&f->api_server, &server, &f->api_error);
	if (f->config_path != NULL)
		look_at_file(&f->config_file, f->config_path,
		    &f->state.snapshot);
	if (home != NULL)
		(void)snprintf(f->home.path, sizeof(f->home.path),
		    "%s/.ipuof.conf.d", home);
	(void)strlcpy(f->hosts.path, IPUOF_SYSTEM_DIRECTORY,
	    sizeof(f->hosts.path));
	look_at_directory(&f->home, &f->state.snapshot);
	look_at_directory(&f->hosts, &f->state.snapshot);
}

/* Look at the settings in force, at those of the file alone, and whether their
   server answers.  config_error is the first reason why one of the two cannot
   be read, or "". */
static void
look_at_config(struct probes *f, const struct config_options *options)
{
	struct server_request server;
	struct server_address address;
	struct rpc_client *client;

	if (config_read(&f->config, options, &f->config_error) != 0 ||
	    config_read_file(&f->config_file_alone, &f->config_error) != 0)
		return;
	f->config_error.text[0] = '\0';
	server = config_server(&f->config);
	server.timeout_ms = CONNECT_MS;
	if (server_address_connect(&address, &server, &client,
		&f->server_error) == 0)
		rpc_client_close(client);
	f->server_error.text[strcspn(f->server_error.text, "\n")] = '\0';
}

/* Check access as a command would, with the state already read. */
static void
look_at_access(struct probes *f)
{
	const struct inspection *in = &f->state;
	struct caller caller;
	int visible;

	f->visible = in->snapshot.partition_count;
	if (in->directory_errno != 0 || !in->has_pod ||
	    f->config_error.text[0] != '\0')
		return;
	if (config_caller(&f->config, &caller, &f->refusal) == 0 &&
	    (visible = login_count_visible(&in->paths, in->secure, &caller,
		 &in->snapshot, &f->refusal)) != -1) {
		f->visible = visible;
		return;
	}
	/* The findings include the state's place anyway. */
	f->refusal.text[strcspn(f->refusal.text, "\n")] = '\0';
}

/* Mistakes in variables are kept apart from those in files. */
static void
look_at_settings(struct probes *f)
{
	struct file_settings settings;
	struct error reason;

	(void)settings_load(&settings, &f->settings_error);
	(void)settings_strict(&f->strict, f->strict_origin, NULL);
	if ((settings_emulate_hosts(NULL, &f->emulated_hosts, f->hosts_origin,
		 &reason) != 0 &&
		reason.code == ERROR_INVALID) ||
	    (settings_emulate_sdk(NULL, &f->versions, f->sdk_origin, &reason) !=
		    0 &&
		reason.code == ERROR_INVALID))
		(void)error_copy(&f->emulate_error, &reason);
}

/* Whether a program listens at that port, by a table of /proc/net. */
static bool
is_listening(const char *table, unsigned port)
{
	FILE *file = fopen(table, "re");
	char *line = NULL;
	size_t room = 0;
	unsigned number, state;
	bool found = false;

	while (file != NULL && !found && getline(&line, &room, file) != -1)
		found = sscanf(line, " %*u: %*[0-9A-F]:%x %*[0-9A-F:] %x",
			    &number, &state) == 2 &&
		    state == TCP_LISTEN && number == port;
	free(line);
	if (file != NULL)
		(void)fclose(file);
	return found;
}

/* Check whether the state's server answers, and whether metrics are served. */
static void
look_for_server(struct probes *f)
{
	char path[SERVER_SOCKET_PATH_SIZE];
	const struct rpc_client_options o = { .path = path,
		.connect_ms = SERVER_ANSWER_MS };
	struct rpc_client *client = NULL;
	int fd;

	if (!f->state.served)
		return;
	f->has_exporter = is_listening("/proc/net/tcp", EXPORTER_PORT) ||
	    is_listening("/proc/net/tcp6", EXPORTER_PORT);
	fd = server_socket_connect(SERVER_ANSWER_MS, path, &f->silence);
	if (fd != -1)
		client = rpc_client_adopt(fd, &o, &f->silence);
	/* It tells only administrators. */
	if (client != NULL)
		(void)server_shortage(client, SERVER_ANSWER_MS, f->shortage,
		    NULL);
	rpc_client_close(client);
}

void
probes_gather(struct probes *f, const struct config_options *options)
{
	struct directory d;

	memset(f, 0, sizeof(*f));
	f->now_ms = clock_real_ms();
	f->uid = geteuid();
	f->disk.free_bytes = f->disk.free_files = -1;
	f->shared = f->disk;
	look_at_settings(f);
	inspect_state(&f->state);
	look_for_server(f);
	look_at_environment(f);
	look_for_missing(f);
	look_for_abandoned(f);
	look_at_config(f, options);
	look_at_access(f);
	if (f->state.place.text[0] != '\0')
		return;
	probes_look_at_room(&f->disk, f->state.paths.directory);
	probes_look_at_room(&f->shared, f->state.paths.registry);
	if (directory_open_resolved(&d, f->state.paths.directory, NULL) == 0)
		f->ticket_count = ticket_read(&d, &f->tickets, NULL);
	directory_close(&d);
}

void
probes_release(struct probes *f)
{
	free(f->home.files);
	free(f->hosts.files);
	free(f->missing);
	free(f->abandoned);
	free(f->tickets);
	inspect_release(&f->state);
	memset(f, 0, sizeof(*f));
}

void
probes_look_at_room(struct room *room, const char *path)
{
	struct statvfs fs;
	char *slash;
	int status;

	room->free_bytes = room->free_files = -1;
	(void)strlcpy(room->path, path, sizeof(room->path));
	while ((status = statvfs(room->path, &fs)) != 0 &&
	    (slash = strrchr(room->path, '/')) != NULL && slash != room->path)
		*slash = '\0';
	if (status != 0)
		return;
	room->free_bytes = (int64_t)fs.f_bavail * (int64_t)fs.f_frsize;
	/* Some file systems do not count files. */
	room->free_files = fs.f_files == 0 ? -1 : (int64_t)fs.f_favail;
	room->read_only = (fs.f_flag & ST_RDONLY) != 0;
}
