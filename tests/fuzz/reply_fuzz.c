/*
 * What another host sends: each line that is handed out is fit to be shown,
 * and what counts as a public key has no character that means something to a
 * shell or begins an option of authorized_keys.
 */
#include <string.h>

#include "applets/copy-ssh/outcome.h"
#include "tests/fuzz/fuzz.h"

static void
check_shown(const char *text)
{
	for (; *text != '\0'; text++)
		require((unsigned char)*text >= ' ' && *text != 0x7f);
}

static void
check_key(const char *text)
{
	size_t type, blob;

	if (!reply_is_key(text))
		return;
	type = strcspn(text, " ");
	blob = strcspn(text + type + 1, " ");
	require(strcspn(text, "'\"\\$`;, \n") == type);
	require(strcspn(text + type + 1, "'\"\\$`;, \n") == blob);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reply p;
	char *text = fuzz_text(data, size), line[32];

	reply_begin(&p, text);
	while (reply_next(&p)) {
		check_shown(p.word);
		check_shown(p.rest);
		check_key(p.rest);
		while (*reply_word(&p.rest) != '\0')
			;
	}
	reply_last_line(text, line, sizeof(line));
	check_shown(line);
	check_key(text);
	free(text);
	return 0;
}
