/*
 * Requests and their rules, the words of partitions, and sync groups.
 */
#include <string.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

enum { FREE = -1 }; /* index: lowest free */

static void
test_rules(void)
{
	static const struct {
		int size, gcds, replicas, ilds, sync, index;
		bool reconfigurable;
		const char *cluster;
		const char *error; /* NULL: allowed */
	} rows[] = {
		{ 1, 0, 0, 0, 0, FREE, false, "", NULL },
		{ 64, 0, 0, 0, 0, FREE, false, "", NULL },
		{ 65536, 1024, 0, 0, 0, FREE, false, "", NULL },
		{ 0, 0, 0, 0, 0, FREE, false, "",
		    "size 0: must be a power of 2 (1, 2, 4, 8, ...)" },
		{ -4, 0, 0, 0, 0, FREE, false, "",
		    "size -4: must be a power of 2 (1, 2, 4, 8, ...)" },
		{ 3, 0, 0, 0, 0, FREE, false, "",
		    "size 3: must be a power of 2 (1, 2, 4, 8, ...)" },
		{ 131072, 0, 0, 0, 0, FREE, false, "",
		    "size 131072: the largest pod has 65536 IPUs" },
		{ 128, 0, 0, 0, 0, FREE, false, "", NULL },
		{ 128, 2, 0, 0, 0, FREE, false, "", NULL },
		{ 8, 2, 0, 0, 0, FREE, false, "", NULL },
		{ 8, 8, 0, 0, 0, FREE, false, "", NULL },
		{ 8, 3, 0, 0, 0, FREE, false, "",
		    "num-gcds 3: must divide the size, 8, into equal parts" },
		{ 8, 16, 0, 0, 0, FREE, false, "",
		    "num-gcds 16: must divide the size, 8, into equal parts" },
		{ 8, -1, 0, 0, 0, FREE, false, "",
		    "num-gcds -1: must divide the size, 8, into equal parts" },
		{ 8, 2, 4, 0, 0, FREE, false, "", NULL },
		{ 8, 2, 8, 0, 0, FREE, false, "", NULL },
		{ 8, 1, 3, 0, 0, FREE, false, "",
		    "total-num-replicas 3: must be a power of 2, and at most "
		    "one for each of the 8 IPUs" },
		{ 8, 1, 16, 0, 0, FREE, false, "",
		    "total-num-replicas 16: must be a power of 2, and at most "
		    "one for each of the 8 IPUs" },
		{ 8, 4, 2, 0, 0, FREE, false, "",
		    "total-num-replicas 2: must be a multiple of the number of "
		    "GCDs, 4" },
		{ 8, 2, 0, 2, 0, FREE, false, "", NULL },
		{ 8, 1, 0, 2, 0, FREE, false, "", NULL },
		{ 8, 8, 0, 3, 0, FREE, false, "",
		    "num-ilds 3: must be a power of 2, and at most the size, "
		    "8" },
		{ 2, 2, 0, 4, 0, FREE, false, "",
		    "num-ilds 4: must be a power of 2, and at most the size, "
		    "2" },
		{ 4, 1, 0, 0, 0, FREE, true, "", NULL },
		{ 4, 1, 0, 0, ST_GS2_DEFAULT, FREE, true, "", NULL },
		{ 4, 2, 0, 0, 0, FREE, true, "",
		    "a reconfigurable partition has one GCD, not 2: leave out "
		    "--reconfigurable or --num-gcds" },
		{ 128, 2, 0, 0, 0, FREE, true, "",
		    "a reconfigurable partition has one GCD, not 2: leave out "
		    "--reconfigurable or --num-gcds" },
		{ 4, 1, 0, 0, ST_POD_NATIVE_DEFAULT, FREE, true, "",
		    "sync type pod-native-default: a reconfigurable partition "
		    "must have c2-compatible" },
		/* Guide 5.2: with --index it is silently replaced. */
		{ 4, 1, 0, 0, ST_POD_NATIVE_DEFAULT, 0, true, "cl0", NULL },
		{ 4, 1, 0, 0, ST_POD_NATIVE_DEFAULT, FREE, false, "", NULL },
		{ 4, 1, 0, 0, ST_GS2_INDEPENDENT_RAILS, FREE, false, "",
		    "sync type gs2-independent-rails is not supported" },
		{ 4, 1, 0, 0, 0, 2, false, "",
		    "index 2: an index counts inside one cluster, so --index "
		    "needs --cluster" },
	};
	struct partition_request r;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		request_init(&r);
		(void)strlcpy(r.name, "pt", sizeof(r.name));
		(void)strlcpy(r.cluster, rows[i].cluster, sizeof(r.cluster));
		r.size = rows[i].size;
		r.num_gcds = rows[i].gcds;
		r.num_replicas = rows[i].replicas;
		r.num_ilds = rows[i].ilds;
		r.sync_type = rows[i].sync;
		r.index = rows[i].index;
		r.reconfigurable = rows[i].reconfigurable;
		(void)strlcpy(e.text, "(allowed)", sizeof(e.text));
		is_int(request_check(&r, &e), rows[i].error != NULL ? -1 : 0,
		    "the rule");
		is_str(e.text,
		    rows[i].error != NULL ? rows[i].error : "(allowed)",
		    "its words");
		if (r.reconfigurable && rows[i].error == NULL)
			is_int(r.sync_type, ST_GS2_DEFAULT, "c2-compatible");
	}
}

static bool
power_of_two(int n)
{
	return n > 0 && (n & (n - 1)) == 0;
}

/* The rules again, in another form; 0: left out. */
static bool
allowed(int size, int gcds, int replicas, int ilds, bool reconfigurable)
{
	if (gcds == 0)
		gcds = 1;
	if (replicas == 0)
		replicas = gcds;
	return power_of_two(size) && size % gcds == 0 &&
	    power_of_two(replicas) && replicas <= size &&
	    replicas % gcds == 0 &&
	    (ilds == 0 || (power_of_two(ilds) && ilds <= size)) &&
	    (!reconfigurable || gcds == 1);
}

/* The next digit of a number that counts through all requests. */
static int
digit(int *number, int base)
{
	int d = *number % base;

	*number /= base;
	return d;
}

/* Every small request there could be. */
static void
test_every_request(void)
{
	enum { MOST = 18, ALL = MOST * MOST * MOST * MOST * 2 };
	struct partition_request r;
	int i, n, wrong = 0, good = 0;
	bool may;

	for (i = 0; i < ALL; i++) {
		n = i;
		request_init(&r);
		(void)strlcpy(r.name, "pt", sizeof(r.name));
		r.size = digit(&n, MOST);
		r.num_gcds = digit(&n, MOST);
		r.num_replicas = digit(&n, MOST);
		r.num_ilds = digit(&n, MOST);
		r.reconfigurable = n == 1;
		may = allowed(r.size, r.num_gcds, r.num_replicas, r.num_ilds,
		    r.reconfigurable);
		good += may;
		wrong += (request_check(&r, NULL) == 0) != may;
	}
	is_int(wrong, 0, "every request up to 17 IPUs");
	ok(good > 200, "many of them are good ones");
}

static void
test_defaults(void)
{
	struct partition_request r;
	struct error e;

	request_init(&r);
	r.size = 8;
	is_int(request_check(&r, &e), -1, "no name");
	is_str(e.text, "partition name: empty", "is refused");
	(void)strlcpy(r.name, "pt", sizeof(r.name));
	r.num_gcds = 4;
	is_int(request_check(&r, &e), 0, "only size and GCDs");
	is_int(r.num_replicas, 4, "one replica a GCD");
	is_int(r.sync_type, ST_GS2_DEFAULT, "the default sync type");
	is_int(r.routing, IRT_UNDEFINED, "routing comes with the place");
}

static void
test_words(void)
{
	static const struct {
		int (*parse)(const char *);
		const char *word;
		int value;
	} rows[] = {
		{ partition_link_routing_parse, "dnc", IRT_DNC },
		{ partition_link_routing_parse, "RINGSWNC", IRT_RINGSWNC },
		{ partition_link_routing_parse, "ring-swnc", IRT_RINGSWNC },
		{ partition_link_routing_parse, "Btnc", IRT_BTNC },
		{ partition_link_routing_parse, "undefined", -1 },
		{ partition_link_routing_parse, "swn", -1 },
		{ partition_link_routing_parse, "swncx", -1 },
		{ partition_link_routing_parse, "", -1 },
		{ partition_link_routing_parse, "IRT_RINGSWNC", IRT_RINGSWNC },
		{ partition_link_routing_parse, "irt_", -1 },
		{ partition_link_routing_parse, "GRT_DNC", -1 },
		{ partition_link_routing_parse, "dnc ", -1 },
		{ partition_gateway_routing_parse, "ring", GRT_RING },
		{ partition_gateway_routing_parse, "SWRING", GRT_SWRING },
		{ partition_gateway_routing_parse, "GRT_RING", GRT_RING },
		{ partition_gateway_routing_parse, "default", GRT_DEFAULT },
		{ partition_gateway_routing_parse, "undefined", -1 },
		{ partition_gateway_routing_parse, "no", -1 },
		{ partition_sync_type_parse, "c2-compatible", ST_GS2_DEFAULT },
		{ partition_sync_type_parse, "ST_POD_NATIVE_DEFAULT",
		    ST_POD_NATIVE_DEFAULT },
		{ partition_sync_type_parse, "pod-native-default",
		    ST_POD_NATIVE_DEFAULT },
		{ partition_sync_type_parse, "pod_native_replicated_pipeline",
		    ST_POD_NATIVE_REPLICATED_PIPELINE },
		{ partition_sync_type_parse, "st_gs2_default", ST_GS2_DEFAULT },
		{ partition_sync_type_parse, "gs2-independent-rails",
		    ST_GS2_INDEPENDENT_RAILS },
		{ partition_sync_type_parse, "ST_UNDEFINED", -1 },
		{ partition_sync_type_parse, "c2", -1 },
		{ partition_sync_type_parse, "", -1 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		is_int(rows[i].parse(rows[i].word), rows[i].value,
		    rows[i].word);
	is_str(partition_link_routing_name(IRT_SWNC), "SWNC", "routing");
	is_str(partition_sync_type_constant(ST_GS2_DEFAULT), "ST_GS2_DEFAULT",
	    "sync");
	is_str(partition_gateway_routing_name(GRT_DEFAULT), "DEFAULT",
	    "gateway");
	/* Tables 5.1 and 5.2 of the guide. */
	is_str(partition_state_name(PS_PENDING), "PENDING", "state");
	is_str(partition_state_name(PS_ACTIVE), "ACTIVE", "state");
	is_str(partition_state_name(PS_REMOVED), "REMOVED", "state");
	is_str(partition_state_name(PS_ERROR), "ERROR", "state");
	is_str(partition_operation_name(POS_IDLE), "IDLE", "operation");
	is_str(partition_operation_name(POS_CREATING), "CREATING", "operation");
	is_str(partition_operation_name(POS_REMOVING), "REMOVING", "operation");
	is_str(partition_operation_name(POS_RESETTING), "RESETTING",
	    "operation");
	is_str(partition_operation_name(POS_FAILED), "FAILED", "operation");
	is_str(partition_state_name(99), "UNKNOWN", "a value from elsewhere");
}

/* Table 5.4 of the guide, a letter an IPU. */
static void
test_sync(void)
{
	static const struct {
		int size, replicas;
		const char *groups;
	} rows[] = {
		{ 1, 1, "a" },
		{ 2, 1, "aa" },
		{ 4, 1, "aaaa" },
		{ 8, 1, "aaaaaaaa" },
		{ 2, 2, "ab" },
		{ 4, 2, "aabb" },
		{ 8, 2, "aaaabbbb" },
		{ 4, 4, "abcd" },
		{ 8, 4, "aabbccdd" },
		{ 8, 8, "abcdefgh" },
	};
	struct partition p;
	char groups[16];
	size_t i;
	int k, first, count;

	memset(&p, 0, sizeof(p));
	p.placement.ild_count = 1;
	p.num_gcds = 1;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		p.placement.per_ild = rows[i].size;
		p.num_replicas = rows[i].replicas;
		for (k = 0; k < rows[i].size; k++)
			groups[k] = (char)('a' + sync_gs1_group(&p, k));
		groups[k] = '\0';
		is_str(groups, rows[i].groups, "table 5.4");
		memset(groups, '-', (size_t)k);
		for (k = 0; k < rows[i].replicas; k++) {
			sync_gs1_range(&p, k, &first, &count);
			memset(groups + first, 'a' + k, (size_t)count);
		}
		is_str(groups, rows[i].groups, "the same by groups");
	}
	p.num_gcds = 4;
	p.placement.per_ild = 16;
	p.placement.ild_count = 2;
	p.num_replicas = 8;
	sync_gs1_range(&p, 5, &first, &count);
	ok(first == 20 && count == 4, "routing ids go through the partition");
	p.num_gcds = 1;
	is_int(sync_gs1_groups(&p), 8, "GS1");
	is_str(sync_gs2_text(&p), "UNDEFINED", "GS2 of one GCD");
	p.num_gcds = 2;
	is_int(sync_gs1_groups(&p), 4, "GS1 counts inside a GCD");
	is_str(sync_gs2_text(&p), "DEFAULT", "GS2 of two");
}

/* What is asked for of a partition that is there: one property each. */
static void
test_met(void)
{
	static const struct {
		struct partition_request asked;
		const char *error;
	} rows[] = {
		{ { .size = 8, .num_gcds = 2 }, NULL },
		{ { .size = 8,
		      .num_gcds = 2,
		      .num_replicas = 2,
		      .num_ilds = 1,
		      .routing = IRT_DNC,
		      .gateway_routing = GRT_DEFAULT,
		      .sync_type = ST_GS2_DEFAULT,
		      .relocatable = true },
		    NULL },
		{ { .size = 4, .num_gcds = 2 }, "it has 8 IPUs, not 4" },
		{ { .size = 8, .reconfigurable = true },
		    "it is not reconfigurable" },
		{ { .size = 8 }, "it has 2 GCDs, not 1" },
		{ { .size = 8, .num_gcds = 2, .num_replicas = 4 },
		    "it has 2 replicas, not 4" },
		{ { .size = 8, .num_gcds = 2, .num_ilds = 2 },
		    "it uses 1 ILDs, not 2" },
		{ { .size = 8,
		      .num_gcds = 2,
		      .sync_type = ST_POD_NATIVE_DEFAULT },
		    "its sync type is c2-compatible, not pod-native-default" },
		{ { .size = 8, .num_gcds = 2, .routing = IRT_SWNC },
		    "its routing is DNC, not SWNC" },
		{ { .size = 8, .num_gcds = 2, .gateway_routing = GRT_RING },
		    "its gateway routing is DEFAULT, not RING" },
	};
	const struct partition p = { .placement = { .per_ild = 8,
					 .ild_count = 1 },
		.num_gcds = 2,
		.num_replicas = 2,
		.routing = IRT_DNC,
		.gateway_routing = GRT_DEFAULT,
		.sync_type = ST_GS2_DEFAULT };
	struct partition_request r;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		r = rows[i].asked;
		r.index = -1;
		(void)strlcpy(r.name, "pt", sizeof(r.name));
		(void)strlcpy(e.text, "(met)", sizeof(e.text));
		is_int(request_check(&r, &e), 0, "a request");
		is_int(request_is_met(&r, &p, &e),
		    rows[i].error != NULL ? -1 : 0, "whether it is met");
		is_str(e.text, rows[i].error != NULL ? rows[i].error : "(met)",
		    "what is another");
	}
}

int
main(void)
{
	test_rules();
	test_met();
	test_every_request();
	test_defaults();
	test_words();
	test_sync();
	return tap_done();
}
