/*
 * Which objects a command takes by their labels (-l) and fields
 * (--field-selector):
 *
 *	a=b,c==d,e!=f,g,!h,i in (j,k),l notin (m),n>1,o<2
 *	status.phase=Running,metadata.name!=mnist
 *
 * A comma is an and.
 *
 * Source: the API concepts of Kubernetes, "Labels and Selectors", "Field
 * Selectors".
 */
#ifndef APPLETS_IPUBOX_JOB_SELECTOR_H
#define APPLETS_IPUBOX_JOB_SELECTOR_H

#include <stdbool.h>

#include "applets/ipubox-job/resource.h"
#include "core/base/error.h"
#include "core/kube/yaml/yaml.h"

struct job_call;

/* Whether both can be read, before anything is done; NULL is fine. */
int	selector_check(const char *labels, const char *fields,
	    struct error *);

/*
 * Whether objects of the type can be selected by these fields, NULL is fine:
 * "field label not supported: x", as the API server refuses it.
 */
int	selector_check_type(const char *fields, enum resource_type,
	    struct error *);

/* Whether the object is one of those; all are where nothing is selected. */
bool	selector_takes(const struct job_call *, const struct yaml_node *object);

#endif
