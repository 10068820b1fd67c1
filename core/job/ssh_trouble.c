/*
 * Messages of OpenSSH's client, and their remedies.
 */
#include "core/job/mpirun_noise.h"

#include <string.h>

#include "core/base/alloc.h"

/* The first match counts. */
static const struct {
	const char *text;
	enum ssh_trouble trouble;
} troubles[] = {
	{ "HOST IDENTIFICATION HAS CHANGED", SSH_CHANGED_KEY },
	{ "Host key verification failed", SSH_UNKNOWN_KEY },
	{ "Permission denied (", SSH_DENIED },
	{ "Permission denied, please try again", SSH_DENIED },
	{ "Could not resolve hostname", SSH_UNKNOWN_NAME },
	{ "getaddrinfo", SSH_UNKNOWN_NAME },
	{ "Connection refused", SSH_REFUSED },
	{ "timed out", SSH_SILENT },
	{ "No route to host", SSH_SILENT },
	{ "unreachable", SSH_SILENT },
	{ "Connection closed by", SSH_CLOSED },
	{ "Connection reset by", SSH_CLOSED },
	{ "kex_exchange_identification", SSH_CLOSED },
};

enum ssh_trouble
ssh_trouble_find(const char *text)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(troubles); i++)
		if (strstr(text, troubles[i].text) != NULL)
			return troubles[i].trouble;
	return SSH_OTHER;
}

int
ssh_trouble_describe(enum ssh_trouble trouble, const char *names,
    struct error *e)
{
	switch (trouble) {
	case SSH_UNKNOWN_NAME:
		return error_set(e,
		    "the name has no address: put it into /etc/hosts or the "
		    "DNS");
	case SSH_REFUSED:
		return error_set(e,
		    "nothing listens on the port of ssh: on that host, apt-get "
		    "install openssh-server and service ssh start");
	case SSH_SILENT:
		return error_set(e,
		    "no answer from the port of ssh: check that the host is up "
		    "and that no firewall is in between");
	case SSH_CLOSED:
		return error_set(e,
		    "it closes the connection: see its log of sshd");
	case SSH_CHANGED_KEY:
		return error_set(e,
		    "Host key verification failed: its key is not the one in "
		    "known_hosts; if the host was reinstalled: copy-ssh "
		    "--accept-changed %s %s",
		    names, names);
	case SSH_UNKNOWN_KEY:
		return error_set(e,
		    "Host key verification failed: its key is not in "
		    "known_hosts: copy-ssh %s",
		    names);
	case SSH_DENIED:
		return error_set(e,
		    "Permission denied: it does not accept this host's key: "
		    "copy-ssh %s",
		    names);
	default:
		return error_set(e,
		    "ssh cannot reach it: copy-ssh --verify %s tells why",
		    names);
	}
}
