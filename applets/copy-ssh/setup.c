/*
 * Setting up trust between hosts that do not know each other, in four steps:
 *
 *	here	create a key, find the host keys of all
 *	hosts	install our key, return their keys
 *	here	install their keys, ~/.ssh/config, /etc/hosts
 *	hosts	install our host keys, with --all-to-all all hosts'
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/copy-ssh/lines.h"
#include "applets/copy-ssh/outcome.h"
#include "applets/copy-ssh/programs.h"
#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/job/job.h"

int
setup_read_self(struct copy_ssh_run *r, const char *actions, struct error *e)
{
	const struct script_request q = { .actions = actions,
		.make_key = true,
		.here = true };
	struct child c;
	enum host_check check;
	int status = 0;

	programs_run_here(r, &q, &c);
	if (outcome_judge(r, "localhost", &c, WHILE_SETTING_UP, &check, e) !=
	    OUTCOME_DONE)
		status = -1;
	outcome_read_host(r, &r->self, &c);
	children_release(&c);
	if (r->self.hostname == NULL ||
	    !hostlist_name_is_valid(r->self.hostname)) {
		free(r->self.hostname);
		r->self.hostname = xstrdup("localhost");
	}
	r->self.name = r->self.hostname;
	return status;
}

/* Change files of this host; errors do not stop the work on the hosts. */
static void
change_here(struct copy_ssh_run *r, const char *actions, const char *keys,
    const char *config_lines, const char *host_lines)
{
	const struct script_request q = { .actions = actions,
		.keys = keys,
		.stanzas = config_lines,
		.mapping = host_lines,
		.here = true };
	struct child c;
	struct error e;
	enum host_check check;

	programs_run_here(r, &q, &c);
	outcome_read_host(r, &r->self, &c);
	if (outcome_judge(r, "localhost", &c, WHILE_SETTING_UP, &check, &e) !=
	    OUTCOME_DONE) {
		findings_complain(r, NULL, "%s", e.text);
		r->failed = true;
	}
	children_release(&c);
}

/*
 * Create ~/.ssh and a key on the host, and authorise this host.  Only this step
 * may need a password.
 */
static char *
authorise_script(struct copy_ssh_run *r, struct host *h)
{
	const struct script_request q = {
		.actions = "prepare authorise",
		.make_key = r->settings->topology != PARENT_ONLY,
		.keys = r->self.public_key,
	};

	if (r->settings->dry_run)
		findings_note(r, h,
		    "would make ~/.ssh%s, correct its modes, and add to "
		    "authorized_keys: %s",
		    q.make_key ? " and a key" : "",
		    q.keys != NULL ? q.keys : "the public key");
	return programs_script(r, &q);
}

/* Hosts that want a password are tried again, each with the terminal to
   itself. */
static void
authorised(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	struct error e;
	enum host_check check;

	switch (outcome_judge(r, h->name, c, WHILE_SETTING_UP, &check, &e)) {
	case OUTCOME_DONE:
		outcome_read_host(r, h, c);
		break;
	case OUTCOME_DENIED:
		h->denied = true;
		break;
	default:
		outcome_read_host(r, h, c);
		findings_fail_host(r, h, check, true, e.text);
	}
}

/* Select the hosts of the second round. */
static bool
wants_password(const struct host *h)
{
	return h->denied;
}

/* Handle the second round, in which ssh prompted on the terminal. */
static void
authorised_by_password(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	struct error e;
	enum host_check check;

	h->denied = false;
	if (outcome_judge(r, h->name, c, WHILE_SETTING_UP, &check, &e) ==
	    OUTCOME_DONE) {
		outcome_read_host(r, h, c);
		return;
	}
	/* ssh printed the reason on the terminal. */
	if (c->status == 255) {
		check = CHECK_KEY;
		(void)error_set(&e,
		    "Permission denied: no password was accepted; run copy-ssh "
		    "%s to try again",
		    h->name);
	}
	findings_fail_host(r, h, check, true, e.text);
}

/* Whether ssh can ask for a password, on the terminal or through
   SSH_ASKPASS. */
static bool
can_prompt(void)
{
	int fd;

	if (getenv("SSH_ASKPASS") != NULL)
		return true;
	if ((fd = open("/dev/tty", O_RDWR | O_CLOEXEC)) == -1)
		return false;
	(void)close(fd);
	return true;
}

/* Authorise this host locally if it is in the list. */
static void
authorise_self(struct copy_ssh_run *r)
{
	const struct host *h;

	for (h = r->hosts; h < r->hosts + r->count; h++)
		if (!h->failed && h->addresses.count > 0 &&
		    lines_is_own_address(r, h->addresses.items[0]))
			break;
	if (h < r->hosts + r->count)
		change_here(r, "authorise", r->self.public_key, "", "");
}

/*
 * Try all hosts at once without a prompt; then prompt for those that want a
 * password.  Without a way to prompt they fail with that reason.
 */
static void
authorise_hosts(struct copy_ssh_run *r)
{
	const struct child nothing = { .status = 255 };
	struct host *h;
	struct child refused = nothing;
	struct error e;
	enum host_check check;
	char words[] = "Permission denied (publickey)";

	authorise_self(r);
	programs_run_on_hosts(r, SSH_BATCH, NULL, authorise_script, authorised);
	if (can_prompt()) {
		programs_run_on_hosts(r, SSH_ASK, wants_password,
		    authorise_script, authorised_by_password);
		return;
	}
	refused.err.text = words;
	for (h = r->hosts; h < r->hosts + r->count; h++) {
		if (!h->denied)
			continue;
		(void)outcome_judge(r, h->name, &refused, WHILE_SETTING_UP,
		    &check, &e);
		findings_fail_host(r, h, check, true, e.text);
	}
}

/* Find names for hosts given by their addresses, for /etc/hosts. */
static void
learn_aliases(struct copy_ssh_run *r)
{
	if (r->settings->etc_hosts && addresses_find_aliases(r))
		hostkeys_update_known(r);
}

/* Refuse unknown names of --accept-changed, which would otherwise go
   unnoticed. */
static int
check_accepted(const struct copy_ssh_run *r, struct error *e)
{
	const struct strvec *w = &r->settings->accepted;
	const struct host *h;
	size_t i;

	for (i = 0; i < w->count; i++) {
		for (h = r->hosts; h < r->hosts + r->count; h++)
			if (strcmp(h->name, w->items[i]) == 0)
				break;
		if (h == r->hosts + r->count &&
		    strcmp(r->self.hostname, w->items[i]) != 0)
			return error_set(e,
			    "--accept-changed %s: must be one of the hosts",
			    w->items[i]);
	}
	return 0;
}

/* Return the public keys of all hosts that take part, one per line; `own`: also
   this host's. */
static char *
public_keys(const struct copy_ssh_run *r, bool own)
{
	const struct host *h;
	struct memstream t;

	(void)memstream_open(&t);
	if (own && r->self.public_key != NULL)
		fprintf(t.file, "%s\n", r->self.public_key);
	for (h = r->hosts; h < r->hosts + r->count; h++)
		if (!h->failed && h->public_key != NULL)
			fprintf(t.file, "%s\n", h->public_key);
	return memstream_close(&t, NULL);
}

/* Return the stanzas for a child; NULL: for this host. */
static char *
stanzas(const struct copy_ssh_run *r, const struct host *child)
{
	const struct host *h;
	struct memstream t;

	(void)memstream_open(&t);
	if (child != NULL)
		lines_write_parent_stanza(t.file, r, child);
	if (child == NULL || r->settings->topology == ALL_TO_ALL)
		for (h = r->hosts; h < r->hosts + r->count; h++)
			if (!h->failed && h != child)
				lines_write_stanza(t.file, r, h, child == NULL);
	return memstream_close(&t, NULL);
}

/* Return the lines of /etc/hosts for a child; NULL: for this host. */
static char *
mapping(const struct copy_ssh_run *r, const struct host *child)
{
	const struct host *h;
	struct memstream t;

	(void)memstream_open(&t);
	if (child != NULL)
		lines_write_parent_mapping(t.file, r, child);
	if (child == NULL || r->settings->topology == ALL_TO_ALL)
		for (h = r->hosts; h < r->hosts + r->count; h++)
			if (!h->failed && h != child)
				lines_write_mapping(t.file, h);
	return memstream_close(&t, NULL);
}

/* Return the actions that these lines need. */
static char *
actions_for(const struct copy_ssh_run *r, bool authorise, bool know,
    const char *config_lines, const char *host_lines)
{
	return xasprintf("%s%s%s%s", know ? "know " : "",
	    authorise ? "authorise " : "",
	    config_lines[0] != '\0' ? "config " : "",
	    host_lines[0] != '\0' && r->settings->apply ? "hosts" : "");
}

/*
 * Authorise the hosts that call back, and write this host's part of ssh's
 * configuration and of /etc/hosts.
 */
static void
finish_here(struct copy_ssh_run *r)
{
	char *keys = public_keys(r, false);
	char *config_lines = stanzas(r, NULL);
	char *host_lines = mapping(r, NULL);
	char *actions = actions_for(r,
	    r->settings->topology != PARENT_ONLY && keys[0] != '\0', false,
	    config_lines, host_lines);

	if (actions[0] != '\0')
		change_here(r, actions, keys, config_lines, host_lines);
	free(actions);
	free(host_lines);
	free(config_lines);
	free(keys);
}

/*
 * Return the lines for a child's known_hosts: this host's keys, and with
 * --all-to-all those of all hosts.
 */
static char *
hostkeys_for(const struct copy_ssh_run *r, const struct host *child)
{
	struct memstream t;
	char *all;

	(void)memstream_open(&t);
	lines_write_parent_hostkeys(t.file, r, child);
	if (r->settings->topology == ALL_TO_ALL) {
		all = hostkeys_of_all(r);
		fputs(all, t.file);
		free(all);
	}
	return memstream_close(&t, NULL);
}

/* Return the script for the last change on a host, when all keys are known. */
static char *
finish_script(struct copy_ssh_run *r, struct host *h)
{
	bool everybody = r->settings->topology == ALL_TO_ALL;
	char *keys = everybody ? public_keys(r, true) : NULL;
	char *hostkeys = hostkeys_for(r, h);
	char *config_lines = stanzas(r, h);
	char *host_lines = mapping(r, h);
	char *accept = hostkeys_accepted(r), *text;
	char *actions = actions_for(r, everybody, true, config_lines,
	    host_lines);
	struct script_request q = { .actions = actions,
		.keys = keys,
		.hostkeys = hostkeys,
		.accept = accept,
		.stanzas = config_lines,
		.mapping = host_lines };

	if (r->settings->dry_run)
		findings_note(r, h,
		    "would add to known_hosts the host keys of %s%s",
		    everybody ?
			"all hosts, to authorized_keys their public keys" :
			"this host",
		    config_lines[0] == '\0' ? "" :
					      ", to config port, user and key");
	text = programs_script(r, &q);
	free(actions);
	free(accept);
	free(host_lines);
	free(config_lines);
	free(hostkeys);
	free(keys);
	return text;
}

/*
 * Judge the outcome first but report it last, after the actions before a
 * failure.
 */
static void
finished(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	struct error e;
	enum host_check check;
	enum ssh_outcome outcome;

	outcome = outcome_judge(r, h->name, c, WHEN_AUTHORISED, &check, &e);
	outcome_read_host(r, h, c);
	hostkeys_read(r, h, c);
	if (outcome != OUTCOME_DONE)
		findings_fail_host(r, h, check, true, e.text);
}

/* Print the guide's mapping, for a person to install. */
static void
print_mapping(struct copy_ssh_run *r, const struct host *child)
{
	char *lines = mapping(r, child);

	if (lines[0] != '\0') {
		lines[strlen(lines) - 1] = '\0';
		findings_note(r, child, "/etc/hosts needs these lines:\n%s",
		    lines);
	}
	free(lines);
}

static void
print_mappings(struct copy_ssh_run *r)
{
	const struct host *h;

	print_mapping(r, NULL);
	if (r->settings->topology == PARENT_ONLY)
		return;
	for (h = r->hosts; h < r->hosts + r->count; h++)
		if (!h->failed)
			print_mapping(r, h);
}

/*
 * Each step needs the results of the one before: addresses, host keys, access,
 * and then the hosts' names for each other.
 */
int
setup_hosts(struct copy_ssh_run *r, struct error *e)
{
	const struct copy_ssh_settings *s = r->settings;

	if (setup_read_self(r, "prepare", e) != 0 || check_accepted(r, e) != 0)
		return -1;
	lines_find_own_addresses(r);
	addresses_learn(r);
	hostkeys_learn(r);
	authorise_hosts(r);
	learn_aliases(r);
	finish_here(r);
	if (s->topology != PARENT_ONLY) {
		hostkeys_learn_own(r);
		programs_run_on_hosts(r, SSH_BATCH, NULL, finish_script,
		    finished);
	}
	if (s->etc_hosts && !s->apply)
		print_mappings(r);
	return 0;
}
