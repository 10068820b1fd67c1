/*
 * Finds the name of a job's partition.
 */
#include "core/launch/plan/job_partition.h"

#include <bsd/string.h>

#include <stdlib.h>

#include "core/base/parse.h"
#include "core/launch/plan/job_server.h"

/* A guess could take another job's IPUs, so the error lists the names. */
static int
too_many(const struct snapshot *s, struct error *e)
{
	char names[512] = "";
	int i;

	for (i = 0; i < s->partition_count; i++) {
		if (i > 0)
			(void)strlcat(names, ", ", sizeof(names));
		(void)strlcat(names, s->partitions[i].name, sizeof(names));
	}
	return error_set(e,
	    "%d partitions exist (%s): choose one with --vipu-partition NAME",
	    s->partition_count, names);
}

int
partition_choice_name(const struct launch_settings *s,
    const struct controller *c, const struct snapshot *snapshot,
    char name[NAME_SIZE], struct error *e)
{
	const char *given = s->partition;

	if (given != NULL && *given == '\0')
		job_log_line(LOG_INFO,
		    "--vipu-partition is empty (is its variable set?); "
		    "ignoring the option");
	if (given == NULL || *given == '\0')
		given = getenv("IPUOF_VIPU_API_PARTITION_ID");
	if (given != NULL && *given != '\0')
		return name_parse("partition", given, name, e);
	if (snapshot->partition_count == 0) {
		(void)error_set(e,
		    "no partition exists: --vipu-partition NAME "
		    "--update-partition=yes creates one for this job, "
		    "--offline-mode=yes needs none");
		return controller_append_place(c, e);
	}
	if (snapshot->partition_count > 1)
		return too_many(snapshot, e);
	(void)strlcpy(name, snapshot->partitions[0].name, NAME_SIZE);
	job_log_line(LOG_INFO,
	    "Using V-IPU partition %s as it is the only one available", name);
	return 0;
}
