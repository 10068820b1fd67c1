/*
 * A pod, its users and administrators' requests as messages of ipubox.v1.
 */
#include "core/server/wire.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/server/rpc/rpc.h"
#include "core/server/wire_field.h"

static const struct wire_field agent_fields[] = {
	WIRE_NAME(struct agent, ipubox_v1_Agent, name),
	WIRE_TEXT(struct agent, ipubox_v1_Agent, host),
	WIRE_TEXT(struct agent, ipubox_v1_Agent, address),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, port, 0, UINT32_MAX),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, serial, 0, UINT32_MAX),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, lot, 0, UINT32_MAX),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, model, 0, MACHINE_BOW2000),
	WIRE_PLACE(struct agent, ipubox_v1_Agent, cluster,
	    POD_CLUSTERS_MAX - 1),
	WIRE_PLACE(struct agent, ipubox_v1_Agent, allocation,
	    POD_ALLOCATIONS_MAX - 1),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, state, 0, MACHINE_REBOOTING),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, fail_config, 0, INT32_MAX),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, slow_ms, 0, INT32_MAX),
	WIRE_TIME(struct agent, ipubox_v1_Agent, changed_ms),
	WIRE_TIME(struct agent, ipubox_v1_Agent, up_ms),
	WIRE_END,
};

static const struct wire_field cluster_fields[] = {
	WIRE_NAME(struct cluster, ipubox_v1_Cluster, name),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, first_agent, 0,
	    POD_AGENTS_MAX),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, agent_count, 0,
	    POD_AGENTS_MAX),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, ild_count, 1,
	    POD_AGENTS_MAX),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, topology, 0,
	    TOPOLOGY_TORUS),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, gateway, 0,
	    GATEWAY_SWITCHED),
	WIRE_END,
};

static const struct wire_field allocation_fields[] = {
	WIRE_NAME(struct allocation, ipubox_v1_Allocation, name),
	WIRE_PLACE(struct allocation, ipubox_v1_Allocation, cluster,
	    POD_CLUSTERS_MAX - 1),
	WIRE_END,
};

void
wire_pod_put(const struct pod *pod, ipubox_v1_Pod *m)
{
	int i;

	m->name = wire_field_text(pod->name);
	m->agents_count = (pb_size_t)pod->agent_count;
	m->agents = xcalloc(m->agents_count + 1, sizeof(*m->agents));
	for (i = 0; i < pod->agent_count; i++)
		wire_field_put(agent_fields, &pod->agents[i], &m->agents[i]);
	m->clusters_count = (pb_size_t)pod->cluster_count;
	m->clusters = xcalloc(m->clusters_count + 1, sizeof(*m->clusters));
	for (i = 0; i < pod->cluster_count; i++)
		wire_field_put(cluster_fields, &pod->clusters[i],
		    &m->clusters[i]);
	m->allocations_count = (pb_size_t)pod->allocation_count;
	m->allocations = xcalloc(m->allocations_count + 1,
	    sizeof(*m->allocations));
	for (i = 0; i < pod->allocation_count; i++)
		wire_field_put(allocation_fields, &pod->allocations[i],
		    &m->allocations[i]);
}

static int
pod_check_count(const char *what, pb_size_t count, int max, struct error *e)
{
	if (count <= (pb_size_t)max)
		return 0;
	return error_set_code(e, ERROR_INVALID, "%u %s, the limit is %d",
	    (unsigned)count, what, max);
}

/* Make the arrays after checking their sizes. */
static int
pod_make(const ipubox_v1_Pod *m, pb_size_t agents, struct pod *pod,
    struct error *e)
{
	if (wire_field_copy("name", m->name, pod->name, sizeof(pod->name), e) !=
		0 ||
	    pod_check_count("agents", agents, POD_AGENTS_MAX, e) != 0 ||
	    pod_check_count("clusters", m->clusters_count, POD_CLUSTERS_MAX,
		e) != 0 ||
	    pod_check_count("allocations", m->allocations_count,
		POD_ALLOCATIONS_MAX, e) != 0)
		return -1;
	pod->agent_count = (int)agents;
	pod->cluster_count = (int)m->clusters_count;
	pod->allocation_count = (int)m->allocations_count;
	pod->agents = xcalloc((size_t)pod->agent_count + 1,
	    sizeof(*pod->agents));
	pod->clusters = xcalloc((size_t)pod->cluster_count + 1,
	    sizeof(*pod->clusters));
	pod->allocations = xcalloc((size_t)pod->allocation_count + 1,
	    sizeof(*pod->allocations));
	return 0;
}

static int
pod_fill(const ipubox_v1_Pod *m, struct pod *pod, struct error *e)
{
	int i;

	for (i = 0; i < (int)m->agents_count; i++)
		if (wire_field_get(agent_fields, "agent", &m->agents[i],
			&pod->agents[i], e) != 0)
			return -1;
	for (i = 0; i < pod->cluster_count; i++)
		if (wire_field_get(cluster_fields, "cluster", &m->clusters[i],
			&pod->clusters[i], e) != 0)
			return -1;
	for (i = 0; i < pod->allocation_count; i++)
		if (wire_field_get(allocation_fields, "allocation",
			&m->allocations[i], &pod->allocations[i], e) != 0)
			return -1;
	return 0;
}

/* Check that names are unique, because lookups return the first. */
static int
pod_check_names(const struct pod *pod, struct error *e)
{
	int i;

	for (i = 0; i < pod->cluster_count; i++)
		if (pod_find_cluster(pod, pod->clusters[i].name) != i)
			return error_set_code(e, ERROR_INVALID,
			    "two clusters are named %s", pod->clusters[i].name);
	for (i = 0; i < pod->allocation_count; i++)
		if (pod_find_allocation(pod, pod->allocations[i].name) != i)
			return error_set_code(e, ERROR_INVALID,
			    "two allocations are named %s",
			    pod->allocations[i].name);
	return 0;
}

/* Check that every index is in range. */
static int
pod_check_indices(const struct pod *pod, int agents, struct error *e)
{
	const struct allocation *a = pod->allocations;
	int i;

	for (i = 0; i < agents; i++)
		if (pod->agents[i].cluster >= pod->cluster_count ||
		    pod->agents[i].allocation >= pod->allocation_count)
			return error_set_code(e, ERROR_INVALID,
			    "agent %s is in a cluster or an allocation that "
			    "does not exist",
			    pod->agents[i].name);
	for (; a < pod->allocations + pod->allocation_count; a++)
		if (a->cluster < 0 || a->cluster >= pod->cluster_count)
			return error_set_code(e, ERROR_INVALID,
			    "allocation %s is in a cluster that does not exist",
			    a->name);
	return 0;
}

/* Get a pod of so many agents.  If none was put, they stay as calloc(3) makes
   them. */
static int
pod_get(const ipubox_v1_Pod *m, pb_size_t agents, struct pod *pod,
    struct error *e)
{
	const pb_size_t put = m->agents_count;

	pod_init(pod);
	if (pod_make(m, agents, pod, e) == 0 && pod_fill(m, pod, e) == 0 &&
	    pod_check_names(pod, e) == 0 &&
	    pod_check_indices(pod, (int)put, e) == 0 &&
	    (put == agents ? pod_check(pod, e) : pod_check_clusters(pod, e)) ==
		0)
		return 0;
	pod_release(pod);
	pod_init(pod);
	return error_prefix(e, "the message's pod");
}

int
wire_pod_get(const ipubox_v1_Pod *m, struct pod *pod, struct error *e)
{
	return pod_get(m, m->agents_count, pod, e);
}

int
wire_pod_get_places(const ipubox_v1_Pod *m, struct pod *pod, struct error *e)
{
	return pod_get(m,
	    m->agents_count > 0 ? m->agents_count : m->agent_count, pod, e);
}

/* ---- the pod with its partitions' places ---- */

static const struct wire_field seat_fields[] = {
	WIRE_NAME(struct partition, ipubox_v1_Seat, name),
	WIRE_PLACE(struct partition, ipubox_v1_Seat, allocation,
	    POD_ALLOCATIONS_MAX - 1),
	WIRE_END,
};

void
wire_inventory_put(const struct inventory *v, ipubox_v1_Inventory *m)
{
	const struct partition *p;
	ipubox_v1_Seat *seat;
	int i;

	m->has_pod = true;
	wire_pod_put(v->pod, &m->pod);
	m->seats_count = (pb_size_t)v->partition_count;
	m->seats = xcalloc(m->seats_count + 1, sizeof(*m->seats));
	for (i = 0; i < v->partition_count; i++) {
		p = &v->partitions[i];
		seat = &m->seats[i];
		wire_field_put(seat_fields, p, seat);
		seat->id = wire_field_bytes(p->id, sizeof(p->id));
		seat->has_placement = true;
		wire_partition_put_placement(&p->placement, &seat->placement);
	}
}

void
wire_inventory_digest(const struct inventory *v,
    unsigned char digest[SHA512_DIGEST_LENGTH])
{
	ipubox_v1_Inventory m = ipubox_v1_Inventory_init_zero;
	SHA512_CTX sum;
	unsigned char *bytes;
	size_t size;

	wire_inventory_put(v, &m);
	bytes = rpc_message_encode(ipubox_v1_Inventory_fields, &m, &size, NULL);
	rpc_message_release(ipubox_v1_Inventory_fields, &m);
	SHA512Init(&sum);
	if (bytes != NULL)
		SHA512Update(&sum, bytes, size);
	SHA512Final(digest, &sum);
	free(bytes);
}

/* Get a seat's partition, at its place in the wanted pod. */
static int
get_seat(const ipubox_v1_Seat *seat, const struct pod *pod, struct partition *p,
    struct error *e)
{
	struct partition at = { .name = "" };

	if (wire_field_get(seat_fields, "seat", seat, &at, e) != 0 ||
	    wire_field_copy_bytes("the id of a seat", seat->id, at.id,
		sizeof(at.id), e) != 0)
		return -1;
	if (strcmp(at.name, p->name) != 0 ||
	    memcmp(at.id, p->id, sizeof(p->id)) != 0)
		return error_set_code(e, ERROR_INVALID,
		    "partition %s has no place in the wanted pod", p->name);
	if (wire_partition_get_placement(&seat->placement, pod, &p->placement,
		e) != 0)
		return error_prefix(e, "partition %s", p->name);
	if (at.allocation >= pod->allocation_count)
		return error_set_code(e, ERROR_INVALID,
		    "partition %s: is in an allocation that does not exist",
		    p->name);
	p->allocation = at.allocation;
	return 0;
}

int
wire_inventory_get(const ipubox_v1_Inventory *m, struct inventory *v,
    struct error *e)
{
	const size_t count = (size_t)v->partition_count;
	struct partition *moved;
	struct pod wanted;
	size_t i;
	int status = 0;

	if (m->seats_count != count)
		return error_set_code(e, ERROR_INVALID,
		    "%u places for %zu partitions", (unsigned)m->seats_count,
		    count);
	if (wire_pod_get(&m->pod, &wanted, e) != 0)
		return -1;
	moved = xcalloc(count + 1, sizeof(*moved));
	for (i = 0; i < count && status == 0; i++) {
		moved[i] = v->partitions[i];
		status = get_seat(&m->seats[i], &wanted, &moved[i], e);
	}
	if (status == 0) {
		if (count > 0)
			memcpy(v->partitions, moved, count * sizeof(*moved));
		pod_release(v->pod);
		*v->pod = wanted;
	} else {
		pod_release(&wanted);
	}
	free(moved);
	return status;
}

/* ---- tests of a cluster, and faults ---- */

static const struct wire_field result_fields[] = {
	WIRE_NUMBER(struct wiring_result, ipubox_v1_TestResult, passed, 0,
	    INT32_MAX),
	WIRE_NUMBER(struct wiring_result, ipubox_v1_TestResult, total, 0,
	    INT32_MAX),
	WIRE_TEXT(struct wiring_result, ipubox_v1_TestResult, summary),
	WIRE_END,
};

static const struct wire_field injection_fields[] = {
	WIRE_NUMBER(struct injection, ipubox_v1_InjectFaultRequest, fault, 0,
	    FAULT_SOC_ERROR),
	WIRE_NUMBER(struct injection, ipubox_v1_InjectFaultRequest, value, 0,
	    INT32_MAX),
	WIRE_NUMBER(struct injection, ipubox_v1_InjectFaultRequest, soc_errors,
	    0, UINT32_MAX),
	WIRE_END,
};

void
wire_trial_put_results(const struct cluster_test *results,
    ipubox_v1_TestClusterReply *m)
{
	int t;

	m->results_count = WIRING_TESTS;
	m->results = xcalloc(WIRING_TESTS, sizeof(*m->results));
	for (t = 0; t < WIRING_TESTS; t++) {
		wire_field_put(result_fields, &results[t].result,
		    &m->results[t]);
		m->results[t].duration_ns = results[t].duration_ns;
	}
}

int
wire_trial_get_results(const ipubox_v1_TestClusterReply *m,
    struct cluster_test *results, struct error *e)
{
	int t;

	if (m->results_count != WIRING_TESTS)
		return error_set_code(e, ERROR_INVALID,
		    "%u results instead of %d", (unsigned)m->results_count,
		    WIRING_TESTS);
	for (t = 0; t < WIRING_TESTS; t++) {
		if (wire_field_get(result_fields, "result", &m->results[t],
			&results[t].result, e) != 0)
			return -1;
		if (m->results[t].duration_ns < 0)
			return error_set_code(e, ERROR_INVALID,
			    "result: duration_ns must be at least 0");
		results[t].duration_ns = m->results[t].duration_ns;
	}
	return 0;
}

void
wire_trial_put_injection(const struct injection *in,
    ipubox_v1_InjectFaultRequest *m)
{
	wire_field_put(injection_fields, in, m);
	m->target = wire_field_text(in->target);
}

int
wire_trial_get_injection(const ipubox_v1_InjectFaultRequest *m,
    struct injection *in, struct error *e)
{
	memset(in, 0, sizeof(*in));
	in->target = m->target != NULL ? m->target : "";
	return wire_field_get(injection_fields, "the fault", m, in, e);
}

/* ---- users ---- */

static const struct wire_field user_fields[] = {
	WIRE_NAME(struct user, ipubox_v1_User, name),
	WIRE_END,
};

void
wire_user_put(const struct user *u, ipubox_v1_User *m)
{
	int i;

	wire_field_put(user_fields, u, m);
	m->allocations_count = (pb_size_t)u->allocation_count;
	m->allocations = xcalloc(m->allocations_count + 1,
	    sizeof(*m->allocations));
	for (i = 0; i < u->allocation_count; i++)
		m->allocations[i] = xstrdup(u->allocations[i]);
}

int
wire_user_get(const ipubox_v1_User *m, struct user *u, struct error *e)
{
	pb_size_t i;

	memset(u, 0, sizeof(*u));
	if (wire_field_get(user_fields, "user", m, u, e) != 0)
		return -1;
	if (m->allocations_count > USER_ALLOCATIONS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "user %s has %u allocations, the limit is %d", u->name,
		    (unsigned)m->allocations_count, USER_ALLOCATIONS_MAX);
	for (i = 0; i < m->allocations_count; i++)
		if (name_parse("allocation", m->allocations[i],
			u->allocations[i], e) != 0)
			return error_prefix(e, "user %s", u->name);
	u->allocation_count = (int)m->allocations_count;
	return 0;
}

/* A given text is transmitted, even "". */
static void
put_given(const char *text, bool *is_given, ipubox_v1_Text *m)
{
	*is_given = text != NULL;
	if (text != NULL)
		m->text = wire_field_text(text);
}

static const char *
get_given(bool is_given, const ipubox_v1_Text *m)
{
	if (!is_given)
		return NULL;
	return m->text != NULL ? m->text : "";
}

void
wire_user_put_change(const struct user_change *c, ipubox_v1_UserChange *m)
{
	put_given(c->allocations, &m->has_allocations, &m->allocations);
	put_given(c->add, &m->has_add, &m->add);
	put_given(c->remove, &m->has_remove, &m->remove);
	put_given(c->key, &m->has_key, &m->key);
}

void
wire_user_get_change(const ipubox_v1_UserChange *m, struct user_change *c)
{
	c->allocations = get_given(m->has_allocations, &m->allocations);
	c->add = get_given(m->has_add, &m->add);
	c->remove = get_given(m->has_remove, &m->remove);
	c->key = get_given(m->has_key, &m->key);
}
