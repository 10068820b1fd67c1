/*
 * EnvVar and EnvFromSource: where variables come from.
 */
#include "core/ipujob/schema_internal.h"

static const struct schema_field	key_ref[] = {
	NEEDED_FIELD("key", TEXT, HONOURED, "which of its texts"),
	FIELD("name", TEXT, HONOURED, "the object in the job's namespace"),
	FIELD("optional", BOOL, HONOURED,
	    "whether the pod also starts where it is missing"),
	END_OF_FIELDS
};

static const struct schema_field	object_ref[] = {
	FIELD("name", TEXT, HONOURED, "the object in the job's namespace"),
	FIELD("optional", BOOL, HONOURED,
	    "whether the pod also starts where it is missing"),
	END_OF_FIELDS
};

const struct schema_field	schema_env_field_ref[] = {
	FIELD("apiVersion", TEXT, HONOURED, "v1"),
	NEEDED_FIELD("fieldPath", TEXT, HONOURED,
	    "metadata.name, metadata.labels['KEY'], status.podIP and the like"),
	END_OF_FIELDS
};

const struct schema_field	schema_env_resource_ref[] = {
	FIELD("containerName", TEXT, HONOURED,
	    "whose resources; a volume needs it"),
	FIELD("divisor", QUANTITY, HONOURED,
	    "the unit of the number: 1, 1m, 1Gi"),
	NEEDED_FIELD("resource", TEXT, HONOURED,
	    "limits.memory, requests.cpu and the like"),
	END_OF_FIELDS
};

static const struct schema_field	value_from[] = {
	PART("configMapKeyRef", key_ref, HONOURED, "a text of a ConfigMap"),
	PART("fieldRef", schema_env_field_ref, HONOURED, "a field of the pod"),
	PART("resourceFieldRef", schema_env_resource_ref, HONOURED,
	    "a limit or a request of a container"),
	PART("secretKeyRef", key_ref, HONOURED, "a text of a Secret"),
	END_OF_FIELDS
};

const struct schema_field	schema_env_fields[] = {
	NEEDED_FIELD("name", TEXT, HONOURED, "the variable"),
	FIELD("value", TEXT, HONOURED,
	    "its text; $(NAME) stands for a variable before it"),
	PART("valueFrom", value_from, HONOURED, "where its text comes from"),
	END_OF_FIELDS
};

const struct schema_field	schema_env_from[] = {
	PART("configMapRef", object_ref, HONOURED,
	    "a variable for each text of a ConfigMap"),
	FIELD("prefix", TEXT, HONOURED, "put before each name"),
	PART("secretRef", object_ref, HONOURED,
	    "a variable for each text of a Secret"),
	END_OF_FIELDS
};
