/*
 * The marker of an SDK's directory: refused, or its paths stay below the
 * directory and its text is the same again.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/files/file_set.h"
#include "core/state/sdk/sdk.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sdk_marker m;
	struct error e = { .text = "" };
	char *text = fuzz_text(data, size), *again;
	size_t i, length;

	if (sdk_marker_parse(&m, text, size, &e) != 0) {
		require(e.text[0] != '\0');
	} else {
		for (i = 0; i < m.paths.count; i++)
			require(file_set_is_path(m.paths.items[i]));
		again = sdk_marker_text(&m, &length);
		require(length == size && memcmp(again, text, size) == 0);
		free(again);
	}
	sdk_marker_release(&m);
	free(text);
	return 0;
}
