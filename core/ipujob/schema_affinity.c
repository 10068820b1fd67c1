/*
 * Affinity: on which nodes pods may run.  There is one node here, so these are
 * checked and have no effect.
 */
#include "core/ipujob/schema_internal.h"

static const struct schema_field	node_requirement[] = {
	NEEDED_DETAIL("key", TEXT),
	NEEDED_DETAIL("operator", TEXT),
	DETAILS("values", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	node_term[] = {
	DETAIL_PARTS("matchExpressions", node_requirement),
	DETAIL_PARTS("matchFields", node_requirement),
	END_OF_FIELDS
};

static const struct schema_field	node_preferred[] = {
	NEEDED_DETAIL_PART("preference", node_term),
	NEEDED_DETAIL("weight", INTEGER),
	END_OF_FIELDS
};

static const struct schema_field	node_required[] = {
	NEEDED_DETAIL_PARTS("nodeSelectorTerms", node_term),
	END_OF_FIELDS
};

static const struct schema_field	node_affinity[] = {
	DETAIL_PARTS("preferredDuringSchedulingIgnoredDuringExecution",
	    node_preferred),
	DETAIL_PART("requiredDuringSchedulingIgnoredDuringExecution",
	    node_required),
	END_OF_FIELDS
};

static const struct schema_field	pod_term[] = {
	DETAIL_PART("labelSelector", schema_meta_selector),
	DETAILS("namespaces", TEXT),
	NEEDED_DETAIL("topologyKey", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	pod_preferred[] = {
	NEEDED_DETAIL_PART("podAffinityTerm", pod_term),
	NEEDED_DETAIL("weight", INTEGER),
	END_OF_FIELDS
};

static const struct schema_field	pod_affinity[] = {
	DETAIL_PARTS("preferredDuringSchedulingIgnoredDuringExecution",
	    pod_preferred),
	DETAIL_PARTS("requiredDuringSchedulingIgnoredDuringExecution",
	    pod_term),
	END_OF_FIELDS
};

const struct schema_field	schema_affinity_fields[] = {
	DETAIL_PART("nodeAffinity", node_affinity),
	DETAIL_PART("podAffinity", pod_affinity),
	DETAIL_PART("podAntiAffinity", pod_affinity),
	END_OF_FIELDS
};
