/*
 * The steps that prepare other hosts.
 */
#include "core/launch/plan/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/network.h"
#include "core/base/text.h"
#include "core/launch/plan/plan.h"
#include "core/launch/plan/remote_hosts.h"
#include "core/launch/plan/run.h"
#include "core/process/process.h"

/* Return "pod2, pod3", which the caller frees. */
static char *
prepare_hosts_names(const struct plan *p)
{
	struct memstream m;
	const char *between = "";
	size_t i;

	(void)memstream_open(&m);
	for (i = 0; i < p->hosts.count; i++) {
		if (own_host_is(p->hosts.items[i]))
			continue;
		fprintf(m.file, "%s%s", between, p->hosts.items[i]);
		between = ", ";
	}
	return memstream_close(&m, NULL);
}

static int
prepare_hosts_add(struct strvec *would, const char *names, char *path)
{
	if (path == NULL)
		return -1;
	strvec_addf(would, "would copy %s to %s", path, names);
	free(path);
	return 0;
}

/* Files are sent through the standard input of remote commands. */
static int
prepare_hosts_check_input(const struct plan *p, struct error *e)
{
	const struct launch_settings *s = p->settings;
	const char *option = s->synchronise_venv ? "--synchronise-python-venv" :
	    s->synchronise_sdk			 ? "--synchronise-poplar-sdk" :
	    s->bring_ipubox			 ? "--bring-ipubox" :
						   NULL;

	if (option == NULL || !p->agent.has_names || p->remote.share_input)
		return 0;
	return error_set(e,
	    "%s: %s does not pass standard input to the hosts: kubectl exec "
	    "needs -i",
	    option, remote_agent_name(&p->agent));
}

int
prepare_hosts_check(const struct plan *p, struct strvec *would, struct error *e)
{
	const struct launch_settings *s = p->settings;
	char *names;
	int status = 0;

	if (p->far == NULL)
		return 0;
	if (prepare_hosts_check_input(p, e) != 0)
		return -1;
	names = prepare_hosts_names(p);
	if (s->distribute_ssh_key && !p->agent.has_names)
		strvec_addf(would, "would run copy-ssh for %s", names);
	if (s->synchronise_venv)
		status = prepare_hosts_add(would, names, synchronise_venv(e));
	if (status == 0 && s->synchronise_sdk)
		status = prepare_hosts_add(would, names, synchronise_sdk(p, e));
	if (s->bring_ipubox)
		strvec_addf(would,
		    "would copy ipubox to all hosts for this job, unless %s %s "
		    "it already",
		    names, strchr(names, ',') == NULL ? "has" : "have");
	free(names);
	return status;
}

/* Distribute the key on the terminal, because it may prompt. */
static int
prepare_hosts_distribute(const struct plan *p, const sigset_t *mask)
{
	struct strvec words;
	struct child c = { .terminal = true, .shown = true, .mask = mask };
	struct error e;
	size_t i;
	int status;

	strvec_init(&words);
	if (own_program_add(&words, &e) != 0) {
		strvec_release(&words);
		return job_log_error("--distribute-ssh-key: %s", e.text);
	}
	strvec_add(&words, "copy-ssh");
	for (i = 0; i < p->hosts.count; i++)
		if (!own_host_is(p->hosts.items[i]))
			strvec_add(&words, p->hosts.items[i]);
	c.argv = words.items;
	status = children_run(&c, 1, 1, NULL);
	children_release(&c);
	strvec_release(&words);
	if (status != 0)
		return RUN_SIGNAL_STATUS + status;
	if (c.status != 0)
		(void)job_log_error(
		    "--distribute-ssh-key: copy-ssh failed on some hosts; its "
		    "messages above say what helps");
	return c.status;
}

static int
prepare_hosts_synchronise(const struct plan *p, const char *option, char *path,
    const struct error *e, const sigset_t *mask)
{
	int status;

	if (path == NULL)
		return job_log_error("%s", e->text);
	status = synchronise_directory(p, option, path, mask);
	free(path);
	return status;
}

int
prepare_hosts_run(struct plan *p, const sigset_t *mask)
{
	const struct launch_settings *s = p->settings;
	struct error e;
	int status = 0;

	if (p->far == NULL || s->dry_run)
		return 0;
	if (s->distribute_ssh_key && !p->agent.has_names)
		status = prepare_hosts_distribute(p, mask);
	if (status == 0 && s->synchronise_venv)
		status = prepare_hosts_synchronise(p,
		    "--synchronise-python-venv", synchronise_venv(&e), &e,
		    mask);
	if (status == 0 && s->synchronise_sdk)
		status = prepare_hosts_synchronise(p,
		    "--synchronise-poplar-sdk", synchronise_sdk(p, &e), &e,
		    mask);
	if (status == 0 && s->bring_ipubox)
		status = bring_ask(p, mask);
	return status;
}
