/*
 * The checks of a job's other hosts.  Read check_hosts_run().
 */
#include "applets/poprun/poprun.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/diag/check_answer.h"
#include "core/job/job.h"
#include "core/launch/plan/on_hosts.h"
#include "core/process/process.h"

enum {
	HOSTS_AT_A_TIME = 32,
	HOST_LIMIT_MS = 40000, /* includes 10 s to connect */
	ALL_LIMIT_MS = 300000, /* then no more are started */
	SSH_FAILED = 255,
	NOT_EXECUTABLE = 126,
	NOT_FOUND = 127,
	SAID_SIZE = 256
};

/* The query of one host. */
struct hosts_query {
	const struct on_hosts *way;
	struct diagnosis *diagnosis;
	const char *host;
	const char *file; /* of this program */
	char *request;
	struct strvec argv;
};

/* ---- this host ---- */

static void
hosts_check_network(struct plan *p, struct diagnosis *d)
{
	const struct job_network *n = &p->network;
	struct error e = { .text = "" };

	d->checking = "network";
	if (plan_connect(p, &e) != 0)
		diagnosis_add(d, VERDICT_FAIL,
		    n->own.address[0] == '\0' ?
			"%s\tname a network of all hosts with --host-subnet" :
			"%s",
		    e.text);
	else if (!n->holds_all)
		diagnosis_add(d, VERDICT_OK,
		    "%s on %s; not all hosts have an address in %s, so mpirun "
		    "chooses the network",
		    n->own.address, n->own.interface, n->own.subnet);
	else
		diagnosis_add(d, VERDICT_OK, "%s on %s", n->own.address,
		    n->own.interface);
}

/* The launcher's check covers mpirun itself. */
static void
hosts_check_mpi(const struct plan *p, struct diagnosis *d)
{
	char *version = p->mpirun == NULL ?
	    NULL :
	    check_files_find_version(p->mpirun);

	d->checking = "mpi";
	if (version != NULL)
		diagnosis_add(d, VERDICT_OK, "%s, %s", p->mpirun, version);
	free(version);
}

void
check_hosts_run_own(struct plan *p, struct diagnosis *d)
{
	struct strvec self;
	struct error e;

	strvec_init(&self);
	d->checking = "reachable";
	diagnosis_add(d, VERDICT_OK, "poprun runs here");
	d->checking = "ipubox";
	if (own_program_add(&self, &e) != 0)
		diagnosis_add(d, VERDICT_FAIL, "%s\tcall poprun by its path",
		    e.text);
	else
		diagnosis_add(d, VERDICT_OK, "version %s, %s", IPUBOX_VERSION,
		    self.items[0]);
	d->checking = "clock";
	diagnosis_add(d, VERDICT_OK,
	    "the clocks of the other hosts are compared with it");
	hosts_check_network(p, d);
	hosts_check_mpi(p, d);
	strvec_release(&self);
}

/* ---- the request ---- */

static void
hosts_add_present(struct check_request *q, const char *path)
{
	if (path != NULL && path[0] == '/' && access(path, F_OK) == 0)
		strvec_add(&q->present, path);
}

static void
hosts_add_room(struct check_request *q, const char *option, const char *path)
{
	if (path == NULL || *path == '\0')
		return;
	strvec_add(&q->rooms, option);
	strvec_add(&q->rooms, path);
	hosts_add_present(q, path);
}

/* Add the hashes of the program and its script on this host. */
static void
hosts_add_sums(struct check_request *q, const struct plan *p)
{
	const char *script = check_files_find_script(p->settings->program);
	const char *wdir = p->working != NULL ? p->working[0] : NULL;
	char *path;

	check_sum_read("/proc/self/exe", &q->own);
	check_sum_read(p->path, &q->program_sum);
	if (script == NULL)
		return;
	path = script[0] == '/' || wdir == NULL ?
	    xstrdup(script) :
	    xasprintf("%s/%s", wdir, script);
	check_sum_read(path, &q->script_sum);
	free(path);
}

/* Make the part of the request that is equal for all hosts. */
static void
hosts_make_request(struct check_request *q, const struct plan *p)
{
	const struct launch_settings *s = p->settings;
	const struct job_network *n = &p->network;
	const char *search = getenv("PATH");
	char *const *word;

	check_request_init(q);
	strvec_add_all(&q->program,
	    p->program.count > 0 ? p->program.items : s->program);
	for (word = s->program + 1; word[-1] != NULL && *word != NULL; word++)
		hosts_add_present(q, check_files_find_path(*word));
	hosts_add_room(q, "--autoreport-dir", s->autoreport_dir);
	hosts_add_room(q, "--executable-cache-path", s->cache_path);
	q->search = search != NULL ? xstrdup(search) : NULL;
	q->path = p->path != NULL ? xstrdup(p->path) : NULL;
	q->version = xstrdup(IPUBOX_VERSION);
	q->pipes = s->pty == PTY_NO;
	if (p->remote.share_network)
		q->network = xstrdup("");
	else if (n->asked != NULL || n->holds_all || n->own.address[0] == '\0')
		q->network =
		    xstrdup(n->asked != NULL ? n->asked : n->own.subnet);
	if (p->mpirun != NULL) {
		q->mpirun = xstrdup(p->mpirun);
		q->mpirun_version = check_files_find_version(p->mpirun);
	}
	hosts_add_sums(q, p);
}

/* Return the request for one host, with its additional parts. */
static char *
hosts_request_text(struct check_request *q, const struct plan *p, int host)
{
	const char *wdir = NULL;
	int i;

	for (i = p->layout.num_instances - 1; i >= 0; i--)
		if (p->working != NULL &&
		    layout_instance(&p->layout, i).host == host)
			wdir = p->working[i];
	q->instances = layout_host_instances(&p->layout, host);
	q->directory_said = wdir != NULL;
	free(q->directory);
	q->directory = wdir != NULL ? xstrdup(wdir) : getcwd(NULL, 0);
	return check_request_text(q);
}

/* ---- the answer ---- */

/* An agent other than ssh may report an unreachable host with any status. */
static bool
hosts_is_reached(const struct hosts_query *h, const struct child *c)
{
	if (!h->way->agent->has_names)
		return c->status != SSH_FAILED && c->status <= 128;
	return c->status == 0 || c->status == NOT_FOUND ||
	    c->status == NOT_EXECUTABLE ||
	    strstr(c->err.text, "no applet") != NULL;
}

/* Add ssh's trouble as a sentence that ends with the remedy. */
static void
hosts_add_ssh_trouble(const struct hosts_query *h, const struct child *c)
{
	const enum ssh_trouble trouble = ssh_trouble_find(c->err.text);
	struct diagnosis *d = h->diagnosis;
	char said[SAID_SIZE], *at, *mend;
	struct error e;

	(void)ssh_trouble_describe(trouble, h->host, &e);
	if ((mend = strstr(e.text, "; if ")) == NULL)
		for (at = e.text; (at = strstr(at, ": ")) != NULL; at++)
			mend = at;
	on_hosts_last_line(c->err.text, said, sizeof(said));
	if (mend == NULL)
		mend = e.text + strlen(e.text);
	diagnosis_add(d, VERDICT_FAIL, "%.*s%s%s%s\t%s", (int)(mend - e.text),
	    e.text, trouble == SSH_OTHER && *said != '\0' ? " (" : "",
	    trouble == SSH_OTHER ? said : "",
	    trouble == SSH_OTHER && *said != '\0' ? ")" : "",
	    *mend != '\0' ? mend + 2 : "");
}

static void
hosts_add_trouble(const struct hosts_query *h, const struct child *c)
{
	const char *name = remote_agent_name(h->way->agent);
	char said[SAID_SIZE];

	if (!h->way->agent->has_names) {
		hosts_add_ssh_trouble(h, c);
		return;
	}
	on_hosts_last_line(c->err.text, said, sizeof(said));
	diagnosis_add(h->diagnosis, VERDICT_FAIL,
	    "%s does not reach the host%s%s%s\ttry %s %s true", name,
	    *said != '\0' ? " (" : "", said, *said != '\0' ? ")" : "", name,
	    h->host);
}

/* Report that the host is reached, but this program did not answer there. */
static void
hosts_add_no_answer(const struct hosts_query *h, const struct child *c,
    const struct error *reason)
{
	struct diagnosis *d = h->diagnosis;
	char said[SAID_SIZE], *mend;

	mend = h->way->agent->has_names ?
	    xstrdup(
		"copy the file of this host there, or add --bring-ipubox yes") :
	    xasprintf("copy the file of this host there: scp %s %s:%s; or add "
		      "--bring-ipubox yes",
		h->file, h->host, h->file);
	on_hosts_last_line(c->err.text, said, sizeof(said));
	d->checking = "ipubox";
	if (strstr(said, "no applet") != NULL)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s is another version, which does not know this check\t%s",
		    h->file, mend);
	else if (c->status == NOT_FOUND || c->status == NOT_EXECUTABLE)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s is missing or cannot be executed (%s)\t%s", h->file,
		    said, mend);
	else
		diagnosis_add(d, VERDICT_FAIL, "%s: %s%s%s\t%s", h->file,
		    reason->text, *said != '\0' ? ": " : "", said, mend);
	free(mend);
}

/* Read the answer of a host; called as soon as each one ends. */
static void
hosts_read_answer(struct child *c)
{
	const struct hosts_query *h = c->context;
	struct check_answer answer = { .began_ms = 0 };
	struct diagnosis *d = h->diagnosis;
	const char *name = h->way->agent->has_names ?
	    remote_agent_name(h->way->agent) :
	    "ssh";
	struct error e = { .text = "" };

	d->checking = "reachable";
	if (c->timed_out)
		diagnosis_add(d, VERDICT_FAIL,
		    "no answer within %d s\tcheck that its file systems "
		    "respond: %s %s df",
		    HOST_LIMIT_MS / 1000, name, h->host);
	else if (!hosts_is_reached(h, c))
		hosts_add_trouble(h, c);
	else {
		diagnosis_add(d, VERDICT_OK, "by %s", name);
		answer.diagnosis = *d;
		if (check_answer_read(&answer, c->out.text, c->out.size, &e) !=
		    0)
			hosts_add_no_answer(h, c, &e);
		else {
			*d = answer.diagnosis;
			check_answer_judge_clock(&answer, c->started_ms,
			    c->ended_ms, d);
		}
	}
	children_release(c);
}

/* ---- the whole check ---- */

/* End by the signal after the children have ended. */
static void
hosts_interrupted(int signal_number)
{
	(void)signal(signal_number, SIG_DFL);
	(void)raise(signal_number);
}

/* Query many hosts at a time.  Hosts without a turn before the time limit are
   reported as not asked. */
static void
hosts_ask(struct hosts_query *queries, size_t count)
{
	const int64_t deadline = clock_monotonic_ms() + ALL_LIMIT_MS;
	struct child *children = xcalloc(count + 1, sizeof(*children));
	size_t i, begun = 0, n;
	int status;

	for (i = 0; i < count; i++) {
		children[i].argv = queries[i].argv.items;
		children[i].input = queries[i].way->agent->has_names ?
		    NULL :
		    queries[i].request;
		children[i].limit_ms = HOST_LIMIT_MS;
		children[i].context = &queries[i];
	}
	while (begun < count && clock_monotonic_ms() < deadline) {
		n = count - begun < HOSTS_AT_A_TIME ?
		    count - begun :
		    HOSTS_AT_A_TIME;
		status = children_run(children + begun, n, HOSTS_AT_A_TIME,
		    hosts_read_answer);
		if (status != 0)
			hosts_interrupted(status);
		begun += n;
	}
	for (i = begun; i < count; i++) {
		queries[i].diagnosis->checking = "reachable";
		diagnosis_add(queries[i].diagnosis, VERDICT_FAIL,
		    "not asked: the hosts before it took %d s\tcheck fewer "
		    "hosts at a time",
		    ALL_LIMIT_MS / 1000);
	}
	free(children);
}

/* Report that no host can be asked. */
static void
hosts_refuse(struct check_column *columns, int count, int own,
    const struct error *e)
{
	int c;

	for (c = 0; c < count; c++) {
		if (c == own)
			continue;
		columns[c].diagnosis.checking = "reachable";
		diagnosis_add(&columns[c].diagnosis, VERDICT_FAIL, "%s",
		    e->text);
	}
}

/* Return the command for a host.  An agent may not forward standard input, so
   its request is a word of the command. */
static char *
hosts_command(const struct hosts_query *h, const struct strvec *self)
{
	char *file = strvec_typed(self->items), *words, *command;
	char print[] = "printf", all[] = "%s";

	if (!h->way->agent->has_names)
		return file;
	words = strvec_quoted((char *const[]){ print, all, h->request, NULL });
	command = xasprintf("%s | %s", words, file);
	free(words);
	free(file);
	return command;
}

static void
hosts_ask_all(const struct plan *p, const struct on_hosts *way,
    const struct strvec *self, struct check_column *columns, int count, int own)
{
	struct hosts_query *queries = xcalloc((size_t)count, sizeof(*queries));
	struct check_request request;
	const int more = count - (int)p->hosts.count;
	int c, n = 0;

	hosts_make_request(&request, p);
	for (c = 0; c < count; c++) {
		struct hosts_query *h = &queries[n];

		if (c == own)
			continue;
		h->way = way;
		h->diagnosis = &columns[c].diagnosis;
		h->host = columns[c].host;
		h->file = self->items[0];
		h->request = hosts_request_text(&request, p, c - more);
		on_hosts_add_command(way, h->host, hosts_command(h, self),
		    &h->argv);
		n++;
	}
	hosts_ask(queries, (size_t)n);
	for (c = 0; c < n; c++) {
		free(queries[c].request);
		strvec_release(&queries[c].argv);
	}
	check_request_release(&request);
	free(queries);
}

void
check_hosts_run(const struct plan *p, struct check_column *columns, int count,
    int own)
{
	struct remote_agent agent = { .has_names = false };
	struct on_hosts way = { .count = 0 };
	struct strvec self;
	struct error e = { .text = "" };

	strvec_init(&self);
	if (own_program_add(&self, &e) != 0 ||
	    remote_agent_find(&agent, p->settings, &e) != 0 ||
	    on_hosts_init(&way, &agent, &p->hosts, true, NULL, &e) != 0)
		hosts_refuse(columns, count, own, &e);
	else {
		strvec_add(&self, CHECK_REMOTE_WORD);
		hosts_ask_all(p, &way, &self, columns, count, own);
	}
	on_hosts_release(&way);
	remote_agent_release(&agent);
	strvec_release(&self);
}
