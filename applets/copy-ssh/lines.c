/*
 * The names of each host in known_hosts, and the lines made of them.
 *
 * They are names of a host (used here), and names of the parent, which is this
 * host (used on a child, one of the hosts).  A name of the wrong machine would
 * admit the wrong machine: loopback addresses and "localhost" are never
 * written.
 */
#include "applets/copy-ssh/lines.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <ctype.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/job/job.h"

bool
lines_is_address(const char *text)
{
	struct in6_addr room;

	return inet_pton(AF_INET, text, &room) == 1 ||
	    inet_pton(AF_INET6, text, &room) == 1;
}

static bool
lines_is_loopback(const char *text)
{
	struct in_addr a;
	struct in6_addr b;

	if (inet_pton(AF_INET, text, &a) == 1)
		return ntohl(a.s_addr) >> 24 == IN_LOOPBACKNET;
	return inet_pton(AF_INET6, text, &b) == 1 && IN6_IS_ADDR_LOOPBACK(&b);
}

/*
 * Needed to recognise this host in the list, and to check that an address seen
 * by a child belongs to this host.
 */
void
lines_find_own_addresses(struct copy_ssh_run *r)
{
	struct ifaddrs *list, *a;
	char text[INET6_ADDRSTRLEN];
	const void *bytes;

	if (getifaddrs(&list) != 0)
		return;
	for (a = list; a != NULL; a = a->ifa_next) {
		if (a->ifa_addr == NULL)
			continue;
		if (a->ifa_addr->sa_family == AF_INET)
			bytes = &((const struct sockaddr_in *)(const void *)
				      a->ifa_addr)
				     ->sin_addr;
		else if (a->ifa_addr->sa_family == AF_INET6)
			bytes = &((const struct sockaddr_in6 *)(const void *)
				      a->ifa_addr)
				     ->sin6_addr;
		else
			continue;
		if (inet_ntop(a->ifa_addr->sa_family, bytes, text,
			sizeof(text)) != NULL)
			strvec_add(&r->own_addresses, text);
	}
	freeifaddrs(list);
}

bool
lines_is_among(const struct strvec *w, const char *word)
{
	size_t i;

	for (i = 0; i < w->count; i++)
		if (strcasecmp(w->items[i], word) == 0)
			return true;
	return false;
}

bool
lines_is_own_address(const struct copy_ssh_run *r, const char *address)
{
	return lines_is_loopback(address) ||
	    lines_is_among(&r->own_addresses, address);
}

/* Add a name in the form that ssh looks up: lower case, with the port unless it
   is the default. */
static void
add_known(struct strvec *names, const struct copy_ssh_run *r, const char *name)
{
	char *lower = xstrdup(name), *c, *known;

	for (c = lower; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	if (r->settings->port == SSH_PORT)
		known = xstrdup(lower);
	else
		known = xasprintf("[%s]:%d", lower, r->settings->port);
	if (!lines_is_among(names, known))
		strvec_add(names, known);
	free(known);
	free(lower);
}

/*
 * Collect all names of a host: as typed, its addresses, and its names in
 * /etc/hosts.  A host with a loopback address is this host.
 */
static void
known_names(struct strvec *names, const struct copy_ssh_run *r,
    const struct host *h)
{
	size_t i;

	strvec_init(names);
	add_known(names, r, h->name);
	for (i = 0; i < h->addresses.count; i++)
		if (!lines_is_loopback(h->addresses.items[i]))
			add_known(names, r, h->addresses.items[i]);
	for (i = 0; i < h->aliases.count; i++)
		add_known(names, r, h->aliases.items[i]);
}

/* Whether this host's name differs from the child's. */
static bool
has_name_for_parent(const struct copy_ssh_run *r, const struct host *child)
{
	return hostlist_name_is_valid(r->self.hostname) &&
	    strncmp(r->self.hostname, "localhost", 9) != 0 &&
	    (child->hostname == NULL ||
		strcasecmp(child->hostname, r->self.hostname) != 0);
}

/*
 * Collect the names by which a child may call this host: its host name, the
 * address that the child sees, the child's names for that address, and the
 * names in the list of hosts.
 */
static void
parent_names(struct strvec *names, const struct copy_ssh_run *r,
    const struct host *child)
{
	const struct host *h;
	size_t i;

	strvec_init(names);
	if (has_name_for_parent(r, child))
		strvec_add(names, r->self.hostname);
	if (child->parent != NULL && !lines_is_loopback(child->parent))
		strvec_add(names, child->parent);
	for (i = 0; i < child->callers.count; i++)
		if (!lines_is_among(names, child->callers.items[i]))
			strvec_add(names, child->callers.items[i]);
	for (h = r->hosts; h < r->hosts + r->count; h++)
		if (h->addresses.count > 0 && !lines_is_among(names, h->name) &&
		    lines_is_own_address(r, h->addresses.items[0]))
			strvec_add(names, h->name);
}

/* Write each key under each name, with one name per line, as known_hosts
   requires. */
static void
write_keys(FILE *f, const char *group, const struct strvec *names,
    const struct strvec *keys)
{
	size_t i, j;

	for (j = 0; j < keys->count; j++)
		for (i = 0; i < names->count; i++)
			fprintf(f, "%s %s %s\n", group, names->items[i],
			    keys->items[j]);
}

void
lines_write_hostkeys(FILE *f, const struct copy_ssh_run *r,
    const struct host *h)
{
	struct strvec names;

	known_names(&names, r, h);
	write_keys(f, h->name, &names, &h->keys);
	strvec_release(&names);
}

/* Collect parent_names() in the form that ssh looks up. */
static void
parent_known_names(struct strvec *known, const struct copy_ssh_run *r,
    const struct host *child)
{
	struct strvec names;
	size_t i;

	strvec_init(known);
	parent_names(&names, r, child);
	for (i = 0; i < names.count; i++)
		add_known(known, r, names.items[i]);
	strvec_release(&names);
}

void
lines_write_parent_hostkeys(FILE *f, const struct copy_ssh_run *r,
    const struct host *child)
{
	struct strvec known;

	parent_known_names(&known, r, child);
	write_keys(f, r->self.name, &known, &r->self.keys);
	strvec_release(&known);
}

/* Write the names, one per line, and release them. */
static void
write_names(FILE *f, struct strvec *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		fprintf(f, "%s\n", names->items[i]);
	strvec_release(names);
}

void
lines_write_known_names(FILE *f, const struct copy_ssh_run *r,
    const struct host *h)
{
	struct strvec names;

	known_names(&names, r, h);
	write_names(f, &names);
}

void
lines_write_parent_known_names(FILE *f, const struct copy_ssh_run *r,
    const struct host *child)
{
	struct strvec names;

	parent_known_names(&names, r, child);
	write_names(f, &names);
}

/* Write the settings that differ from ssh's defaults, or "-"; `user` NULL: the
   default user. */
static void
write_settings(FILE *f, const struct copy_ssh_run *r, const char *user,
    bool here)
{
	const struct copy_ssh_settings *s = r->settings;

	if (s->port != SSH_PORT)
		fprintf(f, " %d", s->port);
	else
		fputs(" -", f);
	fprintf(f, " %s ", user != NULL ? user : "-");
	if (s->identity == NULL)
		fputs("-\n", f);
	else if (here && strchr(s->identity, '/') != NULL)
		fprintf(f, "%s\n", r->identity);
	else
		fprintf(f, "~/.ssh/%s\n", path_base_name(s->identity));
}

/* Write "a,b,c": one word, which the script splits. */
static void
write_joined(FILE *f, const struct strvec *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		fprintf(f, "%s%s", i > 0 ? "," : "", names->items[i]);
}

/*
 * Removal names all stanzas, even those that would not be written now: an
 * earlier run may have had other options.
 */
void
lines_write_stanza(FILE *f, const struct copy_ssh_run *r, const struct host *h,
    bool here)
{
	const struct copy_ssh_settings *s = r->settings;
	/* Among each other the hosts have one user name. */
	const char *user = here ? s->user : NULL;
	struct strvec names;
	size_t i;

	if (!s->remove && s->port == SSH_PORT && user == NULL &&
	    s->identity == NULL)
		return;
	strvec_init(&names);
	strvec_add(&names, h->name);
	for (i = 0; i < h->addresses.count; i++)
		if (!lines_is_among(&names, h->addresses.items[i]) &&
		    !lines_is_loopback(h->addresses.items[i]))
			strvec_add(&names, h->addresses.items[i]);
	strvec_add_all(&names, h->aliases.items);
	write_joined(f, &names);
	write_settings(f, r, user, here);
	strvec_release(&names);
}

/* Name the user on a child only if it differs from this host's. */
void
lines_write_parent_stanza(FILE *f, const struct copy_ssh_run *r,
    const struct host *child)
{
	const struct copy_ssh_settings *s = r->settings;
	const char *user = NULL;
	struct strvec names;

	if (r->self.user != NULL && child->user != NULL &&
	    strcmp(r->self.user, child->user) != 0)
		user = r->self.user;
	if (!s->remove && s->port == SSH_PORT && user == NULL &&
	    s->identity == NULL)
		return;
	parent_names(&names, r, child);
	if (names.count > 0) {
		write_joined(f, &names);
		write_settings(f, r, user, false);
	}
	strvec_release(&names);
}

/*
 * A host given by its address gets the name that leads there.  A host given by
 * its name gets its first address that is not a loopback.
 */
void
lines_write_mapping(FILE *f, const struct host *h)
{
	size_t i;

	if (lines_is_address(h->name)) {
		if (h->aliases.count > 0)
			fprintf(f, "%s %s\n", h->name, h->aliases.items[0]);
		return;
	}
	for (i = 0; i < h->addresses.count; i++)
		if (!lines_is_loopback(h->addresses.items[i])) {
			fprintf(f, "%s %s\n", h->addresses.items[i], h->name);
			return;
		}
}

void
lines_write_parent_mapping(FILE *f, const struct copy_ssh_run *r,
    const struct host *child)
{
	if (child->parent != NULL && !lines_is_loopback(child->parent) &&
	    has_name_for_parent(r, child))
		fprintf(f, "%s %s\n", child->parent, r->self.hostname);
}

/* Two hosts with one name would make /etc/hosts wrong. */
bool
lines_has_own_name(const struct copy_ssh_run *r, const struct host *host)
{
	const struct host *h;

	if (!lines_is_address(host->name) || host->hostname == NULL ||
	    !hostlist_name_is_valid(host->hostname) ||
	    lines_is_address(host->hostname) ||
	    strncmp(host->hostname, "localhost", 9) == 0 ||
	    (r->self.hostname != NULL &&
		strcasecmp(host->hostname, r->self.hostname) == 0))
		return false;
	for (h = r->hosts; h < r->hosts + r->count; h++)
		if (h != host &&
		    (strcasecmp(h->name, host->hostname) == 0 ||
			(h->hostname != NULL &&
			    strcasecmp(h->hostname, host->hostname) == 0)))
			return false;
	return true;
}
