/* core/state/sdk and sdk_marker: the marker's text, and the variables. */
#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/state/sdk/sdk.h"
#include "tests/unit/tap.h"

static void
check_markers(void)
{
	static const struct {
		const char *text, *reason;
	} vectors[] = {
		{ "ipubox-sdk 0.1.0 complete\n", "" },
		{ "ipubox-sdk 9 unfinished\nlib/a.c\nx\n", "" },
		{ "", "its last line is cut off" },
		{ "ipubox-sdk 0.1.0 complete", "its last line is cut off" },
		{ "ipubox-sdk 1 complete\nlib", "its last line is cut off" },
		{ "ipubox-sdk  complete\n",
		    "its first line is not that of an SDK" },
		{ "ipubox-sdk 1\n", "its first line is not that of an SDK" },
		{ "ipubox 1 complete\n",
		    "its first line is not that of an SDK" },
		{ "ipubox-sdk 1 whole\n",
		    "its first line must say complete or unfinished" },
		{ "ipubox-sdk 12345678901234567890123456789012 complete\n",
		    "its version is too long" },
		{ "ipubox-sdk 1 complete\na\n../b\n",
		    "line 3 is not a path below its directory" },
		{ "ipubox-sdk 1 complete\n\n",
		    "line 2 is not a path below its directory" },
	};
	struct sdk_marker m;
	struct error e;
	char *again;
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		e = (struct error){ .text = "" };
		(void)sdk_marker_parse(&m, vectors[i].text,
		    strlen(vectors[i].text), &e);
		is_str(e.text, vectors[i].reason, "reason");
		if (vectors[i].reason[0] == '\0') {
			again = sdk_marker_text(&m, &size);
			is_str(again, vectors[i].text, "and back");
			free(again);
		}
		sdk_marker_release(&m);
	}
	is_int(sdk_marker_parse(&m, "ipubox-sdk 1 complete\na\0b\n", 26, &e),
	    -1, "a NUL byte");
	sdk_marker_release(&m);
}

static void
check_lists(void)
{
	static const struct sdk_list list = { "PYTHONPATH", "python", NULL };
	static const struct sdk_list absent = { "X", "lib", "lib/no" };
	static const struct {
		const char *value;
		enum sdk_order order;
		const char *wanted; /* NULL: unset */
	} vectors[] = {
		{ NULL, SDK_FIRST, "/s/python" },
		{ "", SDK_FIRST, "/s/python" },
		{ "a:b", SDK_FIRST, "/s/python:a:b" },
		{ "a:/s/python:b", SDK_FIRST, "/s/python:a:b" },
		{ "/s/python:/s/python", SDK_FIRST, "/s/python" },
		{ ":a", SDK_FIRST, "/s/python::a" },
		{ "a:", SDK_FIRST, "/s/python:a:" },
		{ "/s/python2", SDK_FIRST, "/s/python:/s/python2" },
		{ NULL, SDK_LAST, "/s/python" },
		{ "", SDK_LAST, "/s/python" },
		{ "a", SDK_LAST, "a:/s/python" },
		{ "/s/python:a", SDK_LAST, "/s/python:a" },
		{ "a:", SDK_LAST, "a::/s/python" },
		{ NULL, SDK_WITHOUT, NULL },
		{ "/s/python", SDK_WITHOUT, NULL },
		{ "/s/python:a", SDK_WITHOUT, "a" },
		{ "a::b", SDK_WITHOUT, "a::b" },
	};
	const struct sdk sdk = { .directory = "/s" };
	size_t i;
	char *value;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		value = sdk_list_value(&sdk, &list, vectors[i].value,
		    vectors[i].order);
		is_str(value != NULL ? value : "(unset)",
		    vectors[i].wanted != NULL ? vectors[i].wanted : "(unset)",
		    vectors[i].value != NULL ? vectors[i].value : "unset");
		free(value);
	}
	value = sdk_list_value(&sdk, &absent, "a", SDK_FIRST);
	is_str(value, "a", "a list that has no use stays");
	free(value);
}

static void
is_refused(const struct directory *d, const char *text, const char *wanted)
{
	struct sdk sdk;
	struct error e = { .text = "" };

	if (text != NULL)
		ok(file_replace_at(d, SDK_MARKER_NAME, text, strlen(text),
		       NULL) == 0,
		    "a marker");
	(void)sdk_open(&sdk, d->path, &e);
	ok(strstr(e.text, wanted) != NULL, wanted);
}

static void
check_open(void)
{
	struct directory d;
	struct sdk sdk;
	struct error e;

	ok(directory_open(&d, tap_directory(), NULL) == 0, "a directory");
	is_refused(&d, NULL, "is not an SDK of ipubox");
	is_refused(&d, "ipubox-sdk 1 unfinished\n", "is not complete");
	is_refused(&d, "nonsense\n", "is damaged: its first line");
	ok(file_replace_at(&d, SDK_MARKER_NAME, "ipubox-sdk 0.0.1 complete\n",
	       26, NULL) == 0 &&
		sdk_open(&sdk, d.path, &e) == 0,
	    "one is good");
	is_str(sdk.version, "0.0.1", "of that version");
	ok(!sdk_is_current(&sdk), "which is not ours");
	is_int(sdk_open(&sdk, "/no/such", &e), -1, "none there");
	(void)file_remove(&d, SDK_MARKER_NAME, NULL);
	directory_close(&d);
}

int
main(void)
{
	check_markers();
	check_lists();
	check_open();
	return tap_done();
}
