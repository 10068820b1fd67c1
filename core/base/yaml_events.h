/*
 * YAML into the nodes of yaml.h, by the events of libyaml.
 */
#ifndef CORE_BASE_YAML_EVENTS_H
#define CORE_BASE_YAML_EVENTS_H

#include "core/base/yaml_tree.h"

/*
 * Add all documents of the text, which is UTF-8 without NUL and without a byte
 * order mark; 0, or -1 and the reason, as yaml_parse().
 */
int	yaml_events_read(struct yaml_reading *);

#endif
