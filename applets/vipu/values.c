/*
 * The words of options, once for completion and refusals.
 */
#include "applets/vipu/keys.h"

#include "applets/candidates.h"
#include "core/base/strvec.h"

const struct option_values values_table[] = {
	{ .key = 'H', .words = "local" },
	{ .key = KEY_ADD_AGENTS, .kind = CANDIDATES_AGENTS },
	{ .key = KEY_AGENTS, .kind = CANDIDATES_AGENTS },
	{ .key = KEY_REMOVE_AGENTS, .kind = CANDIDATES_AGENTS },
	{ .key = KEY_ADD_ALLOCATIONS, .kind = CANDIDATES_ALLOCATIONS },
	{ .key = KEY_ALLOCATION, .kind = CANDIDATES_ALLOCATIONS },
	{ .key = KEY_ALLOCATIONS, .kind = CANDIDATES_ALLOCATIONS },
	{ .key = KEY_REMOVE_ALLOCATIONS, .kind = CANDIDATES_ALLOCATIONS },
	{ .key = KEY_CLUSTER, .kind = CANDIDATES_CLUSTERS },
	{ .key = KEY_USER_ID, .kind = CANDIDATES_USERS },
	{ .key = KEY_POD, .kind = CANDIDATES_PODS },
	{ .key = KEY_CLUSTER_TOPOLOGY, .words = "looped or switched" },
	{ .key = KEY_FORMAT, .words = "table, json or csv" },
	{ .key = KEY_GATEWAY_ROUTING, .words = "ring or swring" },
	{ .key = KEY_ROUTING, .words = "dnc, swnc, btnc or ringswnc" },
	{ .key = KEY_SHELL, .words = SHELL_WORDS },
	{ .key = KEY_SIZE, .words = "1, 2, 4, 8, 16, 32, 64" },
	{ .key = KEY_STYLE, .words = "new, mid or old" },
	{ .key = KEY_SYNC_TYPE, .words = "c2-compatible, "
	    "pod-native-default or pod-native-replicated-pipeline" },
	{ .key = KEY_TOPOLOGY, .words = "mesh or torus" },
	{ 0 }
};

const char *
values_words(int key)
{
	return options_values(values_table, key)->words;
}
