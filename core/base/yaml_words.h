/*
 * What libyaml finds wrong with a text, in plain words.
 */
#ifndef CORE_BASE_YAML_WORDS_H
#define CORE_BASE_YAML_WORDS_H

#include <yaml.h>

#include "core/base/yaml_tree.h"

/* Refuse the text with the error that the parser has; -1. */
int	yaml_words_refuse(const struct yaml_reading *, const yaml_parser_t *);

#endif
