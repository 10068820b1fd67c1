/*
 * Attaching a program to a device in one of two ways: see attach_way().  Before
 * it, finding the server of an attachment.
 */
#include "ipu/device/attach.h"

#include <stdio.h>
#include <string.h>

#include "core/control/config.h"
#include "ipu/device/device_internal.h"
#include "ipu/device/lease.h"

/* Limit for this host's server to answer. */
enum { LOCAL_MS = 10 * 1000 };

/* Connect to the server that owns this host's state, if one runs. */
static int
connect_local(struct attach_server *s, struct error *e)
{
	char path[SERVER_SOCKET_PATH_SIZE];
	struct error reason;

	s->client = server_socket_open(LOCAL_MS, path, &reason);
	if (s->client == NULL)
		return reason.code == ERROR_NOT_FOUND ?
		    0 :
		    error_copy(e, &reason);
	(void)snprintf(s->name, sizeof(s->name), "%s", path);
	return 0;
}

/* Give the server the caller's identity over TCP, as V-IPU's commands do. */
static int
name_caller(struct attach_server *s, struct error *e)
{
	struct config config;

	if (config_read(&config, NULL, e) != 0 ||
	    config_caller(&config, &s->caller, e) != 0)
		return -1;
	server_put_caller(&s->caller, s->metadata);
	return 0;
}

/* Connect to the named server; if that means this host's pod, do as without a
   name. */
static int
connect_named(struct attach_server *s, const struct visible_name *name,
    struct error *e)
{
	const struct server_request r = visible_devices_server(name);
	struct server_address a;

	if (name_caller(s, e) != 0 ||
	    server_address_connect(&a, &r, &s->client, e) != 0)
		return -1;
	if (s->client != NULL)
		(void)server_address_text(&a, s->name, sizeof(s->name));
	else
		memset(s->metadata, 0, sizeof(s->metadata));
	return 0;
}

int
attach_server_connect(struct attach_server *s, const struct visible_name *name,
    struct error *e)
{
	memset(s, 0, sizeof(*s));
	if (name->host[0] != '\0' && connect_named(s, name, e) != 0)
		return -1;
	return s->client != NULL ? 0 : connect_local(s, e);
}

/* Attach through the server. */
static int
attach_lease(struct attachment *a, struct attach_server *s,
    const struct attach_request *r, struct error *e)
{
	struct lease_grant grant;

	a->lease = lease_open(s->client, s->name, s->metadata, r, &grant, e);
	if (a->lease == NULL)
		return e->code != ERROR_NOT_FOUND ?
		    -1 :
		    error_append(e, "\n(server: %s)", s->name);
	a->taken = grant.taken;
	return 0;
}

/* Attach through the server if one exists, else by this host's registry. */
static int
attach_way(struct attachment *a, struct attach_request *r,
    const struct visible_name *name, struct error *e)
{
	struct attach_server server;

	if (attach_server_connect(&server, name, e) != 0)
		return -1;
	if (server.client != NULL) {
		r->name = name;
		return attach_lease(a, &server, r, e);
	}
	if (attach_local(&a->local, r, e) != 0)
		return -1;
	a->taken = a->local.taken;
	return 0;
}

/* Note that the environment names a server of this host, and none listens. */
static void
note_server(struct attachment *a, const struct visible_name *name)
{
	const struct server_request r = { .host = name->host,
		.port = name->port,
		.origin = name->origin };
	char note[SERVER_ADDRESS_NOTE_SIZE];

	if (a->lease == NULL && name->origin != NULL)
		(void)error_set(&a->warning, "%s",
		    server_address_note(&r, note));
}

/* Warn of what a Pod refuses, or refuse it where the settings say so: a
   partition of several GCDs of which none is named.  poprun names one for each
   instance, and has noted what its server is. */
static int
check_choice(struct attachment *a, const struct visible_name *name,
    struct error *e)
{
	const struct taken_device *d = &a->taken;
	struct popdist popdist;
	bool strict;

	if (popdist_read(&popdist, NULL) != 0 || popdist.is_set)
		return 0;
	note_server(a, name);
	if (d->gcds <= 1 || name->reference.gcd >= 0)
		return 0;
	if (settings_strict(&strict, NULL, NULL) == 0 && strict)
		return error_set_code(e, ERROR_INVALID,
		    "partition %s has %d GCDs, and a program uses one; set "
		    "IPUOF_VIPU_API_GCD_ID to a number from 0 to %d",
		    d->partition, d->gcds, d->gcds - 1);
	if (a->warning.text[0] != '\0')
		(void)error_append(&a->warning, "\n");
	(void)error_append(&a->warning,
	    "partition %s has %d GCDs, and IPUOF_VIPU_API_GCD_ID names none: "
	    "using GCD %d; a Pod refuses this",
	    d->partition, d->gcds, d->device.gcd);
	return 0;
}

/* Set PopTorch's error, with the reason on a separate line. */
static int
not_acquired(int ipus, int id, const struct error *reason, struct error *e)
{
	if (id >= 0)
		return error_set_code(e, reason->code,
		    "Failed to acquire device Id %d\n%.900s", id, reason->text);
	return error_set_code(e, reason->code,
	    "Failed to acquire %d IPU(s)\n%.900s", ipus, reason->text);
}

static int
attach_holder(struct attachment *a, int ipus, int device_id,
    const struct ipu_holder *holder, bool wait, struct error *e)
{
	struct ipu_slot words;
	struct attach_request r = { .ipus = ipus,
		.device_id = device_id,
		.words = &words,
		.wait = wait };
	struct error reason = { .text = "" };
	struct visible_name name;

	memset(a, 0, sizeof(*a));
	ipu_holder_describe(holder, -1, &words);
	if (visible_devices_name(&name, true, &reason) == 0 &&
	    attach_way(a, &r, &name, &reason) == 0) {
		if (check_choice(a, &name, &reason) == 0)
			return 0;
		attach_end(a);
	}
	return not_acquired(ipus, device_id, &reason, e);
}

int
attach_for(struct attachment *a, int ipus, int device_id,
    const struct ipu_holder *holder, struct error *e)
{
	return attach_holder(a, ipus, device_id, holder, false, e);
}

int
attach(struct attachment *a, int ipus, int device_id, const char *command,
    struct error *e)
{
	const struct ipu_holder self = ipu_holder_own(command);

	return attach_holder(a, ipus, device_id, &self, false, e);
}

int
attach_wait(struct attachment *a, int ipus, int device_id, const char *command,
    struct error *e)
{
	const struct ipu_holder self = ipu_holder_own(command);

	return attach_holder(a, ipus, device_id, &self, true, e);
}

void
attach_end(struct attachment *a)
{
	if (a->lease != NULL)
		lease_close(a->lease);
	else
		attach_local_end(&a->local);
	a->lease = NULL;
	a->taken.count = 0;
}

int
attach_check(const struct attachment *a, struct error *e)
{
	return a->lease != NULL ? lease_check(a->lease, e) :
				  attach_local_check(&a->local, e);
}

int
attach_check_siblings(const void *attachment, struct error *e)
{
	const struct attachment *a = attachment;

	return a->lease != NULL ? lease_check_siblings(a->lease, e) :
				  attach_local_check_siblings(&a->local, e);
}

struct ipu_slot *
attach_slot(const struct attachment *a, int ipu)
{
	return a->lease != NULL ? lease_slot(a->lease, ipu) :
				  attach_local_slot(&a->local, ipu);
}
