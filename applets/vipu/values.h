/*
 * What the values of vipu's and vipu-admin's options may be.
 */
#ifndef APPLETS_VIPU_VALUES_H
#define APPLETS_VIPU_VALUES_H

#include "core/base/options.h"

/* By the keys of keys.h. */
extern const struct option_values values_table[];

/* "table, json or csv" of KEY_FORMAT; the key must have words. */
const char	*values_words(int key);

#endif
