/*
 * GCDA_OPTIONS and files of cards: whatever they hold, problems are texts that
 * end and are fit for a terminal, and no count leaves its bounds.
 */
#include <string.h>

#include "core/base/alloc.h"
#include "core/state/state.h"
#include "tests/fuzz/fuzz.h"

static void
require_printable(const char *text, size_t size)
{
	size_t i;

	require(memchr(text, '\0', size) != NULL);
	for (i = 0; text[i] != '\0'; i++)
		require((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gcda_problems p = { .count = 0 };
	struct gcda_options o;
	struct error e = { .text = "" };
	char *text = fuzz_text(data, size);
	int i;

	gcda_options_parse(&o, text, &p);
	require(p.count >= 0 && p.count <= GCDA_PROBLEMS_MAX);
	for (i = 0; i < p.count; i++) {
		require_printable(p.rows[i].what, sizeof(p.rows[i].what));
		require(p.rows[i].remedy[0] != '\0');
	}
	if (gcda_options_check_cards(text, strlen(text), &e) != 0)
		require_printable(e.text, sizeof(e.text));
	free(text);
	return 0;
}
