/*
 * A Secret as it may be printed.
 */
#ifndef CORE_IPUJOB_SECRET_HIDE_H
#define CORE_IPUJOB_SECRET_HIDE_H

#include "core/base/yaml.h"

/*
 * Put "(6 bytes)" in place of each value of the Secret, all under data, and
 * drop the annotation in which kubectl keeps a copy of the manifest.  What is
 * printed of it later cannot be taken for the Secret: "(" is not base64.
 */
void	secret_hide(struct yaml_arena *, struct yaml_node *secret);

#endif
