/* Formats of tags: refused, or within the bound whatever the values are. */
#include <string.h>

#include "core/base/text.h"
#include "core/process/process.h"
#include "tests/fuzz/fuzz.h"

enum { LAST_NUMBER = 2147483647 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int64_t moments[] = { 0, 1795391999250, -1 };
	char *text = fuzz_text(data, size);
	char host[2 * TAG_FORMAT_HOST_MAX];
	char tag[TAG_FORMAT_SIZE], shown[4 * TAG_FORMAT_SIZE];
	struct tag_values values = { .instance = LAST_NUMBER,
		.local_index = LAST_NUMBER,
		.restarts = LAST_NUMBER,
		.host = host,
		.stream = "stdout" };
	struct error e;
	size_t i, used;
	int status = tag_format_check("x", text, &e);

	memset(host, 'h', sizeof(host));
	host[sizeof(host) - 1] = '\0';
	for (i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		used = tag_format_expand(text, &values, moments[i], tag);
		require(used <= TAG_FORMAT_MAX && used == strlen(tag));
		text_printable(tag, shown, sizeof(shown));
		require(status != 0 || strcmp(tag, shown) == 0);
	}
	require(tag_format_columns(text, &values) <= TAG_FORMAT_MAX);
	require(tag_format_tick_ms(text) >= 0);
	free(text);
	return 0;
}
