/*
 * What happened to an IPUJob and its pods, as the objects that kubectl shows.
 *
 * Source: the API reference of Kubernetes, Event (core/v1).
 */
#ifndef CORE_KUBE_RUNTIME_EVENT_OBJECT_H
#define CORE_KUBE_RUNTIME_EVENT_OBJECT_H

#include "core/kube/yaml/yaml.h"

/*
 * The list of Events that the runner's lines make, which are maps of time,
 * type, reason, object and message (job_entry.h).  Lines that say
 * the same of the same object are one Event with a count, a first and a last
 * time; it stands where its last line does.
 */
struct yaml_node	*event_object_list(struct yaml_arena *,
			    const struct yaml_node *lines, const char *job,
			    const char *space);

/* Whether it happened to that object: "IPUJob" or "Pod", and its name. */
bool	event_object_is_about(const struct yaml_node *event, const char *kind,
	    const char *name);

#endif
