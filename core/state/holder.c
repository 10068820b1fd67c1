/*
 * Describes an IPU's holder for people, with its pid only where that is valid.
 */
#include "core/state/holder.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/files/directory.h"
#include "core/base/text.h"
#include "core/state/registry.h"

/* It is looked up once for each process, a forked one included. */
uint64_t
holder_pid_namespace(void)
{
	static _Thread_local struct {
		pid_t pid;
		uint64_t namespace;
	} own;
	struct stat st;

	if (own.pid != getpid()) {
		own.pid = getpid();
		own.namespace = stat("/proc/self/ns/pid", &st) == 0 ?
		    (uint64_t)st.st_ino :
		    0;
	}
	return own.namespace;
}

void
holder_place_init(struct holder_place *place)
{
	memset(place, 0, sizeof(*place));
	place->pid_namespace = holder_pid_namespace();
	place->reader = geteuid();
	if (gethostname(place->host, sizeof(place->host) - 1) != 0)
		(void)strlcpy(place->host, "?", sizeof(place->host));
}

void
holder_place_of(struct holder_place *place, const struct registry *r)
{
	if (r->place != NULL)
		*place = *r->place;
	else
		holder_place_init(place);
}

void
holder_user_name(uid_t uid, char *name, size_t size)
{
	const struct passwd *user = getpwuid(uid);

	if (user != NULL)
		(void)strlcpy(name, user->pw_name, size);
	else
		(void)snprintf(name, size, "%lu", (unsigned long)uid);
}

/* The first namespace has the same inode on every host, so the host name must
   match as well. */
bool
holder_is_here(const struct holder_place *place, const struct ipu_slot *slot)
{
	return slot->pid_namespace != 0 &&
	    slot->pid_namespace == place->pid_namespace &&
	    strncmp(slot->host, place->host, SLOT_HOST_SIZE) == 0;
}

bool
holder_is_known(const struct ipu_slot *slot)
{
	return slot->user[0] != '\0';
}

/* A reader of no uid is not the user of a client over TCP, which has none
   either. */
bool
holder_may_read(const struct ipu_slot *slot, uid_t reader)
{
	return reader == 0 ||
	    (reader != (uid_t)-1 && reader == (uid_t)slot->uid);
}

/* Leading spaces are skipped. */
void
holder_program(const char *command, char *program, size_t size)
{
	char word[SLOT_COMMAND_SIZE];

	command += strspn(command, " ");
	(void)strlcpy(word, command, sizeof(word));
	word[strcspn(word, " ")] = '\0';
	(void)strlcpy(program, path_base_name(word), size);
}

void
holder_command(const struct ipu_slot *slot, uid_t reader,
    char text[SLOT_COMMAND_SIZE])
{
	char line[SLOT_COMMAND_SIZE], word[SLOT_COMMAND_SIZE];

	(void)strlcpy(line, slot->command, sizeof(line));
	holder_program(line, word, sizeof(word));
	text_printable(holder_may_read(slot, reader) ? line : word, text,
	    SLOT_COMMAND_SIZE);
}

void
holder_text(const struct holder_place *place, const struct ipu_slot *slot,
    char text[HOLDER_TEXT_SIZE])
{
	char command[SLOT_COMMAND_SIZE], user[SLOT_USER_SIZE];
	char host[SLOT_HOST_SIZE], pid[24] = "";
	bool elsewhere = slot->pid_namespace != 0 &&
	    place->pid_namespace != 0 &&
	    slot->pid_namespace != place->pid_namespace;

	if (!holder_is_known(slot)) {
		(void)strlcpy(text, "a program that left no record",
		    HOLDER_TEXT_SIZE);
		return;
	}
	holder_command(slot, place->reader, command);
	text_printable(slot->user, user, sizeof(user));
	text_printable(slot->host, host, sizeof(host));
	if (holder_is_here(place, slot))
		(void)snprintf(pid, sizeof(pid), ", pid %ld", (long)slot->pid);
	(void)snprintf(text, HOLDER_TEXT_SIZE, "user %s%s%s (%s on %s%s%s)",
	    user, (slot->flags & SLOT_CLAIMED_USER) != 0 ? ", unproved" : "",
	    pid, command, host, elsewhere ? ", in another pid namespace" : "",
	    (slot->flags & SLOT_CLAIMED) != 0 ? ", as its client says" : "");
}

const char *
holder_claims(const struct ipu_slot *slot)
{
	if ((slot->flags & SLOT_CLAIMED) == 0)
		return "";
	return (slot->flags & SLOT_CLAIMED_USER) != 0 ?
	    "user, command, host" :
	    "command, host";
}

static const char owner_pid[] = ", pid ", owner_namespace[] = " of ";
static const char owner_host[] = " on ";

void
holder_owner_record(char text[OWNER_TEXT_SIZE], const char *program,
    const struct holder_place *owner, pid_t pid, const char *user)
{
	(void)snprintf(text, OWNER_TEXT_SIZE,
	    "%s%s%ld%s%" PRIu64 "%s%s, user %s", program, owner_pid, (long)pid,
	    owner_namespace, owner->pid_namespace, owner_host, owner->host,
	    user);
}

/* Return the text after the word and number at the start of `at`, or NULL. */
static const char *
after_number(const char *at, const char *word, const char **number)
{
	const size_t len = strlen(word);
	size_t digits;

	if (strncmp(at, word, len) != 0)
		return NULL;
	*number = at + len;
	digits = strspn(*number, "0123456789");
	return digits > 0 ? *number + digits : NULL;
}

void
holder_owner_text(const struct holder_place *place, const char *record,
    char text[OWNER_TEXT_SIZE])
{
	const char *pid = strstr(record, owner_pid), *rest = NULL;
	const char *number, *digits, *end = NULL;
	char here[32];
	bool is_here;

	(void)strlcpy(text, record, OWNER_TEXT_SIZE);
	if (pid != NULL &&
	    (end = after_number(pid, owner_pid, &digits)) != NULL)
		rest = after_number(end, owner_namespace, &number);
	if (rest == NULL ||
	    strncmp(rest, owner_host, sizeof(owner_host) - 1) != 0)
		return;
	(void)snprintf(here, sizeof(here), "%" PRIu64, place->pid_namespace);
	is_here = place->pid_namespace != 0 &&
	    strlen(here) == (size_t)(rest - number) &&
	    strncmp(number, here, (size_t)(rest - number)) == 0 &&
	    strncmp(rest + sizeof(owner_host) - 1, place->host,
		strlen(place->host)) == 0 &&
	    rest[sizeof(owner_host) - 1 + strlen(place->host)] == ',';
	(void)snprintf(text, OWNER_TEXT_SIZE, "%.*s%s",
	    (int)((is_here ? end : pid) - record), record, rest);
}
