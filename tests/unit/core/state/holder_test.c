/*
 * How the holder of an IPU is told to others: slots written by hand, of this
 * place and of others.
 */
#include "core/state/state.h"

#include <sys/wait.h>

#include <bsd/string.h>

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static const struct holder_place here = { .pid_namespace = 100,
	.host = "host1",
	.reader = 1000 };

static struct ipu_slot
make_slot(const char *host, uint64_t pid_namespace, const char *command)
{
	struct ipu_slot slot;

	memset(&slot, 0, sizeof(slot));
	slot.pid = 4711;
	slot.uid = 1000;
	slot.pid_namespace = pid_namespace;
	(void)strlcpy(slot.user, "mia", sizeof(slot.user));
	(void)strlcpy(slot.host, host, sizeof(slot.host));
	(void)strlcpy(slot.command, command, sizeof(slot.command));
	return slot;
}

static void
test_places(void)
{
	static const struct {
		const char *host;
		uint64_t pid_namespace;
		bool is_here;
		const char *text;
	} rows[] = {
		{ "host1", 100, true,
		    "user mia, pid 4711 (train.py --x 1 on host1)" },
		{ "host1", 101, false,
		    "user mia (train.py --x 1 on host1, in another pid "
		    "namespace)" },
		{ "host2", 100, false, "user mia (train.py --x 1 on host2)" },
		{ "host2", 101, false,
		    "user mia (train.py --x 1 on host2, in another pid "
		    "namespace)" },
		{ "host1", 0, false, "user mia (train.py --x 1 on host1)" },
		{ "host", 100, false, "user mia (train.py --x 1 on host)" },
	};
	struct holder_place unknown = here;
	struct ipu_slot slot;
	char text[HOLDER_TEXT_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		slot = make_slot(rows[i].host, rows[i].pid_namespace,
		    "train.py --x 1");
		ok(holder_is_here(&here, &slot) == rows[i].is_here,
		    rows[i].text);
		holder_text(&here, &slot, text);
		is_str(text, rows[i].text, "so it is told");
	}
	unknown.pid_namespace = 0;
	slot = make_slot("host1", 0, "train.py");
	ok(!holder_is_here(&unknown, &slot), "two unknown ones are not equal");
}

static void
test_readers(void)
{
	struct holder_place other = here;
	struct ipu_slot slot;
	char text[HOLDER_TEXT_SIZE];

	slot = make_slot("host1", 100, "/usr/bin/python3 train.py --key S");
	ok(holder_may_read(&slot, 1000) && holder_may_read(&slot, 0),
	    "the owner and root read the command line");
	ok(!holder_may_read(&slot, 1001), "nobody else");
	other.reader = 1001;
	holder_text(&other, &slot, text);
	is_str(text, "user mia, pid 4711 (python3 on host1)",
	    "who sees the program's name");
	other.reader = 0;
	holder_text(&other, &slot, text);
	is_str(text,
	    "user mia, pid 4711 (/usr/bin/python3 train.py --key S on host1)",
	    "root sees all");
}

static void
test_programs(void)
{
	static const struct {
		const char *command, *program;
	} rows[] = {
		{ "/usr/bin/python3 train.py --x 1", "python3" },
		{ "python3 /home/mia/train.py", "python3" },
		{ "train.py", "train.py" },
		{ "  ./train", "train" },
		{ "", "" },
	};
	char text[8];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		char program[SLOT_COMMAND_SIZE];

		holder_program(rows[i].command, program, sizeof(program));
		is_str(program, rows[i].program, rows[i].command);
	}
	holder_program("mnist-pipeline --epochs 3", text, sizeof(text));
	is_str(text, "mnist-p", "cut where there is no room");
}

static void
test_hostile(void)
{
	struct ipu_slot slot = make_slot("host1", 100, "a\033[31m b");
	char text[HOLDER_TEXT_SIZE];

	(void)strlcpy(slot.user, "m\007", sizeof(slot.user));
	holder_text(&here, &slot, text);
	is_str(text, "user m\\x07, pid 4711 (a\\x1b[31m b on host1)",
	    "fit for a terminal");
	memset(slot.command, 'c', sizeof(slot.command) - 1);
	memset(slot.user, 'u', sizeof(slot.user) - 1);
	memset(slot.host, 'h', sizeof(slot.host) - 1);
	slot.command[sizeof(slot.command) - 1] = '\0';
	slot.user[sizeof(slot.user) - 1] = '\0';
	slot.host[sizeof(slot.host) - 1] = '\0';
	slot.pid_namespace = 7;
	holder_text(&here, &slot, text);
	is_str(text + strlen(text) - 28, "h, in another pid namespace)",
	    "the longest words fit");
	slot.flags = SLOT_CLAIMED | SLOT_CLAIMED_USER;
	holder_text(&here, &slot, text);
	is_str(text + strlen(text) - 19, "as its client says)",
	    "also with the mark of a claim");
	memset(&slot, 0, sizeof(slot));
	holder_text(&here, &slot, text);
	ok(!holder_is_known(&slot), "a slot without words");
	is_str(text, "a program that left no record", "is told as that");
}

/* A client over TCP: its words are marked as its own. */
static void
test_claims(void)
{
	struct ipu_slot slot = make_slot("host2", 0, "python3 train.py");
	char text[HOLDER_TEXT_SIZE];

	is_str(holder_claims(&slot), "", "nothing is claimed on this host");
	slot.flags = SLOT_CLAIMED | SLOT_CLAIMED_USER;
	holder_text(&here, &slot, text);
	is_str(text,
	    "user mia, unproved (python3 train.py on host2, as its client "
	    "says)",
	    "all is the client's word");
	is_str(holder_claims(&slot), "user, command, host", "as a list");
	slot.flags = SLOT_CLAIMED | SLOT_MONITORED;
	holder_text(&here, &slot, text);
	is_str(text, "user mia (python3 train.py on host2, as its client says)",
	    "but not a user that a key proved");
	is_str(holder_claims(&slot), "command, host", "as a list");
	slot.uid = (uint32_t)-1;
	ok(!holder_may_read(&slot, (uid_t)-1) && holder_may_read(&slot, 0),
	    "no user of this host but root reads its command line");
}

/* In a child in another pid namespace: whether its own place differs. */
static void
test_other_namespace(void)
{
	struct holder_place place;
	struct ipu_slot slot;
	pid_t outer, inner;
	int status = 0;

	holder_place_init(&place);
	slot = make_slot(place.host, place.pid_namespace, "x");
	ok(holder_is_here(&place, &slot), "this process is here");
	(void)fflush(stdout);
	if ((outer = fork()) == 0) {
		if (unshare(CLONE_NEWPID) != 0 || (inner = fork()) == -1)
			_exit(2);
		if (inner == 0) {
			holder_place_init(&place);
			_exit(holder_is_here(&place, &slot));
		}
		(void)waitpid(inner, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
	}
	(void)waitpid(outer, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		tap_skip("another pid namespace", "not allowed here");
	else
		ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
		    "not here for a process of another pid namespace");
}

/* The record of a partition's owner, read here and elsewhere. */
static void
test_owner(void)
{
	static const struct {
		const char *record, *text;
	} rows[] = {
		{ "poprun, pid 12 of 100 on host1, user mia",
		    "poprun, pid 12 on host1, user mia" },
		{ "poprun, pid 12 of 101 on host1, user mia",
		    "poprun on host1, user mia" },
		{ "poprun, pid 12 of 10 on host1, user mia",
		    "poprun on host1, user mia" },
		{ "poprun, pid 12 of 100 on host2, user mia",
		    "poprun on host2, user mia" },
		{ "poprun, pid 12 of 100 on host12, user mia",
		    "poprun on host12, user mia" },
		{ "poprun, pid 12 of 0 on host1, user mia",
		    "poprun on host1, user mia" },
		{ "IPUJob, pid of nobody", "IPUJob, pid of nobody" },
		{ "poprun, pid 12 of 100", "poprun, pid 12 of 100" },
		{ "", "" },
	};
	char text[OWNER_TEXT_SIZE], record[OWNER_TEXT_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		holder_owner_text(&here, rows[i].record, text);
		is_str(text, rows[i].text, rows[i].record);
	}
	holder_owner_record(record, "poprun", &here, 12, "mia");
	is_str(record, rows[0].record, "what is written");
}

int
main(void)
{
	test_places();
	test_readers();
	test_programs();
	test_hostile();
	test_claims();
	test_other_namespace();
	test_owner();
	return tap_done();
}
