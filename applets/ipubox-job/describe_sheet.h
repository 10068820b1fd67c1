/*
 * The parts that all descriptions have, as text for kube_table.h.
 */
#ifndef APPLETS_IPUBOX_JOB_DESCRIBE_SHEET_H
#define APPLETS_IPUBOX_JOB_DESCRIBE_SHEET_H

#include <stdint.h>
#include <stdio.h>

#include "applets/ipubox-job/resource.h"
#include "core/base/yaml.h"

/* "  Key:\vVALUE\n" at a level, each of two blanks; no line where the value is
   NULL.  Of several lines of a value the further ones begin in column 0. */
void	describe_sheet_put(FILE *, int level, const char *key,
	    const char *value);
/* The same with the text of a field, and with what stands for one that is not
   there. */
void	describe_sheet_put_field(FILE *, int level, const char *key,
	    const struct yaml_node *, const char *path,
	    const char *otherwise);

/* A map with a line for each key, "KEY=VALUE": labels, a node selector; or
   "<none>". */
void	describe_sheet_put_map(FILE *, const char *title,
	    const struct yaml_node *map);
/* Annotations: "KEY: VALUE", or the value on lines of its own. */
void	describe_sheet_put_annotations(FILE *,
	    const struct yaml_node *annotations);

/* Name, Namespace; and Labels and Annotations. */
void	describe_sheet_put_name(FILE *, const struct yaml_node *object);
void	describe_sheet_put_metadata(FILE *, const struct yaml_node *object);

/* The events of an object: a list of Events. */
void	describe_sheet_put_events(FILE *, const struct yaml_node *events,
	    int64_t now_s);

#endif
