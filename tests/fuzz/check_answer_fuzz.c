/*
 * What another host answers to --check: a finding is one that a check can have,
 * and fit to be shown; an answer that is refused leaves nothing.  And what it
 * is asked: a request that is taken has all that the checks use.
 */
#include <string.h>

#include "core/diag/check_answer.h"
#include "core/diag/check_answer.h"
#include "tests/fuzz/fuzz.h"

static void
check_shown(const char *text)
{
	for (; *text != '\0'; text++)
		require((unsigned char)*text >= ' ' && *text != 0x7f);
}

static void
try_answer(const char *text, size_t size)
{
	struct check_answer a = { .began_ms = 0 };
	struct diagnosis *d = &a.diagnosis;
	int64_t sure;
	int status, i;

	status = check_answer_read(&a, text, size, NULL);
	require(status == 0 || d->count == 0);
	require(d->count <= CHECK_ANSWER_FINDINGS_MAX);
	for (i = 0; i < d->count; i++) {
		require(d->findings[i].name != NULL);
		check_shown(d->findings[i].what);
		check_shown(d->findings[i].remedy);
	}
	if (status == 0) {
		(void)check_answer_clock(&a, 1000, 2000, &sure);
		require(sure >= 0);
	}
	diagnosis_release(d);
}

static void
try_request(const char *text, size_t size)
{
	struct check_request q;

	check_request_init(&q);
	if (check_request_read(&q, text, size, NULL) == 0)
		require(q.program.count > 0 && q.rooms.count % 2 == 0 &&
		    q.instances >= 0);
	check_request_release(&q);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	try_answer(text, strlen(text));
	try_request(text, strlen(text));
	free(text);
	return 0;
}
