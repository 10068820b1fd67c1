/*
 * The proof at the beginning of a link, and who may not pass it.
 */
#include <sys/socket.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/link/link.h"
#include "core/link/link_internal.h"
#include "tests/unit/link_util.h"
#include "tests/unit/tap.h"

enum { INSTANCE = 7 };

static const unsigned char secret[LINK_SECRET_BYTES] = "the job's secret";
static const unsigned char wrong[LINK_SECRET_BYTES] = "another's";

static void
test_wrong_secret(void)
{
	struct error e = { .text = "" };
	struct link_message m;
	struct link *poprun, *process;
	int fds[2];

	make_pair(fds);
	poprun = link_new(fds[0], LINK_POPRUN, secret, -1);
	process = link_new(fds[1], LINK_PROCESS, wrong, INSTANCE);
	is_int(link_receive(process, &m, &e), 0, "the process answers");
	is_int(end_of(poprun, &e), ERROR_UNAUTHENTICATED,
	    "a process with another secret");
	is_str(e.text, "the other end does not know the job's secret",
	    "its reason");
	ok(!link_is_open(poprun), "is not let in");
	is_int(link_instance(poprun), -1, "and is nobody");
	link_free(poprun);
	is_int(end_of(process, &e), ERROR_UNAVAILABLE, "it is told nothing");
	is_str(e.text,
	    "the other end has gone before it had proved that it knows the "
	    "job's secret",
	    "its reason");
	link_free(process);
}

/* An answer to a hello that is not poprun's: somebody else listens. */
static void
test_wrong_poprun(void)
{
	unsigned char hello[LINK_PROOF_HELLO_BYTES];
	unsigned char proof[HMAC_BYTES] = { 0 };
	struct link_proof stranger;
	struct error e = { .text = "" };
	struct link_message m;
	struct link *process;
	int fds[2];

	make_pair(fds);
	process = link_new(fds[1], LINK_PROCESS, secret, INSTANCE);
	put_raw(fds[0], hello,
	    link_proof_init(&stranger, LINK_POPRUN, wrong, -1, hello));
	is_int(link_receive(process, &m, &e), 0, "the process answers anyone");
	put_raw(fds[0], proof, sizeof(proof));
	is_int(end_of(process, &e), ERROR_UNAUTHENTICATED,
	    "who cannot prove more is not poprun");
	link_free(process);
	(void)close(fds[0]);
}

/* The process' own proof, sent back to it. */
static void
test_reflected(void)
{
	unsigned char hello[LINK_PROOF_HELLO_BYTES];
	unsigned char answer[LINK_PROOF_ANSWER_BYTES];
	struct link_proof stranger;
	struct error e = { .text = "" };
	struct link_message m;
	struct link *process;
	int fds[2];

	make_pair(fds);
	process = link_new(fds[1], LINK_PROCESS, secret, INSTANCE);
	put_raw(fds[0], hello,
	    link_proof_init(&stranger, LINK_POPRUN, wrong, -1, hello));
	(void)link_receive(process, &m, &e);
	is_int(recv(fds[0], answer, sizeof(answer), 0), sizeof(answer),
	    "an answer");
	put_raw(fds[0], answer + sizeof(answer) - HMAC_BYTES, HMAC_BYTES);
	is_int(end_of(process, &e), ERROR_UNAUTHENTICATED,
	    "sent back it proves nothing");
	link_free(process);
	(void)close(fds[0]);
}

/* poprun's own hello sent back, as a whole answer or as a hello. */
static void
test_hello_back(void)
{
	unsigned char bytes[2 * LINK_PROOF_ANSWER_BYTES] = { 0 };
	struct error e = { .text = "" };
	struct link *poprun;
	int fds[2];

	make_pair(fds);
	poprun = link_new(fds[0], LINK_POPRUN, secret, -1);
	is_int(recv(fds[1], bytes, sizeof(bytes), 0), LINK_PROOF_HELLO_BYTES,
	    "a hello");
	put_raw(fds[1], bytes, LINK_PROOF_ANSWER_BYTES);
	is_int(end_of(poprun, &e), ERROR_UNAUTHENTICATED,
	    "its own nonce is no proof");
	link_free(poprun);
	(void)close(fds[1]);
}

/* What a good process answered to one hello, as an answer to another. */
static void
test_replayed(void)
{
	unsigned char hello[LINK_PROOF_HELLO_BYTES];
	unsigned char answer[LINK_PROOF_ANSWER_BYTES];
	struct link_proof process, poprun;
	struct error e = { .text = "" };
	struct link *other;
	size_t size;
	int fds[2];

	(void)link_proof_init(&poprun, LINK_POPRUN, secret, -1, hello);
	(void)link_proof_init(&process, LINK_PROCESS, secret, INSTANCE, NULL);
	is_int(link_proof_take(&process, hello, sizeof(hello), answer, &size,
		   &e),
	    sizeof(hello), "a good answer");
	make_pair(fds);
	other = link_new(fds[0], LINK_POPRUN, secret, -1);
	put_raw(fds[1], answer, sizeof(answer));
	is_int(end_of(other, &e), ERROR_UNAUTHENTICATED,
	    "to another connection proves nothing");
	link_free(other);
	(void)close(fds[1]);
}

/* Each byte of an answer counts: the instance's as well. */
static void
test_changed(void)
{
	unsigned char hello[LINK_PROOF_HELLO_BYTES];
	unsigned char answer[LINK_PROOF_ANSWER_BYTES];
	unsigned char reply[LINK_PROOF_ANSWER_BYTES];
	struct link_proof process, poprun, again;
	size_t i, size, passed = 0;

	(void)link_proof_init(&poprun, LINK_POPRUN, secret, -1, hello);
	(void)link_proof_init(&process, LINK_PROCESS, secret, INSTANCE, NULL);
	(void)link_proof_take(&process, hello, sizeof(hello), answer, &size,
	    NULL);
	is_int((long long)size, sizeof(answer), "an answer");
	for (i = 0; i < 8 * sizeof(answer); i++) {
		again = poprun;
		answer[i / 8] ^= (unsigned char)(1 << i % 8);
		passed += link_proof_take(&again, answer, sizeof(answer), reply,
			      &size, NULL) != -1;
		answer[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	is_int((long long)passed, 0, "with any bit changed it is refused");
	is_int(link_proof_take(&poprun, answer, sizeof(answer), reply, &size,
		   NULL),
	    sizeof(answer), "unchanged it is not");
	is_int(poprun.stage, LINK_PROOF_DONE, "and poprun is content");
	is_int(link_proof_take(&process, reply, size, answer, &size, NULL),
	    HMAC_BYTES, "poprun's proof");
	is_int(process.stage, LINK_PROOF_DONE, "contents the process");
}

static void
test_strangers(void)
{
	static const unsigned char future[] = "ipuL\x02\0\0\0";
	static const struct {
		const char *bytes;
		size_t size;
		enum error_code code;
		const char *text;
	} rows[] = {
		{ "GET / HTTP/1.1\r\n", 16, ERROR_INVALID,
		    "the other end sent something that is not the beginning of "
		    "a link" },
		{ "G", 1, ERROR_INVALID,
		    "the other end sent something that is not the beginning of "
		    "a link" },
		{ (const char *)future, 8, ERROR_UNSUPPORTED,
		    "the other end has version 2 of the link and this one has "
		    "1: use the same ipubox on both" },
		{ "ipuL", 0, ERROR_UNAVAILABLE,
		    "the other end has gone before it had proved that it knows "
		    "the job's secret" },
	};
	struct error e = { .text = "" };
	struct link *l;
	size_t i;
	int fds[2];

	for (i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		make_pair(fds);
		l = link_new(fds[0], i % 2 == 0 ? LINK_POPRUN : LINK_PROCESS,
		    secret, 0);
		put_raw(fds[1], rows[i / 2].bytes, rows[i / 2].size);
		(void)shutdown(fds[1], SHUT_WR);
		is_int(end_of(l, &e), rows[i / 2].code, "a stranger");
		is_str(e.text, rows[i / 2].text, "the reason");
		link_free(l);
		(void)close(fds[1]);
	}
}

/* The proof byte by byte in both directions. */
static void
test_cut_proof(void)
{
	int a[2], b[2], i;
	struct link_message m;
	unsigned char byte;
	struct link *poprun, *process;

	make_pair(a);
	make_pair(b);
	poprun = link_new(a[0], LINK_POPRUN, secret, -1);
	process = link_new(b[0], LINK_PROCESS, secret, INSTANCE);
	for (i = 0; i < 1000 && !link_is_open(process); i++) {
		if (recv(a[1], &byte, 1, MSG_DONTWAIT) == 1)
			put_raw(b[1], &byte, 1);
		(void)link_receive(process, &m, NULL);
		if (recv(b[1], &byte, 1, MSG_DONTWAIT) == 1)
			put_raw(a[1], &byte, 1);
		(void)link_receive(poprun, &m, NULL);
	}
	ok(link_is_open(poprun) && link_is_open(process), "byte by byte");
	is_int(i,
	    LINK_PROOF_HELLO_BYTES + LINK_PROOF_ANSWER_BYTES + HMAC_BYTES - 1,
	    "and not a byte more or less");
	link_free(poprun);
	link_free(process);
	(void)close(a[1]);
	(void)close(b[1]);
}

int
main(void)
{
	test_wrong_secret();
	test_wrong_poprun();
	test_reflected();
	test_hello_back();
	test_replayed();
	test_changed();
	test_strangers();
	test_cut_proof();
	return tap_done();
}
