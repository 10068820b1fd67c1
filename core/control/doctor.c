#include "core/control/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/pod/soc_error.h"

enum {
	ROOM_MIN_BYTES = 1 << 20,
	ROOM_MIN_FILES = 16,
	CLOCK_SLACK_MS = 5000	/* hosts that share a folder differ a little */
};

const char *const verdict_words[] = { "ok", "warn", "FAIL" };

/* The text holds what is wrong and, behind a tab, what mends it. */
static void	find(struct diagnosis *, enum verdict, const char *, ...)
		    __attribute__((format(printf, 3, 4)));

static void
find(struct diagnosis *d, enum verdict verdict, const char *fmt, ...)
{
	struct finding	*f;
	va_list		 ap;
	char		*text, *tab;

	d->findings = xreallocarray(d->findings, (size_t)d->count + 1,
	    sizeof(*d->findings));
	f = &d->findings[d->count++];
	memset(f, 0, sizeof(*f));
	f->name = d->checking;
	f->verdict = verdict;
	d->failures += verdict == VERDICT_FAIL;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	tab = strrchr(text, '\t');
	if (tab != NULL) {
		*tab = '\0';
		printable_text(tab + 1, f->mend, sizeof(f->mend));
	}
	printable_text(text, f->what, sizeof(f->what));
	free(text);
}

/* What a command would refuse with: its mend stands behind the last ';'. */
static void
find_refusal(struct diagnosis *d, const struct error *refusal)
{
	struct error	 e = *refusal;
	char		*mend = strrchr(e.text, ';');

	if (mend == NULL) {
		find(d, VERDICT_FAIL, "%s", e.text);
		return;
	}
	*mend++ = '\0';
	find(d, VERDICT_FAIL, "%s\t%s", e.text, mend + strspn(mend, " "));
}

static const struct partition *
find_partition(const struct facts *f, const char *name)
{
	int	found = snapshot_find(&f->state.snapshot, name);

	return found != -1 ? &f->state.snapshot.partitions[found] : NULL;
}

/* ---- the state ---- */

static void
check_folder(const struct facts *f, struct diagnosis *d)
{
	const struct inspection	*in = &f->state;
	const char		*folder = in->paths.folder;

	if (in->place.text[0] != '\0') {
		find(d, VERDICT_FAIL, "%s\tset IPUBOX_STATE_DIR",
		    in->place.text);
		return;
	}
	if (in->folder_errno == ENOENT) {
		find(d, VERDICT_OK, "%s is not there yet; the first command "
		    "makes it", folder);
		return;
	}
	if (in->folder_errno != 0) {
		find(d, VERDICT_FAIL, "%s: %s\tlet uid %" PRIu32 " use it, or "
		    "set IPUBOX_STATE_DIR", folder,
		    strerror(in->folder_errno), f->uid);
		return;
	}
	if (in->privacy.text[0] != '\0')
		find_refusal(d, &in->privacy);
	else if (!in->writable)
		find(d, VERDICT_WARN, "%s can only be read, so nothing can be "
		    "changed\task its owner, uid %lu, or set IPUBOX_STATE_DIR",
		    folder, (unsigned long)in->owner);
}

static void
check_files(const struct facts *f, struct diagnosis *d)
{
	const struct inspection	*in = &f->state;
	int			 i;

	if (in->folder_errno != 0)
		return;
	if (!in->has_pod && in->pod_errno == EACCES)
		find(d, VERDICT_FAIL, "%s\task uid %lu to share the folder, "
		    "or set IPUBOX_STATE_DIR to one of your own",
		    in->pod.text, (unsigned long)in->owner);
	else if (!in->has_pod && in->pod_errno != ENOENT &&
	    in->pod.text[0] != '\0')
		find(d, VERDICT_FAIL, "%s\trepair the file, or make the pod "
		    "anew with vipu-admin init --force", in->pod.text);
	for (i = 0; i < in->damage_count; i++)
		find(d, VERDICT_FAIL, "%s\trepair the file or remove it; no "
		    "partition can be made before", in->damage[i].text);
}

static void
check_registry(const struct facts *f, struct diagnosis *d)
{
	const struct inspection	*in = &f->state;
	const char		*path = in->paths.registry;

	if (in->registry_errno == ENOENT && in->has_pod)
		find(d, VERDICT_OK, "%s is not there; the next command makes "
		    "it", path);
	else if (in->registry_errno == ESTALE)
		find(d, VERDICT_WARN, "%s\tthe next command makes it anew, "
		    "when no program uses IPUs any more", in->registry.text);
	else if (in->registry_errno == EACCES)
		find(d, VERDICT_FAIL, "%s\task its owner to share it, or set "
		    "IPUBOX_STATE_DIR to a folder of your own",
		    in->registry.text);
	else if (in->registry_errno != 0 && in->registry_errno != ENOENT)
		find(d, VERDICT_FAIL, "%s\tremove the file, or set "
		    "IPUBOX_REGISTRY to another", in->registry.text);
	else if (in->foreign)
		find(d, VERDICT_FAIL, "%s is another state's than that of "
		    "%s\tunset IPUBOX_REGISTRY, or set IPUBOX_STATE_DIR to "
		    "the folder it is of", path, in->paths.folder);
	else if (in->half_written)
		find(d, VERDICT_WARN, "%s was left half written by a program "
		    "that was killed\tthe next command repairs it", path);
}

static void
check_room(const struct room *room, struct diagnosis *d)
{
	if (room->read_only)
		find(d, VERDICT_FAIL, "the file system of %s is read-only\t"
		    "mount it writable, or set IPUBOX_STATE_DIR", room->path);
	else if (room->free_bytes >= 0 && room->free_bytes < ROOM_MIN_BYTES)
		find(d, VERDICT_FAIL, "the file system of %s has %" PRId64
		    " KiB left\tmake room", room->path,
		    room->free_bytes / 1024);
	else if (room->free_files >= 0 && room->free_files < ROOM_MIN_FILES)
		find(d, VERDICT_FAIL, "the file system of %s has room for %"
		    PRId64 " more files\tmake room", room->path,
		    room->free_files);
}

static void
check_disk(const struct facts *f, struct diagnosis *d)
{
	check_room(&f->disk, d);
}

static void
check_shared_memory(const struct facts *f, struct diagnosis *d)
{
	check_room(&f->shared, d);
}

/* ---- the pod ---- */

static void
check_machines(const struct facts *f, struct diagnosis *d)
{
	const struct agent	*a = f->state.snapshot.pod.agents;
	const struct agent	*end = a + f->state.snapshot.pod.agent_count;

	for (; a < end; a++) {
		if (!machine_is_up(a, f->now_ms))
			find(d, VERDICT_WARN, "machine %s is %s; its IPUs are "
			    "not given out\twait for it; vipu-admin inject "
			    "%s up ends an injected fault", a->name,
			    machine_state_words[a->state], a->name);
		if (a->fail_config > 0)
			find(d, VERDICT_WARN, "machine %s: the next %d "
			    "configurations fail, as injected\tvipu-admin "
			    "inject %s up ends it", a->name,
			    a->fail_config, a->name);
		if (a->slow_ms > 0)
			find(d, VERDICT_WARN, "machine %s: a configuration "
			    "takes %d ms, as injected\tvipu-admin inject %s "
			    "up ends it", a->name, a->slow_ms, a->name);
	}
}

static void
check_ipus(const struct facts *f, struct diagnosis *d)
{
	const struct pod	*pod = &f->state.snapshot.pod;
	char			 name[NAME_SIZE + 16], errors[SOC_TEXT_SIZE];
	uint32_t		 set;
	int			 i;

	for (i = 0; f->state.soc_errors != NULL && i < pod_ipu_count(pod);
	    i++) {
		if ((set = f->state.soc_errors[i]) == 0)
			continue;
		ipu_name(pod, i, name, sizeof(name));
		soc_errors_text(set, "", errors, sizeof(errors));
		find(d, VERDICT_WARN, "IPU %s has %s\tit needs %s, see "
		    "ipubox(7); vipu-admin inject %s soc-error clear ends it",
		    name, errors, soc_cure_name(soc_errors_cure(set)), name);
	}
}

static void
check_partitions(const struct facts *f, struct diagnosis *d)
{
	const struct snapshot	*s = &f->state.snapshot;
	const struct partition	*p = s->partitions;

	for (; p != NULL && p < s->partitions + s->partition_count; p++)
		if (p->state == PS_ERROR)
			find(d, VERDICT_FAIL, "partition %s is in state "
			    "ERROR: %s\tvipu reset partition %s, or remove "
			    "it", p->name, p->last_error[0] != '\0' ?
			    p->last_error : "no reason was kept", p->name);
}

static void
check_clock(const struct facts *f, struct diagnosis *d)
{
	const struct snapshot	*s = &f->state.snapshot;
	const struct partition	*p = s->partitions;
	int64_t			 ms, ahead_ms = 0;
	const char		*name = "";

	for (; p != NULL && p < s->partitions + s->partition_count; p++) {
		ms = p->changed_ms > p->created * 1000 ? p->changed_ms :
		    p->created * 1000;
		if (ms - f->now_ms > ahead_ms) {
			ahead_ms = ms - f->now_ms;
			name = p->name;
		}
	}
	if (ahead_ms > CLOCK_SLACK_MS)
		find(d, VERDICT_WARN, "partition %s was changed %" PRId64
		    " s in the future: this host's clock is behind, or was "
		    "ahead\tset the clock; what is due comes late until then",
		    name, ahead_ms / 1000);
}

static void
check_waiting(const struct facts *f, struct diagnosis *d)
{
	long	i, left = 0;

	for (i = 0; i < f->ticket_count; i++)
		left += !f->tickets[i].live;
	if (left > 0)
		find(d, VERDICT_WARN, "%ld ticket%s in %s/waiting %s of "
		    "programs that were killed\tthey are in nobody's way; the "
		    "next vipu create --wait removes them", left,
		    left == 1 ? "" : "s", f->state.paths.folder,
		    left == 1 ? "is" : "are");
}

/* ---- what programs see ---- */

static void
append_files(const struct ipuof_folder *folder, char *text, size_t size)
{
	const struct ipuof_fact	*file = folder->files;
	size_t			 used = 0;
	int			 i;

	for (i = 0; i < folder->count && used < size; i++, file++)
		used += (size_t)snprintf(text + used, size - used,
		    "%s%s of %s", i > 0 ? ", " : "", base_name(file->path),
		    file->reason.text[0] != '\0' ? "nothing" :
		    file->reference.partition);
}

/* Files of several GCDs of one partition are one configuration. */
static bool
is_mixed(const struct ipuof_folder *folder)
{
	int	i;

	for (i = 0; i < folder->count; i++)
		if (folder->files[i].reason.text[0] != '\0' ||
		    strcmp(folder->files[i].reference.partition,
		    folder->files[0].reference.partition) != 0)
			return folder->count > 1;
	return false;
}

static void
check_one_folder(const struct facts *f, const struct ipuof_folder *folder,
    struct diagnosis *d)
{
	char	files[256] = "";

	if (is_mixed(folder)) {
		append_files(folder, files, sizeof(files));
		find(d, f->partition != NULL ? VERDICT_WARN : VERDICT_FAIL,
		    "programs ignore %s, for it holds the files of several "
		    "partitions: %s\teval \"$(vipu env NAME)\" chooses one, "
		    "or remove files", folder->path, files);
	} else if (folder->count == 1 &&
	    folder->files[0].reason.text[0] != '\0')
		find(d, f->partition != NULL ? VERDICT_WARN : VERDICT_FAIL,
		    "%s\tremove the file, or make the partition anew",
		    folder->files[0].reason.text);
}

static void
check_ipuof_folders(const struct facts *f, struct diagnosis *d)
{
	check_one_folder(f, &f->home, d);
	check_one_folder(f, &f->hosts, d);
}

static void
check_ipuof_file(const struct facts *f, const struct ipuof_fact *file,
    struct diagnosis *d)
{
	const char	*name = file->reference.partition;

	if (file->reason.text[0] != '\0' || !f->state.has_pod)
		return;
	if (find_partition(f, name) == NULL)
		find(d, VERDICT_FAIL, "%s is of partition %s, which does not "
		    "exist\tremove the file", file->path, name);
	else if (!file->current)
		find(d, VERDICT_WARN, "%s is not what partition %s is now\t"
		    "vipu get partition %s --ipuof-configs --gcd %d prints "
		    "what it should hold", file->path, name, name,
		    file->reference.gcd > 0 ? file->reference.gcd : 0);
}

static void
check_ipuof_files(const struct facts *f, struct diagnosis *d)
{
	int	i;

	for (i = 0; i < f->home.count; i++)
		check_ipuof_file(f, &f->home.files[i], d);
	for (i = 0; i < f->hosts.count; i++)
		check_ipuof_file(f, &f->hosts.files[i], d);
	if (f->config_path != NULL && f->config_file.reason.text[0] != '\0')
		find(d, f->partition != NULL ? VERDICT_WARN : VERDICT_FAIL,
		    "IPUOF_CONFIG_PATH: %s\tunset IPUOF_CONFIG_PATH",
		    f->config_file.reason.text);
	else if (f->config_path != NULL)
		check_ipuof_file(f, &f->config_file, d);
}

static void
check_gcd(const struct facts *f, const struct partition *p,
    struct diagnosis *d)
{
	long long	gcd;

	if (f->gcd == NULL && p->num_gcds > 1)
		find(d, VERDICT_WARN, "partition %s has %d GCDs, and a "
		    "program uses one\tset IPUOF_VIPU_API_GCD_ID to 0 to %d",
		    p->name, p->num_gcds, p->num_gcds - 1);
	else if (f->gcd != NULL && parse_number("gcd", f->gcd, 0,
	    p->num_gcds - 1, &gcd, NULL) != 0)
		find(d, VERDICT_FAIL, "IPUOF_VIPU_API_GCD_ID=%s: partition "
		    "%s has %d GCD%s, counted from 0\t%s", f->gcd, p->name,
		    p->num_gcds, p->num_gcds == 1 ? "" : "s",
		    p->num_gcds == 1 ? "unset it" : "choose one of them");
}

static void
check_environment(const struct facts *f, struct diagnosis *d)
{
	const struct partition	*p;

	if (f->partition == NULL) {
		if (f->gcd != NULL && f->config_path == NULL &&
		    f->home.count + f->hosts.count == 0)
			find(d, VERDICT_WARN, "IPUOF_VIPU_API_GCD_ID is set, "
			    "and no partition is\teval \"$(vipu env NAME "
			    "--gcd G)\" sets both");
		return;
	}
	if (!f->state.has_pod && f->state.folder_errno == 0)
		return;		/* cannot tell */
	p = find_partition(f, f->partition);
	if (p == NULL) {
		find(d, VERDICT_FAIL, "IPUOF_VIPU_API_PARTITION_ID=%s: there "
		    "is no such partition\teval \"$(vipu env NAME)\" chooses "
		    "one, eval \"$(vipu env --unset)\" none", f->partition);
		return;
	}
	if (p->state != PS_ACTIVE)
		find(d, VERDICT_FAIL, "IPUOF_VIPU_API_PARTITION_ID=%s: the "
		    "partition is in state %s, not ACTIVE\tvipu get partition "
		    "%s says why", p->name, partition_state_name(p->state),
		    p->name);
	check_gcd(f, p, d);
}

/* What programs are told twice, and not the same. */
static void
check_conflicts(const struct facts *f, struct diagnosis *d)
{
	const struct ipuof_folder	*folders[] = { &f->home, &f->hosts };
	const char			*other;
	size_t				 i;

	if (f->partition == NULL)
		return;
	if (f->config_path != NULL)
		find(d, VERDICT_WARN, "IPUOF_VIPU_API_PARTITION_ID=%s and "
		    "IPUOF_CONFIG_PATH=%s are both set, and the first one "
		    "counts here\tunset IPUOF_CONFIG_PATH", f->partition,
		    f->config_path);
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (folders[i]->count == 0 || is_mixed(folders[i]) ||
		    folders[i]->files[0].reason.text[0] != '\0')
			continue;
		other = folders[i]->files[0].reference.partition;
		if (strcmp(other, f->partition) != 0)
			find(d, VERDICT_WARN, "IPUOF_VIPU_API_PARTITION_ID=%s "
			    "counts, but the file in %s is of partition %s\t"
			    "eval \"$(vipu env --unset)\" if you mean the "
			    "file's", f->partition, folders[i]->path, other);
	}
}

static void
check_host(const struct facts *f, struct diagnosis *d)
{
	const char	*host = f->api_host;

	if (host == NULL || config_is_local(host))
		return;
	if (f->unreached.text[0] != '\0')
		find(d, VERDICT_FAIL, "IPUOF_VIPU_API_HOST=%s cannot be "
		    "reached: %s\tset it to local for the pod of this host",
		    host, f->unreached.text);
	else
		find(d, f->partition != NULL ? VERDICT_FAIL : VERDICT_WARN,
		    "IPUOF_VIPU_API_HOST=%s answers, but programs here use "
		    "the pod of this host only\tset it to local", host);
}

static void
check_config(const struct facts *f, struct diagnosis *d)
{
	const struct config	*c = &f->config, *file = &f->config_file_alone;
	struct error		 reason;
	int			 i;

	if (f->config_error.text[0] != '\0') {
		find(d, VERDICT_FAIL, "%s\tmend the file or the variable; no "
		    "command works before", f->config_error.text);
		return;
	}
	if (f->state.secure && c->values[CONFIG_USER_ID][0] == '\0')
		find(d, VERDICT_FAIL, "the pod is in secure mode, and no user "
		    "is named\tgive the file NAME.vipu-cli.hcl to --config, "
		    "or set VIPU_CLI_CONFIG to it");
	if (config_check_host(c, &reason) != 0)
		find(d, VERDICT_FAIL, "%s\tset it to local, or remove it",
		    reason.text);
	for (i = 0; i < CONFIG_KEYS; i++)
		if (file->values[i][0] != '\0' &&
		    strcmp(file->values[i], c->values[i]) != 0)
			find(d, VERDICT_WARN, "%s counts, and %s says "
			    "other\tunset %s, or change the file",
			    c->origins[i], file->origins[i],
			    config_variable(i));
}

/* ---- all of them ---- */

const struct check checks[] = {
	{ "state-folder", check_folder },
	{ "state-files", check_files },
	{ "registry", check_registry },
	{ "disk", check_disk },
	{ "shared-memory", check_shared_memory },
	{ "machines", check_machines },
	{ "ipus", check_ipus },
	{ "partitions", check_partitions },
	{ "clock", check_clock },
	{ "waiting", check_waiting },
	{ "config", check_config },
	{ "ipuof-folders", check_ipuof_folders },
	{ "ipuof-files", check_ipuof_files },
	{ "api-host", check_host },
	{ "environment", check_environment },
	{ "conflicts", check_conflicts },
	{ NULL, NULL }
};

void
diagnose(const struct facts *f, struct diagnosis *d)
{
	const struct check	*c;
	int			 before;

	memset(d, 0, sizeof(*d));
	for (c = checks; c->name != NULL; c++) {
		before = d->count;
		d->checking = c->name;
		c->run(f, d);
		if (d->count == before)
			find(d, VERDICT_OK, "nothing is wrong");
	}
}

void
diagnosis_release(struct diagnosis *d)
{
	free(d->findings);
	memset(d, 0, sizeof(*d));
}
