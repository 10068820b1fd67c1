/*
 * What is acknowledged is on the disk: a file is renamed only when it was
 * flushed, pod.ini only when everything else was, and when a change is
 * acknowledged nothing is left to flush.  See disk_wrap.h first.
 */
#include <sys/stat.h>

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/control/control.h"
#include "core/control/queue.h"
#include "core/pod/document/document.h"
#include "core/state/state.h"
#include "ipu/nn/nn.h"
#include "tests/unit/core/base/disk_wrap.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"
#include "tests/unit/tutorial.h"

#define REPLACED(directory, name) \
	"create " directory "." name ".tmp,write " directory "." name ".tmp," \
	"fsync " directory "." name ".tmp,rename " directory name ",fsync "

static void
test_files(const char *home)
{
	struct error e;
	char *path = xasprintf("%s/secret", home);
	char *deep = xasprintf("%s/x/y", home);

	watch(home);
	must(file_replace(home, "a", "text", 4, &e), &e);
	is_durable_by(REPLACED("", "a"), "a file");
	watch(home);
	must(file_replace(home, "a", "more", 4, &e), &e);
	is_durable_by(REPLACED("", "a"), "a file in place of another");
	watch(home);
	must(file_remove(directory_at(home), "a", &e), &e);
	is_durable_by("unlink a,fsync ", "a file removed");
	watch(home);
	must(file_create(path, "key", 3, &e), &e);
	is_durable_by("create secret,write secret,fsync secret,fsync ",
	    "a secret");
	watch(home);
	must(make_directory(deep, &e), &e);
	is_durable_by("mkdir x,fsync ,mkdir x/y,fsync x", "two directories");
	watch(home);
	must(file_write(directory_at(deep), "f", "1", 1, &e), &e);
	must(file_write(directory_at(deep), "g", "2", 1, &e), &e);
	must(directory_sync_all(directory_at(deep), &e), &e);
	is_durable_by("create x/y/f,write x/y/f,create x/y/g,write x/y/g,fsync "
		      "x/y/f,fsync x/y/g,fsync x/y",
	    "the files of a directory");
	free(deep);
	free(path);
}

static void
test_first_use(const char *name)
{
	struct error e;
	struct state s;
	char *above;

	use_state(name);
	above = path_directory_name(test_paths.directory);
	watch(above);
	must(state_open(&s, &e), &e);
	is_durable("the first use");
	state_close(&s);
	/* Its files, directories and pod.ini twice, each once. */
	ok(watched_syncs() > 16 + 2 + 6, "it flushes file by file");
	is_int(watched_file_system_syncs(), 0, "and not the file system");
	free(above);
}

static struct state
locked_state(void)
{
	struct error e;
	struct state s;

	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	return s;
}

static void
test_partitions(void)
{
	struct state s = locked_state();
	struct partition p = make_partition("p", 0, 4);
	struct registry r;
	struct snapshot snap;
	struct agent a;
	struct error e;

	watch(test_paths.directory);
	must(state_add_partition(&s, &p, &e), &e);
	is_durable_by(REPLACED("partitions/", "p.ini") "partitions",
	    "a partition");
	watch(test_paths.directory);
	p.moves = 1;
	must(state_update_partition(&s, &p, &e), &e);
	is_durable_by(REPLACED("partitions/", "p.ini") "partitions",
	    "a partition changed");
	watch(test_paths.directory);
	must(state_remove_partition(&s, "p", &e), &e);
	is_durable_by("unlink partitions/p.ini,fsync partitions",
	    "a partition removed");
	must(state_open_reader(&r, &e), &e);
	must(snapshot_take(&r, &snap, &e), &e);
	a = snap.pod.agents[2];
	snapshot_release(&snap);
	registry_close(&r);
	a.state = MACHINE_DOWN;
	watch(test_paths.directory);
	must(state_update_agent(&s, 2, &a, &e), &e);
	is_durable_by(REPLACED("agents/", "cl0:ag03.ini") "agents",
	    "a machine that fails");
	state_close(&s);
}

/* So many machines more. */
static void
grow(int count)
{
	struct state s = locked_state();
	struct snapshot snap;
	struct inventory in;
	struct agent *a;
	struct error e;
	int i;

	must(snapshot_take(&s.registry, &snap, &e), &e);
	snapshot_own(&snap);
	i = snap.pod.agent_count;
	snap.pod.agents = xreallocarray(snap.pod.agents, (size_t)(i + count),
	    sizeof(*a));
	for (; i < snap.pod.agent_count + count; i++) {
		a = &snap.pod.agents[i];
		*a = snap.pod.agents[0];
		a->cluster = a->allocation = -1;
		(void)snprintf(a->name, sizeof(a->name), "new%d", i);
		(void)snprintf(a->address, sizeof(a->address), "10.2.%d.%d",
		    i / 200, i % 200 + 1);
	}
	snap.pod.agent_count = i;
	in = (struct inventory){ &snap.pod, snap.partitions,
		snap.partition_count };
	watch(test_paths.directory);
	must(new_pod_replace(&s, &in, &e), &e);
	snap.partitions = in.partitions;
	snapshot_release(&snap);
	state_close(&s);
}

static void
test_pods(void)
{
	struct user u = { .name = "admin" };
	struct error e;
	struct pod pod;
	char *left = xasprintf("%s/new", test_paths.directory);

	add_partition("kept", 0, 4);
	grow(1);
	is_durable("a pod that changes");
	is_int(watched_file_system_syncs(), 0, "file by file");
	grow(300);
	is_durable("a pod with more files than are flushed one by one");
	is_int(watched_file_system_syncs(), 1,
	    "by one flush of the file system");
	/* As an attempt that was killed leaves it. */
	watch(test_paths.directory);
	(void)mkdir(left, 0700);
	must(pod_file_parse(&pod, "pod16", pod_embedded("pod16"), &e), &e);
	(void)strlcpy(u.hash, "$pbkdf2-sha512$1$ab$cd", sizeof(u.hash));
	must(new_pod_init(&test_paths, &pod,
		 &(struct new_pod){ .force = true,
		     .mode = NEW_POD_SECURE,
		     .user = &u },
		 &e),
	    &e);
	is_durable("a new pod with a user");
	watch(test_paths.directory);
	must(new_pod_init(&test_paths, &pod,
		 &(struct new_pod){ .force = true, .mode = NEW_POD_OPEN }, &e),
	    &e);
	is_durable("a new pod");
	free(left);
	pod_release(&pod);
}

static void
test_users(void)
{
	struct user u = { .name = "bob", .hash = "$pbkdf2-sha512$1$ab$cd" };
	struct state s = locked_state();
	struct error e;
	char *users = xasprintf("%s/users", test_paths.directory);

	watch(test_paths.directory);
	must(user_store_put(&s, &u, &e), &e);
	is_durable_by(REPLACED("users/", "bob.ini") "users", "a user");
	watch(test_paths.directory);
	must(user_store_remove(&s, "bob", &e), &e);
	is_durable_by("unlink users/bob.ini,fsync users", "a user removed");
	/* As the state of an ipubox that knew no users. */
	must(directory_remove_below(directory_at(test_paths.directory), "users",
		 &e),
	    &e);
	watch(test_paths.directory);
	must(user_store_put(&s, &u, &e), &e);
	is_durable_by("mkdir users,fsync ," REPLACED("users/",
			  "bob.ini") "users",
	    "the first user");
	state_close(&s);
	free(users);
}

static struct partition_request
request(const char *name, const char *directory)
{
	struct partition_request r;

	request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	(void)strlcpy(r.ipuof_directory, directory, sizeof(r.ipuof_directory));
	r.size = 4;
	return r;
}

/* A ticket counts while its holder lives, so only its end is flushed. */
static void
test_tickets(void)
{
	struct partition_request r = request("p", "");
	struct ticket t;
	struct error e;

	must(ticket_take(directory_at(test_paths.directory), NULL, 0, &r, "",
		 &t, &e),
	    &e);
	must(ticket_drop(directory_at(test_paths.directory), &t, &e), &e);
	watch(test_paths.directory);
	must(ticket_take(directory_at(test_paths.directory), NULL, 0, &r, "",
		 &t, &e),
	    &e);
	is_durable_by(
	    "create waiting/0000000001.ini,write waiting/0000000001.ini",
	    "a ticket");
	watch(test_paths.directory);
	must(ticket_drop(directory_at(test_paths.directory), &t, &e), &e);
	ok(strstr(watched_steps(), "fsync waiting") != NULL,
	    "a ticket given back");
	is_durable("and gone");
}

/* Two GCDs, so two files; in a directory that is made for them. */
static void
test_ipuof(const char *home)
{
	char *directory = xasprintf("%s/f", home);
	struct partition_request r = request("p", directory);
	struct controller *c;
	struct error e;

	r.num_gcds = 2;
	if ((c = embedded_controller_open(NULL, &e)) == NULL)
		must(-1, &e);
	watch(home);
	must(create_partition(c, &r, NULL, &e), &e);
	is_durable_by("mkdir f,fsync ,create f/.p_gcd0.conf.tmp,write "
		      "f/.p_gcd0.conf.tmp,fsync f/.p_gcd0.conf.tmp,rename "
		      "f/p_gcd0.conf,create f/.p_gcd1.conf.tmp,write "
		      "f/.p_gcd1.conf.tmp,fsync f/.p_gcd1.conf.tmp,rename "
		      "f/p_gcd1.conf,fsync f",
	    "the IPUoF files of a partition");
	watch(home);
	must(remove_partition(c, "p", false, NULL, &e), &e);
	is_durable_by("unlink f/p_gcd0.conf,unlink f/p_gcd1.conf,fsync f",
	    "and without it");
	controller_close(c);
	free(directory);
}

static void
test_checkpoint(const char *home)
{
	struct checkpoint_run run;
	struct checkpoint c;
	struct model model;
	struct error e;
	char *path = xasprintf("%s/run.ck", home);

	model_tutorial(&model);
	run = (struct checkpoint_run){ .model = &model,
		.optimiser = optimiser_defaults(OPTIMISER_SGD, 0.1) };
	checkpoint_init(&c, &run);
	watch(home);
	must(checkpoint_save(&c, &run, path, &e), &e);
	is_durable_by(REPLACED("", "run.ck"), "a check-point");
	checkpoint_release(&c);
	free(path);
}

int
main(void)
{
	struct error e;
	char *home;

	(void)alarm(120);
	use_state("home");
	home = xstrdup(test_paths.directory);
	must(make_directory(home, &e), &e);
	test_files(home);
	test_first_use("durable");
	test_partitions();
	test_pods();
	test_users();
	test_tickets();
	test_ipuof(home);
	test_checkpoint(home);
	free(home);
	return state_util_done();
}
