/* What a program says of itself, and what others are shown of it. */
#include "ipu/device/lease.h"

#include <bsd/string.h>

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc.h"
#include "core/state/state.h"
#include "tests/unit/tap.h"

/* A local caller that claims to be somebody else. */
static struct ipu_slot
claim(int32_t pid, uint64_t pid_namespace)
{
	struct ipu_slot words = { .pid = pid,
		.uid = 4242,
		.pid_namespace = pid_namespace };

	(void)strlcpy(words.user, "somebody", sizeof(words.user));
	(void)strlcpy(words.host, "elsewhere", sizeof(words.host));
	return words;
}

static void
test_local(void)
{
	const struct rpc_peer peer = { .is_local = true,
		.uid = getuid(),
		.pid = 77,
		.text = "uid 0, pid 77" };
	const struct passwd *who = getpwuid(getuid());
	struct holder_place here;
	struct ipu_slot words = claim(getpid(), 0);
	char user[SLOT_USER_SIZE];

	(void)snprintf(user, sizeof(user), "%u", (unsigned)getuid());
	if (who != NULL)
		(void)strlcpy(user, who->pw_name, sizeof(user));
	holder_place_init(&here);
	lease_holder_check(&words, &peer, "");
	is_str(words.user, user, "its user is whom the kernel names");
	is_str(holder_claims(&words), "", "so it is not marked");
	is_int((long long)words.uid, (long long)getuid(), "by number, too");
	is_str(words.host, here.host, "on this host");
	is_int(words.pid, getpid(), "a process of that user may be named");
	words = claim(0, 0);
	lease_holder_check(&words, &peer, "");
	is_int(words.pid, 77, "without one it is the caller");
	words = claim(INT32_MAX, here.pid_namespace);
	lease_holder_check(&words, &peer, "");
	is_int(words.pid, 77, "and where there is none of that number");
	words = claim(-1, 0);
	lease_holder_check(&words, &peer, "root");
	is_str(words.user, user, "a name that was shown elsewhere is nothing");
	words = claim(5, here.pid_namespace + 1);
	lease_holder_check(&words, &peer, "");
	ok(!holder_is_here(&here, &words),
	    "of another namespace it is not here");
}

static void
test_remote(void)
{
	const struct rpc_peer far = { .text = "10.1.3.7:40312" };
	const struct rpc_peer near = { .text = "127.0.0.1:40312" };
	struct holder_place here;
	struct ipu_slot words = claim(1, 5);

	holder_place_init(&here);
	lease_holder_check(&words, &far, "");
	is_str(words.user, "somebody", "over TCP it says who it is");
	is_str(words.host, "elsewhere", "and where");
	ok(!holder_is_here(&here, &words) && words.uid == (uint32_t)-1,
	    "which is nobody here");
	is_str(holder_claims(&words), "user, command, host", "and is marked");
	words = claim(1, 5);
	lease_holder_check(&words, &far, "ann");
	is_str(words.user, "ann", "who showed a key is who that is of");
	is_str(holder_claims(&words), "command, host", "that is proved");
	(void)strlcpy(words.host, here.host, sizeof(words.host));
	words.pid_namespace = here.pid_namespace;
	words.pid = getpid();
	lease_holder_check(&words, &far, "");
	is_str(words.host, "10.1.3.7:40312", "no other host has our name");
	ok(!holder_is_here(&here, &words), "nor our processes");
	(void)strlcpy(words.host, here.host, sizeof(words.host));
	lease_holder_check(&words, &near, "");
	is_str(words.host, here.host, "but what calls from this one");
	memset(&words, 0, sizeof(words));
	lease_holder_check(&words, &far, "");
	ok(words.pid == 1 && strcmp(words.user, "?") == 0,
	    "who says nothing is shown all the same");
}

/* Texts that a terminal would obey, or that are longer than their place. */
static void
test_texts(void)
{
	char user[] = "a\033[31m\nb", host[] = "h\x7f";
	char command[2 * SLOT_COMMAND_SIZE];
	ipubox_v1_LeaseHolder m = ipubox_v1_LeaseHolder_init_zero;
	struct ipu_slot words;
	size_t i;

	memset(command, 'x', sizeof(command) - 1);
	command[sizeof(command) - 1] = '\0';
	m.user = user;
	m.host = host;
	m.command = command;
	m.pid = UINT32_MAX;
	lease_holder_get(&m, &words);
	for (i = 0; words.user[i] >= ' ' && words.user[i] <= '~'; i++)
		;
	ok(words.user[i] == '\0' && i > 0, "no control character stays");
	ok(strchr(words.host, 0x7f) == NULL, "of no text");
	is_int((long long)strlen(words.command), SLOT_COMMAND_SIZE - 1,
	    "what is long is cut");
	is_int(words.pid, 0, "a pid that none can be is none");
}

int
main(void)
{
	test_local();
	test_remote();
	test_texts();
	return tap_done();
}
