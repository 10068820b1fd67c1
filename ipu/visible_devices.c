/*
 * Finding the partition that a program on this host sees: a name in the
 * environment, a file, or a directory of files, in the order of the header.
 */
#include "ipu/visible_devices.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <dirent.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/path.h"
#include "core/control/ipuof.h"
#include "core/control/ipuof_files.h"
#include "core/control/server_address.h"
#include "core/state/paths.h"
#include "core/state/state.h"

/* Of IPUOF_VIPU_API_TIMEOUT, the V-IPU guide 5.7. */
enum { API_TIMEOUT_MS = 200 * 1000 };

static const char	system_directory[] = "/etc/ipuof.conf.d";

/* What names the partition, before it is looked up. */
struct named_partition {
	struct ipuof_reference	reference;	/* partition "": none */
	char			source[256];
	char			warning[256];
};

/* A variable that is set to something, or NULL. */
static const char *
visible_devices_variable(const char *name)
{
	const char	*value = getenv(name);

	return value != NULL && *value != '\0' ? value : NULL;
}

/* Only the embedded controller can be asked here. */
static int
check_server(struct error *e)
{
	struct server_request	server = {
		.host = visible_devices_variable("IPUOF_VIPU_API_HOST"),
		.port = visible_devices_variable("IPUOF_VIPU_API_PORT"),
		.origin = "IPUOF_VIPU_API_HOST",
		.timeout_ms = API_TIMEOUT_MS
	};
	const char		*timeout =
	    visible_devices_variable("IPUOF_VIPU_API_TIMEOUT");

	if (server.host == NULL)
		return 0;
	if (timeout != NULL && parse_duration("IPUOF_VIPU_API_TIMEOUT",
	    timeout, &server.timeout_ms, e) != 0)
		return -1;
	return server_address_require_local(&server, e);
}

static int
choose_by_name(struct named_partition *c, const char *name, struct error *e)
{
	if (check_server(e) != 0)
		return -1;
	if (strlcpy(c->reference.partition, name,
	    sizeof(c->reference.partition)) >=
	    sizeof(c->reference.partition))
		return error_set(e, "IPUOF_VIPU_API_PARTITION_ID: longer "
		    "than any partition's name");
	(void)strlcpy(c->source, "IPUOF_VIPU_API_PARTITION_ID",
	    sizeof(c->source));
	c->reference.gcd = -1;
	return 0;
}

static int
choose_by_file(struct named_partition *c, const char *path, struct error *e)
{
	(void)strlcpy(c->source, path, sizeof(c->source));
	return ipuof_parse(path, &c->reference, e);
}

/* The directory's next file that is not hidden or temporary, or NULL. */
static char *
next_file(DIR *dir, const char *directory)
{
	struct dirent	*entry;
	struct stat	 st;
	char		*path;

	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		path = xasprintf("%s/%s", directory, entry->d_name);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
			return path;
		free(path);
	}
	return NULL;
}

/*
 * One more file: 0 when it is of the same partition as those before, which
 * then show that partition whole; -1 when the directory is to be ignored.
 */
static int
add_file(struct named_partition *c, const char *path, struct error *e)
{
	struct ipuof_reference	 r;

	if (ipuof_parse(path, &r, e) != 0)
		return -1;
	if (strcmp(r.partition, c->reference.partition) != 0)
		return error_set(e, "%s is of partition %s, another one of "
		    "partition %s", path_base_name(path), r.partition,
		    c->reference.partition);
	if (r.gcd != c->reference.gcd)
		c->reference.gcd = -1;
	return 0;
}

/*
 * The one file of a directory, or the GCDs of one partition.  A single file
 * must be sound; among several, anything else makes the directory count as
 * empty, with a warning that says why.
 */
static int
choose_by_directory(struct named_partition *c, const char *directory,
    struct error *e)
{
	DIR		*dir = opendir(directory);
	struct error	 reason = { .text = "" };
	char		*path, *first = NULL;
	int		 files = 0, first_status = 0, status = 0;

	if (dir == NULL)
		return 0;
	while ((path = next_file(dir, directory)) != NULL) {
		if (files++ == 0) {
			first_status = choose_by_file(c, path, &reason);
			first = path;
			continue;
		}
		if (first_status == 0 && status == 0)
			status = add_file(c, path, &reason);
		free(path);
	}
	(void)closedir(dir);
	if (files == 1 && first_status != 0)
		status = error_set(e, "%s", reason.text);
	else if (first_status != 0 || status != 0) {
		memset(&c->reference, 0, sizeof(c->reference));
		(void)snprintf(c->warning, sizeof(c->warning), "%s: ignored, "
		    "it must hold the files of one partition only: %.120s",
		    directory, reason.text);
		status = 0;
	} else if (files > 1)
		(void)strlcpy(c->source, directory, sizeof(c->source));
	free(first);
	return status;
}

/* ~/.ipuof.conf.d, which the caller frees; NULL where there is no home. */
static char *
home_directory(void)
{
	const char		*home = visible_devices_variable("HOME");
	const struct passwd	*user;

	if (home == NULL) {
		user = getpwuid(getuid());
		home = user != NULL ? user->pw_dir : NULL;
	}
	return home != NULL ? xasprintf("%s/.ipuof.conf.d", home) : NULL;
}

/*
 * Search in the order of visible_devices.h; c->source stays "" where nothing
 * is named.
 */
static int
visible_devices_choose(struct named_partition *c, struct error *e)
{
	const char	*name =
	    visible_devices_variable("IPUOF_VIPU_API_PARTITION_ID");
	const char	*path = visible_devices_variable("IPUOF_CONFIG_PATH");
	char		*directory;
	int		 status = 0;

	memset(c, 0, sizeof(*c));
	if (name != NULL)
		return choose_by_name(c, name, e);
	if (path != NULL) {
		status = choose_by_file(c, path, e);
		return status == 0 ? 0 : error_prefix(e,
		    "IPUOF_CONFIG_PATH");
	}
	if ((directory = home_directory()) != NULL) {
		status = choose_by_directory(c, directory, e);
		free(directory);
	}
	if (status == 0 && c->reference.partition[0] == '\0')
		status = choose_by_directory(c, system_directory, e);
	return status;
}

/* Whether programs look into that directory by themselves. */
static bool
is_searched(const char *directory)
{
	char	*home = home_directory();
	bool	 is_home = home != NULL && strcmp(directory, home) == 0;

	free(home);
	return is_home || strcmp(directory, system_directory) == 0;
}

/*
 * Nothing is named: perhaps because a partition has lost its file, as when its
 * removal was killed.
 */
static void
warn_of_missing(struct visible_devices *v)
{
	const struct snapshot	*s = &v->snapshot;
	const struct partition	*p = s->partitions;
	char			 path[IPUOF_PATH_SIZE];

	for (; p < s->partitions + s->partition_count; p++) {
		if (!is_searched(p->ipuof_directory) ||
		    !ipuof_files_are_missing(p, path))
			continue;
		(void)snprintf(v->warning, sizeof(v->warning), "partition %s "
		    "exists, but its IPUoF file %s is missing; `vipu reset "
		    "partition %s` writes it again", p->name, path, p->name);
		return;
	}
}

/* The GCD that the environment asks for where the file shows all. */
static int
choose_gcd(struct named_partition *c, struct error *e)
{
	const char	*text =
	    visible_devices_variable("IPUOF_VIPU_API_GCD_ID");
	long long	 gcd;

	if (text == NULL || c->reference.gcd >= 0)
		return 0;
	if (parse_number("IPUOF_VIPU_API_GCD_ID", text, 0, INT_MAX, &gcd,
	    e) != 0)
		return -1;
	c->reference.gcd = (int)gcd;
	return 0;
}

/* Point the view at a partition of its snapshot. */
static int
select_partition(struct visible_devices *v, const char *name, int gcd,
    struct error *e)
{
	const struct partition	*p;
	int			 index = snapshot_find(&v->snapshot, name);

	if (index == -1) {
		(void)error_set(e, "no partition %s (from %s); `vipu list "
		    "partitions` shows those that exist, `vipu create "
		    "partition %s --size N` makes it", name, v->source, name);
		(void)snapshot_suggest(&v->snapshot, name, e);
		return paths_append_place(e);
	}
	p = &v->snapshot.partitions[index];
	if (gcd >= p->num_gcds)
		return error_set(e, "partition %s has no GCD %d (from %s): it "
		    "has %d, numbered from 0", name, gcd, v->source,
		    p->num_gcds);
	v->partition = p;
	v->gcd = p->num_gcds > 1 ? gcd : -1;
	return 0;
}

int
visible_devices_of_partition(struct visible_devices *v,
    const struct registry *r,
    const char *name, int gcd, struct error *e)
{
	memset(v, 0, sizeof(*v));
	(void)strlcpy(v->source, "the command line", sizeof(v->source));
	if (snapshot_take(r, &v->snapshot, e) != 0)
		return -1;
	if (select_partition(v, name, gcd, e) != 0) {
		visible_devices_release(v);
		return -1;
	}
	return 0;
}

int
visible_devices_open(struct visible_devices *v, const struct registry *r,
    struct error *e)
{
	struct named_partition	c;

	memset(v, 0, sizeof(*v));
	v->gcd = -1;
	if (visible_devices_choose(&c, e) != 0 || choose_gcd(&c, e) != 0 ||
	    snapshot_take(r, &v->snapshot, e) != 0)
		return -1;
	(void)strlcpy(v->source, c.source, sizeof(v->source));
	(void)strlcpy(v->warning, c.warning, sizeof(v->warning));
	if (c.reference.partition[0] == '\0' && v->warning[0] == '\0')
		warn_of_missing(v);
	if (c.reference.partition[0] == '\0')
		return 0;
	if (select_partition(v, c.reference.partition, c.reference.gcd,
	    e) != 0) {
		visible_devices_release(v);
		return -1;
	}
	return 0;
}

void
visible_devices_release(struct visible_devices *v)
{
	snapshot_release(&v->snapshot);
	memset(v, 0, sizeof(*v));
	v->gcd = -1;
}
