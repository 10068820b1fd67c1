/* core/base/name: which names an object may have. */
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "tests/unit/tap.h"

static void
check_names(void)
{
	static const char *const good[] = { "a", "7", "p-1_x.y", "A0",
		"partition" };
	static const char *const bad[] = { "", ".", "..", ".hidden", "-x", "_x",
		"a/b", "a b", "a\n", "../../etc/passwd", "\303\244",
		"a\033[1m" };
	char name[NAME_LENGTH_MAX + 2];
	struct error error;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		is_int(name_check("partition", good[i], &error), 0, good[i]);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		is_int(name_check("partition", bad[i], &error), -1, "refused");
	memset(name, 'n', sizeof(name));
	name[NAME_LENGTH_MAX] = '\0';
	is_int(name_check("partition", name, &error), 0, "63 characters");
	name[NAME_LENGTH_MAX] = 'n';
	name[NAME_LENGTH_MAX + 1] = '\0';
	is_int(name_check("partition", name, &error), -1, "64 characters");
	is_str(error.text,
	    "partition name 'nnnnnnnnnnnnnnnnnnnn...': 64 characters, the "
	    "limit is 63",
	    "the reason says the limit");
	is_int(error.code, ERROR_INVALID, "as its code does");
}

/* A name is taken whole or not at all. */
static void
check_parsed_names(void)
{
	char name[NAME_LENGTH_MAX + 1] = "before";
	char text[NAME_LENGTH_MAX + 2];
	struct error error;

	memset(text, 'n', sizeof(text));
	text[NAME_LENGTH_MAX + 1] = '\0';
	is_int(name_parse("partition", text, name, &error), -1, "too long");
	is_str(name, "before", "is not cut");
	text[NAME_LENGTH_MAX] = '\0';
	is_int(name_parse("partition", text, name, &error), 0, "the longest");
	is_str(name, text, "is whole");
}

int
main(void)
{
	check_names();
	check_parsed_names();
	return tap_done();
}
