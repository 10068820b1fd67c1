/*
 * The words for kinds of owners, as in files, tables and JSON.
 */
#include "core/pod/pod.h"

#include <stddef.h>

const char *const owner_kind_words[] = { "none", "process", "lease", "slurm",
	"ipujob", NULL };

const char *
owner_kind_name(int kind)
{
	return kind >= PO_NONE && kind <= PO_IPUJOB ?
	    owner_kind_words[kind] :
	    "unknown";
}

bool
owner_kind_has_lock(int kind)
{
	return kind == PO_PROCESS || kind == PO_IPUJOB;
}
