/*
 * The forms in which objects are printed: what stands behind -o.
 */
#ifndef APPLETS_IPUBOX_JOB_GET_OUTPUT_H
#define APPLETS_IPUBOX_JOB_GET_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "applets/ipubox-job/jsonpath.h"
#include "applets/ipubox-job/resource.h"
#include "core/base/error.h"

enum get_form {
	GET_TABLE,
	GET_WIDE,
	GET_NAME,
	GET_YAML,
	GET_JSON,
	GET_JSONPATH
};

struct get_output {
	enum get_form	 form;
	const char	*template;	/* the caller's text */
	struct jsonpath	 path;
};

/*
 * Read it, NULL: a table; to be released in any case.  -1: an unknown form, or
 * a template that cannot be read.
 */
int	get_output_read(const char *text, struct get_output *,
	    struct error *);
void	get_output_release(struct get_output *);

/* Whether it is a table. */
bool	get_output_is_table(const struct get_output *);

/* One object in a form that is not a table. */
int	get_output_put(const struct get_output *, const struct resource_found *,
    FILE *,
	    struct error *);

/*
 * All of them in such a form: `is_list` as the items of a List, where not one
 * object was asked for by its name.
 */
int	get_output_put_all(const struct get_output *, const struct founds *,
	    bool is_list, FILE *, struct error *);

#endif
