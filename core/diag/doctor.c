/*
 * The checks of the state and of the pod, in the order in which a person would
 * look: without settings the directory is unknown, and without a pod its
 * machines are.  Checks of programs' settings are in doctor_program.c.
 */
#include "core/diag/diag.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

enum {
	ROOM_MIN_BYTES = 1 << 20,
	ROOM_MIN_FILES = 16,
	CLOCK_SLACK_MS = 5000, /* hosts that share a directory differ
				  slightly */
	CHANGE_MAX_MS = 10000  /* limit for any pod */
};

/* Add a command's refusal: its remedy follows the last ';'. */
static void
find_refusal(struct diagnosis *d, const struct error *refusal)
{
	struct error e = *refusal;
	char *remedy = strrchr(e.text, ';');

	if (remedy == NULL) {
		diagnosis_add(d, VERDICT_FAIL, "%s", e.text);
		return;
	}
	*remedy++ = '\0';
	diagnosis_add(d, VERDICT_FAIL, "%s\t%s", e.text,
	    remedy + strspn(remedy, " "));
}

/* ---- the state ---- */

/* Settings other than the default are shown, because they change the
   results. */
static void
find_emulation(const struct probes *f, struct diagnosis *d)
{
	if (f->emulate_error.text[0] != '\0') {
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\tcorrect the variable, or unset it",
		    f->emulate_error.text);
		return;
	}
	if (f->emulated_hosts)
		diagnosis_add(d, VERDICT_OK, "every host is this machine (%s)",
		    f->hosts_origin);
	if (f->strict)
		diagnosis_add(d, VERDICT_OK,
		    "what a Pod refuses is an error (%s)", f->strict_origin);
	if (f->versions.name != NULL && strcmp(f->versions.name, "guide") != 0)
		diagnosis_add(d, VERDICT_OK, "the tools report SDK %s (%s)",
		    f->versions.sdk, f->sdk_origin);
}

static void
doctor_check_settings(const struct probes *f, struct diagnosis *d)
{
	if (strchr(f->settings_error.text, ';') != NULL)
		find_refusal(d, &f->settings_error);
	else if (f->settings_error.text[0] != '\0')
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\tcorrect the file, or name another in IPUBOX_CONFIG; "
		    "until then, all commands that use the pod fail",
		    f->settings_error.text);
	find_emulation(f, d);
}

/* Only the first fault is reported, not its consequences. */
static void
doctor_check_directory(const struct probes *f, struct diagnosis *d)
{
	const struct inspection *in = &f->state;
	const char *directory = in->paths.directory;

	if (f->settings_error.text[0] != '\0') {
		diagnosis_add(d, VERDICT_WARN,
		    "unknown\tcorrect the settings first");
		return;
	}
	if (in->place.text[0] != '\0') {
		diagnosis_add(d, VERDICT_FAIL, "%s\tset IPUBOX_STATE_DIR",
		    in->place.text);
		return;
	}
	if (in->make_errno != 0 && !in->has_pod) {
		diagnosis_add(d, VERDICT_FAIL,
		    "%s (%s) does not exist, and uid %" PRIu32
		    " cannot create it: %s\tset HOME or IPUBOX_STATE_DIR to a "
		    "directory of that user",
		    directory, in->paths.origin, f->uid,
		    strerror(in->make_errno));
		return;
	}
	if (in->directory_errno == ENOENT) {
		diagnosis_add(d, VERDICT_OK,
		    "%s (%s) does not exist yet; the first command creates it",
		    directory, in->paths.origin);
		return;
	}
	if (in->directory_errno != 0) {
		diagnosis_add(d, VERDICT_FAIL,
		    "%s: %s\tlet uid %" PRIu32
		    " use it, or set IPUBOX_STATE_DIR",
		    directory, strerror(in->directory_errno), f->uid);
		return;
	}
	if (in->ownership.text[0] != '\0')
		find_refusal(d, &in->ownership);
	else if (!in->has_pod && !in->writable && in->pod.code == ERROR_DENIED)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s (%s) belongs to uid %lu, and uid %" PRIu32
		    " may not read it\task its owner to share it with a group, "
		    "or set IPUBOX_STATE_DIR to a directory of your own",
		    directory, in->paths.origin, (unsigned long)in->owner,
		    f->uid);
	else if (!in->writable)
		diagnosis_add(d, VERDICT_WARN,
		    "%s is read-only for this user, so nothing can be "
		    "changed\task its owner, uid %lu, or set IPUBOX_STATE_DIR",
		    directory, (unsigned long)in->owner);
	else
		diagnosis_add(d, VERDICT_OK, "%s (%s)", directory,
		    in->paths.origin);
}

/* The previous check has named a directory that cannot be opened. */
static void
check_files(const struct probes *f, struct diagnosis *d)
{
	const struct inspection *in = &f->state;
	int i;

	if (in->directory_errno != 0)
		return;
	if (!in->has_pod && in->pod.code == ERROR_DENIED)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\task uid %lu to share the directory, or set "
		    "IPUBOX_STATE_DIR to one of your own",
		    in->pod.text, (unsigned long)in->owner);
	else if (!in->has_pod && in->pod.code != ERROR_NOT_FOUND &&
	    in->pod.code != ERROR_NONE)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\trepair the file, or create a new pod with vipu-admin "
		    "init --force",
		    in->pod.text);
	for (i = 0; i < in->damage_count; i++)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\trepair or remove the file; until then, no partition "
		    "can be created",
		    in->damage[i].text);
}

/* The next command repairs a registry that is missing, stale or half written.
   One of another state would be trusted, so it is a failure. */
static void
check_registry(const struct probes *f, struct diagnosis *d)
{
	const struct inspection *in = &f->state;
	const char *path = in->paths.registry;

	if (in->registry.code == ERROR_NOT_FOUND && in->has_pod)
		diagnosis_add(d, VERDICT_OK,
		    "%s does not exist; the next command creates it", path);
	else if (in->registry.code == ERROR_STALE)
		diagnosis_add(d, VERDICT_WARN,
		    "%s\tthe next command creates it anew once no program uses "
		    "IPUs",
		    in->registry.text);
	else if (in->registry.code == ERROR_DENIED)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\task its owner to share it, or set IPUBOX_STATE_DIR to "
		    "a directory of your own",
		    in->registry.text);
	else if (in->registry.code != ERROR_NONE &&
	    in->registry.code != ERROR_NOT_FOUND)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\tremove the file, or set IPUBOX_REGISTRY to another",
		    in->registry.text);
	else if (in->foreign)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s does not belong to the state directory %s\tunset "
		    "IPUBOX_REGISTRY, or set IPUBOX_STATE_DIR to the directory "
		    "that it belongs to",
		    path, in->paths.directory);
	else if (in->half_written)
		diagnosis_add(d, VERDICT_WARN,
		    "%s was left half written by a program that was "
		    "killed\tthe next command repairs it",
		    path);
}

/* A server that has the state is the only way to it. */
static void
check_server(const struct probes *f, struct diagnosis *d)
{
	const struct inspection *in = &f->state;
	const char *directory = in->paths.directory;
	char described[LOCK_TEXT_SIZE], remedy[LOCK_TEXT_SIZE];

	lock_describe(&in->server, described);
	lock_remedy(&in->server, remedy);
	if (in->served && f->silence.text[0] != '\0')
		diagnosis_add(d, VERDICT_FAIL,
		    "%s belongs to a server, %s, which does not answer: "
		    "%.*s\t%s",
		    directory, described, (int)strcspn(f->silence.text, "\n"),
		    f->silence.text, remedy);
	else if (f->shortage[0] != '\0')
		diagnosis_add(d, VERDICT_WARN,
		    "%s, the server of %s, has no place for strangers: "
		    "%s\tend what connects from there without a key, or keep "
		    "it away from the port; users and root have places",
		    described, directory, f->shortage);
	else if (in->withdrawn && !in->served)
		diagnosis_add(d, VERDICT_WARN,
		    "%s is closed to its group by a server that was "
		    "killed\tthe next vipu command of uid %u or root opens it, "
		    "or start the server",
		    directory, (unsigned)in->owner);
}

/* A program stopped in mid-change keeps its lock. */
static void
check_lock(const struct probes *f, struct diagnosis *d)
{
	const struct lock_holder *holder = &f->state.holder;
	char described[LOCK_TEXT_SIZE];
	char remedy[LOCK_TEXT_SIZE];

	check_server(f, d);
	if (!f->state.locked ||
	    (holder->life != LOCK_STOPPED &&
		f->now_ms - holder->since_ms < CHANGE_MAX_MS))
		return;
	lock_describe(holder, described);
	lock_remedy(holder, remedy);
	diagnosis_add(d, VERDICT_FAIL,
	    "the lock of %s is held by %s, so the state cannot be changed\t%s",
	    f->state.paths.directory, described, remedy);
}

/* Lack of room is reported before a change fails for it. */
static void
check_room(const struct room *room, struct diagnosis *d)
{
	if (room->read_only)
		diagnosis_add(d, VERDICT_FAIL,
		    "the file system of %s is read-only\tmount it writable, or "
		    "set IPUBOX_STATE_DIR",
		    room->path);
	else if (room->free_bytes >= 0 && room->free_bytes < ROOM_MIN_BYTES)
		diagnosis_add(d, VERDICT_FAIL,
		    "the file system of %s has %" PRId64 " KiB left\tmake room",
		    room->path, room->free_bytes / 1024);
	else if (room->free_files >= 0 && room->free_files < ROOM_MIN_FILES)
		diagnosis_add(d, VERDICT_FAIL,
		    "the file system of %s has room for %" PRId64
		    " more files\tmake room",
		    room->path, room->free_files);
}

static void
check_disk(const struct probes *f, struct diagnosis *d)
{
	check_room(&f->disk, d);
}

static void
check_shared_memory(const struct probes *f, struct diagnosis *d)
{
	check_room(&f->shared, d);
}

/* ---- the pod ---- */

/* Report a pod that cannot be read, and return true.  A pod that the first
   command will make is not a fault. */
static bool
cannot_see(const struct probes *f, struct diagnosis *d)
{
	const struct inspection *in = &f->state;

	if (in->has_pod ||
	    (in->place.text[0] == '\0' && in->make_errno == 0 &&
		(in->directory_errno == ENOENT ||
		    (in->directory_errno == 0 &&
			in->pod.code == ERROR_NOT_FOUND))))
		return false;
	diagnosis_add(d, VERDICT_WARN,
	    "unknown, because the pod cannot be read\tcorrect the faults "
	    "above");
	return true;
}

/* Injected faults look like real ones, so the remedy names both. */
static void
check_machines(const struct probes *f, struct diagnosis *d)
{
	const struct pod *pod = &f->state.snapshot.pod;
	const struct agent *a;
	int i;

	if (cannot_see(f, d))
		return;
	for (i = 0; i < pod->agent_count; i++) {
		a = &pod->agents[i];
		if (!pod_machine_is_up(a, f->now_ms))
			diagnosis_add(d, VERDICT_WARN,
			    "machine %s is %s; its IPUs are not "
			    "allocated\twait for it; vipu-admin inject %s up "
			    "ends an injected fault",
			    a->name, pod_machine_state_words[a->state],
			    a->name);
		if (a->fail_config > 0)
			diagnosis_add(d, VERDICT_WARN,
			    "machine %s: the next %d configurations fail, as "
			    "injected\tvipu-admin inject %s up ends it",
			    a->name, a->fail_config, a->name);
		if (a->slow_ms > 0)
			diagnosis_add(d, VERDICT_WARN,
			    "machine %s: a configuration takes %d ms, as "
			    "injected\tvipu-admin inject %s up ends it",
			    a->name, a->slow_ms, a->name);
	}
	if (f->state.served && !f->has_exporter)
		diagnosis_add(d, VERDICT_OK,
		    "nothing on this host listens at port %d, which vipu-admin "
		    "get agent names for metrics; vipu-server --metrics ADDR "
		    "serves them",
		    EXPORTER_PORT);
}

enum { DOCTOR_HOLDERS = 8 }; /* named when nothing is wrong with them */

/* Name the programs that hold IPUs, and report those that keep them from the
   present partitions. */
static void
check_holders(const struct probes *f, struct diagnosis *d)
{
	const struct held_ipus *h = f->state.held;
	const struct held_ipus *end = h + f->state.held_count;
	struct holder_place place;
	char name[NAME_SIZE + 16], holder[HOLDER_TEXT_SIZE];
	int in_order = 0;

	holder_place_init(&place);
	for (; h != NULL && h < end; h++) {
		pod_ipu_name(&f->state.snapshot.pod, h->first, name,
		    sizeof(name));
		holder_text(&place, &h->slot, holder);
		if (h->slot.lost != 0)
			diagnosis_add(d, VERDICT_WARN,
			    "%s lost IPU %s and still holds it, so no other "
			    "program can attach to it\tend the program; one "
			    "that computes ends at its next step",
			    holder, name);
		else if (++in_order <= DOCTOR_HOLDERS)
			diagnosis_add(d, VERDICT_OK,
			    "%d IPU%s from %s on: in use by %s", h->count,
			    h->count == 1 ? "" : "s", name, holder);
	}
	if (in_order > DOCTOR_HOLDERS)
		diagnosis_add(d, VERDICT_OK,
		    "%d more programs use IPUs; gc-monitor --all-partitions "
		    "lists them",
		    in_order - DOCTOR_HOLDERS);
}

static void
doctor_check_ipus(const struct probes *f, struct diagnosis *d)
{
	const struct pod *pod = &f->state.snapshot.pod;
	char name[NAME_SIZE + 16], errors[SOC_TEXT_SIZE];
	uint32_t set;
	int i;

	if (cannot_see(f, d))
		return;
	check_holders(f, d);
	for (i = 0; f->state.soc_errors != NULL && i < pod_ipu_count(pod);
	     i++) {
		if ((set = f->state.soc_errors[i]) == 0)
			continue;
		pod_ipu_name(pod, i, name, sizeof(name));
		soc_error_text(set, "", errors, sizeof(errors));
		diagnosis_add(d, VERDICT_WARN,
		    "IPU %s has %s\tit needs %s, see ipubox(7); vipu-admin "
		    "inject %s soc-error clear ends it",
		    name, errors, soc_error_remedy_name(soc_error_remedy(set)),
		    name);
	}
}

/* Whether the caller has any partition; a damaged one may be the caller's. */
static void
check_any_partition(const struct probes *f, struct diagnosis *d)
{
	if (f->state.damage_count > 0 || f->visible > 0 ||
	    f->api_server.place == SERVER_REMOTE)
		return;
	if (f->state.snapshot.partition_count == 0)
		diagnosis_add(d, VERDICT_FAIL,
		    "no partition exists in %s (%s)\tvipu create partition "
		    "NAME --size N creates one",
		    f->state.paths.directory, f->state.paths.origin);
	else
		diagnosis_add(d, VERDICT_FAIL,
		    "user %s may use none of the existing partitions "
		    "(%d)\tvipu create "
		    "partition NAME --size N creates one",
		    f->config.values[CONFIG_USER_ID],
		    f->state.snapshot.partition_count);
}

/* Partitions that the next command removes only matter while a program uses
   them. */
static void
check_abandoned(const struct probes *f, struct diagnosis *d)
{
	const struct snapshot *s = &f->state.snapshot;
	struct holder_place place;
	char owner[OWNER_TEXT_SIZE];
	int i;

	holder_place_init(&place);
	for (i = 0; f->abandoned != NULL && i < s->partition_count; i++)
		if (f->abandoned[i]) {
			holder_owner_text(&place, s->partitions[i].owner_text,
			    owner);
			diagnosis_add(d, VERDICT_WARN,
			    "partition %s belongs to a job that has ended: "
			    "%s\tthe next command removes it once no program "
			    "is attached to it",
			    s->partitions[i].name, owner);
		}
}

static void
doctor_check_partitions(const struct probes *f, struct diagnosis *d)
{
	const struct snapshot *s = &f->state.snapshot;
	const struct partition *p = s->partitions;
	struct error e;

	if (cannot_see(f, d))
		return;
	check_any_partition(f, d);
	check_abandoned(f, d);
	for (; p != NULL && p < s->partitions + s->partition_count; p++) {
		if (p->state != PS_ERROR)
			continue;
		e.text[0] = '\0';
		(void)lifecycle_append_remedy(&s->pod, p, "vipu", &e);
		diagnosis_add(d, VERDICT_FAIL,
		    "partition %s is in state ERROR: %s\t%s", p->name,
		    p->last_error[0] != '\0' ? p->last_error :
					       "no reason was kept",
		    e.text);
	}
}

/* Due times are compared with the reader's clock.  created is in seconds,
   changed_ms in milliseconds. */
static void
doctor_check_clock(const struct probes *f, struct diagnosis *d)
{
	const struct snapshot *s = &f->state.snapshot;
	const struct partition *p = s->partitions;
	int64_t ms, ahead_ms = 0;
	const char *name = "";

	for (; p != NULL && p < s->partitions + s->partition_count; p++) {
		ms = p->changed_ms > p->created * 1000 ?
		    p->changed_ms :
		    p->created * 1000;
		if (ms - f->now_ms > ahead_ms) {
			ahead_ms = ms - f->now_ms;
			name = p->name;
		}
	}
	if (ahead_ms > CLOCK_SLACK_MS)
		diagnosis_add(d, VERDICT_WARN,
		    "partition %s was changed %" PRId64
		    " s in the future: this host's clock is slow, or was "
		    "fast\tset the clock; until then, timed changes come late",
		    name, ahead_ms / 1000);
}

/* Check for tickets without holders. */
static void
check_waiting(const struct probes *f, struct diagnosis *d)
{
	long i, left = 0;

	for (i = 0; i < f->ticket_count; i++)
		left += !f->tickets[i].live;
	if (left > 0)
		diagnosis_add(d, VERDICT_WARN,
		    "%ld ticket%s in %s/waiting %s left by programs that were "
		    "killed\tno harm is done; the next vipu create --wait "
		    "removes them",
		    left, left == 1 ? "" : "s", f->state.paths.directory,
		    left == 1 ? "is" : "are");
}

/* ---- all of them ---- */

/* In order of dependence. */
static const struct check doctor_checks[] = {
	{ "settings", doctor_check_settings },
	{ "state-folder", doctor_check_directory },
	{ "state-files", check_files },
	{ "registry", check_registry },
	{ "lock", check_lock },
	{ "disk", check_disk },
	{ "shared-memory", check_shared_memory },
	{ "machines", check_machines },
	{ "ipus", doctor_check_ipus },
	{ "partitions", doctor_check_partitions },
	{ "clock", doctor_check_clock },
	{ "waiting", check_waiting },
	{ NULL, NULL },
};

/* A check without findings gets an "ok", so that each name appears. */
static void
run_checks(const struct check *c, const struct probes *f, struct diagnosis *d)
{
	int before;

	for (; c->name != NULL; c++) {
		before = d->count;
		d->checking = c->name;
		c->run(f, d);
		if (d->count == before)
			diagnosis_add(d, VERDICT_OK, "nothing is wrong");
	}
}

void
doctor_diagnose(const struct probes *f, struct diagnosis *d)
{
	memset(d, 0, sizeof(*d));
	run_checks(doctor_checks, f, d);
	run_checks(doctor_program_checks, f, d);
}
