/*
 * A line of a program that asks for devices: refused with a reason, or a
 * request within its bounds; and the reason is one line.
 */
#include <string.h>

#include "core/base/text.h"
#include "core/pod/pod.h"
#include "ipu/device/device.h"
#include "tests/fuzz/fuzz.h"

static void
check_refusal(const struct error *e)
{
	struct memstream m;
	char *text;
	size_t size;

	require(e->code == ERROR_INVALID && e->text[0] != '\0');
	device_request_refuse(memstream_open(&m), e);
	text = memstream_close(&m, &size);
	require(strncmp(text, "error invalid ", 14) == 0);
	require(strchr(text, '\n') == text + size - 1);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct device_request r;
	struct error e = { .text = "" };

	if (device_request_parse(&r, (const char *)data, size, &e) != 0) {
		check_refusal(&e);
		return 0;
	}
	require(size <= DEVICE_REQUEST_MAX && e.text[0] == '\0');
	require(r.verb <= DEVICE_VERB_DETACH);
	require(r.ipus >= 0 && r.ipus <= POD_IPUS_MAX);
	require(r.id >= DEVICE_REQUEST_ANY);
	return 0;
}
