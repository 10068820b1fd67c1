/*
 * The words that are made of the names of fields, as kubectl printed them.
 */
#include "applets/ipubox-job/describe_object.h"

#include <stdlib.h>

#include "core/base/array.h"
#include "tests/unit/tap.h"

static const char *const	rows[][2] = {
	{ "ipusPerJobInstance", "Ipus Per Job Instance" },
	{ "backOffLimit", "Back Off Limit" },
	{ "hostIPC", "Host IPC" },
	{ "iPUPartitionCreated", "I PU Partition Created" },
	{ "apiVersion", "API Version" },
	{ "uid", "UID" },
	{ "kind", "Kind" },
	{ "cpu", "Cpu" },
	{ "emptyDir", "Empty Dir" },
	{ "IPUOF", "IPUOF" },
	{ "api-key", "API - Key" },
	{ "graphcore.ai/ipu", "graphcore.ai/ipu" },
	{ "train_py", "train_py" },
	{ "a1", "a1" },
	{ "", "" }
};

int
main(void)
{
	char	*label;
	size_t	 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		label = describe_object_label(rows[i][0]);
		is_str(label, rows[i][1], rows[i][0]);
		free(label);
	}
	return tap_done();
}
