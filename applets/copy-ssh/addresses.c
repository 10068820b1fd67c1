/*
 * Addresses of the hosts, and the names of those that were given by their
 * addresses: getent(1) finds them.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/copy-ssh/lines.h"
#include "applets/copy-ssh/outcome.h"
#include "applets/copy-ssh/programs.h"
#include "core/base/alloc.h"

/*
 * Build the command that looks up addresses.  getent uses the same sources as
 * ssh: /etc/hosts, the DNS and others.  A host given by its address needs no
 * command.
 */
static void
ask_addresses(const struct copy_ssh_run *r, const struct host *h,
    struct strvec *argv)
{
	if (lines_is_address(h->name) || r->getent == NULL)
		return;
	strvec_add(argv, r->getent);
	strvec_add(argv, "ahosts");
	strvec_add(argv, h->name);
}

/* Take the addresses of lines "ADDRESS KIND NAME". */
static void
take_addresses(struct strvec *addresses, const char *line)
{
	char *address;

	for (; *line != '\0';
	     line += strcspn(line, "\n"), line += *line == '\n') {
		address = xasprintf("%.*s", (int)strcspn(line, " \t\n"), line);
		if (lines_is_address(address) &&
		    !lines_is_among(addresses, address))
			strvec_add(addresses, address);
		free(address);
	}
}

static void
read_addresses(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	take_addresses(&h->addresses, c->out.text);
	if (h->addresses.count == 0)
		findings_fail_host(r, h, CHECK_RESOLVES, true,
		    c->timed_out ? "no name server answers: put its address "
				   "into /etc/hosts" :
				   "the name has no address: put it into "
				   "/etc/hosts or the DNS");
}

void
addresses_learn(struct copy_ssh_run *r)
{
	struct host *h;

	for (h = r->hosts; h < r->hosts + r->count; h++)
		if (lines_is_address(h->name))
			strvec_add(&h->addresses, h->name);
	programs_run_for_hosts(r, ask_addresses, read_addresses);
}

static void
ask_alias(const struct copy_ssh_run *r, const struct host *h,
    struct strvec *argv)
{
	if (h->aliases.count > 0 || !lines_has_own_name(r, h) ||
	    r->getent == NULL)
		return;
	strvec_add(argv, r->getent);
	strvec_add(argv, "ahosts");
	strvec_add(argv, h->hostname);
}

/*
 * Take the name that a host reports only if it leads to the host from here.
 * Otherwise a host could take over the name of another one.
 */
static void
read_alias(struct copy_ssh_run *r, struct host *h, struct child *c)
{
	struct strvec addresses;

	strvec_init(&addresses);
	take_addresses(&addresses, c->out.text);
	if (lines_is_among(&addresses, h->name)) {
		strvec_add(&h->aliases, h->hostname);
		findings_note(r, h, "its name is %s, which leads to it",
		    h->hostname);
	} else if (!r->settings->remove) {
		findings_complain(r, h,
		    "it calls itself %s, which does not lead to it from here, "
		    "so this name is not used; if it is right, put the line "
		    "'%s %s' into /etc/hosts here, and run copy-ssh again",
		    h->hostname, h->name, h->hostname);
	}
	strvec_release(&addresses);
}

bool
addresses_find_aliases(struct copy_ssh_run *r)
{
	const struct host *h;
	size_t count = 0;

	programs_run_for_hosts(r, ask_alias, read_alias);
	for (h = r->hosts; h < r->hosts + r->count; h++)
		count += h->aliases.count;
	return count > 0;
}
