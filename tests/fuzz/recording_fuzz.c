/*
 * A recording from a stranger: the input is the file after its first eight
 * bytes.  Each look is refused with a sentence, or has IPUs, partitions and
 * holders that can be gone through.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/files/file.h"
#include "ipu/device/device.h"
#include "tests/fuzz/fuzz.h"

static void
walk(const struct recording *r)
{
	struct sample s;
	struct condition c;
	struct error e;
	int i;

	memset(&s, 0, sizeof(s));
	if (recording_look(r, true, &s.look, &e) != 0)
		return;
	sample_read(&s);
	for (i = 0; i < s.ipu_count; i++) {
		require(s.ipus[i].holder < s.holder_count);
		require(s.ipus[i].partition <
		    s.look.view.snapshot.partition_count);
		sample_condition(&s, i, &c);
	}
	for (i = 0; i < s.holder_count; i++)
		require(s.holders[i].ipu_count > 0);
	sample_release(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[160];
	struct recording *r;
	struct error e = { .text = "" };
	int fd, status;

	(void)snprintf(path, sizeof(path), "%s/file", fuzz_directory());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	require(fd != -1);
	require(file_put(fd, "ipurec1\n", 8) == 0);
	require(file_put(fd, (const char *)data, size) == 0);
	(void)close(fd);
	r = recording_open(path, &e);
	require(r != NULL);
	while ((status = recording_step(r, &e)) == 1)
		walk(r);
	require(status == 0 || e.text[0] != '\0');
	recording_close(r);
	return 0;
}
