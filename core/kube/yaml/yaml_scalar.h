/*
 * What a plain scalar of YAML is: null, yes or no, a number or a text, as
 * kubectl decides it: YAML 1.1 without numbers of base 60.
 */
#ifndef CORE_KUBE_YAML_YAML_SCALAR_H
#define CORE_KUBE_YAML_YAML_SCALAR_H

#include <stdbool.h>

#include "core/kube/yaml/yaml.h"

/*
 * Set the kind of the node, and its number, by its text.
 *
 *	null		~ null Null NULL, and nothing
 *	yes or no	y yes true on, n no false off; also Yes and YES
 *	integers	12 -12 +1_000 0x1f 0b101 0o17 017
 *	reals		1.5 1e3 .5 .inf -.inf .nan; integers beyond int64_t
 *	texts		all else: 1e400, 2001-01-01, 12:30
 */
void	yaml_scalar_resolve(struct yaml_node *);

/*
 * The same where a tag says what it has to be: "str", "null", "bool", "int",
 * "float" or "timestamp" (which stays a text).  0, or -1: it is not that, or
 * the tag is another one.
 */
int	yaml_scalar_resolve_as(struct yaml_node *, const char *tag);

/*
 * Whether a text is read as something else where it stands plain: by
 * yaml_scalar_resolve(), as a time or as a merge, or by a reader that knows
 * numbers of base 60.
 */
bool	yaml_scalar_is_special(const char *);

#endif
