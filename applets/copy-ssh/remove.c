/*
 * Taking away what copy-ssh wrote, on the hosts first: without our key there
 * is no way back to them.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/copy-ssh/lines.h"
#include "applets/copy-ssh/remote.h"
#include "core/base/alloc.h"

static char *
identify_script(struct run *r, struct host *h)
{
	const struct request	q = { .actions = "identify" };

	(void)h;
	return script_text(r, &q);
}

static void
identified(struct run *r, struct host *h, struct child *c)
{
	struct error	e;
	enum check	check;

	if (report_outcome(r, h->name, c, WHILE_VERIFYING, &check, &e) !=
	    OUTCOME_DONE)
		host_fail(r, h, check, true, e.text);
	else
		report_read_host(r, h, c);
}

/* `child` NULL: what this host is to forget. */
static char *
remove_script(struct run *r, struct host *child)
{
	struct text		 keys, names, stanzas, mapping;
	const struct host	*h;
	struct request		 q = {
		.actions = "remove", .here = child == NULL
	};
	char			*text;

	text_begin(&keys);
	text_begin(&names);
	text_begin(&stanzas);
	text_begin(&mapping);
	if (child != NULL) {
		if (r->self.public_key != NULL)
			fprintf(keys.stream, "%s\n", r->self.public_key);
		write_parent_known_names(names.stream, r, child);
		write_parent_stanza(stanzas.stream, r, child);
		write_parent_mapping(mapping.stream, r, child);
	}
	for (h = r->hosts; h < r->hosts + r->count; h++) {
		if (h->failed)
			continue;
		if (h->public_key != NULL)
			fprintf(keys.stream, "%s\n", h->public_key);
		write_known_names(names.stream, r, h);
		write_stanza(stanzas.stream, r, h, child == NULL);
		write_mapping(mapping.stream, h);
	}
	q.keys = text_end(&keys);
	q.names = text_end(&names);
	q.stanzas = text_end(&stanzas);
	q.mapping = text_end(&mapping);
	if (r->settings->dry_run)
		note(r, child, "would take our lines out of authorized_keys, "
		    "known_hosts, config and /etc/hosts");
	text = script_text(r, &q);
	free(keys.text);
	free(names.text);
	free(stanzas.text);
	free(mapping.text);
	return text;
}

static void
removed(struct run *r, struct host *h, struct child *c)
{
	struct error	e;
	enum check	check;

	report_read_host(r, h, c);
	if (report_outcome(r, h->name, c, WHILE_VERIFYING, &check, &e) !=
	    OUTCOME_DONE)
		host_fail(r, h, check, true, e.text);
}

int
take_away(struct run *r, struct error *e)
{
	struct child	c;
	enum check	check;
	char		*text;
	int		 status = 0;

	if (read_self(r, "identify", e) != 0)
		return -1;
	find_own_addresses(r);
	learn_addresses(r);
	run_on_hosts(r, SSH_BATCH, NULL, identify_script, identified);
	(void)find_aliases(r);
	run_on_hosts(r, SSH_BATCH, NULL, remove_script, removed);
	text = remove_script(r, NULL);
	run_text_here(r, text, &c);
	free(text);
	report_read_host(r, &r->self, &c);
	if (report_outcome(r, "localhost", &c, WHILE_SETTING_UP, &check, e) !=
	    OUTCOME_DONE)
		status = -1;
	children_release(&c);
	return status;
}
