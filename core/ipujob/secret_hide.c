/*
 * Hiding what a Secret holds, as soon as it is read for somebody who looks.
 */
#include "core/ipujob/secret_hide.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/ipujob/pod_data.h"
#include "core/ipujob/pod_node.h"

enum { SIZE_TEXT = 32 };

void
secret_hide(struct yaml_arena *arena, struct yaml_node *secret)
{
	const struct pod_data	 d = { .kind = POD_SECRET, .name = "",
	    .plain = pod_node_map(secret, "stringData"),
	    .coded = pod_node_map(secret, "data") };
	struct yaml_node	*shown = yaml_new_map(arena), *annotations;
	struct pod_entry	 entry;
	char			*bytes, text[SIZE_TEXT];
	size_t			 i = 0, size;

	while (pod_data_next(&d, &i, &entry)) {
		bytes = pod_data_bytes(&d, &entry, &size, NULL);
		if (bytes == NULL)
			(void)snprintf(text, sizeof(text), "(not base64)");
		else
			(void)snprintf(text, sizeof(text), "(%zu bytes)",
			    size);
		free(bytes);
		yaml_set_text(arena, shown, entry.key, text);
	}
	yaml_unset(secret, "stringData");
	if (shown->count > 0)
		(void)yaml_set(arena, secret, "data", shown);
	else
		yaml_unset(secret, "data");
	annotations = yaml_path(secret, "metadata/annotations");
	if (annotations != NULL && annotations->kind == YAML_MAP)
		yaml_unset(annotations, "kubectl.kubernetes.io/"
		    "last-applied-configuration");
}
