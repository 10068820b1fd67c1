/*
 * The verification: plain non-interactive ssh to each host, as programs call
 * it, and back from each host.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/copy-ssh/outcome.h"
#include "applets/copy-ssh/programs.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"

/* Limit of reported lines about the peers of one host. */
enum { BLAMED_MAX = 3 };

/*
 * Ask for the host's user and time, and whether it can call back.  The peer
 * "NAME @" is this host, at its address as seen there.
 */
static char *
probe_script(struct copy_ssh_run *r, struct host *h)
{
	bool back = r->settings->topology != PARENT_ONLY &&
	    h->findings[CHECK_BACK].verdict != SKIPPED;
	char *peers = xasprintf("%s @\n", r->self.name);
	struct script_request q = {
		.actions = back ? "probe peers" : "probe",
		.peers = back ? peers : NULL,
	};
	char *text = programs_script(r, &q);

	free(peers);
	return text;
}

/*
 * PopRun starts its programs under one user name; on a shared file system the
 * user number matters as well.
 */
static void
verify_check_user(struct copy_ssh_run *r, struct host *h)
{
	const struct copy_ssh_settings *s = r->settings;
	const char *wanted = s->user != NULL ? s->user : r->self.user;
	char *text = NULL;

	if (h->user == NULL || strcmp(h->user, wanted) != 0)
		text = xasprintf("the user there is %s, not %s: add --user %s, "
				 "or create the same user there",
		    h->user != NULL ? h->user : "?", wanted,
		    h->user != NULL ? h->user : "NAME");
	else if (s->user == NULL && strcmp(h->uid, r->self.uid) != 0)
		text = xasprintf(
		    "user %s has the number %s there and %s here, so files on "
		    "a shared file system change owner: usermod -u %s %s there",
		    wanted, h->uid, r->self.uid, r->self.uid, wanted);
	if (text != NULL)
		findings_fail_host(r, h, CHECK_USER, false, text);
	else
		findings_set(h, CHECK_USER, GOOD, "%s", h->user);
	free(text);
}

/*
 * The host's time was taken while the command ran, so the clock is off by at
 * least the difference to that interval.
 */
static void
verify_check_clock(struct copy_ssh_run *r, struct host *h, const char *seconds,
    const struct child *c)
{
	long long there, skew = 0;
	char *text;

	if (parse_number("time", seconds, 0, 1LL << 40, &there, NULL) != 0)
		return;
	if (there < c->started)
		skew = there - c->started;
	else if (there > c->ended)
		skew = there - c->ended;
	if (skew >= -CLOCK_SKEW_MAX_S && skew <= CLOCK_SKEW_MAX_S) {
		findings_set(h, CHECK_CLOCK, GOOD, "%+lld s", skew);
		return;
	}
	text = xasprintf("its clock is %lld s %s: set it, and synchronise it "
			 "by NTP (timedatectl set-ntp true)",
	    skew < 0 ? -skew : skew, skew < 0 ? "slow" : "fast");
	findings_fail_host(r, h, CHECK_CLOCK, false, text);
	free(text);
}

/*
 * mpirun starts this program there by its name: it must be on the PATH of a
 * non-login shell, and of this version.
 */
static void
check_ipubox(struct copy_ssh_run *r, struct host *h, const char *version)
{
	char *text;

	if (strcmp(version, "ipubox " IPUBOX_VERSION) == 0) {
		findings_set(h, CHECK_IPUBOX, GOOD, "%s", version);
		return;
	}
	text = xasprintf("%s: copy this ipubox into a directory of its PATH: "
			 "scp \"$(command -v ipubox)\" %s:/usr/local/bin/",
	    strcmp(version, "-") == 0 ?
		"ipubox is not on the PATH there" :
		"the host has another version of ipubox",
	    h->name);
	findings_fail_host(r, h, CHECK_IPUBOX, false, text);
	free(text);
}

/* Open MPI's daemon, which mpirun starts on each host. */
static void
check_orted(struct copy_ssh_run *r, struct host *h, const char *path)
{
	if (strcmp(path, "-") != 0)
		findings_set(h, CHECK_ORTED, GOOD, "%s", path);
	else
		findings_fail_host(r, h, CHECK_ORTED, false,
		    "Open MPI's orted is not on the PATH there: apt-get "
		    "install openmpi-bin");
}

/* Report one peer that the host could not reach, with ssh's last line. */
static void
report_peer(struct copy_ssh_run *r, struct host *h, const char *peer,
    const char *why)
{
	bool parent = strcmp(peer, r->self.name) == 0;
	char *text, *mend;

	if (strstr(why, "resolve hostname") != NULL)
		mend = xasprintf("that name has no address there: copy-ssh "
				 "--etc-hosts --apply");
	else if (strstr(why, "verification failed") != NULL)
		mend = xasprintf(
		    "the key of %s is not in its known_hosts: copy-ssh %s",
		    peer, h->name);
	else if (strstr(why, "Permission denied") != NULL)
		mend = xasprintf("%s does not accept its key: copy-ssh %s",
		    peer, h->name);
	else
		mend = xasprintf("%s",
		    parent ? "is sshd running on this host? (--parent-only "
			     "does not need it)" :
			     "is the host up?");
	text = xasprintf("from there to %s: %s: %s", peer, why, mend);
	findings_fail_host(r, h, CHECK_BACK, false, text);
	free(text);
	free(mend);
}

/*
 * Read "peer NAME ok" or "peer NAME fail WHY".  A host's first faults are
 * reported one by one, the rest as a number.
 */
static void
read_peers(struct copy_ssh_run *r, struct host *h, const struct child *c)
{
	struct reply p;
	const char *peer, *result;
	int blamed = 0;

	reply_begin(&p, c->out.text);
	while (reply_next(&p)) {
		if (strcmp(p.word, "peer") != 0)
			continue;
		peer = reply_word(&p.rest);
		result = reply_word(&p.rest);
		h->peers_tried++;
		if (strcmp(result, "ok") == 0)
			h->peers_good++;
		else if (blamed++ < BLAMED_MAX)
			report_peer(r, h, peer, p.rest);
	}
	if (blamed > BLAMED_MAX)
		findings_complain(r, h,
		    "from there, %d more hosts cannot be reached",
		    blamed - BLAMED_MAX);
	if (h->peers_tried > 0 && h->peers_good == h->peers_tried)
		findings_set(h, CHECK_BACK, GOOD, "%d of %d", h->peers_good,
		    h->peers_tried);
}

/*
 * The script ran, so plain ssh works: mark the checks up to the key as good
 * unless they are bad already.
 */
static void
probed(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	struct reply p;
	struct error e;
	enum host_check check;
	int i;

	if (outcome_judge(r, h->name, c,
		r->settings->verify ? WHILE_VERIFYING : WHEN_AUTHORISED, &check,
		&e) != OUTCOME_DONE) {
		findings_fail_host(r, h, check, true, e.text);
		return;
	}
	for (i = CHECK_RESOLVES; i <= CHECK_KEY; i++)
		if (h->findings[i].verdict == NOT_TRIED)
			findings_set(h, (enum host_check)i, GOOD, "%s", "");
	reply_begin(&p, c->out.text);
	while (reply_next(&p)) {
		if (strcmp(p.word, "time") == 0)
			verify_check_clock(r, h, p.rest, c);
		else if (strcmp(p.word, "ipubox") == 0)
			check_ipubox(r, h, p.rest);
		else if (strcmp(p.word, "orted") == 0)
			check_orted(r, h, p.rest);
		else
			(void)outcome_read_line(r, h, &p);
	}
	verify_check_user(r, h);
	read_peers(r, h, c);
}

/* Return the script that tries all other good hosts; bad ones were reported
   already. */
static char *
peers_script(struct copy_ssh_run *r, struct host *self)
{
	const struct host *h;
	struct memstream t;
	struct script_request q = { .actions = "peers" };
	char *peers, *text;

	(void)memstream_open(&t);
	for (h = r->hosts; h < r->hosts + r->count; h++)
		if (h != self && !h->failed)
			fprintf(t.file, "%s -\n", h->name);
	peers = memstream_close(&t, NULL);
	q.peers = peers;
	text = programs_script(r, &q);
	free(peers);
	return text;
}

static void
tried_peers(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	struct error e;
	enum host_check check;

	if (outcome_judge(r, h->name, c, WHILE_VERIFYING, &check, &e) !=
	    OUTCOME_DONE)
		findings_fail_host(r, h, CHECK_BACK, false, e.text);
	else
		read_peers(r, h, c);
}

/*
 * Verify the ways from here to each host and back.  With --all-to-all each host
 * also tries each other host.
 */
void
verify(struct copy_ssh_run *r)
{
	const struct copy_ssh_settings *s = r->settings;
	struct host *h;
	int i;

	for (h = r->hosts; h < r->hosts + r->count; h++)
		for (i = 0; i < CHECKS; i++)
			if ((s->skipped & 1u << i) != 0)
				h->findings[i].verdict = SKIPPED;
	programs_run_on_hosts(r, SSH_PLAIN, NULL, probe_script, probed);
	if (s->topology == ALL_TO_ALL && (s->skipped & 1u << CHECK_BACK) == 0 &&
	    r->count > 1)
		programs_run_on_hosts(r, SSH_PLAIN, NULL, peers_script,
		    tried_peers);
}
