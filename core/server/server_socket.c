/*
 * Finding the server of this host.  Nothing is read from the state: the kernel
 * identifies the listener.
 */
#include "core/server/server.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/files/directory.h"
#include "core/process/process.h"
#include "core/state/state.h"

enum {
	START_MS = 3000, /* startup time of a server */
	PAUSE_MS = 10
};

const char *
server_socket_directory(const char *state_directory)
{
	return strcmp(state_directory, "/var/lib/ipubox") == 0 ?
	    "/run/ipubox" :
	    state_directory;
}

/* In a directory that all may write, any user may listen. */
static int
server_socket_check(int fd, const char *directory, const char *path,
    struct error *e)
{
	struct ucred credentials;
	struct stat st;
	socklen_t size = sizeof(credentials);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
		return error_set_errno(e, "%s", path);
	if (directory_is_trusted(credentials.uid) ||
	    (stat(directory, &st) == 0 && st.st_uid == credentials.uid))
		return 0;
	return error_set_code(e, ERROR_UNSAFE,
	    "the server at %s runs as uid %u, which is neither yours nor "
	    "root's nor that of the owner of %s; end it",
	    path, (unsigned)credentials.uid, directory);
}

/* Whether a server that has just taken the state is about to listen.  One that
   has had it for long listens in a place that is not visible from here. */
static bool
server_socket_is_due(const char *directory)
{
	struct lock_holder holder;

	return server_lock_find_holder(directory, &holder) &&
	    (holder.life == LOCK_UNKNOWN ||
		(holder.life == LOCK_ALIVE &&
		    clock_real_ms() - holder.since_ms < START_MS));
}

/* Connect, waiting for a server that is about to listen. */
static int
server_socket_dial(const char *path, const char *directory, int64_t timeout_ms,
    struct error *e)
{
	const int64_t begin_ms = clock_monotonic_ms();
	const int64_t wait_ms = timeout_ms < START_MS ? timeout_ms : START_MS;
	int fd;

	for (;;) {
		fd = access(path, F_OK) != 0 ?
		    error_set_errno(e, "%s", path) :
		    link_address_connect_path(path, begin_ms + timeout_ms, e);
		if (fd != -1 || e->code == ERROR_TIMED_OUT ||
		    clock_monotonic_ms() - begin_ms > wait_ms ||
		    !server_socket_is_due(directory))
			return fd;
		clock_sleep_ms(PAUSE_MS);
	}
}

int
server_socket_connect(int64_t timeout_ms, char path[SERVER_SOCKET_PATH_SIZE],
    struct error *e)
{
	struct state_paths paths;
	struct error reason;
	int fd;

	path[0] = '\0';
	if (paths_find(&paths, e) != 0)
		return -1;
	(void)snprintf(path, SERVER_SOCKET_PATH_SIZE, "%s/%s",
	    server_socket_directory(paths.directory), SERVER_SOCKET_NAME);
	fd = server_socket_dial(path, paths.directory, timeout_ms, &reason);
	if (fd == -1 && reason.code == ERROR_TIMED_OUT)
		return error_copy(e, &reason);
	if (fd == -1)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "no server runs on %s", paths.directory);
	if (server_socket_check(fd, paths.directory, path, e) == 0)
		return fd;
	(void)close(fd);
	return -1;
}

int
server_socket_connect_path(const char *path, int64_t timeout_ms,
    struct error *e)
{
	char *directory = path_directory_name(path);
	int fd = link_address_connect_path(path,
	    clock_monotonic_ms() + timeout_ms, e);

	if (fd != -1 && server_socket_check(fd, directory, path, e) != 0) {
		(void)close(fd);
		fd = -1;
	}
	free(directory);
	return fd;
}

bool
server_socket_answers(const char *state_directory,
    char path[SERVER_SOCKET_PATH_SIZE])
{
	struct error reason;
	int fd;

	(void)snprintf(path, SERVER_SOCKET_PATH_SIZE, "%s/%s",
	    server_socket_directory(state_directory), SERVER_SOCKET_NAME);
	fd = server_socket_connect_path(path, START_MS, &reason);
	if (fd == -1)
		return reason.code == ERROR_TIMED_OUT;
	(void)close(fd);
	return true;
}

const char *
server_socket_remedy(const char *state_directory, char text[SERVER_REMEDY_SIZE])
{
	const bool is_beside = server_socket_directory(state_directory) ==
	    state_directory;

	if (access(state_directory, R_OK | X_OK) == 0)
		(void)snprintf(text, SERVER_REMEDY_SIZE,
		    "IPUBOX_STATE_DIR=%s uses that pod", state_directory);
	else
		(void)snprintf(text, SERVER_REMEDY_SIZE,
		    "this user cannot open %s; its owner can %sshare the "
		    "directory with a group, see ipubox.conf(5)",
		    state_directory,
		    is_beside ? "" : "run vipu-server for all users, or ");
	return text;
}

void
server_socket_explain(bool stopped, struct error *e)
{
	struct state_paths paths;
	struct lock_holder server;
	char described[LOCK_TEXT_SIZE], remedy[LOCK_TEXT_SIZE];

	if (e == NULL || e->code != ERROR_TIMED_OUT ||
	    paths_find(&paths, NULL) != 0 ||
	    !server_lock_find_holder(paths.directory, &server) ||
	    (stopped && server.life != LOCK_STOPPED))
		return;
	lock_describe(&server, described);
	lock_remedy(&server, remedy);
	(void)error_append(e, "\n(the server is %s; %s)", described, remedy);
}

struct rpc_client *
server_socket_open(int64_t timeout_ms, char path[SERVER_SOCKET_PATH_SIZE],
    struct error *e)
{
	const struct rpc_client_options o = { .path = path,
		.connect_ms = timeout_ms };
	const int fd = server_socket_connect(timeout_ms, path, e);
	struct rpc_client *client = fd != -1 ?
	    rpc_client_adopt(fd, &o, e) :
	    NULL;

	if (client == NULL)
		server_socket_explain(false, e);
	return client;
}
