/* Lists of numbers: refused and empty, or the same set again from its text. */
#include <string.h>

#include "core/base/bits.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct number_set set, again;
	char *text = fuzz_text(data, size), *list;
	int status = number_set_parse(&set, text);

	require(status == 0 || number_set_is_empty(&set));
	list = number_set_text(&set);
	require(number_set_parse(&again, list) == 0);
	require(memcmp(&set, &again, sizeof(set)) == 0);
	require(status == 0 || list[0] == '\0');
	free(list);
	free(text);
	return 0;
}
