/*
 * Commands on the hosts of a job.  Read on_hosts_run(), and
 * core/process/children.c, which runs them.
 */
#include "core/launch/plan/on_hosts.h"

#include <sys/stat.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/network.h"
#include "core/base/text.h"
#include "core/job/job.h"
#include "core/launch/plan/job_server.h"
#include "core/process/process.h"

/* $0 of a script on this host; on others it is "sh". */
#define ON_HOSTS_HERE "here"

enum {
	ON_HOSTS_JOBS = 32, /* most commands at a time */
	SSH_FAILED = 255    /* exit status of ssh's own failures */
};

/* Add options for ssh: never prompt, never share a user's open connection, and
   notice a lost host. */
static void
on_hosts_add_ssh(struct strvec *way)
{
	static const char *const options[] = { "-Tax", "-oBatchMode=yes",
		"-oConnectTimeout=10", "-oControlPath=none", "-oLogLevel=ERROR",
		"-oServerAliveInterval=15", "-oUpdateHostKeys=no" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		strvec_add(way, options[i]);
}

/* Set the words that come before a host: the agent's, or ssh.  Our options for
   ssh come after the user's, because ssh uses the first value of an option. */
static int
on_hosts_find_way(struct on_hosts *o, struct error *e)
{
	char *ssh;

	if (o->agent->words.count > 0)
		strvec_add_all(&o->way, o->agent->words.items);
	else if (program_find("ssh", getenv("PATH"), &ssh, e) == 0)
		strvec_take(&o->way, ssh);
	else
		return error_append(e, ": apt-get install openssh-client");
	if (!o->agent->has_names)
		on_hosts_add_ssh(&o->way);
	return 0;
}

int
on_hosts_init(struct on_hosts *o, const struct remote_agent *agent,
    const struct strvec *hosts, bool with_own, const sigset_t *mask,
    struct error *e)
{
	size_t i;

	*o = (struct on_hosts){ .agent = agent, .mask = mask };
	o->all = xcalloc(hosts->count + 1, sizeof(*o->all));
	for (i = 0; i < hosts->count; i++)
		if (with_own || !own_host_is(hosts->items[i]))
			o->all[o->count++].host = hosts->items[i];
	if (on_hosts_find_way(o, e) != 0)
		return -1;
	return program_find("sh", getenv("PATH"), &o->sh, e) == 0 ? 0 : -1;
}

static void
on_hosts_forget(struct on_hosts_one *one)
{
	strvec_release(&one->argv);
	children_release(&one->child);
	one->good = false;
}

void
on_hosts_release(struct on_hosts *o)
{
	size_t i;

	for (i = 0; i < o->count; i++)
		on_hosts_forget(&o->all[i]);
	free(o->all);
	strvec_release(&o->way);
	free(o->sh);
	*o = (struct on_hosts){ .count = 0 };
}

void
on_hosts_add_command(const struct on_hosts *o, const char *host, char *command,
    struct strvec *argv)
{
	strvec_add_all(argv, o->way.items);
	strvec_add(argv, host);
	if (o->agent->is_slurm) {
		strvec_add(argv, "sh");
		strvec_add(argv, "-c");
	}
	strvec_take(argv, command);
}

void
on_hosts_add_script(const struct on_hosts *o, const char *host,
    const char *script, const struct strvec *words, struct strvec *argv)
{
	const bool own = own_host_is(host);
	struct strvec command;

	strvec_init(&command);
	strvec_add(&command, own ? o->sh : "sh");
	strvec_add(&command, "-c");
	strvec_add(&command, script);
	strvec_add(&command, own ? ON_HOSTS_HERE : "sh");
	if (words->count > 0)
		strvec_add_all(&command, words->items);
	if (own)
		strvec_add_all(argv, command.items);
	else
		on_hosts_add_command(o, host, strvec_quoted(command.items),
		    argv);
	strvec_release(&command);
}

char *
on_hosts_identity(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 ?
	    xstrdup("-") :
	    xasprintf("%" PRIu64 ":%" PRIu64, (uint64_t)st.st_dev,
		(uint64_t)st.st_ino);
}

bool
on_hosts_printed(const struct on_hosts_one *one, const char *line)
{
	const size_t length = strlen(line);
	const char *text = one->child.out.text, *end;

	for (; text != NULL; text = end == NULL ? NULL : end + 1) {
		end = strchr(text, '\n');
		if (strncmp(text, line, length) == 0 && text + length == end)
			return true;
	}
	return false;
}

/* A host, and the work that it does: the context of its command. */
struct on_hosts_task {
	struct on_hosts_one *one;
	const struct on_hosts_work *work;
};

static void
on_hosts_ended(struct child *c)
{
	const struct on_hosts_task *t = c->context;
	struct on_hosts_one *one = t->one;

	one->child = *c;
	*c = (struct child){ .argv = c->argv };
	one->good = one->child.status == 0 && !one->child.timed_out &&
	    (t->work->mark == NULL || on_hosts_printed(one, t->work->mark));
	if (one->good && t->work->success_note != NULL)
		job_log_line(LOG_INFO, "%s: %s", one->host,
		    t->work->success_note);
}

int
on_hosts_run(struct on_hosts *o, const struct on_hosts_work *w)
{
	struct child *children = xcalloc(o->count + 1, sizeof(*children));
	struct on_hosts_task *tasks = xcalloc(o->count + 1, sizeof(*tasks));
	struct on_hosts_one *one;
	size_t count = 0, i;
	int interrupted;

	for (one = o->all; one < o->all + o->count; one++) {
		on_hosts_forget(one);
		if (one->skipped)
			continue;
		if (w->make_argv != NULL)
			w->make_argv(o, one->host, w->context, &one->argv);
		else
			on_hosts_add_script(o, one->host, w->script, &w->words,
			    &one->argv);
		tasks[count] = (struct on_hosts_task){ .one = one, .work = w };
		children[count] = (struct child){ .argv = one->argv.items,
			.context = &tasks[count],
			.input = w->input,
			.input_file = w->input_file,
			.mask = o->mask,
			.limit_ms = (int64_t)w->limit_s * 1000 };
		count++;
	}
	interrupted = children_run(children, count, ON_HOSTS_JOBS,
	    on_hosts_ended);
	for (i = 0; i < count; i++)
		children_release(&children[i]);
	free(children);
	free(tasks);
	return interrupted;
}

/* Copy the first line that is not empty, made safe for a terminal.  It has the
   cause, while the last line of tar and rsync is only a summary. */
static void
on_hosts_first_line(const char *text, char *out, size_t size)
{
	char *line;

	text = text == NULL ? "" : text + strspn(text, " \t\r\n");
	line = xasprintf("%.*s", (int)strcspn(text, "\r\n"), text);
	text_printable(line, out, size);
	free(line);
}

/* Return true for a line without a reason: an empty one, a trace of the remote
   shell (set -x), or kubectl exec's report of a status. */
static bool
on_hosts_is_idle(const char *line, size_t size)
{
	static const char ended[] = "command terminated with exit code";

	return size == 0 || strncmp(line, "+ ", 2) == 0 ||
	    strncmp(line, ended, sizeof(ended) - 1) == 0;
}

void
on_hosts_last_line(const char *text, char *out, size_t size)
{
	const char *last = "";
	size_t length, last_length = 0;
	char *line;

	for (; text != NULL && *text != '\0';
	     text += length, text += strspn(text, "\r\n")) {
		length = strcspn(text, "\r\n");
		if (on_hosts_is_idle(text, length))
			continue;
		last = text;
		last_length = length;
	}
	line = xasprintf("%.*s", (int)last_length, last);
	text_printable(line, out, size);
	free(line);
}

/* Set the error to the last line that an agent other than ssh, or the command,
   wrote on standard error. */
static void
on_hosts_explain_agent(const struct on_hosts *o, const struct on_hosts_one *one,
    struct error *e)
{
	const char *name = remote_agent_name(o->agent);
	char line[256];

	on_hosts_last_line(one->child.err.text, line, sizeof(line));
	if (line[0] != '\0')
		(void)error_set(e, "%s", line);
	else if (one->child.status == 0)
		(void)error_set(e,
		    "the host did not run the commands: try %s %s true", name,
		    one->host);
	else
		(void)error_set(e,
		    "%s ended with status %d and without a message", name,
		    one->child.status);
}

/* Set the error from the table of ssh's failures.  For a failure that is not
   there, use the first line on standard error, which may be the command's. */
static void
on_hosts_explain_ssh(const struct on_hosts_one *one, struct error *e)
{
	const char *text = one->child.err.text;
	enum ssh_trouble trouble = SSH_OTHER;
	char line[256];

	on_hosts_first_line(text, line, sizeof(line));
	if (one->child.status == SSH_FAILED && text != NULL &&
	    !own_host_is(one->host))
		trouble = ssh_trouble_find(text);
	if (trouble != SSH_OTHER ||
	    (one->child.status == SSH_FAILED && line[0] == '\0'))
		(void)ssh_trouble_describe(trouble, one->host, e);
	else if (line[0] != '\0')
		(void)error_set(e, "%s", line);
	else if (one->child.status == 0)
		(void)error_set(e,
		    "its login shell did not run the commands: try ssh %s true",
		    one->host);
	else
		(void)error_set(e,
		    "the commands on that host failed (status %d)",
		    one->child.status);
}

void
on_hosts_explain(const struct on_hosts *o, const struct on_hosts_one *one,
    struct error *e)
{
	if (one->child.timed_out)
		(void)error_set(e, "it took more than %lld s and was stopped",
		    (long long)one->child.limit_ms / 1000);
	else if (o->agent->has_names && !own_host_is(one->host))
		on_hosts_explain_agent(o, one, e);
	else
		on_hosts_explain_ssh(one, e);
}

size_t
on_hosts_tell(const struct on_hosts *o, const char *what)
{
	const struct on_hosts_one *one;
	struct error e;
	size_t count = 0;

	for (one = o->all; one < o->all + o->count; one++) {
		if (one->skipped || one->good)
			continue;
		on_hosts_explain(o, one, &e);
		(void)job_log_error("%s %s: %s", what, one->host, e.text);
		count++;
	}
	return count;
}
