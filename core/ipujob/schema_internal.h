/*
 * The tables of schema.h, one per struct of the API, in alphabetical order of
 * their fields; and how their rows are written:
 *
 *	FIELD	one value		LIST	a list of values
 *	WORD	a text that is one of these words
 *	PART	an object		PARTS	a list of objects
 *	DETAIL	a value that shares the fate of the field above, and DETAILS a
 *		list, DETAIL_PART an object, DETAIL_PARTS a list of objects
 *	NEEDED_	before each: it has to be there
 */
#ifndef CORE_IPUJOB_SCHEMA_INTERNAL_H
#define CORE_IPUJOB_SCHEMA_INTERNAL_H

#include "core/ipujob/schema.h"

/* A row: all members of struct schema_field. */
#define SCHEMA_ROW(name, type, list, required, effect, fields, words, note) \
	{ name, SCHEMA_##type, list, required, SCHEMA_##effect, fields, words, \
	    note }

#define FIELD(name, type, effect, note) \
	SCHEMA_ROW(name, type, false, false, effect, NULL, NULL, note)
#define NEEDED_FIELD(name, type, effect, note) \
	SCHEMA_ROW(name, type, false, true, effect, NULL, NULL, note)
#define LIST(name, type, effect, note) \
	SCHEMA_ROW(name, type, true, false, effect, NULL, NULL, note)
#define NEEDED_LIST(name, type, effect, note) \
	SCHEMA_ROW(name, type, true, true, effect, NULL, NULL, note)
#define WORD(name, words, effect, note) \
	SCHEMA_ROW(name, TEXT, false, false, effect, NULL, words, note)
#define NEEDED_WORD(name, words, effect, note) \
	SCHEMA_ROW(name, TEXT, false, true, effect, NULL, words, note)
#define PART(name, fields, effect, note) \
	SCHEMA_ROW(name, OBJECT, false, false, effect, fields, NULL, note)
#define NEEDED_PART(name, fields, effect, note) \
	SCHEMA_ROW(name, OBJECT, false, true, effect, fields, NULL, note)
#define PARTS(name, fields, effect, note) \
	SCHEMA_ROW(name, OBJECT, true, false, effect, fields, NULL, note)
#define NEEDED_PARTS(name, fields, effect, note) \
	SCHEMA_ROW(name, OBJECT, true, true, effect, fields, NULL, note)

#define DETAIL(name, type)		FIELD(name, type, NOTED, NULL)
#define NEEDED_DETAIL(name, type)	NEEDED_FIELD(name, type, NOTED, NULL)
#define DETAILS(name, type)		LIST(name, type, NOTED, NULL)
#define NEEDED_DETAILS(name, type)	NEEDED_LIST(name, type, NOTED, NULL)
#define DETAIL_PART(name, fields)	PART(name, fields, NOTED, NULL)
#define NEEDED_DETAIL_PART(name, fields) \
					NEEDED_PART(name, fields, NOTED, NULL)
#define DETAIL_PARTS(name, fields)	PARTS(name, fields, NOTED, NULL)
#define NEEDED_DETAIL_PARTS(name, fields) \
					NEEDED_PARTS(name, fields, NOTED, NULL)

#define END_OF_FIELDS			FIELD(NULL, TEXT, NOTED, NULL)

/* ObjectMeta; as it is in a template; LabelSelector. */
extern const struct schema_field	schema_meta_fields[];
extern const struct schema_field	schema_meta_template[];
extern const struct schema_field	schema_meta_selector[];

/* The kinds of objects. */
extern const struct schema_field	schema_ipujob_fields[];
extern const struct schema_field	schema_kinds_config_map[];
extern const struct schema_field	schema_kinds_secret[];
extern const struct schema_field	schema_kinds_claim[];
extern const struct schema_field	schema_kinds_service[];
extern const struct schema_field	schema_kinds_namespace[];
/* PersistentVolumeClaimSpec, which a volume may have as well. */
extern const struct schema_field	schema_kinds_claim_spec[];

/* PodSpec, Affinity and the like. */
extern const struct schema_field	schema_pod_fields[];
extern const struct schema_field	schema_affinity_fields[];

/* Container, EphemeralContainer, EnvVar, ResourceRequirements; what a reference
   to a field of the pod and to a resource of a container has; SecurityContext's
   parts that a pod's has as well. */
extern const struct schema_field	schema_container_fields[];
extern const struct schema_field	schema_container_ephemeral[];
extern const struct schema_field	schema_container_resources[];
extern const struct schema_field	schema_env_fields[];
extern const struct schema_field	schema_env_from[];
extern const struct schema_field	schema_env_field_ref[];
extern const struct schema_field	schema_env_resource_ref[];
extern const struct schema_field	schema_security_container[];
extern const struct schema_field	schema_security_pod[];
extern const struct schema_field	schema_probe_fields[];
extern const struct schema_field	schema_probe_lifecycle[];

/* Volume; LocalObjectReference. */
extern const struct schema_field	schema_volume_fields[];
extern const struct schema_field	schema_volume_reference[];

#endif
