/*
 * A request for a partition: its defaults, and the rules that need no pod.
 *
 * Source: V-IPU user guide, chapter 5.
 */
#include "core/pod/request.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/base/parse.h"

void
request_init(struct partition_request *r)
{
	memset(r, 0, sizeof(*r));
	r->index = -1;
}

/* Groups are aligned to their size, so that must be a power of two. */
static int
request_check_size(const struct partition_request *r, struct error *e)
{
	if (r->size < 1 || !bits_is_power_of_two((unsigned)r->size))
		return error_set_code(e, ERROR_INVALID,
		    "size %d: must be a power of 2 (1, 2, 4, 8, ...)", r->size);
	if (r->size > POD_IPUS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "size %d: the largest pod has %d IPUs", r->size,
		    POD_IPUS_MAX);
	return 0;
}

/* GCDs are equal powers of two.  placement_choose() checks that each lies in
   one ILD, which depends on the pod. */
static int
check_gcds(const struct partition_request *r, struct error *e)
{
	if (r->num_gcds < 1 || r->num_gcds > r->size ||
	    r->size % r->num_gcds != 0)
		return error_set_code(e, ERROR_INVALID,
		    "num-gcds %d: must divide the size, %d, into equal parts",
		    r->num_gcds, r->size);
	if (r->num_ilds == 0)
		return 0;
	if (r->num_ilds < 0 || r->num_ilds > r->size ||
	    !bits_is_power_of_two((unsigned)r->num_ilds))
		return error_set_code(e, ERROR_INVALID,
		    "num-ilds %d: must be a power of 2, and at most the size, "
		    "%d",
		    r->num_ilds, r->size);
	return 0;
}

static int
request_check_replicas(const struct partition_request *r, struct error *e)
{
	if (r->num_replicas < 1 || r->num_replicas > r->size ||
	    !bits_is_power_of_two((unsigned)r->num_replicas))
		return error_set_code(e, ERROR_INVALID,
		    "total-num-replicas %d: must be a power of 2, and at most "
		    "one for each of the %d IPUs",
		    r->num_replicas, r->size);
	if (r->num_replicas % r->num_gcds != 0)
		return error_set_code(e, ERROR_INVALID,
		    "total-num-replicas %d: must be a multiple of the number "
		    "of GCDs, %d",
		    r->num_replicas, r->num_gcds);
	return 0;
}

/* Guide 5.2.  Requires the c2-compatible sync type; with --index another one is
   silently replaced by it. */
static int
check_reconfigurable(struct partition_request *r, struct error *e)
{
	if (r->num_gcds != 1)
		return error_set_code(e, ERROR_INVALID,
		    "a reconfigurable partition has one GCD, not %d: leave out "
		    "--reconfigurable or --num-gcds",
		    r->num_gcds);
	if (r->sync_type != ST_UNDEFINED && r->sync_type != ST_GS2_DEFAULT &&
	    r->index < 0)
		return error_set_code(e, ERROR_INVALID,
		    "sync type %s: a reconfigurable partition must have %s",
		    partition_sync_type_name(r->sync_type),
		    partition_sync_type_name(ST_GS2_DEFAULT));
	r->sync_type = ST_GS2_DEFAULT;
	return 0;
}

int
request_check(struct partition_request *r, struct error *e)
{
	if (name_check("partition", r->name, e) != 0 ||
	    request_check_size(r, e) != 0)
		return -1;
	if (r->index >= 0 && r->cluster[0] == '\0')
		return error_set_code(e, ERROR_INVALID,
		    "index %d: an index counts inside one cluster, so --index "
		    "needs --cluster",
		    r->index);
	if (r->sync_type == ST_GS2_INDEPENDENT_RAILS)
		return error_set_code(e, ERROR_INVALID,
		    "sync type %s is not supported",
		    partition_sync_type_name(r->sync_type));
	if (r->num_gcds == 0)
		r->num_gcds = 1;
	if (r->num_replicas == 0)
		r->num_replicas = r->num_gcds;
	if (r->reconfigurable && check_reconfigurable(r, e) != 0)
		return -1;
	if (check_gcds(r, e) != 0 || request_check_replicas(r, e) != 0)
		return -1;
	if (r->sync_type == ST_UNDEFINED)
		r->sync_type = ST_GS2_DEFAULT;
	return 0;
}

static int
check_word(int asked, int there, int undefined, const char *what,
    const char *(*name)(int), struct error *e)
{
	return asked == undefined || asked == there ?
	    0 :
	    error_set_code(e, ERROR_EXISTS, "its %s is %s, not %s", what,
		name(there), name(asked));
}

int
request_is_met(const struct partition_request *r, const struct partition *p,
    struct error *e)
{
	if (partition_size(p) != r->size)
		return error_set_code(e, ERROR_EXISTS, "it has %d IPUs, not %d",
		    partition_size(p), r->size);
	if (!p->reconfigurable != !r->reconfigurable)
		return error_set_code(e, ERROR_EXISTS, "it is %sreconfigurable",
		    p->reconfigurable ? "" : "not ");
	if (p->num_gcds != r->num_gcds)
		return error_set_code(e, ERROR_EXISTS, "it has %d GCDs, not %d",
		    p->num_gcds, r->num_gcds);
	if (p->num_replicas != r->num_replicas)
		return error_set_code(e, ERROR_EXISTS,
		    "it has %d replicas, not %d", p->num_replicas,
		    r->num_replicas);
	if (r->num_ilds != 0 && p->placement.ild_count != r->num_ilds)
		return error_set_code(e, ERROR_EXISTS,
		    "it uses %d ILDs, not %d", p->placement.ild_count,
		    r->num_ilds);
	if (check_word(r->sync_type, p->sync_type, ST_UNDEFINED, "sync type",
		partition_sync_type_name, e) != 0 ||
	    check_word(r->routing, p->routing, IRT_UNDEFINED, "routing",
		partition_link_routing_name, e) != 0)
		return -1;
	return check_word(r->gateway_routing, p->gateway_routing, GRT_UNDEFINED,
	    "gateway routing", partition_gateway_routing_name, e);
}
