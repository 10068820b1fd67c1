/*
 * Who sees what: lists of allocations, what a user's snapshot keeps, where a
 * user's partition goes; and where the configuration comes from.
 */
#include <sys/stat.h>

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static void
test_lists(void)
{
	static const struct {
		int (*change)(struct user *, const char *, struct error *);
		const char *list, *wanted; /* of a user with "a,b" */
	} rows[] = {
		{ user_set_allocations, "c", "c" },
		{ user_set_allocations, "", "" },
		{ user_set_allocations, "c,a", "c,a" },
		{ user_set_allocations, "c,c", "c" },
		{ user_set_allocations, "c,", "allocation name: empty" },
		{ user_set_allocations, ",c", "allocation name: empty" },
		{ user_set_allocations, "../x", "-" },
		{ user_add_allocations, "c,a,d", "a,b,c,d" },
		{ user_remove_allocations, "a", "b" },
		{ user_remove_allocations, "b,a", "" },
		{ user_remove_allocations, "a,c",
		    "user u does not have allocation c" },
	};
	struct user u;
	struct error e;
	char got[USER_LIST_SIZE];
	size_t i;
	int status;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(&u, 0, sizeof(u));
		memcpy(u.name, "u", 2);
		(void)user_set_allocations(&u, "a,b", NULL);
		status = rows[i].change(&u, rows[i].list, &e);
		user_list(&u, ',', got);
		if (status == 0) {
			is_str(got, rows[i].wanted, rows[i].list);
			continue;
		}
		is_str(got, "a,b", "a refusal changes nothing");
		if (strcmp(rows[i].wanted, "-") != 0)
			is_str(e.text, rows[i].wanted, rows[i].list);
	}
}

static void
test_key(void)
{
	char key[ACCESS_KEY_SIZE], other[ACCESS_KEY_SIZE];
	int i, good = 0;

	user_make_key(key);
	user_make_key(other);
	ok(strcmp(key, other) != 0, "each key is another");
	for (i = 0; key[i] != '\0'; i++)
		good += i == 4 ?
		    key[i] == '_' :
		    strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijkl"
			   "mnopqrstuvwxyz0123456789",
			key[i]) != NULL;
	is_int(good, 11, "four letters or digits, '_', six of them");
}

/* Two allocations of 8 IPUs, and a machine that is in none. */
static const char lab[] =
    "[pod]\nname = lab\n"
    "[cluster cl0]\nagents = ag[00-07]\ntopology = mesh\n"
    "address = 10.1.5.1\nhost = 10.1.2.1\n"
    "[allocation a]\nagents = ag[00-01]\n"
    "[allocation b]\nagents = ag[02-03]\n"
    "[allocation c]\nagents = ag[04-06]\n";

static void
put_partition(struct snapshot *s, const char *name, int first, int size)
{
	struct partition p = make_partition(name, first, size);
	int i;

	p.allocation = placement_allocation(&s->pod, &p.placement);
	for (i = first; i < first + size; i++)
		s->owner[i] = s->partition_count;
	s->partitions[s->partition_count++] = p;
}

/* IPUs 0-7 are a, 8-15 b, 16-27 c, 28-31 nobody's. */
static void
make_snapshot(struct snapshot *s)
{
	struct error e = { .text = "" };
	int i;

	memset(s, 0, sizeof(*s));
	is_int(pod_file_parse(&s->pod, "lab", lab, &e), 0, "a pod");
	if (e.text[0] != '\0')
		is_str(e.text, "", "a pod");
	s->partitions = calloc(8, sizeof(*s->partitions));
	s->owner = calloc(32, sizeof(*s->owner));
	for (i = 0; i < 32; i++)
		s->owner[i] = OWNER_FREE;
	put_partition(s, "pa", 0, 4);
	put_partition(s, "pb", 8, 2);
	put_partition(s, "pc", 16, 8);
	put_partition(s, "pn", 28, 1);
}

/* "pa pc; a c; 0000....": partitions, allocations, IPUs as the user sees. */
static void
describe(const struct snapshot *s, char *text, size_t size)
{
	FILE *f = fmemopen(text, size, "w");
	int i;

	for (i = 0; i < s->partition_count; i++)
		fprintf(f, "%s:%s ", s->partitions[i].name,
		    s->pod.allocations[s->partitions[i].allocation].name);
	fprintf(f, ";");
	for (i = 0; i < s->pod.allocation_count; i++)
		fprintf(f, " %s", s->pod.allocations[i].name);
	fprintf(f, "; ");
	for (i = 0; i < 32; i++)
		fprintf(f, "%c",
		    s->owner[i] == OWNER_FREE ? '.' :
			s->owner[i] == OWNER_UNSEEN ?
						'#' :
						(char)('0' + s->owner[i]));
	fprintf(f, "; ");
	for (i = 0; i < s->pod.agent_count; i++)
		fprintf(f, "%s",
		    s->pod.agents[i].allocation == -1 ?
			"-" :
			s->pod.allocations[s->pod.agents[i].allocation].name);
	(void)fclose(f);
}

static void
test_filter(void)
{
	static const struct {
		const char *allocations, *wanted;
	} rows[] = {
		{ "a,b,c",
		    "pa:a pb:b pc:c ; a b c; 0000....11......22222222....####; "
		    "aabbccc-" },
		{ "a", "pa:a ; a; 0000....########################; aa------" },
		{ "c,a",
		    "pa:a pc:c ; c a; 0000....########11111111....####; "
		    "aa--ccc-" },
		{ "b,gone",
		    "pb:b ; b; ########00......################; --bb----" },
		{ "", ";; ################################; --------" },
		{ "gone", ";; ################################; --------" },
	};
	struct snapshot s;
	struct user u;
	char got[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(&u, 0, sizeof(u));
		(void)user_set_allocations(&u, rows[i].allocations, NULL);
		make_snapshot(&s);
		access_filter(&s, &u);
		describe(&s, got, sizeof(got));
		is_str(got, rows[i].wanted, rows[i].allocations);
		snapshot_release(&s);
	}
}

/* What others have is not told, but that it is there. */
static void
test_machines(void)
{
	struct snapshot s;
	struct user u;
	struct agent *a;
	int i, hidden = 0;

	memset(&u, 0, sizeof(u));
	(void)user_set_allocations(&u, "b", NULL);
	make_snapshot(&s);
	s.pod.agents[0].state = MACHINE_DOWN;
	s.damaged = 1;
	(void)strlcpy(s.damage, "pa: line 3", sizeof(s.damage));
	access_filter(&s, &u);
	for (i = 0; i < s.pod.agent_count; i++) {
		a = &s.pod.agents[i];
		hidden += strncmp(a->name, "unseen-", 7) == 0 &&
		    a->host[0] == '\0' && a->address[0] == '\0' &&
		    a->serial == 0 && a->state == MACHINE_UP;
	}
	is_int(hidden, 6, "machines of others");
	ok(s.damaged == 0 && s.damage[0] == '\0', "whose file is damaged");
	is_str(s.pod.agents[2].name, "ag02", "a machine of the user");
	is_str(s.pod.agents[2].address, "10.1.5.3", "and its address");
	snapshot_release(&s);
}

static void
test_choose(void)
{
	static const struct {
		const char *allocations, *asked;
		int size, index;
		const char *wanted; /* the first IPU, or why not */
	} rows[] = {
		{ "a,b", "", 4, -1, "4" },
		{ "b,a", "", 4, -1, "12" },
		{ "b,a", "", 8, -1,
		    "size 8: no aligned group of that size is free; 10 IPUs "
		    "are free, and the largest size that would fit now is 4" },
		{ "b,a", "a", 4, -1, "4" },
		{ "b,a", "c", 4, -1, "allocation c: does not exist" },
		{ "b,a", "", 4, 0, "4" },
		{ "b,a", "", 4, 1, "12" },
		{ "b,a", "", 4, 2,
		    "index 2: cluster cl0 has 2 free placements of size 4 "
		    "(--options lists them)" },
		{ "", "", 1, -1,
		    "user u has no allocation; vipu-admin update user u "
		    "--add-allocations NAME adds one" },
		{ "gone", "", 1, -1,
		    "user u has no allocation; vipu-admin update user u "
		    "--add-allocations NAME adds one" },
	};
	struct partition_request r;
	struct placement place;
	struct snapshot s;
	struct error e;
	struct user u;
	char got[sizeof(e.text)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(&u, 0, sizeof(u));
		memcpy(u.name, "u", 2);
		(void)user_set_allocations(&u, rows[i].allocations, NULL);
		make_snapshot(&s);
		access_filter(&s, &u);
		request_init(&r);
		memcpy(r.name, "new", 4);
		r.size = rows[i].size;
		r.index = rows[i].index;
		(void)snprintf(r.allocation, sizeof(r.allocation), "%s",
		    rows[i].asked);
		if (r.index != -1)
			memcpy(r.cluster, "cl0", 4);
		(void)request_check(&r, NULL);
		if (access_choose(&s, u.name, &r, &place, &e) != 0)
			(void)snprintf(got, sizeof(got), "%s", e.text);
		else
			(void)snprintf(got, sizeof(got), "%d",
			    placement_ipu(&s.pod, &place, 0));
		is_str(got, rows[i].wanted, rows[i].allocations);
		snapshot_release(&s);
	}
}

static void
put_file(const char *path, const char *text, mode_t mode)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	(void)fclose(f);
	(void)chmod(path, mode);
}

/* The value and where it is from, as "VALUE of ORIGIN", or the refusal. */
static void
is_config(const struct config_options *o, int key, const char *wanted,
    const char *name)
{
	struct config c;
	struct error e;
	char got[sizeof(e.text)];

	if (config_read(&c, o, &e) != 0)
		(void)snprintf(got, sizeof(got), "%s", e.text);
	else
		(void)snprintf(got, sizeof(got), "%s of %s", c.values[key],
		    c.origins[key]);
	is_str(got, wanted, name);
}

static void
test_precedence(void)
{
	struct config_options o = { .file = NULL };
	char wanted[256];

	put_file("c.hcl", "\napi-host = \"file\"\napi-port = 70000\n", 0644);
	is_config(&o, CONFIG_API_HOST, " of ", "nothing is said");
	(void)setenv("VIPU_CLI_CONFIG", "none.hcl", 1);
	is_config(&o, CONFIG_API_HOST,
	    "cannot open none.hcl: No such file or directory",
	    "a file that is named must be there");
	(void)setenv("VIPU_CLI_CONFIG", "c.hcl", 1);
	is_config(&o, CONFIG_API_HOST,
	    "c.hcl:3 '70000': too large, must be 1 to 65535",
	    "a port that is none");
	o.values[CONFIG_API_PORT] = "8090";
	is_config(&o, CONFIG_API_HOST, "file of c.hcl:2", "a file");
	is_config(&o, CONFIG_API_PORT, "8090 of --api-port",
	    "an option before a file");
	(void)setenv("VIPU_CLI_API_HOST", "variable", 1);
	is_config(&o, CONFIG_API_HOST, "variable of VIPU_CLI_API_HOST",
	    "a variable before a file");
	o.values[CONFIG_API_HOST] = "option";
	is_config(&o, CONFIG_API_HOST, "option of --api-host",
	    "an option before a variable");
	o.values[CONFIG_API_HOST] = NULL;
	(void)setenv("VIPU_CLI_API_HOST", "", 1);
	put_file("d.hcl", "api-host = \"d\"", 0644);
	o.file = "d.hcl";
	is_config(&o, CONFIG_API_HOST, "d of d.hcl:1",
	    "an empty variable says nothing; --config comes first");
	(void)unsetenv("VIPU_CLI_API_HOST");
	(void)unsetenv("VIPU_CLI_CONFIG");
	o.file = NULL;
	put_file(".vipu-cli.hcl", "ipuof-config-location=\"/tmp\"", 0644);
	(void)snprintf(wanted, sizeof(wanted), "/tmp of %s/.vipu-cli.hcl:1",
	    getenv("HOME"));
	is_config(&o, CONFIG_IPUOF_LOCATION, wanted, "the file at home");
	put_file(".vipu-cli.hcl", "ipuof-config-location=\"here\"", 0644);
	(void)snprintf(wanted, sizeof(wanted),
	    "%s/.vipu-cli.hcl:1: ipuof-config-location 'here': must begin with "
	    "'/'",
	    getenv("HOME"));
	is_config(&o, CONFIG_IPUOF_LOCATION, wanted,
	    "a folder in a file is absolute");
	(void)unlink(".vipu-cli.hcl");
}

static void
test_files(void)
{
	static const struct {
		const char *text;
		mode_t mode;
		const char *wanted;
	} rows[] = {
		{ "api-access-key = \"k\"", 0600, "k of k.hcl:1" },
		{ "api-access-key = \"k\"", 0400, "k of k.hcl:1" },
		{ "api-access-key = \"k\"", 0640,
		    "k.hcl holds an access key, so only its owner may have "
		    "access to the file; run chmod 600 k.hcl" },
		{ "api-access-key = \"k\"", 0604,
		    "k.hcl holds an access key, so only its owner may have "
		    "access to the file; run chmod 600 k.hcl" },
		{ "api-access-key = \"\"", 0644, " of " },
		{ "api-key = \"k\"", 0600, "k.hcl:1: unknown key 'api-key'" },
	};
	struct config_options o = { .file = "k.hcl" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		put_file("k.hcl", rows[i].text, rows[i].mode);
		is_config(&o, CONFIG_ACCESS_KEY, rows[i].wanted, rows[i].text);
		(void)unlink("k.hcl");
	}
}

/* A user with the key "key" in the state. */
static void
put_user(const char *name, const char *allocations)
{
	struct state s;
	struct user u;
	struct error e = { .text = "" };

	memset(&u, 0, sizeof(u));
	(void)snprintf(u.name, sizeof(u.name), "%s", name);
	(void)user_set_allocations(&u, allocations, NULL);
	secret_hash("key", u.hash);
	if (state_open(&s, &e) != 0 || state_lock(&s, &e) != 0 ||
	    user_store_put(&s, &u, &e) != 0)
		is_str(e.text, "", "a user is put");
	state_close(&s);
}

static void
init(bool secure)
{
	struct user u = { .name = "boss" };
	struct error e = { .text = "" };
	struct pod pod;

	secret_hash("boss", u.hash);
	if (pod_file_parse(&pod, "lab", lab, &e) != 0 ||
	    (secure ? new_pod_init(&test_paths, &pod,
			  &(struct new_pod){ .force = true,
			      .mode = NEW_POD_SECURE,
			      .user = &u },
			  &e) :
		      new_pod_init(&test_paths, &pod,
			  &(struct new_pod){ .force = true,
			      .mode = NEW_POD_OPEN },
			  &e)) != 0)
		is_str(e.text, "", "a new pod");
	pod_release(&pod);
}

/* Whether the caller is let in: how many allocations it sees, or why not. */
static void
is_login(const struct caller *caller, const char *wanted, const char *name)
{
	struct controller *c;
	struct snapshot s;
	struct error e = { .text = "" };
	char got[sizeof(e.text)];

	c = embedded_controller_open(caller, &e);
	if (c != NULL && transaction_list(c, &s, &e) == 0) {
		(void)snprintf(got, sizeof(got), "%d", s.pod.allocation_count);
		snapshot_release(&s);
	} else {
		/* Without the second line, which says where the state is. */
		(void)snprintf(got, sizeof(got), "%.*s",
		    (int)strcspn(e.text, "\n"), e.text);
	}
	controller_close(c);
	is_str(got, wanted, name);
}

static void
test_login(bool secure)
{
	static const char wrong[] =
	    "user alice is unknown, or this is not its access key";
	static const char nobody[] =
	    "the pod is in secure mode, and no user is named; name the user's "
	    "file NAME.vipu-cli.hcl with --config or VIPU_CLI_CONFIG";
	struct caller c = { .user = "" };

	use_state(secure ? "secure" : "open");
	init(secure);
	is_login(&c, secure ? nobody : "3", "nobody");
	memcpy(c.user, "alice", 6);
	is_login(&c,
	    "user alice needs an access key; name the file alice.vipu-cli.hcl "
	    "with --config or VIPU_CLI_CONFIG",
	    "no key");
	memcpy(c.key, "key", 4);
	is_login(&c, wrong, "nobody of that name");
	put_user("alice", "a,c");
	is_login(&c, "2", "the right key");
	memcpy(c.key, "kez", 4);
	is_login(&c, wrong, "a wrong key");
	c.admin = true;
	is_login(&c, "3", "the administrator needs none");
	init(secure);
	c.admin = false;
	memcpy(c.key, "key", 4);
	is_login(&c, "2", "a new pod keeps the users");
}

/* A controller stays open while its user loses the right to it. */
static void
test_removed(void)
{
	struct caller caller = { .user = "alice", .key = "key" };
	struct controller *c;
	struct snapshot s;
	struct error e = { .text = "" };
	struct state st;

	use_state("removed");
	init(false);
	put_user("alice", "a");
	c = embedded_controller_open(&caller, &e);
	ok(c != NULL, "a user is let in");
	if (c == NULL)
		return;
	is_int(transaction_list(c, &s, &e), 0, "and sees");
	snapshot_release(&s);
	put_user("alice", "a,b");
	is_int(transaction_list(c, &s, &e), -1, "another key ends that");
	is_str(e.text, "user alice was removed or has another access key now",
	    "and it is told");
	is_int(state_open(&st, &e), 0, "somebody else");
	is_int(state_lock(&st, &e), 0, "locks");
	is_int(user_store_remove(&st, "alice", &e), 0, "and removes it");
	state_close(&st);
	is_int(transaction_list(c, &s, &e), -1, "which ends it as well");
	controller_close(c);
}

/* Open the pod as the user, and try a change: "done", or the refusal. */
static void
is_change(const char *user, bool admin, const char *change, const char *wanted)
{
	struct caller caller = { .key = "key", .admin = admin };
	struct controller *c;
	struct error e = { .text = "" };
	int status = -1;

	(void)strlcpy(caller.user, user, sizeof(caller.user));
	c = embedded_controller_open(&caller, &e);
	if (c != NULL && strcmp(change, "reset") == 0)
		status = reset_partition(c, "p", false, false, NULL, &e);
	else if (c != NULL)
		status = remove_partition(c, "p", true, NULL, &e);
	controller_close(c);
	is_str(status == 0 ? "done" : e.text, wanted, change);
}

/* Create p as that user, and see what is recorded. */
static void
create_as(const char *user)
{
	struct caller caller = { .key = "key", .admin = user[0] == '\0' };
	struct controller *c;
	struct partition p = { .user = "?" };
	struct partition_request r;
	struct error e = { .text = "" };

	(void)strlcpy(caller.user, user, sizeof(caller.user));
	request_init(&r);
	(void)strlcpy(r.name, "p", sizeof(r.name));
	(void)strlcpy(r.allocation, "a", sizeof(r.allocation));
	r.size = 1;
	r.relocatable = true;
	c = embedded_controller_open(&caller, &e);
	if (c == NULL || create_partition(c, &r, &p, &e) != 0)
		is_str(e.text, "", "a partition");
	controller_close(c);
	is_str(p.user, user, "its user is recorded");
}

/* Users of one allocation see each other's partitions, and do not change
   them. */
static void
test_changes(bool secure)
{
	static const char refused[] =
	    "partition p belongs to user alice; only alice and the "
	    "administrator may change it, unless share-partitions of "
	    "ipubox.conf(5) is set";

	use_state(secure ? "changes-secure" : "changes");
	init(secure);
	put_user("alice", "a");
	put_user("bob", "b,a");
	create_as("alice");
	is_change("bob", false, "remove", refused);
	is_change("bob", false, "reset", refused);
	is_change("alice", false, "reset", "done");
	is_change("alice", false, "remove", "done");
	create_as("alice");
	is_change("", true, "remove", "done");
	create_as("");
	is_change("bob", false, "remove", "done");
}

int
main(void)
{
	const char *directory = tap_directory();

	if (chdir(directory) != 0) {
		perror(directory);
		return 1;
	}
	(void)setenv("HOME", directory, 1);
	test_lists();
	test_key();
	test_filter();
	test_machines();
	test_choose();
	test_files();
	test_precedence();
	test_login(false);
	test_login(true);
	test_removed();
	test_changes(false);
	test_changes(true);
	(void)unlink("c.hcl");
	(void)unlink("d.hcl");
	(void)chdir("/");
	return state_util_done();
}
