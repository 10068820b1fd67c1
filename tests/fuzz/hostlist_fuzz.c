/*
 * Lists of hosts, on a line and in a file: refused with a reason and nothing
 * added, or sound names, none of them twice, that stand for themselves.
 */
#include <string.h>
#include <strings.h>

#include "core/job/job.h"
#include "tests/fuzz/fuzz.h"

static void
check(int status, struct strvec *w, const struct error *e)
{
	struct strvec again;
	size_t i;

	require(w->count >= 1 && w->count <= HOSTLIST_MAX);
	require(strcmp(w->items[0], "before") == 0);
	/* A file may repeat the name that was there before. */
	require(status == 0 || w->count == 1);
	require((status == 0) == (e->text[0] == '\0'));
	strvec_init(&again);
	for (i = 1; i < w->count; i++) {
		require(hostlist_name_is_valid(w->items[i]));
		require(strcasecmp(w->items[i], w->items[i - 1]) != 0);
		if (i > 16)
			continue;
		require(hostlist_add(&again, NULL, w->items[i], NULL) == 0);
		require(strcmp(again.items[i - 1], w->items[i]) == 0);
	}
	strvec_release(&again);
	strvec_release(w);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hostlist_slots slots = { .counts = NULL };
	struct strvec w;
	struct error e = { .text = "" };
	char *text = fuzz_text(data, size);
	int status;

	strvec_init(&w);
	strvec_add(&w, "before");
	status = hostlist_add(&w, &slots, text, &e);
	require(status != 0 || slots.count == w.count);
	hostlist_slots_release(&slots);
	check(status, &w, &e);
	e.text[0] = '\0';
	strvec_init(&w);
	strvec_add(&w, "before");
	status = hostlist_add_lines(&w, &slots, "f", text, size, &e);
	require(status != 0 || slots.count == w.count);
	hostlist_slots_release(&slots);
	check(status, &w, &e);
	free(text);
	return 0;
}
