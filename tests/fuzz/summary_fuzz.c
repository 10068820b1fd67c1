/* A profile's summary.json: refused, or a part of a page that stays JSON and
   cannot end the script that it stands in. */
#include "ipu/profile/profile.h"

#include <string.h>

#include "core/base/formats/json.h"
#include "core/base/text.h"
#include "ipu/profile/profile_internal.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *list = yyjson_mut_obj(doc);
	struct memstream m;
	char *text = fuzz_text(data, size), *json, *page, *at;
	yyjson_doc *again;
	const bool good = profile_index_add(doc, list, "0.training", text,
	    size);

	yyjson_mut_doc_set_root(doc, list);
	require(yyjson_mut_obj_size(list) == (good ? 1 : 0));
	json = json_text(doc);
	again = yyjson_read(json, strlen(json), 0);
	require(again != NULL);
	report_page(memstream_open(&m), json);
	page = memstream_close(&m, NULL);
	/* The first '<' of the data comes after all of them. */
	at = strstr(page, "id=\"data\">") + strlen("id=\"data\">");
	require(strcspn(at, "<") > strlen(json));
	yyjson_doc_free(again);
	free(page);
	free(json);
	free(text);
	return 0;
}
