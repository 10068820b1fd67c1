/*
 * copy-ssh: set up ssh trust between the hosts of a Pod, and verify it.
 *
 * It runs OpenSSH's programs: it creates a key for each host, and adds host
 * keys to known_hosts and public keys to authorized_keys.  Then it tries plain
 * ssh between the hosts, in the way that programs call it.
 *
 * Source: PopRun user guide, section 2.2.1, and its script copy_ssh.sh.
 */
#include <bsd/string.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/copy-ssh/copy-ssh_internal.h"
#include "applets/copy-ssh/outcome.h"
#include "applets/copy-ssh/programs.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/job/job.h"

enum {
	KEY_HOSTFILE = OPTIONS_LONG,
	KEY_IDENTITY,
	KEY_USER,
	KEY_PORT,
	KEY_ALL_TO_ALL,
	KEY_PARENT_ONLY,
	KEY_ACCEPT_CHANGED,
	KEY_YES,
	KEY_ETC_HOSTS,
	KEY_APPLY,
	KEY_VERIFY,
	KEY_NO_VERIFY,
	KEY_SKIP,
	KEY_REMOVE,
	KEY_DRY_RUN,
	KEY_JOBS,
	KEY_TIMEOUT,
	KEY_JSON,
	KEY_VERSION
};

enum {
	JOBS_DEFAULT = 8,
	JOBS_MAX = 256,
	TIMEOUT_DEFAULT_S = 10,
	TIMEOUT_MAX_S = 3600
};

static const struct option_row copy_ssh_options[] = {
	{ KEY_HOSTFILE, "hostfile", "FILE",
	    "read more hosts from a file, one list per line" },
	{ KEY_IDENTITY, "identity", "FILE",
	    "use this key, or create it (default: ~/.ssh/id_ed25519)" },
	{ KEY_USER, "user", "NAME",
	    "log in as this user on the hosts (default: your own name)" },
	{ KEY_PORT, "port", "PORT",
	    "set the port of sshd on the hosts (default: 22)" },
	{ KEY_ALL_TO_ALL, "all-to-all", NULL,
	    "let each host log in to every other host" },
	{ KEY_PARENT_ONLY, "parent-only", NULL,
	    "let this host log in to the others, but not back" },
	{ KEY_ACCEPT_CHANGED, "accept-changed", "HOST",
	    "replace the changed host key of HOST, after a question" },
	{ KEY_YES, "yes", NULL,
	    "with --accept-changed, answer the question with yes" },
	{ KEY_ETC_HOSTS, "etc-hosts", NULL,
	    "print the lines that /etc/hosts needs" },
	{ KEY_APPLY, "apply", NULL,
	    "with --etc-hosts, write these lines on all hosts, as root" },
	{ KEY_VERIFY, "verify", NULL, "only check, and change nothing" },
	{ KEY_NO_VERIFY, "no-verify", NULL, "do not check at the end" },
	{ KEY_SKIP, "skip", "CHECK,...", "leave these checks out" },
	{ KEY_REMOVE, "remove", NULL,
	    "remove the lines that copy-ssh wrote for these hosts" },
	{ KEY_DRY_RUN, "dry-run", NULL,
	    "print each command and each change, and do nothing" },
	{ KEY_JOBS, "jobs", "N",
	    "work on N hosts at the same time (default: 8)" },
	{ KEY_TIMEOUT, "timeout", "SECONDS",
	    "wait this long for a host to answer (default: 10)" },
	{ KEY_JSON, "json", NULL, "print JSON" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static int copy_ssh_main(int argc, char **argv);

const struct applet copy_ssh_applet = {
	.name = "copy-ssh",
	.purpose = "let the hosts of a Pod trust each other, and prove it",
	.synopsis = "[option ...] HOST ...",
	.options = copy_ssh_options,
	.main = copy_ssh_main,
	.examples = "  copy-ssh pod1 pod2\n"
		    "  copy-ssh --verify 'pod[1-3]'",
};

/* Check the characters of a name that goes into commands and ~/.ssh/config. */
static int
check_characters(const char *what, const char *text, const char *more,
    struct error *e)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";
	size_t i;
	char shown[128];

	for (i = 0; text[i] != '\0'; i++)
		if (strchr(plain, text[i]) == NULL &&
		    (i == 0 || text[i] != '-') && strchr(more, text[i]) == NULL)
			break;
	if (i > 0 && text[i] == '\0')
		return 0;
	text_printable(text, shown, sizeof(shown));
	return error_set(e,
	    "%s '%s': may contain only letters, digits and . _ - %s", what,
	    shown, more);
}

/* Refuse an unknown check of --skip, and suggest the nearest one. */
static int
refuse_check(const char *list, size_t length, struct error *e)
{
	struct suggestion nearest;
	char typed[41];
	int i;

	(void)strlcpy(typed, list,
	    length < sizeof(typed) ? length + 1 : sizeof(typed));
	suggest_begin(&nearest, typed);
	for (i = 0; i < CHECKS; i++)
		suggest_offer(&nearest, findings_check_names[i]);
	(void)error_set(e,
	    "--skip: unknown check '%s' (the checks are resolves, port, "
	    "host-key, key, user, clock, ipubox, orted and back)",
	    typed);
	return suggest_append(&nearest, "", e);
}

/* Parse a list of checks such as "clock,orted" into one bit for each. */
static int
read_skip(const char *list, unsigned *skipped, struct error *e)
{
	size_t length;
	int i;

	for (;; list += length + 1) {
		length = strcspn(list, ",");
		for (i = 0; i < CHECKS; i++)
			if (strlen(findings_check_names[i]) == length &&
			    strncmp(findings_check_names[i], list, length) == 0)
				break;
		if (i == CHECKS)
			return refuse_check(list, length, e);
		*skipped |= 1u << i;
		if (list[length] == '\0')
			return 0;
	}
}

static int
read_number(const char *what, const char *text, int max, int *value,
    struct error *e)
{
	long long n;

	if (parse_number(what, text, 1, max, &n, e) != 0)
		return -1;
	*value = (int)n;
	return 0;
}

/* Set an option that has a value; flags are below. */
static int
set_text_option(struct copy_ssh_settings *s, int key, const char *text,
    struct error *e)
{
	switch (key) {
	case KEY_HOSTFILE:
		return hostlist_add_file(&s->hosts, NULL, text, e);
	case KEY_IDENTITY:
		s->identity = text;
		return check_characters("--identity", text, "/+@~", e);
	case KEY_USER:
		s->user = text;
		return check_characters("--user", text, "@+\\", e);
	case KEY_PORT:
		return read_number("--port", text, 65535, &s->port, e);
	case KEY_ACCEPT_CHANGED:
		return hostlist_add(&s->accepted, NULL, text, e);
	case KEY_SKIP:
		return read_skip(text, &s->skipped, e);
	case KEY_JOBS:
		return read_number("--jobs", text, JOBS_MAX, &s->jobs, e);
	default:
		return read_number("--timeout", text, TIMEOUT_MAX_S,
		    &s->timeout_s, e);
	}
}

/* Set a flag; false: the key is another option's. */
static bool
set_flag(struct copy_ssh_settings *s, int key)
{
	switch (key) {
	case KEY_ALL_TO_ALL:
		s->all_to_all = true;
		return true;
	case KEY_PARENT_ONLY:
		s->parent_only = true;
		return true;
	case KEY_YES:
		s->yes = true;
		return true;
	case KEY_ETC_HOSTS:
		s->etc_hosts = true;
		return true;
	case KEY_APPLY:
		s->apply = true;
		return true;
	case KEY_VERIFY:
		s->verify = true;
		return true;
	case KEY_NO_VERIFY:
		s->no_verify = true;
		return true;
	case KEY_REMOVE:
		s->remove = true;
		return true;
	case KEY_DRY_RUN:
		s->dry_run = true;
		return true;
	case KEY_JSON:
		s->json = true;
		return true;
	default:
		return false;
	}
}

/* Refuse combinations of options without a meaning, and set what options
   imply. */
static int
copy_ssh_check_settings(struct copy_ssh_settings *s, struct error *e)
{
	if (s->hosts.count == 0)
		return error_set(e, "HOST is missing");
	if (s->all_to_all && s->parent_only)
		return error_set(e,
		    "--all-to-all and --parent-only cannot be used at the same "
		    "time");
	if (s->apply && !s->etc_hosts)
		return error_set(e, "--apply needs --etc-hosts");
	if (s->verify + s->remove + s->etc_hosts > 1)
		return error_set(e,
		    "--verify, --remove and --etc-hosts cannot be combined");
	if (s->no_verify && s->verify)
		return error_set(e,
		    "--verify and --no-verify cannot be used at the same time");
	if (s->apply && !s->dry_run && geteuid() != 0)
		return error_set(e,
		    "--apply writes /etc/hosts; run copy-ssh as root");
	s->topology = s->all_to_all ? ALL_TO_ALL :
	    s->parent_only	    ? PARENT_ONLY :
				      PARENT_AND_CHILDREN;
	if (s->parent_only)
		s->skipped |= 1u << CHECK_BACK;
	return 0;
}

/* Return OPTIONS_END, a key that ends the reading, or OPTIONS_ERROR. */
static int
read_options(struct copy_ssh_settings *s, int argc, char **argv,
    struct error *e)
{
	struct option_parser parser;
	int key, i;

	options_init(&parser, copy_ssh_options, argc, argv, false);
	while ((key = options_next(&parser, e)) >= 0) {
		if (key == 'h' || key == KEY_VERSION)
			return key;
		if (!set_flag(s, key) &&
		    set_text_option(s, key, parser.argument, e) != 0)
			return OPTIONS_ERROR;
	}
	for (i = parser.operand; key == OPTIONS_END && i < argc; i++)
		if (hostlist_add(&s->hosts, NULL, argv[i], e) != 0)
			key = OPTIONS_ERROR;
	if (key == OPTIONS_END && copy_ssh_check_settings(s, e) != 0)
		key = OPTIONS_ERROR;
	return key;
}

/* Return the path of the key here: as given, but a bare name is in ~/.ssh. */
static char *
own_identity(const char *given)
{
	char *directory, *path;

	if (given == NULL)
		return NULL;
	if (given[0] == '/' || strchr(given, '/') == NULL)
		return xstrdup(given);
	directory = getcwd(NULL, 0);
	path = xasprintf("%s/%s", directory != NULL ? directory : "", given);
	free(directory);
	return path;
}

/*
 * Start a run with the hosts as typed; the steps find out the rest.
 */
static void
run_init(struct copy_ssh_run *r, const struct copy_ssh_settings *s)
{
	size_t i;

	memset(r, 0, sizeof(*r));
	r->settings = s;
	r->count = s->hosts.count;
	r->hosts = xcalloc(r->count, sizeof(*r->hosts));
	for (i = 0; i < r->count; i++)
		r->hosts[i].name = s->hosts.items[i];
	r->identity = own_identity(s->identity);
}

static void
host_release(struct host *h)
{
	int i;

	strvec_release(&h->addresses);
	strvec_release(&h->aliases);
	strvec_release(&h->keys);
	strvec_release(&h->callers);
	free(h->hostname);
	free(h->user);
	free(h->uid);
	free(h->public_key);
	free(h->parent);
	for (i = 0; i < CHECKS; i++)
		free(h->findings[i].text);
}

static void
run_release(struct copy_ssh_run *r)
{
	size_t i;

	host_release(&r->self);
	for (i = 0; i < r->count; i++)
		host_release(&r->hosts[i]);
	for (i = 0; i < r->step_count; i++)
		free(r->steps[i].text);
	free(r->steps);
	free(r->hosts);
	strvec_release(&r->own_addresses);
	strvec_release(&r->accepted);
	free(r->identity);
	free(r->sh);
	free(r->ssh);
	free(r->keyscan);
	free(r->getent);
}

/*
 * Run the steps in order.  Later steps skip a host that failed; only a problem
 * on this host ends the run.
 */
static int
run_steps(const struct copy_ssh_settings *s)
{
	struct copy_ssh_run r;
	struct error e;
	int status;

	run_init(&r, s);
	status = programs_find(&r, &e);
	if (status == 0 && s->remove)
		status = remove_trust(&r, &e);
	else if (status == 0 && s->verify)
		status = setup_read_self(&r, "identify", &e);
	else if (status == 0)
		status = setup_hosts(&r, &e);
	if (status == 0 && !s->remove && !s->no_verify)
		verify(&r);
	if (status != 0) {
		fprintf(stderr, "copy-ssh: %s\n", e.text);
		status = EXIT_FAILED;
	} else
		status = findings_finish(&r);
	run_release(&r);
	return status;
}

static int
copy_ssh_main(int argc, char **argv)
{
	struct copy_ssh_settings s = { .port = SSH_PORT,
		.jobs = JOBS_DEFAULT,
		.timeout_s = TIMEOUT_DEFAULT_S };
	struct error e;
	int status;

	switch (read_options(&s, argc, argv, &e)) {
	case 'h':
		status = applet_help(&copy_ssh_applet);
		break;
	case KEY_VERSION:
		status = applet_version(&copy_ssh_applet);
		break;
	case OPTIONS_ERROR:
		status = applet_misuse(&copy_ssh_applet, "%s", e.text);
		break;
	default:
		status = run_steps(&s);
	}
	strvec_release(&s.hosts);
	strvec_release(&s.accepted);
	return status;
}
