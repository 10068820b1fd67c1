/*
 * Tickets of processes that wait for IPUs: files locked by their holders, so
 * that the kernel shows which ones still wait.
 */
#include "core/control/queue.h"

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/ini.h"
#include "core/base/parse.h"

#define FIELD(member) INI_FIELD(struct ticket, member)

static const struct ini_row ticket_rows[] = {
	{ .section = "waiting",
	    .key = "size",
	    .type = INI_NUMBER,
	    .required = true,
	    FIELD(size),
	    .min = 1,
	    .max = POD_IPUS_MAX },
	{ .section = "waiting",
	    .key = "partition",
	    .type = INI_NAME,
	    FIELD(partition) },
	{ .section = "waiting",
	    .key = "cluster",
	    .type = INI_NAME,
	    FIELD(cluster) },
	{ .section = "waiting",
	    .key = "allocation",
	    .type = INI_NAME,
	    FIELD(allocation) },
	{ .section = "waiting", .key = "user", .type = INI_NAME, FIELD(user) },
	{ 0 },
};

static const char waiting_directory[] = "waiting";

/* Ten digits, so that names sort like numbers. */
static void
ticket_file_name(const struct ticket *t, char *name, size_t size)
{
	(void)snprintf(name, size, "%010d.ini", t->number);
}

/* Lock the ticket's only byte for the open file description, so that the holder
   can read it through another descriptor without losing the lock. */
static int
ticket_lock(int fd, int command, struct flock *l)
{
	memset(l, 0, sizeof(*l));
	l->l_type = F_WRLCK;
	l->l_whence = SEEK_SET;
	l->l_len = 1;
	return fcntl(fd, command, l);
}

/* Whether the ticket has a holder; true where unknown. */
static bool
is_held(const struct directory *d, const char *name)
{
	struct flock l;
	int fd = openat(d->fd, name,
	    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool held;

	if (fd == -1)
		return errno != ENOENT;
	held = ticket_lock(fd, F_OFD_GETLK, &l) != 0 || l.l_type != F_UNLCK;
	(void)close(fd);
	return held;
}

/* Read the file's ticket; false if the name is not a ticket's.  An unreadable
   one keeps its number and competes with all others, as ticket_read() says. */
static bool
read_ticket(const struct directory *d, const char *name, struct ticket *t)
{
	char *digits = xstrdup(name);
	long long number;
	int status;

	digits[strlen(digits) - strlen(".ini")] = '\0';
	status = parse_number("ticket", digits, 1, INT_MAX, &number, NULL);
	free(digits);
	if (status != 0)
		return false;
	memset(t, 0, sizeof(*t));
	if (ini_read_section(ticket_rows, d, name, t, NULL) != 0)
		memset(t, 0, sizeof(*t));
	t->fd = -1;
	t->number = (int)number;
	t->live = is_held(d, name);
	return true;
}

long
ticket_read(const struct directory *state, struct ticket **out, struct error *e)
{
	struct directory d;
	struct error reason;
	char **names;
	long i, count = 0, files = -1;

	*out = NULL;
	if (directory_open_below(state, waiting_directory, &d, &reason) == 0)
		files = directory_names(&d, ".ini", &names, &reason);
	if (files == -1) {
		directory_close(&d);
		return reason.code == ERROR_NOT_FOUND ?
		    0 :
		    error_copy(e, &reason);
	}
	*out = xcalloc((size_t)files + 1, sizeof(**out));
	for (i = 0; i < files; i++)
		count += read_ticket(&d, names[i], &(*out)[count]);
	directory_names_free(names, files);
	directory_close(&d);
	return count;
}

static int
ticket_remove_file(const struct directory *state, const struct ticket *t,
    struct error *e)
{
	struct directory d;
	char name[32];
	int status;

	ticket_file_name(t, name, sizeof(name));
	status = directory_open_below(state, waiting_directory, &d, e);
	if (status == 0)
		status = file_remove(&d, name, e);
	directory_close(&d);
	return status;
}

int
ticket_clean(const struct directory *state, const struct ticket *tickets,
    long count, struct error *e)
{
	int status = 0;
	long i;

	for (i = 0; i < count && status == 0; i++)
		if (!tickets[i].live)
			status = ticket_remove_file(state, &tickets[i], e);
	return status;
}

/* The file is written whole under its name; it does not count until locked. */
int
ticket_take(const struct directory *state, const struct ticket *tickets,
    long count, const struct partition_request *r, const char *user,
    struct ticket *t, struct error *e)
{
	struct directory d;
	struct flock l;
	char *text, name[32];
	int status = -1;

	memset(t, 0, sizeof(*t));
	t->fd = -1;
	t->number = count > 0 ? tickets[count - 1].number + 1 : 1;
	t->size = r->size;
	t->live = true;
	(void)strlcpy(t->partition, r->name, sizeof(t->partition));
	(void)strlcpy(t->cluster, r->cluster, sizeof(t->cluster));
	(void)strlcpy(t->allocation, r->allocation, sizeof(t->allocation));
	(void)strlcpy(t->user, user, sizeof(t->user));
	ticket_file_name(t, name, sizeof(name));
	text = ini_text(ticket_rows, t);
	if (directory_make_below(state, waiting_directory, &d, e) == 0)
		t->fd = file_open_new(&d, name, text, strlen(text), e);
	if (t->fd != -1 &&
	    (status = ticket_lock(t->fd, F_OFD_SETLK, &l)) != 0) {
		(void)error_set_errno(e, "cannot lock %s/%s", d.path, name);
		(void)ticket_drop(state, t, NULL);
	}
	if (status != 0)
		t->number = 0;
	free(text);
	directory_close(&d);
	return status;
}

int
ticket_drop(const struct directory *state, struct ticket *t, struct error *e)
{
	int status = 0;

	if (t->number != 0)
		status = ticket_remove_file(state, t, e);
	/* The lock goes last: until then the number cannot be reused. */
	if (t->fd != -1)
		(void)close(t->fd);
	t->fd = -1;
	t->number = 0;
	return status;
}

/* Return the cluster that the IPUs must come from, or -1: any.  An allocation
   lies in one cluster. */
static int
only_cluster(const struct pod *pod, const char *cluster, const char *allocation)
{
	int found;

	if (cluster[0] != '\0')
		return pod_find_cluster(pod, cluster);
	found = pod_find_allocation(pod, allocation);
	return found != -1 ? pod->allocations[found].cluster : -1;
}

bool
ticket_contends(const struct pod *pod, const struct ticket *t,
    const struct partition_request *r)
{
	int mine = only_cluster(pod, r->cluster, r->allocation);
	int its = only_cluster(pod, t->cluster, t->allocation);

	if (mine != -1 && its != -1 && mine != its)
		return false;
	return t->allocation[0] == '\0' || r->allocation[0] == '\0' ||
	    strcmp(t->allocation, r->allocation) == 0;
}

int
ticket_count_before(const struct pod *pod, const struct ticket *tickets,
    long count, const struct partition_request *r, int number)
{
	int before = 0;
	long i;

	for (i = 0; i < count; i++)
		if (tickets[i].live &&
		    (number == 0 || tickets[i].number < number) &&
		    ticket_contends(pod, &tickets[i], r))
			before++;
	return before;
}
