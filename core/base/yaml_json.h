/*
 * JSON into the nodes of yaml.h, with the place of each in the text.
 */
#ifndef CORE_BASE_YAML_JSON_H
#define CORE_BASE_YAML_JSON_H

#include <stdbool.h>

#include "core/base/yaml_tree.h"

/*
 * Whether the text is JSON, a document or several: then they are added, or
 * *status is -1 and the reason of the refusal is set.  Otherwise nothing is
 * done.
 */
bool	yaml_json_read(struct yaml_reading *, int *status);

#endif
