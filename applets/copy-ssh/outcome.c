/*
 * Reading the output of the script and of ssh.  It comes from other hosts, so
 * only report lines (outcome.h) count, and their texts are checked.
 */
#include "applets/copy-ssh/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/job/job.h"

/* Return the kind of ssh's failure by its standard error, because the exit
   status is 255 for all of them. */
static enum ssh_trouble
trouble_of(const struct child *c)
{
	if (c->timed_out)
		return SSH_SILENT;
	return c->err.text == NULL ? SSH_OTHER : ssh_trouble_find(c->err.text);
}

/* Set the error for "Permission denied", with the remedy for the situation.
   Returns -1. */
static int
describe_denied(const char *name, enum situation situation, struct error *e)
{
	switch (situation) {
	case WHILE_SETTING_UP:
		return error_set(e,
		    "Permission denied: run copy-ssh %s on a terminal, where "
		    "ssh can ask for the password",
		    name);
	case WHEN_AUTHORISED:
		return error_set(e,
		    "Permission denied, although the key is in "
		    "authorized_keys: on that host, run chmod go-w on the home "
		    "directory, and set PubkeyAuthentication yes in "
		    "/etc/ssh/sshd_config");
	default:
		return ssh_trouble_describe(SSH_DENIED, name, e);
	}
}

/* Set the error to the reason of a failure and its remedy, and *check to the
   check that failed.  Returns -1. */
static int
outcome_describe(const struct copy_ssh_run *r, const char *name,
    const struct child *c, enum situation situation, enum host_check *check,
    struct error *e)
{
	const enum ssh_trouble trouble = trouble_of(c);
	int port = r->settings->port;
	char line[256];

	*check = CHECK_PORT;
	switch (trouble) {
	case SSH_UNKNOWN_NAME:
		*check = CHECK_RESOLVES;
		return ssh_trouble_describe(SSH_UNKNOWN_NAME, name, e);
	case SSH_REFUSED:
		return error_set(e,
		    "nothing listens on port %d: on that host, apt-get install "
		    "openssh-server and service ssh start",
		    port);
	case SSH_SILENT:
		return error_set(e,
		    "no answer from port %d within %d s: check that the host "
		    "is up and that no firewall blocks the port",
		    port, r->settings->timeout_s);
	case SSH_CLOSED:
		return error_set(e,
		    "it closes the connection: see the log of its sshd, or try "
		    "a lower --jobs");
	case SSH_CHANGED_KEY:
	case SSH_UNKNOWN_KEY:
		*check = CHECK_HOST_KEY;
		return ssh_trouble_describe(trouble, name, e);
	case SSH_DENIED:
		*check = CHECK_KEY;
		return describe_denied(name, situation, e);
	default:
		*check = CHECK_KEY;
		reply_last_line(c->err.text, line, sizeof(line));
		if (line[0] == '\0')
			reply_last_line(c->out.text, line, sizeof(line));
		return error_set(e,
		    "the commands on that host failed (status %d)%s%s",
		    c->status, line[0] != '\0' ? ": " : "", line);
	}
}

/*
 * Judge by the report lines: "fail" means failure, and only "end", the script's
 * last report, proves success.  Status 0 alone does not, because a login shell
 * that runs something else, or nothing, also exits with it.
 */
enum ssh_outcome
outcome_judge(const struct copy_ssh_run *r, const char *name,
    const struct child *c, enum situation situation, enum host_check *check,
    struct error *e)
{
	struct reply p;
	bool ended = false, failed = false;

	reply_begin(&p, c->out.text);
	while (!failed && reply_next(&p)) {
		ended = ended || strcmp(p.word, "end") == 0;
		if (strcmp(p.word, "fail") == 0) {
			failed = true;
			*check = CHECK_KEY;
			(void)error_set(e, "%s", p.rest);
		}
	}
	reply_release(&p);
	if (failed)
		return OUTCOME_FAILED;
	if (ended && c->status == 0)
		return OUTCOME_DONE;
	(void)outcome_describe(r, name, c, situation, check, e);
	return trouble_of(c) == SSH_DENIED ? OUTCOME_DENIED : OUTCOME_FAILED;
}

/* Replace the field's value by a copy; frees the old one. */
static void
outcome_keep(char **field, const char *value)
{
	free(*field);
	*field = xstrdup(value);
}

/*
 * Read the names that a host has for the address of the host of copy-ssh.
 * Ignore "localhost" and the "ip6-" names of Debian's /etc/hosts, which every
 * host has.
 */
static void
read_callers(struct host *h, char *rest)
{
	const char *name;

	strvec_release(&h->callers);
	while (*(name = reply_word(&rest)) != '\0')
		if (hostlist_name_is_valid(name) &&
		    strncmp(name, "localhost", 9) != 0 &&
		    strncmp(name, "ip6-", 4) != 0)
			strvec_add(&h->callers, name);
}

/*
 * Keep or report the line's contents.  In a dry run the script changes nothing
 * but writes the same lines, so they are reported as "would make", not "made".
 */
bool
outcome_read_line(struct copy_ssh_run *r, struct host *h, const struct reply *p)
{
	const struct host *at = h == &r->self ? NULL : h;
	bool dry = r->settings->dry_run;
	char *rest = p->rest, *from, *to;

	if (strcmp(p->word, "host") == 0) {
		outcome_keep(&h->hostname, reply_word(&rest));
		outcome_keep(&h->user, reply_word(&rest));
		outcome_keep(&h->uid, reply_word(&rest));
	} else if (strcmp(p->word, "from") == 0) {
		from = reply_word(&rest);
		if (hostlist_name_is_valid(from))
			outcome_keep(&h->parent, from);
	} else if (strcmp(p->word, "caller") == 0)
		read_callers(h, rest);
	else if (strcmp(p->word, "identity") == 0 && at == NULL)
		outcome_keep(&r->identity, rest);
	else if (strcmp(p->word, "key") == 0) {
		free(h->public_key);
		h->public_key = reply_is_key(rest) ? xstrdup(rest) : NULL;
	} else if (strcmp(p->word, "made") == 0)
		findings_note(r, at, "%s %s", dry ? "would make" : "made",
		    rest);
	else if (strcmp(p->word, "mode") == 0) {
		from = reply_word(&rest);
		to = reply_word(&rest);
		findings_note(r, at, "%s the mode of %s from %s to %s",
		    dry ? "would change" : "changed", rest, from, to);
	} else if (strcmp(p->word, "config") == 0 ||
	    strcmp(p->word, "hosts") == 0)
		findings_note(r, at, "%s %s", dry ? "would change" : "changed",
		    rest);
	else if (strcmp(p->word, "removed") == 0)
		findings_note(r, at, "%s the lines of copy-ssh from %s",
		    dry ? "would remove" : "removed", rest);
	else if (strcmp(p->word, "damaged") == 0)
		findings_complain(r, at,
		    "line %s of known_hosts is damaged and was left as it is",
		    rest);
	else if (strcmp(p->word, "note") == 0)
		findings_complain(r, at, "%s", rest);
	else
		return false;
	return true;
}

/* Read all report lines.  "authorised N" has the number of new keys; 0 is not
   reported. */
void
outcome_read_host(struct copy_ssh_run *r, struct host *h, const struct child *c)
{
	struct reply p;
	char *rest;

	reply_begin(&p, c->out.text);
	while (reply_next(&p)) {
		if (outcome_read_line(r, h, &p) ||
		    strcmp(p.word, "authorised") != 0)
			continue;
		rest = p.rest;
		if (strcmp(reply_word(&rest), "0") != 0)
			findings_note(r, h == &r->self ? NULL : h,
			    "authorised %s",
			    h == &r->self ? "the hosts' keys" : "the key");
	}
}

/* ---- reports of the script ---- */

void
reply_begin(struct reply *p, const char *text)
{
	memset(p, 0, sizeof(*p));
	p->next = text != NULL ? text : "";
}

void
reply_release(struct reply *p)
{
	free(p->line);
	p->line = NULL;
}

char *
reply_word(char **rest)
{
	char *word = *rest + strspn(*rest, " ");
	size_t length = strcspn(word, " ");

	*rest = word + length;
	if (**rest != '\0')
		*(*rest)++ = '\0';
	return word;
}

/* Return a printable copy of the text. */
static char *
printable_copy(const char *text, size_t length)
{
	char *raw = xasprintf("%.*s", (int)length, text);
	char *line = xmalloc(4 * length + 1);

	text_printable(raw, line, 4 * length + 1);
	free(raw);
	return line;
}

bool
reply_next(struct reply *p)
{
	const char *line;
	size_t length, mark = strlen(MARK);

	reply_release(p);
	while (*p->next != '\0') {
		line = p->next;
		length = strcspn(line, "\n");
		p->next += length + (line[length] == '\n');
		if (length <= mark || strncmp(line, MARK, mark) != 0 ||
		    line[mark] != ' ')
			continue;
		p->line = printable_copy(line + mark + 1, length - mark - 1);
		p->rest = p->line;
		p->word = reply_word(&p->rest);
		return true;
	}
	return false;
}

void
reply_last_line(const char *text, char *out, size_t size)
{
	const char *last = "";
	char *line;
	size_t length;

	for (; text != NULL && *text != '\0';
	     text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (strspn(text, " \t\r") < length)
			last = text;
	}
	line = printable_copy(last, strcspn(last, "\r\n"));
	text_printable(line, out, size);
	free(line);
}

bool
reply_is_key(const char *text)
{
	static const char base64[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
	static const char types[] = "abcdefghijklmnopqrstuvwxyz0123456789-@.";
	size_t type = strspn(text, types), blob;

	if (text[type] != ' ' ||
	    (strncmp(text, "ssh-", 4) != 0 && strncmp(text, "ecdsa-", 6) != 0 &&
		strncmp(text, "sk-", 3) != 0))
		return false;
	text += type + 1;
	blob = strspn(text, base64);
	return blob > 16 && (text[blob] == '\0' || text[blob] == ' ');
}
