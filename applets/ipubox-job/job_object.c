/*
 * What the verbs call the objects of manifests.
 */
#include "applets/ipubox-job/job_object.h"

#include "applets/ipubox-job/resource.h"

const char *
job_object_plural(const struct manifest_object *o)
{
	switch (o->kind) {
	case MANIFEST_IPUJOB:
		return resource_plural(RESOURCE_IPUJOB);
	case MANIFEST_CONFIG_MAP:
		return resource_plural(RESOURCE_CONFIG_MAP);
	case MANIFEST_SECRET:
		return resource_plural(RESOURCE_SECRET);
	case MANIFEST_CLAIM:
		return resource_plural(RESOURCE_CLAIM);
	default:
		return manifest_resource(o);
	}
}
