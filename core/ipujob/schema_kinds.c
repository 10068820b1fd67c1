/*
 * The objects that stand beside an IPUJob: what it reads, and what it needs in
 * a cluster.
 */
#include "core/ipujob/schema_internal.h"

/* An object of which nothing is read here, and nothing is checked. */
#define ANYTHING(name, note)	PART(name, NULL, NOTED, note)

const struct schema_field	schema_kinds_config_map[] = {
	FIELD("apiVersion", TEXT, HONOURED, "v1"),
	FIELD("binaryData", TEXTS, HONOURED, "the same in base64"),
	FIELD("data", TEXTS, HONOURED, "texts for variables and files"),
	FIELD("immutable", BOOL, HONOURED, "whether it may be changed later"),
	FIELD("kind", TEXT, HONOURED, "ConfigMap"),
	PART("metadata", schema_meta_fields, HONOURED, "its name"),
	END_OF_FIELDS
};

const struct schema_field	schema_kinds_secret[] = {
	FIELD("apiVersion", TEXT, HONOURED, "v1"),
	FIELD("data", TEXTS, HONOURED, "base64 of its texts"),
	FIELD("immutable", BOOL, HONOURED, "whether it may be changed later"),
	FIELD("kind", TEXT, HONOURED, "Secret"),
	PART("metadata", schema_meta_fields, HONOURED, "its name"),
	FIELD("stringData", TEXTS, HONOURED,
	    "the same as it is, which counts before data"),
	FIELD("type", TEXT, NOTED, "Opaque, whatever it says"),
	END_OF_FIELDS
};

static const struct schema_field	data_source[] = {
	DETAIL("apiGroup", TEXT),
	NEEDED_DETAIL("kind", TEXT),
	NEEDED_DETAIL("name", TEXT),
	END_OF_FIELDS
};

const struct schema_field	schema_kinds_claim_spec[] = {
	LIST("accessModes", TEXT, NOTED,
	    "all pods of this host may use the directory at once"),
	PART("dataSource", data_source, NOTED,
	    "the directory is empty at first"),
	PART("resources", schema_container_resources, NOTED,
	    "the directory may grow as long as its disk has room"),
	PART("selector", schema_meta_selector, NOTED,
	    "a claim is a directory of this host"),
	FIELD("storageClassName", TEXT, NOTED,
	    "a claim is a directory of this host"),
	FIELD("volumeMode", TEXT, NOTED, "a claim is a directory of this host"),
	FIELD("volumeName", TEXT, NOTED, "a claim is a directory of this host"),
	END_OF_FIELDS
};

static const struct schema_field	newer_claim_spec[] = {
	LIST("accessModes", TEXT, NOTED,
	    "all pods of this host may use the directory at once"),
	PART("dataSource", data_source, NOTED,
	    "the directory is empty at first"),
	ANYTHING("dataSourceRef", "the directory is empty at first"),
	PART("resources", schema_container_resources, NOTED,
	    "the directory may grow as long as its disk has room"),
	PART("selector", schema_meta_selector, NOTED,
	    "a claim is a directory of this host"),
	FIELD("storageClassName", TEXT, NOTED,
	    "a claim is a directory of this host"),
	FIELD("volumeAttributesClassName", TEXT, NOTED,
	    "a claim is a directory of this host"),
	FIELD("volumeMode", TEXT, NOTED, "a claim is a directory of this host"),
	FIELD("volumeName", TEXT, NOTED, "a claim is a directory of this host"),
	END_OF_FIELDS
};

const struct schema_field	schema_kinds_claim[] = {
	FIELD("apiVersion", TEXT, HONOURED, "v1"),
	FIELD("kind", TEXT, HONOURED, "PersistentVolumeClaim"),
	PART("metadata", schema_meta_fields, HONOURED, "its name"),
	PART("spec", newer_claim_spec, HONOURED, "a directory of that name"),
	ANYTHING("status", "how a claim was doing elsewhere"),
	END_OF_FIELDS
};

const struct schema_field	schema_kinds_service[] = {
	FIELD("apiVersion", TEXT, HONOURED, "v1"),
	FIELD("kind", TEXT, HONOURED, "Service"),
	PART("metadata", schema_meta_fields, HONOURED, "its name"),
	ANYTHING("spec", "programs listen at this host's own addresses"),
	ANYTHING("status", "how a service was doing elsewhere"),
	END_OF_FIELDS
};

const struct schema_field	schema_kinds_namespace[] = {
	FIELD("apiVersion", TEXT, HONOURED, "v1"),
	FIELD("kind", TEXT, HONOURED, "Namespace"),
	PART("metadata", schema_meta_fields, HONOURED, "its name"),
	ANYTHING("spec", "a namespace is there when something is in it"),
	ANYTHING("status", "how a namespace was doing elsewhere"),
	END_OF_FIELDS
};
