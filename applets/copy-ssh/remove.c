/*
 * Removing what copy-ssh wrote, on the hosts first: without our key they cannot
 * be reached any more.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/copy-ssh/lines.h"
#include "applets/copy-ssh/outcome.h"
#include "applets/copy-ssh/programs.h"
#include "core/base/text.h"

/* Ask only for the host's identity: its key is removed elsewhere. */
static char *
identify_script(struct copy_ssh_run *r, struct host *h)
{
	const struct script_request q = { .actions = "identify" };

	(void)h;
	return programs_script(r, &q);
}

static void
identified(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	struct error e;
	enum host_check check;

	if (outcome_judge(r, h->name, c, WHILE_VERIFYING, &check, &e) !=
	    OUTCOME_DONE)
		findings_fail_host(r, h, check, true, e.text);
	else
		outcome_read_host(r, h, c);
}

/* Return the script for a host; `child` NULL: for this host. */
static char *
remove_script(struct copy_ssh_run *r, struct host *child)
{
	struct memstream keys, names, stanzas, mapping;
	const struct host *h;
	struct script_request q = { .actions = "remove",
		.here = child == NULL };
	char *text;

	(void)memstream_open(&keys);
	(void)memstream_open(&names);
	(void)memstream_open(&stanzas);
	(void)memstream_open(&mapping);
	if (child != NULL) {
		if (r->self.public_key != NULL)
			fprintf(keys.file, "%s\n", r->self.public_key);
		lines_write_parent_known_names(names.file, r, child);
		lines_write_parent_stanza(stanzas.file, r, child);
		lines_write_parent_mapping(mapping.file, r, child);
	}
	for (h = r->hosts; h < r->hosts + r->count; h++) {
		if (h->failed)
			continue;
		if (h->public_key != NULL)
			fprintf(keys.file, "%s\n", h->public_key);
		lines_write_known_names(names.file, r, h);
		lines_write_stanza(stanzas.file, r, h, child == NULL);
		lines_write_mapping(mapping.file, h);
	}
	q.keys = memstream_close(&keys, NULL);
	q.names = memstream_close(&names, NULL);
	q.stanzas = memstream_close(&stanzas, NULL);
	q.mapping = memstream_close(&mapping, NULL);
	if (r->settings->dry_run)
		findings_note(r, child,
		    "would remove the lines of copy-ssh from authorized_keys, "
		    "known_hosts, config and /etc/hosts");
	text = programs_script(r, &q);
	free(keys.text);
	free(names.text);
	free(stanzas.text);
	free(mapping.text);
	return text;
}

/* Report the script's actions even if it failed later. */
static void
removed(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	struct error e;
	enum host_check check;

	outcome_read_host(r, h, c);
	if (outcome_judge(r, h->name, c, WHILE_VERIFYING, &check, &e) !=
	    OUTCOME_DONE)
		findings_fail_host(r, h, check, true, e.text);
}

int
remove_trust(struct copy_ssh_run *r, struct error *e)
{
	struct child c;
	enum host_check check;
	char *text;
	int status = 0;

	if (setup_read_self(r, "identify", e) != 0)
		return -1;
	lines_find_own_addresses(r);
	addresses_learn(r);
	programs_run_on_hosts(r, SSH_BATCH, NULL, identify_script, identified);
	(void)addresses_find_aliases(r);
	programs_run_on_hosts(r, SSH_BATCH, NULL, remove_script, removed);
	text = remove_script(r, NULL);
	programs_run_text_here(r, text, &c);
	free(text);
	outcome_read_host(r, &r->self, &c);
	if (outcome_judge(r, "localhost", &c, WHILE_SETTING_UP, &check, e) !=
	    OUTCOME_DONE)
		status = -1;
	children_release(&c);
	return status;
}
