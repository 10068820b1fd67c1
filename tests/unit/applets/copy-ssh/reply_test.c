/*
 * Lines of a script among those of a login shell, and public keys.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/copy-ssh/outcome.h"
#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static const struct {
	const char *key;
	bool sound;
} keys[] = {
	{ "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA", true },
	{ "ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB+/8= me@here", true },
	{ "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlz", true },
	{ "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5", true },
	{ "", false },
	{ "ssh-ed25519", false },
	{ "ssh-ed25519 ", false },
	{ "ssh-ed25519 AAAA", false },
	{ " ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA", false },
	{ "ssh-ed25519  AAAAC3NzaC1lZDI1NTE5AAAA", false },
	{ "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AA'A", false },
	{ "command=\"rm\" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA", false },
	{ "restrict,ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA", false },
	{ "cert-authority ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA", false },
};

static void
test_lines(void)
{
	struct reply p;

	reply_begin(&p,
	    "Welcome!\ncopy-ssh one 1  2 \ncopy-sshd two\n"
	    " copy-ssh three\ncopy-ssh\ncopy-ssh \n"
	    "copy-ssh four\x1b[2J\xff\r\ncopy-ssh five");
	ok(reply_next(&p), "a line");
	is_str(p.word, "one", "its word");
	is_str(reply_word(&p.rest), "1", "the next");
	is_str(reply_word(&p.rest), "2", "blanks count as one");
	is_str(reply_word(&p.rest), "", "at the end");
	is_str(reply_word(&p.rest), "", "and again");
	ok(reply_next(&p), "a line without a word");
	is_str(p.word, "", "no word");
	ok(reply_next(&p), "a line with odd characters");
	is_str(p.word, "four\\x1b[2J\\xff\\x0d", "made fit to be shown");
	ok(reply_next(&p), "a line without an end");
	is_str(p.word, "five", "its word");
	is_str(p.rest, "", "nothing behind it");
	ok(!reply_next(&p), "no more");
	ok(p.line == NULL, "nothing to release");
	reply_begin(&p, NULL);
	ok(!reply_next(&p), "no text");
}

static void
test_last_line(void)
{
	char line[16];

	reply_last_line("one\ntwo \x07\r\n \r\n\n", line, sizeof(line));
	is_str(line, "two \\x07", "the last with a text");
	reply_last_line("a line that is longer", line, sizeof(line));
	is_str(line, "a line that is ", "cut");
	reply_last_line(NULL, line, sizeof(line));
	is_str(line, "", "none");
	reply_last_line("\n\n", line, sizeof(line));
	is_str(line, "", "none with a text");
}

int
main(void)
{
	size_t i;

	test_lines();
	test_last_line();
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		is_int(reply_is_key(keys[i].key), keys[i].sound, keys[i].key);
	return tap_done();
}
