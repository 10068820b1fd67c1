/*
 * What all objects have: their names, and where they come from.
 */
#include "core/ipujob/schema_internal.h"

static const struct schema_field	owner_reference[] = {
	NEEDED_DETAIL("apiVersion", TEXT),
	DETAIL("blockOwnerDeletion", BOOL),
	DETAIL("controller", BOOL),
	NEEDED_DETAIL("kind", TEXT),
	NEEDED_DETAIL("name", TEXT),
	NEEDED_DETAIL("uid", TEXT),
	END_OF_FIELDS
};

const struct schema_field	schema_meta_fields[] = {
	FIELD("annotations", TEXTS, HONOURED,
	    "kept with the object; nothing here reads them"),
	FIELD("clusterName", TEXT, NOTED, "there is one cluster, this host"),
	FIELD("creationTimestamp", TEXT, NOTED,
	    "set when the object is created"),
	FIELD("deletionGracePeriodSeconds", LONG, NOTED,
	    "set when the object is deleted"),
	FIELD("deletionTimestamp", TEXT, NOTED,
	    "set when the object is deleted"),
	LIST("finalizers", TEXT, NOTED, "nothing here acts on them"),
	FIELD("generateName", TEXT, HONOURED,
	    "the beginning of a name, to which five characters are added"),
	FIELD("generation", LONG, NOTED, "set by a cluster"),
	FIELD("labels", TEXTS, HONOURED, "kept with the object"),
	SCHEMA_ROW("managedFields", OBJECT, true, false, NOTED, NULL, NULL,
	    "set by a cluster"),
	FIELD("name", TEXT, HONOURED,
	    "the object's name; of an IPUJob at most 36 characters"),
	FIELD("namespace", TEXT, HONOURED,
	    "a part of the names of partitions; what a job refers to is in "
	    "its own namespace"),
	PARTS("ownerReferences", owner_reference, NOTED,
	    "nothing is deleted along with another object here"),
	FIELD("resourceVersion", TEXT, NOTED, "set by a cluster"),
	FIELD("selfLink", TEXT, NOTED, "set by a cluster"),
	FIELD("uid", TEXT, NOTED, "set when the object is created"),
	END_OF_FIELDS
};

const struct schema_field	schema_meta_template[] = {
	FIELD("annotations", TEXTS, HONOURED,
	    "the pods': a fieldRef and a downwardAPI volume read them"),
	LIST("finalizers", TEXT, NOTED, "nothing here acts on them"),
	FIELD("labels", TEXTS, HONOURED,
	    "the pods': a fieldRef and a downwardAPI volume read them"),
	FIELD("name", TEXT, NOTED, "pods are called JOB-worker-N"),
	FIELD("namespace", TEXT, NOTED, "pods have the job's namespace"),
	END_OF_FIELDS
};

static const struct schema_field	selector_requirement[] = {
	NEEDED_DETAIL("key", TEXT),
	NEEDED_DETAIL("operator", TEXT),
	DETAILS("values", TEXT),
	END_OF_FIELDS
};

const struct schema_field	schema_meta_selector[] = {
	DETAIL_PARTS("matchExpressions", selector_requirement),
	DETAIL("matchLabels", TEXTS),
	END_OF_FIELDS
};
