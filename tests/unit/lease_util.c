/*
 * A server of leases in a process of its own.
 */
#include "tests/unit/lease_util.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/server/rpc/rpc.h"
#include "core/server/server.h"
#include "ipu/device/device.h"
#include "ipu/device/lease.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

char lease_util_port[8];

static pid_t lease_server;

/* ---- the lease_server ---- */

/* Partition "hers" is nobody's here. */
static int
allows(void *owner, struct rpc_call *call, const struct visible_name *name,
    struct caller *who, struct error *e)
{
	(void)owner;
	(void)call;
	(void)who;
	return name == NULL || strcmp(name->reference.partition, "hers") != 0 ?
	    0 :
	    error_set_code(e, ERROR_DENIED, "partition hers is hers");
}

static void
serve(int port_to)
{
	const struct lease_service_options lo = { .allows = allows };
	struct lease_service *leases = lease_service_new(&lo);
	struct rpc_method methods[1];
	struct rpc_server_options o = { .methods = methods, .method_count = 1 };
	struct rpc_server *s;
	struct error e;
	int number;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	lease_service_methods(leases, methods);
	if ((s = rpc_server_new(&o, &e)) == NULL ||
	    rpc_server_listen_unix(s, test_paths.directory, SERVER_SOCKET_NAME,
		0666, &e) != 0 ||
	    (number = rpc_server_listen_tcp(s, "127.0.0.1", 0, &e)) == -1) {
		fprintf(stderr, "%s\n", e.text);
		_exit(1);
	}
	lease_service_use(leases, rpc_server_loop(s));
	if (write(port_to, &number, sizeof(number)) != sizeof(number))
		_exit(1);
	(void)close(port_to);
	for (;;)
		(void)rpc_server_turn(s, -1);
}

void
lease_util_start(void)
{
	int number = 0, ports[2];

	(void)fflush(stdout);
	if (pipe(ports) != 0 || (lease_server = fork()) == -1)
		abort();
	if (lease_server == 0) {
		(void)close(ports[0]);
		serve(ports[1]);
	}
	(void)close(ports[1]);
	ok(read(ports[0], &number, sizeof(number)) == sizeof(number),
	    "a server");
	(void)close(ports[0]);
	(void)snprintf(lease_util_port, sizeof(lease_util_port), "%d", number);
}

void
lease_util_kill(void)
{
	(void)kill(lease_server, SIGKILL);
	(void)waitpid(lease_server, NULL, 0);
}

/* p4 on the first machine, whose devices are of any size; another's behind. */
void
lease_util_make_partitions(void)
{
	struct partition p4 = make_partition("p4", 0, 4);
	struct state s;
	struct error e;

	p4.reconfigurable = 1;
	make_state("lease");
	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	must(state_add_partition(&s, &p4, &e), &e);
	state_unlock(&s);
	state_close(&s);
	add_partition("hers", 4, 4);
}

bool
lease_util_see(int ipu, struct ipu_slot *slot)
{
	struct registry r;
	bool held;
	struct error e;

	must(state_open_reader(&r, &e), &e);
	registry_copy(&r, ipu, slot);
	held = registry_holder(&r, ipu, slot);
	registry_close(&r);
	return held;
}

struct rpc_client *
lease_util_dial(bool tcp)
{
	char path[SERVER_SOCKET_PATH_SIZE];
	struct rpc_client_options o = {
		.connect_ms = LEASE_UTIL_WAIT_MS,
	};
	struct rpc_client *c;
	struct error e;

	(void)snprintf(path, sizeof(path), "%s/%s", test_paths.directory,
	    SERVER_SOCKET_NAME);
	if (tcp) {
		o.host = "127.0.0.1";
		o.port = lease_util_port;
	} else
		o.path = path;
	c = rpc_client_open(&o, &e);
	must(c == NULL ? -1 : 0, &e);
	return c;
}

struct rpc_stream *
lease_util_wish(struct rpc_client *c, bool wait)
{
	const struct ipu_slot words = { .pid = 1 };
	const struct popdist alone = { .is_set = false };
	const struct visible_name name = {
		.reference = { .partition = "p4", .gcd = -1 },
	};
	const struct attach_request r = { .ipus = 4,
		.device_id = -1,
		.words = &words,
		.name = &name,
		.wait = wait };
	struct rpc_stream *s;
	unsigned char *bytes;
	size_t size;
	struct error e;

	s = rpc_stream_begin(c, LEASE_MESSAGE_PATH, NULL, 0, &e);
	must(s == NULL ? -1 : 0, &e);
	bytes = lease_message_wish(&r, &alone, &size, &e);
	rpc_stream_send(s, bytes, size);
	free(bytes);
	return s;
}
