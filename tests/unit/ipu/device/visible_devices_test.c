/* Which partition a program sees: environment, file, directory. */
#include "ipu/device/device.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static struct registry registry;
static char home[300];

static void
write_file(const char *name, const char *text)
{
	char path[640];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/.ipuof.conf.d/%s", home, name);
	f = fopen(path, "w");
	if (f == NULL || fputs(text, f) == EOF || fclose(f) != 0)
		abort();
}

/* The view of a partition that was named. */
static int
open_partition(struct visible_devices *v, const char *partition, int gcd,
    struct error *e)
{
	struct visible_name name = { .reference = { .gcd = gcd } };

	(void)strlcpy(name.reference.partition, partition,
	    sizeof(name.reference.partition));
	return visible_devices_open_name(v, &registry, &name, e);
}

/* The file of one GCD, as the controller writes it. */
static void
write_config(const char *name, const char *partition, int gcd)
{
	struct visible_devices v;
	struct error e;
	char *text;

	if (open_partition(&v, partition, -1, &e) != 0)
		abort();
	text = ipuof_text(&v.snapshot.pod, v.partition, gcd, versions_at(0));
	write_file(name, text);
	free(text);
	visible_devices_release(&v);
}

static void
remove_file(const char *name)
{
	char path[640];

	(void)snprintf(path, sizeof(path), "%s/.ipuof.conf.d/%s", home, name);
	(void)unlink(path);
}

static void
clear_environment(void)
{
	(void)unsetenv("IPUOF_VIPU_API_HOST");
	(void)unsetenv("IPUOF_VIPU_API_PORT");
	(void)unsetenv("IPUOF_VIPU_API_PARTITION_ID");
	(void)unsetenv("IPUOF_VIPU_API_GCD_ID");
	(void)unsetenv("IPUOF_CONFIG_PATH");
}

static void
prepare(void)
{
	struct partition one = make_partition("one", 0, 4);
	struct partition two = make_partition("two", 4, 4);
	struct state s;
	struct error e;
	char path[640];

	use_state("view");
	(void)snprintf(home, sizeof(home), "%s.home", test_paths.directory);
	(void)snprintf(path, sizeof(path), "%s/.ipuof.conf.d", home);
	(void)mkdir(home, 0700);
	(void)mkdir(path, 0700);
	(void)setenv("HOME", home, 1);
	clear_environment();
	two.num_gcds = two.num_replicas = 2;
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_add_partition(&s, &one, &e) == 0 &&
		state_add_partition(&s, &two, &e) == 0,
	    "two partitions");
	state_unlock(&s);
	state_close(&s);
	is_int(state_open_reader(&registry, &e), 0, "the registry");
}

/* "one", "two gcd 1", "-" or the error, and what was ignored. */
static const char *
look(void)
{
	static char text[2048];
	struct visible_devices v;
	struct error e;

	if (visible_devices_open(&v, &registry, &e) != 0) {
		/* Without the second line, which says where the state is. */
		(void)snprintf(text, sizeof(text), "error: %.*s",
		    (int)strcspn(e.text, "\n"), e.text);
		return text;
	}
	(void)snprintf(text, sizeof(text), "%s",
	    v.partition != NULL ? v.partition->name : "-");
	if (v.gcd >= 0)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
		    " gcd %d", v.gcd);
	if (v.warning[0] != '\0')
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
		    " (%s)", v.warning);
	visible_devices_release(&v);
	return text;
}

/* Whether the text holds all of `part`. */
static void
looks_like(const char *part, const char *name)
{
	const char *text = look();

	if (!ok(strstr(text, part) != NULL, name))
		printf("# got    %s\n# wanted %s\n", text, part);
}

static void
test_environment(void)
{
	static const struct {
		const char *partition, *gcd, *host, *wanted;
	} rows[] = {
		{ "one", NULL, NULL, "one" },
		{ "one", "0", NULL, "one" }, /* all of a single GCD */
		{ "two", NULL, NULL, "two" },
		{ "two", "1", "local", "two gcd 1" },
		{ "two", "0", "local", "two gcd 0" },
		{ "two", "", "", "two" }, /* empty is not set */
		{ "two", "2", NULL,
		    "error: partition two has no GCD 2 (from "
		    "IPUOF_VIPU_API_PARTITION_ID); it has 2, numbered from 0" },
		{ "two", "x", NULL,
		    "error: IPUOF_VIPU_API_GCD_ID 'x': not a whole number" },
		{ "six", NULL, NULL,
		    "error: partition six (from IPUOF_VIPU_API_PARTITION_ID) "
		    "does not exist; `vipu list partitions` shows those that "
		    "exist, `vipu create partition six --size N` creates it" },
		/* Another port is another server's. */
		{ "one", NULL, "127.0.0.1",
		    "error: unable to connect to VIRM/V-IPU Controller at "
		    "127.0.0.1:1: context deadline exceeded" },
		{ "one", NULL, "a b",
		    "error: IPUOF_VIPU_API_HOST: 'a b' is not a valid host "
		    "name or address" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		clear_environment();
		(void)setenv("IPUOF_VIPU_API_PARTITION_ID", rows[i].partition,
		    1);
		if (rows[i].gcd != NULL)
			(void)setenv("IPUOF_VIPU_API_GCD_ID", rows[i].gcd, 1);
		if (rows[i].host != NULL)
			(void)setenv("IPUOF_VIPU_API_HOST", rows[i].host, 1);
		(void)setenv("IPUOF_VIPU_API_PORT", "1", 1);
		is_str(look(), rows[i].wanted, "by name");
	}
	clear_environment();
}

static void
test_directory(void)
{
	if (access("/etc/ipuof.conf.d", F_OK) == 0)
		tap_skip("nothing names one", "/etc/ipuof.conf.d is there");
	else
		is_str(look(), "-", "nothing names one");
	write_config("any.name", "one", 0);
	is_str(look(), "one", "the one file, whatever its name");
	write_file(".hidden", "no JSON");
	is_str(look(), "one", "hidden files do not count");
	(void)setenv("IPUOF_VIPU_API_GCD_ID", "0", 1);
	is_str(look(), "one", "GCD 0 of one is all of it");
	clear_environment();
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "two", 1);
	is_str(look(), "two", "the name goes before the file");
	clear_environment();

	write_config("two_gcd1.conf", "two", 1);
	looks_like("ignored; it must contain only the files of one partition: ",
	    "files of two partitions: ignored, with a warning");
	remove_file("any.name");
	is_str(look(), "two gcd 1", "one GCD's file shows that GCD");
	write_config("two_gcd0.conf", "two", 0);
	is_str(look(), "two", "the files of both show the whole partition");
	(void)setenv("IPUOF_VIPU_API_GCD_ID", "1", 1);
	is_str(look(), "two gcd 1", "unless one is asked for");
	clear_environment();
	write_file("broken", "{");
	looks_like("ignored", "a file that is none makes three");
	remove_file("two_gcd0.conf");
	remove_file("two_gcd1.conf");
	looks_like("error: ", "alone it is an error");
	looks_like("/.ipuof.conf.d/broken", "that names the file");
	remove_file("broken");
}

static void
test_path(void)
{
	char path[640];

	write_config("one.conf", "one", 0);
	write_config("two_gcd0.conf", "two", 0);
	(void)snprintf(path, sizeof(path), "%s/.ipuof.conf.d/two_gcd0.conf",
	    home);
	(void)setenv("IPUOF_CONFIG_PATH", path, 1);
	is_str(look(), "two gcd 0", "IPUOF_CONFIG_PATH");
	(void)setenv("IPUOF_CONFIG_PATH", "/nonexistent", 1);
	is_str(look(),
	    "error: IPUOF_CONFIG_PATH: cannot open /nonexistent: No such file "
	    "or directory",
	    "a file that is not there");
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "one", 1);
	is_str(look(), "one", "the name goes before the path as well");
	clear_environment();
	remove_file("one.conf");
	remove_file("two_gcd0.conf");
}

/* A file outlives its partition when that was removed elsewhere. */
static void
test_stale(void)
{
	struct state s;
	struct error e;

	write_config("one.conf", "one", 0);
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_remove_partition(&s, "one", &e) == 0,
	    "removed");
	state_unlock(&s);
	state_close(&s);
	looks_like("error: partition one (from ", "a stale file");
	looks_like("/.ipuof.conf.d/one.conf)", "is named");
}

static void
test_by_name(void)
{
	struct visible_devices v;
	struct error e;

	is_int(open_partition(&v, "two", 1, &e), 0, "two");
	is_str(v.partition->name, "two", "its name");
	is_int(v.gcd, 1, "its GCD");
	visible_devices_release(&v);
	is_int(open_partition(&v, "two", 2, &e), -1, "no GCD");
	is_int(open_partition(&v, "no", -1, &e), -1, "no name");
}

/* Who shows all partitions needs none to be active. */
static void
test_all(void)
{
	static const struct {
		const char *partition, *path, *warning;
	} rows[] = {
		{ "two", NULL, "" },
		{ "six", NULL,
		    "no partition is active: partition six (from "
		    "IPUOF_VIPU_API_PARTITION_ID) does not exist; `vipu list "
		    "partitions` shows those that exist, `vipu create "
		    "partition six --size N` creates it" },
		{ NULL, "/nonexistent",
		    "no partition is active: IPUOF_CONFIG_PATH: cannot open "
		    "/nonexistent: No such file or directory" },
	};
	struct visible_devices v;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].partition != NULL)
			(void)setenv("IPUOF_VIPU_API_PARTITION_ID",
			    rows[i].partition, 1);
		if (rows[i].path != NULL)
			(void)setenv("IPUOF_CONFIG_PATH", rows[i].path, 1);
		is_int(visible_devices_open_all(&v, &registry, &e), 0, "all");
		is_str(v.warning, rows[i].warning, "and its warning");
		is_int(v.snapshot.partition_count, 1, "the partitions");
		is_int(v.partition != NULL, i == 0, "the active one");
		visible_devices_release(&v);
		clear_environment();
	}
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int
main(void)
{
	prepare();
	test_environment();
	test_directory();
	test_path();
	test_stale();
	test_by_name();
	test_all();
	registry_close(&registry);
	(void)nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return state_util_done();
}
