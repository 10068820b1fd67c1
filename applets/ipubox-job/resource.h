/*
 * What a command is about: "ipujobs", "pod/NAME", "ipujob A B".
 */
#ifndef APPLETS_IPUBOX_JOB_RESOURCE_H
#define APPLETS_IPUBOX_JOB_RESOURCE_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"

struct job_call;

enum resource_type {
	RESOURCE_IPUJOB,
	RESOURCE_POD,
	RESOURCE_CONFIG_MAP,
	RESOURCE_SECRET,
	RESOURCE_CLAIM,
	RESOURCE_EVENT,
	RESOURCE_TYPES
};

struct resource {
	enum resource_type type;
	const char	*name;		/* NULL: all of the type; "": it has
					   none yet, and is not found */
	const char	*space;		/* NULL: the call's */
};

struct resources {
	struct resource	*items;		/* names are the caller's words */
	size_t		 count;
	struct manifest	 manifest;	/* of what -f names */
};

/* "ipujob.graphcore.ai", "pod": what messages about one begin with; and
   "ipujobs.graphcore.ai", "pods": what refusals call the type. */
const char	*resource_word(enum resource_type);
const char	*resource_plural(enum resource_type);
/* What it is in the store: an enum job_kind, -1 for what is in a job. */
int	resource_kind(enum resource_type);

/*
 * Which type a word is: "po", "pods", "ipujobs.graphcore.ai", in any case.  -1,
 * with kubectl's words for one that is none.
 */
int	resource_type_find(const char *word, size_t length,
	    enum resource_type *, struct error *);

/*
 * What a command is about: the objects of the manifests that -f names, or its
 * operands, TYPE[,TYPE], TYPE NAME ..., TYPE/NAME ...; to be freed in any case.
 * Objects that are left out here (core/kube/lint/lint.h) are none of them; no
 * others: ERROR_UNSUPPORTED.
 */
int	resources_read(struct job_call *, struct resources *, struct error *);
void	resources_free(struct resources *);

/* Refuse all of a type, unless --all or a selector says so: an exit status. */
int	resources_check_named(const struct job_call *,
	    const struct resources *);

/* The namespace in which all of them are; NULL: there are several. */
const char	*resources_space(const struct job_call *,
	    const struct resources *);

/* An object that was found, with where it lies; all in one arena. */
struct resource_found {
	enum resource_type type;
	struct yaml_node *object;	/* with its status */
	struct job_entry *entry;	/* of an IPUJob, its pods and events;
					   or NULL */
	const char	*name;
	const char	*space;
};

struct founds {
	struct yaml_arena *arena;
	struct resource_found	*items;
	size_t		 count;
	size_t		 room;
	struct job_entry *entries;
	long		 entry_count;
	int		 missing;	/* names that there are not: told */
};

/*
 * All that the resources name in their namespaces and that its selectors
 * take, in the order of kubectl: by type, namespace and name; events by their
 * job, and as they happened.  The keys of all maps are sorted, and the values
 * of Secrets hidden (pod_data.h).  A name that there is not is
 * told on stderr and counted, unless it may be missing.  -1: the reason, for
 * founds_failed(); to be released as well.
 */
int	founds_take(const struct job_call *, const struct resources *,
	    struct founds *, struct error *);
void	founds_release(struct founds *);

/* Say on stderr that nothing was found; and why it could not be looked for, as
   kubectl does: EXIT_FAILED. */
void	founds_tell_none(const struct job_call *);
int	founds_failed(const struct error *);

/*
 * The one pod that a word names: "POD", "pod/POD", or of "ipujob/NAME" its
 * launcher or its first worker; to be released in any case.  EXIT_DONE, or why
 * there is none was told.
 */
int	founds_take_pod(const struct job_call *, const char *word,
	    struct founds *);

/* The directory of a pod, to be freed. */
char	*found_pod_directory(const struct resource_found *);

#endif
