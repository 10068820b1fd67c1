/* A profile's summary.json: refused, or a row with bounded figures and text
   that is fit for a page. */
#include "ipu/engine/profile/profile_index.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

static void
require_printable(const char *text, size_t size)
{
	require(memchr(text, '\0', size) != NULL);
	for (; *text != '\0'; text++)
		require((unsigned char)*text >= ' ' && *text != 0x7f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile_index_row	 r;
	char				*text = fuzz_text(data, size);

	if (profile_index_read(&r, text, size) == 0) {
		require_printable(r.model, sizeof(r.model));
		require_printable(r.command, sizeof(r.command));
		require_printable(r.state, sizeof(r.state));
		require(r.state[0] != '\0');
		require(r.calls >= 0 && r.calls < 1e15);
		require(r.samples >= 0 && r.samples < 1e15);
		require(r.host_rate >= 0 && r.modelled_rate >= 0);
		require(r.host_used >= 0 && r.modelled_used >= 0);
	}
	free(text);
	return 0;
}
