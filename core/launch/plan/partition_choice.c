/*
 * Finds the name of a job's partition, and the owner of another's.
 */
#include "core/launch/plan/partition_choice.h"

#include <bsd/string.h>

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/launch/plan/job_server.h"
#include "core/state/state.h"

enum { COMMAND_MAX = 1 << 20, COMMAND_SHOWN = 200 };

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

/* Append the command of the process that the text names, if it is on this host
   and its user is the reader. */
static void
append_command(const char *owner, struct error *e)
{
	static const char word[] = ", pid ";
	const char *pid = strstr(owner, word);
	struct stat st;
	char path[64], *command;
	size_t size, i;

	if (pid == NULL)
		return;
	pid += strlen(word);
	(void)snprintf(path, sizeof(path), "/proc/%.*s/cmdline",
	    (int)strspn(pid, "0123456789"), pid);
	if (stat(path, &st) != 0 || (geteuid() != 0 && st.st_uid != geteuid()))
		return;
	if ((command = file_read(path, COMMAND_MAX, &size, NULL)) == NULL)
		return;
	for (i = 0; i + 1 < size; i++)
		if (command[i] == '\0')
			command[i] = ' ';
	(void)error_append(e, " (%.*s)", COMMAND_SHOWN, command);
	free(command);
}

int
partition_choice_check_owner(const struct partition *p, struct error *e)
{
	struct holder_place place;
	char owner[OWNER_TEXT_SIZE];

	if ((p->owner_kind != PO_PROCESS && p->owner_kind != PO_LEASE) ||
	    owner_lock_is_gone(p))
		return 0;
	holder_place_init(&place);
	holder_owner_text(&place, p->owner_text, owner);
	(void)error_set_code(e, ERROR_BUSY, "partition %s belongs to %s",
	    p->name, owner);
	append_command(owner, e);
	return error_append(e,
	    ", which still runs: wait until it has ended, or use another "
	    "partition");
}
