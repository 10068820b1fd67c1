/*
 * The doctor: for each thing that can be wrong, what is said of it; and that
 * looking changes nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

#include "core/diag/diag.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "tests/unit/tap.h"

enum { NOW_MS = 1000000 };

static struct probes facts;
static struct partition partitions[2];
static struct agent agents[2];
static struct ipuof_probe files[3];
static struct ticket tickets[2];

/* All is well: partitions p, of two GCDs, and q. */
static void
be_well(void)
{
	struct snapshot *s = &facts.state.snapshot;
	int i;

	memset(&facts, 0, sizeof(facts));
	memset(partitions, 0, sizeof(partitions));
	memset(agents, 0, sizeof(agents));
	memset(files, 0, sizeof(files));
	memset(tickets, 0, sizeof(tickets));
	facts.uid = 1000;
	facts.now_ms = NOW_MS;
	facts.disk.free_bytes = facts.disk.free_files = INT64_MAX;
	facts.shared = facts.disk;
	(void)strlcpy(facts.disk.path, "/s", sizeof(facts.disk.path));
	(void)strlcpy(facts.shared.path, "/r", sizeof(facts.shared.path));
	(void)strlcpy(facts.state.paths.directory, "/s", REGISTRY_NAME_SIZE);
	(void)strlcpy(facts.state.paths.registry, "/r", REGISTRY_NAME_SIZE);
	facts.state.owner = 1000;
	facts.state.writable = facts.state.has_pod = true;
	facts.visible = 2;
	(void)strlcpy(facts.state.paths.origin, "default", STATE_ORIGIN_SIZE);
	s->partitions = partitions;
	s->partition_count = 2;
	s->pod.agents = agents;
	s->pod.agent_count = 2;
	for (i = 0; i < 2; i++) {
		(void)strlcpy(partitions[i].name, i == 0 ? "p" : "q",
		    NAME_SIZE);
		(void)strlcpy(agents[i].name, i == 0 ? "a1" : "a2", NAME_SIZE);
		partitions[i].state = PS_ACTIVE;
		partitions[i].num_gcds = i == 0 ? 2 : 1;
	}
	for (i = 0; i < 3; i++)
		files[i].current = true;
	facts.home.files = files;
	(void)strlcpy(facts.home.path, "/h", sizeof(facts.home.path));
	(void)strlcpy(facts.hosts.path, "/e", sizeof(facts.hosts.path));
	facts.tickets = tickets;
}

static void
add_file(const char *path, const char *partition, int gcd)
{
	struct ipuof_probe *f = &files[facts.home.count++];

	(void)strlcpy(f->path, path, sizeof(f->path));
	(void)strlcpy(f->reference.partition, partition, NAME_SIZE);
	f->reference.gcd = gcd;
}

/* "VERDICT CHECK: WHAT; MEND" of all that is not ok, line by line. */
static void
says(const char *wanted, const char *name)
{
	struct diagnosis d;
	const struct finding *f;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int failures = 0;

	doctor_diagnose(&facts, &d);
	for (f = d.findings; f < d.findings + d.count; f++) {
		failures += f->verdict == VERDICT_FAIL;
		if (f->verdict != VERDICT_OK)
			fprintf(out, "%s%s %s: %s; %s",
			    ftell(out) > 0 ? "\n" : "",
			    diagnosis_verdict_words[f->verdict], f->name,
			    f->what, f->remedy);
	}
	fclose(out);
	is_str(text, wanted, name);
	is_int(d.failures, failures, "failures are counted");
	free(text);
	diagnosis_release(&d);
}

#define NO_PARTITION \
	"FAIL partitions: no partition exists in /s (default); " \
	"vipu create partition NAME --size N creates one"
#define UNSEEN \
	"warn machines: unknown, because the pod cannot be read; " \
	"correct the faults above\n" \
	"warn ipus: unknown, because the pod cannot be read; " \
	"correct the faults above\n" \
	"warn partitions: unknown, because the pod cannot be read; " \
	"correct the faults above"

static void
test_state(void)
{
	be_well();
	says("", "all is well");
	facts.state.directory_errno = ENOENT;
	facts.state.has_pod = false;
	facts.state.snapshot.partition_count = facts.visible = 0;
	says(NO_PARTITION, "there is no state yet");
	facts.state.make_errno = EACCES;
	says("FAIL state-folder: /s (default) does not exist, and uid 1000 "
	     "cannot create it: Permission denied; set HOME or "
	     "IPUBOX_STATE_DIR to a directory of that user\n" UNSEEN,
	    "and it cannot be made");
	facts.state.has_pod = true;
	facts.state.snapshot.partition_count = facts.visible = 2;
	says("", "but a registry is there, as in a container");
	facts.state.make_errno = 0;
	facts.state.has_pod = false;
	facts.state.directory_errno = EACCES;
	says("FAIL state-folder: /s: Permission denied; let uid 1000 use it, "
	     "or set IPUBOX_STATE_DIR\n" UNSEEN,
	    "a folder that is closed");
	be_well();
	facts.state.has_pod = false;
	(void)error_set(&facts.state.place, "no place for the state");
	says("FAIL state-folder: no place for the state; set "
	     "IPUBOX_STATE_DIR\n" UNSEEN,
	    "no place");
	(void)error_set(&facts.settings_error, "/c:3: odd");
	says("FAIL settings: /c:3: odd; correct the file, or name another in "
	     "IPUBOX_CONFIG; until then, all commands that use the pod "
	     "fail\nwarn state-folder: unknown; correct the settings "
	     "first\n" UNSEEN,
	    "settings that are refused");
	(void)error_set(&facts.settings_error, "/c is open; close it");
	says("FAIL settings: /c is open; close it\nwarn state-folder: unknown; "
	     "correct the settings first\n" UNSEEN,
	    "with the mend that a command names");
	be_well();
	(void)error_set(&facts.emulate_error, "HOSTS 'x': must be yes");
	says("FAIL settings: HOSTS 'x': must be yes; correct the variable, or "
	     "unset it",
	    "a variable that is not valid");
	be_well();
	(void)error_set(&facts.state.ownership,
	    "others; may write /s; close it");
	says("FAIL state-folder: others; may write /s; close it",
	    "what every command refuses");
	(void)error_set(&facts.state.ownership, "/s is a link");
	says("FAIL state-folder: /s is a link; ", "without a mend");
	be_well();
	facts.state.owner = 0;
	facts.state.writable = false;
	says("warn state-folder: /s is read-only for this user, so nothing can "
	     "be changed; ask its owner, uid 0, or set IPUBOX_STATE_DIR",
	    "root's");
	be_well();
	facts.state.damage_count = 2;
	facts.state.damage = calloc(2, sizeof(*facts.state.damage));
	(void)error_set(&facts.state.damage[0], "/s/x.ini:3: odd");
	(void)error_set(&facts.state.damage[1], "/s/y.ini:1: bad");
	says("FAIL state-files: /s/x.ini:3: odd; repair or remove the file; "
	     "until then, no partition can be created\nFAIL state-files: "
	     "/s/y.ini:1: bad; repair or remove the file; until then, no "
	     "partition can be created",
	    "damaged files");
	free(facts.state.damage);
	be_well();
	facts.state.has_pod = false;
	(void)error_set_code(&facts.state.pod, ERROR_DENIED,
	    "cannot open /s/pod.ini");
	says("FAIL state-files: cannot open /s/pod.ini; ask uid 1000 to share "
	     "the directory, or set IPUBOX_STATE_DIR to one of your "
	     "own\n" UNSEEN,
	    "a closed pod");
	facts.state.owner = 0;
	facts.state.writable = false;
	says("FAIL state-folder: /s (default) belongs to uid 0, and uid 1000 "
	     "may not read it; ask its owner to share it with a group, or set "
	     "IPUBOX_STATE_DIR to a directory of your own\nFAIL state-files: "
	     "cannot open /s/pod.ini; ask uid 0 to share the directory, or set "
	     "IPUBOX_STATE_DIR to one of your own\n" UNSEEN,
	    "root's, which the caller may not read");
	be_well();
	facts.state.has_pod = false;
	facts.state.snapshot.partition_count = facts.visible = 0;
	(void)error_set_code(&facts.state.pod, ERROR_NOT_FOUND,
	    "cannot open /s/pod.ini");
	says(NO_PARTITION, "an empty folder");
	be_well();
	facts.state.has_pod = false;
	(void)error_set(&facts.state.pod, "/s/pod.ini:2: odd");
	says("FAIL state-files: /s/pod.ini:2: odd; repair the file, or create "
	     "a new pod with vipu-admin init --force\n" UNSEEN,
	    "a damaged pod");
}

static void
test_registry(void)
{
	be_well();
	(void)error_set_code(&facts.state.registry, ERROR_NOT_FOUND,
	    "cannot open registry /r");
	says("", "none: it is made");
	(void)error_set_code(&facts.state.registry, ERROR_STALE,
	    "registry /r: of version 1");
	says("warn registry: registry /r: of version 1; the next command "
	     "creates it anew once no program uses IPUs",
	    "old");
	facts.state.registry.code = ERROR_DENIED;
	says("FAIL registry: registry /r: of version 1; ask its owner to share "
	     "it, or set IPUBOX_STATE_DIR to a directory of your own",
	    "closed");
	facts.state.registry.code = ERROR_UNSAFE;
	says("FAIL registry: registry /r: of version 1; remove the file, or "
	     "set IPUBOX_REGISTRY to another",
	    "another owner's");
	be_well();
	facts.state.foreign = true;
	says("FAIL registry: /r does not belong to the state directory /s; "
	     "unset IPUBOX_REGISTRY, or set IPUBOX_STATE_DIR to the directory "
	     "that it belongs to",
	    "another state's");
	be_well();
	facts.state.half_written = true;
	says("warn registry: /r was left half written by a program that was "
	     "killed; the next command repairs it",
	    "half written");
}

static void
test_lock(void)
{
	be_well();
	facts.state.locked = true;
	facts.state.holder = (struct lock_holder){ .life = LOCK_ALIVE,
		.pid = 12,
		.since_ms = 1700000000000,
		.command = "vipu reset" };
	facts.now_ms = 1700000001000;
	says("", "somebody changes the state");
	facts.now_ms += 60000;
	says("FAIL lock: the lock of /s is held by vipu reset (pid 12, since "
	     "2023-11-14T22:13:20Z), so the state cannot be changed; try "
	     "again, or end it with kill 12: nothing is lost",
	    "for long");
	facts.state.holder.life = LOCK_STOPPED;
	says("FAIL lock: the lock of /s is held by vipu reset (pid 12, "
	     "stopped, since 2023-11-14T22:13:20Z), so the state cannot be "
	     "changed; kill -CONT 12 lets it go on",
	    "stopped");
	facts.state.holder.life = LOCK_GONE;
	says("FAIL lock: the lock of /s is held by a program that cannot be "
	     "seen from here (the record names pid 12, vipu reset), so the "
	     "state cannot be changed; try again, or end the program that "
	     "changes the state: nothing is lost",
	    "not to be seen");
}

static void
test_room(void)
{
	be_well();
	facts.disk.free_bytes = 4096;
	says("FAIL disk: the file system of /s has 4 KiB left; make room",
	    "full");
	facts.disk.free_bytes = -1;
	facts.disk.free_files = 3;
	says("FAIL disk: the file system of /s has room for 3 more files; make "
	     "room",
	    "no more files");
	facts.disk.read_only = true;
	says("FAIL disk: the file system of /s is read-only; mount it "
	     "writable, or set IPUBOX_STATE_DIR",
	    "read-only");
	be_well();
	facts.shared.free_bytes = 0;
	says("FAIL shared-memory: the file system of /r has 0 KiB left; make "
	     "room",
	    "no shared memory");
}

static void
test_pod(void)
{
	uint32_t soc_errors[2 * IPUS_PER_MACHINE] = { 0 };

	be_well();
	agents[0].state = MACHINE_DOWN;
	agents[1].state = MACHINE_REBOOTING;
	agents[1].up_ms = NOW_MS + 1;
	says(
	    "warn machines: machine a1 is down; its IPUs are not allocated; "
	    "wait for it; vipu-admin inject a1 up ends an injected fault\nwarn "
	    "machines: machine a2 is rebooting; its IPUs are not allocated; "
	    "wait for it; vipu-admin inject a2 up ends an injected fault",
	    "machines that do not answer");
	be_well();
	agents[1].state = MACHINE_REBOOTING;
	agents[1].up_ms = NOW_MS;
	agents[0].fail_config = 2;
	agents[0].slow_ms = 30;
	says("warn machines: machine a1: the next 2 configurations fail, as "
	     "injected; vipu-admin inject a1 up ends it\n"
	     "warn machines: machine a1: a configuration takes 30 ms, as "
	     "injected; vipu-admin inject a1 up ends it",
	    "faults");
	be_well();
	facts.state.soc_errors = soc_errors;
	says("", "IPUs without errors");
	soc_errors[5] = SOC_BIT(SOC_IPUSOFTERR);
	says("warn ipus: IPU a2:1 has IPUSOFTERR; it needs IPU_RESET, see "
	     "ipubox(7); vipu-admin inject a2:1 soc-error clear ends it",
	    "an IPU's error");
	be_well();
	partitions[1].state = PS_ERROR;
	(void)strlcpy(partitions[1].last_error, "machine a1 is down",
	    LAST_ERROR_SIZE);
	says("FAIL partitions: partition q is in state ERROR: machine a1 is "
	     "down; vipu reset partition q tries again, vipu remove partition "
	     "q gives its IPUs back",
	    "in error");
	be_well();
	partitions[0].created = NOW_MS / 1000 + 5;
	says("", "clocks differ a little");
	partitions[0].created = NOW_MS / 1000 + 60;
	says("warn clock: partition p was changed 60 s in the future: this "
	     "host's clock is slow, or was fast; set the clock; until then, "
	     "timed changes come late",
	    "a clock that is wrong");
	be_well();
	facts.ticket_count = 2;
	tickets[1].live = true;
	says("warn waiting: 1 ticket in /s/waiting is left by programs that "
	     "were killed; no harm is done; the next vipu create --wait "
	     "removes them",
	    "a ticket is left");
	tickets[0].live = true;
	says("", "those who live wait well");
}

/* What a job left, and what a removal that was killed left. */
static void
test_left_behind(void)
{
	static bool abandoned[2];
	static struct missing_file missing;

	be_well();
	abandoned[1] = true;
	facts.abandoned = abandoned;
	(void)strlcpy(partitions[1].owner_text, "poprun, pid 7 on h, user u",
	    sizeof(partitions[1].owner_text));
	says("warn partitions: partition q belongs to a job that has ended: "
	     "poprun, pid 7 on h, user u; the next command removes it once no "
	     "program is attached to it",
	    "a partition without its owner");
	abandoned[1] = false;
	says("", "owners that live are well");
	(void)strlcpy(missing.partition, "q", sizeof(missing.partition));
	(void)strlcpy(missing.path, "/h/q.conf", sizeof(missing.path));
	facts.missing = &missing;
	facts.missing_count = 1;
	says("FAIL ipuof-files: partition q exists, but its IPUoF file "
	     "/h/q.conf is missing; vipu reset partition q writes it again",
	    "a partition without its file");
	facts.partition = "p";
	facts.gcd = "0";
	says("warn ipuof-files: partition q exists, but its IPUoF file "
	     "/h/q.conf is missing; vipu reset partition q writes it again",
	    "which is not the one that programs use");
}

static void
test_files(void)
{
	be_well();
	add_file("/h/p_gcd0.conf", "p", 0);
	add_file("/h/p_gcd1.conf", "p", 1);
	says("", "two GCDs of a partition are one configuration");
	add_file("/h/q.conf", "q", 0);
	says("FAIL ipuof-folders: programs ignore /h, because it has files of "
	     "several partitions: p_gcd0.conf of p, p_gcd1.conf of p, q.conf "
	     "of q; eval \"$(vipu env NAME)\" chooses one; or remove files",
	    "two partitions");
	facts.partition = "q";
	says("warn ipuof-folders: programs ignore /h, because it has files of "
	     "several partitions: p_gcd0.conf of p, p_gcd1.conf of p, q.conf "
	     "of q; eval \"$(vipu env NAME)\" chooses one; or remove files",
	    "of which the environment chooses one");
	be_well();
	add_file("/h/x.conf", "x", 0);
	says("FAIL ipuof-files: /h/x.conf describes partition x, which does "
	     "not exist; remove the file",
	    "of a partition that is gone");
	be_well();
	add_file("/h/q.conf", "q", 0);
	files[0].current = false;
	says(
	    "warn ipuof-files: /h/q.conf is out of date for partition q; vipu "
	    "get partition q --ipuof-configs --gcd 0 prints the right contents",
	    "of one that has changed");
	be_well();
	add_file("/h/q.conf", "", 0);
	(void)error_set(&files[0].reason, "/h/q.conf: no JSON");
	says("FAIL ipuof-folders: /h/q.conf: no JSON; remove the file, or "
	     "create the partition again",
	    "of nothing");
	be_well();
	facts.config_path = "/c";
	(void)error_set(&facts.config_file.reason, "cannot open /c");
	says("FAIL ipuof-files: IPUOF_CONFIG_PATH: cannot open /c; unset "
	     "IPUOF_CONFIG_PATH",
	    "a path to nothing");
}

static void
test_environment(void)
{
	be_well();
	facts.api_host = "local";
	facts.partition = "q";
	says("", "a partition");
	facts.partition = "x";
	says("FAIL environment: IPUOF_VIPU_API_PARTITION_ID=x: the partition "
	     "does not exist; eval \"$(vipu env NAME)\" chooses another, eval "
	     "\"$(vipu env --unset)\" unsets it",
	    "that does not exist");
	facts.partition = "q";
	partitions[1].state = PS_PENDING;
	says("FAIL environment: IPUOF_VIPU_API_PARTITION_ID=q: the partition "
	     "is in state PENDING, not ACTIVE; vipu get partition q says why",
	    "that is not ready");
	be_well();
	facts.partition = "p";
	says("warn environment: partition p has 2 GCDs, and a program uses "
	     "one; set IPUOF_VIPU_API_GCD_ID to a number from 0 to 1",
	    "no GCD");
	facts.gcd = "1";
	says("", "a GCD");
	facts.gcd = "2";
	says("FAIL environment: IPUOF_VIPU_API_GCD_ID=2: partition p has 2 "
	     "GCDs, counted from 0; choose one of them",
	    "out of range");
	facts.partition = "q";
	facts.gcd = "x";
	says("FAIL environment: IPUOF_VIPU_API_GCD_ID=x: partition q has 1 "
	     "GCD, counted from 0; unset it",
	    "no number");
	facts.partition = NULL;
	says("warn environment: IPUOF_VIPU_API_GCD_ID is set, but "
	     "IPUOF_VIPU_API_PARTITION_ID is not; eval \"$(vipu env NAME --gcd "
	     "G)\" sets both",
	    "a GCD of nothing");
	be_well();
	facts.partition = "q";
	facts.config_path = "/c";
	(void)strlcpy(facts.config_file.path, "/c", PROBE_PATH_SIZE);
	(void)strlcpy(facts.config_file.reference.partition, "q", NAME_SIZE);
	facts.config_file.current = true;
	add_file("/h/p.conf", "p", -1);
	says("warn conflicts: IPUOF_VIPU_API_PARTITION_ID=q and "
	     "IPUOF_CONFIG_PATH=/c are both set, and the first one takes "
	     "precedence; unset IPUOF_CONFIG_PATH\nwarn conflicts: "
	     "IPUOF_VIPU_API_PARTITION_ID=q takes precedence over the file in "
	     "/h, which is of partition p; eval \"$(vipu env --unset)\" "
	     "selects the file's partition",
	    "told twice");
	be_well();
	facts.api_host = "far";
	facts.api_server.place = SERVER_REMOTE;
	facts.partition = "x";
	facts.visible = 0;
	says("", "another host has partitions of its own");
	facts.partition = NULL;
	facts.visible = 2;
	facts.api_server.place = SERVER_SILENT;
	facts.api_server.port = 8090;
	(void)error_set(&facts.api_server.reason, "no answer in time");
	says("FAIL api-host: IPUOF_VIPU_API_HOST=far cannot be reached: no "
	     "connection to port 8090: no answer in time; set it to local for "
	     "the pod of this host",
	    "no host");
	(void)error_set(&facts.api_error, "X: 'a b' is not valid");
	says("FAIL api-host: X: 'a b' is not valid; set it to local for the "
	     "pod of this host",
	    "no address");
}

/* Whose partitions they are, and who asks. */
static void
test_access(void)
{
	be_well();
	facts.state.snapshot.partition_count = facts.visible = 0;
	says(NO_PARTITION, "a pod without a partition");
	facts.state.damage_count = 1;
	facts.state.damage = calloc(1, sizeof(*facts.state.damage));
	(void)error_set(&facts.state.damage[0], "/s/x.ini:3: odd");
	says("FAIL state-files: /s/x.ini:3: odd; repair or remove the file; "
	     "until then, no partition can be created",
	    "the one that is damaged");
	free(facts.state.damage);
	be_well();
	facts.visible = 0;
	(void)strlcpy(facts.config.values[CONFIG_USER_ID], "me", 8);
	says("FAIL partitions: user me may use none of the existing partitions "
	     "(2); vipu create partition NAME --size N creates one",
	    "others' alone");
	facts.visible = 1;
	says("", "one is enough");
	facts.visible = 2;
	(void)error_set(&facts.refusal, "user me is unknown");
	says("FAIL config: user me is unknown; give the user's file "
	     "NAME.vipu-cli.hcl to --config, or set VIPU_CLI_CONFIG to it",
	    "who is not let in");
}

static void
test_config(void)
{
	be_well();
	(void)error_set(&facts.config_error, "/f:3: odd");
	says("FAIL config: /f:3: odd; correct the file or the variable; until "
	     "then, all commands fail",
	    "a damaged file");
	be_well();
	facts.state.secure = true;
	says("FAIL config: the pod is in secure mode, and no user is named; "
	     "give the file NAME.vipu-cli.hcl to --config, or set "
	     "VIPU_CLI_CONFIG to it",
	    "secure mode");
	(void)strlcpy(facts.config.values[CONFIG_USER_ID], "me", 8);
	says("", "secure mode with a user");
	(void)strlcpy(facts.config.origins[CONFIG_USER_ID],
	    "VIPU_CLI_API_USER_ID", 32);
	(void)strlcpy(facts.config_file_alone.values[CONFIG_USER_ID], "you", 8);
	(void)strlcpy(facts.config_file_alone.origins[CONFIG_USER_ID], "/f", 8);
	says("warn config: VIPU_CLI_API_USER_ID overrides /f, which has "
	     "another value; unset VIPU_CLI_API_USER_ID, or change the file",
	    "told twice");
	be_well();
	(void)strlcpy(facts.config.origins[CONFIG_API_HOST], "/f:1", 8);
	(void)error_set(&facts.server_error, "no server");
	says("FAIL config: /f:1: no server; set it to local, or remove it",
	    "another host");
}

int
main(void)
{
	test_state();
	test_registry();
	test_lock();
	test_room();
	test_pod();
	test_left_behind();
	test_files();
	test_environment();
	test_access();
	test_config();
	return tap_done();
}
