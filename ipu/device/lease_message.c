/*
 * Encodes and decodes the messages of config/sdk/proto/ipubox_lease.proto:
 * wishes, grants and reports.  Both sides check them, as neither trusts its
 * peer.
 */
#include "ipu/device/lease.h"

#include <bsd/string.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

enum {
	RINGS_MAX = 1024,  /* IPUs; with more, reports omit the rings */
	MEMORY_VERSION = 1 /* of shared memory: a struct ipu_slot for each
			      IPU */
};

unsigned char *
lease_message_wish(const struct attach_request *r, const struct popdist *p,
    size_t *size, struct error *e)
{
	const struct ipuof_reference *which = &r->name->reference;
	ipubox_v1_LeaseRequest m = ipubox_v1_LeaseRequest_init_zero;
	ipubox_v1_LeaseWish *w = &m.wish;

	m.has_wish = true;
	w->partition = rpc_message_text(which->partition);
	w->gcd = which->gcd;
	w->source = rpc_message_text(r->name->source);
	w->warning = rpc_message_text(r->name->warning);
	w->device = r->device_id;
	w->ipus = (uint32_t)r->ipus;
	w->wait = r->wait;
	w->memory_version = MEMORY_VERSION;
	w->has_holder = true;
	w->holder = lease_holder_put(r->words);
	w->has_job = p->is_set;
	w->job = (ipubox_v1_LeaseJob){ .total_replicas =
					   (uint32_t)p->num_total_replicas,
		.local_replicas = (uint32_t)p->num_local_replicas,
		.replica_index_offset = (uint32_t)p->replica_index_offset };
	return rpc_message_encode(ipubox_v1_LeaseRequest_fields, &m, size, e);
}

/* Copy a foreign text, made safe for a terminal. */
static void
message_copy(char *to, size_t size, const char *from)
{
	text_printable(from == NULL ? "" : from, to, size);
}

/* Read the replicas of the job, if they are consistent. */
static int
message_read_job(const ipubox_v1_LeaseWish *w, struct popdist *p,
    struct error *e)
{
	const ipubox_v1_LeaseJob *j = &w->job;

	*p = (struct popdist){ .is_set = w->has_job,
		.uniform = true,
		.num_total_replicas = 1,
		.num_local_replicas = 1,
		.num_ipus_per_replica = 1,
		.num_instances = 1 };
	if (!w->has_job)
		return 0;
	if (j->total_replicas > INT_MAX || j->local_replicas == 0 ||
	    j->local_replicas > j->total_replicas ||
	    j->replica_index_offset > j->total_replicas - j->local_replicas)
		return error_set_code(e, ERROR_INVALID,
		    "no instance has %u replicas from replica %u on; the job "
		    "has %u",
		    j->local_replicas, j->replica_index_offset,
		    j->total_replicas);
	p->num_total_replicas = (int)j->total_replicas;
	p->num_local_replicas = (int)j->local_replicas;
	p->replica_index_offset = (int)j->replica_index_offset;
	return 0;
}

int
lease_message_read_wish(const ipubox_v1_LeaseRequest *m,
    struct lease_wish *wish, struct error *e)
{
	const ipubox_v1_LeaseWish *w = &m->wish;
	struct ipuof_reference *which = &wish->name.reference;
	const char *partition;

	memset(wish, 0, sizeof(*wish));
	if (!m->has_wish)
		return error_set_code(e, ERROR_INVALID,
		    "the first message of a lease must say which device is "
		    "wanted");
	partition = w->partition == NULL ? "" : w->partition;
	if (strlen(partition) >= sizeof(which->partition))
		return error_set_code(e, ERROR_INVALID,
		    "a partition's name cannot have %zu bytes",
		    strlen(partition));
	if (w->gcd < -1 || w->device < -1 || w->ipus > POD_IPUS_MAX ||
	    (w->device == -1 && w->ipus == 0))
		return error_set_code(e, ERROR_INVALID,
		    "no device has %u IPUs, the id %d and the GCD %d", w->ipus,
		    w->device, w->gcd);
	(void)strlcpy(which->partition, partition, sizeof(which->partition));
	which->gcd = w->gcd;
	message_copy(wish->name.source, sizeof(wish->name.source), w->source);
	message_copy(wish->name.warning, sizeof(wish->name.warning),
	    w->warning);
	wish->ipus = (int)w->ipus;
	wish->device_id = w->device;
	wish->wait = w->wait;
	wish->shares = w->memory_version == MEMORY_VERSION;
	lease_holder_get(&w->holder, &wish->words);
	return message_read_job(w, &wish->popdist, e);
}

void
lease_message_grant(const struct local_attachment *a, bool has_memory,
    ipubox_v1_LeaseReply *m)
{
	*m = (ipubox_v1_LeaseReply)ipubox_v1_LeaseReply_init_zero;
	m->has_grant = true;
	m->grant = (ipubox_v1_LeaseGrant){
		.partition = rpc_message_text(a->taken.partition),
		.device = (uint32_t)a->taken.device.id,
		.first = (uint32_t)a->taken.device.first,
		.count = (uint32_t)a->taken.device.count,
		.first_id = (uint32_t)a->taken.device.first_id,
		.gcd = (uint32_t)a->taken.device.gcd,
		.first_ipu = (uint32_t)a->taken.first_ipu,
		.has_memory = has_memory,
		.gcd_ipus = (uint32_t)a->taken.gcd_ipus,
		.model = (uint32_t)a->taken.model,
		.gcds = (uint32_t)a->taken.gcds
	};
}

int
lease_message_read_grant(const ipubox_v1_LeaseReply *m,
    struct lease_grant *grant, struct error *e)
{
	const ipubox_v1_LeaseGrant *g = &m->grant;

	memset(grant, 0, sizeof(*grant));
	if (!m->has_grant || g->partition == NULL ||
	    strlen(g->partition) >= sizeof(grant->taken.partition) ||
	    g->count == 0 || g->count > POD_IPUS_MAX ||
	    g->first > POD_IPUS_MAX || g->first_ipu > POD_IPUS_MAX ||
	    g->gcd > POD_IPUS_MAX || g->gcd_ipus > POD_IPUS_MAX ||
	    g->gcds > POD_IPUS_MAX || g->model > MACHINE_BOW2000 ||
	    g->device > 4 * POD_IPUS_MAX || g->first_id > 4 * POD_IPUS_MAX)
		return error_set_code(e, ERROR_DAMAGED,
		    "the server granted a device that cannot exist");
	message_copy(grant->taken.partition, sizeof(grant->taken.partition),
	    g->partition);
	grant->taken.device = (struct device){ .id = (int)g->device,
		.first = (int)g->first,
		.count = (int)g->count,
		.first_id = (int)g->first_id,
		.gcd = (int)g->gcd };
	grant->taken.first_ipu = (int)g->first_ipu;
	grant->taken.count = grant->taken.device.count;
	grant->has_memory = g->has_memory;
	grant->taken.gcd_ipus = (int)g->gcd_ipus;
	grant->taken.gcds = (int)g->gcds;
	grant->taken.model = (int)g->model;
	return 0;
}

unsigned char *
lease_message_report(const struct lease_counters *all, int count, size_t *size)
{
	ipubox_v1_LeaseRequest m = ipubox_v1_LeaseRequest_init_zero;
	const size_t ring = sizeof(all[0].ring);
	const struct lease_counters *c;
	unsigned char *bytes;
	int i;

	m.counters = xcalloc((size_t)count, sizeof(*m.counters));
	m.counters_count = (pb_size_t)count;
	for (i = 0; i < count; i++) {
		c = &all[i];
		m.counters[i] =
		    (ipubox_v1_LeaseCounters){ .busy_ns = c->busy_ns,
			    .exchange_bytes = c->exchange_bytes,
			    .host_bytes = c->host_bytes,
			    .memory_bytes = c->memory_bytes,
			    .last_busy_ns = c->last_busy_ns,
			    .soc_error = c->soc_error };
		if (count > RINGS_MAX)
			continue;
		m.counters[i].ring = xcalloc(1,
		    PB_BYTES_ARRAY_T_ALLOCSIZE(ring));
		m.counters[i].ring->size = (pb_size_t)ring;
		memcpy(m.counters[i].ring->bytes, c->ring, ring);
	}
	bytes = rpc_message_encode(ipubox_v1_LeaseRequest_fields, &m, size,
	    NULL);
	rpc_message_release(ipubox_v1_LeaseRequest_fields, &m);
	return bytes;
}

void
lease_message_read_counters(const ipubox_v1_LeaseCounters *m,
    struct lease_counters *c)
{
	*c = (struct lease_counters){ .busy_ns = m->busy_ns,
		.exchange_bytes = m->exchange_bytes,
		.host_bytes = m->host_bytes,
		.memory_bytes = m->memory_bytes,
		.last_busy_ns = m->last_busy_ns,
		.soc_error = m->soc_error };
	if (m->ring != NULL && m->ring->size == sizeof(c->ring))
		memcpy(c->ring, m->ring->bytes, sizeof(c->ring));
}
