/*
 * The commands of copy-ssh: the ssh programs, and the script run by `sh -s`.
 */
#include "applets/copy-ssh/programs.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/copy-ssh/outcome.h"
#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/text.h"
#include "core/process/process.h"

/* Time limit in seconds for the work on a host, added to that for
   connecting. */
enum { WORK_S = 30 };

/* Generated at build time from applets/copy-ssh/remote.sh. */
extern const char copy_ssh_text[];

/* A command for a host.  Owns argv and the input. */
struct task {
	struct copy_ssh_run *run;
	struct host *host;
	host_ended *ended;
	struct strvec argv;
	char *input;
};

/* Return true if the program is on the PATH. */
static bool
has_program(const char *program)
{
	char *path = NULL;
	bool found;

	found = program_find(program, getenv("PATH"), &path, NULL) == 0;
	free(path);
	return found;
}

/* Return the command that installs the ssh programs with this host's package
   manager, or a description if the manager is unknown. */
static const char *
how_to_install(void)
{
	if (has_program("apt-get"))
		return "apt-get install openssh-client";
	if (has_program("dnf"))
		return "dnf install openssh-clients";
	if (has_program("apk"))
		return "apk add openssh-client openssh-keygen";
	return "the OpenSSH client of your distribution";
}

static int
programs_find_one(const char *name, char **path, struct error *e)
{
	if (program_find(name, getenv("PATH"), path, e) == 0)
		return 0;
	return error_append(e, " (install it: %s)", how_to_install());
}

int
programs_find(struct copy_ssh_run *r, struct error *e)
{
	char *keygen = NULL;
	int status;

	status = programs_find_one("ssh", &r->ssh, e);
	if (status == 0)
		status = programs_find_one("ssh-keyscan", &r->keyscan, e);
	if (status == 0)
		status = programs_find_one("ssh-keygen", &keygen, e);
	free(keygen);
	if (status == 0 && program_find("sh", getenv("PATH"), &r->sh, e) != 0)
		status = -1;
	/* Without getent the addresses of names stay unknown. */
	(void)program_find("getent", getenv("PATH"), &r->getent, NULL);
	return status;
}

/* Write NAME='VALUE' for sh, with each quote in the value escaped.  NULL is
   written as ''. */
static void
assign(FILE *f, const char *name, const char *value)
{
	fprintf(f, "%s='", name);
	for (; value != NULL && *value != '\0'; value++) {
		if (*value == '\'')
			fputs("'\\''", f);
		else
			fputc(*value, f);
	}
	fputs("'\n", f);
}

/* Return the key's path for the script here, or only its name for other hosts,
   where the key is in ~/.ssh.  "": the user named no key. */
static const char *
identity_of(const struct copy_ssh_run *r, bool here)
{
	const char *identity = r->settings->identity;

	if (identity == NULL)
		return "";
	return here ? r->identity : path_base_name(identity);
}

char *
programs_script(const struct copy_ssh_run *r, const struct script_request *q)
{
	struct memstream t;
	char number[16];

	(void)snprintf(number, sizeof(number), "%d", r->settings->timeout_s);
	(void)memstream_open(&t);
	assign(t.file, "actions", q->actions);
	assign(t.file, "dry", r->settings->dry_run ? "1" : "0");
	assign(t.file, "identity", identity_of(r, q->here));
	assign(t.file, "make_key", q->make_key ? "1" : "0");
	assign(t.file, "keys", q->keys);
	assign(t.file, "hostkeys", q->hostkeys);
	assign(t.file, "names", q->names);
	assign(t.file, "accept", q->accept);
	assign(t.file, "stanzas", q->stanzas);
	assign(t.file, "mapping", q->mapping);
	assign(t.file, "peers", q->peers);
	assign(t.file, "timeout", number);
	fputs(copy_ssh_text, t.file);
	return memstream_close(&t, NULL);
}

/*
 * Add the ssh command for work on a host.  It never learns a key, never shares
 * a user's open connection (ControlPath), and prompts only if a person is to
 * answer.
 */
static void
add_ssh(const struct copy_ssh_run *r, enum ssh_kind kind, const struct host *h,
    struct strvec *argv)
{
	const struct copy_ssh_settings *s = r->settings;

	strvec_add(argv, r->ssh);
	strvec_add(argv, "-Tax");
	strvec_add(argv, "-oStrictHostKeyChecking=yes");
	strvec_add(argv, "-oUpdateHostKeys=no");
	strvec_add(argv, "-oControlPath=none");
	strvec_add(argv, "-oLogLevel=ERROR");
	strvec_addf(argv, "-oConnectTimeout=%d", s->timeout_s);
	if (kind != SSH_ASK)
		strvec_add(argv, "-oBatchMode=yes");
	/* SSH_PLAIN is for verifying: a program's own ssh will pass no port,
	   user or key either. */
	if (kind != SSH_PLAIN && s->port != SSH_PORT)
		strvec_addf(argv, "-p%d", s->port);
	if (kind != SSH_PLAIN && s->user != NULL)
		strvec_addf(argv, "-l%s", s->user);
	if (kind != SSH_PLAIN && s->identity != NULL)
		strvec_addf(argv, "-i%s", r->identity);
	strvec_add(argv, h->name);
	strvec_add(argv, "sh -s");
}

/* Evaluate a host's output as soon as its command ends, without waiting for the
   other hosts. */
static void
task_ended(struct child *c)
{
	struct task *t = c->context;

	t->ended(t->run, t->host, c);
	children_release(c);
	free(t->input);
	t->input = NULL;
}

/* End this process by the signal that interrupted it.  The children have
   already ended. */
static void
programs_interrupted(int signal_number)
{
	(void)fflush(stdout);
	(void)signal(signal_number, SIG_DFL);
	(void)raise(signal_number);
}

static void
programs_print_commands(struct copy_ssh_run *r, const struct task *tasks,
    size_t count)
{
	char *line;
	size_t i;

	for (i = 0; i < count; i++) {
		line = strvec_quoted(tasks[i].argv.items);
		findings_note(r, tasks[i].host, "would run: %s", line);
		free(line);
	}
}

/*
 * Run at most --jobs tasks at a time.  Tasks that prompt (`terminal`) run one
 * after the other without a time limit.  A dry run prints the commands instead.
 * Frees the tasks.
 */
static void
run_tasks(struct copy_ssh_run *r, struct task *tasks, size_t count,
    int64_t limit_ms, bool terminal)
{
	struct child *children = xcalloc(count + 1, sizeof(*children));
	size_t i;
	int status = 0;

	for (i = 0; i < count; i++) {
		children[i].argv = tasks[i].argv.items;
		children[i].input = tasks[i].input;
		children[i].context = &tasks[i];
		children[i].terminal = terminal;
		children[i].limit_ms = terminal ? 0 : limit_ms;
	}
	if (r->settings->dry_run)
		programs_print_commands(r, tasks, count);
	else if (count > 0)
		status = children_run(children, count,
		    terminal ? 1 : r->settings->jobs, task_ended);
	if (status != 0)
		programs_interrupted(status);
	for (i = 0; i < count; i++) {
		strvec_release(&tasks[i].argv);
		free(tasks[i].input);
	}
	free(children);
	free(tasks);
}

void
programs_run_on_hosts(struct copy_ssh_run *r, enum ssh_kind kind,
    host_filter *wants, host_script *make, host_ended *ended)
{
	struct task *tasks = xcalloc(r->count, sizeof(*tasks)), *t;
	struct host *h;
	size_t count = 0;
	/* For verifying, a host connects to all other hosts, one after the
	   other. */
	int64_t seconds = r->settings->timeout_s *
		(int64_t)(kind == SSH_PLAIN ? r->count + 1 : 1) +
	    WORK_S;

	for (h = r->hosts; h < r->hosts + r->count; h++) {
		if (h->failed || (wants != NULL && !wants(h)))
			continue;
		t = &tasks[count++];
		t->run = r;
		t->host = h;
		t->ended = ended;
		add_ssh(r, kind, h, &t->argv);
		t->input = make(r, h);
	}
	(void)fflush(stdout);
	run_tasks(r, tasks, count, 1000 * seconds, kind == SSH_ASK);
}

void
programs_run_for_hosts(struct copy_ssh_run *r, host_command *make,
    host_ended *ended)
{
	struct task *tasks = xcalloc(r->count, sizeof(*tasks)), *t;
	struct host *h;
	size_t count = 0;

	for (h = r->hosts; h < r->hosts + r->count; h++) {
		if (h->failed)
			continue;
		t = &tasks[count];
		make(r, h, &t->argv);
		if (t->argv.count == 0)
			continue;
		t->run = r;
		t->host = h;
		t->ended = ended;
		count++;
	}
	run_tasks(r, tasks, count,
	    1000 * (2 * (int64_t)r->settings->timeout_s + 5), false);
}

/* Run one command here; its output stays in *c, which the caller releases. */
static void
run_one(struct child *c, char *const *argv, const char *input)
{
	int status;

	memset(c, 0, sizeof(*c));
	c->argv = argv;
	c->input = input;
	if ((status = children_run(c, 1, 1, NULL)) != 0)
		programs_interrupted(status);
	c->argv = NULL;
	c->input = NULL;
}

void
programs_run_text_here(const struct copy_ssh_run *r, const char *script,
    struct child *c)
{
	char flag[] = "-s", *argv[] = { r->sh, flag, NULL };

	run_one(c, argv, script);
}

void
programs_run_here(const struct copy_ssh_run *r, const struct script_request *q,
    struct child *c)
{
	char *script = programs_script(r, q);

	programs_run_text_here(r, script, c);
	free(script);
}

void
programs_run_command(const struct strvec *argv, struct child *c)
{
	run_one(c, argv->items, NULL);
}
