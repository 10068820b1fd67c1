/*
 * Host keys: ssh-keyscan(1) finds them, and they are added to known_hosts.
 * Existing entries are never replaced without permission.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/copy-ssh/lines.h"
#include "applets/copy-ssh/outcome.h"
#include "applets/copy-ssh/programs.h"
#include "core/base/alloc.h"
#include "core/base/text.h"

/* A key of a host, with all names for it. */
struct key_verdict {
	char *host;
	struct strvec names;
	char *type;
	char *state;	 /* same, new, changed, replaced or revoked */
	char *print;	 /* its fingerprint */
	char *old_print; /* fingerprint of the previous key, or "" */
};

/* In the order of the script's reports. */
struct key_verdicts {
	struct key_verdict *items;
	size_t count;
};

/*
 * Build the ssh-keyscan command, for the name and for each address: sshd may
 * have other keys there if a name leads to several machines.
 */
static void
ask_hostkeys(const struct copy_ssh_run *r, const struct host *h,
    struct strvec *argv)
{
	size_t i;

	strvec_add(argv, r->keyscan);
	strvec_addf(argv, "-T%d", r->settings->timeout_s);
	strvec_addf(argv, "-p%d", r->settings->port);
	strvec_add(argv, "-ted25519,ecdsa,rsa");
	strvec_add(argv, h->name);
	for (i = 0; i < h->addresses.count; i++)
		if (strcmp(h->addresses.items[i], h->name) != 0)
			strvec_add(argv, h->addresses.items[i]);
}

/* Add a key, without anything after it, unless the list has it. */
static void
add_key(struct strvec *keys, char *key)
{
	char *blob = strchr(key, ' ') + 1;
	size_t i;

	blob[strcspn(blob, " ")] = '\0';
	for (i = 0; i < keys->count; i++)
		if (strcmp(keys->items[i], key) == 0)
			return;
	strvec_add(keys, key);
}

/* Read lines "NAME TYPE BLOB". */
static void
take_hostkeys(struct host *h, const char *text)
{
	const char *end, *space;
	char *key;

	for (; *text != '\0'; text = *end == '\n' ? end + 1 : end) {
		end = text + strcspn(text, "\n");
		space = memchr(text, ' ', (size_t)(end - text));
		if (*text == '#' || space == NULL)
			continue;
		key = xasprintf("%.*s", (int)(end - space - 1), space + 1);
		if (reply_is_key(key))
			add_key(&h->keys, key);
		free(key);
	}
}

/*
 * Read the output of ssh-keyscan.  If it has no key, report the host's fault
 * according to its error output.
 */
static void
read_hostkeys(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	struct error e;
	enum host_check check;

	take_hostkeys(h, c->out.text);
	if (h->keys.count > 0) {
		/* Keys arrive in the order of sshd's answers. */
		qsort(h->keys.items, h->keys.count, sizeof(*h->keys.items),
		    text_compare);
		return;
	}
	/* ssh-keyscan prints nothing for hosts that do not answer. */
	if (c->err.size == 0)
		c->timed_out = true;
	(void)outcome_judge(r, h->name, c, WHILE_SETTING_UP, &check, &e);
	findings_fail_host(r, h, check, true, e.text);
}

static void
verdicts_release(struct key_verdicts *v)
{
	struct key_verdict *k;

	for (k = v->items; k != NULL && k < v->items + v->count; k++) {
		free(k->host);
		strvec_release(&k->names);
		free(k->type);
		free(k->state);
		free(k->print);
		free(k->old_print);
	}
	free(v->items);
	memset(v, 0, sizeof(*v));
}

/* Return the type as ssh calls it: "ED25519" for "ssh-ed25519". */
static const char *
type_name(const char *type)
{
	if (strcmp(type, "ssh-ed25519") == 0)
		return "ED25519";
	if (strcmp(type, "ssh-rsa") == 0)
		return "RSA";
	return strncmp(type, "ecdsa-", 6) == 0 ? "ECDSA" : type;
}

/* Add a verdict "HOST NAME TYPE STATE FINGERPRINT [OLD]"; verdicts that differ
   only in NAME are merged. */
static void
add_verdict(struct key_verdicts *v, char *rest)
{
	const char *host = reply_word(&rest);
	const char *name = reply_word(&rest);
	const char *type = reply_word(&rest);
	const char *state = reply_word(&rest);
	const char *print = reply_word(&rest);
	const char *old = reply_word(&rest);
	struct key_verdict *k = v->count > 0 ? &v->items[v->count - 1] : NULL;

	if (k == NULL || strcmp(k->host, host) != 0 ||
	    strcmp(k->state, state) != 0 || strcmp(k->print, print) != 0 ||
	    strcmp(k->old_print, old) != 0) {
		v->items = xreallocarray(v->items, v->count + 1,
		    sizeof(*v->items));
		k = &v->items[v->count++];
		k->host = xstrdup(host);
		strvec_init(&k->names);
		k->type = xstrdup(type_name(type));
		k->state = xstrdup(state);
		k->print = xstrdup(print);
		k->old_print = xstrdup(old);
	}
	strvec_add(&k->names, name);
}

/* Return "a, b, c", which the caller frees. */
static char *
join_names(const struct strvec *names)
{
	struct memstream t;
	size_t i;

	(void)memstream_open(&t);
	for (i = 0; i < names->count; i++)
		fprintf(t.file, "%s%s", i > 0 ? ", " : "", names->items[i]);
	return memstream_close(&t, NULL);
}

/* Ask the user for the final decision about a key of --accept-changed. */
static bool
may_replace(const struct copy_ssh_run *r, const struct key_verdict *k)
{
	char *names, answer[16] = "";
	FILE *terminal;

	if (r->settings->yes)
		return true;
	if ((terminal = fopen("/dev/tty", "r+")) == NULL)
		return false;
	(void)fflush(stdout);
	names = join_names(&k->names);
	fprintf(terminal,
	    "%s: the %s host key of %s was\n  %s\nand is now\n"
	    "  %s\nReplace it? [y/N] ",
	    k->host, k->type, names, k->old_print, k->print);
	(void)fflush(terminal);
	if (fgets(answer, sizeof(answer), terminal) == NULL)
		answer[0] = '\0';
	(void)fclose(terminal);
	free(names);
	return answer[0] == 'y' || answer[0] == 'Y';
}

/* Collect the hosts of --accept-changed, except those that the user then
   refused. */
static bool
ask_for_changed(struct copy_ssh_run *r, const struct key_verdicts *v)
{
	const struct key_verdict *k;
	size_t i;
	bool changed = false, refused;

	strvec_release(&r->accepted);
	for (i = 0; i < r->settings->accepted.count; i++) {
		const char *name = r->settings->accepted.items[i];

		refused = false;
		for (k = v->items; k != NULL && k < v->items + v->count; k++)
			if (strcmp(k->state, "changed") == 0 &&
			    strcmp(k->host, name) == 0) {
				refused = !may_replace(r, k);
				changed = changed || !refused;
				break;
			}
		if (!refused)
			strvec_add(&r->accepted, name);
	}
	return changed;
}

/*
 * Report a changed key with both fingerprints and the remedy.  The host was
 * installed again, or an attacker intercepts the connection, so the key is
 * never replaced without permission.
 */
static void
notify_changed(struct copy_ssh_run *r, struct host *h,
    const struct key_verdict *k)
{
	char *names = join_names(&k->names), *text;

	if (lines_is_among(&r->accepted, k->host))
		text =
		    xasprintf("its host key has changed (%s), but a pattern in "
			      "known_hosts covers it: edit that line by hand",
			names);
	else
		text =
		    xasprintf("its %s host key (%s) has CHANGED: it was %s and "
			      "is now %s; %s: copy-ssh --accept-changed %s %s",
			k->type, names, k->old_print, k->print,
			lines_is_among(&r->settings->accepted, k->host) ?
			    "the answer was not yes (without a terminal, add "
			    "--yes)" :
			    "if the host was installed anew",
			h->name, h->name);
	findings_fail_host(r, h, CHECK_HOST_KEY, true, text);
	free(text);
	free(names);
}

static struct host *
hostkeys_find_host(const struct copy_ssh_run *r, const char *name)
{
	struct host *h;

	for (h = r->hosts; h < r->hosts + r->count; h++)
		if (strcmp(h->name, name) == 0)
			return h;
	return NULL;
}

/* Report the result for one key; new keys are reported together. */
static void
hostkeys_notify(struct copy_ssh_run *r, const struct key_verdict *k)
{
	struct host *h = hostkeys_find_host(r, k->host);
	char *names = join_names(&k->names), *text;

	if (h == NULL || h->failed) {
		free(names);
		return;
	}
	if (strcmp(k->state, "replaced") == 0)
		findings_note(r, h, "changed %s host key %s, was %s (%s)",
		    k->type, k->print, k->old_print, names);
	else if (strcmp(k->state, "changed") == 0)
		notify_changed(r, h, k);
	else if (strcmp(k->state, "revoked") == 0) {
		text = xasprintf("known_hosts marks its %s host key %s as "
				 "@revoked: give the host a new one",
		    k->type, k->print);
		findings_fail_host(r, h, CHECK_HOST_KEY, true, text);
		free(text);
	}
	free(names);
}

/* Whether the host is refused: none of its keys is written then, so none is
   new. */
static bool
is_refused(const struct key_verdicts *v, const char *host)
{
	size_t i;

	for (i = 0; i < v->count; i++)
		if (strcmp(v->items[i].host, host) == 0 &&
		    (strcmp(v->items[i].state, "changed") == 0 ||
			strcmp(v->items[i].state, "revoked") == 0))
			return true;
	return false;
}

/* Report the keys that were not known before, of hosts that are not refused. */
static void
notify_new(struct copy_ssh_run *r, const struct key_verdicts *v)
{
	const struct key_verdict *k;
	char *names;

	for (k = v->items; k != NULL && k < v->items + v->count; k++) {
		if (strcmp(k->state, "new") != 0 || is_refused(v, k->host))
			continue;
		names = join_names(&k->names);
		findings_note(r, hostkeys_find_host(r, k->host),
		    "new %s host key %s (%s)", k->type, k->print, names);
		free(names);
	}
}

char *
hostkeys_accepted(const struct copy_ssh_run *r)
{
	struct memstream t;
	size_t i;

	(void)memstream_open(&t);
	for (i = 0; i < r->accepted.count; i++)
		fprintf(t.file, "%s ", r->accepted.items[i]);
	return memstream_close(&t, NULL);
}

char *
hostkeys_of_all(const struct copy_ssh_run *r)
{
	const struct host *h;
	struct memstream t;

	(void)memstream_open(&t);
	for (h = r->hosts; h < r->hosts + r->count; h++)
		if (!h->failed)
			lines_write_hostkeys(t.file, r, h);
	return memstream_close(&t, NULL);
}

/*
 * Let the script compare the keys with known_hosts and add new ones; with
 * `accept`, also replace those of the named hosts.  The verdicts are its
 * reports.
 */
static int
update_known_hosts(struct copy_ssh_run *r, const char *hostkeys,
    const char *accept, struct key_verdicts *v, struct error *e)
{
	const struct script_request q = { .actions = "know",
		.hostkeys = hostkeys,
		.accept = accept,
		.here = true };
	struct child c;
	struct reply p;
	enum host_check check;
	int status = 0;

	verdicts_release(v);
	programs_run_here(r, &q, &c);
	if (outcome_judge(r, "localhost", &c, WHILE_SETTING_UP, &check, e) !=
	    OUTCOME_DONE)
		status = -1;
	reply_begin(&p, c.out.text);
	while (status == 0 && reply_next(&p)) {
		if (strcmp(p.word, "hostkey") == 0)
			add_verdict(v, p.rest);
		else if (accept == NULL)
			(void)outcome_read_line(r, &r->self, &p);
	}
	reply_release(&p);
	children_release(&c);
	return status;
}

/*
 * Run the script again if the user agreed to a change: the first run finds
 * changes, the second replaces keys.
 */
void
hostkeys_update_known(struct copy_ssh_run *r)
{
	struct key_verdicts v = { NULL, 0 };
	struct error e;
	char *hostkeys = hostkeys_of_all(r), *accept;
	size_t i;
	int status = 0;

	if (hostkeys[0] != '\0')
		status = update_known_hosts(r, hostkeys, NULL, &v, &e);
	if (status == 0 && ask_for_changed(r, &v)) {
		/* Keys that were new in the first run are old in the second. */
		notify_new(r, &v);
		accept = hostkeys_accepted(r);
		status = update_known_hosts(r, hostkeys, accept, &v, &e);
		free(accept);
	}
	if (status == 0)
		notify_new(r, &v);
	for (i = 0; status == 0 && i < v.count; i++)
		hostkeys_notify(r, &v.items[i]);
	if (status != 0) {
		findings_complain(r, NULL, "%s", e.text);
		r->failed = true;
	}
	verdicts_release(&v);
	free(hostkeys);
}

/*
 * Learn the keys of this host's sshd at the addresses that the other hosts see.
 * With a NAT in between, such an address does not belong to this host: no host
 * can call back there.
 */
void
hostkeys_learn_own(struct copy_ssh_run *r)
{
	const struct host *h;
	struct strvec argv, seen;
	struct child c;

	strvec_init(&seen);
	strvec_init(&argv);
	strvec_add(&argv, r->keyscan);
	strvec_addf(&argv, "-T%d", r->settings->timeout_s);
	strvec_addf(&argv, "-p%d", r->settings->port);
	strvec_add(&argv, "-ted25519,ecdsa,rsa");
	for (h = r->hosts; h < r->hosts + r->count; h++) {
		if (h->failed || h->parent == NULL ||
		    lines_is_among(&seen, h->parent))
			continue;
		strvec_add(&seen, h->parent);
		if (lines_is_own_address(r, h->parent))
			strvec_add(&argv, h->parent);
		else
			findings_complain(r, h,
			    "it sees this host as %s, which is not an address "
			    "of this host: address translation prevents "
			    "logging in back; use --parent-only",
			    h->parent);
	}
	if (argv.count > 4) {
		programs_run_command(&argv, &c);
		take_hostkeys(&r->self, c.out.text);
		if (r->self.keys.count == 0)
			findings_complain(r, NULL,
			    "no sshd answers on port %d, so the hosts cannot "
			    "log in back: apt-get install openssh-server, or "
			    "use --parent-only",
			    r->settings->port);
		children_release(&c);
	}
	strvec_release(&argv);
	strvec_release(&seen);
}

/*
 * Read a host's report about the keys that it was given: how many it learnt,
 * and for which hosts it has other keys.
 */
void
hostkeys_read(struct copy_ssh_run *r, struct host *h, const struct child *c)
{
	struct key_verdicts v = { NULL, 0 };
	struct reply p;
	size_t i, new = 0;
	char *text;

	reply_begin(&p, c->out.text);
	while (reply_next(&p))
		if (strcmp(p.word, "hostkey") == 0)
			add_verdict(&v, p.rest);
	for (i = 0; i < v.count; i++) {
		const struct key_verdict *k = &v.items[i];

		if (strcmp(k->state, "new") == 0 ||
		    strcmp(k->state, "replaced") == 0)
			new += is_refused(&v, k->host) ? 0 : 1;
		else if (strcmp(k->state, "same") != 0) {
			text =
			    xasprintf("its known_hosts has another %s key of "
				      "%s, %s; if that host was installed "
				      "anew: copy-ssh --accept-changed %s %s",
				k->type, k->host, k->old_print, k->host,
				h->name);
			findings_fail_host(r, h, CHECK_BACK, false, text);
			free(text);
		}
	}
	if (new > 0)
		findings_note(r, h, "learnt %zu host key%s", new,
		    new == 1 ? "" : "s");
	verdicts_release(&v);
}

void
hostkeys_learn(struct copy_ssh_run *r)
{
	programs_run_for_hosts(r, ask_hostkeys, read_hostkeys);
	if (r->settings->dry_run)
		findings_note(r, NULL,
		    "would add missing host keys to known_hosts, hashed");
	else
		hostkeys_update_known(r);
}
