/*
 * Trees of YAML (yaml.h) as text.
 */
#ifndef CORE_KUBE_YAML_YAML_WRITE_H
#define CORE_KUBE_YAML_YAML_WRITE_H

#include <stdio.h>

#include "core/kube/yaml/yaml.h"

/*
 * As kubectl prints YAML: block style, two spaces per level and none before the
 * "-" of a list, a text of several lines as a block ("|"), a text that would be
 * read as something else in quotes; but no line is folded.  What is printed
 * reads back equal (yaml_equal()), if it is within the limits of yaml_parse().
 * Several documents have "---" between them, which the caller prints.
 */
void	yaml_write(FILE *, const struct yaml_node *);

/*
 * As kubectl prints JSON: four spaces per level, and a newline at the end.  The
 * reals that JSON has not, .inf and .nan, become null.
 */
void	yaml_write_json(FILE *, const struct yaml_node *);

/* The same on one line, without a newline: what is kept in a file of lines. */
void	yaml_write_json_line(FILE *, const struct yaml_node *);

#endif
