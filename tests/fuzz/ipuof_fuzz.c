/* An IPUoF file: refused with a reason, or a name and counts that agree. */
#include "core/base/parse.h"
#include "core/control/control.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error e = { .text = "" };
	struct ipuof_reference r;

	if (ipuof_parse(fuzz_file(data, size), &r, &e) != 0) {
		require(e.text[0] != '\0');
		return 0;
	}
	require(name_check("partition", r.partition, NULL) == 0);
	require(r.num_gcds >= 1);
	require(r.gcd >= -1 && r.gcd < r.num_gcds);
	require(r.device_count >= 0);
	require((r.host[0] == '\0') == (r.port[0] == '\0'));
	return 0;
}
