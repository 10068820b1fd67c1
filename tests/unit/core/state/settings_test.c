/*
 * ipubox.conf: tests/golden/settings, where NAME.ok says what NAME.ini sets and
 * NAME.err why it is refused; which files are read; and whose they may be.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/state/state.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/tap.h"

enum { TEXT_MAX = 1 << 16, NOBODY = 65534, SOMEBODY = 64123 };

static char root[256]; /* the directory of the test */

static void
must(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

/* Set the variable to a path below the directory. */
static void
set_below(const char *variable, const char *name)
{
	char *path = xasprintf("%s/%s", root, name);

	(void)setenv(variable, path, 1);
	free(path);
}

/* A file with the text, mode 0644, its owner the caller. */
static void
put(const char *path, const char *text)
{
	FILE *f;

	(void)unlink(path);
	f = fopen(path, "w");
	must(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0, path);
	must(chmod(path, 0644) == 0, path);
}

/* What is set, as the golden files have it, or the refusal. */
static char *
load(void)
{
	struct file_settings s;
	struct error e = { .text = "" };
	struct memstream m;
	int i;

	if (settings_load(&s, &e) != 0)
		return xasprintf("%s\n", e.text);
	(void)memstream_open(&m);
	if (s.state_directory[0] == '\0')
		fprintf(m.file, "state_directory:\n");
	else
		fprintf(m.file, "state_directory: %s (%s)\n", s.state_directory,
		    s.origins[SETTINGS_STATE_DIRECTORY]);
	if (s.origins[SETTINGS_EMULATE_HOSTS][0] != '\0')
		fprintf(m.file, "emulate_hosts: %s (%s)\n",
		    s.emulate_hosts ? "yes" : "no",
		    s.origins[SETTINGS_EMULATE_HOSTS]);
	if (s.origins[SETTINGS_EMULATE_SDK][0] != '\0')
		fprintf(m.file, "emulate_sdk: %s %s (%s)\n", s.emulate_sdk.name,
		    s.emulate_sdk.sdk, s.origins[SETTINGS_EMULATE_SDK]);
	for (i = 0; i < VERSIONS_KEYS; i++)
		if (s.origins[SETTINGS_VERSIONS + i][0] != '\0')
			fprintf(m.file, "%s: %s (%s)\n", versions_key_words[i],
			    s.versions[i], s.origins[SETTINGS_VERSIONS + i]);
	if (s.origins[SETTINGS_JOBS_HOST_PATHS][0] != '\0')
		fprintf(m.file, "host_paths: %s (%s)\n", s.jobs_host_paths,
		    s.origins[SETTINGS_JOBS_HOST_PATHS]);
	if (s.origins[SETTINGS_JOBS_RESTART_DELAY][0] != '\0')
		fprintf(m.file, "restart_delay: %lld ms (%s)\n",
		    (long long)s.jobs_restart_delay_ms,
		    s.origins[SETTINGS_JOBS_RESTART_DELAY]);
	if (s.origins[SETTINGS_USERS_SHARE_PARTITIONS][0] != '\0')
		fprintf(m.file, "share_partitions: %s (%s)\n",
		    s.users_share_partitions ? "yes" : "no",
		    s.origins[SETTINGS_USERS_SHARE_PARTITIONS]);
	fputs(s.images, m.file);
	return memstream_close(&m, NULL);
}

static void
loads(const char *wanted, const char *name)
{
	char *got = load();

	is_str(got, wanted, name);
	free(got);
}

static bool
ends_with(const char *text, const char *end)
{
	return strlen(text) >= strlen(end) &&
	    strcmp(text + strlen(text) - strlen(end), end) == 0;
}

/* The refusal's end, where a path stands before it. */
static void
refuses(const char *end, const char *name)
{
	char *got = load();

	if (!ok(ends_with(got, end), name))
		printf("# got %s# wanted %s", got, end);
	free(got);
}

static char *
golden(const char *directory, const char *name, const char *suffix)
{
	char *path = xasprintf("%s/%.*s%s", directory,
	    (int)(strlen(name) - strlen(".ini")), name, suffix);
	size_t size;
	char *text = file_read(path, TEXT_MAX, &size, NULL);

	free(path);
	return text;
}

static void
test_golden(void)
{
	const char *tests = getenv("TESTDIR");
	char *directory, **names, *text, *wanted;
	long i, count;

	directory = xasprintf("%s/golden/settings",
	    tests != NULL ? tests : "tests");
	count = directory_names(directory_at(directory), ".ini", &names, NULL);
	ok(count > 15, "golden files");
	(void)setenv("IPUBOX_CONFIG", "FILE", 1);
	for (i = 0; i < count; i++) {
		text = golden(directory, names[i], ".ini");
		put("FILE", text);
		wanted = golden(directory, names[i], ".ok");
		if (wanted == NULL)
			wanted = golden(directory, names[i], ".err");
		loads(wanted, names[i]);
		free(wanted);
		free(text);
	}
	if (count != -1)
		directory_names_free(names, count);
	free(directory);
}

static void
test_named(void)
{
	(void)setenv("IPUBOX_CONFIG", "none", 1);
	loads("IPUBOX_CONFIG: cannot open none: No such file or directory\n",
	    "a file that is named must be there");
	(void)setenv("IPUBOX_CONFIG", ".", 1);
	loads("IPUBOX_CONFIG: cannot read .: Is a directory\n",
	    "and be a file");
	must(mkfifo("fifo", 0600) == 0, "fifo");
	(void)setenv("IPUBOX_CONFIG", "fifo", 1);
	refuses("cannot read fifo: Invalid argument\n", "a fifo does not hang");
	put("FILE", "[state]\ndirectory = /a\n");
	must(symlink("FILE", "link") == 0, "link");
	(void)setenv("IPUBOX_CONFIG", "link", 1);
	loads("state_directory: /a (link:2)\n", "a link is followed");
	must(chmod("FILE", 0664) == 0, "FILE");
	refuses(
	    "link: only its owner may have write access; run chmod go-w link\n",
	    "to a file of which the rules are");
	(void)setenv("IPUBOX_CONFIG", "/dev/null", 1);
	loads("state_directory:\n", "/dev/null: none at all");
}

static void
test_modes(void)
{
	static const struct {
		mode_t mode;
		bool good;
	} rows[] = { { 0600, true }, { 0644, true }, { 0400, true },
		{ 0664, false }, { 0620, false }, { 0602, false },
		{ 0666, false } };
	size_t i;

	(void)setenv("IPUBOX_CONFIG", "FILE", 1);
	put("FILE", "[state]\ndirectory = /a\n");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		must(chmod("FILE", rows[i].mode) == 0, "chmod");
		loads(rows[i].good ? "state_directory: /a (FILE:2)\n" :
				     "FILE: only its owner may have write "
				     "access; run chmod go-w FILE\n",
		    rows[i].good ? "closed to others" : "open to others");
	}
}

/* As root; then as another user, who trusts root's file and its own. */
static void
test_owners(void)
{
	static const char file[] = "FILE";

	if (geteuid() != 0) {
		tap_skip("owners", "only root can give files away");
		return;
	}
	must(chmod(root, 0755) == 0, root);
	(void)setenv("IPUBOX_CONFIG", "FILE", 1);
	put(file, "[state]\ndirectory = /a\n");
	must(chown(file, NOBODY, NOBODY) == 0, file);
	loads("FILE belongs to uid 65534, not to root; give it to root, or "
	      "name another file in IPUBOX_CONFIG\n",
	    "root, of nobody's file");
	must(seteuid(NOBODY) == 0, "seteuid");
	loads("state_directory: /a (FILE:2)\n", "nobody, of its own");
	must(seteuid(0) == 0 && chown(file, 0, 0) == 0, file);
	must(seteuid(NOBODY) == 0, "seteuid");
	loads("state_directory: /a (FILE:2)\n", "nobody, of root's");
	must(seteuid(0) == 0 && chown(file, SOMEBODY, 0) == 0, file);
	must(seteuid(NOBODY) == 0, "seteuid");
	loads("FILE belongs to uid 64123, not to you or root; give it to root, "
	      "or name another file in IPUBOX_CONFIG\n",
	    "nobody, of somebody else's");
	must(seteuid(0) == 0 && chown(file, 0, 0) == 0, file);
	must(chmod(file, 0600) == 0 && seteuid(NOBODY) == 0, file);
	refuses("cannot open FILE: Permission denied\n",
	    "nobody, of one that it may not read");
	must(seteuid(0) == 0, "seteuid");
}

/* Where the user's file is, and when it counts as not there. */
static void
test_user(void)
{
	char *wanted;

	if (access("/etc/ipubox.conf", F_OK) == 0) {
		tap_skip("the user's file",
		    "this host has an /etc/ipubox.conf");
		return;
	}
	(void)setenv("IPUBOX_CONFIG", "", 1);
	(void)unsetenv("XDG_CONFIG_HOME");
	set_below("HOME", "home");
	loads("state_directory:\n", "there is none");
	must(make_directory("home/.config/ipubox", NULL) == 0 &&
		make_directory("xdg/ipubox", NULL) == 0,
	    "folders");
	put("home/.config/ipubox/ipubox.conf", "[state]\ndirectory = /h\n");
	put("xdg/ipubox/ipubox.conf", "\n[state]\ndirectory = /x\n");
	wanted = xasprintf(
	    "state_directory: /h (%s/home/.config/ipubox/ipubox.conf:2)\n",
	    root);
	loads(wanted, "below ~/.config");
	(void)setenv("XDG_CONFIG_HOME", "xdg", 1);
	loads(wanted, "a relative XDG_CONFIG_HOME does not count");
	free(wanted);
	set_below("XDG_CONFIG_HOME", "xdg");
	wanted =
	    xasprintf("state_directory: /x (%s/xdg/ipubox/ipubox.conf:3)\n",
		root);
	loads(wanted, "below XDG_CONFIG_HOME");
	free(wanted);
	(void)unsetenv("XDG_CONFIG_HOME");
	(void)unsetenv("HOME");
	loads("state_directory:\n", "without a home");
}

static void
test_closed_home(void)
{
	if (geteuid() != 0 || access("/etc/ipubox.conf", F_OK) == 0) {
		tap_skip("a home that is closed",
		    "wants root and no /etc/ipubox.conf");
		return;
	}
	set_below("HOME", "home");
	must(chmod("home", 0700) == 0 && seteuid(NOBODY) == 0, "home");
	loads("state_directory:\n", "another's home is not the caller's");
	must(seteuid(0) == 0, "seteuid");
}

/* What counts of emulated hosts, and who said so; or the refusal. */
static void
hosts_are(const char *option, const char *wanted, const char *name)
{
	struct error e = { .text = "" };
	char origin[STATE_ORIGIN_SIZE] = "", got[1400];
	bool emulated;
	int status;

	status = settings_emulate_hosts(option, &emulated, origin, &e);
	(void)snprintf(got, sizeof(got), "%s %s%s%s", emulated ? "yes" : "no",
	    origin, status == 0 ? "" : ": ", status == 0 ? "" : e.text);
	is_str(got, wanted, name);
}

static void
sdk_is(const char *option, const char *wanted, const char *name)
{
	struct error e = { .text = "" };
	struct versions v;
	char origin[STATE_ORIGIN_SIZE] = "", got[1400];
	int status;

	status = settings_emulate_sdk(option, &v, origin, &e);
	(void)snprintf(got, sizeof(got), "%s %s %s%s%s", v.name, v.sdk, origin,
	    status == 0 ? "" : ": ", status == 0 ? "" : e.text);
	is_str(got, wanted, name);
}

/* The order: option, variable, user's file, default; each names itself. */
static void
test_emulate(void)
{
	struct versions v;
	struct error e;
	bool emulated;

	(void)setenv("IPUBOX_CONFIG", "FILE", 1);
	put("FILE", "[emulate]\n");
	hosts_are(NULL, "no default", "hosts are real by default");
	sdk_is(NULL, "guide 3.1.0 default", "the guide by default");
	put("FILE", "[emulate]\nhosts = yes\nsdk = 2.x\n");
	hosts_are(NULL, "yes FILE:2", "a file");
	sdk_is(NULL, "2.x 2.6.0 FILE:3", "a file");
	put("FILE", "[emulate]\nhosts = yes\nsdk = 2.x\ndriver = 1.0.56\n");
	is_int(settings_emulate_sdk("3.x", &v, NULL, &e), 0, "a driver");
	is_str(v.driver, "1.0.56", "whatever chose the release");
	is_str(v.firmware, "2.5.9", "the rest is the release's");
	(void)setenv("IPUBOX_EMULATE_HOSTS", "", 1);
	(void)setenv("IPUBOX_EMULATE_SDK", "", 1);
	hosts_are(NULL, "yes FILE:2", "an empty variable says nothing");
	sdk_is(NULL, "2.x 2.6.0 FILE:3", "an empty variable says nothing");
	(void)setenv("IPUBOX_EMULATE_HOSTS", "Off", 1);
	(void)setenv("IPUBOX_EMULATE_SDK", "3.3.0", 1);
	hosts_are(NULL, "no IPUBOX_EMULATE_HOSTS", "a variable before it");
	sdk_is(NULL, "3.x 3.3.0 IPUBOX_EMULATE_SDK", "a variable before it");
	hosts_are("1", "yes --emulate-hosts", "an option before both");
	sdk_is("guide", "guide 3.1.0 --emulate-sdk", "an option before both");
	is_int(settings_emulate_hosts(NULL, &emulated, NULL, &e), 0,
	    "nobody need ask who said it");
	put("FILE", "[emulate]\nhost = yes\n");
	hosts_are(NULL,
	    "no IPUBOX_EMULATE_HOSTS: FILE:2: unknown key 'host' in [emulate] "
	    "(did you mean hosts?)",
	    "a file's mistake counts");
	sdk_is(NULL,
	    "3.x 3.3.0 IPUBOX_EMULATE_SDK: FILE:2: unknown key 'host' in "
	    "[emulate] (did you mean hosts?)",
	    "of each");
	is_int(settings_emulate_sdk(NULL, &v, NULL, &e), -1, "refused");
	is_int(e.code, ERROR_DAMAGED, "as a file");
	(void)setenv("IPUBOX_EMULATE_HOSTS", "maybe", 1);
	(void)setenv("IPUBOX_EMULATE_SDK", "4.0", 1);
	hosts_are(NULL,
	    "no : IPUBOX_EMULATE_HOSTS 'maybe': must be yes or no (on/off, "
	    "true/false and 1/0 mean the same)",
	    "a wrong variable");
	sdk_is(NULL,
	    "guide 3.1.0 : IPUBOX_EMULATE_SDK '4.0': must be guide, 2.x, 3.x, "
	    "or a version of these lines such as 3.3.0",
	    "of each");
	is_int(settings_emulate_sdk(NULL, &v, NULL, &e), -1, "refused");
	is_int(e.code, ERROR_INVALID, "as what a person said");
	sdk_is("2",
	    "guide 3.1.0 : --emulate-sdk '2': must be guide, 2.x, 3.x, or a "
	    "version of these lines such as 3.3.0",
	    "a wrong option");
	(void)unsetenv("IPUBOX_EMULATE_HOSTS");
	(void)unsetenv("IPUBOX_EMULATE_SDK");
}

/* Remove what was made, by the names alone that it was made under. */
static void
clean(void)
{
	static const char *const names[] = { "FILE", "fifo", "link",
		"home/.config/ipubox/ipubox.conf", "home/.config/ipubox",
		"home/.config", "home", "xdg/ipubox/ipubox.conf", "xdg/ipubox",
		"xdg" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (unlink(names[i]) != 0)
			(void)rmdir(names[i]);
	(void)rmdir(root);
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(root, sizeof(root), "%s/ipubox-settings.XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	must(mkdtemp(root) != NULL && chdir(root) == 0, root);
	test_golden();
	test_named();
	test_modes();
	test_emulate();
	test_owners();
	test_user();
	test_closed_home();
	clean();
	return tap_done();
}
