/*
 * Checks of the settings that programs and commands get from files and the
 * environment.  A mistake in settings in use is a failure.  If the environment
 * names a partition, files do not count, so their mistakes are warnings.
 */
#include "core/diag/diag.h"

#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/parse.h"

static const struct partition *
doctor_program_find_partition(const struct probes *f, const char *name)
{
	int found = snapshot_find(&f->state.snapshot, name);

	return found != -1 ? &f->state.snapshot.partitions[found] : NULL;
}

/* Append "a.conf of p, b.conf of q", cut when the text is full. */
static void
append_files(const struct ipuof_directory *directory, char *text, size_t size)
{
	const struct ipuof_probe *file = directory->files;
	size_t used = 0;
	int i;

	for (i = 0; i < directory->count && used < size; i++, file++)
		used += (size_t)snprintf(text + used, size - used, "%s%s of %s",
		    i > 0 ? ", " : "", path_base_name(file->path),
		    file->reason.text[0] != '\0' ? "nothing" :
						   file->reference.partition);
}

/* Files of several GCDs of a partition are one configuration.  Programs ignore
   some files. */
static bool
is_mixed(const struct ipuof_directory *directory)
{
	const struct ipuof_probe *f = directory->files, *first = NULL;
	bool mixed = false;
	int i;

	for (i = 0; i < directory->count; i++, f++) {
		if (f->standing != IPUOF_USABLE)
			continue;
		if (first == NULL)
			first = f;
		mixed |= f != first &&
		    (f->reason.text[0] != '\0' ||
			first->reason.text[0] != '\0' ||
			strcmp(f->reference.partition,
			    first->reference.partition) != 0);
	}
	return mixed;
}

/* Poplar reads the only file of such a directory, and ignores several. */
static void
check_one_directory(const struct probes *f,
    const struct ipuof_directory *directory, struct diagnosis *d)
{
	char files[256] = "";

	if (is_mixed(directory)) {
		append_files(directory, files, sizeof(files));
		diagnosis_add(d,
		    f->partition != NULL ? VERDICT_WARN : VERDICT_FAIL,
		    "programs ignore %s, because it has files of several "
		    "partitions: %s\teval \"$(vipu env NAME)\" chooses one; or "
		    "remove files",
		    directory->path, files);
	} else if (directory->count == 1 &&
	    directory->files[0].reason.text[0] != '\0')
		diagnosis_add(d,
		    f->partition != NULL ? VERDICT_WARN : VERDICT_FAIL,
		    "%s\tremove the file, or create the partition again",
		    directory->files[0].reason.text);
}

static void
check_ipuof_directories(const struct probes *f, struct diagnosis *d)
{
	check_one_directory(f, &f->home, d);
	check_one_directory(f, &f->hosts, d);
}

/* Report a file of another pod, unless programs use that pod's server. */
static void
check_foreign_file(const struct ipuof_probe *file, struct diagnosis *d)
{
	const char *directory = strchr(file->reference.state, ':') + 1;
	char path[SERVER_SOCKET_PATH_SIZE], remedy[SERVER_REMEDY_SIZE];

	if (!server_socket_answers(directory, path))
		diagnosis_add(d, VERDICT_WARN,
		    "%s is of partition %s of another pod, in %s; programs of "
		    "this pod ignore it\t%s",
		    file->path, file->reference.partition,
		    file->reference.state,
		    server_socket_remedy(directory, remedy));
}

/* Report a file that programs skip or that is of another pod. */
static bool
check_skipped_file(const struct ipuof_probe *file, struct diagnosis *d)
{
	if (file->standing == IPUOF_GONE)
		diagnosis_add(d, VERDICT_WARN,
		    "%s is of partition %s, which no longer exists; programs "
		    "here ignore it, but on a Pod it would hide the other "
		    "files of its directory\tvipu doctor --fix removes it",
		    file->path, file->reference.partition);
	else if (file->standing == IPUOF_ELSEWHERE)
		check_foreign_file(file, d);
	return file->standing != IPUOF_USABLE;
}

/* The file's partition must exist, and the file be up to date. */
static void
check_ipuof_file(const struct probes *f, const struct ipuof_probe *file,
    struct diagnosis *d)
{
	const char *name = file->reference.partition;

	if (file->reason.text[0] != '\0' || !f->state.has_pod)
		return;
	if (doctor_program_find_partition(f, name) == NULL)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s describes partition %s, which does not exist\tremove "
		    "the file",
		    file->path, name);
	else if (!file->current)
		diagnosis_add(d, VERDICT_WARN,
		    "%s is out of date for partition %s\tvipu get partition %s "
		    "--ipuof-configs --gcd %d prints the right contents",
		    file->path, name, name,
		    file->reference.gcd > 0 ? file->reference.gcd : 0);
}

/* Programs find no IPUs by a missing file, unless the environment names a
   partition. */
static void
check_missing(const struct probes *f, struct diagnosis *d)
{
	const struct missing_file *m = f->missing;

	for (; m != NULL && m < f->missing + f->missing_count; m++)
		diagnosis_add(d,
		    f->partition != NULL ? VERDICT_WARN : VERDICT_FAIL,
		    "partition %s exists, but its IPUoF file %s is "
		    "missing\tvipu reset partition %s writes it again",
		    m->partition, m->path, m->partition);
}

static void
check_ipuof_files(const struct probes *f, struct diagnosis *d)
{
	int i;

	check_missing(f, d);

	for (i = 0; i < f->home.count; i++)
		if (!check_skipped_file(&f->home.files[i], d))
			check_ipuof_file(f, &f->home.files[i], d);
	for (i = 0; i < f->hosts.count; i++)
		if (!check_skipped_file(&f->hosts.files[i], d))
			check_ipuof_file(f, &f->hosts.files[i], d);
	if (f->config_path != NULL && f->config_file.reason.text[0] != '\0')
		diagnosis_add(d,
		    f->partition != NULL ? VERDICT_WARN : VERDICT_FAIL,
		    "IPUOF_CONFIG_PATH: %s\tunset IPUOF_CONFIG_PATH",
		    f->config_file.reason.text);
	else if (f->config_path != NULL)
		check_ipuof_file(f, &f->config_file, d);
}

/* GCDs are counted from 0; the only GCD need not be named. */
static void
check_gcd(const struct probes *f, const struct partition *p,
    struct diagnosis *d)
{
	long long gcd;

	if (f->gcd == NULL && p->num_gcds > 1)
		diagnosis_add(d, VERDICT_WARN,
		    "partition %s has %d GCDs, and a program uses one\tset "
		    "IPUOF_VIPU_API_GCD_ID to a number from 0 to %d",
		    p->name, p->num_gcds, p->num_gcds - 1);
	else if (f->gcd != NULL &&
	    parse_number("gcd", f->gcd, 0, p->num_gcds - 1, &gcd, NULL) != 0)
		diagnosis_add(d, VERDICT_FAIL,
		    "IPUOF_VIPU_API_GCD_ID=%s: partition %s has %d GCD%s, "
		    "counted from 0\t%s",
		    f->gcd, p->name, p->num_gcds, p->num_gcds == 1 ? "" : "s",
		    p->num_gcds == 1 ? "unset it" : "choose one of them");
}

/* Check the partition that the environment names. */
static void
check_environment(const struct probes *f, struct diagnosis *d)
{
	const struct partition *p;

	if (f->partition == NULL) {
		if (f->gcd != NULL && f->config_path == NULL &&
		    f->home.count + f->hosts.count == 0)
			diagnosis_add(d, VERDICT_WARN,
			    "IPUOF_VIPU_API_GCD_ID is set, but "
			    "IPUOF_VIPU_API_PARTITION_ID is not\teval \"$(vipu "
			    "env NAME --gcd G)\" sets both");
		return;
	}
	if (f->api_server.place == SERVER_REMOTE ||
	    (!f->state.has_pod && f->state.directory_errno == 0))
		return; /* unknown */
	p = doctor_program_find_partition(f, f->partition);
	if (p == NULL) {
		diagnosis_add(d, VERDICT_FAIL,
		    "IPUOF_VIPU_API_PARTITION_ID=%s: the partition does not "
		    "exist\teval \"$(vipu env NAME)\" chooses another, eval "
		    "\"$(vipu env --unset)\" unsets it",
		    f->partition);
		return;
	}
	if (p->state != PS_ACTIVE)
		diagnosis_add(d, VERDICT_FAIL,
		    "IPUOF_VIPU_API_PARTITION_ID=%s: the partition is in state "
		    "%s, not ACTIVE\tvipu get partition %s says why",
		    p->name, partition_state_name(p->state), p->name);
	check_gcd(f, p, d);
}

/* Check for settings that contradict each other. */
static void
check_conflicts(const struct probes *f, struct diagnosis *d)
{
	const struct ipuof_directory *directories[] = { &f->home, &f->hosts };
	const char *other;
	size_t i;

	if (f->partition == NULL)
		return;
	if (f->config_path != NULL)
		diagnosis_add(d, VERDICT_WARN,
		    "IPUOF_VIPU_API_PARTITION_ID=%s and IPUOF_CONFIG_PATH=%s "
		    "are both set, and the first one takes precedence\tunset "
		    "IPUOF_CONFIG_PATH",
		    f->partition, f->config_path);
	for (i = 0; i < ARRAY_SIZE(directories); i++) {
		if (directories[i]->count == 0 || is_mixed(directories[i]) ||
		    directories[i]->files[0].reason.text[0] != '\0')
			continue;
		other = directories[i]->files[0].reference.partition;
		if (strcmp(other, f->partition) != 0)
			diagnosis_add(d, VERDICT_WARN,
			    "IPUOF_VIPU_API_PARTITION_ID=%s takes precedence "
			    "over the file in %s, which is of partition "
			    "%s\teval \"$(vipu env --unset)\" selects the "
			    "file's partition",
			    f->partition, directories[i]->path, other);
	}
}

/* Report a server that does not answer, and one of another host. */
static void
doctor_program_check_host(const struct probes *f, struct diagnosis *d)
{
	const char *host = f->api_host;

	if (f->api_error.text[0] != '\0')
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\tset it to local for the pod of this host",
		    f->api_error.text);
	else if (f->api_server.place == SERVER_SILENT)
		diagnosis_add(d, VERDICT_FAIL,
		    "IPUOF_VIPU_API_HOST=%s cannot be reached: no connection "
		    "to port %d: %s\tset it to local for the pod of this host",
		    host, f->api_server.port, f->api_server.reason.text);
	else if (f->api_server.place == SERVER_REMOTE)
		diagnosis_add(d, VERDICT_OK,
		    "programs here use the pod of the server "
		    "IPUOF_VIPU_API_HOST=%s",
		    host);
	else if (f->api_server.is_assumed)
		diagnosis_add(d, VERDICT_OK,
		    "no server listens at IPUOF_VIPU_API_HOST=%s, so it means "
		    "the embedded pod",
		    host);
}

/* Check the options of commands: file, user, host, and variables that override
   the file. */
static void
check_config(const struct probes *f, struct diagnosis *d)
{
	const struct config *c = &f->config, *file = &f->config_file_alone;
	int i;

	if (f->config_error.text[0] != '\0') {
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\tcorrect the file or the variable; until then, all "
		    "commands fail",
		    f->config_error.text);
		return;
	}
	if (f->state.secure && c->values[CONFIG_USER_ID][0] == '\0')
		diagnosis_add(d, VERDICT_FAIL,
		    "the pod is in secure mode, and no user is named\tgive the "
		    "file NAME.vipu-cli.hcl to --config, or set "
		    "VIPU_CLI_CONFIG to it");
	else if (f->refusal.text[0] != '\0')
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\tgive the user's file NAME.vipu-cli.hcl to --config, "
		    "or set VIPU_CLI_CONFIG to it",
		    f->refusal.text);
	if (f->server_error.text[0] != '\0')
		diagnosis_add(d, VERDICT_FAIL,
		    "%s: %s\tset it to local, or remove it",
		    c->origins[CONFIG_API_HOST], f->server_error.text);
	for (i = 0; i < CONFIG_KEYS; i++)
		if (file->values[i][0] != '\0' &&
		    strcmp(file->values[i], c->values[i]) != 0)
			diagnosis_add(d, VERDICT_WARN,
			    "%s overrides %s, which has another value\tunset "
			    "%s, or change the file",
			    c->origins[i], file->origins[i],
			    config_variable(i));
}

/* Check GCDA_OPTIONS and its variables: what programs refuse, and what they
   ignore. */
static void
check_gcda(const struct probes *f, struct diagnosis *d)
{
	const struct gcda_problem *p = f->gcda.rows;

	for (; p < f->gcda.rows + f->gcda.count; p++)
		diagnosis_add(d, p->refused ? VERDICT_FAIL : VERDICT_WARN,
		    "%s\t%s", p->what, p->remedy);
}

const struct check doctor_program_checks[] = {
	{ "config", check_config },
	{ "ipuof-folders", check_ipuof_directories },
	{ "ipuof-files", check_ipuof_files },
	{ "api-host", doctor_program_check_host },
	{ "environment", check_environment },
	{ "conflicts", check_conflicts },
	{ "gcda-options", check_gcda },
	{ NULL, NULL },
};
